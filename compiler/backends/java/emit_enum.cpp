// <Type>.java of an enum.
#include "backends/java/emit.hpp"
#include "backends/java/names.hpp"

namespace shinar::backends::java {

using codegen::Printer;

void emit_enum(Printer& printer, const ir::Type& type, Spelling& spelling) {
  const std::string local = java_name(type.local_name());
  const auto doc = [&] { emit_javadoc(printer, doc_of(type)); };
  const auto enumerators = [&] {
    const auto& all = type.enumeration().enumerators();
    for (const ir::Enumerator& each : all) {
      const std::string value = std::to_string(each.value());
      emit_javadoc(printer, each.doc().empty() ? "The value " + value + "." : each.doc());
      const bool is_last = &each == &*all.rbegin();
      printer.line(java_name(each.name()) + "(" + value + ")" + (is_last ? ";" : ","));
    }
  };
  printer.emit({{"doc", doc},
                {"local", local},
                {"name", type.name()},
                {"enumerators", enumerators},
                {"enumerator", spelling.sidl("Enumerator")},
                {"type", spelling.binding("EnumType")},
                {"override", spelling.lang("Override")}},
               R"(
    $doc$
    public enum $local$ implements $enumerator$ {
      $enumerators$

      /** For generated code. */
      public static final $type$<$local$> _type =
          new $type$<>("$name$", $local$.class, values());

      private final int _value;

      $local$(int value) {
        _value = value;
      }

      /**
       * The enumerator with a value.
       *
       * @param value its value in SIDL
       * @return the first one that has it
       * @throws sidl.UnknownEnumeratorException if there is none, as in data of a newer version
       */
      public static $local$ of(long value) {
        return _type.of(value);
      }

      @$override$
      public long value() {
        return _value;
      }
    }
  )");
}

}  // namespace shinar::backends::java
