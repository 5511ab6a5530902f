// Arrays of an enum, of a class or of an interface in <package>_f77.f90: the subroutines for arrays
// of longs or of objects, under the names that codes of Babel's time call.
#include "backends/fortran/emit.hpp"
#include "backends/fortran/f77_emit.hpp"

namespace shinar::backends::fortran {
namespace {

using codegen::Printer;

enum class F77Kind { Int, Ints, Long, Longs, Logical, Element };

struct ArrayDummy {
  const char* name;
  F77Kind kind;
  bool is_out = false;
};

struct ArrayFunction {
  std::string name;
  std::vector<ArrayDummy> dummies;
};

constexpr ArrayDummy kArray{"array", F77Kind::Long};
constexpr ArrayDummy kResult{"result", F77Kind::Long, true};

void add_makers(std::vector<ArrayFunction>& functions) {
  for (const char* const name : {"createCol", "createRow"}) {
    const ArrayDummy dimen{"dimen", F77Kind::Int};
    functions.push_back(
        {name, {dimen, {"lower", F77Kind::Ints}, {"upper", F77Kind::Ints}, kResult}});
    functions.push_back({std::string(name) + "64",
                         {dimen, {"lower", F77Kind::Longs}, {"upper", F77Kind::Longs}, kResult}});
  }
  functions.push_back({"create1d", {{"len", F77Kind::Int}, kResult}});
  for (const char* const name : {"create2dCol", "create2dRow"}) {
    functions.push_back({name, {{"m", F77Kind::Int}, {"n", F77Kind::Int}, kResult}});
  }
  functions.push_back(
      {"ensure", {kArray, {"dimen", F77Kind::Int}, {"ordering", F77Kind::Int}, kResult}});
  for (const bool is_long : {false, true}) {
    ArrayFunction slice{is_long ? "slice64" : "slice", {kArray, {"dimen", F77Kind::Int}}};
    for (const char* const name : {"count", "start", "stride", "lower"}) {
      slice.dummies.push_back({name, is_long ? F77Kind::Longs : F77Kind::Ints});
    }
    slice.dummies.push_back(kResult);
    functions.push_back(std::move(slice));
  }
  functions.push_back({"copy", {{"from", F77Kind::Long}, {"to", F77Kind::Long}}});
}

void add_elements(std::vector<ArrayFunction>& functions) {
  static constexpr const char* kIndices[kMostDimensions] = {"i1", "i2", "i3", "i4",
                                                            "i5", "i6", "i7"};
  for (const bool gets : {true, false}) {
    const std::string verb = gets ? "get" : "set";
    const ArrayDummy value{"value", F77Kind::Element, gets};
    functions.push_back({verb, {kArray, {"indices", F77Kind::Ints}, value}});
    functions.push_back({verb + "64", {kArray, {"indices", F77Kind::Longs}, value}});
    ArrayFunction ranked{"", {kArray}};
    for (int rank = 1; rank <= kMostDimensions; ++rank) {
      ranked.dummies.push_back({kIndices[rank - 1], F77Kind::Int});
      functions.push_back({verb + std::to_string(rank), ranked.dummies});
      functions.back().dummies.push_back(value);
    }
  }
}

void add_shape(std::vector<ArrayFunction>& functions) {
  functions.push_back({"smartCopy", {kArray, kResult}});
  functions.push_back({"addRef", {kArray}});
  functions.push_back({"deleteRef", {kArray}});
  functions.push_back({"dimen", {kArray, {"result", F77Kind::Int, true}}});
  const ArrayDummy dim{"dim", F77Kind::Int};
  for (const char* const name : {"lower", "upper", "length", "stride"}) {
    functions.push_back({name, {kArray, dim, {"result", F77Kind::Int, true}}});
    functions.push_back({std::string(name) + "64", {kArray, dim, kResult}});
  }
  for (const char* const name : {"isColumnOrder", "isRowOrder"}) {
    functions.push_back({name, {kArray, {"result", F77Kind::Logical, true}}});
  }
}

const std::vector<ArrayFunction>& array_functions() {
  static const std::vector<ArrayFunction> all = [] {
    std::vector<ArrayFunction> made;
    add_makers(made);
    add_elements(made);
    add_shape(made);
    return made;
  }();
  return all;
}

std::string type_of(F77Kind kind, bool is_enum) {
  switch (kind) {
    case F77Kind::Int:
    case F77Kind::Ints:
      return "integer(c_int32_t)";
    case F77Kind::Logical:
      return "logical";
    case F77Kind::Element:
      return is_enum ? "integer(c_int32_t)" : "integer(c_int64_t)";
    default:
      return "integer(c_int64_t)";
  }
}

std::string declaration(const ArrayDummy& dummy, bool is_enum) {
  const bool is_list = dummy.kind == F77Kind::Ints || dummy.kind == F77Kind::Longs;
  return type_of(dummy.kind, is_enum) + ", intent(" + (dummy.is_out ? "out" : "in") +
         ") :: " + dummy.name + (is_list ? "(*)" : "");
}

void emit_array_function(Printer& printer, const F77Array& array, const ArrayFunction& function) {
  std::vector<std::string> dummies;
  std::vector<std::string> actuals;
  bool gets = false;
  for (const ArrayDummy& dummy : function.dummies) {
    const bool is_wide = array.is_enum && dummy.kind == F77Kind::Element;
    gets |= is_wide && dummy.is_out;
    dummies.emplace_back(dummy.name);
    actuals.emplace_back(!is_wide       ? dummy.name
                         : dummy.is_out ? "element"
                                        : "int(value, c_int64_t)");
  }
  const auto declarations = [&] {
    for (const ArrayDummy& dummy : function.dummies)
      printer.line(declaration(dummy, array.is_enum));
    if (gets) printer.line("integer(c_int64_t) :: element");
  };
  const std::string called = array.elements + "_array_" + function.name + "_f";
  printer.blank_line();
  printer.emit({{"name", array.procedure(function.name)},
                {"dummies", codegen::join(dummies)},
                {"declarations", declarations},
                {"called", called},
                {"actuals", codegen::join(actuals)},
                {"after", gets ? "value = int(element, c_int32_t)" : ""}},
               R"(
    recursive subroutine $name$($dummies$)
      use sidl_fortran77
      implicit none
      $declarations$
      external :: $called$
      call $called$($actuals$)
      $after$
    end subroutine $name$
  )");
}

}  // namespace

std::string F77Array::procedure(const std::string& function) const {
  return shorten(symbol + "__array_" + function + "_f");
}

std::vector<std::string> f77_array_names(const F77Array& array) {
  std::vector<std::string> names;
  for (const ArrayFunction& function : array_functions())
    names.push_back(array.procedure(function.name));
  return names;
}

void emit_f77_array(Printer& printer, const F77Array& array) {
  printer.blank_line();
  printer.line("! ---- arrays of " + array.type + ": as " + array.elements + "_array_..._f");
  for (const ArrayFunction& function : array_functions())
    emit_array_function(printer, array, function);
}

}  // namespace shinar::backends::fortran
