// <Type>_IOR.h and <Type>_IOR.c of a struct.
#include "backends/ior/emit.hpp"
#include "codegen/doc_comment.hpp"
#include "codegen/names.hpp"

namespace shinar::backends::ior {
namespace {

using codegen::Printer;

void emit_includes(Printer& printer, const std::vector<std::string>& headers) {
  for (const std::string& header : headers) {
    printer.emit({{"header", header}}, R"(#include "$header$")");
  }
}

void emit_members(Printer& printer, const StructModel& model) {
  for (const MemberModel& member : model.members) {
    emit_doc(printer, member.doc);
    printer.line(member.declaration + ";");
    if (member.owner_type.empty()) continue;
    printer.line("/* keeps that memory alive; NULL when it is the caller's */");
    printer.line(member.owner_type + " _" + member.sidl_name + ";");
  }
  if (model.owns) printer.line("SIDL_NOT_ASSIGNABLE(" + model.symbol + "__data)");
  // C has no empty structs.
  if (model.members.empty()) printer.line("char _empty;");
}

void emit_lengths(Printer& printer, const LengthsModel& model) {
  std::string lengths;
  for (const std::int64_t length : model.lengths) {
    lengths += (lengths.empty() ? "" : ", ") + std::to_string(length);
  }
  printer.emit({{"name", model.name}, {"lengths", lengths}}, R"(
    static const int64_t $name$[] = {$lengths$};

  )");
}

void emit_member_table(Printer& printer, const StructModel& model) {
  if (model.members.empty()) return;
  for (const ExtentsModel& extents : model.extents) {
    emit_extents(printer, extents,
                 "const struct " + model.symbol + "__data* const _data = _values;");
  }
  for (const LengthsModel& each : model.lengths) emit_lengths(printer, each);
  const auto rows = [&] {
    for (const MemberModel& member : model.members) {
      printer.emit({{"sidl_name", member.sidl_name},
                    {"type_info", member.type_info},
                    {"symbol", model.symbol},
                    {"name", member.name}},
                   R"({"$sidl_name$", $type_info$, offsetof(struct $symbol$__data, $name$)},)");
    }
  };
  printer.emit({{"rows", rows}}, R"(
    static const struct sidl_member_info members[] = {
      $rows$
    };
  )");
}

void emit_kinds(Printer& printer, const StructModel& model) {
  if (model.kinds.empty()) printer.line("0,");
  for (const std::string& kind : model.kinds) {
    printer.emit({{"kind", kind}, {"end", &kind == &model.kinds.back() ? "," : " |"}},
                 "SIDL_KIND_BIT($kind$)$end$");
  }
}

}  // namespace

void emit_struct_header(Printer& printer, const StructModel& model) {
  const auto tags = [&] {
    for (const std::string& tag : model.header_tags) printer.emit({{"tag", tag}}, "struct $tag$;");
  };
  printer.emit(
      {{"guard", codegen::Namer::include_guard(model.symbol + "_IOR.h")},
       {"includes", [&] { emit_includes(printer, model.header_includes); }},
       {"tags", tags},
       {"doc", [&] { emit_doc(printer, model.type->doc()); }},
       {"symbol", model.symbol},
       {"names", [&] { emit_layout_names(printer, model.tag, {model.symbol + "__info"}); }},
       {"members", [&] { emit_members(printer, model); }}},
      R"(
    #ifndef $guard$
    #define $guard$

    #include "sidl_ior.h"
    $includes$

    #ifdef __cplusplus
    extern "C" {
    #endif
    #pragma GCC visibility push(default)

    $tags$

    $names$
    $doc$
    struct $symbol$__data {
      $members$
    };

    extern const struct sidl_struct_info $symbol$__info;

    #pragma GCC visibility pop
    #ifdef __cplusplus
    }
    #endif
    #endif
  )");
}

void emit_struct_source(Printer& printer, const StructModel& model) {
  const std::size_t count = model.members.size();
  printer.emit({{"symbol", model.symbol},
                {"name", model.type->name()},
                {"includes", [&] { emit_includes(printer, model.source_includes); }},
                {"table", [&] { emit_member_table(printer, model); }},
                {"kinds", [&] { emit_kinds(printer, model); }},
                {"members", count == 0 ? "NULL" : "members"},
                {"count", std::to_string(count)}},
               R"(
    #include "$symbol$_IOR.h"

    $includes$

    $table$

    static const struct sidl_struct_extension extension = {
      .size = sizeof(struct sidl_struct_extension),
      .kinds =
        $kinds$
    };

    const struct sidl_struct_info $symbol$__info = {
      .name = "$name$",
      .size = sizeof(struct $symbol$__data),
      .members = $members$,
      .member_count = $count$,
      .extension = &extension,
    };
  )");
}

}  // namespace shinar::backends::ior
