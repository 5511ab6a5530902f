// <Type>_Impl.hxx and <Type>_Impl.cxx: what the user fills in between splicer marks.
#include "backends/cxx/emit.hpp"
#include "codegen/c_types.hpp"
#include "codegen/doc_comment.hpp"
#include "codegen/names.hpp"
#include "codegen/splicers.hpp"

namespace shinar::backends::cxx {
namespace {

using codegen::CommentStyle;
using codegen::Printer;

// A splicer block with the text it has until the user changes it.
void emit_splicer(Printer& printer, const ObjectModel& model, const std::string& block,
                  const std::string& text = "") {
  const std::string name = model.name + "." + block;
  printer.line(codegen::splicer_begin(name, CommentStyle::cxx));
  if (!text.empty()) printer.line(text);
  printer.line(codegen::splicer_end(name, CommentStyle::cxx));
}

bool has_super(const ObjectModel& model) {
  for (const MethodModel& method : model.impl) {
    if (method.overrides) return true;
  }
  return false;
}

void emit_super(Printer& printer, const ObjectModel& model) {
  if (!has_super(model)) return;
  const auto methods = [&] {
    for (const MethodModel& method : model.impl) {
      if (!method.overrides) continue;
      printer.line(method.result + " " + method.name + "(" + method.stub_parameters + ") const;");
    }
  };
  printer.emit({{"symbol", model.symbol}, {"methods", methods}}, R"(

    /** The methods of the parent class that this class overrides. */
    class Super {
     public:
      explicit Super(struct $symbol$__object* self) noexcept : d_super_self(self) {}
      $methods$

     private:
      struct $symbol$__object* d_super_self;
    };
    Super super;

  )");
}

void emit_method_declarations(Printer& printer, const ObjectModel& model) {
  const auto declare = [&](const MethodModel& method) {
    printer.blank_line();
    emit_doc(printer, method.doc);
    printer.emit({{"static", method.is_static ? "static " : ""},
                  {"result", method.result},
                  {"name", method.name},
                  {"parameters", method.impl_parameters}},
                 "$static$$result$ $name$_impl($parameters$);");
  };
  for (const MethodModel& method : model.impl) {
    declare(method);
    for (const MethodModel& hook : method.hooks) declare(hook);
  }
}

// A function of the Impl whose body is one splicer block.
struct ImplFunction {
  std::string doc;
  std::string head;  // "int32_t\ndemo::Solver_impl::solve_impl(…)"
  std::string block;
  std::string text;
  std::vector<std::string> notes = {};
};

void emit_function(Printer& printer, const ObjectModel& model, const ImplFunction& function) {
  emit_doc(printer, function.doc);
  printer.line(function.head);
  printer.line("{");
  printer.indent();
  for (const std::string& each : function.notes) printer.line(each);
  emit_splicer(printer, model, function.block, function.text);
  printer.outdent();
  printer.line("}");
  printer.blank_line();
}

void emit_life_cycle(Printer& printer, const ObjectModel& model, const std::string& impl) {
  const std::string constructor = impl + "::" + model.local_name + "_impl()";
  const std::string super = has_super(model) ? ", super(_get_ior())" : "";
  emit_function(
      printer, model,
      {"For an Impl that the user creates: makes the SIDL object around it.",
       constructor + "\n    : ::sidl::StubBase(_wrapObj(this), false), _wrapped(true)" + super,
       "_ctor2",
       "",
       {"const ::sidl::construction _construction(*this);"}});
  emit_function(printer, model,
                {"Runs when an object is created.", "void\n" + impl + "::_ctor()", "_ctor", ""});
  emit_function(printer, model,
                {"Runs when an object is destroyed.", "void\n" + impl + "::_dtor()", "_dtor", ""});
  emit_function(printer, model,
                {"Runs once, before anything else of the class.", "void\n" + impl + "::_load()",
                 "_load", ""});
}

std::string head_of(const std::string& impl, const MethodModel& method) {
  return method.result + "\n" + impl + "::" + method.name + "_impl(" + method.impl_parameters + ")";
}

void emit_hook(Printer& printer, const ObjectModel& model, const std::string& impl,
               const MethodModel& hook) {
  const std::string text = hook.argument_names.empty()
                               ? ""
                               : "::sidl::unused(" + codegen::join(hook.argument_names) + ");";
  emit_function(printer, model, {hook.doc, head_of(impl, hook), hook.long_name, text});
}

void emit_method(Printer& printer, const ObjectModel& model, const std::string& impl,
                 const MethodModel& method) {
  std::string unused;
  for (const std::string& name : method.argument_names) unused += ", " + name;
  const std::string text =
      method.passes_on ? "super." + method.name + "(" + codegen::join(method.argument_names) + ");"
                       : "::sidl::not_implemented(__FILE__, __LINE__, \"" + model.name + "." +
                             method.long_name + "\"" + unused + ");";
  emit_function(printer, model,
                {method.doc, head_of(impl, method), method.long_name, text, method.notes});
}

}  // namespace

void emit_impl_header(Printer& printer, const ObjectModel& model) {
  const auto splicer = [&](const std::string& block) {
    return [&printer, &model, block] { emit_splicer(printer, model, block); };
  };
  printer.emit({{"guard", codegen::Namer::include_guard(model.symbol + "_Impl.hxx")},
                {"symbol", model.symbol},
                {"namespace", namespace_name(model.namespaces)},
                {"name", model.local_name},
                {"doc", [&] { emit_doc(printer, model.type->doc()); }},
                {"hincludes", splicer("_hincludes")},
                {"inherits", splicer("_inherits")},
                {"implementation", splicer("_implementation")},
                {"super", [&] { emit_super(printer, model); }},
                {"init_super", has_super(model) ? ", super(ior)" : ""},
                {"methods", [&] { emit_method_declarations(printer, model); }},
                {"hmisc", splicer("_hmisc")}},
               R"(
    #ifndef $guard$
    #define $guard$

    #include "$symbol$.hxx"
    #include "sidl_impl.hxx"

    $hincludes$

    namespace $namespace$ {

    $doc$
    class $name$_impl : public virtual ::$namespace$::$name$
        $inherits$
    {
     protected:
      bool _wrapped;

      $super$

      $implementation$

     public:
      $name$_impl();
      explicit $name$_impl(ior_t* ior)
          : ::sidl::StubBase(ior, true), _wrapped(false)$init_super$ { _ctor(); }
      ~$name$_impl() override { ::sidl::unwrap(*this); }

      void _ctor();
      void _dtor();
      static void _load();

      /** True if the user created the Impl, and not the SIDL object. */
      bool _isWrapped() const { return _wrapped; }
      $methods$
    };

    }  // namespace $namespace$

    $hmisc$

    #endif
  )");
}

void emit_impl_source(Printer& printer, const ObjectModel& model) {
  const std::string impl = namespace_name(model.namespaces) + "::" + model.local_name + "_impl";
  const auto methods = [&] {
    for (const MethodModel& method : model.impl) {
      emit_method(printer, model, impl, method);
      for (const MethodModel& hook : method.hooks) emit_hook(printer, model, impl, hook);
    }
  };
  printer.emit({{"symbol", model.symbol},
                {"includes", [&] { emit_splicer(printer, model, "_includes"); }},
                {"life_cycle", [&] { emit_life_cycle(printer, model, impl); }},
                {"methods", methods},
                {"misc", [&] { emit_splicer(printer, model, "_misc"); }}},
               R"(
    #include "$symbol$_Impl.hxx"

    $includes$

    $life_cycle$
    $methods$
    $misc$

    // The skel is compiled here, where it can inline short methods.
    #define $symbol$_Impl_cxx
    #include "$symbol$_Skel.cxx"
  )");
}

}  // namespace shinar::backends::cxx
