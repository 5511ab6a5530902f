// A stub: the procedure that users call, from their arguments to the function of the object.
#include <algorithm>

#include "backends/fortran/emit.hpp"
#include "codegen/c_types.hpp"

namespace shinar::backends::fortran {
namespace {

using codegen::Printer;

std::vector<std::string> dummies(const Procedure& procedure, const std::string& first,
                                 const std::string& last) {
  std::vector<std::string> result;
  if (!procedure.is_static) result.push_back(first);
  for (const Value& value : procedure.arguments) {
    if (!value.is_computed) result.push_back(value.name);
  }
  result.push_back(last);
  return result;
}

void emit_dummies(Printer& printer, const Procedure& procedure) {
  for (const bool late : {false, true}) {
    for (const Value& value : procedure.arguments) {
      if (value.late == late) emit_lines(printer, value.dummy);
    }
  }
}

// Whether it calls a method of an object's own table, which sidl_find_method looks up.
bool is_of_object(const Procedure& procedure, const Self& self) {
  return procedure.part == Part::whole && !procedure.is_static && !self.is_super;
}

// "retval = method_(object_, n, ex_)"
std::string call_of(const Procedure& procedure, const Self& self) {
  std::vector<std::string> values;
  if (!procedure.is_static) values.push_back(self.is_super ? "object_%object" : "object_");
  for (const Value& value : procedure.arguments) {
    if (!value.is_result) values.push_back(value.actual);
  }
  values.push_back("ex_");
  const std::string call = "method_(" + codegen::join(values) + ")";
  return procedure.returned.empty() ? "call " + call : procedure.returned + " = " + call;
}

// The addresses of the arguments of the whole method, and the call of half of it.
void emit_half_call(Printer& printer, const Procedure& procedure, const Self& self) {
  for (std::size_t i = 0; i < procedure.positions.size(); ++i) {
    const int position = procedure.positions[i];
    const std::string address =
        position < 0 ? "c_null_ptr"
                     : procedure.arguments[static_cast<std::size_t>(position)].address;
    printer.line("args_(" + std::to_string(i + 1) + ") = " + address);
  }
  const std::string handle = procedure.is_static ? "c_null_ptr" : self.handle + "%d_ior";
  const std::string method = handle + ", " + self.info + ", " + std::to_string(procedure.slot);
  if (procedure.part == Part::send) {
    printer.line(procedure.returned + " = sidl_rmi_send(" + method + ", args_, ex_)");
    return;
  }
  const std::string retval =
      procedure.retval_address.empty() ? "c_null_ptr" : procedure.retval_address;
  printer.line("call sidl_rmi_receive(" + method + ", ticket_c, args_, " + retval + ", ex_)");
}

void emit_locals(Printer& printer, const Procedure& procedure, const Self& self) {
  std::vector<Declaration> locals;
  for_each_value(procedure, [&](const Value& value) {
    locals.insert(locals.end(), value.locals.begin(), value.locals.end());
  });
  bool takes_ex = false;
  for_each_value(procedure, [&](const Value& value) { takes_ex = takes_ex || value.takes_ex; });
  locals.push_back({takes_ex ? "type(c_ptr), target" : "type(c_ptr)", "ex_"});
  if (is_of_object(procedure, self)) {
    locals.push_back({"type(c_ptr)", "object_"});
    locals.push_back({"procedure(" + procedure.abstract + "), pointer", "method_"});
  } else if (procedure.part != Part::whole) {
    const std::size_t count = std::max<std::size_t>(procedure.positions.size(), 1);
    locals.push_back({"type(c_ptr)", "args_(" + std::to_string(count) + ")"});
  } else {
    if (!procedure.is_static) locals.push_back({"type(sidl_object), pointer", "object_"});
    locals.push_back({"type(sidl_epv), pointer", "epv_"});
    locals.push_back({"procedure(" + procedure.abstract + "), pointer", "method_"});
  }
  emit_declarations(printer, locals);
}

// What there is to say before the arguments are looked at: that there is no object, or no class.
void emit_begin(Printer& printer, const Procedure& procedure, const Self& self) {
  const bool has_object = !procedure.is_static && !self.is_super;
  if (!has_object && procedure.part == Part::whole) {
    const std::string functions = procedure.is_static ? "sidl_static_epv" : "sidl_super_epv";
    printer.line("call c_f_pointer(" + functions + "(" + self.info + ", ex_), epv_)");
    return;
  }
  printer.line("ex_ = c_null_ptr");
  if (!has_object) return;
  printer.line("if (.not. c_associated(" + self.handle + "%d_ior)) call sidl_no_object('" +
               procedure.where + "', ex_)");
}

void emit_call(Printer& printer, const Procedure& procedure, const Self& self) {
  if (procedure.part != Part::whole) {
    emit_half_call(printer, procedure, self);
    return;
  }
  if (self.is_super) printer.line("call c_f_pointer(" + self.handle + "%d_ior, object_)");
  const std::string number = std::to_string(procedure.slot);
  const std::string method = is_of_object(procedure, self) ? "sidl_find_method(" + self.handle +
                                                                 "%d_ior, " + number + ", object_)"
                                                           : "epv_%slots(" + number + ")";
  printer.line("call c_f_procpointer(" + method + ", method_)");
  printer.line(call_of(procedure, self));
}

void emit_body(Printer& printer, const Procedure& procedure, const Self& self) {
  emit_begin(printer, procedure, self);
  emit_lines(printer, procedure.indices);
  for_each_value(procedure, [&](const Value& value) { emit_lines(printer, value.before); });
  Lines failed;
  for_each_value(procedure, [&](const Value& value) {
    failed.insert(failed.end(), value.failed.begin(), value.failed.end());
  });
  printer.line("if (.not. c_associated(ex_)) then");
  printer.indent();
  emit_call(printer, procedure, self);
  printer.outdent();
  if (!failed.empty()) {
    printer.line("else");
    printer.indent();
    emit_lines(printer, failed);
    printer.outdent();
  }
  printer.line("end if");
  const std::string reset = procedure.returned + " = " + procedure.zero;
  const bool returns = procedure.part == Part::whole && !procedure.returned.empty();
  if (returns) printer.line("if (c_associated(ex_)) " + reset);
  for_each_value(procedure, [&](const Value& value) { emit_lines(printer, value.after); });
  for_each_value(procedure, [&](const Value& value) { emit_lines(printer, value.last); });
  if (self.is_super) {
    printer.line("if (c_associated(ex_) .or. present(exception)) call sidl_settle('" +
                 procedure.where + "', '" + self.file + "', ex_, exception)");
  } else {
    printer.line("call sidl_settle_call('" + procedure.where + "', ex_, exception)");
  }
}

}  // namespace

void emit_shared(Printer& printer, const std::string& module, const FileModel& model) {
  // Where the type is made it cannot be named; and what is passed as a class costs more.
  const bool is_sidl = model.name == "sidl";
  // As a number: gfortran takes pointers to be associated more often than not, and would lay the
  // code out for the exception.
  printer.emit({{"module", module},
                {"file", model.name + ".f90"},
                {"uses", is_sidl ? "" : "use sidl_BaseException__m"},
                {"exception", is_sidl ? "class(sidl_handle)" : "type(sidl_BaseException)"}},
               R"(
    ! What methods begin and end with. It is in this file so that compilers inline it.
    module $module$
      use, intrinsic :: iso_c_binding
      use sidl_fortran_binding
      $uses$
      implicit none

    contains
      ! A method in C, and the object that it is called with: those behind a reference.
      recursive function sidl_find_method(self, slot, object) result(method)
        type(c_ptr), intent(in) :: self
        integer, intent(in) :: slot
        type(c_ptr), intent(out) :: object
        type(c_funptr) :: method
        type(sidl_object), pointer :: pointers
        type(sidl_epv), pointer :: functions
        call c_f_pointer(self, pointers)
        call c_f_pointer(pointers%epv, functions)
        object = pointers%object
        method = functions%slots(slot)
      end function sidl_find_method

      ! What was thrown goes to the caller, if anything was; what an earlier call left is gone.
      recursive subroutine sidl_settle_call(where, ex, exception)
        character(*), intent(in) :: where
        type(c_ptr), intent(in) :: ex
        $exception$, intent(inout), optional :: exception
        if (transfer(ex, 0_c_intptr_t) /= 0) then
          call sidl_settle(where, '$file$', ex, exception)
        else if (present(exception)) then
          if (c_associated(exception%d_ior)) call exception%deleteRef()
        end if
      end subroutine sidl_settle_call
    end module $module$

  )");
}

void emit_stub(Printer& printer, const Procedure& procedure, const Self& self) {
  emit_doc(printer, procedure.doc);
  printer.emit({{"kind", procedure.result ? "function" : "subroutine"},
                {"name", procedure.name},
                {"names", codegen::join(dummies(procedure, "self", "exception"))},
                {"result", procedure.result ? " result(retval)" : ""},
                {"self", procedure.is_static ? "" : self.type + ", intent(in) :: self"},
                {"dummies", [&] { emit_dummies(printer, procedure); }},
                {"retval",
                 [&] {
                   if (procedure.result) emit_lines(printer, procedure.result->dummy);
                 }},
                {"locals", [&] { emit_locals(printer, procedure, self); }},
                {"body", [&] { emit_body(printer, procedure, self); }}},
               R"(
    recursive $kind$ $name$($names$)$result$
      $self$
      $dummies$
      type(sidl_BaseException), intent(inout), optional :: exception
      $retval$
      $locals$
      $body$
    end $kind$ $name$

  )");
}

}  // namespace shinar::backends::fortran
