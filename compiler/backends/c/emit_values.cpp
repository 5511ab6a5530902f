// <Type>.h of enums and structs, and <package>.h.
#include "backends/c/emit.hpp"
#include "codegen/doc_comment.hpp"
#include "codegen/names.hpp"

namespace shinar::backends::c {

using codegen::Printer;

void emit_enum(Printer& printer, const ir::Type& type) {
  const std::string symbol = codegen::Namer::symbol(type.name());
  const auto enumerators = [&] {
    for (const ir::Enumerator& enumerator : type.enumeration().enumerators()) {
      emit_doc(printer, enumerator.doc());
      const bool last =
          &enumerator == &type.enumeration().enumerators(type.enumeration().enumerators_size() - 1);
      printer.emit({{"symbol", symbol},
                    {"name", enumerator.name()},
                    {"value", std::to_string(enumerator.value())},
                    {"comma", last ? "" : ","}},
                   "$symbol$_$name$ = $value$$comma$");
    }
  };
  printer.emit({{"guard", codegen::Namer::include_guard(symbol + ".h")},
                {"symbol", symbol},
                {"doc", [&] { emit_doc(printer, type.doc()); }},
                {"enumerators", enumerators}},
               R"(
    #ifndef $guard$
    #define $guard$

    #include "sidl_header.h"

    $doc$
    enum $symbol$__enum {
      $enumerators$
    };

    /* struct $symbol$__array and its functions */
    #define SIDL_ARRAY_NAME $symbol$__array
    #define SIDL_ARRAY_F(function) $symbol$__array_##function
    #include "sidl_enum_array_functions.h"

    #endif
  )");
}

void emit_struct(Printer& printer, const StructModel& model) {
  printer.emit({{"guard", codegen::Namer::include_guard(model.symbol + ".h")},
                {"symbol", model.symbol},
                {"includes", [&] { emit_includes(printer, model.includes); }}},
               R"(
    #ifndef $guard$
    #define $guard$

    #include "$symbol$_IOR.h"
    $includes$
    #include "sidl_header.h"
    #include "sidl_struct_array.h"

    #ifdef __cplusplus
    extern "C" {
    #endif

    /** Sets all members to zero, null and "no array". */
    SIDL_INLINE void
    $symbol$__init(struct $symbol$__data* data)
    {
      sidl_struct_init(&$symbol$__info, data);
    }

    /** Frees what the members own and sets them to zero. */
    SIDL_INLINE void
    $symbol$__destroy(struct $symbol$__data* data, sidl_BaseInterface* _ex)
    {
      *_ex = NULL;
      sidl_struct_destroy(&$symbol$__info, data);
    }

    /** Copies all members, and what they own, into `dest`, which is overwritten. */
    SIDL_INLINE void
    $symbol$__copy(const struct $symbol$__data* src, struct $symbol$__data* dest, sidl_BaseInterface* _ex)
    {
      sidl_struct_copy(&$symbol$__info, src, dest, _ex);
    }

    /** Packs all members under `name`. Objects go as the struct declares, whatever `copyArg` is. */
    SIDL_INLINE void
    $symbol$__serialize(const struct $symbol$__data* data, struct sidl_io_Serializer__object* pipe, const char* name, sidl_bool copyArg, sidl_BaseInterface* _ex)
    {
      (void)copyArg;
      sidl_struct_serialize(&$symbol$__info, data, pipe, name, _ex);
    }

    /** Unpacks what was packed under `name` into `data`, which is overwritten. */
    SIDL_INLINE void
    $symbol$__deserialize(struct $symbol$__data* data, struct sidl_io_Deserializer__object* pipe, const char* name, sidl_bool copyArg, sidl_BaseInterface* _ex)
    {
      (void)copyArg;
      sidl_struct_deserialize(&$symbol$__info, data, pipe, name, _ex);
    }

    /* struct $symbol$__array and its functions */
    #define SIDL_ARRAY_NAME $symbol$__array
    #define SIDL_ARRAY_F(function) $symbol$__array_##function
    #define SIDL_ARRAY_STRUCT struct $symbol$__data
    #define SIDL_ARRAY_INFO $symbol$__info
    #include "sidl_struct_array_functions.h"

    #ifdef __cplusplus
    }
    #endif
    #endif
  )");
}

}  // namespace shinar::backends::c
