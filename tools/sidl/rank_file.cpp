#include "rank_file.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "messages.hpp"

namespace sidl_tool {
namespace {

using Variables = std::map<std::string, std::string>;

/** Collects words. */
class Writer {
 public:
  void text(const std::string& word) { words_.push_back(word); }
  void number(std::size_t value) { text(std::to_string(value)); }
  void texts(const std::vector<std::string>& all) {
    number(all.size());
    words_.insert(words_.end(), all.begin(), all.end());
  }
  void variables(const Variables& all) {
    number(all.size());
    for (const auto& [name, value] : all) words_.insert(words_.end(), {name, value});
  }
  std::string written() const { return packed(words_); }

 private:
  std::vector<std::string> words_;
};

/** Takes them again, in the same order. */
class Reader {
 public:
  explicit Reader(const std::string& text) : words_(words_of(text)) {}

  const std::string& text() {
    if (next_ == words_.size()) throw std::runtime_error("the file of a rank is incomplete");
    return words_[next_++];
  }
  std::size_t number() {
    const std::string& word = text();
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc() && end == word.data() + word.size()) return value;
    throw std::runtime_error("the file of a rank has '" + word + "' instead of a number");
  }
  std::vector<std::string> texts() {
    std::vector<std::string> all;
    for (std::size_t left = number(); left > 0; --left) all.push_back(text());
    return all;
  }
  void variables(Variables& all) {
    for (std::size_t left = number(); left > 0; --left) {
      const std::string& name = text();
      all[name] = text();
    }
  }

 private:
  const std::vector<std::string> words_;
  std::size_t next_ = 0;
};

/** What all ranks have, such as long lists of URLs, is written once. */
Variables common_of(const std::vector<Start>& ranks) {
  Variables common = ranks.front().environment;
  for (const Start& each : ranks) {
    std::erase_if(common, [&](const auto& variable) {
      const auto found = each.environment.find(variable.first);
      return found == each.environment.end() || found->second != variable.second;
    });
  }
  return common;
}

}  // namespace

std::string packed_orders(const std::string& address, Milliseconds grace,
                          const std::vector<Start>& ranks, const std::vector<std::string>& proofs) {
  Writer writer;
  const Variables common = common_of(ranks);
  writer.text(address);
  writer.number(static_cast<std::size_t>(grace.count()));
  writer.variables(common);
  writer.number(ranks.size());
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    Variables own = ranks[rank].environment;
    std::erase_if(own, [&](const auto& variable) { return common.contains(variable.first); });
    writer.text(proofs[rank]);
    writer.text(ranks[rank].label);
    writer.text(ranks[rank].directory);
    writer.texts(ranks[rank].command);
    writer.variables(own);
  }
  return writer.written();
}

RankOrder order_in(const std::string& text, const std::string& program, int rank) {
  Reader reader(text);
  RankOrder result;
  result.address = reader.text();
  result.grace = Milliseconds(reader.number());
  Variables common;
  reader.variables(common);
  const auto ranks = static_cast<int>(reader.number());
  if (rank >= ranks) {
    throw std::runtime_error("the launcher has started rank " + std::to_string(rank) + " of " +
                             program + ", which has " + std::to_string(ranks) +
                             (ranks == 1 ? " rank" : " ranks") +
                             ": its options must not say how many");
  }
  for (int each = 0; each <= rank; ++each) {
    result.start.program = program;
    result.start.environment = each == rank ? common : Variables();
    result.proof = reader.text();
    result.start.label = reader.text();
    result.start.directory = reader.text();
    result.start.command = reader.texts();
    reader.variables(result.start.environment);
  }
  return result;
}

}  // namespace sidl_tool
