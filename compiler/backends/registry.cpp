#include "backends/registry.hpp"

#include <cctype>
#include <string>

#include "backends/c/c.hpp"
#include "backends/cxx/cxx.hpp"
#include "backends/fortran/f77.hpp"
#include "backends/fortran/fortran.hpp"
#include "backends/ior/ior.hpp"
#include "backends/java/java.hpp"
#include "backends/python/python.hpp"
#include "backends/sidl/sidl.hpp"

namespace shinar::backends {
namespace {

std::vector<std::unique_ptr<codegen::Backend>> make_all() {
  std::vector<std::unique_ptr<codegen::Backend>> result;
  result.push_back(make_ior_backend());
  result.push_back(make_c_backend());
  result.push_back(make_cxx_backend());
  result.push_back(make_fortran_backend());
  result.push_back(make_f77_backend());
  result.push_back(make_python_backend());
  result.push_back(make_java_backend());
  return result;
}

// Lower case, without aliases.
std::string canonical(std::string_view language) {
  std::string result;
  for (const char c : language) {
    result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result == "c++" ? "cxx" : result;
}

}  // namespace

const std::vector<std::unique_ptr<codegen::Backend>>& all() {
  static const std::vector<std::unique_ptr<codegen::Backend>> backends = make_all();
  return backends;
}

std::vector<const codegen::Backend*> for_language(std::string_view language) {
  const std::string wanted = canonical(language);
  // The Fortran 77 interface is based on the C binding.
  const std::string_view base = wanted == "f77" ? "c" : "ior";
  std::vector<const codegen::Backend*> result;
  bool known = false;
  for (const std::unique_ptr<codegen::Backend>& backend : all()) {
    const bool is_wanted = backend->language() == wanted;
    known = known || is_wanted;
    if (is_wanted || backend->language() == "ior" || backend->language() == base) {
      result.push_back(backend.get());
    }
  }
  if (!known) result.clear();
  return result;
}

std::vector<std::string> languages() {
  std::vector<std::string> result;
  for (const std::unique_ptr<codegen::Backend>& backend : all()) {
    const std::string name(backend->language());
    if (name != "ior") result.push_back(name == "cxx" ? "c++" : name);
  }
  return result;
}

std::vector<std::string> server_languages() {
  std::vector<std::string> result = languages();
  std::erase_if(result, [](const std::string& language) {
    return !for_language(language).back()->instead_of_server().empty();
  });
  return result;
}

const codegen::Backend* for_text(std::string_view format) {
  static const std::unique_ptr<codegen::Backend> sidl = make_sidl_backend();
  return format == sidl->language() ? sidl.get() : nullptr;
}

}  // namespace shinar::backends
