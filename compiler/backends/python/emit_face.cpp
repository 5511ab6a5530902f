// __init__.py and __init__.pyi: a SIDL package as Python users see it.
#include <algorithm>
#include <iterator>

#include "backends/python/emit.hpp"
#include "codegen/c_types.hpp"
#include "codegen/splicers.hpp"

namespace shinar::backends::python {
namespace {

using codegen::Printer;

std::string symbol_of(const ObjectModel& model) {
  return model.symbol;
}

void emit_enum(Printer& printer, const EnumModel& model) {
  const auto doc = [&] { emit_docstring(printer, model.type->doc()); };
  const auto members = [&] {
    for (const EnumeratorModel& each : model.enumerators) {
      printer.line(each.name + " = " + each.value);
      emit_docstring(printer, each.doc);
    }
  };
  printer.emit({{"name", model.local}, {"doc", doc}, {"members", members}}, R"(

    class $name$(enum.IntEnum):
        $doc$
        $members$

  )");
}

// `decorator`: what makes it a dataclass. `dtype`: type of the attribute with this name, or
// nothing.
void emit_dataclass(Printer& printer, const StructModel& model, const std::string& decorator,
                    const std::string& dtype = "") {
  const auto doc = [&] { emit_docstring(printer, model.type->doc()); };
  const auto members = [&] {
    if (!dtype.empty()) printer.line("dtype: typing.ClassVar[" + dtype + "]");
    for (const MemberModel& each : model.members) {
      printer.line(each.name + ": " + each.type + " = " + each.zero);
      emit_docstring(printer, each.doc);
    }
    if (model.members.empty() && dtype.empty()) printer.line("pass");
  };
  printer.emit(
      {{"name", model.local}, {"decorator", decorator}, {"doc", doc}, {"members", members}}, R"(

    @$decorator$
    class $name$:
        $doc$
        $members$

  )");
}

void emit_imports(Printer& printer, const PackageModel& package) {
  printer.line("import dataclasses");
  printer.line("import enum");
  printer.line("import typing");
  printer.blank_line();
  printer.line("import numpy");
  printer.line("import numpy.typing");
  for (const std::string& other : package.imports) printer.line("import " + other);
}

constexpr std::size_t kColumns = 90;  // for what is indented by at most 4 and ends in " ..."

// A parameter on each line where they do not fit into one.
void emit_head(Printer& printer, const std::string& name,
               const std::vector<std::string>& parameters, const std::string& end) {
  const std::string line = "def " + name + "(" + codegen::join(parameters) + ")" + end;
  if (line.size() <= kColumns) return printer.line(line);
  printer.line("def " + name + "(");
  for (const std::string& each : parameters) printer.line("    " + each + ",");
  printer.line(")" + end);
}

// `positional`, then what is given by name alone.
std::vector<std::string> stub_parameters(const MethodModel& method,
                                         const std::vector<std::string>& positional,
                                         std::vector<std::string> named) {
  std::vector<std::string> result;
  if (!method.is_static) result.emplace_back("self");
  std::ranges::copy(positional, std::back_inserter(result));
  if (method.takes_deadline) named.emplace_back("deadline: float | None = ...");
  if (method.takes_strict) named.emplace_back("strict: bool = ...");
  if (!named.empty()) result.emplace_back("*");
  std::ranges::copy(named, std::back_inserter(result));
  return result;
}

void emit_stub_form(Printer& printer, const MethodModel& method,
                    const std::vector<std::string>& parameters) {
  if (method.is_static) printer.line("@staticmethod");
  const std::string end = " -> " + method.result + ":";
  if (method.text.empty()) return emit_head(printer, method.name, parameters, end + " ...");
  emit_head(printer, method.name, parameters, end);
  printer.indent(4);
  emit_docstring(printer, method.text);
  printer.outdent(4);
}

void emit_send_form(Printer& printer, const MethodModel& method,
                    const std::vector<std::string>& parameters) {
  if (method.is_static) printer.line("@staticmethod");
  emit_head(printer, method.name + "_send", parameters,
            " -> shinar.Pending[" + method.result + "]: ...");
}

void emit_stub_method(Printer& printer, const MethodModel& method) {
  const std::vector<std::string> usual =
      stub_parameters(method, method.parameters, method.named_parameters);
  const std::vector<std::string> all = stub_parameters(method, method.all_parameters, {});
  const bool has_two = !method.all_parameters.empty();
  const auto emit = [&](const auto& emit_form) {
    if (has_two) printer.line("@typing.overload");
    emit_form(printer, method, usual);
    if (!has_two) return;
    printer.line("@typing.overload");
    emit_form(printer, method, all);
  };
  emit(emit_stub_form);
  if (method.is_nonblocking) emit(emit_send_form);
}

void emit_built_in(Printer& printer, const ObjectModel& model) {
  if (model.name == "sidl.BaseInterface") {
    printer.emit(R"(
      @classmethod
      def connect(cls, url: str) -> typing_extensions.Self:
          """Attaches to the living object that the URL names."""
      @classmethod
      def _connect(cls, url: str) -> typing_extensions.Self: ...
      @classmethod
      def _cast(cls, object: BaseInterface | None) -> typing_extensions.Self | None:
          """The object as this type, or None."""
      @classmethod
      def _set_hooks_static(cls, enable: bool) -> None: ...
      @classmethod
      def _set_contracts_static(
          cls, enable: bool, file: str = ..., reset: bool = ...
      ) -> None: ...
      @classmethod
      def _dump_stats_static(cls, filename: str = ..., prefix: str = ...) -> None: ...
      def _getURL(self) -> str:
          """The URL by which the object can be reached."""
      def _isRemote(self) -> bool:
          """True if the object is in another process."""
      def _isLocal(self) -> bool:
          """True if the object is in this process."""
      def _set_hooks(self, enable: bool) -> None: ...
      def _set_contracts(self, enable: bool, file: str = ..., reset: bool = ...) -> None: ...
      def _dump_stats(self, filename: str = ..., prefix: str = ...) -> None: ...
    )");
  }
  if (model.name == "sidl.BaseClass") {
    printer.emit(R"(
      @classmethod
      def create(cls, url: str) -> typing_extensions.Self:
          """Makes an object of the class on the server that the URL names."""
      @classmethod
      def _create(cls, url: str) -> typing_extensions.Self: ...
    )");
  }
}

std::string base_list(const ObjectModel& model) {
  std::vector<std::string> bases = model.base_types;
  if (model.needs_layout) {
    const bool is_root = model.name == "sidl.BaseException";
    bases.insert(bases.begin(), is_root ? "shinar.Throwable" : "shinar.Object");
  }
  return bases.empty() ? "" : "(" + codegen::join(bases) + ")";
}

void emit_stub_class(Printer& printer, const ObjectModel& model) {
  const auto doc = [&] { emit_docstring(printer, model.type->doc()); };
  const auto methods = [&] {
    emit_built_in(printer, model);
    for (const MethodModel& method : model.methods) emit_stub_method(printer, method);
    if (model.methods.empty() && model.type->doc().empty()) printer.line("...");
  };
  printer.emit(
      {{"name", model.local}, {"bases", base_list(model)}, {"doc", doc}, {"methods", methods}},
      R"(

    class $name$$bases$:
        $doc$
        $methods$

  )");
}

void emit_names(Printer& printer, const PackageModel& package) {
  printer.line("__all__ = [");
  for (const EnumModel& each : package.enums) printer.line("    \"" + each.local + "\",");
  for (const StructModel& each : package.structs) printer.line("    \"" + each.local + "\",");
  for (const ObjectModel& each : package.objects) printer.line("    \"" + each.local + "\",");
  for (const std::string& each : package.inner) printer.line("    \"" + each + "\",");
  printer.line("]");
}

}  // namespace

void emit_docstring(Printer& printer, const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\r') continue;
    if (c == '\\' || c == '"') safe += '\\';
    safe += c;
  }
  safe = codegen::without_marks(std::move(safe));
  while (!safe.empty() && (safe.back() == '\n' || safe.back() == ' ')) safe.pop_back();
  if (safe.empty()) return;
  const bool one_line = safe.find('\n') == std::string::npos;
  printer.prose("\"\"\"" + safe + (one_line ? "\"\"\"" : "\n\"\"\""));
}

void emit_face(Printer& printer, const PackageModel& package) {
  emit_docstring(printer, package.doc);
  printer.line("from __future__ import annotations");
  printer.blank_line();
  // Must come first: it reports a Python that nothing was built for.
  printer.line("import shinar");
  printer.blank_line();
  emit_imports(printer, package);
  for (const ObjectModel& model : package.objects) {
    printer.line("from " + package.top + "._native import " + symbol_of(model) + " as " +
                 model.local);
  }
  if (package.objects.empty() && !package.structs.empty()) {
    printer.line("from " + package.top + " import _native  # noqa: F401 (it defines the structs)");
  }
  for (const EnumModel& model : package.enums) emit_enum(printer, model);
  for (const StructModel& model : package.structs) emit_dataclass(printer, model, "shinar.struct");
  printer.blank_line();
  for (const std::string& inner : package.inner) {
    printer.line("from " + package.name + " import " + inner);
  }
  emit_names(printer, package);
}

void emit_stubs(Printer& printer, const PackageModel& package) {
  emit_docstring(printer, package.doc);
  emit_imports(printer, package);
  printer.line("import shinar");
  printer.line("import typing_extensions");
  for (const std::string& inner : package.inner) {
    printer.line("from " + package.name + " import " + inner + " as " + inner);
  }
  for (const EnumModel& model : package.enums) emit_enum(printer, model);
  for (const StructModel& model : package.structs) {
    emit_dataclass(printer, model, "dataclasses.dataclass", model.dtype);
  }
  for (const ObjectModel& model : package.objects) emit_stub_class(printer, model);
}

}  // namespace shinar::backends::python
