// In: the models of f77_lower.hpp. Out: the text of the files, nothing decided here.
#pragma once

#include "backends/fortran/f77_lower.hpp"
#include "codegen/printer.hpp"

namespace shinar::backends::fortran {

void emit_f77(codegen::Printer& printer, const F77Package& model);    // <package>_f77.f90
void emit_f77_c(codegen::Printer& printer, const F77Package& model);  // <package>_f77.c
void emit_f77_array(codegen::Printer& printer, const F77Array& array);
std::string f77_constants(const F77Package& model);  // <package>.inc
// <package>_<enum>.inc: the constants have the enumerators' own names, as in Babel's time.
std::string f77_constants(const ir::Type& enumeration);

}  // namespace shinar::backends::fortran
