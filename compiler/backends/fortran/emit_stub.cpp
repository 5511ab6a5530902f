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

// "retval = method_(object_%object, n, ex_)"
std::string call_of(const Procedure& procedure) {
  std::vector<std::string> values;
  if (!procedure.is_static) values.push_back("object_%object");
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

void emit_locals(Printer& printer, const Procedure& procedure) {
  std::vector<Declaration> locals;
  for_each_value(procedure, [&](const Value& value) {
    locals.insert(locals.end(), value.locals.begin(), value.locals.end());
  });
  bool takes_ex = false;
  for_each_value(procedure, [&](const Value& value) { takes_ex = takes_ex || value.takes_ex; });
  locals.push_back({takes_ex ? "type(c_ptr), target" : "type(c_ptr)", "ex_"});
  if (procedure.part != Part::whole) {
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
  if (!procedure.is_static) {
    printer.line("call c_f_pointer(" + self.handle + "%d_ior, object_)");
    if (!self.is_super) printer.line("call c_f_pointer(object_%epv, epv_)");
  }
  printer.line("call c_f_procpointer(epv_%slots(" + std::to_string(procedure.slot) + "), method_)");
  printer.line(call_of(procedure));
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
  const bool is_direct = returns && procedure.returns_directly;
  if (returns && !is_direct) printer.line("if (c_associated(ex_)) " + reset);
  for_each_value(procedure, [&](const Value& value) { emit_lines(printer, value.after); });
  for_each_value(procedure, [&](const Value& value) { emit_lines(printer, value.last); });
  // As a number: gfortran takes pointers to be associated more often than not, and would lay the
  // code out for the exception.
  printer.line("if (transfer(ex_, 0_c_intptr_t) /= 0) then");
  if (is_direct) printer.line("  " + reset);
  printer.line("  call sidl_settle('" + procedure.where + "', '" + self.file +
               "', ex_, exception)");
  printer.line("else if (present(exception)) then");
  printer.line("  if (c_associated(exception%d_ior)) call exception%deleteRef()");
  printer.line("end if");
}

}  // namespace

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
                {"locals", [&] { emit_locals(printer, procedure); }},
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
