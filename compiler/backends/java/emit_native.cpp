// Native methods: C functions that Java calls, and the frames they get.
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

std::string function_name(const ObjectModel& model, const MethodModel& method) {
  return model.symbol + method.native_name();
}

std::string jni_type(const ir::TypeRef& type) {
  if (type.kind() == ir::TypeRef::VOID) return "void";
  if (type.kind() == ir::TypeRef::ENUM) return "jlong";
  return std::string(codegen::find_basic_type(type.kind())->jni);
}

std::string from_jni(const ArgumentModel& argument) {
  if (argument.type.kind() == ir::TypeRef::OPAQUE)
    return "sidl_java_pointer(" + argument.c_name + ")";
  if (argument.type.kind() == ir::TypeRef::CHAR) return "(char)" + argument.c_name;
  return argument.c_name;
}

std::string to_jni(const ir::TypeRef& type) {
  if (type.kind() == ir::TypeRef::OPAQUE) return "sidl_java_address(_retval)";
  if (type.kind() == ir::TypeRef::BOOL) return "_retval != 0";
  if (type.kind() == ir::TypeRef::CHAR) return "(jbyte)_retval";
  return "_retval";
}

// The method, called with the arguments; `table` has it.
std::string ior_call(const ObjectModel& model, const MethodModel& method, const std::string& table,
                     const std::vector<std::string>& values, const std::string& ex) {
  std::vector<std::string> all;
  if (!method.is_static) all.push_back(model.is_class ? "_self" : "_self->d_object");
  all.insert(all.end(), values.begin(), values.end());
  all.push_back(ex);
  return table + "->f_" + method.slot + "(" + join(all) + ")";
}

void emit_quick(Printer& printer, const ObjectModel& model, const MethodModel& method) {
  std::vector<std::string> parameters = {"JNIEnv* _env",
                                         method.is_static ? "jclass _class" : "jobject _object"};
  if (!method.is_static) parameters.emplace_back("jlong _cell");
  std::vector<std::string> values;
  for (const ArgumentModel& argument : method.arguments) {
    parameters.push_back(declare(jni_type(argument.type), argument.c_name));
    values.push_back(from_jni(argument));
  }
  const std::string zero = method.returns() ? "return 0;" : "return;";
  const auto enter = [&] {
    if (method.is_static) {
      printer.emit({{"symbol", model.symbol}, {"zero", zero}}, R"(
        (void)_class;
        const struct $symbol$__sepv* const _sepv = sidl_static_epv(&$symbol$__info, &_ex);
        if (_sepv == NULL) {
          sidl_java_throw(_env, _ex);
          $zero$
        }
      )");
    } else {
      printer.emit({{"object", model.c_type()}, {"zero", zero}}, R"(
        (void)_object;
        $object$ const _self = sidl_java_enter(_env, _cell);
        if (_self == NULL) $zero$
      )");
    }
  };
  const std::string call =
      ior_call(model, method, method.is_static ? "_sepv" : "_self->d_epv", values, "&_ex");
  const std::string result = codegen::ior_value_type(method.result);
  printer.emit({{"comment", method.comment},
                {"type", jni_type(method.result)},
                {"name", function_name(model, method)},
                {"parameters", join(parameters)},
                {"enter", enter},
                {"call", (method.returns() ? result + " _retval = " : "") + call + ";"},
                {"leave", method.is_static ? "if (_ex) sidl_java_throw(_env, _ex);"
                                           : "sidl_java_leave(_env, _cell, _ex);"},
                {"return",
                 [&] {
                   if (method.returns()) printer.line("return " + to_jni(method.result) + ";");
                 }}},
               R"(

    /* $comment$ */
    static $type$ JNICALL
    $name$($parameters$)
    {
      struct sidl_BaseInterface__object* _ex = NULL;
      $enter$
      $call$
      $leave$
      $return$
    }
  )");
}

// The type of an argument in the frame.
std::string slot_type(const ArgumentModel& argument) {
  const bool is_text =
      argument.mode == ir::Argument::IN && argument.type.kind() == ir::TypeRef::STRING;
  return is_text ? "const char*" : codegen::ior_value_type(argument.type);
}

// The struct of a frame: each member in a slot of its own.
void emit_frame(Printer& printer, const ObjectModel& model, const MethodModel& method) {
  const auto members = [&] {
    for (const ArgumentModel& argument : method.arguments) {
      printer.line("_Alignas(8) " + declare(slot_type(argument), argument.c_name) + ";");
    }
    if (method.returns()) {
      printer.line("_Alignas(8) " + declare(codegen::ior_value_type(method.result), "_retval") +
                   ";");
    }
  };
  if (method.frame_size == 0) return;
  printer.emit({{"name", function_name(model, method)},
                {"size", std::to_string(method.frame_size)},
                {"members", members}},
               R"(
    struct $name$ {
      $members$
    };
    _Static_assert(sizeof(struct $name$) == $size$, "as Java has it");

  )");
}

std::vector<std::string> frame_values(const MethodModel& method) {
  std::vector<std::string> values;
  for (const ArgumentModel& argument : method.arguments) {
    const bool by_address =
        argument.mode != ir::Argument::IN || argument.type.kind() == ir::TypeRef::STRUCT;
    values.push_back((by_address ? "&_f->" : "_f->") + argument.c_name);
  }
  return values;
}

// How the table with the method is found, and what calls it.
struct Table {
  std::string find;  // a statement; may be empty
  std::string name;
};

void emit_framed(Printer& printer, const ObjectModel& model, const MethodModel& method,
                 const std::string& name, const Table& table) {
  const auto frame = [&] {
    if (method.frame_size == 0) return;
    printer.line("struct " + function_name(model, method) +
                 "* const _f = sidl_java_pointer(_frame);");
  };
  const auto find = [&] {
    if (!table.find.empty()) printer.line(table.find);
  };
  const std::string info =
      method.is_static
          ? "&" + model.symbol + "__info.statics[" + std::to_string(method.position) + "]"
          : model.symbol + "__info.slots[" + std::to_string(method.position) + "]";
  const std::string call = ior_call(model, method, table.name, frame_values(method), "&_call.ex");
  const auto run = [&] {
    const std::string statement = (method.returns() ? "_f->_retval = " : "") + call + ";";
    if (!method.is_static) return printer.line(statement);
    printer.emit({{"symbol", model.symbol}, {"call", statement}}, R"(
      const struct $symbol$__sepv* const _sepv = sidl_static_epv(&$symbol$__info, &_call.ex);
      if (_sepv != NULL) $call$
    )");
  };
  const auto self = [&] {
    if (method.is_static) return;
    const bool is_parents = !table.find.empty();
    printer.line((is_parents ? "void*" : model.c_type()) + " const _self = _call.self;");
  };
  printer.emit({{"comment", method.comment},
                {"struct", [&] { emit_frame(printer, model, method); }},
                {"name", name},
                {"object", method.is_static ? "jclass _class" : "jobject _object"},
                {"unused", method.is_static ? "(void)_class;" : "(void)_object;"},
                {"cell", method.is_static ? "" : "jlong _cell, "},
                {"cell_value", method.is_static ? "0" : "_cell"},
                {"frame", frame},
                {"info", info},
                {"self", self},
                {"find", find},
                {"run", run}},
               R"(

    /* $comment$ */
    $struct$
    static void JNICALL
    $name$(JNIEnv* _env, $object$, $cell$jlong _frame)
    {
      $unused$
      $frame$
      struct sidl_java_call _call;
      if (!sidl_java_begin(&_call, _env, $cell_value$, $info$, _frame)) return;
      $self$
      $find$
      $run$
      sidl_java_end(&_call);
    }
  )");
}

std::string descriptor(const MethodModel& method) {
  std::string result = method.is_static ? "(" : "(J";
  if (!method.is_quick) return result + "J)V";
  for (const ArgumentModel& argument : method.arguments) result += jni_letter(argument.type);
  return result + ")" + jni_letter(method.result);
}

}  // namespace

std::string jni_letter(const ir::TypeRef& type) {
  if (type.kind() == ir::TypeRef::VOID) return "V";
  if (type.kind() == ir::TypeRef::ENUM) return "J";
  return std::string(codegen::find_basic_type(type.kind())->jni_letter);
}

std::string native_row(const ObjectModel& model, const MethodModel& method,
                       const std::string& prefix) {
  return "SIDL_JAVA_NATIVE(\"" + prefix + method.native_name() + "\", \"" + descriptor(method) +
         "\", " + prefix + function_name(model, method) + "),";
}

void emit_native(Printer& printer, const ObjectModel& model, const MethodModel& method) {
  if (method.is_quick) return emit_quick(printer, model, method);
  emit_framed(printer, model, method, function_name(model, method),
              {"", method.is_static ? "_sepv" : "_self->d_epv"});
}

void emit_super_native(Printer& printer, const codegen::TypeIndex& index, const ObjectModel& model,
                       const MethodModel& method) {
  const ir::Type& parent = index.find(model.type->object().parent());
  const std::string symbol = codegen::Namer::symbol(parent.name());
  MethodModel framed = method;
  framed.is_quick = false;
  emit_framed(printer, model, framed, "super" + function_name(model, method),
              {"const struct " + symbol + "__epv* const _super = sidl_super_epv(&" + model.symbol +
                   "__info, &_call.ex);",
               "_super"});
}

}  // namespace shinar::backends::java
