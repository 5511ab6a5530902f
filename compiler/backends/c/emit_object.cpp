// <Type>.h of a class or interface: its type, built-in functions and a stub for every method.
#include "backends/c/convert.hpp"
#include "backends/c/emit.hpp"
#include "codegen/doc_comment.hpp"
#include "codegen/names.hpp"

namespace shinar::backends::c {
namespace {

using codegen::Printer;

void emit_creators(Printer& printer, const ObjectModel& model) {
  if (!model.is_concrete) return;
  printer.emit({{"symbol", model.symbol}}, R"(
    /** A new object of this class. */
    SIDL_INLINE $symbol$
    $symbol$__create(sidl_BaseInterface* _ex)
    {
      return ($symbol$)sidl_create(&$symbol$__info, _ex);
    }

    /** A new object on the server `url`. */
    SIDL_INLINE $symbol$
    $symbol$__createRemote(const char* url, sidl_BaseInterface* _ex)
    {
      return ($symbol$)sidl_create_remote(&$symbol$__info, url, _ex);
    }

    /** A new object around private data of its implementation, which must be local. */
    SIDL_INLINE $symbol$
    $symbol$__wrapObj(void* data, sidl_BaseInterface* _ex)
    {
      return ($symbol$)sidl_wrap(&$symbol$__info, data, _ex);
    }

  )");
}

void emit_casts(Printer& printer, const ObjectModel& model) {
  printer.emit({{"symbol", model.symbol}}, R"(
    /** Attaches to the living object at `url`. */
    SIDL_INLINE $symbol$
    $symbol$__connect(const char* url, sidl_BaseInterface* _ex)
    {
      return ($symbol$)sidl_connect(&$symbol$__info, url, _ex);
    }

    /** Any object as this type, with a new reference; NULL if it is not of it. */
    SIDL_INLINE $symbol$
    $symbol$__cast(void* obj, sidl_BaseInterface* _ex)
    {
      return ($symbol$)sidl_cast(obj, &$symbol$__info, _ex);
    }

    /** Any object as the type called `type`, with a new reference; NULL if it is not of it. */
    SIDL_INLINE void*
    $symbol$__cast2(void* obj, const char* type, sidl_BaseInterface* _ex)
    {
      const struct sidl_type_info* const info = sidl_type_find(type);
      *_ex = NULL;
      return info ? sidl_cast(obj, info, _ex) : NULL;
    }

  )");
}

void emit_static_stub(Printer& printer, const ObjectModel& model, const MethodModel& method) {
  const auto call = [&] { emit_stub_call(printer, method, "_sepv->f_" + method.name, ""); };
  printer.emit({{"result", method.c_result},
                {"symbol", model.symbol},
                {"name", method.name},
                {"parameters", stub_parameters(method, "")},
                {"failure", [&] { emit_failure(printer, method); }},
                {"call", call}},
               R"(
    SIDL_INLINE $result$
    $symbol$_$name$($parameters$)
    {
      const struct $symbol$__sepv* const _sepv =
        (const struct $symbol$__sepv*)sidl_static_epv(&$symbol$__info, _ex);
      if (!_sepv) {
        $failure$
      }
      $call$
    }

  )");
}

void emit_stub(Printer& printer, const ObjectModel& model, const MethodModel& method) {
  const std::string self = model.is_class ? "self" : "self->d_object";
  const auto call = [&] { emit_stub_call(printer, method, "self->d_epv->f_" + method.name, self); };
  printer.emit({{"result", method.c_result},
                {"symbol", model.symbol},
                {"name", method.name},
                {"parameters", stub_parameters(method, model.symbol + " self")},
                {"call", call}},
               R"(
    SIDL_INLINE $result$
    $symbol$_$name$($parameters$)
    {
      $call$
    }

  )");
}

void emit_inherited_static_stub(Printer& printer, const ObjectModel& model,
                                const MethodModel& method) {
  std::vector<std::string> names;
  for (const ArgumentModel& argument : method.arguments) names.push_back(argument.name);
  names.emplace_back("_ex");
  printer.emit({{"result", method.c_result},
                {"symbol", model.symbol},
                {"name", method.name},
                {"parameters", stub_parameters(method, "")},
                {"return", method.c_result == "void" ? "" : "return "},
                {"class", method.declared_in},
                {"arguments", codegen::join(names)}},
               R"(
    SIDL_INLINE $result$
    $symbol$_$name$($parameters$)
    {
      $return$$class$_$name$($arguments$);
    }

  )");
}

void emit_half_stub(Printer& printer, const ObjectModel& model, const MethodModel& method) {
  const std::string parameter = method.is_static ? "" : model.symbol + " self";
  const std::string self = method.is_static ? "NULL" : "self";
  printer.emit({{"result", method.c_result},
                {"symbol", model.symbol},
                {"name", method.name},
                {"parameters", stub_parameters(method, parameter)},
                {"body", [&] { emit_half(printer, method, self); }}},
               R"(
    SIDL_INLINE $result$
    $symbol$_$name$($parameters$)
    {
      $body$
    }

  )");
}

void emit_stubs(Printer& printer, const ObjectModel& model) {
  for (const MethodModel& method : model.stubs) {
    emit_doc(printer, method.doc);
    if (!method.declared_in.empty()) {
      emit_inherited_static_stub(printer, model, method);
    } else if (method.part != Part::whole) {
      emit_half_stub(printer, model, method);
    } else if (method.is_static) {
      emit_static_stub(printer, model, method);
    } else {
      emit_stub(printer, model, method);
    }
  }
}

}  // namespace

void emit_includes(Printer& printer, const std::vector<std::string>& headers) {
  for (const std::string& header : headers) {
    printer.emit({{"header", header}}, R"(#include "$header$")");
  }
}

void emit_object(Printer& printer, const ObjectModel& model) {
  const auto tags = [&] {
    for (const std::string& tag : model.tags) printer.emit({{"tag", tag}}, "struct $tag$;");
  };
  const auto functions = [&] {
    emit_creators(printer, model);
    emit_casts(printer, model);
    emit_builtins(printer, model);
    emit_private_data(printer, model);
    emit_stubs(printer, model);
  };
  const auto used = [&] {
    if (model.used_includes.empty()) return;
    printer.blank_line();
    printer.line("/* types that these functions mention */");
    emit_includes(printer, model.used_includes);
  };
  printer.emit({{"guard", codegen::Namer::include_guard(model.symbol + ".h")},
                {"symbol", model.symbol},
                {"includes", [&] { emit_includes(printer, model.includes); }},
                {"used", used},
                {"tags", tags},
                {"doc", [&] { emit_doc(printer, model.type->doc()); }},
                {"functions", functions}},
               R"(
    #ifndef $guard$
    #define $guard$

    #include "$symbol$_IOR.h"
    $includes$
    #include "sidl_header.h"

    #ifdef __cplusplus
    extern "C" {
    #endif

    $tags$

    $doc$
    typedef struct $symbol$__object* $symbol$;

    $functions$
    /* struct $symbol$__array and its functions */
    #define SIDL_ARRAY_NAME $symbol$__array
    #define SIDL_ARRAY_F(function) $symbol$__array_##function
    #define SIDL_ARRAY_OBJECT struct $symbol$__object*
    #define SIDL_ARRAY_INFO $symbol$__info
    #include "sidl_object_array_functions.h"

    #ifdef __cplusplus
    }
    #endif
    $used$
    #endif
  )");
}

}  // namespace shinar::backends::c
