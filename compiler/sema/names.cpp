#include "sema/names.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>
#include <vector>

#include "sema/context.hpp"

namespace shinar::sema {
namespace {

// The lists Babel checks: names with the exact spelling of one of these words are refused, for all
// languages alike, so that an interface never has to be renamed when a language is added.
constexpr auto kC = std::to_array<std::string_view>(
    {"auto",   "break",  "case",     "char",   "const",    "continue", "default",  "do",
     "double", "else",   "enum",     "extern", "float",    "for",      "goto",     "if",
     "int",    "long",   "register", "return", "short",    "signed",   "sizeof",   "static",
     "struct", "switch", "typedef",  "union",  "unsigned", "void",     "volatile", "while"});

constexpr auto kCxx = std::to_array<std::string_view>(
    {"and",       "and_eq",  "asm",          "auto",     "bitand",   "bitor",
     "bool",      "break",   "case",         "catch",    "char",     "class",
     "compl",     "const",   "const_cast",   "continue", "default",  "delete",
     "do",        "double",  "dynamic_cast", "else",     "enum",     "explicit",
     "export",    "extern",  "false",        "float",    "for",      "friend",
     "goto",      "if",      "inline",       "int",      "long",     "mutable",
     "namespace", "new",     "not",          "not_eq",   "operator", "or",
     "or_eq",     "private", "protected",    "public",   "register", "reinterpret_cast",
     "return",    "short",   "signed",       "sizeof",   "static",   "static_cast",
     "struct",    "switch",  "template",     "this",     "throw",    "true",
     "try",       "typedef", "typeid",       "typename", "union",    "unsigned",
     "using",     "virtual", "void",         "volatile", "wchar_t",  "while",
     "xor",       "xor_eq"});

constexpr auto kJava = std::to_array<std::string_view>(
    {"abstract",     "assert",   "boolean",    "break",    "byte",       "case",    "catch",
     "char",         "class",    "const",      "continue", "default",    "do",      "double",
     "else",         "extends",  "false",      "final",    "finally",    "float",   "for",
     "goto",         "if",       "implements", "import",   "instanceof", "int",     "interface",
     "long",         "native",   "new",        "null",     "package",    "private", "protected",
     "public",       "return",   "short",      "static",   "strictfp",   "super",   "switch",
     "synchronized", "this",     "throw",      "throws",   "transient",  "true",    "try",
     "void",         "volatile", "while"});

constexpr auto kPython = std::to_array<std::string_view>(
    {"and",    "as",   "assert", "break",   "class", "continue", "def",    "del",
     "elif",   "else", "except", "finally", "for",   "from",     "global", "if",
     "import", "in",   "is",     "lambda",  "not",   "or",       "pass",   "raise",
     "return", "try",  "while",  "with",    "yield"});

// Babel rejects them as Python's words, which they are not, or not any more.
constexpr auto kBabel = std::to_array<std::string_view>({"exec", "none", "print"});

constexpr auto kSidl = std::to_array<std::string_view>({"self", "getURL"});

struct Language {
  std::string_view name;
  std::span<const std::string_view> words;
};

constexpr auto kLanguages = std::to_array<Language>({{"C", kC},
                                                     {"C++", kCxx},
                                                     {"Java", kJava},
                                                     {"Python", kPython},
                                                     {"Babel", kBabel},
                                                     {"SIDL's bindings", kSidl}});

using WordTable = std::unordered_map<std::string_view, std::vector<std::string_view>>;

WordTable make_table() {
  WordTable table;
  for (const Language& language : kLanguages) {
    for (std::string_view word : language.words) table[word].push_back(language.name);
  }
  return table;
}

}  // namespace

std::string reserved_by(std::string_view word) {
  static const WordTable table = make_table();
  const auto found = table.find(word);
  if (found == table.end()) return {};
  std::string text;
  for (std::size_t i = 0; i < found->second.size(); ++i) {
    if (i > 0) text += i + 1 == found->second.size() ? " and " : ", ";
    text += found->second[i];
  }
  return text;
}

void check_reserved(const ast::Name& name, Diagnostics& diagnostics) {
  const std::string languages = reserved_by(name.text);
  if (languages.empty()) return;
  diagnostics.report(Code::ReservedWord, name.span,
                     in_quotes(name.text) + " is a reserved word in " + languages);
}

void check_type_name(const ast::Name& name, Diagnostics& diagnostics) {
  check_reserved(name, diagnostics);
  if (name.text.find('_') == std::string::npos) return;
  diagnostics.report(Code::Underscore, name.span,
                     "the name " + in_quotes(name.text) +
                         " contains an underscore, which packages and types may not have");
}

void check_extension(const ast::Name& extension, Diagnostics& diagnostics) {
  static constexpr auto kInternal =
      std::to_array<std::string_view>({"_f", "_m", "_a", "_i", "_mi", "_fi", "_s", "_p"});
  if (std::ranges::find(kInternal, extension.text) == kInternal.end()) return;
  diagnostics.report(Code::InternalExtension, extension.span,
                     "bindings append " + in_quotes(extension.text) +
                         " to names of their own; another extension is safer");
}

void report_collision(const ast::Name& name, std::string_view what, const ast::Name& previous,
                      Diagnostics& diagnostics) {
  const bool same = name.text == previous.text;
  const std::string difference =
      same ? " is used twice" : " differs from " + in_quotes(previous.text) + " in case only";
  diagnostics
      .report(Code::NameCollision, name.span,
              "the " + std::string(what) + " name " + in_quotes(name.text) + difference)
      .note(previous.span, in_quotes(previous.text) + " is declared here");
}

bool NameSet::add(const ast::Name& name, std::string_view what, Diagnostics& diagnostics) {
  const auto [place, is_new] = names_.try_emplace(lower(name.text), name);
  if (!is_new) report_collision(name, what, place->second, diagnostics);
  return is_new;
}

}  // namespace shinar::sema
