// In: an ir::Module.
// Out: answers to what back ends ask of it: types by name, who introduced and who owns a slot,
// which interfaces a class adds, which types a type's declarations mention.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/ir.hpp"

namespace shinar::codegen {

// What every object is, and every class.
inline constexpr std::string_view kBaseInterface = "sidl.BaseInterface";
inline constexpr std::string_view kBaseClass = "sidl.BaseClass";

class TypeIndex {
 public:
  explicit TypeIndex(const ir::Module& module);

  const ir::Module& module() const { return *module_; }

  // The type called `name`; a name that is not in the module is a defect: std::logic_error.
  const ir::Type& find(std::string_view name) const;

  // The types to generate code for: those of the module that are not external.
  const std::vector<const ir::Type*>& generated() const { return generated_; }

  const ir::Method& introducer_method(const ir::Slot& slot) const;
  const ir::Method& owner_method(const ir::Slot& slot) const;
  // The name of the slot in EPVs and stubs: the owner's long name.
  const std::string& slot_name(const ir::Slot& slot) const;

  // The non-static methods that `type` brings into the hierarchy, in order of declaration.
  const std::vector<const ir::Method*>& introduced(const ir::Type& type) const;
  // Where the slot's method is in introduced() of its introducer.
  std::size_t introduced_position(const ir::Slot& slot) const;

  std::vector<const ir::Method*> statics(const ir::Type& type) const;

  // Of a method of `type`'s own: its slot, or its place among the statics.
  std::size_t own_position(const ir::Method& method) const;
  // The type whose slots those of `type` begin with: its parent class, or an interface's first
  // parent. nullptr: it is sidl.BaseInterface.
  const ir::Type* first_parent(const ir::Type& type) const;
  // Whether the parent class implements what the method, an instance method of `type`, overrides.
  bool parent_implements(const ir::Type& type, const ir::Method& method) const;

  // Whether the method, of `type`, is one of the streams' (sidl.io), through which arrays of any
  // number of dimensions go.
  bool takes_any_dimension(const ir::Type& type, const ir::Method& method) const;

  // Packages directly within `package` that have types to generate, or such packages themselves.
  std::vector<std::string> inner_packages(std::string_view package) const;

  // Whether the struct, or one in it, has raw arrays.
  bool has_raw_members(std::string_view name) const { return with_raw_members_.contains(name); }

  // Base name of the .sidl file the type was declared in.
  std::string source_file(const ir::Type& type) const;

 private:
  void add_positions(const ir::Type& type);
  void find_raw_members();

  const ir::Module* module_;
  std::unordered_map<std::string_view, const ir::Type*> by_name_;
  std::vector<const ir::Type*> generated_;
  std::unordered_map<const ir::Type*, std::vector<const ir::Method*>> introduced_;
  std::unordered_map<const ir::Method*, std::size_t> introduced_positions_;
  std::unordered_map<const ir::Method*, std::size_t> own_positions_;
  std::unordered_set<std::string_view> with_raw_members_;  // structs
};

bool is_class(const ir::Type& type);
bool is_interface(const ir::Type& type);
bool is_base_interface(const ir::Type& type);

// "v0123456789abcdef": what symbols that depend on the type's layout have in their names, so that
// code of another layout can never be linked with them. "" for libsidl's types: there is one layout
// of these, that of the version of the object model.
std::string layout_tag(const ir::Type& type);

// "demo.Norm", "array<double,2>", "array<int,1,row-major>", "void"
std::string sidl_type(const ir::TypeRef& type);

// "int solve[Raw](in array<double,2> A, out string log)", as SIDL says it, without attributes
// other than `static`.
std::string sidl_signature(const ir::Method& method);

// Names of the user-defined types a method, struct or object's methods mention, without
// repetition, in order of first mention.
class TypeMentions {
 public:
  void add(const ir::TypeRef& type);
  void add(const ir::Method& method);
  void add(const std::string& name);
  // All that the type's own text names: parents, thrown exceptions and renamed methods included.
  void add_declaration(const ir::Type& type);
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::unordered_set<std::string> seen_;
};

}  // namespace shinar::codegen
