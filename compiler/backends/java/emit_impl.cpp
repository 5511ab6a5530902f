// <Type>_Skel.java, between C and the implementation, and <Type>_Impl.java, which the user fills
// in.
#include <algorithm>

#include "backends/java/emit.hpp"
#include "backends/java/names.hpp"
#include "codegen/c_types.hpp"
#include "codegen/splicers.hpp"

namespace shinar::backends::java {
namespace {

using codegen::CommentStyle;
using codegen::join;
using codegen::Printer;

void emit_splicer(Printer& printer, const std::string& name, const std::string& text) {
  printer.line(codegen::splicer_begin(name, CommentStyle::java));
  if (!text.empty()) printer.line(text);
  printer.line(codegen::splicer_end(name, CommentStyle::java));
}

// The parent class's method, for the implementation.
void emit_super(Printer& printer, const MethodModel& method, Spelling& spelling) {
  Printer stub;
  MethodModel framed = method;
  framed.is_quick = false;
  framed.indices.clear();
  emit_stub(stub, framed, spelling, true);
  std::string text = stub.take();
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    if (at != std::string::npos) text.replace(at, from.size(), to);
  };
  Printer doc;
  emit_javadoc(doc, "The parent class's " + method.slot + ".", tags_of(method, spelling));
  replace("@" + spelling.lang("Override") + "\n", doc.take());
  replace("public " + spelling.type(method.result) + " " + method.name + "(",
          "protected final " + spelling.type(method.result) + " " + method.super_name + "(");
  replace(" " + method.native_name() + "(", " super" + method.native_name() + "(");
  replace("native void " + method.native_name() + "(",
          "native void super" + method.native_name() + "(");
  printer.blank_line();
  printer.line(text.substr(0, text.find_last_not_of('\n') + 1));
}

void emit_abstract(Printer& printer, const MethodModel& method, const std::string& name,
                   Spelling& spelling) {
  if (method.is_static) return;
  printer.emit({{"doc", [&] { emit_javadoc(printer, method, spelling); }},
                {"result", spelling.type(method.result)},
                {"name", name},
                {"parameters", parameters_of(method, spelling)},
                {"throws", throws_of(method, spelling)}},
               R"(

    $doc$
    public abstract $result$ $name$($parameters$)$throws$;
  )");
}

void emit_function(Printer& printer, const ObjectModel& model, const MethodModel& method,
                   const std::string& name, const std::string& text, Spelling& spelling) {
  const auto override_mark = [&] {
    if (!method.is_static) printer.line("@" + spelling.lang("Override"));
  };
  const auto block = [&] {
    for (const std::string& each : method.notes) printer.line(each);
    emit_splicer(printer, model.name + "." + method.slot, text);
  };
  printer.emit({{"doc", [&] { emit_javadoc(printer, method, spelling); }},
                {"override", override_mark},
                {"static", method.is_static ? "static " : ""},
                {"result", spelling.type(method.result)},
                {"name", name},
                {"parameters", parameters_of(method, spelling)},
                {"throws", throws_of(method, spelling)},
                {"block", block}},
               R"(

    $doc$
    $override$
    public $static$$result$ $name$($parameters$)$throws$ {
      $block$
    }
  )");
}

std::string unimplemented(const ObjectModel& model, const MethodModel& method) {
  return "throw new sidl.NotImplementedException(\"" + model.name + "." + method.slot + "\");";
}

std::string passing_on(const MethodModel& method) {
  std::vector<std::string> names;
  for (const ArgumentModel& argument : method.arguments) names.push_back(argument.name);
  return method.super_name + "(" + join(names) + ");";
}

}  // namespace

void emit_skeleton(Printer& printer, const ObjectModel& model, Spelling& spelling) {
  const std::string impl = model.local + "_Impl";
  const auto methods = [&] {
    for (const MethodModel& method : model.impl) {
      emit_abstract(printer, method, method.name + "_Impl", spelling);
      for (const MethodModel& hook : method.hooks) {
        emit_abstract(printer, hook, hook.name, spelling);
      }
    }
    for (const MethodModel& method : model.impl) {
      if (method.overrides) emit_super(printer, method, spelling);
    }
    for (const MethodModel& method : model.impl) {
      const Upcall upcall =
          method.is_static
              ? Upcall{"", impl + "." + method.name + "_Impl", model.has_hooks}
              : Upcall{model.local + "_Skel", "_self." + method.name + "_Impl", model.has_hooks};
      emit_upcall(printer, method, upcall, spelling);
    }
  };
  const auto serial = [&] {
    if (!model.is_exception) return;
    printer.line("private static final long serialVersionUID = 1L;");
    printer.blank_line();
  };
  printer.emit({{"local", model.local},
                {"name", model.name},
                {"serial", serial},
                {"handle", spelling.binding("Handle")},
                {"methods", methods}},
               R"(
    /** What implementations of {@code $name$} are derived from. */
    public abstract class $local$_Skel extends $local$ {
      $serial$
      /**
       * Called when a new object needs its implementation.
       *
       * @param handle the object, as its implementation sees it: without a reference of its own
       */
      protected $local$_Skel($handle$ handle) {
        super(handle);
      }

      /** Called before the object goes. */
      protected abstract void _dtor();
      $methods$

      private static $local$_Skel _construct($handle$ handle) {
        return new $local$_Impl(handle);
      }

      private static void _destruct($local$_Skel self) {
        self._dtor();
      }
    }
  )");
}

void emit_impl(Printer& printer, const ObjectModel& model, Spelling& spelling) {
  const auto methods = [&] {
    for (const MethodModel& method : model.impl) {
      emit_function(printer, model, method, method.name + "_Impl",
                    method.passes_on ? passing_on(method) : unimplemented(model, method), spelling);
      for (const MethodModel& hook : method.hooks) {
        emit_function(printer, model, hook, hook.name, "", spelling);
      }
    }
  };
  const auto block = [&](const std::string& name) {
    return [&printer, &model, name] { emit_splicer(printer, model.name + "." + name, ""); };
  };
  const auto serial = [&] {
    if (model.is_exception) printer.line("private static final long serialVersionUID = 1L;");
  };
  printer.emit({{"doc", [&] { emit_javadoc(printer, doc_of(*model.type)); }},
                {"local", model.local},
                {"serial", serial},
                {"handle", spelling.binding("Handle")},
                {"override", spelling.lang("Override")},
                {"data", block("_data")},
                {"ctor", block("_ctor")},
                {"dtor", block("_dtor")},
                {"methods", methods},
                {"misc", block("_misc")}},
               R"(
    $doc$
    public class $local$_Impl extends $local$_Skel {
      $serial$
      $data$

      /**
       * Called when a new object needs its implementation.
       *
       * @param handle the object, as its implementation sees it
       */
      public $local$_Impl($handle$ handle) {
        super(handle);
        $ctor$
      }

      /** Called before the object goes. */
      @$override$
      protected void _dtor() {
        $dtor$
      }
      $methods$

      $misc$
    }
  )");
}

}  // namespace shinar::backends::java
