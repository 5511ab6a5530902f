// <Type>.java of a struct: a record, and how it is read from and written to memory.
#include <cctype>
#include <set>

#include "backends/java/emit.hpp"
#include "backends/java/names.hpp"
#include "codegen/basic_types.hpp"
#include "codegen/c_types.hpp"
#include "codegen/reserved_words.hpp"

namespace shinar::backends::java {
namespace {

using codegen::Printer;

struct MemberModel {
  std::string name;
  std::string sidl_name;
  ir::TypeRef type;
  int offset = 0;
  int number = 0;

  // Where it is, of a struct at `_at`.
  std::string at() const { return offset == 0 ? "_at" : "_at + " + std::to_string(offset); }
};

std::string member_name(std::string_view name, const Hidden& hidden) {
  const bool is_method = codegen::is_reserved(codegen::Words::java_method,
                                              name.substr(0, name.find_last_not_of('_') + 1));
  return is_method ? std::string(name) + "_" : variable_name(name, hidden);
}

std::vector<MemberModel> members_of(const codegen::TypeIndex& index, const ir::Type& type) {
  codegen::TypeMentions mentioned;
  for (const ir::Member& member : type.structure().members()) mentioned.add(member.type());
  const Hidden hidden = hidden_by_variables(index, type, mentioned);
  std::vector<MemberModel> all;
  int size = 0;
  for (const ir::Member& member : type.structure().members()) {
    const Layout own = layout_of(index, member.type());
    size = round_up(size, own.alignment);
    all.push_back({member_name(member.name(), hidden), member.name(), member.type(), size,
                   static_cast<int>(all.size())});
    size += own.size;
  }
  return all;
}

std::string zero_of(const codegen::TypeIndex& index, const ir::TypeRef& type, Spelling& spelling) {
  if (const auto* basic = codegen::find_basic_type(type.kind())) {
    return std::string(basic->java_zero);
  }
  switch (type.kind()) {
    case ir::TypeRef::ENUM:
      return spelling.named(type.name()) + "." +
             java_name(index.find(type.name()).enumeration().enumerators(0).name());
    case ir::TypeRef::STRUCT:
      return "new " + spelling.named(type.name()) + "()";
    default:
      return "null";
  }
}

std::string read(const MemberModel& member, Spelling& spelling) {
  if (!is_raw_array(member.type)) return spelling.get_member(member.type, member.at());
  return "_type.getRaw(_f, _at, " + std::to_string(member.number) + ", " +
         spelling.boxed(member.type) + ".class)";
}

void emit_write(Printer& printer, const MemberModel& member, Spelling& spelling) {
  const std::string value = "_value." + member.name + "()";
  // Whoever uses the member relies on its dimensions; arguments are checked by who takes them.
  if (member.type.kind() == ir::TypeRef::ARRAY && member.type.has_element()) {
    printer.line("_f.giveArray(" + member.at() + ", " + value + ", " +
                 std::to_string(member.type.dimension()) + ", \"" + member.sidl_name + "\");");
    return;
  }
  if (!is_raw_array(member.type)) {
    printer.line(spelling.give(member.type, member.at(), value, member.sidl_name));
    return;
  }
  printer.line("_type.giveRaw(_f, _at, " + std::to_string(member.number) + ", " + value + ");");
}

}  // namespace

void emit_struct(Printer& printer, const codegen::TypeIndex& index, const ir::Type& type,
                 Spelling& spelling) {
  const std::string local = java_name(type.local_name());
  const std::vector<MemberModel> members = members_of(index, type);
  std::vector<std::string> components, values, zeros, tags;
  for (const MemberModel& member : members) {
    components.push_back(spelling.type(member.type) + " " + member.name);
    values.push_back(read(member, spelling));
    zeros.push_back(zero_of(index, member.type, spelling));
    const std::string& doc = type.structure().members(member.number).doc();
    tags.push_back(
        "@param " + member.name + " " +
        (doc.empty() ? "{@code " + codegen::sidl_type(member.type) + "}" : javadoc_text(doc)));
  }
  // Raw arrays come last: their lengths are in other members.
  const auto write = [&] {
    for (const bool is_raw : {false, true}) {
      for (const MemberModel& member : members) {
        if (is_raw_array(member.type) == is_raw) emit_write(printer, member, spelling);
      }
    }
  };
  const auto zero = [&] {
    if (members.empty()) return;
    printer.emit({{"local", local}, {"zeros", codegen::join(zeros)}}, R"(
      /** All members zero or null. */
      public $local$() {
        this($zeros$);
      }

    )");
  };
  std::set<std::string> suffixes;  // members may differ in the case of their first letter alone
  const auto with = [&] {
    for (const MemberModel& member : members) {
      std::vector<std::string> names;
      for (const MemberModel& each : members) names.push_back(each.name);
      std::string suffix = member.name;
      suffix[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(suffix[0])));
      if (!suffixes.insert(suffix).second) continue;
      printer.emit({{"local", local},
                    {"name", member.name},
                    {"suffix", suffix},
                    {"type", spelling.type(member.type)},
                    {"names", codegen::join(names)}},
                   R"(

        /**
         * A copy with another $name$.
         *
         * @param $name$ the new value
         * @return the copy
         */
        public $local$ with$suffix$($type$ $name$) {
          return new $local$($names$);
        }
      )");
    }
  };
  ir::TypeRef self;
  self.set_kind(ir::TypeRef::STRUCT);
  self.set_name(type.name());
  printer.emit({{"doc", [&] { emit_javadoc(printer, doc_of(type), tags); }},
                {"local", local},
                {"name", type.name()},
                {"components", codegen::join(components)},
                {"values", codegen::join(values)},
                {"zero", zero},
                {"with", with},
                {"write", write},
                {"size", std::to_string(layout_of(index, self).size)},
                {"frame", spelling.binding("Frame")},
                {"type", spelling.binding("StructType")}},
               R"(
    $doc$
    public record $local$($components$) {
      /** For generated code. */
      public static final $type$<$local$> _type =
          new $type$<>("$name$", $local$.class, $size$, $local$::_read, $local$::_write);

      $zero$
      private static $local$ _read($frame$ _f, int _at) {
        return new $local$($values$);
      }

      private static void _write($frame$ _f, int _at, $local$ _value) {
        $write$
      }
      $with$
    }
  )");
}

}  // namespace shinar::backends::java
