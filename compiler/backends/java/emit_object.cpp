// <Type>.java of a class or an interface.
#include <algorithm>

#include "backends/java/emit.hpp"
#include "backends/java/names.hpp"
#include "codegen/c_types.hpp"

namespace shinar::backends::java {
namespace {

using codegen::join;
using codegen::kBaseInterface;
using codegen::Printer;

void emit_other_name(Printer& printer, const MethodModel& method, const std::string& name,
                     Spelling& spelling) {
  std::vector<std::string> values;
  for (const ArgumentModel& argument : method.arguments) values.push_back(argument.name);
  printer.emit({{"override", spelling.lang("Override")},
                {"result", spelling.type(method.result)},
                {"name", name},
                {"own", method.name},
                {"parameters", parameters_of(method, spelling)},
                {"return", method.returns() ? "return " : ""},
                {"values", join(values)}},
               R"(

    @$override$
    public $result$ $name$($parameters$) {
      $return$$own$($values$);
    }
  )");
}

void emit_stubs(Printer& printer, const ObjectModel& model, Spelling& spelling) {
  for (const MethodModel& method : model.stubs) {
    emit_stub(printer, method, spelling, !model.is_class);
    for (const std::string& name : method.other_names) {
      emit_other_name(printer, method, name, spelling);
    }
  }
}

// What is the same for every class: how objects are got.
void emit_makers(Printer& printer, const ObjectModel& model, Spelling& spelling) {
  const Printer::Value local = model.local;
  const Printer::Value text = spelling.lang("String");
  if (model.is_concrete && !model.is_exception) {
    printer.emit({{"local", local}, {"String", text}}, R"(

      /**
       * A new object.
       *
       * @return the object
       */
      public static $local$ create() {
        return _type.create();
      }

      /**
       * A new object on a server.
       *
       * @param url of the server
       * @return the object
       */
      public static $local$ create($String$ url) {
        return _type.create(url);
      }

      /**
       * As create.
       *
       * @return the object
       */
      public static $local$ _create() {
        return _type.create();
      }

      /**
       * As create.
       *
       * @param url of the server
       * @return the object
       */
      public static $local$ _create($String$ url) {
        return _type.create(url);
      }
    )");
  }
  printer.emit({{"local", local}, {"String", text}}, R"(

    /**
     * Attaches to an object that is there.
     *
     * @param url of the object
     * @return the object
     */
    public static $local$ connect($String$ url) {
      return _type.connect(url);
    }

    /**
     * Any object as this type.
     *
     * @param object the object, or null
     * @return the same object with a reference of its own; null if it is not of this type
     */
    public static $local$ cast(sidl.BaseInterface object) {
      return _type.cast(object);
    }

    /**
     * As connect.
     *
     * @param url of the object
     * @return the object
     */
    public static $local$ _connect($String$ url) {
      return _type.connect(url);
    }

    /**
     * As cast.
     *
     * @param object the object, or null
     * @return the same object with a reference of its own; null if it is not of this type
     */
    public static $local$ _cast(sidl.BaseInterface object) {
      return _type.cast(object);
    }
  )");
}

void emit_exception_constructors(Printer& printer, const ObjectModel& model, Spelling& spelling) {
  if (!model.is_concrete || !model.is_exception) return;
  printer.emit({{"local", model.local}, {"String", spelling.lang("String")}}, R"(

    /** A new exception without a message. */
    public $local$() {
      super(_type.make());
    }

    /**
     * A new exception.
     *
     * @param note its message
     */
    public $local$($String$ note) {
      super(_type.make(note));
    }
  )");
}

std::string superclass(const ObjectModel& model, Spelling& spelling) {
  if (!model.parent.empty()) return spelling.named(model.parent);
  return spelling.binding(model.is_exception ? "ThrowableStub" : "Stub");
}

std::string supertypes(const ObjectModel& model, Spelling& spelling, const std::string& word) {
  std::vector<std::string> names;
  for (const std::string& each : model.interfaces) names.push_back(spelling.named(each));
  if (model.name == kBaseInterface) names.push_back(spelling.binding("Handled"));
  return names.empty() ? "" : " " + word + " " + join(names);
}

}  // namespace

void emit_class(Printer& printer, const ObjectModel& model, Spelling& spelling) {
  const auto serial = [&] {
    if (!model.is_exception) return;
    printer.line("private static final long serialVersionUID = 1L;");
    printer.blank_line();
  };
  printer.emit({{"doc", [&] { emit_javadoc(printer, doc_of(*model.type)); }},
                {"local", model.local},
                {"name", model.name},
                {"extends", " extends " + superclass(model, spelling)},
                {"implements", supertypes(model, spelling, "implements")},
                {"serial", serial},
                {"type", spelling.binding("ObjectType")},
                {"handle", spelling.binding("Handle")},
                {"constructors", [&] { emit_exception_constructors(printer, model, spelling); }},
                {"makers", [&] { emit_makers(printer, model, spelling); }},
                {"stubs", [&] { emit_stubs(printer, model, spelling); }}},
               R"(
    $doc$
    public class $local$$extends$$implements$ {
      $serial$
      /** For generated code. */
      public static final $type$<$local$> _type =
          new $type$<>("$name$", $local$.class, $local$.class, $local$::new);

      /**
       * For generated code.
       *
       * @param handle the reference to the object
       */
      protected $local$($handle$ handle) {
        super(handle);
      }
      $constructors$
      $makers$
      $stubs$
    }
  )");
}

void emit_interface(Printer& printer, const ObjectModel& model, Spelling& spelling) {
  const auto declared = [&] {
    for (const MethodModel& method : model.declared) {
      printer.emit({{"doc", [&] { emit_javadoc(printer, method, spelling); }},
                    {"result", spelling.type(method.result)},
                    {"name", method.name},
                    {"parameters", parameters_of(method, spelling)},
                    {"throws", throws_of(method, spelling)}},
                   R"(

        $doc$
        $result$ $name$($parameters$)$throws$;
      )");
      emit_declared_async(printer, method, spelling);
      if (method.indices.empty()) continue;
      printer.blank_line();
      Printer overload;
      emit_short_overload(overload, method, spelling);
      std::string text = overload.take();
      const std::size_t at = text.find("public ");
      if (at != std::string::npos) text.replace(at, 7, "default ");
      printer.line(text.substr(0, text.find_last_not_of('\n') + 1));
    }
  };
  const auto calls = [&] {
    for (const MethodModel& method : model.stubs) {
      if (method.is_static) continue;
      emit_upcall(printer, method, {model.local, "_self." + method.name, false}, spelling);
    }
  };
  printer.emit({{"doc", [&] { emit_javadoc(printer, doc_of(*model.type)); }},
                {"local", model.local},
                {"name", model.name},
                {"extends", supertypes(model, spelling, "extends")},
                {"type", spelling.binding("ObjectType")},
                {"handle", spelling.binding("Handle")},
                {"stub", spelling.binding("Stub")},
                {"String", spelling.lang("String")},
                {"declared", declared},
                {"stubs", [&] { emit_stubs(printer, model, spelling); }},
                {"calls", calls}},
               R"(
    $doc$
    public interface $local$$extends$ {
      /** For generated code. */
      $type$<$local$> _type =
          new $type$<>("$name$", $local$.class, _Wrapper.class, _Wrapper::new);
      $declared$

      /**
       * Attaches to an object that is there.
       *
       * @param url of the object
       * @return the object
       */
      static $local$ connect($String$ url) {
        return _type.connect(url);
      }

      /**
       * Any object as this type.
       *
       * @param object the object, or null
       * @return the same object with a reference of its own; null if it is not of this type
       */
      static $local$ cast(sidl.BaseInterface object) {
        return _type.cast(object);
      }

      /** An object of which no more is known than that it has this interface. */
      final class _Wrapper extends $stub$ implements $local$ {
        private _Wrapper($handle$ handle) {
          super(handle);
        }
        $stubs$
      }

      /** For generated code: calls of objects that are written in Java. */
      final class _Calls {
        private _Calls() {}
        $calls$
      }
    }
  )");
}

}  // namespace shinar::backends::java
