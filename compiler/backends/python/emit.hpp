// In: the models of lower.hpp. Out: the text of the files, nothing decided here.
#pragma once

#include "backends/python/lower.hpp"
#include "codegen/printer.hpp"

namespace shinar::backends::python {

// demo_module.cxx: the extension module of an outermost package and all in it.
void emit_module(codegen::Printer& printer, const std::vector<const PackageModel*>& packages);

// demo_server.cxx: its classes as they are implemented in Python.
void emit_server(codegen::Printer& printer, const std::vector<const PackageModel*>& packages);

// demo_Solver_Skel.c: where a program in any language finds the class.
void emit_entry(codegen::Printer& printer, const ObjectModel& model, const PackageModel& package);

// demo/__init__.py and .pyi.
void emit_face(codegen::Printer& printer, const PackageModel& package);
void emit_stubs(codegen::Printer& printer, const PackageModel& package);

// demo/Solver_Impl.py
void emit_impl(codegen::Printer& printer, const ObjectModel& model, const PackageModel& package);

// The text of a doc comment as a docstring, or nothing.
void emit_docstring(codegen::Printer& printer, const std::string& text);

}  // namespace shinar::backends::python
