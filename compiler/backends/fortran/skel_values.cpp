// From the IOR to an implementation in Fortran and back: the arguments of skels.
#include "backends/fortran/names.hpp"
#include "backends/fortran/values.hpp"
#include "codegen/names.hpp"

namespace shinar::backends::fortran {
namespace {

using ir::Argument;
using ir::TypeRef;

// One argument while it is being lowered.
class Skel {
 public:
  explicit Skel(const Use& use)
      : use_(use),
        type_(*use.type),
        n_(use.name),
        f_(use.name + "_f"),
        d_(use.name + "_d"),
        e_(use.name + "_e") {}

  Value run() {
    value_.name = n_;
    switch (kind_of(type_)) {
      case Kind::plain:
        plain();
        break;
      case Kind::boolean:
        converted("logical", n_ + " /= 0", "sidl_bool(" + f_ + ")", ".false.");
        break;
      case Kind::complex:
        converted(element_type(type_), from_complex(type_, n_), to_complex(type_, f_), "0");
        break;
      case Kind::string:
        string();
        break;
      case Kind::structure:
        structure();
        break;
      case Kind::object:
      case Kind::any:
        handle();
        break;
      case Kind::array:
        array();
        break;
      case Kind::characters:
        copied("character(kind=c_char)", "sidl_fill_array",
               "sidl_make_array(" + f_ + ", sidl_char_array, " + lower_bounds(f_) + ", ex)");
        break;
      case Kind::strings:
        copied("character(:)", "sidl_fill_strings",
               "sidl_make_strings(" + f_ + ", " + lower_bounds(f_) + ", ex)");
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
  std::string intent() const { return in() ? "in" : out() ? "out" : "inout"; }
  std::string shape() const { return "(" + colons(type_) + ")"; }

  // The argument of the user's procedure, which hooks do not change.
  void user(const std::string& attributes, const std::string& intent,
            const std::string& suffix = "") {
    const std::string name = " :: " + n_ + suffix;
    value_.user_dummy = attributes + ", intent(" + intent + ")" + name;
    value_.hook_dummy = attributes + ", intent(in)" + name;
  }
  void dummy(const std::string& type, const std::string& more = "") {
    value_.dummy = {type + (in() ? ", value" : ", intent(inout)") + more + " :: " + n_};
  }
  void local(const std::string& type, const std::string& suffix = "") {
    value_.locals.push_back({type, f_ + suffix});
    value_.actual = f_;
  }

  void plain() {
    dummy(c_type(type_));
    user(element_type(type_), intent());
    value_.actual = n_;
    if (out()) value_.before = value_.failed = {n_ + " = " + c_zero(type_)};
  }

  void converted(const std::string& type, const std::string& from_c, const std::string& to_c,
                 const std::string& zero) {
    dummy(c_type(type_));
    user(type, intent());
    if (in()) {
      value_.actual = from_c;
      return;
    }
    local(type);
    value_.before = {f_ + " = " + (out() ? zero : from_c)};
    if (out()) value_.before.push_back(n_ + " = " + c_zero(type_));
    value_.after = {n_ + " = " + to_c};
  }

  void string() {
    dummy("type(c_ptr)");
    local("character(:), allocatable");
    user(in() ? "character(*)" : "character(:), allocatable", intent());
    if (out()) {
      value_.before = {n_ + " = c_null_ptr"};
    } else {
      value_.before = {"call sidl_copy_string(" + n_ + ", " + f_ + ")"};
    }
    if (in()) return;
    if (!out()) value_.after = {"call sidl_free_string(" + n_ + ")"};
    value_.after.push_back("call sidl_give_string(" + f_ + ", " + n_ + ")");
  }

  void structure() {
    const std::string data = member_of(type_.name(), "data");
    const std::string to_c = "call " + member_of(type_.name(), "to_c") + "(" + f_ + ", " + n_ +
                             (use_.index->has_raw_members(type_.name()) ? ", .false., ex)" : ")");
    value_.dummy = {"type(" + data + "), intent(" + (in() ? "in" : "inout") + ") :: " + n_};
    user(scalar_type(type_), in() ? "in" : "inout");
    local(scalar_type(type_) + ", target");
    const std::string from_c = "call " + member_of(type_.name(), "from_c") + "(";
    if (in()) {
      value_.locals.push_back({"type(" + data + ")", d_});
      value_.before = {"call sidl_struct_copy(" + info_of(type_) + ", " + n_ + ", " + d_ + ", ex)",
                       from_c + d_ + ", " + f_ + ")",
                       "call sidl_struct_destroy(" + info_of(type_) + ", " + d_ + ")"};
      return;
    }
    value_.before = {out() ? n_ + " = " + data + "()" : from_c + n_ + ", " + f_ + ")"};
    value_.after = {to_c};
    if (!out()) value_.failed = {to_c};
  }

  // A handle is its only component: the IOR's variable is seen as one.
  void handle() {
    dummy("type(c_ptr)", ", target");
    user(scalar_type(type_), in() ? "in" : "inout");
    local(scalar_type(type_) + ", pointer");
    if (out()) value_.before = {n_ + " = c_null_ptr"};
    value_.before.push_back("call c_f_pointer(c_loc(" + n_ + "), " + f_ + ")");
    if (out()) value_.failed = {"call " + f_ + "%deleteRef()"};
  }

  void array() {
    const std::string type = element_type(type_.element()) + ", pointer";
    dummy("type(c_ptr)");
    local(type, shape());
    user(type, intent(), shape());
    if (!out()) {
      value_.before = {make_none(type_, f_), "call sidl_view_array(" + f_ + ", " + n_ + ")"};
    } else {
      value_.before = {n_ + " = c_null_ptr", "nullify (" + f_ + ")"};
      value_.failed = {"if (associated(" + f_ + ")) call sidl_discard(" + f_ + ")"};
    }
    if (in()) return;
    value_.gives = true;
    const std::string code = array_code(type_);
    if (out()) {
      value_.after = {n_ + " = sidl_give_array(" + f_ + ", " + code + ", ex)"};
      return;
    }
    // Replaced arrays are released after all copying: results may point at their elements.
    value_.locals.push_back({"type(c_ptr)", d_});
    value_.after = {d_ + " = " + n_,
                    n_ + " = sidl_settle_array(" + f_ + ", " + code + ", " + n_ + ", ex)"};
    value_.last = {"if (.not. c_associated(" + d_ + ", " + n_ + ")) call sidl_array_deleteref(" +
                   d_ + ")"};
  }

  // Strings and characters: Fortran has copies of its own, which are not allocated for null.
  void copied(const std::string& type, const std::string& fill, const std::string& made) {
    dummy("type(c_ptr)");
    local(type + ", allocatable", shape());
    user(type + ", allocatable", intent(), shape());
    if (out()) {
      value_.before = {n_ + " = c_null_ptr"};
    } else {
      value_.before = {"if (c_associated(" + n_ + ")) then", "  " + allocate_like(type_, f_, n_),
                       "  call " + fill + "(" + f_ + ", " + n_ + ")"};
      none();
    }
    if (!in()) give(made);
  }

  void none() {
    for (const std::string& line : or_none(type_, f_)) value_.before.push_back(line);
  }

  // Makes the returned array from an allocatable.
  void give(const std::string& made) {
    if (!out()) {
      value_.after = {"call sidl_array_deleteref(" + n_ + ")", n_ + " = c_null_ptr"};
    }
    value_.after.push_back("if (allocated(" + f_ + ")) " + n_ + " = " + made);
  }

  void objects() {
    const std::string type = element_type(type_.element());
    dummy("type(c_ptr)");
    local(type + ", allocatable", shape());
    user(type + ", allocatable", in() ? "in" : "inout", shape());
    if (out()) {
      value_.before = {n_ + " = c_null_ptr"};
    } else {
      value_.before = {"if (c_associated(" + n_ + ")) then", "  " + allocate_like(type_, f_, n_),
                       "  call sidl_copy_objects(" + f_ + "%d_ior, " + n_ + ", " +
                           info_of(type_.element()) + ")"};
      none();
    }
    if (!in()) give("sidl_make_objects(" + f_ + "%d_ior, " + lower_bounds(f_) + ", ex)");
    // gfortran 12 takes an allocatable whose last bound is -1 for one of assumed size, and does not
    // finalise its elements.
    const std::string drop = "if (allocated(" + f_ + ")) call " + f_ + "%deleteRef()";
    value_.after.push_back(drop);
    value_.failed.push_back(drop);
  }

  // Structs that are the same in C: pointers show the array itself if it is in column order, else
  // a copy, which goes back.
  void plain_structures() {
    const std::string type = element_type(type_.element()) + ", pointer";
    const std::string given = f_ + ", " + info_of(type_.element()) + ", " + lower_bounds(f_) + ", ";
    dummy("type(c_ptr)");
    local(type, shape());
    user(type, intent(), shape());
    value_.gives = !in();
    if (out()) {
      value_.before = {n_ + " = c_null_ptr", "nullify (" + f_ + ")"};
      value_.failed = {"if (associated(" + f_ + ")) call sidl_discard(" + f_ + ")"};
      value_.after = {"if (associated(" + f_ + ")) " + n_ + " = sidl_give_structs(" + given +
                      "ex)"};
      return;
    }
    value_.locals.push_back({"type(c_ptr)", d_});
    value_.before = {
        d_ + " = sidl_dense(" + n_ + ")", make_none(type_, f_),
        "call " + array_part(*use_.index, type_, "point") + "(" + f_ + ", " + d_ + ")"};
    value_.last = value_.failed = {"call sidl_array_deleteref(" + d_ + ")"};
    if (in()) return;
    // As in array().
    value_.locals.push_back({"type(c_ptr)", e_});
    value_.after = {e_ + " = " + n_,
                    "if (associated(" + f_ + ")) then",
                    "  " + n_ + " = sidl_settle_structs(" + given + e_ + ", " + d_ + ", ex)",
                    "else",
                    "  " + n_ + " = c_null_ptr",
                    "end if"};
    value_.last.push_back("if (.not. c_associated(" + e_ + ", " + n_ +
                          ")) call sidl_array_deleteref(" + e_ + ")");
  }

  // Structs that own something: Fortran has copies of its own.
  void structures() {
    const std::string type = element_type(type_.element());
    dummy("type(c_ptr)");
    local(type + ", allocatable, target", shape());
    user(type + ", allocatable", in() ? "in" : "inout", shape());
    value_.locals.push_back(
        {"type(" + member_of(type_.element().name(), "data") + "), pointer", e_ + shape()});
    if (out()) {
      value_.before = {n_ + " = c_null_ptr"};
    } else {
      value_.locals.push_back({"type(c_ptr)", d_});
      value_.before = {d_ + " = sidl_dense(" + n_ + ")", "if (c_associated(" + d_ + ")) then"};
      for (const std::string& line : take_structures(*use_.index, type_, f_, d_, e_, "ex"))
        value_.before.push_back("  " + line);
      value_.before.push_back("  call sidl_array_deleteref(" + d_ + ")");
      none();
    }
    if (!in()) give_structures();
    const std::string release = release_structures(*use_.index, type_, f_);
    if (release.empty()) return;
    value_.after.push_back("if (allocated(" + f_ + ")) " + release);
    value_.failed.push_back(value_.after.back());
  }

  void give_structures() {
    if (!out()) {
      value_.after = {"call sidl_array_deleteref(" + n_ + ")", n_ + " = c_null_ptr"};
    }
    value_.after.push_back("if (allocated(" + f_ + ")) then");
    for (const std::string& line : new_structures(*use_.index, type_, f_, n_, e_,
                                                  {"c_loc(" + f_ + ")", lower_bounds(f_), "ex"})) {
      value_.after.push_back("  " + line);
    }
    value_.after.push_back("end if");
  }

  void raw() {
    const std::string type = element_type(type_.element());
    const std::string lengths = extents(type_, *use_.names);
    value_.late = true;
    dummy("type(c_ptr)");
    local(type + ", pointer, contiguous", shape());
    user(type, intent(), "(" + lengths + ")");
    value_.before = {"call c_f_pointer(sidl_array_first(" + n_ + "), " + f_ +
                     ", [integer(int64) :: " + lengths + "])"};
  }

  const Use& use_;
  const TypeRef& type_;
  const std::string n_, f_, d_, e_;
  Value value_;
};

// A raw array: C has a pointer, and beside it the owner of the memory if that is foreign. Neither
// side may say that it is longer than it is.
MemberModel raw_member(const std::string& where, const std::string& name, const TypeRef& type,
                       const std::vector<std::string>& names) {
  MemberModel member;
  member.is_raw = member.allocates = true;
  const std::string v = "value%" + name;
  const std::string d = "data%" + name;
  const std::string p = name + "_p";
  std::vector<std::string> here, there;
  for (const std::string& each : names) {
    here.push_back("value%" + each);
    there.push_back("data%" + each);
  }
  const std::string at = "[integer(int64) :: " + extents(type, there) + "])";
  const std::string wanted = "[integer(int64) :: " + extents(type, here) + "]";
  const auto refuse = [&](const std::string& has, const std::string& needs) {
    return "call sidl_refuse_raw('" + where + "'//c_null_char, " + has + ", " + needs + ", ex)";
  };
  const std::string size = "size(" + v + ", kind=int64)";
  member.declaration =
      element_type(type.element()) + ", allocatable :: " + name + "(" + colons(type) + ")";
  member.c_declarations = {"type(c_ptr) :: " + name + " = c_null_ptr",
                           "type(c_ptr) :: " + shorten(name + "__owner") + " = c_null_ptr"};
  member.locals = {element_type(type.element()) + ", pointer :: " + p + "(" + colons(type) + ")"};
  member.to_c = {"if (allocated(" + v + ")) then",
                 "  if (any(shape(" + v + ", int64) /= " + wanted + ")) then",
                 "    " + refuse(size, "product(" + wanted + ")"),
                 "  else if (c_associated(" + d + ")) then",
                 "    call c_f_pointer(" + d + ", " + p + ", " + at,
                 "    if (any(shape(" + p + ") /= shape(" + v + "))) then",
                 "      " + refuse(size, "size(" + p + ", kind=int64)"),
                 "    else",
                 "      " + p + " = " + v,
                 "    end if",
                 "  else if (lends) then",
                 "    " + d + " = c_loc(" + v + ")",
                 "  else if (" + size + " /= 0) then",
                 "    " + refuse(size, "-1_int64"),
                 "  end if",
                 "else if (product(" + wanted + ") /= 0) then",
                 "  " + refuse("-1_int64", "product(" + wanted + ")"),
                 "end if"};
  member.from_c = {"if (c_associated(" + d + ")) then",
                   "  call c_f_pointer(" + d + ", " + p + ", " + at,
                   "  if (.not. allocated(" + v + ")) then",
                   "    " + v + " = " + p,
                   "  else if (.not. c_associated(" + d + ", c_loc(" + v + "))) then",
                   "    " + v + " = " + p,
                   "  end if",
                   "end if"};
  return member;
}

// An array that lies in the struct, in C as well.
MemberModel inline_member(const std::string& name, const TypeRef& type, bool is_c) {
  MemberModel member;
  const TypeRef& element = type.element();
  std::string shape;
  for (const std::int64_t length : codegen::inline_lengths(type)) {
    shape += (shape.empty() ? "(" : ", ") + std::to_string(length);
  }
  const std::string place = " :: " + name + shape + ") = ";
  member.declaration =
      (is_c ? interoperable_type(element) : element_type(element)) + place + zero(element);
  // Complex numbers of both languages have the same bytes.
  const std::string c_zero_of = codegen::is_complex(element) ? "0" : c_zero(element);
  member.c_declarations = {interoperable_type(element) + place + c_zero_of};
  member.to_c = {"data%" + name + " = value%" + name};
  member.from_c = {"value%" + name + " = data%" + name};
  return member;
}

}  // namespace

Value skel_value(const Use& use) {
  return Skel(use).run();
}

MemberModel member_value(const codegen::TypeIndex& index, const std::string& structure,
                         const std::string& name, const TypeRef& type,
                         const std::vector<std::string>& names) {
  MemberModel member;
  const std::string v = "value%" + name;
  const std::string d = "data%" + name;
  const auto declare = [&](const std::string& fortran, const std::string& zero) {
    member.declaration = fortran + " :: " + name + (zero.empty() ? "" : " = " + zero);
  };
  const bool is_c = is_interoperable(index, structure);
  if (codegen::is_inline(type)) return inline_member(name, type, is_c);
  const std::string c = c_type(type) + " :: " + name;
  // A C pointer, owned by the owner of the struct.
  const auto handle = [&](const std::string& fortran, const std::string& component,
                          const std::string& take_one) {
    declare(fortran, "");
    member.c_declarations = {"type(c_ptr) :: " + name + " = c_null_ptr"};
    member.to_c = {d + " = " + v + component, take_one};
    member.from_c = {"call " + v + "%deleteRef()", v + component + " = " + d, d + " = c_null_ptr"};
    member.release = "call self%" + name + "%deleteRef()";
  };
  switch (kind_of(type)) {
    case Kind::plain:
      declare(is_c ? interoperable_type(type) : element_type(type), zero(type));
      member.c_declarations = {c + " = " + c_zero(type)};
      member.to_c = {d + " = " + v};
      member.from_c = {v + " = " + d};
      break;
    case Kind::boolean:
      declare("logical", ".false.");
      member.c_declarations = {c + " = 0"};
      member.to_c = {d + " = sidl_bool(" + v + ")"};
      member.from_c = {v + " = " + d + " /= 0"};
      break;
    case Kind::complex:
      declare(is_c ? interoperable_type(type) : element_type(type), "0");
      member.c_declarations = {c};
      member.to_c = {d + " = " + to_complex(type, v)};
      member.from_c = {v + " = " + from_complex(type, d)};
      break;
    case Kind::string:
      declare("character(:), allocatable", "");
      member.allocates = true;
      member.c_declarations = {c + " = c_null_ptr"};
      member.to_c = {"call sidl_give_string(" + v + ", " + d + ")"};
      member.from_c = {"call sidl_take_member(" + d + ", " + v + ")"};
      break;
    case Kind::structure:
      declare(scalar_type(type), "");
      member.c_declarations = {c};
      member.to_c = {"call " + member_of(type.name(), "to_c") + "(" + v + ", " + d +
                     (index.has_raw_members(type.name()) ? ", lends, ex)" : ")")};
      member.from_c = {"call " + member_of(type.name(), "from_c") + "(" + d + ", " + v + ")"};
      if (!is_plain(index, type.name())) {
        member.release =
            "self%" + name + " = " + shorten(codegen::Namer::symbol(type.name())) + "()";
      }
      break;
    case Kind::object:
      handle(scalar_type(type), "%d_ior", "call sidl_share(" + d + ")");
      break;
    case Kind::raw:
      return raw_member(structure + "." + name, name, type, names);
    default:
      handle("type(sidl_array)", "%d_array",
             "if (c_associated(" + d + ")) call sidl_array_addref(" + d + ")");
      break;
  }
  return member;
}

}  // namespace shinar::backends::fortran
