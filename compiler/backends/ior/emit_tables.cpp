// The constant tables of <Type>_IOR.c, and their registration.
#include "backends/ior/emit.hpp"
#include "codegen/c_types.hpp"

namespace shinar::backends::ior {
namespace {

using codegen::Printer;

void emit_method_row(Printer& printer, const ObjectModel& model, const MethodModel& method) {
  std::string row = "{.name = \"" + method.name + "\", .type = &" + model.symbol + "__info";
  row += ", .digest = " + method.digest;
  if (!method.result_info.empty()) row += ", .result = " + method.result_info;
  if (!method.arguments.empty()) {
    row += ", .args = args_" + method.name;
    row += ", .arg_count = " + std::to_string(method.arguments.size());
  }
  if (!method.flags.empty()) row += ", .flags = " + method.flags;
  if (method.has_dispatcher) row += ", .exec = exec_" + method.name;
  if (!method.throws.empty()) row += ", .throws = \"" + method.throws + "\"";
  printer.line(row + "},");
}

void emit_method_tables(Printer& printer, const ObjectModel& model) {
  const auto methods = [&] {
    for (const MethodModel& method : model.methods) emit_method_row(printer, model, method);
  };
  const auto statics = [&] {
    for (const MethodModel& method : model.statics) emit_method_row(printer, model, method);
  };
  if (!model.methods.empty()) {
    printer.emit({{"symbol", model.symbol}, {"rows", methods}}, R"(
      const struct sidl_method_info $symbol$__methods[] = {
        $rows$
      };

    )");
  }
  if (!model.statics.empty()) {
    printer.emit({{"rows", statics}}, R"(
      static const struct sidl_method_info statics[] = {
        $rows$
      };

    )");
  }
}

void emit_slot_table(Printer& printer, const ObjectModel& model) {
  const auto rows = [&] {
    for (const SlotModel& slot : model.slots) {
      printer.emit(
          {{"introducer", slot.introducer_symbol}, {"position", std::to_string(slot.position)}},
          "&$introducer$__methods[$position$],");
    }
  };
  printer.emit({{"rows", rows}}, R"(
    static const struct sidl_method_info* const slots[] = {
      $rows$
    };

  )");
}

void emit_facet_table(Printer& printer, const ObjectModel& model) {
  if (model.facets.empty()) return;
  for (const FacetModel& facet : model.facets) {
    if (facet.slots.empty()) continue;
    std::vector<std::string> numbers;
    for (const std::size_t slot : facet.slots) numbers.push_back(std::to_string(slot));
    printer.emit({{"facet", facet.symbol}, {"numbers", codegen::join(numbers)}},
                 "static const uint16_t slots_$facet$[] = {$numbers$};");
  }
  printer.blank_line();
  const auto rows = [&] {
    for (const FacetModel& facet : model.facets) {
      printer.emit({{"facet", facet.symbol},
                    {"member", facet.member},
                    {"holder", facet.holder},
                    {"slots", facet.slots.empty() ? "NULL" : "slots_" + facet.symbol}},
                   "{&$facet$__info, offsetof($holder$, $member$), $slots$},");
    }
  };
  printer.emit({{"rows", rows}}, R"(
    static const struct sidl_facet facets[] = {
      $rows$
    };

  )");
}

void emit_remote_epv(Printer& printer, const ObjectModel& model) {
  const auto rows = [&] {
    for (const SlotModel& slot : model.slots) {
      // The slots of an interface take `void* self`, as remote stubs do; a class's need a cast.
      printer.emit({{"name", slot.name}, {"remote", slot.remote}},
                   model.is_class ? "SLOT(f_$name$, $remote$)," : ".f_$name$ = $remote$,");
    }
  };
  if (model.is_class) {
    printer.emit({{"symbol", model.symbol}}, R"(
      #define SLOT(name, function) \
        .name = (__typeof__(((struct $symbol$__epv*)NULL)->name))function
    )");
  }
  printer.emit({{"symbol", model.symbol}, {"rows", rows}}, R"(
    const struct $symbol$__epv $symbol$__remote_epv = {
      $rows$
    };

  )");
}

void emit_optional_info(Printer& printer, const ObjectModel& model) {
  if (!model.flags.empty()) printer.emit({{"flags", model.flags}}, ".flags = $flags$,");
  printer.emit({{"count", std::to_string(model.slots.size())}}, ".slot_count = $count$,");
  if (!model.facets.empty()) {
    printer.emit({{"count", std::to_string(model.facets.size())}}, ".facet_count = $count$,");
  }
  if (!model.statics.empty()) {
    printer.emit({{"count", std::to_string(model.statics.size())}}, ".static_count = $count$,");
  }
  if (!model.parent_symbol.empty()) {
    printer.emit({{"parent", model.parent_symbol}}, ".parent = &$parent$__info,");
  }
  if (!model.facets.empty()) printer.line(".facets = facets,");
  printer.line(".slots = slots,");
  if (!model.statics.empty()) printer.line(".statics = statics,");
  printer.emit({{"layout", model.layout}}, ".size = sizeof($layout$),");
  if (model.is_class) {
    printer.emit({{"layout", model.layout}}, ".data_offset = offsetof($layout$, d_data),");
  }
  if (!model.contracts.empty()) printer.line(".extension = &extension,");
}

void emit_type_info(Printer& printer, const ObjectModel& model) {
  printer.emit({{"symbol", model.symbol},
                {"name", model.type->name()},
                {"version", model.type->version()},
                {"id", model.id},
                {"kind", model.kind},
                {"layout", model.layout_digest},
                {"optional", [&] { emit_optional_info(printer, model); }}},
               R"(
    static struct sidl_type_cache cache;

    const struct sidl_type_info $symbol$__info = {
      .name = "$name$",
      .version = "$version$",
      .id = $id$,
      .kind = sidl_kind_$kind$,
      $optional$
      .remote_epv = &$symbol$__remote_epv,
      .cache = &cache,
      .layout = $layout$,
    };

    __attribute__((constructor)) static void
    register_type(void)
    {
      sidl_type_register(&$symbol$__info);
    }
  )");
}

}  // namespace

void emit_tables(Printer& printer, const ObjectModel& model) {
  emit_method_tables(printer, model);
  emit_slot_table(printer, model);
  emit_facet_table(printer, model);
  emit_remote_epv(printer, model);
  emit_contracts(printer, model);
  emit_type_info(printer, model);
}

}  // namespace shinar::backends::ior
