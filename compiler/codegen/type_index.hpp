// In: an ir::Module.
// Out: look-ups for back ends: types by name, introducer and owner of a slot, interfaces that a
// class adds, types that a type's declarations mention.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/ir.hpp"

namespace shinar::codegen {

// The base of every object, and of every class.
inline constexpr std::string_view kBaseInterface = "sidl.BaseInterface";
inline constexpr std::string_view kBaseClass = "sidl.BaseClass";

class TypeIndex {
 public:
  explicit TypeIndex(const ir::Module& module);

  const ir::Module& module() const { return *module_; }

  // The type called `name`, which must be in the module (else std::logic_error).
  const ir::Type& find(std::string_view name) const;

  // The types to generate code for: those of the module that are not external.
  const std::vector<const ir::Type*>& generated() const { return generated_; }

  const ir::Method& introducer_method(const ir::Slot& slot) const;
  const ir::Method& owner_method(const ir::Slot& slot) const;
  // The name of the slot in EPVs and stubs: the owner's long name.
  const std::string& slot_name(const ir::Slot& slot) const;

  // The non-static methods that `type` introduces into the hierarchy, in order of declaration.
  const std::vector<const ir::Method*>& introduced(const ir::Type& type) const;
  // The index of the slot's method in introduced() of its introducer.
  std::size_t introduced_position(const ir::Slot& slot) const;

  std::vector<const ir::Method*> statics(const ir::Type& type) const;

  // The slot of one of `type`'s own methods, or its index among the static methods.
  std::size_t own_position(const ir::Method& method) const;
  // The type whose slots those of `type` begin with: its parent class, or an interface's first
  // parent. nullptr: it is sidl.BaseInterface.
  const ir::Type* first_parent(const ir::Type& type) const;
  // Whether the parent class implements what the method, an instance method of `type`, overrides.
  bool parent_implements(const ir::Type& type, const ir::Method& method) const;

  // Whether the method of `type` is one of the streams' (sidl.io), which take arrays of any number
  // of dimensions.
  bool takes_any_dimension(const ir::Type& type, const ir::Method& method) const;

  // Packages directly within `package` that have types to generate, or such packages themselves.
  std::vector<std::string> inner_packages(std::string_view package) const;

  // Whether the struct, or a nested one, has raw arrays that do not lie in it.
  bool has_raw_members(std::string_view name) const { return with_raw_members_.contains(name); }

  // Whether the struct, or a nested one, owns something: strings, objects, arrays, raw arrays.
  bool has_owning_members(std::string_view name) const {
    return with_owning_members_.contains(name);
  }
  bool has_bools(std::string_view name) const { return with_bools_.contains(name); }

  // Whether arrays of the struct occur in the module: as values or members, or there is an array<>
  // of the users', whose elements may be anything.
  bool is_array_element(std::string_view structure) const {
    return has_any_arrays_ || array_elements_.contains(structure);
  }

  // The same for any type; array<> does not count.
  bool is_typed_array_element(std::string_view name) const {
    return array_elements_.contains(name);
  }

  // Base name of the .sidl file the type was declared in.
  std::string source_file(const ir::Type& type) const;

 private:
  void add_positions(const ir::Type& type);
  void add_array_elements(const ir::Type& type);
  std::unordered_set<std::string_view> structs_with(
      const std::function<bool(const ir::TypeRef&)>& is_such) const;

  const ir::Module* module_;
  std::unordered_map<std::string_view, const ir::Type*> by_name_;
  std::vector<const ir::Type*> generated_;
  std::unordered_map<const ir::Type*, std::vector<const ir::Method*>> introduced_;
  std::unordered_map<const ir::Method*, std::size_t> introduced_positions_;
  std::unordered_map<const ir::Method*, std::size_t> own_positions_;
  std::unordered_set<std::string_view> with_raw_members_;  // structs, as the next two
  std::unordered_set<std::string_view> with_owning_members_;
  std::unordered_set<std::string_view> with_bools_;
  std::unordered_set<std::string_view> array_elements_;
  bool has_any_arrays_ = false;
};

bool is_class(const ir::Type& type);
bool is_interface(const ir::Type& type);
bool is_base_interface(const ir::Type& type);

// "v0123456789abcdef": part of the name of symbols that depend on the type's layout, so that code
// for another layout cannot be linked with them. "" for libsidl's types: their layout is fixed by
// the version of the object model.
std::string layout_tag(const ir::Type& type);

// "demo.Norm", "array<double,2>", "array<int,1,row-major>", "void"
std::string sidl_type(const ir::TypeRef& type);

// "int solve[Raw](in array<double,2> A, out string log) throws demo.Failure": SIDL syntax, without
// attributes other than `static` and `oneway`.
std::string sidl_signature(const ir::Method& method);

// Names of the user-defined types that a method, a struct or an object's methods mention, without
// duplicates, in order of first mention.
class TypeMentions {
 public:
  void add(const ir::TypeRef& type);
  void add(const ir::Method& method);
  void add(const std::string& name);
  // All types that the type's own declaration names, including parents, thrown exceptions and
  // renamed methods.
  void add_declaration(const ir::Type& type);
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::unordered_set<std::string> seen_;
};

}  // namespace shinar::codegen
