// In: the models of lower.hpp. Out: the text of the IOR files, nothing decided here.
#pragma once

#include "backends/ior/lower.hpp"
#include "codegen/printer.hpp"

namespace shinar::backends::ior {

void emit_object_header(codegen::Printer& printer, const ObjectModel& model);
void emit_object_source(codegen::Printer& printer, const ObjectModel& model);
void emit_struct_header(codegen::Printer& printer, const StructModel& model);
void emit_struct_source(codegen::Printer& printer, const StructModel& model);
void emit_enum_header(codegen::Printer& printer, const EnumModel& model);
void emit_enum_source(codegen::Printer& printer, const EnumModel& model);

// The constant tables of a class or interface: methods, slots, facets, remote EPV, type info.
void emit_tables(codegen::Printer& printer, const ObjectModel& model);

// The functions that check the contracts of a class, if it has any, and their table.
void emit_contracts(codegen::Printer& printer, const ObjectModel& model);

// Gives tables and functions, which depend on a type's layout, names of that layout; none for "".
void emit_layout_names(codegen::Printer& printer, const std::string& tag,
                       const std::vector<std::string>& names);

// The function of a raw array; `values` is what it makes of its parameter `_values`.
void emit_extents(codegen::Printer& printer, const ExtentsModel& model, const std::string& values);

}  // namespace shinar::backends::ior
