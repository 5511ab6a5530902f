#include "types.hpp"

#include <charconv>
#include <nlohmann/json.hpp>

#include "answers.hpp"
#include "layouts.hpp"
#include "printable.hpp"

namespace sidl_tool {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* concurrent_attribute = "%attrib{concurrent} ";

sidl_kind kind_in(const json& from) {
  const std::string name = text_in(from, "kind");
  for (const sidl_kind kind : {
#define SIDL_KIND(name, kind) sidl_kind_##name,
#include "sidl_kinds.def"
       }) {
    if (kind != sidl_kind_rarray && name == sidl_kind_name(kind)) return kind;
  }
  throw WrongAnswer("a type is of unknown kind '" + name +
                    "'; this version of sidl does not support it");
}

/** "double", or the name of a type that has one. */
std::string value_text(sidl_kind kind, const std::string& name) {
  return name.empty() ? sidl_kind_name(kind) : name;
}

/** Of an array of numbers or characters that lies in a struct. */
std::vector<std::int64_t> parse_lengths(const json& from, sidl_kind element, int dimension) {
  constexpr std::int64_t most = 4096;  // sidlc's limit
  std::vector<std::int64_t> lengths;
  for (const json& each : list_in(from, "lengths")) lengths.push_back(as_whole(each, "lengths"));
  std::int64_t count = 1;
  bool fits = lengths.size() == static_cast<std::size_t>(dimension) && element != sidl_kind_bool &&
              (sidl_number_kinds & SIDL_KIND_BIT(element)) != 0;
  for (const std::int64_t length : lengths) {
    fits = fits && length >= 1 && length <= most / count;
    if (fits) count *= length;
  }
  if (!fits) throw WrongAnswer("no array in a struct has such 'lengths'");
  return lengths;
}

Type parse_type(const json& from) {
  Type type;
  type.kind = kind_in(from);
  type.copy = flag_in(from, "copy");
  if (type.kind != sidl_kind_array) {
    type.name = optional_text_in(from, "name");
    return type;
  }
  type.raw = flag_in(from, "raw");
  const std::string order = optional_text_in(from, "order");
  if (order == "column-major") type.order = sidl_column_major_order;
  if (order == "row-major") type.order = sidl_row_major_order;
  if (!from.contains("element")) return type;
  const json& element = part(from, "element");
  type.element = kind_in(element);
  type.name = optional_text_in(element, "name");
  const std::int64_t dimension = whole_in(from, "dimension");
  if (dimension < 1 || dimension > SIDL_MAX_ARRAY_DIMENSION) {
    throw WrongAnswer("an array has " + std::to_string(dimension) + " dimensions");
  }
  type.dimension = static_cast<int>(dimension);
  if (from.contains("lengths")) type.lengths = parse_lengths(from, type.element, type.dimension);
  return type;
}

/** Of an argument or of a member of a struct: there is a value. */
Type parse_value_type(const json& from) {
  const Type type = parse_type(part(from, "type"));
  if (type.kind == sidl_kind_void) throw WrongAnswer("a value is of type void");
  return type;
}

sidl_mode parse_mode(const std::string& mode) {
  if (mode == "in") return sidl_mode_in;
  if (mode == "out") return sidl_mode_out;
  if (mode == "inout") return sidl_mode_inout;
  throw WrongAnswer("an argument is of unknown mode '" + mode + "'");
}

std::int64_t parse_digest(const std::string& text) {
  std::uint64_t digest = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, digest, 16);
  if (error != std::errc() || stop != end) {
    throw WrongAnswer("'digest' must be a hexadecimal number of 64 bits, not '" + text + "'");
  }
  return static_cast<std::int64_t>(digest);
}

Method parse_method(const json& from) {
  Method method;
  method.name = text_in(from, "name");
  method.from = text_in(from, "from");
  method.call = text_in(from, "call");
  method.oneway = flag_in(from, "oneway");
  method.nonblocking = flag_in(from, "nonblocking");
  method.concurrent = flag_in(from, "concurrent");
  if (from.contains("throws")) method.throws = texts_in(from, "throws");
  method.digest = parse_digest(text_in(from, "digest"));
  method.result = parse_type(part(from, "result"));
  for (const json& each : list_in(from, "arguments")) {
    method.arguments.push_back(
        {text_in(each, "name"), parse_mode(text_in(each, "mode")), parse_value_type(each)});
  }
  return method;
}

void parse_enums(const json& from, TypeInfo& to) {
  for (const auto& [name, enumerators] : table_in(from, "enums").items()) {
    for (const json& each : as_list(enumerators, name)) {
      to.enums[in_one_line(name)].emplace_back(text_in(each, "name"), whole_in(each, "value"));
    }
  }
}

/** What reads and writes values may follow them: none contains itself, or others without end. */
void parse_structs(const json& from, TypeInfo& to) {
  for (const auto& [name, members] : table_in(from, "structs").items()) {
    Members& parsed = to.structs[in_one_line(name)];
    for (const json& each : as_list(members, name)) {
      parsed.emplace_back(text_in(each, "name"), parse_value_type(each));
    }
  }
  Layouts layouts(to);
  for (const auto& [name, unused] : to.structs) layouts.find(name);
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& each : parts) text += (text.empty() ? "" : ", ") + each;
  return text;
}

std::string text_of(const std::string& name, const Enumerators& enumerators) {
  std::string text = "enum " + name + " {\n";
  for (const auto& [item, value] : enumerators) {
    text += "  " + item + " = " + std::to_string(value) + ",\n";
  }
  return text + "}\n";
}

/** "(2, 3)", of an array that lies in a struct. */
std::string extents_of(const Type& type) {
  std::string text;
  for (const std::int64_t length : type.lengths) {
    text += (text.empty() ? "(" : ", ") + std::to_string(length);
  }
  return text.empty() ? "" : text + ")";
}

std::string text_of(const std::string& name, const Members& members) {
  std::string text = "struct " + name + " {\n";
  for (const auto& [member, type] : members) {
    text += "  " + type.text() + " " + member + extents_of(type) + ";\n";
  }
  return text + "}\n";
}

std::string heading(const TypeInfo& info) {
  std::string text = info.is_concurrent ? concurrent_attribute : "";
  text += info.kind == "class" && info.is_abstract ? "abstract " : "";
  text += info.kind + " " + info.name;
  if (!info.version.empty()) text += " /* " + info.version + " */";
  if (!info.parent.empty()) text += " extends " + info.parent;
  if (info.interfaces.empty()) return text;
  return text + (info.kind == "class" ? " implements " : " extends ") + joined(info.interfaces);
}

}  // namespace

std::string Type::text() const {
  if (kind != sidl_kind_array) return (copy ? "copy " : "") + value_text(kind, name);
  if (element == sidl_kind_void) return "array<>";
  std::string text = std::string(raw ? "rarray<" : "array<") + value_text(element, name);
  if (dimension > 1) text += "," + std::to_string(dimension);
  if (!raw && order == sidl_column_major_order) text += ",column-major";
  if (!raw && order == sidl_row_major_order) text += ",row-major";
  return text + ">";
}

std::size_t Type::count() const {
  std::size_t result = 1;
  for (const std::int64_t length : lengths) result *= static_cast<std::size_t>(length);
  return result;
}

std::string Type::element_text() const {
  return value_text(element, name);
}

std::string Method::signature() const {
  static const char* const modes[] = {"", "in ", "out ", "inout "};
  std::vector<std::string> parts;
  for (const Argument& each : arguments) {
    Type type = each.type;
    type.copy = false;
    parts.push_back((each.type.copy ? "copy " : "") + std::string(modes[each.mode]) + type.text() +
                    " " + each.name);
  }
  const std::string attribute = concurrent ? concurrent_attribute : "";
  const std::string kind = (call == "object" ? "" : call + " ") + (oneway ? "oneway " : "") +
                           (nonblocking ? "nonblocking " : "");
  return attribute + kind + result.text() + " " + name + "(" + joined(parts) + ")" +
         (throws.empty() ? "" : " throws " + joined(throws));
}

TypeInfo TypeInfo::parse(const json& from) {
  TypeInfo info;
  info.name = text_in(from, "name");
  info.kind = text_in(from, "kind");
  info.version = optional_text_in(from, "version");
  info.is_abstract = flag_in(from, "abstract");
  info.is_concurrent = flag_in(from, "concurrent");
  if (from.contains("parent") && !part(from, "parent").is_null()) {
    info.parent = text_in(from, "parent");
  }
  if (from.contains("interfaces")) info.interfaces = texts_in(from, "interfaces");
  if (from.contains("methods")) {
    for (const json& each : list_in(from, "methods")) info.methods.push_back(parse_method(each));
  }
  parse_enums(from, info);
  parse_structs(from, info);
  return info;
}

std::string TypeInfo::text() const {
  std::string text;
  for (const auto& [each, enumerators] : enums) text += text_of(each, enumerators);
  for (const auto& [each, members] : structs) text += text_of(each, members);
  if (kind != "class" && kind != "interface") return text;
  text += heading(*this) + " {\n";
  for (const Method& each : methods) {
    if (each.from != "sidl.BaseInterface") text += "  " + each.signature() + ";\n";
  }
  return text + "}\n";
}

}  // namespace sidl_tool
