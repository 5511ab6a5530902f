// Enums, structs and packages, and the pieces that several kinds of files have.
#include "backends/cxx/emit.hpp"
#include "codegen/doc_comment.hpp"
#include "codegen/names.hpp"

namespace shinar::backends::cxx {
namespace {

using codegen::Printer;

void emit_enumerators(Printer& printer, const EnumModel& model) {
  const auto& enumerators = model.type->enumeration().enumerators();
  for (int i = 0; i < enumerators.size(); ++i) {
    emit_doc(printer, enumerators[i].doc());
    // What may be a macro, or a keyword: SEEK_SET, dynamic_cast.
    const std::string name = codegen::Namer::member(model.local_name + "_" + enumerators[i].name());
    printer.emit({{"name", name},
                  {"value", std::to_string(enumerators[i].value())},
                  {"comma", i + 1 < enumerators.size() ? "," : ""}},
                 "$name$ = $value$$comma$");
  }
}

void emit_accessor_declarations(Printer& printer, const StructModel& model) {
  for (const MemberModel& member : model.accessors) {
    printer.blank_line();
    emit_doc(printer, member.doc);
    printer.emit(
        {{"type", member.cxx_type}, {"parameter", member.parameter_type}, {"name", member.name}},
        member.is_struct ? R"(
      $type$& get_$name$() &;
      const $type$& get_$name$() const&;
      $type$ get_$name$() &&;
      void set_$name$($parameter$ value);
    )"
                         : R"(
      $type$ get_$name$() const;
      void set_$name$($parameter$ value);
    )");
  }
}

// A struct in a struct is where it is, so that it can be changed there; out of a struct that is
// about to end it is copied.
constexpr const char* struct_getters = R"(
      inline $type$&
      $struct$::get_$name$() &
      {
        return ::sidl::as_struct<$type$>(&($symbol$__data::$name$));
      }

      inline const $type$&
      $struct$::get_$name$() const&
      {
        return ::sidl::as_struct<$type$>(&($symbol$__data::$name$));
      }

      inline $type$
      $struct$::get_$name$() &&
      {
        return ::sidl::get_member<$type$>($symbol$__data::$name$);
      }

    )";
constexpr const char* getter = R"(
      inline $type$
      $struct$::get_$name$() const
      {
        return ::sidl::get_member<$type$>($symbol$__data::$name$);
      }

    )";

// Members are named with the C struct's name: parameters and what all C++ structs have would hide
// them.
void emit_accessors(Printer& printer, const StructModel& model) {
  for (const MemberModel& member : model.accessors) {
    printer.emit({{"type", member.cxx_type},
                  {"struct", model.local_name},
                  {"symbol", model.symbol},
                  {"name", member.name}},
                 member.is_struct ? struct_getters : getter);
    printer.emit({{"type", member.cxx_type},
                  {"parameter", member.parameter_type},
                  {"struct", model.local_name},
                  {"symbol", model.symbol},
                  {"name", member.name},
                  {"value", member.new_value}},
                 R"(
      inline void
      $struct$::set_$name$($parameter$ value)
      {
        ::sidl::set_member<$type$>($symbol$__data::$name$, $value$);
      }

    )");
  }
}

}  // namespace

std::string namespace_name(const std::vector<std::string>& namespaces) {
  std::string result;
  for (const std::string& name : namespaces) {
    if (!result.empty()) result += "::";
    result += name;
  }
  return result;
}

void emit_includes(Printer& printer, const std::vector<std::string>& headers) {
  for (const std::string& header : headers) printer.line("#include \"" + header + "\"");
}

// Compilers take an attribute with the first declarations of a class, and not behind its
// definition.
void emit_forward(Printer& printer, const ForwardClass& each) {
  const std::string declaration = "class " + each.key + each.name + ";";
  if (each.key.empty()) {
    printer.line(declaration);
    return;
  }
  printer.line("#ifndef " + each.guard);
  printer.line(declaration);
  printer.line("#endif");
}

void emit_declaration(Printer& printer, const std::vector<std::string>& namespaces,
                      const std::string& key, const std::string& name) {
  if (key.empty()) return;
  printer.emit({{"namespace", namespace_name(namespaces)}, {"key", key}, {"name", name}}, R"(
    namespace $namespace$ {
    class $key$$name$;
    }

  )");
}

void emit_forwards(Printer& printer, const std::vector<Forward>& forwards) {
  for (const Forward& forward : forwards) {
    std::string text = "namespace " + namespace_name(forward.namespaces) + " {";
    printer.line(text);
    for (const ForwardClass& each : forward.classes) emit_forward(printer, each);
    printer.line("}");
  }
}

void emit_enum(Printer& printer, const EnumModel& model) {
  printer.emit({{"guard", codegen::Namer::include_guard(model.symbol + ".hxx")},
                {"namespace", namespace_name(model.namespaces)},
                {"doc", [&] { emit_doc(printer, model.type->doc()); }},
                {"name", model.local_name},
                {"enumerators", [&] { emit_enumerators(printer, model); }}},
               R"(
    #ifndef $guard$
    #define $guard$

    #include <cstdint>

    namespace $namespace$ {

    $doc$
    enum $name$ : ::std::int32_t {
      $enumerators$
    };

    }  // namespace $namespace$

    #endif
  )");
}

void emit_struct(Printer& printer, const StructModel& model) {
  printer.emit({{"guard", codegen::Namer::include_guard(model.symbol + ".hxx")},
                {"symbol", model.symbol},
                {"namespace", namespace_name(model.namespaces)},
                {"values", [&] { emit_includes(printer, model.value_includes); }},
                {"forwards", [&] { emit_forwards(printer, model.forwards); }},
                {"doc", [&] { emit_doc(printer, model.type->doc()); }},
                {"name", model.local_name},
                {"declaration",
                 [&] { emit_declaration(printer, model.namespaces, model.key, model.local_name); }},
                {"declarations", [&] { emit_accessor_declarations(printer, model); }},
                {"uses", [&] { emit_includes(printer, model.use_includes); }}},
               R"(
    #ifndef $guard$
    #define $guard$

    $declaration$
    #include "$symbol$_IOR.h"
    #include "sidl_struct.hxx"
    $values$

    $forwards$

    namespace $namespace$ {

    $doc$
    class $name$
        : public ::sidl::structure<struct $symbol$__data, &$symbol$__info> {
     public:
      $declarations$
    };

    }  // namespace $namespace$

    $uses$
  )");
  printer.blank_line();
  if (!model.accessors.empty()) {
    printer.emit({{"namespace", namespace_name(model.namespaces)},
                  {"accessors", [&] { emit_accessors(printer, model); }}},
                 R"(
      namespace $namespace$ {

      $accessors$
      }  // namespace $namespace$

    )");
  }
  printer.line("#endif");
}

}  // namespace shinar::backends::cxx
