#include "backends/fortran/names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <set>

#include "codegen/names.hpp"
#include "codegen/nonblocking.hpp"
#include "codegen/reserved_words.hpp"
#include "ir/hash.hpp"

namespace shinar::backends::fortran {
namespace {

using codegen::is_reserved;
using codegen::Words;

// Generated procedures have variables x_c, x_p, x_f and x_d for an argument x.
bool is_local_of(const std::string& name, const std::set<std::string>& declared) {
  const std::size_t stem = name.size() < 3 ? 0 : name.size() - 2;
  return stem > 0 && name[stem] == '_' &&
         std::string_view("cdefp").find(name[stem + 1]) != std::string_view::npos &&
         declared.contains(name.substr(0, stem));
}

// Whether it has arrays of structs, which may have to be copied.
bool takes_structures(const ir::Method& method) {
  const auto is_one = [](const ir::TypeRef& type) {
    return type.has_element() && type.element().kind() == ir::TypeRef::STRUCT;
  };
  return is_one(method.result()) ||
         std::ranges::any_of(method.arguments(), is_one, &ir::Argument::type);
}

// The types that its procedures name: an argument called the same would hide them.
std::set<std::string> types_named_by(std::string_view self, const ir::Method& method) {
  std::set<std::string> names{lower_case(shorten(codegen::Namer::symbol(self)))};
  const auto add = [&](const ir::TypeRef& type) {
    const std::string& name = type.has_element() ? type.element().name() : type.name();
    if (!name.empty()) names.insert(lower_case(shorten(codegen::Namer::symbol(name))));
  };
  add(method.result());
  for (const ir::Argument& argument : method.arguments()) add(argument.type());
  return names;
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

std::string array_part(std::string_view structure, bool is_foreign, const std::string& what) {
  return member_of(structure, (is_foreign ? "foreign_" : "") + what);
}

std::string stub_of(std::string_view type, const std::string& method, std::string_view form) {
  const bool is_taken = form.empty() && is_reserved(Words::fortran_module, lower_case(method));
  return member_of(type, method + (is_taken ? "__w" : std::string(form)));
}

std::string impl_of(std::string_view type, const std::string& method) {
  // That of a method called like its class would be the module.
  const bool is_taken = is_reserved(Words::fortran_impl, lower_case(method)) ||
                        lower_case(method) == lower_case(codegen::Namer::symbol(type));
  return shorten(method + (is_taken ? "_impl_" : "_impl"));
}

std::string skel_of(const std::string& method) {
  // Beside the user's of a method "skel", that of "impl" is not called "skel_impl".
  const std::string_view stem =
      std::string_view(method).substr(0, method.find_last_not_of('_') + 1);
  const bool is_odd = stem.size() >= 4 && stem.substr(stem.size() - 4) == "impl";
  return shorten((is_odd ? "skel__" : "skel_") + method);
}

std::string binding(const std::string& method) {
  const std::string name = shorten(method, kLongestName - 2);
  return is_reserved(Words::fortran_handle, lower_case(name)) ? name + "_" : name;
}

std::vector<std::string> argument_names(std::string_view type, const ir::Method& method) {
  std::set<std::string> declared;
  for (const ir::Argument& argument : method.arguments()) {
    declared.insert(lower_case(argument.name()));
  }
  const bool copies = takes_structures(method);
  const std::set<std::string> types = types_named_by(type, method);
  const auto is_taken = [&](const std::string& name) {
    // What the others do not need stays free for those that there were before.
    return is_reserved(Words::fortran_procedure, name) || (copies && name == "shape") ||
           types.contains(name);
  };
  std::vector<std::string> result;
  std::set<std::string> used;
  for (const ir::Argument& argument : method.arguments()) {
    const bool is_ticket = argument.name() == codegen::kTicketName;
    std::string name = is_ticket ? "ticket" : shorten(argument.name(), kLongestName - 9);
    const std::string lower = lower_case(name);
    const bool is_of_library = lower.substr(0, 5) == "sidl_" && lower.back() != '_';
    const bool taken = is_taken(lower) || is_local_of(lower, declared) || is_of_library;
    if (taken && !is_ticket) name += "_";
    while (is_taken(lower_case(name)) && !is_ticket) name += "_";
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
