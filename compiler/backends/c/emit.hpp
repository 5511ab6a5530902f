// In: the models of lower.hpp. Out: the text of the C files, nothing decided here.
#pragma once

#include "backends/c/lower.hpp"
#include "codegen/printer.hpp"

namespace shinar::backends::c {

void emit_object(codegen::Printer& printer, const ObjectModel& model);       // <Type>.h
void emit_enum(codegen::Printer& printer, const ir::Type& type);             // <Type>.h
void emit_struct(codegen::Printer& printer, const StructModel& model);       // <Type>.h
void emit_impl_header(codegen::Printer& printer, const ObjectModel& model);  // <Type>_Impl.h
void emit_impl_source(codegen::Printer& printer, const ObjectModel& model);  // <Type>_Impl.c
void emit_skel(codegen::Printer& printer, const ObjectModel& model);         // <Type>_Skel.c

// <package>_Stub.c: the functions of all headers as symbols.
void emit_stub(codegen::Printer& printer, const codegen::PackagePlan& plan);

// Part of <Type>.h: built-in functions of all types, and access to an Impl's data.
void emit_builtins(codegen::Printer& printer, const ObjectModel& model);
void emit_private_data(codegen::Printer& printer, const ObjectModel& model);

// Part of <Type>_Skel.c: the Impl's function between its hooks, as hooked_<method>.
void emit_hooked(codegen::Printer& printer, const ObjectModel& model, const MethodModel& method);

// "impl_demo_Solver_solve"
std::string impl_name(const ObjectModel& model, const MethodModel& method);

void emit_includes(codegen::Printer& printer, const std::vector<std::string>& headers);

}  // namespace shinar::backends::c
