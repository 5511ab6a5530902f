// From Fortran to the IOR and back: the arguments of stubs.
#include "backends/fortran/names.hpp"
#include "backends/fortran/values.hpp"
#include "codegen/names.hpp"

namespace shinar::backends::fortran {
namespace {

using ir::Argument;
using ir::TypeRef;

// One argument while it is being lowered.
class Stub {
 public:
  explicit Stub(const Use& use)
      : use_(use),
        type_(*use.type),
        n_(use.name),
        c_(use.name + "_c"),
        p_(use.name + "_p"),
        e_(use.name + "_e") {}

  Value run() {
    value_.name = n_;
    value_.category = category_of(type_);
    const bool is_handle = is_typed_array(type_) && use_.form == Form::handle;
    switch (is_handle ? Kind::any : kind_of(type_)) {
      case Kind::plain:
        plain();
        break;
      case Kind::boolean:
        converted("logical", "sidl_bool(" + n_ + ")", c_ + " /= 0");
        break;
      case Kind::complex:
        converted(element_type(type_), to_complex(type_, n_), from_complex(type_, c_));
        break;
      case Kind::string:
        string();
        break;
      case Kind::structure:
        structure();
        break;
      case Kind::object:
        object();
        break;
      case Kind::any:
        sidl_array();
        break;
      case Kind::array:
        array();
        break;
      case Kind::characters:
        out() ? copied("character(kind=c_char)", "fill_array") : array();
        break;
      case Kind::strings:
        strings();
        break;
      case Kind::objects:
        objects();
        break;
      case Kind::structures:
        is_plain(*use_.index, type_.element().name()) ? plain_structures() : structures();
        break;
      case Kind::raw:
        raw();
        break;
    }
    return std::move(value_);
  }

 private:
  bool in() const { return use_.mode == Argument::IN; }
  bool out() const { return use_.mode == Argument::OUT; }
  bool whole() const { return use_.part == Part::whole; }
  std::string intent() const { return in() ? "in" : out() ? "out" : "inout"; }

  void dummy(const std::string& attributes, const std::string& suffix = "") {
    value_.dummy = {attributes + " :: " + n_ + suffix};
  }
  void local(const std::string& type) { value_.locals.push_back({type + ", target", c_}); }
  void by_value(const std::string& type) { value_.c_dummy = {type + ", value", n_}; }
  void by_reference(const std::string& type) { value_.c_dummy = {type + ", intent(inout)", n_}; }

  // A variable that has the value in C, and its address.
  void holder(const std::string& type) {
    local(type);
    value_.actual = c_;
    value_.address = "c_loc(" + c_ + ")";
  }

  // The argument's name, for messages.
  std::string quoted_name() const { return "'" + n_ + "'//c_null_char"; }

  void plain() {
    const std::string type = element_type(type_);
    dummy(type + ", intent(" + intent() + ")");
    in() ? by_value(c_type(type_)) : by_reference(c_type(type_));
    value_.actual = n_;
    // gfortran 12 passes a byte of the address when a dummy character goes on by value.
    const bool is_copied = in() && type_.kind() == TypeRef::CHAR;
    if (whole() && !is_copied) {
      if (out()) value_.failed = {n_ + " = " + c_zero(type_)};
      return;
    }
    holder(type);
    value_.before = {c_ + " = " + (out() ? c_zero(type_) : n_)};
    if (!in()) value_.after = {n_ + " = " + c_};
  }

  // Logicals and complex numbers: another type in C.
  void converted(const std::string& type, const std::string& to_c, const std::string& from_c) {
    dummy(type + ", intent(" + intent() + ")");
    in() ? by_value(c_type(type_)) : by_reference(c_type(type_));
    if (in() && whole()) {
      value_.actual = to_c;
      return;
    }
    holder(c_type(type_));
    value_.before = {c_ + " = " + (out() ? c_zero(type_) : to_c)};
    if (!in()) value_.after = {n_ + " = " + from_c};
  }

  void string() {
    if (in()) {
      dummy("character(*), intent(in)");
      value_.c_dummy = {"character(kind=c_char), intent(in)", n_ + "(*)"};
      value_.actual = "sidl_terminated(" + n_ + ")";
      if (whole()) return;
      holder("type(c_ptr)");
      value_.before = {c_ + " = sidl_new_string(" + n_ + ")"};
      value_.after = {"call sidl_free_string(" + c_ + ")"};
      return;
    }
    dummy("character(:), allocatable, intent(" + intent() + ")");
    by_reference("type(c_ptr)");
    holder("type(c_ptr)");
    value_.before = {out() ? c_ + " = c_null_ptr"
                           : "call sidl_give_string(" + n_ + ", " + c_ + ")"};
    value_.after = {"call sidl_take_string(" + c_ + ", " + n_ + ")"};
  }

  void structure() {
    const std::string data = member_of(type_.name(), "data");
    // A struct may hold handles, which gfortran 12 does not give back for intent(out).
    dummy(scalar_type(type_) + ", intent(" + (in() ? "in" : "inout") + "), target");
    value_.c_dummy = {"type(" + data + "), intent(" + (in() ? "in" : "inout") + ")", n_};
    holder("type(" + data + ")");
    if (!out()) {  // whose holder is zero as declared
      value_.before = {"call " + member_of(type_.name(), "to_c") + "(" + n_ + ", " + c_ +
                       (use_.index->has_raw_members(type_.name()) ? ", .true., ex_)" : ")")};
    }
    if (!in()) {
      value_.after = {"call " + member_of(type_.name(), "from_c") + "(" + c_ + ", " + n_ + ")"};
    }
    value_.after.push_back("call sidl_struct_destroy(" + info_of(type_) + ", " + c_ + ")");
  }

  void object() {
    if (!in()) {
      dummy(scalar_type(type_) + ", intent(inout)");
      by_reference("type(c_ptr)");
      owned(n_ + "%d_ior");
      return;
    }
    by_value("type(c_ptr)");
    const bool is_base = type_.name() == "sidl.BaseInterface";
    if (type_.kind() == TypeRef::CLASS || is_base) {
      dummy("class(" + shorten(codegen::Namer::symbol(type_.name())) + "), intent(in)");
      value_.actual = n_ + "%d_ior";
      if (whole()) return;
      holder("type(c_ptr)");
      value_.before = {c_ + " = " + n_ + "%d_ior"};
      return;
    }
    // Fortran's types have one parent: what an interface takes is found out here.
    dummy("class(sidl_BaseInterface), intent(in)");
    value_.category.object = "sidl.BaseInterface";
    holder("type(c_ptr)");
    value_.before = {c_ + " = sidl_seen(" + n_ + "%d_ior, " + info_of(type_) + ", ex_)"};
    value_.after = {"call sidl_unshare(" + c_ + ")"};
  }

  // A handle's only component, which owns the returned reference.
  void owned(const std::string& component) {
    holder("type(c_ptr)");
    value_.before = {c_ + " = " + (out() ? "c_null_ptr" : component)};
    if (out()) value_.after = {"call " + n_ + "%deleteRef()"};
    value_.after.push_back(component + " = " + c_);
  }

  // A SIDL array itself. Its declared properties are checked here: such a variable accepts any
  // array.
  void sidl_array() {
    dummy(std::string("type(sidl_array), intent(") + (in() ? "in" : "inout") +
          (whole() ? ")" : "), target"));
    in() ? by_value("type(c_ptr)") : by_reference("type(c_ptr)");
    value_.category = {"sidl_array", ""};
    value_.actual = n_ + "%d_array";
    value_.address = "c_loc(" + value_.actual + ")";
    if (out()) {
      value_.before = {"call " + n_ + "%deleteRef()"};
    } else if (type_.has_element() && use_.part != Part::receive) {
      value_.before = {"call " + demand("check", type_, value_.actual) + ", " + quoted_name() +
                       ", ex_)"};
    }
  }

  // The lower bounds of what callees see: a list of zeros.
  std::string zeros() const {
    std::string list = "[integer(int64) :: 0";
    for (std::uint32_t d = 1; d < type_.dimension(); ++d) list += ", 0";
    return list + "]";
  }

  // A separate array, which the callee may keep: `made` is an expression for it.
  void made(const std::string& expression) {
    by_value("type(c_ptr)");
    holder("type(c_ptr)");
    value_.before = {c_ + " = " + expression};
    value_.after = {"call sidl_array_deleteref(" + c_ + ")"};
  }

  // Lends `elements` for the length of the call. A dummy does not know where its argument counts
  // from: callees count from 0, as they do for callers in other languages.
  void lend(const std::string& elements) {
    const Kind kind = kind_of(type_);
    const std::string what = quoted_name() + ", ex_)";
    value_.locals.push_back({"type(c_ptr)", c_});
    if (kind == Kind::raw) {
      value_.before = {c_ + " = sidl_lend_raw(" + elements + ", " + array_code(type_) + ", " +
                       quoted_name() + ", '" + use_.where + "'//c_null_char, ex_)"};
    } else if (kind == Kind::structures) {
      value_.before = {c_ + " = sidl_lend_structs(" + elements + ", " + info_of(type_.element()) +
                       ", 0, " + what};
    } else {
      value_.before = {c_ + " = sidl_lend(" + elements + ", " + array_code(type_) + ", 0, " + what};
    }
    value_.actual = c_;
    in() ? by_value("type(c_ptr)") : by_reference("type(c_ptr)");
    if (in() && whole()) {
      value_.last = {"call sidl_end_loan(" + c_ + ", ex_)"};
      return;
    }
    // The callee gets a reference of its own, which it may give back for another array.
    value_.locals.push_back({"type(c_ptr), target", p_});
    value_.before.push_back(p_ + " = " + c_);
    value_.actual = p_;
    value_.address = "c_loc(" + p_ + ")";
    if (in()) {
      value_.last = {"call sidl_end_loan(" + c_ + ", ex_)"};
      return;
    }
    value_.before.push_back("call sidl_array_addref(" + p_ + ")");
    value_.last = {"call sidl_take_back(" + c_ + ", " + p_ + ", " + quoted_name() + ", ex_)"};
  }

  void array() {
    const std::string shape = "(" + colons(type_) + ")";
    if (!out()) {
      dummy(element_type(type_.element()) + ", intent(" + intent() + "), target", shape);
      if (use_.part == Part::send) {
        made("sidl_make_array(" + n_ + ", " + array_code(type_) + ", " + zeros() + ", ex_)");
      } else {
        lend(n_);
      }
      return;
    }
    const bool pointer = use_.form == Form::pointer;
    value_.attribute = pointer ? Attribute::pointer : Attribute::allocatable;
    value_.can_be_pointer = true;
    dummy(
        element_type(type_.element()) + (pointer ? ", pointer" : ", allocatable") + ", intent(out)",
        shape);
    by_reference("type(c_ptr)");
    holder("type(c_ptr)");
    value_.before = {c_ + " = c_null_ptr"};
    if (pointer) value_.before.push_back(make_none(type_, n_));
    value_.after = {std::string("call sidl_") + (pointer ? "take" : "copy") + "_array(" + n_ +
                    ", " + c_ + ", " + quoted_name() + ", ex_)"};
  }

  void strings() {
    const std::string shape = "(" + colons(type_) + ")";
    const auto strings_from = [&](const std::string& lower) {
      return "sidl_make_strings(" + n_ + ", " + lower + ", ex_)";
    };
    if (in()) {
      dummy("character(*), intent(in)", shape);
      made(strings_from(zeros()));
      return;
    }
    copied("character(:)", "fill_strings");
    if (out()) return;
    value_.before.push_back("if (allocated(" + n_ + ")) " + c_ + " = " +
                            strings_from(lower_bounds(n_)));
  }

  // The returned array may have another rank, which is part of Fortran's types.
  std::string expect() const {
    return "call " + demand("expect", type_, c_) + ", " + quoted_name() + ", ex_)";
  }

  // Values returned as an allocatable that Fortran allocates itself.
  void copied(const std::string& type, const std::string& fill) {
    dummy(type + ", allocatable, intent(" + intent() + ")", "(" + colons(type_) + ")");
    value_.attribute = Attribute::allocatable;
    by_reference("type(c_ptr)");
    holder("type(c_ptr)");
    value_.before = {c_ + " = c_null_ptr"};
    if (!out()) value_.after = {"if (allocated(" + n_ + ")) deallocate (" + n_ + ")"};
    value_.after.insert(value_.after.end(), {expect(), "if (c_associated(" + c_ + ")) then",
                                             "  " + allocate_like(type_, n_, c_),
                                             "  call sidl_" + fill + "(" + n_ + ", " + c_ + ")",
                                             "  call sidl_array_deleteref(" + c_ + ")", "end if"});
  }

  void objects() {
    const std::string shape = "(" + colons(type_) + ")";
    const std::string type = element_type(type_.element());
    if (in()) {
      dummy(type + ", intent(in), target", shape);
      if (use_.part == Part::send) {
        made("sidl_make_objects(" + n_ + "%d_ior, " + zeros() + ", ex_)");
      } else {
        lend(n_ + "%d_ior");
      }
      return;
    }
    dummy(type + ", allocatable, intent(inout)", shape);
    value_.attribute = Attribute::allocatable;
    by_reference("type(c_ptr)");
    holder("type(c_ptr)");
    value_.before = {c_ + " = c_null_ptr"};
    if (!out()) {
      value_.before.push_back("if (allocated(" + n_ + ")) " + c_ + " = sidl_make_objects(" + n_ +
                              "%d_ior, " + lower_bounds(n_) + ", ex_)");
    }
    value_.after = {
        "if (allocated(" + n_ + ")) then",  // whose finaliser may miss them, see skel_values.cpp
        "  call " + n_ + "%deleteRef()",
        "  deallocate (" + n_ + ")",
        "end if",
        expect(),
        "if (c_associated(" + c_ + ")) then",
        "  " + allocate_like(type_, n_, c_),
        "  call sidl_copy_objects(" + n_ + "%d_ior, " + c_ + ", " + info_of(type_.element()) + ")",
        "  call sidl_array_deleteref(" + c_ + ")",
        "end if"};
  }

  // Structs that are the same in C: as numbers, but that pointers show columns only.
  void plain_structures() {
    const std::string type = element_type(type_.element());
    const std::string shape = "(" + colons(type_) + ")";
    if (!out()) {
      dummy(type + ", intent(" + intent() + "), target", shape);
      if (use_.part == Part::send) {
        made("sidl_copy_structs(" + n_ + ", " + info_of(type_.element()) + ", " + zeros() +
             ", ex_)");
      } else {
        lend(n_);
      }
      return;
    }
    value_.can_be_pointer = true;
    if (use_.form != Form::pointer) return copied(type, "fill_array");
    dummy(type + ", pointer, intent(out)", shape);
    value_.attribute = Attribute::pointer;
    by_reference("type(c_ptr)");
    holder("type(c_ptr)");
    value_.before = {c_ + " = c_null_ptr", make_none(type_, n_)};
    value_.after = {expect(), "call sidl_keep_structs(" + c_ + ", ex_)",
                    "call " + array_part(*use_.index, type_, "point") + "(" + n_ + ", " + c_ + ")",
                    "call sidl_drop_empty(" + c_ + ")"};
  }

  // Structs that own something: Fortran and C have copies of their own.
  void structures() {
    const std::string shape = "(" + colons(type_) + ")";
    const std::string type = element_type(type_.element());
    value_.locals.push_back(
        {"type(" + member_of(type_.element().name(), "data") + "), pointer", e_ + shape});
    value_.takes_ex = true;
    if (in()) {
      dummy(type + ", intent(in), target", shape);
      by_value("type(c_ptr)");
      holder("type(c_ptr)");
      value_.before =
          new_structures(*use_.index, type_, n_, c_, e_, {"c_loc(" + n_ + ")", zeros(), "ex_"});
      value_.after = {"call sidl_array_deleteref(" + c_ + ")"};
      return;
    }
    dummy(type + ", allocatable, intent(inout), target", shape);
    value_.attribute = Attribute::allocatable;
    by_reference("type(c_ptr)");
    holder("type(c_ptr)");
    value_.before = {c_ + " = c_null_ptr"};
    if (!out()) {
      value_.before.push_back("if (allocated(" + n_ + ")) then");
      for (const std::string& line : new_structures(
               *use_.index, type_, n_, c_, e_, {"c_loc(" + n_ + ")", lower_bounds(n_), "ex_"})) {
        value_.before.push_back("  " + line);
      }
      value_.before.push_back("end if");
    }
    const std::string release = release_structures(*use_.index, type_, n_);
    value_.after = {"if (allocated(" + n_ + ")) then"};
    if (!release.empty()) value_.after.push_back("  " + release);
    value_.after.insert(value_.after.end(), {"  deallocate (" + n_ + ")", "end if", expect(),
                                             "call sidl_make_dense(" + c_ + ", ex_)",
                                             "if (c_associated(" + c_ + ")) then"});
    for (const std::string& line : take_structures(*use_.index, type_, n_, c_, e_, "ex_"))
      value_.after.push_back("  " + line);
    value_.after.insert(value_.after.end(), {"  call sidl_array_deleteref(" + c_ + ")", "end if"});
  }

  void raw() {
    const std::string type = element_type(type_.element());
    if (use_.part == Part::receive) {
      // The memory that was sent: its shape is known to libsidl.
      dummy(type + ", intent(inout), contiguous, target", "(" + colons(type_) + ")");
      value_.address = "c_loc(" + n_ + ")";
      return;
    }
    if (use_.indices == Indices::left_out) {
      dummy(type + ", intent(" + intent() + "), contiguous, target", "(" + colons(type_) + ")");
    } else {
      value_.late = true;
      dummy(type + ", intent(" + intent() + "), target", "(" + extents(type_, *use_.names) + ")");
    }
    lend(n_);
  }

  const Use& use_;
  const TypeRef& type_;
  const std::string n_, c_, p_, e_;
  Value value_;
};

}  // namespace

Value stub_value(const Use& use) {
  return Stub(use).run();
}

}  // namespace shinar::backends::fortran
