// The front end under libFuzzer: whatever the text, it is parsed, analysed as far as it can be
// read, made into IR, explained and formatted without a fault, a leak or an error of ours;
// formatting twice is formatting once.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "diagnostics/render.hpp"
#include "frontend/format.hpp"
#include "frontend/parse.hpp"
#include "ir/build.hpp"
#include "ir/validate.hpp"
#include "sema/analyze.hpp"

namespace {

using namespace shinar;

// As much of the standard library as the language itself refers to: analysing all of it would take
// most of the time.
constexpr const char* kLibrary = R"(
package sidl version 0.9.17 {
  interface BaseInterface { void addRef(); void deleteRef(); bool isSame(in BaseInterface other); }
  class BaseClass implements-all BaseInterface {}
  package io { interface Serializable { void packObj(in BaseInterface ser); } }
  interface BaseException extends sidl.io.Serializable { string getNote(); }
  interface RuntimeException extends BaseException {}
  class SIDLException implements-all BaseException {}
}
)";

void must(bool condition, const char* what, const std::string& detail) {
  if (condition) return;
  std::fprintf(stderr, "fuzz: %s\n%s\n", what, detail.c_str());
  std::abort();
}

// Its source has the number 0 in every run.
ast::File& library() {
  static ast::File file = [] {
    static const Source source(0, "library", kLibrary);
    Diagnostics diagnostics;
    ast::File parsed = parse(source, diagnostics);
    must(!diagnostics.has_errors(), "the library has errors", "");
    return parsed;
  }();
  return file;
}

void compile(const std::string& text) {
  Sources sources;
  sources.add("library", kLibrary);
  const Source& source = sources.add("input", text);
  Diagnostics diagnostics;
  ast::File file = parse(source, diagnostics);
  must(!file.is_damaged || diagnostics.has_errors(), "damaged and no error", "");
  const std::vector<Unit> units{{&library(), true, true}, {&file, false}};
  model::Model model = analyze(units, diagnostics);
  if (!diagnostics.has_errors()) {
    const ir::Module module = ir::build(std::move(model), sources, {source.id()});
    for (const std::string& fault : ir::validate(module)) must(false, "invalid IR", fault);
  }
  render_text(diagnostics, sources);
  render_json(diagnostics, sources);
}

std::optional<std::string> formatted(const std::string& text) {
  Diagnostics diagnostics;
  return format(Source(0, "input", text), diagnostics);
}

void check_format(const std::string& text) {
  const std::optional<std::string> once = formatted(text);
  if (!once) return;
  const std::optional<std::string> twice = formatted(*once);
  must(twice.has_value(), "formatting makes errors", *once);
  must(*twice == *once, "formatting twice changes more", *once + "----\n" + *twice);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  compile(text);
  check_format(text);
  return 0;
}
