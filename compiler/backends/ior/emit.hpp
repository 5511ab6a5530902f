// In: the models of lower.hpp. Out: the text of the IOR files, nothing decided here.
#pragma once

#include "backends/ior/lower.hpp"
#include "codegen/printer.hpp"

namespace shinar::backends::ior {

void emit_object_header(codegen::Printer& printer, const ObjectModel& model);
void emit_object_source(codegen::Printer& printer, const ObjectModel& model);
void emit_struct_header(codegen::Printer& printer, const StructModel& model);
void emit_struct_source(codegen::Printer& printer, const StructModel& model);

// The constant tables of a class or interface: methods, slots, facets, remote EPV, type info.
void emit_tables(codegen::Printer& printer, const ObjectModel& model);

}  // namespace shinar::backends::ior
