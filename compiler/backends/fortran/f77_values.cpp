// Values of the Fortran 77 interface: objects, arrays and structs are handles, integers that hold
// addresses; others are as in C, by reference.
#include "backends/fortran/f77_lower.hpp"
#include "backends/fortran/names.hpp"
#include "backends/fortran/values.hpp"
#include "codegen/basic_types.hpp"
#include "codegen/c_types.hpp"
#include "codegen/names.hpp"
#include "codegen/raw_arrays.hpp"

namespace shinar::backends::fortran {
namespace {

using codegen::Namer;
using ir::Argument;
using ir::TypeRef;

const std::string kHandle = "integer(c_int64_t)";

bool is_array(const TypeRef& type) {
  return type.kind() == TypeRef::ARRAY;
}

// The kind of an old code's variable, named by its C interoperable constant.
std::string fortran_type(const TypeRef& type) {
  if (const auto* basic = codegen::find_basic_type(type.kind())) {
    return std::string(basic->fortran_77);
  }
  return type.kind() == TypeRef::ENUM ? "integer(c_int32_t)" : kHandle;
}

// "struct arrays_Color__array*": the type in the C binding.
std::string c_binding_type(const TypeRef& type) {
  if (type.kind() == TypeRef::ENUM) return "enum " + Namer::symbol(type.name()) + "__enum";
  const std::string tag = codegen::named_array_tag(type);
  return tag.empty() ? codegen::ior_value_type(type) : "struct " + tag + "*";
}

std::string c_info(const TypeRef& type) {
  return "&" + Namer::symbol(type.name()) + "__info";
}

// The array of a handle, with the type and rank that it must have: "sidl_f77_array(&_call, a,
// sidl_double_array, 2, \"a\")".
std::string array_of(const std::string& handle, const TypeRef& type, const std::string& name) {
  const std::string rest =
      ", " + std::to_string(type.has_element() ? type.dimension() : 0) + ", \"" + name + "\")";
  const std::string from = "(&_call, " + handle + ", ";
  if (!type.has_element()) return "sidl_f77_array" + from + "sidl_undefined_array" + rest;
  return type.element().kind() == TypeRef::STRUCT
             ? "sidl_f77_struct_array" + from + c_info(type.element()) + rest
             : "sidl_f77_array" + from + array_code(type) + rest;
}

class Lowering {
 public:
  Lowering(const std::string& name, const std::string& c_name, Argument::Mode mode,
           const TypeRef& type)
      : n_(name), c_(c_name), local_("_local_" + c_name), mode_(mode), type_(type) {}

  F77Value run() {
    value_.name = n_;
    value_.actual = n_;
    switch (type_.kind()) {
      case TypeRef::BOOL:
        boolean();
        break;
      case TypeRef::STRING:
        string();
        break;
      case TypeRef::ENUM:
        enumerator();
        break;
      case TypeRef::OPAQUE:
        address();
        break;
      case TypeRef::STRUCT:
        structure();
        break;
      case TypeRef::RARRAY:
        raw();
        break;
      default:
        if (is_object(type_) || is_array(type_)) {
          handle();
        } else {
          plain();
        }
    }
    return value_;
  }

 private:
  bool in() const { return mode_ == Argument::IN; }
  bool out() const { return mode_ == Argument::OUT; }

  std::string intent() const { return in() ? "in" : out() ? "out" : "inout"; }

  // The same variable for both languages.
  void by_reference(const std::string& fortran, const std::string& c) {
    value_.dummy = fortran + ", intent(" + intent() + ") :: " + n_;
    value_.c_dummy = value_.dummy;
    value_.c_parameter = (in() ? "const " : "") + c + "* " + c_;
    value_.c_actual = in() ? "*" + c_ : c_;
    if (out()) value_.c_zero = "*" + c_ + " = 0;";
  }

  void plain() {
    by_reference(fortran_type(type_), codegen::ior_value_type(type_));
    if (out() && codegen::is_complex(type_))
      value_.c_zero = c_ + "->real = " + c_ + "->imaginary = 0;";
  }

  void boolean() {
    by_reference(fortran_type(type_), codegen::ior_value_type(type_));
    value_.c_dummy = "integer(c_int), intent(" + intent() + ") :: " + n_;
    value_.local = "integer(c_int) :: " + n_ + "_c";
    value_.actual = n_ + "_c";
    if (!out()) value_.before = n_ + "_c = merge(1_c_int, 0_c_int, " + n_ + ")";
    if (!in()) value_.after = n_ + " = " + n_ + "_c /= 0";
  }

  void string() {
    value_.local = "type(c_ptr) :: " + n_ + "_c";
    value_.actual = n_ + "_c";
    value_.dummy = "character(*), intent(" + intent() + ") :: " + n_;
    value_.before = n_ + "_c = " + (out() ? "c_null_ptr" : "sidl_new_string(" + n_ + ")");
    value_.c_actual = c_;
    if (in()) {
      value_.c_dummy = "type(c_ptr), value :: " + n_;
      value_.c_parameter = "const char* " + c_;
      value_.after = "call sidl_free_string(" + n_ + "_c)";
      return;
    }
    value_.c_dummy = "type(c_ptr), intent(inout) :: " + n_;
    value_.c_parameter = "char** " + c_;
    value_.after = "call sidl_f77_take_string(" + n_ + "_c, " + n_ + ", '" + n_ + "', exception)";
  }

  void enumerator() {
    by_reference(fortran_type(type_), "int32_t");
    const std::string type = c_binding_type(type_);
    if (in()) {
      value_.c_actual = "(" + type + ")*" + c_;
      return;
    }
    value_.c_locals = {type + " " + local_ + " = (" + type + ")" + (out() ? "0;" : "*" + c_ + ";")};
    value_.c_actual = "&" + local_;
    value_.c_after = {"*" + c_ + " = (int32_t)" + local_ + ";"};
  }

  // Values returned through a C variable.
  void returned(const std::string& type, const std::string& before) {
    value_.c_locals = {type + " " + local_ + " = " + before + ";"};
    value_.c_actual = "&" + local_;
    value_.c_after = {"*" + c_ + " = sidl_f77_handle(" + local_ + ");"};
  }

  void address() {
    by_reference(kHandle, "int64_t");
    if (in()) {
      value_.c_actual = "sidl_f77_address(*" + c_ + ")";
      return;
    }
    returned("void*", out() ? "NULL" : "sidl_f77_address(*" + c_ + ")");
  }

  void handle() {
    by_reference(kHandle, "int64_t");
    const std::string type = c_binding_type(type_);
    value_.may_fail = !out();
    if (out()) return returned(type, "NULL");
    if (is_array(type_)) {
      const std::string seen = array_of(c_, type_, n_);
      if (!in()) return returned(type, seen);
      value_.c_locals = {type + " const " + local_ + " = " + seen + ";"};
    } else {
      const std::string seen =
          "sidl_f77_seen(&_call, " + c_ + ", " + c_info(type_) + ", \"" + n_ + "\")";
      if (!in()) {
        value_.c_before = "sidl_f77_hand_over(" + c_ + ", " + local_ + ");";
        return returned(type, seen);
      }
      value_.c_locals = {type + " const " + local_ + " = " + seen + ";"};
    }
    value_.c_actual = local_;
  }

  void structure() {
    by_reference(kHandle, "int64_t");
    const std::string type = c_binding_type(type_);
    if (out()) {
      value_.c_locals = {type + " " + local_ + ";"};
      value_.c_actual = "&" + local_;
      value_.c_after = {"*" + c_ + " = sidl_f77_new_struct(&_call, " + c_info(type_) + ", &" +
                        local_ + ");"};
      return;
    }
    // What changes is the struct, not the handle.
    value_.dummy = kHandle + ", intent(in) :: " + n_;
    value_.c_dummy = value_.dummy;
    value_.c_parameter = "const int64_t* " + c_;
    value_.may_fail = true;
    value_.c_locals = {(in() ? "const " : "") + type + "* const " + local_ +
                       " = sidl_f77_struct(&_call, " + c_ + ", " + c_info(type_) + ", \"" + n_ +
                       "\");"};
    value_.c_actual = local_;
  }

  void raw() {
    by_reference(fortran_type(type_.element()), codegen::ior_value_type(type_.element()));
    value_.dummy += "(*)";
    value_.c_dummy += "(*)";
    value_.c_parameter = codegen::ior_value_type(type_.element()) + "* " + c_;
    value_.c_actual = c_;
    value_.c_zero = "";
  }

  const std::string n_, c_, local_;
  const Argument::Mode mode_;
  const TypeRef& type_;
  F77Value value_;
};

// The lengths of a raw member, over the other members.
std::string member_extents(const ir::Member& member, const Lines& places) {
  return "const int64_t _extents[] = {" +
         codegen::join(codegen::extent_texts(member.type(), places)) + "};";
}

std::string raw_demand(const TypeRef& type) {
  return codegen::array_type_constant(type) + ", " + std::to_string(type.extents_size()) +
         ", _extents";
}

}  // namespace

F77Value f77_value(const std::string& name, const std::string& c_name, Argument::Mode mode,
                   const TypeRef& type) {
  return Lowering(name, c_name, mode, type).run();
}

F77Value f77_self(const ir::Type& type) {
  const std::string symbol = Namer::symbol(type.name());
  const bool is_struct = type.has_structure();
  F77Value value;
  value.name = value.actual = "self";
  value.dummy = value.c_dummy = kHandle + ", intent(in) :: self";
  value.c_parameter = "const int64_t* self";
  value.c_locals = {
      is_struct ? "struct " + symbol + "__data* const _self = sidl_f77_struct(&_call, self, &" +
                      symbol + "__info, \"self\");"
                : "struct " + symbol + "__object* const _self = sidl_f77_self(&_call, self, &" +
                      symbol + "__info);"};
  value.c_actual = "_self";
  value.may_fail = true;
  return value;
}

Lines f77_store(const TypeRef& type, const std::string& call) {
  switch (type.kind()) {
    case TypeRef::VOID:
      return {call + ";"};
    case TypeRef::ENUM:
      return {"*_retval = (int32_t)" + call + ";"};
    case TypeRef::STRUCT:
      return {c_binding_type(type) + " _value = " + call + ";",
              "*_retval = sidl_f77_new_struct(&_call, " + c_info(type) + ", &_value);"};
    default:
      break;
  }
  const bool is_handle = is_object(type) || is_array(type) || type.kind() == TypeRef::OPAQUE;
  return {"*_retval = " + (is_handle ? "sidl_f77_handle(" + call + ");" : call + ";")};
}

Lines f77_places(const ir::Type& type) {
  Lines places;
  for (const ir::Member& member : type.structure().members()) {
    places.push_back("_self->" + Namer::member(member.name()));
  }
  return places;
}

Lines f77_get(const ir::Member& member, const Lines& places) {
  const TypeRef& of = member.type();
  const std::string place = "_self->" + Namer::member(member.name());
  if (codegen::is_inline(of)) return {"memcpy(value, " + place + ", sizeof " + place + ");"};
  switch (of.kind()) {
    case TypeRef::ENUM:
      return {"_local_value = (" + c_binding_type(of) + ")" + place + ";"};
    case TypeRef::STRING:
      return {"*value = sidl_String_strdup(" + place + ");"};
    case TypeRef::OPAQUE:
      return {"_local_value = " + place + ";"};
    case TypeRef::CLASS:
    case TypeRef::INTERFACE:
      return {"_local_value = sidl_f77_share(" + place + ");"};
    case TypeRef::ARRAY:
      return {"sidl__array_addRef((struct sidl__array*)" + place + ");",
              "_local_value = " + place + ";"};
    case TypeRef::STRUCT:
      return {"sidl_f77_copy_struct(&_call, " + c_info(of) + ", &" + place + ", &_local_value);"};
    case TypeRef::RARRAY:
      return {member_extents(member, places),
              "sidl_f77_get_raw(&_call, " + place + ", " + "_self->_" + member.name() + ", " +
                  raw_demand(of) + ", value, \"" + member.name() + "\");"};
    default:
      return {"*value = " + place + ";"};
  }
}

Lines f77_set(const ir::Member& member, const Lines& places) {
  const TypeRef& of = member.type();
  const std::string place = "_self->" + Namer::member(member.name());
  const std::string kept = c_binding_type(of) + " const _kept = ";
  if (codegen::is_inline(of)) return {"memcpy(" + place + ", value, sizeof " + place + ");"};
  switch (of.kind()) {
    case TypeRef::STRING:
      return {"sidl_String_free(" + place + ");", place + " = sidl_String_strdup(value);"};
    case TypeRef::OPAQUE:
      return {place + " = sidl_f77_address(*value);"};
    case TypeRef::CLASS:
    case TypeRef::INTERFACE:
      return {"sidl_f77_share(_local_value);", "sidl_f77_drop(" + place + ");",
              place + " = _local_value;"};
    case TypeRef::ARRAY:
      return {kept + "(" + c_binding_type(of) +
                  ")sidl__array_smartCopy((struct sidl__array*)_local_value);",
              "sidl__array_deleteRef((struct sidl__array*)" + place + ");", place + " = _kept;"};
    case TypeRef::STRUCT:
      return {c_binding_type(of) + " _copy;",
              "sidl_f77_copy_struct(&_call, " + c_info(of) + ", _local_value, &_copy);",
              "if (!_call.ex) {",
              "  sidl_struct_destroy(" + c_info(of) + ", &" + place + ");",
              "  " + place + " = _copy;",
              "}"};
    case TypeRef::RARRAY: {
      const std::string owner = "_self->_" + member.name();
      return {member_extents(member, places),
              kept + "sidl_f77_keep_raw(&_call, value, " + raw_demand(of) + ", \"" + member.name() +
                  "\");",
              "if (!_call.ex) {",
              "  sidl__array_deleteRef((struct sidl__array*)" + owner + ");",
              "  " + owner + " = _kept;",
              "  " + place + " = " + codegen::ior_array_tag(of) + "_first(_kept);",
              "}"};
    }
    default:
      return {place + " = *value;"};
  }
}

}  // namespace shinar::backends::fortran
