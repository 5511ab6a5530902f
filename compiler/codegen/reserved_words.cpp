#include "codegen/reserved_words.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace shinar::codegen {
namespace {

// Keywords, and the macros that GNU modes predefine.
constexpr auto kC = std::to_array<std::string_view>(
    {"auto",     "break",  "case",     "char",   "const",    "continue", "default", "do",
     "double",   "else",   "enum",     "extern", "float",    "for",      "goto",    "if",
     "inline",   "int",    "linux",    "long",   "register", "restrict", "return",  "short",
     "signed",   "sizeof", "static",   "struct", "switch",   "typedef",  "union",   "unix",
     "unsigned", "void",   "volatile", "while"});

// What C++17 and C++20 add to those of C.
constexpr auto kCxx = std::to_array<std::string_view>({"alignas",
                                                       "alignof",
                                                       "and",
                                                       "and_eq",
                                                       "asm",
                                                       "bitand",
                                                       "bitor",
                                                       "bool",
                                                       "catch",
                                                       "char16_t",
                                                       "char32_t",
                                                       "char8_t",
                                                       "class",
                                                       "co_await",
                                                       "co_return",
                                                       "co_yield",
                                                       "compl",
                                                       "concept",
                                                       "const_cast",
                                                       "consteval",
                                                       "constexpr",
                                                       "constinit",
                                                       "decltype",
                                                       "delete",
                                                       "dynamic_cast",
                                                       "explicit",
                                                       "export",
                                                       "false",
                                                       "friend",
                                                       "mutable",
                                                       "namespace",
                                                       "new",
                                                       "noexcept",
                                                       "not",
                                                       "not_eq",
                                                       "nullptr",
                                                       "operator",
                                                       "or",
                                                       "or_eq",
                                                       "private",
                                                       "protected",
                                                       "public",
                                                       "reinterpret_cast",
                                                       "requires",
                                                       "static_assert",
                                                       "static_cast",
                                                       "template",
                                                       "this",
                                                       "thread_local",
                                                       "throw",
                                                       "true",
                                                       "try",
                                                       "typeid",
                                                       "typename",
                                                       "using",
                                                       "virtual",
                                                       "wchar_t",
                                                       "xor",
                                                       "xor_eq"});

// Object-like macros, and types, of headers that are common or that generated code includes.
constexpr auto kCHeaders = std::to_array<std::string_view>(
    {"BUFSIZ",   "CHAR_BIT",   "EDOM",     "EOF",       "ERANGE",  "EXIT_FAILURE", "EXIT_SUCCESS",
     "FALSE",    "HUGE_VAL",   "I",        "INFINITY",  "INT_MAX", "INT_MIN",      "M_1_PI",
     "M_2_PI",   "M_2_SQRTPI", "M_E",      "M_LN10",    "M_LN2",   "M_LOG10E",     "M_LOG2E",
     "M_PI",     "M_PI_2",     "M_PI_4",   "M_SQRT1_2", "M_SQRT2", "NAN",          "NULL",
     "PATH_MAX", "RAND_MAX",   "TRUE",     "complex",   "errno",   "imaginary",    "int32_t",
     "int64_t",  "noreturn",   "offsetof", "sidl_bool", "stderr",  "stdin",        "stdout"});

// sidl_fortran.f90.
constexpr auto kFortranHandle =
    std::to_array<std::string_view>({"addref",        "assign",
                                     "cast",          "connect",
                                     "create",        "create_remote",
                                     "d_ior",         "deleteref",
                                     "dump_stats",    "dump_stats_static",
                                     "is_local",      "is_null",
                                     "is_remote",     "not_null",
                                     "set_contracts", "set_contracts_static",
                                     "set_hooks",     "set_hooks_static",
                                     "type_info",     "url",
                                     "wrap"});

// Names that do not begin with "sidl_".
constexpr auto kFortranProcedure = std::to_array<std::string_view>(
    {"aimag",        "allocated", "args_",       "associated",  "begin_",
     "c_associated", "c_char",    "c_double",    "c_f_pointer", "c_f_procpointer",
     "c_float",      "c_funptr",  "c_int",       "c_int32_t",   "c_int64_t",
     "c_intptr_t",   "c_loc",     "c_null_char", "c_null_ptr",  "c_ptr",
     "char",         "cmplx",     "data_",       "epv_",        "ex",
     "ex_",          "exception", "functions_",  "int32",       "int64",
     "lbound",       "merge",     "method_",     "object_",     "present",
     "real",         "real32",    "real64",      "retval",      "self",
     "thrown_",      "ticket",    "transfer",    "words_"});

// `m` is the module itself.
constexpr auto kFortranModule = std::to_array<std::string_view>({"finalise", "info", "m", "type"});

constexpr auto kFortranImpl = std::to_array<std::string_view>({"ctor", "dtor", "load"});

constexpr auto kPython = std::to_array<std::string_view>(
    {"False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
     "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
     "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
     "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"});

static_assert(std::ranges::is_sorted(kC) && std::ranges::is_sorted(kCxx) &&
              std::ranges::is_sorted(kCHeaders) && std::ranges::is_sorted(kFortranHandle) &&
              std::ranges::is_sorted(kFortranProcedure) && std::ranges::is_sorted(kFortranModule) &&
              std::ranges::is_sorted(kFortranImpl) && std::ranges::is_sorted(kPython));

std::span<const std::string_view> table(Words words) {
  switch (words) {
    case Words::c:
      return kC;
    case Words::cxx:
      return kCxx;
    case Words::c_headers:
      return kCHeaders;
    case Words::fortran_handle:
      return kFortranHandle;
    case Words::fortran_procedure:
      return kFortranProcedure;
    case Words::fortran_module:
      return kFortranModule;
    case Words::fortran_impl:
      return kFortranImpl;
    case Words::python:
      return kPython;
  }
  return {};
}

}  // namespace

bool is_reserved(Words words, std::string_view name) {
  return std::ranges::binary_search(table(words), name);
}

}  // namespace shinar::codegen
