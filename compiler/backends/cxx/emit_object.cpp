// <Type>.hxx of a class or interface: a handle class and the inline bodies of its methods.
#include "backends/cxx/emit.hpp"
#include "codegen/c_types.hpp"
#include "codegen/doc_comment.hpp"
#include "codegen/line_wrap.hpp"
#include "codegen/names.hpp"

namespace shinar::backends::cxx {
namespace {

using codegen::Printer;

// "class Solver : public virtual ::demo::Operator, …", one base on each line if they are too long.
std::string class_head(const ObjectModel& model) {
  std::vector<std::string> parts;
  for (const std::string& base : model.bases) parts.push_back("public virtual " + base);
  const std::string head = "class " + model.local_name;
  const std::string line = head + " : " + codegen::join(parts) + " {";
  if (line.size() <= codegen::kLineWidth) return line;
  std::string lines = head;
  for (const std::string& part : parts) {
    lines += &part == &parts.front() ? "\n    : " : ",\n      ";
    lines += part;
  }
  return lines + " {";
}

void emit_creation(Printer& printer, const ObjectModel& model) {
  if (!model.is_concrete) return;
  if (model.is_exception) {
    printer.emit({{"name", model.local_name}}, R"(

      /** Creates an exception, whose trace begins at the caller. */
      static $name$ _create(::sidl::place where = ::sidl::place::here()) {
        return ::sidl::create_exception<$name$>(where);
      }

      /** Creates an object on the server `url`. */
    )");
  } else {
    printer.emit({{"name", model.local_name}}, R"(

      /** Creates an object, in this process or on the server `url`. */
      static $name$ _create() { return ::sidl::create<$name$>(); }
    )");
  }
  printer.emit({{"name", model.local_name}}, R"(
    static $name$ _create(const ::std::string& url) {
      return ::sidl::create_remote<$name$>(url);
    }

    /** An object around Impl data that exists already. */
    static ior_t* _wrapObj(void* data) { return ::sidl::wrap<$name$>(data); }
  )");
}

// What every handle class has: sidl_cxx.hxx does the work.
void emit_handle(Printer& printer, const ObjectModel& model) {
  printer.emit({{"name", model.local_name},
                {"symbol", model.symbol},
                {"type", model.name},
                {"creation", [&] { emit_creation(printer, model); }}},
               R"(
    /** A nil handle. */
    $name$() noexcept {}

    /** Takes over a reference; a weak handle has none and relies on somebody else's. */
    $name$(ior_t* ior, bool isWeak = false) noexcept
        : ::sidl::StubBase(ior, isWeak), d_ior(ior) {}

    $name$(const $name$& other) noexcept : $name$(::sidl::share(other)) {}
    $name$($name$&& other) noexcept : $name$(::sidl::release(other)) {}
    $name$& operator=($name$ other) noexcept {
      _set_ior(::sidl::release(other));
      return *this;
    }
    $creation$

    /** Attaches to the living object `url`; without `ar` it brought a reference along. */
    static $name$ _connect(const ::std::string& url, bool ar = true) {
      return ::sidl::connect<$name$>(url, ar);
    }

    /** Any object as a $type$, with a new reference; NULL if it is none. */
    static ior_t* _cast(const void* object) { return ::sidl::cast<$name$>(object); }

    static const char* type_name() noexcept { return "$type$"; }
    static constexpr const struct sidl_type_info* _type_info() noexcept { return &$symbol$__info; }

    ior_t* _get_ior() const noexcept { return d_ior.get(*this); }

    /** Takes over a reference; the one the handle had is given back. */
    void _set_ior(ior_t* ior) noexcept {
      _reset(ior);
      d_ior = ior;
    }
  )");
}

// What concerns the static methods as a whole.
void emit_static_handling(Printer& printer, const ObjectModel& model) {
  if (model.statics.empty()) return;
  printer.emit({{"name", model.local_name}}, R"(

    /** Calls a static method by its long name, with packed arguments. */
    static void _sexec(const ::std::string& method, const ::sidl::rmi::Call& arguments,
                       const ::sidl::rmi::Return& results) {
      ::sidl::static_exec<$name$>(method, arguments, results);
    }

    /** As _set_hooks, _set_contracts and _dump_stats, for the static methods. */
    static void _set_hooks_static(bool enable) { ::sidl::set_hooks_static<$name$>(enable); }
    static void _set_contracts_static(bool enable, const ::std::string& file, bool reset) {
      ::sidl::set_contracts_static<$name$>(enable, file, reset);
    }
    static void _dump_stats_static(const ::std::string& file, const ::std::string& prefix) {
      ::sidl::dump_stats_static<$name$>(file, prefix);
    }
  )");
}

void emit_methods(Printer& printer, const ObjectModel& model) {
  for (const std::vector<MethodModel>* methods : {&model.stubs, &model.statics}) {
    for (const MethodModel& method : *methods) {
      printer.blank_line();
      emit_doc(printer, method.doc);
      printer.emit({{"static", method.is_static ? "static " : ""},
                    {"const", method.is_static ? "" : " const"},
                    {"result", method.result},
                    {"name", method.name},
                    {"parameters", method.stub_parameters}},
                   "$static$$result$ $name$($parameters$)$const$;");
    }
  }
}

void emit_private(Printer& printer, const ObjectModel& model) {
  const auto forget = [&] {
    for (const std::string& base : model.bases) printer.line(base + "::_forget();");
  };
  const auto sepv = [&] {
    if (model.statics.empty()) return;
    printer.emit({{"name", model.local_name}}, R"(
      static const sepv_t* _get_sepv() {
        static const sepv_t* const sepv = ::sidl::static_epv<$name$>();
        return sepv;
      }

    )");
  };
  printer.line(" protected:");
  printer.indent();
  printer.emit({{"forget", forget}}, R"(
      void _forget() noexcept override {
        d_ior = nullptr;
        $forget$
      }

  )");
  printer.outdent();
  printer.line(" private:");
  printer.indent();
  const auto known = [&] {
    if (!model.is_exception) return;
    printer.emit({{"name", model.local_name}, {"symbol", model.symbol}}, R"(
      [[gnu::visibility("hidden")]] static inline const ::sidl::known_exception d_known{
          &$symbol$__info, &::sidl::raise_as<$name$>};
    )");
  };
  printer.emit({{"sepv", sepv}, {"known", known}}, R"(
      $sepv$
      $known$
      ::sidl::ior_cache<ior_t> d_ior;
  )");
  printer.outdent();
}

void emit_class(Printer& printer, const ObjectModel& model) {
  printer.emit({{"doc", [&] { emit_doc(printer, model.type->doc()); }},
                {"symbol", model.symbol},
                {"head", class_head(model)},
                {"handle", [&] { emit_handle(printer, model); }},
                {"statics", [&] { emit_static_handling(printer, model); }},
                {"methods", [&] { emit_methods(printer, model); }},
                {"private", [&] { emit_private(printer, model); }}},
               R"(
    $doc$
    $head$
     public:
      typedef struct $symbol$__object ior_t;
      typedef struct sidl_class ext_t;
      typedef struct $symbol$__sepv sepv_t;

      $handle$
      $statics$
      $methods$

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
                  {"call", call}},
                 R"(
      inline $result$
      $class$::$name$($parameters$) const
      {
        ior_t* const _self = d_ior.of(*this);
        $call$
      }

    )");
  }
  for (const MethodModel& method : model.statics) {
    const auto call = [&] {
      if (method.part != Part::whole) return emit_half(printer, method, "nullptr");
      emit_call(printer, method, {"_get_sepv()->f_" + method.long_name, ""});
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
    #include "sidl_cxx.hxx"
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
