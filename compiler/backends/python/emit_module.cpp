// <top>_module.cxx, <top>_server.cxx and <Type>_Skel.c: what stands between Python and the IOR.
#include <algorithm>

#include "backends/python/emit.hpp"
#include "codegen/c_types.hpp"
#include "codegen/names.hpp"
#include "codegen/reserved_words.hpp"

namespace shinar::backends::python {
namespace {

using codegen::Printer;

constexpr std::size_t kLongest = 90;  // characters of one line of a literal

// A C string literal: a line for each of its lines, and for parts of those that are long.
std::string literal(const std::string& text) {
  const std::string next_line = "\"\n\"";
  std::string result = "\"";
  std::size_t begin = 1;  // of the line
  std::size_t space = 1;  // behind the last one in it
  for (const char c : text) {
    if (c == '\r') continue;
    if (space == 0) {
      result += next_line;
      begin = space = result.size();
    }
    if (c == '\n') {
      result += "\\n";
      space = 0;  // the line has ended; another one begins if there is more
      continue;
    }
    if (c == '"' || c == '\\' || c == '?') result += '\\';
    result += c;
    if (c == ' ') space = result.size();
    if (result.size() - begin > kLongest && space > begin && space < result.size()) {
      result.insert(space, next_line);
      begin = space = space + next_line.size();
    }
  }
  return result + '"';
}

std::string slot_of(const MethodModel& method) {
  std::string result = "&" + method.epv + "::f_" + method.slot;
  for (const int each : method.addressed) result += ", " + std::to_string(each);
  return result;
}

std::string name_list(const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& name : names)
    all.push_back(name.empty() ? "nullptr" : "\"" + name + "\"");
  return codegen::join(all);
}

// Static methods and slots may have the same name: C++ has separate names for them. Those of their
// table are taken, as is what would be a keyword: "static_cast".
std::string variable(const MethodModel& method) {
  if (!method.is_static) return "method_" + method.slot;
  return "static_" + codegen::Namer::escaped(method.slot, [](std::string_view word) {
           return word == "slots" || word == "epv" ||
                  codegen::is_reserved(codegen::Words::cxx, "static_" + std::string(word));
         });
}

// Which argument follows from which array, dimension, factor and constant.
void emit_indices(Printer& printer, const MethodModel& method, const std::string& name) {
  printer.line("const py::index_argument " + name + "[] = {");
  for (const IndexModel& each : method.indices) {
    const codegen::IndexSource& source = each.source;
    printer.line("  {" + std::to_string(each.argument) + ", " + std::to_string(source.array) +
                 ", " + std::to_string(source.dimension) + ", " +
                 std::to_string(source.length.factor) + ", " +
                 std::to_string(source.length.constant) + "},");
  }
  printer.line("  py::no_index,");
  printer.line("};");
}

void emit_method(Printer& printer, const MethodModel& method, const std::string& doc) {
  const std::string own = variable(method);
  printer.line("// " + method.comment);
  std::string enums = "nullptr";
  if (!method.enums.empty()) {
    enums = "enums_" + own;
    printer.line("const char* const " + enums + "[] = {" + name_list(method.enums) + "};");
  }
  std::string indices;
  if (!method.indices.empty()) {
    emit_indices(printer, method, "indices_" + own);
    indices = ", indices_" + own;
  }
  printer.emit(
      {{"own", own},
       {"indices", indices},
       {"call", (method.is_static ? "py::static_slot<" : "py::slot<") + slot_of(method) + ">"},
       {"index", std::to_string(method.index)},
       {"static", method.is_static ? "true" : "false"},
       {"name", method.name},
       {"enums", enums},
       {"brief", method.is_brief ? "true" : "false"},
       {"doc", [&] { printer.line(doc + ","); }}},
      R"(
    py::method $own$ = {
      &$call$, $index$, $static$, "$name$",
      $doc$
      $enums$, $brief$, false, nullptr, nullptr$indices$};
  )");
}

std::string entry_of(const MethodModel& method) {
  if (method.quick.empty()) return "&py::entry<" + variable(method) + ">";
  std::string result = "&py::quick<" + variable(method) + ", " + slot_of(method);
  for (const char kind : method.quick) result += std::string(", '") + kind + "'";
  return result + ">::entry";
}

void emit_type(Printer& printer, const ObjectModel& model, const std::string& module) {
  printer.emit({{"symbol", model.symbol}}, R"(

    namespace $symbol$ {

  )");
  for (const MethodModel& method : model.methods) {
    emit_method(printer, method, literal(method.doc));
    printer.blank_line();
  }
  const auto methods = [&] {
    for (const MethodModel& method : model.methods) {
      const std::string own = variable(method);
      const std::string send = method.is_nonblocking ? "&py::send_entry<" + own + ">" : "nullptr";
      printer.line("{&" + own + ", " + entry_of(method) + ", " + send + "},");
    }
  };
  std::string bases;
  for (const std::string& base : model.bases) bases += "\"" + base + "\", ";
  printer.emit({{"symbol", model.symbol},
                {"bases", bases},
                {"methods", methods},
                {"module", module},
                {"local", model.local},
                {"exception", model.is_exception ? "true" : "false"},
                {"doc", [&] { printer.line(literal(trimmed(model.type->doc())) + ","); }}},
               R"(
    const py::function methods[] = {
      $methods$
      {nullptr, nullptr, nullptr},
    };
    const char* const bases[] = {$bases$nullptr};
    const py::type type = {
      &$symbol$__info, "$module$", "$local$",
      $doc$
      $exception$, bases, methods,
    };

    }  // namespace $symbol$

  )");
}

void emit_struct(Printer& printer, const StructModel& model) {
  std::string enums = "nullptr";
  if (!model.enums.empty()) {
    enums = "enums_" + model.symbol;
    printer.line("const char* const " + enums + "[] = {" + name_list(model.enums) + "};");
  }
  printer.line("const py::structure struct_" + model.symbol + " = {&" + model.symbol + "__info, " +
               enums + "};");
}

void emit_includes(Printer& printer, const std::vector<const PackageModel*>& packages,
                   bool with_all) {
  for (const PackageModel* package : packages) {
    for (const ObjectModel& model : package->objects) {
      if (with_all || !model.impl.empty() || model.is_class) {
        printer.line("#include \"" + model.symbol + "_IOR.h\"");
      }
    }
    for (const StructModel& model : package->structs) {
      printer.line("#include \"" + model.symbol + "_IOR.h\"");
    }
  }
}

void emit_module_function(Printer& printer, const std::string& name, const std::string& doc,
                          const Printer::Callable& body) {
  printer.emit({{"name", name}, {"doc", doc}, {"body", body}}, R"(

    PyModuleDef module_definition = {PyModuleDef_HEAD_INIT,
                                     "$name$",
                                     "$doc$",
                                     -1,
                                     nullptr,
                                     nullptr,
                                     nullptr,
                                     nullptr,
                                     nullptr};

    // Defines everything; false with a Python exception set.
    bool define(PyObject* module) {
      $body$
      return true;
    }

    }  // namespace

    PyMODINIT_FUNC PyInit_$name$() {
      if (!py::connect_core()) return nullptr;
      PyObject* const module = PyModule_Create(&module_definition);
      if (!module || define(module)) return module;
      Py_DECREF(module);
      return nullptr;
    }
  )");
}

// The class as libsidl gets it from Python.
void emit_class(Printer& printer, const ObjectModel& model, const std::string& module) {
  printer.emit({{"symbol", model.symbol}, {"module", module}, {"local", model.local}}, R"(

    namespace $symbol$ {

    extern struct sidl_class description;
    py::implementation implementation = {
      &$symbol$__info,
      "$module$.$local$_Impl",
      "$local$_Impl",
      &description,
      nullptr,
      nullptr,
      nullptr,
      nullptr,
    };

  )");
  for (const MethodModel& method : model.impl) {
    emit_method(printer, method, "nullptr");
    printer.blank_line();
  }
  bool has_statics = false;
  const auto slots = [&](bool is_static) {
    for (const MethodModel& method : model.impl) {
      if (method.is_static != is_static) continue;
      const std::string helper = is_static ? "py::implemented_static<" : "py::implemented<";
      printer.line("result.f_" + method.slot + " =");
      const std::string what = helper + variable(method) + ", implementation,";
      if (what.size() + slot_of(method).size() < kLongest) {
        printer.line("    " + what + " " + slot_of(method) + ">;");
      } else {
        printer.line("    " + what);
        printer.line(std::string(4 + helper.size(), ' ') + slot_of(method) + ">;");
      }
    }
  };
  for (const MethodModel& method : model.impl) has_statics = has_statics || method.is_static;
  const auto statics = [&] {
    if (!has_statics) return;
    printer.emit({{"symbol", model.symbol}, {"slots", [&] { slots(true); }}}, R"(
      struct $symbol$__sepv static_slots() {
        struct $symbol$__sepv result = {};
        $slots$
        return result;
      }
      const struct $symbol$__sepv static_epv = static_slots();

    )");
  };
  const auto methods = [&] {
    for (const MethodModel& method : model.impl) printer.line("&" + variable(method) + ",");
  };
  printer.emit({{"symbol", model.symbol},
                {"slots", [&] { slots(false); }},
                {"statics", statics},
                {"static", has_statics ? "&static_epv" : "nullptr"},
                {"methods", methods}},
               R"(
    struct $symbol$__epv slots() {
      struct $symbol$__epv result = {};  // what is missing is inherited
      $slots$
      return result;
    }
    struct $symbol$__epv epv = slots();

    $statics$
    py::method* const methods[] = {
      $methods$
      nullptr,
    };
    struct sidl_class description =
        py::make_class<implementation>(&$symbol$__info, &epv, $static$);

    }  // namespace $symbol$

  )");
}

}  // namespace

void emit_module(Printer& printer, const std::vector<const PackageModel*>& packages) {
  printer.line("#include \"sidl_python.hpp\"");
  printer.blank_line();
  emit_includes(printer, packages, true);
  printer.emit(R"(

    namespace {

    namespace py = sidl_python;

  )");
  for (const PackageModel* package : packages) {
    for (const StructModel& model : package->structs) emit_struct(printer, model);
    for (const ObjectModel& model : package->objects) emit_type(printer, model, package->name);
  }
  const auto body = [&] {
    std::vector<const ObjectModel*> in_order;
    for (const PackageModel* package : packages) {
      for (const StructModel& model : package->structs) {
        printer.line("if (!py::core->define_struct(struct_" + model.symbol + ")) return false;");
      }
      for (const ObjectModel& model : package->objects) in_order.push_back(&model);
    }
    std::ranges::sort(
        in_order, [](const ObjectModel* a, const ObjectModel* b) { return a->order < b->order; });
    for (const ObjectModel* model : in_order) {
      printer.line("if (!py::core->define_type(module, " + model->symbol +
                   "::type)) return false;");
    }
    if (in_order.empty()) printer.line("(void)module;");
  };
  emit_module_function(printer, "_native",
                       "The types of package " + packages.front()->name + " and all in it.", body);
}

void emit_server(Printer& printer, const std::vector<const PackageModel*>& packages) {
  printer.line("#include \"sidl_python.hpp\"");
  printer.blank_line();
  emit_includes(printer, packages, false);
  printer.emit(R"(

    namespace {

    namespace py = sidl_python;

  )");
  std::vector<std::string> symbols;
  for (const PackageModel* package : packages) {
    for (const ObjectModel& model : package->objects) {
      if (!model.is_implemented) continue;
      emit_class(printer, model, package->name);
      symbols.push_back(model.symbol);
    }
  }
  const auto body = [&] {
    for (const std::string& symbol : symbols) {
      printer.emit({{"symbol", symbol}}, R"(
        if (!py::core->define_class(module, $symbol$::implementation, $symbol$::methods)) {
          return false;
        }
      )");
    }
    if (symbols.empty()) printer.line("(void)module;");
  };
  emit_module_function(printer, "_server",
                       "The classes of package " + packages.front()->name + " that are in Python.",
                       body);
}

void emit_entry(Printer& printer, const ObjectModel& model, const PackageModel& package) {
  const auto find = [&] {
    const std::string call =
        "sidl_python_class(\"" + package.top + "\", \"" + model.name + "\", &here);";
    if (!model.has_contracts) return printer.line("return " + call);
    printer.line("struct sidl_class* const class = " + call);
    printer.line("if (class != NULL) class->contracts = &" + model.symbol + "__contracts;");
    printer.line("return class;");
  };
  printer.emit({{"symbol", model.symbol}, {"find", find}}, R"(
    #include "$symbol$_IOR.h"
    #include "sidl_python.h"

    struct sidl_class*
    $symbol$__class(void)
    {
      static const char here = 0; /* in this library: other symbols may be another one's */
      $find$
    }
  )");
}

}  // namespace shinar::backends::python
