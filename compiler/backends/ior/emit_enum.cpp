// <Type>_IOR.h and <Type>_IOR.c of an enum: its names, for users that know it at run time only.
#include "backends/ior/emit.hpp"
#include "codegen/names.hpp"

namespace shinar::backends::ior {

using codegen::Printer;

void emit_enum_header(Printer& printer, const EnumModel& model) {
  printer.emit(
      {{"guard", codegen::Namer::include_guard(model.symbol + "_IOR.h")},
       {"names", [&] { emit_layout_names(printer, model.tag, {model.symbol + "__info"}); }},
       {"symbol", model.symbol}},
      R"(
    #ifndef $guard$
    #define $guard$

    #include "sidl_ior.h"

    #ifdef __cplusplus
    extern "C" {
    #endif
    #pragma GCC visibility push(default)

    $names$
    extern const struct sidl_enum_info $symbol$__info;

    #pragma GCC visibility pop
    #ifdef __cplusplus
    }
    #endif
    #endif
  )");
}

void emit_enum_source(Printer& printer, const EnumModel& model) {
  const auto& enumerators = model.type->enumeration().enumerators();
  const auto rows = [&] {
    for (const ir::Enumerator& enumerator : enumerators) {
      printer.emit({{"name", enumerator.name()}, {"value", std::to_string(enumerator.value())}},
                   R"({"$name$", $value$},)");
    }
  };
  printer.emit({{"symbol", model.symbol},
                {"name", model.type->name()},
                {"rows", rows},
                {"count", std::to_string(enumerators.size())}},
               R"(
    #include "$symbol$_IOR.h"

    static const struct sidl_enumerator_info enumerators[] = {
      $rows$
    };

    const struct sidl_enum_info $symbol$__info = {
      .name = "$name$",
      .enumerators = enumerators,
      .enumerator_count = $count$,
    };
  )");
}

}  // namespace shinar::backends::ior
