// In: the models of lower.hpp. Out: the text of the C++ files, nothing decided here.
#pragma once

#include "backends/cxx/lower.hpp"
#include "codegen/printer.hpp"

namespace shinar::backends::cxx {

void emit_enum(codegen::Printer& printer, const EnumModel& model);
void emit_struct(codegen::Printer& printer, const StructModel& model);
void emit_object(codegen::Printer& printer, const ObjectModel& model);
void emit_impl_header(codegen::Printer& printer, const ObjectModel& model);
void emit_impl_source(codegen::Printer& printer, const ObjectModel& model);
void emit_skel(codegen::Printer& printer, const ObjectModel& model);

// Parts that several files share.
void emit_includes(codegen::Printer& printer, const std::vector<std::string>& headers);
// The first declaration of a type's class, which states its layout.
void emit_declaration(codegen::Printer& printer, const std::vector<std::string>& namespaces,
                      const std::string& key, const std::string& name);
void emit_forwards(codegen::Printer& printer, const std::vector<Forward>& forwards);

// "demo::sub", for `namespace $name$ {`.
std::string namespace_name(const std::vector<std::string>& namespaces);

// How a C++ function calls an entry point.
struct Call {
  std::string function;  // "_self->d_epv->f_solve"
  std::string self;      // first argument, or empty
};

// The statements of half a nonblocking method; `self` may be "nullptr".
void emit_half(codegen::Printer& printer, const MethodModel& method, const std::string& self);

// The statements that call the IOR with C++ arguments and return a C++ result.
void emit_call(codegen::Printer& printer, const MethodModel& method, const Call& call);

}  // namespace shinar::backends::cxx
