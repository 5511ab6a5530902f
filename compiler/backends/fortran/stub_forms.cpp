#include "backends/fortran/stub_forms.hpp"

#include <algorithm>

#include "backends/fortran/values.hpp"
#include "codegen/c_types.hpp"
#include "codegen/raw_arrays.hpp"

namespace shinar::backends::fortran {

std::string mark_of(Form form, Indices indices) {
  const std::string mark = form == Form::pointer ? "p" : form == Form::handle ? "a" : "";
  return (indices == Indices::left_out ? "s" : "") + mark;
}

std::string prefix_of(Form form, Indices indices) {
  const std::string letter = form == Form::pointer ? "p" : form == Form::handle ? "a" : "m";
  return letter + (indices == Indices::left_out ? "__" : "_");
}

std::vector<Form> forms_of(const ir::Method& method, const Procedure& procedure) {
  std::vector<Form> forms{Form::allocatable};
  if (std::ranges::any_of(procedure.arguments, &Value::can_be_pointer))
    forms.push_back(Form::pointer);
  if (is_typed_array(method.result()) ||
      std::ranges::any_of(method.arguments(), is_typed_array, &ir::Argument::type)) {
    forms.push_back(Form::handle);
  }
  return forms;
}

std::vector<Indices> indices_of(const ir::Method& method) {
  for (int i = 0; i < method.arguments_size(); ++i) {
    if (codegen::index_source(method, static_cast<std::uint32_t>(i))) {
      return {Indices::given, Indices::left_out};
    }
  }
  return {Indices::given};
}

void leave_indices_out(const ir::Method& method, const std::vector<std::string>& names,
                       Procedure& procedure) {
  std::vector<std::string> computed(names.size());  // "n = size(x, 1)", for messages
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto source = codegen::index_source(method, static_cast<std::uint32_t>(i));
    if (!source) continue;
    Value& value = procedure.arguments[i];
    const std::string& array = names[static_cast<std::size_t>(source->array)];
    value.is_computed = true;
    value.dummy.clear();
    value.locals.insert(value.locals.begin(),
                        {element_type(method.arguments(static_cast<int>(i)).type()), value.name});
    computed[i] = value.name + " = " + index_text(*source, "size", array);
    const std::string length = index_text(*source, "sidl_length", array);
    const bool is_long = method.arguments(static_cast<int>(i)).type().kind() == ir::TypeRef::LONG;
    procedure.indices.push_back(value.name + " = " +
                                (is_long ? length
                                         : "sidl_int_index(" + length + ", '" + procedure.where +
                                               ": " + computed[i] + "'//c_null_char, ex_)"));
  }
  for (int i = 0; i < method.arguments_size(); ++i) {
    const ir::TypeRef& type = method.arguments(i).type();
    if (!codegen::is_raw(type)) continue;
    std::vector<std::string> by;
    for (const ir::Expression& extent : type.extents()) {
      const auto variable = codegen::extent_variable(extent);
      if (!variable || computed[*variable].empty()) continue;
      if (std::ranges::find(by, computed[*variable]) == by.end()) {
        by.push_back(computed[*variable]);
      }
    }
    const std::string& name = names[static_cast<std::size_t>(i)];
    procedure.indices.push_back("call sidl_check_shape(" + name + ", [integer(int64) :: " +
                                extents(type, names) + "], '" + procedure.where + ": " + name +
                                "'//c_null_char, '" + codegen::join(by) + "'//c_null_char, ex_)");
  }
}

}  // namespace shinar::backends::fortran
