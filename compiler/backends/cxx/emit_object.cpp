// <Type>.hxx of a class or interface: a handle class and the inline bodies of its methods.
#include "backends/cxx/emit.hpp"
#include "codegen/c_types.hpp"
#include "codegen/doc_comment.hpp"
#include "codegen/line_wrap.hpp"
#include "codegen/names.hpp"

namespace shinar::backends::cxx {
namespace {

using codegen::Printer;

// The base that has what is the same for every class (sidl_handle.hxx), between as many columns of
// other text: "::sidl::class_handle<Solver, struct demo_Solver__object>".
std::string own_base(const ObjectModel& model, std::size_t before, std::size_t behind) {
  const std::string kind = !model.is_concrete   ? "::sidl::handle<"
                           : model.is_exception ? "::sidl::exception_handle<"
                                                : "::sidl::class_handle<";
  std::vector<std::string> arguments{model.local_name, "struct " + model.symbol + "__object"};
  if (!model.statics.empty()) arguments.push_back("struct " + model.symbol + "__sepv");
  const std::string line = kind + codegen::join(arguments) + ">";
  if (before + line.size() + behind <= codegen::kLineWidth) return line;
  const std::string separator = ",\n" + std::string(before + kind.size(), ' ');
  return kind + codegen::join(arguments, separator) + ">";
}

// "class Solver : public virtual ::demo::Operator, …", one base on each line if they are too long.
std::string class_head(const ObjectModel& model) {
  const std::string head = "class " + model.local_name;
  std::vector<std::string> parts;
  for (const std::string& base : model.bases) parts.push_back("public virtual " + base);
  parts.push_back("public " + own_base(model, 13, 2));
  const std::string line = head + " : " + codegen::join(parts) + " {";
  if (line.size() <= codegen::kLineWidth) return line;
  return head + "\n    : " + codegen::join(parts, ",\n      ") + " {";
}

// What the class has from its own base, and not from those of other handles.
void emit_own_names(Printer& printer, const ObjectModel& model) {
  printer.line("using _base::sepv_t, _base::type_name, _base::_get_ior, _base::_set_ior;");
  printer.line(model.is_concrete
                   ? "using _base::_create, _base::_connect, _base::_cast, _base::_wrapObj;"
                   : "using _base::_connect, _base::_cast;");
  if (model.statics.empty()) return;
  printer.emit(R"(
    using _base::_sexec, _base::_set_hooks_static, _base::_set_contracts_static,
        _base::_dump_stats_static;
  )");
}

void emit_handle(Printer& printer, const ObjectModel& model) {
  printer.emit({{"name", model.local_name},
                {"symbol", model.symbol},
                {"names", [&] { emit_own_names(printer, model); }}},
               R"(
    typedef struct $symbol$__object ior_t;
    $names$

    /** A nil handle. */
    $name$() noexcept {}

    /** Takes over a reference; a weak handle has none and relies on somebody else's. */
    $name$(ior_t* ior, bool isWeak = false) noexcept : ::sidl::StubBase(ior, isWeak), _base(ior) {}

    $name$(const $name$& other) noexcept : $name$(::sidl::share(other)) {}
    $name$($name$&& other) noexcept : $name$(::sidl::release(other)) {}
    $name$& operator=($name$ other) noexcept { return _base::_assign(other); }

    static constexpr const struct sidl_type_info* _type_info() noexcept { return &$symbol$__info; }
  )");
}

void emit_methods(Printer& printer, const ObjectModel& model) {
  for (const std::vector<MethodModel>* methods : {&model.stubs, &model.statics}) {
    for (const MethodModel& method : *methods) {
      printer.blank_line();
      emit_doc(printer, method.doc);
      printer.emit({{"static", method.is_static ? "static " : ""},
                    {"const", method.is_static || method.drops ? "" : " const"},
                    {"result", method.result},
                    {"name", method.name},
                    {"parameters", method.stub_parameters}},
                   "$static$$result$ $name$($parameters$)$const$;");
    }
  }
}

void emit_protected(Printer& printer, const ObjectModel& model) {
  const auto forget = [&] {
    for (const std::string& base : model.bases) printer.line(base + "::_forget();");
  };
  printer.line(" protected:");
  printer.indent();
  printer.emit({{"forget", forget}}, R"(
    void _forget() noexcept override {
      _base::d_ior = nullptr;
      $forget$
    }
  )");
  printer.outdent();
}

// Exceptions of this class are thrown as this handle wherever its header is included.
void emit_private(Printer& printer, const ObjectModel& model) {
  if (!model.is_exception) return;
  printer.blank_line();
  printer.line(" private:");
  printer.indent();
  printer.emit({{"name", model.local_name}, {"symbol", model.symbol}}, R"(
    [[gnu::visibility("hidden")]] static inline const ::sidl::known_exception d_known{
        &$symbol$__info, &::sidl::raise_as<$name$>};
  )");
  printer.outdent();
}

void emit_class(Printer& printer, const ObjectModel& model) {
  printer.emit({{"doc", [&] { emit_doc(printer, model.type->doc()); }},
                {"head", class_head(model)},
                {"base", "typedef " + own_base(model, 8, 9) + " _base;"},
                {"handle", [&] { emit_handle(printer, model); }},
                {"methods", [&] { emit_methods(printer, model); }},
                {"access", [&] { emit_protected(printer, model); }},
                {"private", [&] { emit_private(printer, model); }}},
               R"(
    $doc$
    $head$
      $base$

     public:
      $handle$
      $methods$

    $access$
    $private$
    };
  )");
}

void emit_bodies(Printer& printer, const ObjectModel& model) {
  for (const MethodModel& method : model.stubs) {
    const std::string self = model.is_class ? "_self" : "_self->d_object";
    const auto call = [&] {
      if (method.part != Part::whole) return emit_half(printer, method, "_self");
      emit_call(printer, method, {"_self->d_epv->f_" + method.long_name, self});
    };
    printer.emit({{"class", model.local_name},
                  {"result", method.result},
                  {"name", method.name},
                  {"parameters", method.stub_parameters},
                  {"const", method.drops ? "" : " const"},
                  {"call", call}},
                 R"(
      inline $result$
      $class$::$name$($parameters$)$const$
      {
        ior_t* const _self = _base::d_ior.of(*this);
        $call$
      }

    )");
  }
  for (const MethodModel& method : model.statics) {
    const auto call = [&] {
      if (method.part != Part::whole) return emit_half(printer, method, "nullptr");
      emit_call(printer, method, {"_base::_get_sepv()->f_" + method.long_name, ""});
    };
    printer.emit({{"class", model.local_name},
                  {"result", method.result},
                  {"name", method.name},
                  {"parameters", method.stub_parameters},
                  {"call", call}},
                 R"(
      inline $result$
      $class$::$name$($parameters$)
      {
        $call$
      }

    )");
  }
}

}  // namespace

void emit_call(Printer& printer, const MethodModel& method, const Call& call) {
  std::vector<std::string> passed;
  std::vector<std::string> settled;
  for (const std::string& statement : method.stub_prelude) printer.line(statement);
  if (!call.self.empty()) passed.push_back(call.self);
  printer.line("::sidl::exception_slot _ex;");
  for (const Argument& argument : method.stub_arguments) {
    if (!argument.local.empty()) printer.line(argument.local);
    if (!argument.settle.empty()) settled.push_back(argument.settle);
    passed.push_back(argument.pass);
  }
  passed.push_back("_ex.ptr()");
  const std::string expression = call.function + "(" + codegen::join(passed) + ")";
  if (method.result_form == ResultForm::none) {
    printer.line(expression + ";");
  } else if (method.result_form == ResultForm::plain) {
    printer.line(method.stub_variable + " = " + expression + ";");
  } else {
    printer.line("::sidl::returned<" + method.result + "> _result(" + expression + ", _ex);");
  }
  if (method.drops) printer.line("::sidl::StubBase::_drop();");
  if (!settled.empty()) printer.line("::sidl::store(" + codegen::join(settled) + ");");
  printer.line("_ex.check<" + method.throws + ">();");
  if (method.result_form == ResultForm::plain) {
    printer.line("return " + method.result_to_cxx + ";");
  } else if (method.result_form == ResultForm::owned) {
    printer.line("return _result.take();");
  }
}

void emit_object(Printer& printer, const ObjectModel& model) {
  printer.emit({{"guard", codegen::Namer::include_guard(model.symbol + ".hxx")},
                {"symbol", model.symbol},
                {"namespace", namespace_name(model.namespaces)},
                {"declaration",
                 [&] { emit_declaration(printer, model.namespaces, model.key, model.local_name); }},
                {"bases", [&] { emit_includes(printer, model.base_includes); }},
                {"values", [&] { emit_includes(printer, model.value_includes); }},
                {"forwards", [&] { emit_forwards(printer, model.forwards); }},
                {"class", [&] { emit_class(printer, model); }},
                {"uses", [&] { emit_includes(printer, model.use_includes); }},
                {"bodies", [&] { emit_bodies(printer, model); }}},
               R"(
    #ifndef $guard$

    $bases$

    /* Again, because the headers of the bases may have included this one. */
    #ifndef $guard$
    #define $guard$

    $declaration$
    #include "$symbol$_IOR.h"
    #include "sidl_handle.hxx"
    $values$

    $forwards$

    namespace $namespace$ {

    $class$

    }  // namespace $namespace$

    $uses$

    namespace $namespace$ {

    $bodies$
    }  // namespace $namespace$

    #endif
    #endif
  )");
}

}  // namespace shinar::backends::cxx
