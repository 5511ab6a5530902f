// Structs in <package>.f90: their types, in Fortran and as in C, and how one becomes the other.
#include "backends/fortran/emit.hpp"
#include "backends/fortran/names.hpp"

namespace shinar::backends::fortran {

void emit_struct_types(codegen::Printer& printer, const StructModel& model) {
  const auto members = [&] {
    for (const MemberModel& member : model.members) {
      emit_doc(printer, member.doc);
      printer.line(member.declaration);
    }
  };
  const auto c_members = [&] {
    for (const MemberModel& member : model.members) emit_lines(printer, member.c_declarations);
    if (model.members.empty()) printer.line("character(kind=c_char) :: d_empty = c_null_char");
  };
  const auto bindings = [&] {
    if (!model.counts) return;
    printer.outdent();
    printer.line("contains");
    printer.indent();
    printer.line("procedure :: " + model.assign + " => " + member_of(model.type->name(), "assign"));
    printer.line("generic :: assignment(=) => " + model.assign);
    printer.line("final :: " + member_of(model.type->name(), "finalise"));
  };
  printer.emit({{"doc", [&] { emit_doc(printer, model.type->doc()); }},
                {"name", model.fortran},
                {"attribute", model.is_interoperable ? ", bind(C)" : ""},
                {"data", member_of(model.type->name(), "data")},
                {"members", members},
                {"bindings", bindings},
                {"c_members", c_members}},
               R"(
    $doc$
    type$attribute$ :: $name$
      $members$
      $bindings$
    end type $name$

    ! The same in C.
    type, bind(C) :: $data$
      $c_members$
    end type $data$

  )");
}

void emit_conversions(codegen::Printer& printer, const StructModel& model) {
  const auto lines = [&](Lines MemberModel::*what) {
    return [&printer, &model, what] {
      for (const MemberModel& member : model.members) emit_lines(printer, member.*what);
    };
  };
  const auto to_c = [&] {
    // Raw arrays first: they need the previous lengths.
    for (const bool raw : {true, false}) {
      for (const MemberModel& member : model.members) {
        if (member.is_raw == raw) emit_lines(printer, member.to_c);
      }
    }
    if (model.members.empty()) printer.line("data%d_empty = c_null_char");
  };
  const auto from_c = [&] {
    lines (&MemberModel::from_c)();
    if (model.members.empty()) printer.line("value = " + model.fortran + "()");
  };
  const char* const raw_note =
      model.checks ? "! Raw arrays go to the memory that C has; `lends`: or are seen by it." : "";
  const auto raw_declarations = [&] {
    if (model.checks)
      emit_lines(printer, {"logical, intent(in) :: lends", "type(c_ptr), intent(inout) :: ex"});
  };
  printer.emit({{"name", model.fortran},
                {"data", member_of(model.type->name(), "data")},
                {"to_name", member_of(model.type->name(), "to_c")},
                {"from_name", member_of(model.type->name(), "from_c")},
                {"locals", lines(&MemberModel::locals)},
                {"to_c", to_c},
                {"from_c", from_c},
                {"elemental", model.checks ? "" : "impure elemental "},
                {"raw_note", raw_note},
                {"raw_dummies", model.checks ? ", lends, ex" : ""},
                {"raw_declarations", raw_declarations}},
               R"(
    ! Copies to the struct in C, which owns the copies.
    $raw_note$
    $elemental$recursive subroutine $to_name$(value, data$raw_dummies$)
      type($name$), intent(in), target :: value
      type($data$), intent(inout) :: data
      $raw_declarations$
      $locals$
      $to_c$
    end subroutine $to_name$

    ! Takes over what the struct in C owns.
    recursive subroutine $from_name$(data, value)
      type($data$), intent(inout) :: data
      type($name$), intent(inout), target :: value
      $locals$
      $from_c$
    end subroutine $from_name$

  )");
}

// Intrinsic assignment copies handles in nested structs without counting them, and a struct without
// a finaliser of its own may keep them (gfortran 12; see emit_object_procedures).
void emit_assignment(codegen::Printer& printer, const StructModel& model) {
  if (!model.counts) return;
  const auto members = [&] {
    for (const MemberModel& member : model.members) {
      const std::string left = "left%" + member.name;
      const std::string right = "right%" + member.name;
      if (member.allocates) {
        printer.line("if (allocated(" + right + ")) then");
        printer.line("  " + left + " = " + right);
        printer.line("else if (allocated(" + left + ")) then");
        printer.line("  deallocate (" + left + ")");
        printer.line("end if");
      } else {
        printer.line(left + " = " + right);
      }
    }
  };
  const auto released = [&] {
    for (const MemberModel& member : model.members) {
      if (!member.release.empty()) printer.line(member.release);
    }
  };
  printer.emit({{"name", member_of(model.type->name(), "assign")},
                {"finalise", member_of(model.type->name(), "finalise")},
                {"type", model.fortran},
                {"released", released},
                {"members", members}},
               R"(
    impure elemental recursive subroutine $name$(left, right)
      class($type$), intent(inout) :: left
      type($type$), intent(in) :: right
      $members$
    end subroutine $name$

    impure elemental recursive subroutine $finalise$(self)
      type($type$), intent(inout) :: self
      $released$
    end subroutine $finalise$

  )");
}

}  // namespace shinar::backends::fortran
