// In: the models of lower.hpp. Out: the text of the Fortran and C files, nothing decided here.
#pragma once

#include "backends/fortran/lower.hpp"
#include "codegen/banner.hpp"
#include "codegen/printer.hpp"

namespace shinar::backends::fortran {

// <package>.f90. Names of modules with types and procedures get `suffix`, which other modules use;
// none if it is empty.
void emit_modules(codegen::Printer& printer, const FileModel& model, const std::string& suffix);
void emit_modules_c(codegen::Printer& printer, const FileModel& model);  // <package>_fortran.c
void emit_impl(codegen::Printer& printer, const ObjectModel& model);     // <Type>_Impl.f90
void emit_skel(codegen::Printer& printer, const ObjectModel& model);     // <Type>_Skel.f90
void emit_skel_c(codegen::Printer& printer, const ObjectModel& model);   // <Type>_Skel.c

// Structs: the types, and the procedures they need. (emit_structs.cpp)
void emit_struct_types(codegen::Printer& printer, const StructModel& model);
void emit_conversions(codegen::Printer& printer, const StructModel& model);
// Procedures for arrays of them, behind generic names. (emit_struct_arrays.cpp)
void emit_struct_generics(codegen::Printer& printer, const StructModel& model);
void emit_struct_arrays(codegen::Printer& printer, const StructModel& model);
void emit_assignment(codegen::Printer& printer, const StructModel& model);

// Parts that several files share.
void emit_banner(codegen::Printer& printer, const codegen::Banner& banner);
void emit_lines(codegen::Printer& printer, const Lines& lines);
void emit_declarations(codegen::Printer& printer, const std::vector<Declaration>& declarations);
void emit_doc(codegen::Printer& printer, const std::string& doc);
// The interfaces of the C functions.
void emit_abstracts(codegen::Printer& printer, const std::vector<const Procedure*>& procedures);
// Calls `each` for the arguments, then for the result if there is one.
template <typename Do>
void for_each_value(const Procedure& procedure, Do each) {
  for (const Value& value : procedure.arguments) each(value);
  if (procedure.result) each(*procedure.result);
}

// `self`: the type of the first dummy, and what in it is the handle.
struct Self {
  std::string type;       // "class(demo_Solver)"
  std::string handle;     // "self"
  std::string info;       // "demo_Solver__info()"
  std::string file;       // that the stub is in, for traces
  bool is_super = false;  // in an Impl: what it overrides
};
// (emit_stub.cpp)
// The module with what the stubs of a file have in common.
void emit_shared(codegen::Printer& printer, const std::string& module, const FileModel& model);
void emit_stub(codegen::Printer& printer, const Procedure& procedure, const Self& self);

}  // namespace shinar::backends::fortran
