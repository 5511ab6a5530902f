#include "codegen/names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace shinar::codegen {
namespace {

using namespace std::string_view_literals;

// Keywords of C, and the macros that GNU modes predefine. Sorted.
constexpr std::array kCWords = {
    "auto"sv,    "break"sv,  "case"sv,     "char"sv,     "const"sv,    "continue"sv,
    "default"sv, "do"sv,     "double"sv,   "else"sv,     "enum"sv,     "extern"sv,
    "float"sv,   "for"sv,    "goto"sv,     "if"sv,       "inline"sv,   "int"sv,
    "linux"sv,   "long"sv,   "register"sv, "restrict"sv, "return"sv,   "short"sv,
    "signed"sv,  "sizeof"sv, "static"sv,   "struct"sv,   "switch"sv,   "typedef"sv,
    "union"sv,   "unix"sv,   "unsigned"sv, "void"sv,     "volatile"sv, "while"sv,
};

// What C++17 and C++20 add to that. Sorted.
constexpr std::array kCxxWords = {
    "alignas"sv,
    "alignof"sv,
    "and"sv,
    "and_eq"sv,
    "asm"sv,
    "bitand"sv,
    "bitor"sv,
    "bool"sv,
    "catch"sv,
    "char16_t"sv,
    "char32_t"sv,
    "char8_t"sv,
    "class"sv,
    "co_await"sv,
    "co_return"sv,
    "co_yield"sv,
    "compl"sv,
    "concept"sv,
    "const_cast"sv,
    "consteval"sv,
    "constexpr"sv,
    "constinit"sv,
    "decltype"sv,
    "delete"sv,
    "dynamic_cast"sv,
    "explicit"sv,
    "export"sv,
    "false"sv,
    "friend"sv,
    "mutable"sv,
    "namespace"sv,
    "new"sv,
    "noexcept"sv,
    "not"sv,
    "not_eq"sv,
    "nullptr"sv,
    "operator"sv,
    "or"sv,
    "or_eq"sv,
    "private"sv,
    "protected"sv,
    "public"sv,
    "reinterpret_cast"sv,
    "requires"sv,
    "static_assert"sv,
    "static_cast"sv,
    "template"sv,
    "this"sv,
    "thread_local"sv,
    "throw"sv,
    "true"sv,
    "try"sv,
    "typeid"sv,
    "typename"sv,
    "using"sv,
    "virtual"sv,
    "wchar_t"sv,
    "xor"sv,
    "xor_eq"sv,
};

// Macros without arguments, and types, of headers that everybody includes or that generated code
// does. Sorted.
constexpr std::array kTakenWords = {
    "BUFSIZ"sv,       "CHAR_BIT"sv, "EDOM"sv,      "EOF"sv,        "ERANGE"sv,   "EXIT_FAILURE"sv,
    "EXIT_SUCCESS"sv, "FALSE"sv,    "HUGE_VAL"sv,  "I"sv,          "INFINITY"sv, "INT_MAX"sv,
    "INT_MIN"sv,      "M_1_PI"sv,   "M_2_PI"sv,    "M_2_SQRTPI"sv, "M_E"sv,      "M_LN10"sv,
    "M_LN2"sv,        "M_LOG10E"sv, "M_LOG2E"sv,   "M_PI"sv,       "M_PI_2"sv,   "M_PI_4"sv,
    "M_SQRT1_2"sv,    "M_SQRT2"sv,  "NAN"sv,       "NULL"sv,       "PATH_MAX"sv, "RAND_MAX"sv,
    "TRUE"sv,         "complex"sv,  "errno"sv,     "imaginary"sv,  "int32_t"sv,  "int64_t"sv,
    "noreturn"sv,     "offsetof"sv, "sidl_bool"sv, "stderr"sv,     "stdin"sv,    "stdout"sv,
};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& sorted, std::string_view name) {
  return std::binary_search(sorted.begin(), sorted.end(), name);
}

std::string replace_dots(std::string_view name, std::string_view by) {
  std::string result;
  for (const char c : name) {
    if (c == '.') {
      result += by;
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

std::string Namer::symbol(std::string_view name) {
  return replace_dots(name, "_");
}

std::string Namer::include_guard(std::string_view file) {
  std::string result = "included_";
  for (const char c : file) {
    result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  return result;
}

std::string Namer::cxx_name(std::string_view name) {
  return "::" + replace_dots(name, "::");
}

std::vector<std::string> Namer::parts(std::string_view name) {
  std::vector<std::string> result;
  while (!name.empty()) {
    const std::size_t dot = name.find('.');
    result.emplace_back(name.substr(0, dot));
    if (dot == std::string_view::npos) break;
    name.remove_prefix(dot + 1);
  }
  return result;
}

std::string Namer::local(std::string_view name) {
  return std::string(name.substr(name.rfind('.') + 1));
}

std::string Namer::upper(std::string_view name) {
  std::string result = symbol(name);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

std::string Namer::object_member(std::string_view name) {
  std::string result = "d_" + symbol(name);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string Namer::identifier(std::string_view name) {
  std::string result(name);
  if (contains(kCWords, name) || contains(kCxxWords, name)) result += '_';
  return result;
}

std::string Namer::argument(std::string_view name) {
  return contains(kTakenWords, name) ? std::string(name) + '_' : identifier(name);
}

std::string Namer::member(std::string_view name) {
  return argument(name);
}

}  // namespace shinar::codegen
