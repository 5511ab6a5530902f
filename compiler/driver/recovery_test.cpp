// recovery_test PLACES FILE…: how much of a program survives one damaged token?
//
// At PLACES places spread over each file, a token is removed, doubled, replaced, swapped with the
// next one, or another one is inserted before it. A file with syntax errors must then still have
//   every type, with all its members, whose lines are undamaged,
//   in a damaged type whose head is intact, every member whose lines are undamaged,
//   no new diagnostics on undamaged lines; but a missing token may be reported at the end of the
//   line before, a clause's word at the token after it, and an unclosed brace at the brace itself.
// Damage that results in legal SIDL does not count; the next token is tried. Run by
// tests/compiler/test_recovery.py.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "driver/check.hpp"
#include "frontend/word_lexer.hpp"

namespace {

using namespace shinar;
using grammar::SidlLexer;

constexpr auto kStray =
    std::to_array<const char*>({"stray", ";", "}", "{", "(", ")", ",", "class", "void", "in", "=",
                                "3", ".", "\"s\"", "$", "package", "<", "\"open"});
constexpr auto kDamages =
    std::to_array<const char*>({"without", "twice", "replaced", "swapped", "stray"});

std::vector<Lexeme> tokens_of(std::string_view text) {
  std::vector<Lexeme> tokens;
  WordLexer lexer(text);
  for (Lexeme each = lexer.next(); each.type != WordLexer::kEnd; each = lexer.next()) {
    if (each.type != SidlLexer::COMMENT) tokens.push_back(each);
  }
  return tokens;
}

struct Lines {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

struct Member {
  std::string name;
  Lines lines;
};

struct Type {
  std::string name;
  std::string local_name;
  model::Kind kind = model::Kind::Error;
  Lines head;
  Lines lines;
  std::vector<Member> members;
};

struct Damage {
  std::string what;
  std::string text;
  std::set<std::uint32_t> lines;
  std::uint32_t before = 0;  // the end of the token before
  std::string after;         // line and column of the token behind a clause's word; else empty
  std::set<std::uint32_t> partners;  // lines of opening braces whose closing ones are damaged

  bool touches(const Lines& range) const {
    const auto first = lines.lower_bound(range.first);
    return first != lines.end() && *first <= range.last;
  }
};

// A file and its undamaged model and diagnostics.
class Subject {
 public:
  explicit Subject(const std::string& path);

  int run(std::size_t places) const;

 private:
  void read_types(const model::Model& model);
  std::uint32_t line(std::size_t token) const {
    return source_.position(tokens_[token].begin).line;
  }
  std::size_t token_at(std::uint32_t offset) const;
  Lines statement(std::uint32_t offset) const;
  std::size_t match(std::size_t brace) const;
  std::string text_of(std::size_t token) const;
  Damage damage(std::size_t kind, std::size_t token, const char* stray) const;
  driver::Checked check(const std::string& text) const;
  bool is_package_damaged(const Damage& damage, const Type& type) const;
  std::vector<std::string> faults(const Damage& damage, const driver::Checked& checked) const;
  void check_types(const Damage& damage, const model::Model& model,
                   std::vector<std::string>& faults) const;

  std::string path_;
  Source source_;
  std::vector<Lexeme> tokens_;
  std::vector<Type> types_;
  std::set<std::string> messages_;
};

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string message(const Source& source, const Diagnostic& report) {
  const Position place = source.position(report.span->begin);
  return std::to_string(place.line) + ":" + std::to_string(place.column) + ": " + report.message;
}

// Ignores the text: names in it may differ if the package's name is damaged.
std::string kind_of(const Source& source, const Diagnostic& report) {
  const Position place = source.position(report.span->begin);
  return code_text(report.code) + " " + std::to_string(place.line) + " " +
         std::to_string(report.span->end - report.span->begin);
}

bool is_syntax(const Diagnostic& report) {
  const auto number = static_cast<unsigned>(report.code);
  return number >= 100 && number < 200;
}

std::vector<std::string> member_names(const model::Type& type) {
  std::vector<std::string> names;
  for (const auto& each : type.methods) {
    if (!each->from_implements_all) names.push_back(each->long_name);
  }
  for (const auto& each : type.members) names.push_back(each.name);
  for (const auto& each : type.enumerators) names.push_back(each.name);
  return names;
}

Subject::Subject(const std::string& path)
    : path_(path), source_(0, path, read(path)), tokens_(tokens_of(source_.text())) {
  const driver::Checked checked = check(std::string(source_.text()));
  if (checked.diagnostics.has_errors()) throw std::runtime_error(path + " has errors");
  for (const Diagnostic* report : checked.diagnostics.sorted()) {
    messages_.insert(kind_of(source_, *report));
  }
  read_types(checked.model);
}

std::size_t Subject::token_at(std::uint32_t offset) const {
  const auto found = std::ranges::lower_bound(tokens_, offset, {}, &Lexeme::begin);
  return static_cast<std::size_t>(found - tokens_.begin());
}

std::size_t Subject::match(std::size_t brace) const {
  std::size_t depth = 0;
  for (std::size_t i = brace; i < tokens_.size(); ++i) {
    if (tokens_[i].type == SidlLexer::LBRACE) ++depth;
    if (tokens_[i].type == SidlLexer::RBRACE && --depth == 0) return i;
  }
  return tokens_.size() - 1;
}

// From the end of the statement before to its own.
Lines Subject::statement(std::uint32_t offset) const {
  const auto ends = [&](std::size_t i) {
    const auto type = tokens_[i].type;
    return type == SidlLexer::SEMI || type == SidlLexer::LBRACE || type == SidlLexer::RBRACE;
  };
  std::size_t first = token_at(offset);
  std::size_t last = first;
  while (first > 0 && !ends(first - 1)) --first;
  // Attributes in braces are part of it.
  if (first > 0 && tokens_[first - 1].type == SidlLexer::RBRACE) {
    std::size_t brace = first - 1;
    while (brace > 0 && tokens_[brace].type != SidlLexer::LBRACE) --brace;
    if (brace > 0 && tokens_[brace - 1].type == SidlLexer::ATTRIB) first = brace - 1;
  }
  while (last + 1 < tokens_.size() && !ends(last)) ++last;
  return {line(first), line(last)};
}

void Subject::read_types(const model::Model& model) {
  for (const auto& each : model.types) {
    if (each->is_external) continue;
    Type type{each->name, each->local_name, each->kind, statement(each->span.begin), {}, {}};
    std::size_t brace = token_at(each->span.begin);
    while (tokens_[brace].type != SidlLexer::LBRACE) ++brace;
    type.lines = {type.head.first, line(match(brace))};
    for (const auto& method : each->methods) {
      if (method->from_implements_all) continue;
      type.members.push_back({method->long_name, statement(method->span.begin)});
    }
    for (const auto& member : each->members) {
      type.members.push_back({member.name, statement(member.span.begin)});
    }
    for (const auto& item : each->enumerators) {
      const std::uint32_t at = source_.position(item.span.begin).line;
      type.members.push_back({item.name, {at, at}});
    }
    types_.push_back(std::move(type));
  }
}

driver::Checked Subject::check(const std::string& text) const {
  driver::Inputs inputs;
  inputs.files = {path_};
  inputs.texts[path_] = text;
  return driver::check(inputs);
}

std::string Subject::text_of(std::size_t token) const {
  const Lexeme& lexeme = tokens_[token];
  return std::string(source_.text().substr(lexeme.begin, lexeme.end - lexeme.begin));
}

// Lines keep their numbers.
Damage Subject::damage(std::size_t kind, std::size_t token, const char* stray) const {
  const Lexeme& lexeme = tokens_[token];
  const std::string own = text_of(token);
  const std::string all(source_.text());
  // Before the first token of a line, so that its column does not change.
  const bool is_apart = lexeme.begin == 0 || all[lexeme.begin - 1] <= ' ';
  const std::string space = is_apart ? "" : " ";
  Damage result;
  result.lines.insert(line(token));
  if (token > 0) result.before = tokens_[token - 1].end;
  std::string in_place;
  std::uint32_t end = lexeme.end;
  result.what = std::string(kDamages[kind]) + " '" + own + "'";
  switch (kind) {
    case 0:
      in_place = " ";
      break;
    case 1:
      in_place = own + " " + own;
      break;
    case 2:
      in_place = space + std::string(stray) + " ";
      result.what += " by '" + std::string(stray) + "'";
      break;
    case 3: {
      const Lexeme& next = tokens_[token + 1];
      const std::string other = text_of(token + 1);
      in_place = other + " " + all.substr(lexeme.end, next.begin - lexeme.end) + " " + own;
      end = next.end;
      result.lines.insert(line(token + 1));
      result.what += " and '" + other + "'";
      break;
    }
    default:
      in_place = space + std::string(stray) + " " + own;
      result.what += " '" + std::string(stray) + "' before it";
      break;
  }
  // Without the word before it, an assertion is where it is missed.
  const auto opens_clause = [](const std::string& word) {
    return word == "require" || word == "ensure" || word == "invariant";
  };
  const std::size_t last = kind == 3 ? token + 1 : token;
  if (last + 1 < tokens_.size() && (opens_clause(own) || opens_clause(text_of(last)))) {
    const Position place = source_.position(tokens_[last + 1].begin);
    result.after = std::to_string(place.line) + ":" + std::to_string(place.column);
  }
  result.text = all.substr(0, lexeme.begin) + in_place + all.substr(end);
  result.what += " in line " + std::to_string(line(token));
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].type != SidlLexer::LBRACE) continue;
    const std::size_t closing = match(i);
    if (closing == token || (kind == 3 && closing == token + 1)) result.partners.insert(line(i));
  }
  return result;
}

// Whether the name of a package around the type may have changed.
bool Subject::is_package_damaged(const Damage& damage, const Type& type) const {
  const std::size_t begin = token_at(source_.offset({type.lines.first, 1}));
  for (std::size_t i = 0; i < begin; ++i) {
    if (tokens_[i].type != SidlLexer::PACKAGE) continue;
    if (damage.touches(statement(tokens_[i].begin))) return true;
  }
  return false;
}

void Subject::check_types(const Damage& damage, const model::Model& model,
                          std::vector<std::string>& faults) const {
  for (const Type& type : types_) {
    if (damage.touches(type.head)) continue;
    const bool by_local = is_package_damaged(damage, type);
    const auto found = std::ranges::find_if(model.types, [&](const auto& each) {
      return by_local ? each->local_name == type.local_name : each->name == type.name;
    });
    if (found == model.types.end()) {
      faults.push_back("the type " + type.name + " is lost");
      continue;
    }
    if ((*found)->kind != type.kind) faults.push_back(type.name + " is of another kind");
    const std::vector<std::string> names = member_names(**found);
    for (const Member& member : type.members) {
      if (damage.touches(member.lines) || std::ranges::count(names, member.name) > 0) continue;
      faults.push_back(type.name + " has lost " + member.name);
    }
  }
}

std::vector<std::string> Subject::faults(const Damage& damage,
                                         const driver::Checked& checked) const {
  std::vector<std::string> faults;
  for (const Diagnostic* report : checked.diagnostics.sorted()) {
    if (!report->span) {
      faults.push_back("message: " + report->message);
      continue;
    }
    const Source& source = checked.sources[report->span->file];
    const std::uint32_t line = source.position(report->span->begin).line;
    const std::string text = message(source, *report);
    const bool is_missed = (report->span->begin == damage.before ||
                            (!damage.after.empty() && text.starts_with(damage.after + ": "))) &&
                           report->message.starts_with("expected ");
    const bool is_expected =
        damage.lines.contains(line) || messages_.contains(kind_of(source, *report)) || is_missed ||
        (damage.partners.contains(line) && report->message == "this '{' is not closed");
    if (source.name() != path_ || !is_expected) faults.push_back("message: " + text);
  }
  check_types(damage, checked.model, faults);
  return faults;
}

int Subject::run(std::size_t places) const {
  int failed = 0;
  std::size_t token = 0;
  for (std::size_t i = 0; i < places; ++i) {
    token = std::max(token, (2 * i + 1) * tokens_.size() / (2 * places));
    for (; token + 1 < tokens_.size(); ++token) {
      const Damage tried = damage(i % kDamages.size(), token, kStray[i % kStray.size()]);
      const driver::Checked checked = check(tried.text);
      if (!std::ranges::any_of(checked.diagnostics.sorted(),
                               [](const Diagnostic* each) { return is_syntax(*each); })) {
        continue;
      }
      const std::vector<std::string> found = faults(tried, checked);
      if (!found.empty()) {
        ++failed;
        std::cout << path_ << ": " << tried.what << '\n';
        for (const std::string& fault : found) std::cout << "    " << fault << '\n';
      }
      break;
    }
  }
  std::cout << path_ << ": " << places << " damages, " << failed << " of them with faults\n";
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  int failed = 0;
  for (int i = 2; i < argc; ++i) {
    failed += Subject(argv[i]).run(static_cast<std::size_t>(std::atoi(argv[1])));
  }
  return failed == 0 ? 0 : 1;
}
