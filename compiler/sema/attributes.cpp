#include "sema/attributes.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "sema/context.hpp"

namespace shinar::sema {
namespace {

constexpr auto kWords = std::to_array<std::string_view>(
    {"abstract", "copy", "final", "local", "nonblocking", "oneway", "static"});

// The text between the quotes of a string literal.
std::string unescaped(std::string_view literal) {
  literal = literal.substr(1, literal.size() - 2);
  std::string text;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] != '\\' || i + 1 == literal.size()) {
      text += literal[i];
      continue;
    }
    const char c = literal[++i];
    constexpr std::string_view kLetters = "ntbrf";
    constexpr std::string_view kControls = "\n\t\b\r\f";
    if (const std::size_t at = kLetters.find(c); at != std::string_view::npos) {
      text += kControls[at];
    } else if (c >= '0' && c <= '7') {
      int value = 0;
      const std::size_t end = std::min(i + 3, literal.size());
      for (; i < end && literal[i] >= '0' && literal[i] <= '7'; ++i) {
        value = value * 8 + (literal[i] - '0');
      }
      --i;
      text += static_cast<char>(value);
    } else {
      text += c;
    }
  }
  return text;
}

class Entries {
 public:
  explicit Entries(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void add(const ast::AttribEntry& entry);
  std::vector<model::Attribute> take() { return std::move(entries_); }

 private:
  Diagnostics& diagnostics_;
  std::vector<model::Attribute> entries_;
  std::unordered_map<std::string, std::size_t> index_;  // by key
};

void Entries::add(const ast::AttribEntry& entry) {
  const std::string& key = entry.key.text;
  if (std::ranges::find(kWords, key) != kWords.end()) {
    diagnostics_.report(Code::WordAsAttribute, entry.key.span,
                        in_quotes(key) +
                            " within %attrib is only a name; to use the keyword, write it " +
                            "in front of the declaration");
  }
  std::optional<std::string> value;
  if (entry.value) value = unescaped(*entry.value);
  const auto [place, is_new] = index_.emplace(key, entries_.size());
  if (is_new) {
    entries_.push_back({key, std::move(value), entry.key.span});
    return;
  }
  const model::Attribute& other = entries_[place->second];
  if (other.value == value) {
    diagnostics_.report(Code::AttributeRepeated, entry.key.span,
                        in_quotes(key) + " is given twice");
    return;
  }
  diagnostics_
      .report(Code::AttributeValues, entry.key.span,
              in_quotes(key) + " is given two different values")
      .note(other.span, "the other value is given here");
}

}  // namespace

std::vector<model::Attribute> read_attributes(const std::vector<ast::Attribute>& attributes,
                                              Diagnostics& diagnostics) {
  Entries entries(diagnostics);
  for (const ast::Attribute& attribute : attributes) {
    for (const ast::AttribEntry& entry : attribute.entries) entries.add(entry);
  }
  return entries.take();
}

}  // namespace shinar::sema
