// In: SIDL types as the IR holds them.
// Out: their types in Java, and the statements that move values between Java and frames: memory
// that has a slot for each argument and for the result (docs/java.md).
#pragma once

#include <set>
#include <string>

#include "codegen/type_index.hpp"

namespace shinar::backends::java {

// Bytes of a value in memory, as C compilers for 64-bit systems lay it out.
struct Layout {
  int size = 0;
  int alignment = 1;
};
Layout layout_of(const codegen::TypeIndex& index, const ir::TypeRef& type);

// Bytes of a value's slot in a frame.
int slot_size(const codegen::TypeIndex& index, const ir::TypeRef& type);

inline int round_up(int size, int alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

// Whether native methods get and return such values themselves, without a frame.
bool is_direct(const ir::TypeRef& type);
bool is_raw_array(const ir::TypeRef& type);
bool is_array(const ir::TypeRef& type);
bool is_object(const ir::TypeRef& type);

// Spells types as seen from a file of one package, and notes what the file has to import.
class Spelling {
 public:
  Spelling(const codegen::TypeIndex& index, std::string package);

  // "String", of java.lang.
  std::string lang(const std::string& name) const;
  // "Holder", of package sidl; "Frame", of package sidl.binding.
  std::string sidl(const std::string& name) { return imported("sidl", name); }
  std::string binding(const std::string& name) { return imported("sidl.binding", name); }

  std::string named(const std::string& name) const;  // a SIDL type
  std::string type(const ir::TypeRef& type);         // "int", "DoubleArray"
  std::string boxed(const ir::TypeRef& type);        // "Integer", "DoubleArray"
  // The same of what a method throws; "" if Java cannot throw it, as it is an interface.
  std::string thrown(const std::string& name) const;
  // What native methods have for a direct value: "int", "long".
  static std::string native(const ir::TypeRef& type);

  // Direct values, from Java and to Java; `name` is for messages.
  std::string to_native(const ir::TypeRef& type, const std::string& value, const std::string& name);
  std::string from_native(const ir::TypeRef& type, const std::string& value);

  // Statements that write a slot: one whose value Java keeps, and one whose value is given away.
  // What the Holder `holder` of an argument has; checked where Java would unbox it.
  std::string held(const ir::TypeRef& type, const std::string& holder, const std::string& name);
  std::string put(const ir::TypeRef& type, const std::string& at, const std::string& value,
                  const std::string& name);
  std::string give(const ir::TypeRef& type, const std::string& at, const std::string& value,
                   const std::string& name);
  // Expressions that read a slot: a value that stays there, and one that Java takes over. `old` is
  // what an inout argument was before.
  std::string get(const ir::TypeRef& type, const std::string& at);
  // The same of a member of a struct, whose arrays are not lent for a call only.
  std::string get_member(const ir::TypeRef& type, const std::string& at);
  std::string take(const ir::TypeRef& type, const std::string& at, const std::string& old = {});

  const std::set<std::string>& imports() const { return imports_; }

 private:
  std::string imported(const std::string& package, const std::string& name);
  bool has_type(const std::string& name) const;
  std::string array_class(const ir::TypeRef& type);
  std::string element_type(const ir::TypeRef& type) const;  // ", Norm._type", or nothing

  const codegen::TypeIndex& index_;
  std::string package_;
  std::set<std::string> imports_;
};

}  // namespace shinar::backends::java
