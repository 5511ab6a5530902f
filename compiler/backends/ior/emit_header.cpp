// <Type>_IOR.h of a class or interface.
#include "backends/ior/emit.hpp"
#include "codegen/c_types.hpp"
#include "codegen/line_wrap.hpp"
#include "codegen/names.hpp"

namespace shinar::backends::ior {
namespace {

using codegen::Namer;
using codegen::Printer;

void emit_includes(Printer& printer, const ObjectModel& model) {
  for (const std::string& header : model.header_includes) {
    printer.emit({{"header", header}}, R"(#include "$header$")");
  }
}

void emit_tags(Printer& printer, const ObjectModel& model) {
  for (const std::string& tag : model.header_tags) printer.emit({{"tag", tag}}, "struct $tag$;");
}

void emit_epv_slots(Printer& printer, const ObjectModel& model) {
  std::string introducer;
  for (const SlotModel& slot : model.slots) {
    if (slot.introducer != introducer) {
      introducer = slot.introducer;
      printer.emit({{"introducer", introducer}}, "/* $introducer$ */");
    }
    printer.emit({{"result", slot.result_type},
                  {"name", slot.name},
                  {"self", model.self_type},
                  {"parameters", slot.parameters}},
                 "$result$ (*f_$name$)($self$ self, $parameters$);");
  }
}

void emit_static_epv(Printer& printer, const ObjectModel& model) {
  if (model.statics.empty()) return;
  const auto slots = [&] {
    for (const MethodModel& method : model.statics) {
      printer.emit({{"result", method.result_type},
                    {"name", method.name},
                    {"parameters", method.parameters}},
                   "$result$ (*f_$name$)($parameters$);");
    }
  };
  printer.blank_line();
  printer.emit({{"symbol", model.symbol}, {"slots", slots}}, R"(
    struct $symbol$__sepv {
      $slots$
    };
  )");
}

void emit_facet_members(Printer& printer, const ObjectModel& model) {
  for (const AddedFacetModel& facet : model.added_facets) {
    printer.emit({{"facet", facet.symbol}, {"member", facet.member}},
                 "struct $facet$__object $member$;");
  }
}

// The beginning of an object. One member of a parent's type and no more: compilers look into each
// member of each level, and two would double their work with every level.
void emit_beginning(Printer& printer, const ObjectModel& model) {
  if (model.parent_symbol.empty()) {
    printer.line("struct sidl_object d_parent;");
    printer.line("struct sidl_BaseInterface__object d_sidl_baseinterface; /* itself */");
    return;
  }
  printer.emit({{"parent", model.parent_symbol}, {"member", model.parent_member}},
               "struct $parent$__object $member$;");
}

void emit_class_layout(Printer& printer, const ObjectModel& model) {
  printer.emit({{"symbol", model.symbol},
                {"beginning", [&] { emit_beginning(printer, model); }},
                {"facets", [&] { emit_facet_members(printer, model); }}},
               R"(
    struct $symbol$__object {
      union {
        const struct $symbol$__epv* d_epv;
        $beginning$
      };
      $facets$
      void* d_data;
    };
  )");
}

void emit_interface_layout(Printer& printer, const ObjectModel& model) {
  printer.emit({{"symbol", model.symbol}}, R"(
    struct $symbol$__object {
      const struct $symbol$__epv* d_epv;
      void* d_object;
    };
  )");
  if (!model.has_remote_stubs) return;
  printer.blank_line();
  printer.emit({{"symbol", model.symbol},
                {"name", model.type->name()},
                {"facets", [&] { emit_facet_members(printer, model); }}},
               R"(
    /** Objects that stand for a remote $name$. */
    struct $symbol$__proxy {
      struct sidl_BaseClass__object d_parent;
      $facets$
    };
  )");
}

// All that other files refer to.
void emit_names(Printer& printer, const ObjectModel& model) {
  std::vector<std::string> names{model.symbol + "__info", model.symbol + "__remote_epv"};
  if (!model.methods.empty()) names.push_back(model.symbol + "__methods");
  if (!model.contracts.empty()) names.push_back(model.symbol + "__contracts");
  if (model.has_remote_stubs) {
    for (const MethodModel& method : model.methods) {
      names.push_back(Namer::remote_stub(model.symbol, method.name));
    }
  }
  emit_layout_names(printer, model.tag, names);
}

void emit_remote_stubs(Printer& printer, const ObjectModel& model) {
  if (!model.has_remote_stubs || model.methods.empty()) return;
  printer.blank_line();
  printer.line("/* What the EPVs of remote objects hold. */");
  for (const MethodModel& method : model.methods) {
    printer.emit({{"result", method.result_type},
                  {"name", Namer::remote_stub(model.symbol, method.name)},
                  {"parameters", method.parameters}},
                 "$result$ $name$(void* self, $parameters$);");
  }
}

void emit_externs(Printer& printer, const ObjectModel& model) {
  const auto vars = {std::pair<std::string_view, Printer::Value>{"symbol", model.symbol}};
  printer.emit(vars, "extern const struct sidl_type_info $symbol$__info;");
  if (!model.methods.empty()) {
    printer.emit(vars, "extern const struct sidl_method_info $symbol$__methods[];");
  }
  printer.emit(vars, "extern const struct $symbol$__epv $symbol$__remote_epv;");
  if (!model.is_class) return;
  printer.emit(vars, R"(

    /** The implementation, when it is linked into or loaded by this process. */
    struct sidl_class* $symbol$__class(void);
  )");
  if (model.contracts.empty()) return;
  printer.emit(vars, R"(

    /** Its clauses, as functions: each library has its own. */
    __attribute__((visibility("hidden"))) extern const struct sidl_contracts $symbol$__contracts;
  )");
}

}  // namespace

void emit_layout_names(Printer& printer, const std::string& tag,
                       const std::vector<std::string>& names) {
  if (tag.empty()) return;
  printer.line(
      "/* The layout is in the names: code of another one cannot be linked with these. */");
  for (const std::string& name : names) {
    const std::string line = "#define " + name + " " + name + "_" + tag;
    if (line.size() <= codegen::kLineWidth) {
      printer.line(line);
      continue;
    }
    printer.line("#define " + name + " \\");
    printer.line("  " + name + "_" + tag);
  }
  printer.blank_line();
}

void emit_object_header(Printer& printer, const ObjectModel& model) {
  const std::string guard = Namer::include_guard(model.symbol + "_IOR.h");
  printer.emit({{"guard", guard},
                {"includes", [&] { emit_includes(printer, model); }},
                {"tags", [&] { emit_tags(printer, model); }},
                {"symbol", model.symbol},
                {"names", [&] { emit_names(printer, model); }},
                {"slots", [&] { emit_epv_slots(printer, model); }},
                {"static_epv", [&] { emit_static_epv(printer, model); }},
                {"layout",
                 [&] {
                   if (model.is_class) {
                     emit_class_layout(printer, model);
                   } else {
                     emit_interface_layout(printer, model);
                   }
                 }},
                {"externs", [&] { emit_externs(printer, model); }},
                {"remote_stubs", [&] { emit_remote_stubs(printer, model); }}},
               R"(
    #ifndef $guard$
    #define $guard$

    #include "sidl_ior.h"
    $includes$

    #ifdef __cplusplus
    extern "C" {
    #endif
    /* Others look these up, whatever is hidden where they are defined. */
    #pragma GCC visibility push(default)

    $tags$

    $names$
    struct $symbol$__epv {
      $slots$
    };
    $static_epv$

    $layout$

    $externs$
    $remote_stubs$

    #pragma GCC visibility pop
    #ifdef __cplusplus
    }
    #endif
    #endif
  )");
}

}  // namespace shinar::backends::ior
