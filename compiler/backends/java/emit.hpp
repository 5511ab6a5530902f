// Printing of the models: text only, no decisions about SIDL.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backends/java/lower.hpp"
#include "codegen/printer.hpp"

namespace shinar::backends::java {

// A Javadoc comment: the SIDL doc comment, and `tags` ("@param n …"), or nothing if there is
// neither.
void emit_javadoc(codegen::Printer& printer, std::string_view doc,
                  const std::vector<std::string>& tags = {});
// Of a method's arguments, result and exceptions.
std::vector<std::string> tags_of(const MethodModel& method, Spelling& spelling);
// Of a method, with these.
void emit_javadoc(codegen::Printer& printer, const MethodModel& method, Spelling& spelling);

// The doc comment of a type; javadoc wants one.
std::string doc_of(const ir::Type& type);

// The text with what Javadoc and HTML would take for their own.
std::string javadoc_text(std::string_view text);

// "Norm norm, DoubleArray A, Holder<DoubleArray> x"; without those that may be left out.
std::string parameters_of(const MethodModel& method, Spelling& spelling, bool with_indices = true);
// " throws demo.Failure", or nothing.
std::string throws_of(const MethodModel& method, Spelling& spelling);

void emit_enum(codegen::Printer& printer, const ir::Type& type, Spelling& spelling);
void emit_struct(codegen::Printer& printer, const codegen::TypeIndex& index, const ir::Type& type,
                 Spelling& spelling);
void emit_class(codegen::Printer& printer, const ObjectModel& model, Spelling& spelling);
void emit_interface(codegen::Printer& printer, const ObjectModel& model, Spelling& spelling);

// The method of a class: what callers call, and the native method under it.
void emit_stub(codegen::Printer& printer, const MethodModel& method, Spelling& spelling,
               bool is_override);

// The same method without what its arrays know, if there is such an argument.
void emit_short_overload(codegen::Printer& printer, const MethodModel& method, Spelling& spelling);
// What an interface has for those who do not wait, if the method is nonblocking.
void emit_declared_async(codegen::Printer& printer, const MethodModel& method, Spelling& spelling);

// What C calls when a method is in Java: `target` is the object ("_self.solve_Impl") or the class.
struct Upcall {
  std::string self_type;  // "Solver_Impl"; empty: a static method
  std::string target;     // "_self.solve_Impl"
  bool has_hooks = false;
};
void emit_upcall(codegen::Printer& printer, const MethodModel& method, const Upcall& upcall,
                 Spelling& spelling);

// <Type>_Skel.java and <Type>_Impl.java.
void emit_skeleton(codegen::Printer& printer, const ObjectModel& model, Spelling& spelling);
void emit_impl(codegen::Printer& printer, const ObjectModel& model, Spelling& spelling);

// <top>_java.c and <Type>_Skel.c.
struct GlueModel {
  std::string top;  // "demo"
  std::vector<const ObjectModel*> objects;
  std::vector<const ir::Type*> structs;
};
void emit_glue(codegen::Printer& printer, const codegen::TypeIndex& index, const GlueModel& model);
void emit_class_glue(codegen::Printer& printer, const codegen::TypeIndex& index,
                     const ObjectModel& model);
// The frame of a method, in C, and a native method that calls `epv`.
void emit_native(codegen::Printer& printer, const ObjectModel& model, const MethodModel& method);
void emit_super_native(codegen::Printer& printer, const codegen::TypeIndex& index,
                       const ObjectModel& model, const MethodModel& method);
// The letter of a direct value in signatures of the JVM.
std::string jni_letter(const ir::TypeRef& type);
// A row of the table of native methods.
std::string native_row(const ObjectModel& model, const MethodModel& method,
                       const std::string& prefix = {});

}  // namespace shinar::backends::java
