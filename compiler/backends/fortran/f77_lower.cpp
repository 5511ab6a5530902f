#include "backends/fortran/f77_lower.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "backends/fortran/names.hpp"
#include "codegen/banner.hpp"
#include "codegen/c_types.hpp"
#include "codegen/names.hpp"
#include "codegen/nonblocking.hpp"
#include "codegen/plan.hpp"

namespace shinar::backends::fortran {
namespace {

using codegen::Namer;
using codegen::TypeIndex;
using ir::Argument;
using ir::TypeRef;

TypeRef reference(TypeRef::Kind kind, const std::string& name = "") {
  TypeRef result;
  result.set_kind(kind);
  result.set_name(name);
  return result;
}

// A built-in function of the C binding, described as a method.
ir::Method built_in(const std::string& name, const std::string& doc, const TypeRef& result,
                    bool is_static) {
  ir::Method method;
  method.set_name(name);
  method.set_long_name(name);
  method.set_doc(doc);
  method.set_is_static(is_static);
  *method.mutable_result() = result;
  return method;
}

ir::Method& operator+=(ir::Method& method, const std::pair<TypeRef::Kind, const char*>& argument) {
  Argument& added = *method.add_arguments();
  added.set_mode(Argument::IN);
  added.set_name(argument.second);
  *added.mutable_type() = reference(argument.first);
  return method;
}

template <typename... Arguments>
ir::Method with(ir::Method method, Arguments... arguments) {
  ((method += std::pair<TypeRef::Kind, const char*>(arguments)), ...);
  return method;
}

class TypeLowering {
 public:
  explicit TypeLowering(const ir::Type& type) : type_(type), symbol_(Namer::symbol(type.name())) {}

  // `plan` is that of an object, `statics` are those that it inherits.
  F77Type run(const codegen::ObjectPlan* plan, std::span<const codegen::PlannedMethod> statics) {
    result_.symbol = codegen::symbol_line(type_);
    if (plan != nullptr) {
      object(*plan);
      for (const codegen::PlannedMethod& each : statics) add(*each.method);
    } else {
      structure();
    }
    return std::move(result_);
  }

 private:
  using Pair = std::pair<TypeRef::Kind, const char*>;

  // ---- objects ---------------------------------------------------------------------------------

  void object(const codegen::ObjectPlan& plan) {
    makers(plan.is_concrete);
    counting("_addRef", "sidl_f77_share", "Takes one more reference.");
    counting("_deleteRef", "sidl_f77_drop",
             "Gives one reference back; the last one ends the object. 0 is nothing to give back.");
    inquiries();
    switches(false);
    if (!plan.static_methods().empty()) switches(true);
    for (const codegen::PlannedMethod& planned : plan.methods) {
      // Reference counting is part of every type already.
      if (planned.slot == nullptr || planned.position >= codegen::kCountingSlots)
        add(*planned.method);
    }
  }

  void makers(bool is_concrete) {
    const TypeRef self = reference(TypeRef::CLASS, type_.name());
    const auto maker = [&](const char* name, const char* doc) {
      return built_in(name, doc, self, true);
    };
    if (is_concrete) {
      whole(maker("_create", "A new object of this class."));
      whole(with(maker("_createRemote", "A new object on the server `url`."),
                 Pair(TypeRef::STRING, "url")));
      // As in Babel, the object is the first argument.
      std::vector<F77Value>& values = result_.procedures.back().values;
      std::rotate(values.begin(), values.end() - 1, values.end());
    }
    whole(with(maker("_connect", "Attaches to the living object at `url`."),
               Pair(TypeRef::STRING, "url")));
    whole(
        with(maker("_cast", "Any object as this type, with a new reference; 0 if it is not of it."),
             Pair(TypeRef::OPAQUE, "object")));
  }

  void inquiries() {
    whole(
        built_in("_getURL", "Where the object can be reached.", reference(TypeRef::STRING), false));
    whole(built_in("_isRemote", "Whether the object lives in another process.",
                   reference(TypeRef::BOOL), false));
    whole(built_in("_isLocal", "Whether the object lives in this process.",
                   reference(TypeRef::BOOL), false));
  }

  void switches(bool is_static) {
    const std::string suffix = is_static ? "_static" : "";
    const std::string of = is_static ? " of the static methods." : " of the object.";
    const auto make = [&](const std::string& name, const std::string& doc) {
      return built_in(name + suffix, doc + of, reference(TypeRef::VOID), is_static);
    };
    whole(with(make("_set_hooks", "Switches the hooks on or off,"), Pair(TypeRef::BOOL, "enable")));
    whole(with(make("_set_contracts", "Switches the contracts on or off,"),
               Pair(TypeRef::BOOL, "enable"), Pair(TypeRef::STRING, "file"),
               Pair(TypeRef::BOOL, "reset")));
    whole(with(make("_dump_stats", "Adds what was counted for contracts to a file,"),
               Pair(TypeRef::STRING, "file"), Pair(TypeRef::STRING, "prefix")));
  }

  // Accepts any pointer to an object, and null.
  void counting(const std::string& name, const std::string& function, const std::string& doc) {
    F77Procedure procedure = named(name.substr(1), doc);
    F77Value self = f77_self(type_);
    self.c_locals.clear();
    self.may_fail = false;
    procedure.values.push_back(self);
    procedure.c_call = {function + "(sidl_f77_address(*self));"};
    result_.procedures.push_back(std::move(procedure));
  }

  // ---- methods ---------------------------------------------------------------------------------

  void add(const ir::Method& method) {
    whole(method, codegen::sidl_signature(method));
    for (const codegen::Half& half : codegen::halves_of(method)) whole(half.method);
  }

  // "tour_Kit_sum_f", which calls tour_Kit_sum of the C binding.
  F77Procedure named(const std::string& name, const std::string& doc) const {
    F77Procedure procedure;
    procedure.name = shorten(symbol_ + "_" + name + "_f");
    procedure.c_name = symbol_ + "_" + name + "__f77";
    procedure.where = type_.name() + "." + name;
    procedure.doc = doc;
    return procedure;
  }

  void whole(const ir::Method& method, const std::string& signature = "") {
    F77Procedure procedure = named(method.long_name(), method.doc());
    procedure.signature = signature;
    if (!method.is_static()) procedure.values.push_back(f77_self(type_));
    const std::vector<std::string> names = argument_names(type_.name(), method);
    for (int i = 0; i < method.arguments_size(); ++i) {
      const Argument& argument = method.arguments(i);
      procedure.values.push_back(f77_value(names[static_cast<std::size_t>(i)],
                                           Namer::argument(argument.name()), argument.mode(),
                                           argument.type()));
    }
    std::vector<std::string> actuals;
    for (const F77Value& value : procedure.values) actuals.push_back(value.c_actual);
    actuals.push_back("&_call.ex");
    const std::string call =
        symbol_ + "_" + method.long_name() + "(" + codegen::join(actuals) + ")";
    procedure.c_call = f77_store(method.result(), call);
    if (method.result().kind() != TypeRef::VOID) add_result(method.result(), procedure);
    result_.procedures.push_back(std::move(procedure));
  }

  // The statements of the call store it.
  static void add_result(const TypeRef& type, F77Procedure& procedure) {
    F77Value retval = f77_value("retval", "_retval", Argument::OUT, type);
    retval.c_locals.clear();
    retval.c_after.clear();
    procedure.values.push_back(std::move(retval));
  }

  // ---- structs ---------------------------------------------------------------------------------

  void structure() {
    const TypeRef self = reference(TypeRef::STRUCT, type_.name());
    F77Procedure create = named("_create", "A new struct, whose members are zero, empty and null.");
    create.c_call = f77_store(self, "{0}");
    add_result(self, create);
    result_.procedures.push_back(std::move(create));
    F77Procedure copy = named("_copy", "A copy, which is a struct of its own.");
    copy.values.push_back(f77_self(type_));
    copy.values.push_back(f77_value("copy", "copy", Argument::OUT, self));
    copy.c_call = {"sidl_f77_copy_struct(&_call, &" + symbol_ + "__info, _self, &_local_copy);"};
    result_.procedures.push_back(std::move(copy));
    F77Procedure destroy = named("_destroy", "Ends a struct; 0 is none.");
    destroy.values.push_back(f77_self(type_));
    F77Value& value = destroy.values.front();
    // A struct of another kind is left alone.
    value.c_locals = {"const sidl_bool _is_there = *self != 0 && sidl_f77_struct(&_call, self, &" +
                      symbol_ + "__info, \"self\");"};
    value.may_fail = false;
    destroy.c_call = {"if (_is_there) sidl_f77_delete_struct(*self);"};
    result_.procedures.push_back(std::move(destroy));
    const Lines places = f77_places(type_);
    for (const ir::Member& member : type_.structure().members()) {
      accessor("get_", "Gets", member, Argument::OUT, f77_get(member, places));
      accessor("set_", "Sets", member, Argument::IN, f77_set(member, places));
    }
    arrays();
  }

  // ---- arrays of structs ------------------------------------------------------------------------
  // What does not depend on the elements is in sidl__array_..._f.

  // A number of the caller's, or several.
  static F77Value number(const std::string& name, bool is_long, bool is_list) {
    const std::string bits = is_long ? "64" : "32";
    F77Value value;
    value.name = value.actual = value.c_actual = name;
    value.dummy = value.c_dummy =
        "integer(c_int" + bits + "_t), intent(in) :: " + name + (is_list ? "(*)" : "");
    value.c_parameter = "const int" + bits + "_t* " + name;
    return value;
  }

  TypeRef array_type() const {
    TypeRef array = reference(TypeRef::ARRAY);
    *array.mutable_element() = reference(TypeRef::STRUCT, type_.name());
    return array;
  }

  void arrays() {
    for (const bool is_long : {false, true}) {
      create("createCol", "first", "sidl_column_major_order", is_long);
      create("createRow", "last", "sidl_row_major_order", is_long);
    }
    F77Procedure procedure = named("_array_create1d", "A new array of one dimension, from 0.");
    procedure.values = {number("len", false, false)};
    procedure.c_call = {"const int64_t _lower = 0, _upper = (int64_t)*len - 1;"};
    create_call("64", "sidl_column_major_order, 1, &_lower, &_upper", procedure);
    create_2d("Col", "first", "sidl_column_major_order");
    create_2d("Row", "last", "sidl_row_major_order");
    ensure();
    slice(false);
    slice(true);
    copy();
    for (const bool gets : {true, false}) {
      element(
          "", {number("indices", false, true)},
          "sidl_f77_widen(indices, sidl__array_dimen((struct sidl__array*)_local_array)).values",
          gets);
      element("64", {number("indices", true, true)}, "indices", gets);
      std::vector<F77Value> values;
      std::vector<std::string> indices;
      for (int rank = 1; rank <= kMostDimensions; ++rank) {
        const std::string name = "i" + std::to_string(rank);
        values.push_back(number(name, false, false));
        indices.push_back("*" + name);
        element(std::to_string(rank), values, "(const int64_t[]){" + codegen::join(indices) + "}",
                gets);
      }
    }
  }

  void create(const std::string& name, const std::string& fastest, const std::string& order,
              bool is_long) {
    const std::string bits = is_long ? "64" : "";
    F77Procedure procedure = named("_array_" + name + bits, "A new array with these bounds; the " +
                                                                fastest + " index varies fastest.");
    procedure.values = {number("dimen", false, false), number("lower", is_long, true),
                        number("upper", is_long, true)};
    create_call(bits, order + ", *dimen, lower, upper", procedure);
  }

  void create_2d(const std::string& name, const std::string& fastest, const std::string& order) {
    F77Procedure procedure =
        named("_array_create2d" + name,
              "An m by n array, from 0; the " + fastest + " index varies fastest.");
    procedure.values = {number("m", false, false), number("n", false, false)};
    procedure.c_call = {
        "const int64_t _lower[] = {0, 0}, _upper[] = {(int64_t)*m - 1, (int64_t)*n - 1};"};
    create_call("64", order + ", 2, _lower, _upper", procedure);
  }

  // An array that goes in: `_local_name` in C.
  F77Value given(const std::string& name) const {
    return f77_value(name, name, Argument::IN, array_type());
  }

  void ensure() {
    F77Procedure procedure =
        named("_array_ensure",
              "The array in this order, with this number of dimensions: itself, or a copy.");
    procedure.values = {given("array"), number("dimen", false, false),
                        number("ordering", false, false)};
    procedure.c_call = {
        "*_retval = sidl_f77_handle(sidl__array_ensure((struct sidl__array*)_local_array, *dimen, "
        "*ordering));"};
    add_result(array_type(), procedure);
    result_.procedures.push_back(std::move(procedure));
  }

  void slice(bool is_long) {
    const std::string bits = is_long ? "64" : "";
    F77Procedure procedure = named("_array_slice" + bits,
                                   "A section, which shares the elements: count(d) of dimension d, "
                                   "from start(d) by stride(d).");
    procedure.values = {given("array"), number("dimen", false, false)};
    for (const char* const name : {"count", "start", "stride", "lower"}) {
      procedure.values.push_back(number(name, is_long, true));
    }
    procedure.c_call = {"*_retval = sidl_f77_slice_structs" + bits +
                        "(_local_array, *dimen, count, start, stride, lower);"};
    add_result(array_type(), procedure);
    result_.procedures.push_back(std::move(procedure));
  }

  void copy() {
    F77Procedure procedure = named("_array_copy", "Copies the elements that both arrays have.");
    procedure.values = {given("from"), given("to")};
    procedure.c_call = {
        "sidl__array_copy((struct sidl__array*)_local_from, (struct sidl__array*)_local_to);"};
    result_.procedures.push_back(std::move(procedure));
  }

  void create_call(const std::string& bits, const std::string& arguments, F77Procedure& procedure) {
    procedure.c_call.push_back("*_retval = sidl_f77_create_structs" + bits + "(&" + symbol_ +
                               "__info, " + arguments + ");");
    add_result(array_type(), procedure);
    result_.procedures.push_back(std::move(procedure));
  }

  // "get2", "set64": by `values`, which are the `indices` of the C function.
  void element(const std::string& suffix, const std::vector<F77Value>& values,
               const std::string& indices, bool gets) {
    const bool is_ranked = suffix.size() == 1;
    F77Procedure procedure =
        named("_array_" + std::string(gets ? "get" : "set") + suffix,
              gets ? "A copy of an element, which is a struct of its own; zero if there is none."
                   : "Makes an element, if there is one, a copy.");
    procedure.values = {f77_value("array", "array", Argument::IN, array_type())};
    procedure.values.insert(procedure.values.end(), values.begin(), values.end());
    procedure.values.push_back(f77_value("value", "value", gets ? Argument::OUT : Argument::IN,
                                         reference(TypeRef::STRUCT, type_.name())));
    const std::string count =
        is_ranked ? suffix : "sidl__array_dimen((struct sidl__array*)_local_array)";
    procedure.c_call = {std::string("sidl_f77_") + (gets ? "get" : "set") + "_element(&_call, &" +
                        symbol_ + "__info, _local_array, " + count + ", " + indices + ", " +
                        (gets ? "&_local_value" : "_local_value") + ");"};
    result_.procedures.push_back(std::move(procedure));
  }

  void accessor(const std::string& prefix, const std::string& verb, const ir::Member& member,
                Argument::Mode mode, Lines call) {
    F77Procedure procedure =
        named(prefix + member.name(), member.doc().empty() ? verb + " the member." : member.doc());
    procedure.values.push_back(f77_self(type_));
    procedure.values.push_back(f77_value("value", "value", mode, member.type()));
    procedure.c_call = std::move(call);
    result_.procedures.push_back(std::move(procedure));
  }

  const ir::Type& type_;
  const std::string symbol_;
  F77Type result_;
};

std::vector<std::string> includes_of(const ir::Type& type) {
  codegen::TypeMentions mentions;
  mentions.add(type.name());
  if (type.has_structure()) {
    for (const ir::Member& member : type.structure().members()) mentions.add(member.type());
  }
  return mentions.names();
}

void check(const ir::Type& type, const F77Type& lowered, NameCheck& names) {
  for (const F77Procedure& procedure : lowered.procedures) {
    names.add(procedure.name, procedure.where, type.span());
  }
}

F77Array array_of(const ir::Type& type) {
  const bool is_enum = type.has_enumeration();
  return {type.name(), Namer::symbol(type.name()), is_enum ? "sidl_long_" : "sidl_interface_",
          is_enum};
}

}  // namespace

std::vector<F77Package> lower_f77(const TypeIndex& index, std::vector<codegen::Problem>& problems) {
  std::vector<F77Package> result;
  NameCheck names(problems);
  for (const codegen::PackagePlan& package : codegen::plan_packages(index)) {
    if (package.types.empty()) continue;
    F77Package model;
    model.name = Namer::symbol(package.package->name());
    model.symbol = package.symbol_line;
    model.source = package.source;
    codegen::TypeMentions mentions;
    for (const ir::Type* type : package.types) {
      if (!type->has_structure() && index.is_typed_array_element(type->name())) {
        model.arrays.push_back(array_of(*type));
        for (const std::string& name : f77_array_names(model.arrays.back())) {
          names.add(name, "arrays of " + type->name(), type->span());
        }
      }
      if (type->has_enumeration()) {
        model.enums.push_back(type);
        continue;
      }
      for (const std::string& name : includes_of(*type)) mentions.add(name);
      std::optional<codegen::ObjectPlan> plan;
      std::vector<codegen::PlannedMethod> statics;
      if (type->has_object()) {
        plan = codegen::plan_object(index, *type);
        if (plan->is_class) statics = codegen::inherited_statics(index, *plan);
        for (const codegen::PlannedMethod& each : plan->methods) mentions.add(*each.method);
        for (const codegen::PlannedMethod& each : statics) mentions.add(*each.method);
      }
      model.types.push_back(TypeLowering(*type).run(plan ? &*plan : nullptr, statics));
      check(*type, model.types.back(), names);
    }
    for (const std::string& name : mentions.names()) {
      model.includes.push_back(Namer::symbol(name) + ".h");
    }
    std::ranges::sort(model.includes);
    result.push_back(std::move(model));
  }
  return result;
}

}  // namespace shinar::backends::fortran
