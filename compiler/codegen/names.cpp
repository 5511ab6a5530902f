#include "codegen/names.hpp"

#include <algorithm>
#include <cctype>

#include "codegen/reserved_words.hpp"
#include "sema/names.hpp"

namespace shinar::codegen {
namespace {

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

bool is_keyword(std::string_view name) {
  return is_reserved(Words::c, name) || is_reserved(Words::cxx, name);
}

bool is_macro(std::string_view name) {
  return is_reserved(Words::c_headers, name) || is_reserved(Words::c_macros, name);
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

std::string Namer::remote_stub(std::string_view symbol, std::string_view method) {
  const std::string_view stem = method.substr(0, method.find_last_not_of('_') + 1);
  const std::string name = std::string(symbol) + "__remote_" + std::string(method);
  return stem == "epv" ? name + '_' : name;
}

std::string Namer::escaped(std::string_view name,
                           const std::function<bool(std::string_view)>& is_taken) {
  const std::string_view stem = name.substr(0, name.find_last_not_of('_') + 1);
  // Nothing else is called like what SIDL reserves: "int_" is free.
  const bool is_free = stem.size() < name.size() && !sema::reserved_by(stem).empty();
  return std::string(name) + (is_taken(stem) && !is_free ? "_" : "");
}

std::string Namer::method(std::string_view name) {
  return escaped(name, [](std::string_view word) {
    return is_keyword(word) || is_reserved(Words::cxx_member, word) || is_macro(word) ||
           is_reserved(Words::cxx_functions, word);
  });
}

std::string Namer::argument(std::string_view name) {
  return argument(name, {});
}

std::string Namer::argument(std::string_view name, const std::set<std::string>& types) {
  return escaped(name, [&](std::string_view word) {
    return is_keyword(word) || is_macro(word) || is_reserved(Words::c_argument, word) ||
           word.starts_with("sidl_") || types.contains(std::string(word));
  });
}

std::string Namer::member(std::string_view name) {
  return escaped(name, [](std::string_view word) { return is_keyword(word) || is_macro(word); });
}

}  // namespace shinar::codegen
