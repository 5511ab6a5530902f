// The bodies of m_send and m_recv: libsidl gets the addresses of the arguments that an IOR call
// would have.
#include "backends/cxx/emit.hpp"
#include "codegen/c_types.hpp"

namespace shinar::backends::cxx {
namespace {

using codegen::Printer;

// Declares `_args`; returns what is passed for them.
std::string emit_addresses(Printer& printer, const MethodModel& method) {
  if (method.addresses.empty()) return "nullptr";
  printer.line("void* const _args[] = {" + codegen::join(method.addresses) + "};");
  return "_args";
}

void emit_send(Printer& printer, const MethodModel& method, const std::string& self) {
  const std::string args = emit_addresses(printer, method);
  printer.emit({{"ticket", method.result}, {"self", self}, {"info", method.info}, {"args", args}},
               R"(
    ::sidl::returned<$ticket$> _result(sidl_rmi_send($self$, $info$, $args$, _ex.ptr()), _ex);
    _ex.check<>();
    return _result.take();
  )");
}

void emit_receive(Printer& printer, const MethodModel& method, const std::string& self) {
  const std::string args = emit_addresses(printer, method);
  const bool returns = method.result_form != ResultForm::none;
  const bool owned = method.result_form == ResultForm::owned;
  const std::string variable = owned ? "_retval" : "_result";
  if (returns) printer.line(method.ior_result + " " + variable + "{};");
  printer.line(method.receiver + "(" +
               codegen::join({self, method.info, "_ticket._get_ior()", args,
                              returns ? "&" + variable : "nullptr", "_ex.ptr()"}) +
               ");");
  if (owned) printer.line("::sidl::returned<" + method.result + "> _result(_retval, _ex);");
  std::vector<std::string> settled;
  for (const Argument& argument : method.stub_arguments) {
    if (!argument.settle.empty()) settled.push_back(argument.settle);
  }
  if (!settled.empty()) printer.line("::sidl::store(" + codegen::join(settled) + ");");
  printer.line("_ex.check<" + method.throws + ">();");
  if (returns) printer.line("return " + (owned ? "_result.take()" : method.result_to_cxx) + ";");
}

}  // namespace

void emit_half(Printer& printer, const MethodModel& method, const std::string& self) {
  for (const std::string& statement : method.stub_prelude) printer.line(statement);
  printer.line("::sidl::exception_slot _ex;");
  for (const Argument& argument : method.stub_arguments) {
    if (!argument.lent.empty()) printer.line(argument.lent);
    if (!argument.local.empty()) printer.line(argument.local);
  }
  if (method.part == Part::send) {
    emit_send(printer, method, self);
  } else {
    emit_receive(printer, method, self);
  }
}

}  // namespace shinar::backends::cxx
