// <top>_java.c and <Type>_Skel.c: what stands between Java and the IOR.
#include <algorithm>

#include "backends/java/emit.hpp"
#include "backends/java/names.hpp"
#include "codegen/basic_types.hpp"
#include "codegen/c_types.hpp"
#include "codegen/names.hpp"

namespace shinar::backends::java {
namespace {

using codegen::declare;
using codegen::join;
using codegen::Printer;

std::vector<std::string> headers_of(const codegen::TypeIndex& index,
                                    const std::vector<const ObjectModel*>& objects,
                                    const std::vector<const ir::Type*>& structs) {
  codegen::TypeMentions mentions;
  for (const ObjectModel* model : objects) {
    mentions.add(model->name);
    for (const MethodModel& method : model->stubs) mentions.add(*method.method);
    for (const MethodModel& method : model->impl) mentions.add(*method.method);
  }
  for (const ir::Type* type : structs) mentions.add(type->name());
  std::vector<std::string> result;
  for (const std::string& name : mentions.names()) {
    if (index.find(name).has_enumeration()) continue;
    result.push_back(codegen::Namer::symbol(name) + "_IOR.h");
  }
  std::ranges::sort(result);
  return result;
}

void emit_includes(Printer& printer, const std::vector<std::string>& headers) {
  printer.line("#include \"sidl_java.h\"");
  printer.blank_line();
  for (const std::string& header : headers) printer.line("#include \"" + header + "\"");
}

void emit_natives(Printer& printer, const ObjectModel& model) {
  for (const MethodModel& method : model.stubs) emit_native(printer, model, method);
  const auto rows = [&] {
    for (const MethodModel& method : model.stubs) printer.line(native_row(model, method));
  };
  if (model.stubs.empty()) return;
  printer.emit({{"symbol", model.symbol}, {"rows", rows}}, R"(

    static const JNINativeMethod natives_$symbol$[] = {
      $rows$
    };
  )");
}

// Of a method that has numbers only, in the JVM.
std::string signature(const MethodModel& method) {
  std::string result = "(";
  for (const ArgumentModel& argument : method.arguments) result += jni_letter(argument.type);
  return result + ")" + jni_letter(method.result);
}

// Which Java methods the interface's slots are, of an object that is written in Java.
void emit_calls(Printer& printer, const ObjectModel& model) {
  if (model.is_class) return;
  const auto rows = [&] {
    for (const MethodModel& method : model.stubs) {
      if (method.is_static) continue;
      printer.line("{" + std::to_string(method.position) + ", \"" + method.native_name() + "\"},");
    }
    printer.line("{-1, NULL},");
  };
  printer.emit({{"symbol", model.symbol}, {"rows", rows}}, R"(

    static const struct sidl_java_slot calls_$symbol$[] = {
      $rows$
    };
  )");
}

// The methods of super are native methods of their own.
void emit_supers(Printer& printer, const codegen::TypeIndex& index, const ObjectModel& model) {
  for (const MethodModel& method : model.impl) {
    if (method.overrides) emit_super_native(printer, index, model, method);
  }
  const auto rows = [&] {
    for (const MethodModel& method : model.impl) {
      if (!method.overrides) continue;
      MethodModel framed = method;
      framed.is_quick = false;
      printer.line(native_row(model, framed, "super"));
    }
    printer.line("{NULL, NULL, NULL},");
  };
  printer.emit({{"rows", rows}}, R"(

    static const JNINativeMethod natives[] = {
      $rows$
    };
  )");
}

// Which methods in Java there are, and where their class is.
void emit_implementation(Printer& printer, const ObjectModel& model, bool has_supers) {
  const auto rows = [&] {
    for (const MethodModel& method : model.impl) {
      const std::string quick = method.is_plain()
                                    ? ", .quick = \"" + method.name + "_Impl\", .signature = \"" +
                                          signature(method) + "\""
                                    : "";
      printer.line("{.name = \"" + method.native_name() +
                   "\", .number = " + std::to_string(method.number()) + quick + "},");
    }
    printer.line("{.name = NULL},");
  };
  printer.emit({{"symbol", model.symbol},
                {"path", java_path(*model.type)},
                {"natives", has_supers ? "natives" : "NULL"},
                {"rows", rows}},
               R"(

    static struct sidl_java_method _methods[] = {
      $rows$
    };

    static struct sidl_java_implementation _implementation = {
      .info = &$symbol$__info,
      .path = "$path$",
      .methods = _methods,
      .natives = $natives$,
    };
  )");
}

// What stands in the EPV for the method that is number so many of the table.
void emit_upcall_function(Printer& printer, const ObjectModel& model, const MethodModel& method,
                          int number) {
  std::vector<std::string> addresses, parameters;
  if (!method.is_static) parameters.push_back(model.c_type() + " self");
  parameters.push_back(codegen::ior_parameters(*method.method));
  for (const ir::Argument& argument : method.method->arguments()) {
    addresses.push_back(codegen::ior_argument_address(argument));
  }
  const auto args = [&] {
    if (addresses.empty()) return;
    printer.line("void* const _args[] = {" + join(addresses) + "};");
  };
  const std::string type = codegen::ior_value_type(method.result);
  const auto retval = [&] {
    if (!method.returns()) return;
    printer.line(type + " _retval = " + codegen::ior_zero(method.result) + ";");
  };
  const auto result = [&] {
    if (method.returns()) printer.line("return _retval;");
  };
  printer.emit({{"comment", method.comment},
                {"type", type},
                {"name", "call" + method.native_name()},
                {"parameters", join(parameters)},
                {"retval_", retval},
                {"args_", args},
                {"number", std::to_string(number)},
                {"self", method.is_static ? "NULL" : "self"},
                {"args", addresses.empty() ? "NULL" : "_args"},
                {"retval", method.returns() ? "&_retval" : "NULL"},
                {"return", result}},
               R"(

    /* $comment$ */
    static $type$
    $name$($parameters$)
    {
      $retval_$
      $args_$
      sidl_java_upcall(&_implementation, &_methods[$number$], $self$, $args$, $retval$, _ex);
      $return$
    }
  )");
}

// The EPVs, and the class that they belong to.
void emit_class(Printer& printer, const ObjectModel& model, bool has_statics) {
  const auto slots = [&](bool is_static) {
    for (const MethodModel& method : model.impl) {
      if (method.is_static != is_static) continue;
      printer.line(".f_" + method.slot + " = call" + method.native_name() + ",");
    }
  };
  const auto statics = [&] {
    if (!has_statics) return;
    printer.emit({{"symbol", model.symbol}, {"slots", [&] { slots(true); }}}, R"(

      static const struct $symbol$__sepv static_epv = {
        $slots$
      };
    )");
  };
  const auto contracts = [&] {
    if (model.has_contracts) printer.line(".contracts = &" + model.symbol + "__contracts,");
  };
  const bool has_slots =
      std::ranges::any_of(model.impl, [](const MethodModel& each) { return !each.is_static; });
  const auto table = [&] {
    if (has_slots) return slots(false);
    printer.line(".f_addRef = NULL,");
  };
  printer.emit({{"symbol", model.symbol},
                {"slots", table},
                {"statics", statics},
                {"static", has_statics ? "&static_epv" : "NULL"},
                {"contracts", contracts}},
               R"(

    static struct $symbol$__epv epv = {
      /* what is missing is inherited */
      $slots$
    };
    $statics$

    static void
    load(struct sidl_BaseInterface__object** _ex)
    {
      sidl_java_load(&_implementation, _ex);
    }

    static void
    construct(void* self, struct sidl_BaseInterface__object** _ex)
    {
      sidl_java_construct(&_implementation, self, _ex);
    }

    static void
    destruct(void* self, struct sidl_BaseInterface__object** _ex)
    {
      sidl_java_destruct(&_implementation, self, _ex);
    }

    struct sidl_class*
    $symbol$__class(void)
    {
      static struct sidl_class description = {
        .ior_major = SIDL_IOR_MAJOR_VERSION,
        .ior_minor = SIDL_IOR_MINOR_VERSION,
        .info = &$symbol$__info,
        .epv = &epv,
        .static_epv = $static$,
        .load = load,
        .ctor = construct,
        .dtor = destruct,
        $contracts$
      };
      return &description;
    }
  )");
}

}  // namespace

void emit_glue(Printer& printer, const codegen::TypeIndex& index, const GlueModel& model) {
  emit_includes(printer, headers_of(index, model.objects, model.structs));
  for (const ObjectModel* object : model.objects) {
    emit_natives(printer, *object);
    emit_calls(printer, *object);
  }
  const auto types = [&] {
    for (const ObjectModel* object : model.objects) {
      const std::string natives = object->stubs.empty() ? "NULL, 0"
                                                        : "natives_" + object->symbol + ", " +
                                                              std::to_string(object->stubs.size());
      const std::string calls = object->is_class ? "NULL" : "calls_" + object->symbol;
      printer.line("{\"" + object->name + "\", &" + object->symbol + "__info, " + natives + ", " +
                   calls + "},");
    }
    printer.line("{NULL, NULL, NULL, 0, NULL},");
  };
  const auto structs = [&] {
    for (const ir::Type* type : model.structs) {
      const std::string symbol = codegen::Namer::symbol(type->name());
      printer.line("{\"" + type->name() + "\", &" + symbol + "__info},");
    }
    printer.line("{NULL, NULL},");
  };
  printer.emit({{"top", java_name(model.top)}, {"types", types}, {"structs", structs}}, R"(

    static const struct sidl_java_type types[] = {
      $types$
    };

    static const struct sidl_java_struct structs[] = {
      $structs$
    };

    /** What Java's package has in C. */
    const struct sidl_java_package $top$__java = {types, structs};
  )");
}

void emit_class_glue(Printer& printer, const codegen::TypeIndex& index, const ObjectModel& model) {
  const bool has_statics =
      std::ranges::any_of(model.impl, [](const MethodModel& each) { return each.is_static; });
  const bool has_supers =
      std::ranges::any_of(model.impl, [](const MethodModel& each) { return each.overrides; });
  emit_includes(printer, headers_of(index, {&model}, {}));
  if (has_supers) emit_supers(printer, index, model);
  emit_implementation(printer, model, has_supers);
  int number = 0;
  for (const MethodModel& method : model.impl) {
    emit_upcall_function(printer, model, method, number++);
  }
  emit_class(printer, model, has_statics);
}

}  // namespace shinar::backends::java
