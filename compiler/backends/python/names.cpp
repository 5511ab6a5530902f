#include "backends/python/names.hpp"

#include "codegen/names.hpp"
#include "codegen/reserved_words.hpp"

namespace shinar::backends::python {
namespace {

// `taken`: what Python has there, beside its words.
std::string escaped_beside(std::string_view name, std::string_view taken) {
  return codegen::Namer::escaped(name, [&](std::string_view word) {
    return word == taken || codegen::is_reserved(codegen::Words::python, word);
  });
}

}  // namespace

std::string python_name(std::string_view name) {
  return escaped_beside(name, "");
}

// Enumerations have an attribute that no enumerator may be called like.
std::string enumerator_name(std::string_view name) {
  return escaped_beside(name, "mro");
}

// Classes need a decorator of this name for methods behind it.
std::string method_name(std::string_view name) {
  return escaped_beside(name, "staticmethod");
}

}  // namespace shinar::backends::python
