// <package>_f77.f90, <package>_f77.c and <package>.inc.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "backends/fortran/emit.hpp"
#include "backends/fortran/f77_emit.hpp"
#include "backends/fortran/names.hpp"
#include "codegen/c_types.hpp"
#include "codegen/names.hpp"

namespace shinar::backends::fortran {
namespace {

using codegen::Printer;

constexpr std::size_t kFixedWidth = 72;  // where a line of fixed source ends

std::vector<std::string> dummies(const F77Procedure& procedure) {
  std::vector<std::string> result;
  for (const F77Value& value : procedure.values) result.push_back(value.name);
  result.push_back("exception");
  return result;
}

void emit_lines_of(Printer& printer, const F77Procedure& procedure, std::string F77Value::*what) {
  for (const F77Value& value : procedure.values) {
    if (!(value.*what).empty()) printer.line(value.*what);
  }
}

void emit_subroutine(Printer& printer, const F77Procedure& procedure) {
  printer.blank_line();
  std::vector<std::string> actuals;
  for (const F77Value& value : procedure.values) actuals.push_back(value.actual);
  actuals.push_back("exception");
  const auto lines = [&](std::string F77Value::*what) {
    return [&printer, &procedure, what] { emit_lines_of(printer, procedure, what); };
  };
  const auto comments = [&] {
    emit_doc(printer, procedure.doc);
    if (!procedure.signature.empty()) printer.line("! " + procedure.signature);
  };
  printer.emit({{"comments", comments},
                {"name", procedure.name},
                {"c_name", procedure.c_name},
                {"dummies", codegen::join(dummies(procedure))},
                {"declarations", lines(&F77Value::dummy)},
                {"locals", lines(&F77Value::local)},
                {"c_declarations", lines(&F77Value::c_dummy)},
                {"before", lines(&F77Value::before)},
                {"actuals", codegen::join(actuals)},
                {"after", lines(&F77Value::after)}},
               R"(
    $comments$
    recursive subroutine $name$($dummies$)
      use sidl_fortran77
      implicit none
      $declarations$
      integer(c_int64_t), intent(out) :: exception
      $locals$
      interface
        subroutine method_($dummies$) bind(C, name='$c_name$')
          import
          $c_declarations$
          integer(c_int64_t), intent(out) :: exception
        end subroutine method_
      end interface
      $before$
      call method_($actuals$)
      $after$
    end subroutine $name$
  )");
}

void emit_function(Printer& printer, const F77Procedure& procedure) {
  printer.blank_line();
  std::vector<std::string> parameters;
  for (const F77Value& value : procedure.values) parameters.push_back(value.c_parameter);
  parameters.push_back("int64_t* _exception");
  const bool may_fail = std::ranges::any_of(procedure.values, &F77Value::may_fail);
  const auto locals = [&] {
    for (const F77Value& value : procedure.values) emit_lines(printer, value.c_locals);
  };
  // The stub in C does that itself, if it is called.
  const auto zero = [&] {
    if (may_fail) emit_lines_of(printer, procedure, &F77Value::c_zero);
  };
  const auto call = [&] {
    emit_lines_of(printer, procedure, &F77Value::c_before);
    emit_lines(printer, procedure.c_call);
    for (const F77Value& value : procedure.values) emit_lines(printer, value.c_after);
  };
  const auto guarded = [&] {
    if (!may_fail) return call();
    printer.line("if (!_call.ex) {");
    printer.indent();
    call();
    printer.outdent();
    printer.line("}");
  };
  printer.emit({{"name", procedure.c_name},
                {"where", procedure.where},
                {"parameters", codegen::join(parameters)},
                {"locals", locals},
                {"zero", zero},
                {"call", guarded}},
               R"(
    SIDL_F77_GLUE void
    $name$($parameters$)
    {
      struct sidl_f77_call _call = {NULL, "$where$", NULL};
      $locals$
      $zero$
      $call$
      sidl_f77_end(&_call, _exception);
    }
  )");
}

// A statement valid in fixed and in free source: a continued line has an '&' right of fixed
// source's last column, and the next one has one in fixed source's continuation column.
std::string statement(const std::string& code) {
  std::string result;
  std::string line = "      " + code;
  while (line.size() > kFixedWidth) {
    const std::size_t at = line.find_last_of(' ', kFixedWidth);
    std::string begun = line.substr(0, at);
    begun.resize(kFixedWidth, ' ');
    result += begun + "&\n";
    line = "     &" + line.substr(at);
  }
  return result + line + "\n";
}

// The smallest integer has no literal, because a sign is an operator.
std::string literal(std::int32_t value) {
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
  return value == least ? std::to_string(least + 1) + "-1" : std::to_string(value);
}

std::string constants(const ir::Type& type, const std::string& prefix) {
  std::string result = "!\n! enum " + type.name() + "\n";
  for (const ir::Enumerator& each : type.enumeration().enumerators()) {
    const std::string name = shorten(prefix + each.name());
    result += statement("integer*4 " + name);
    result += statement("parameter (" + name + " = " + literal(each.value()) + ")");
  }
  return result;
}

}  // namespace

void emit_f77(Printer& printer, const F77Package& model) {
  for (const F77Type& type : model.types) {
    printer.blank_line();
    printer.line("! ---- " + type.symbol);
    for (const F77Procedure& each : type.procedures) emit_subroutine(printer, each);
  }
  for (const F77Array& array : model.arrays) emit_f77_array(printer, array);
}

void emit_f77_c(Printer& printer, const F77Package& model) {
  printer.line("#include \"sidl_fortran77.h\"");
  for (const std::string& header : model.includes) printer.line("#include \"" + header + "\"");
  for (const F77Type& type : model.types) {
    printer.blank_line();
    printer.line("/* ---- " + type.symbol + " */");
    for (const F77Procedure& each : type.procedures) emit_function(printer, each);
  }
}

std::string f77_constants(const F77Package& model) {
  std::string result;
  for (const ir::Type* type : model.enums) {
    result += constants(*type, codegen::Namer::symbol(type->name()) + "_");
  }
  return result;
}

std::string f77_constants(const ir::Type& enumeration) {
  return constants(enumeration, "");
}

}  // namespace shinar::backends::fortran
