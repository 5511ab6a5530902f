#include "backends/fortran/names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <set>

#include "codegen/names.hpp"
#include "codegen/nonblocking.hpp"
#include "ir/hash.hpp"

namespace shinar::backends::fortran {
namespace {

// What every handle has (sidl_fortran.f90), in lower case.
constexpr std::array kBuiltIn = {"addref",        "assign",
                                 "cast",          "connect",
                                 "create",        "create_remote",
                                 "d_ior",         "deleteref",
                                 "dump_stats",    "dump_stats_static",
                                 "is_local",      "is_null",
                                 "is_remote",     "not_null",
                                 "set_contracts", "set_contracts_static",
                                 "set_hooks",     "set_hooks_static",
                                 "type_info",     "url",
                                 "wrap"};

// What generated procedures use by names that do not begin with "sidl_", in lower case.
constexpr std::array kTaken = {
    "aimag",        "allocated", "args_",       "associated",  "begin_",
    "c_associated", "c_char",    "c_double",    "c_f_pointer", "c_f_procpointer",
    "c_float",      "c_funptr",  "c_int",       "c_int32_t",   "c_int64_t",
    "c_intptr_t",   "c_loc",     "c_null_char", "c_null_ptr",  "c_ptr",
    "char",         "cmplx",     "data_",       "epv_",        "ex",
    "ex_",          "exception", "functions_",  "int32",       "int64",
    "lbound",       "merge",     "method_",     "object_",     "present",
    "real",         "real32",    "real64",      "retval",      "self",
    "thrown_",      "ticket",    "transfer",    "words_"};

// What a type's module has under the type's name and two underscores, in lower case; `m` is the
// module itself.
constexpr std::array kOwn = {"finalise", "info", "m", "type"};

// What every implementation has beside its methods.
constexpr std::array kLifeCycle = {"ctor", "dtor", "load"};

template <typename Words>
bool contains(const Words& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

// Generated procedures have variables x_c, x_p, x_f and x_d for an argument x.
bool is_local_of(const std::string& name, const std::set<std::string>& declared) {
  const std::size_t stem = name.size() < 3 ? 0 : name.size() - 2;
  return stem > 0 && name[stem] == '_' &&
         std::string_view("cdfp").find(name[stem + 1]) != std::string_view::npos &&
         declared.contains(name.substr(0, stem));
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string shorten(const std::string& name, std::size_t room) {
  if (name.size() <= room) return name;
  std::array<char, 10> digits{};
  std::snprintf(digits.data(), digits.size(), "_%08x",
                static_cast<unsigned>(ir::fnv1a(name) & 0xFFFFFFFFU));
  return name.substr(0, room - 9) + digits.data();
}

std::string member_of(std::string_view type, std::string_view what) {
  return shorten(codegen::Namer::symbol(type) + "__" + std::string(what));
}

std::string stub_of(std::string_view type, const std::string& method, std::string_view form) {
  const bool is_taken = form.empty() && contains(kOwn, lower_case(method));
  return member_of(type, method + (is_taken ? "__w" : std::string(form)));
}

std::string impl_of(const std::string& method) {
  return shorten(method + (contains(kLifeCycle, lower_case(method)) ? "_impl_" : "_impl"));
}

std::string binding(const std::string& method) {
  const std::string name = shorten(method, kLongestName - 2);
  return contains(kBuiltIn, lower_case(name)) ? name + "_" : name;
}

std::vector<std::string> argument_names(const ir::Method& method) {
  std::set<std::string> declared;
  for (const ir::Argument& argument : method.arguments()) {
    declared.insert(lower_case(argument.name()));
  }
  std::vector<std::string> result;
  std::set<std::string> used;
  for (const ir::Argument& argument : method.arguments()) {
    const bool is_ticket = argument.name() == codegen::kTicketName;
    std::string name = is_ticket ? "ticket" : shorten(argument.name(), kLongestName - 9);
    const std::string lower = lower_case(name);
    const bool taken = contains(kTaken, lower) || is_local_of(lower, declared);
    if (taken && !is_ticket) name += "_";
    while (contains(kTaken, lower_case(name)) && !is_ticket) name += "_";
    while (!used.insert(lower_case(name)).second) name += "_";
    result.push_back(name);
  }
  return result;
}

void NameCheck::add(const std::string& fortran, const std::string& sidl, const ir::Span& span) {
  const auto [known, is_new] = names_.emplace(lower_case(fortran), sidl);
  if (is_new || known->second == sidl) return;
  problems_.push_back(
      {Code::FortranName, span,
       "'" + sidl + "' and '" + known->second + "' would both be '" + fortran + "' in Fortran"});
}

}  // namespace shinar::backends::fortran
