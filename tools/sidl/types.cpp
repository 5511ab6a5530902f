#include "types.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "printable.hpp"

namespace sidl_tool {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* concurrent_attribute = "%attrib{concurrent} ";

/** A text of the server, to be shown within our lines. */
std::string text_in(const json& value) {
  return in_one_line(value.get<std::string>());
}

std::string text_in(const json& object, const char* key) {
  return in_one_line(object.value(key, ""));
}

std::vector<std::string> texts_in(const json& list) {
  std::vector<std::string> texts;
  for (const json& each : list) texts.push_back(text_in(each));
  return texts;
}

sidl_kind kind_of(const std::string& name) {
  for (const sidl_kind kind : {
#define SIDL_KIND(name, kind) sidl_kind_##name,
#include "sidl_kinds.def"
       }) {
    if (kind != sidl_kind_rarray && name == sidl_kind_name(kind)) return kind;
  }
  throw std::runtime_error("the server describes a type of unknown kind '" + name +
                           "'; this version of sidl does not support it");
}

/** "double", or the name of a type that has one. */
std::string value_text(sidl_kind kind, const std::string& name) {
  return name.empty() ? sidl_kind_name(kind) : name;
}

/** Of an array of numbers or characters that lies in a struct. */
std::vector<std::int64_t> parse_lengths(const json& from, sidl_kind element, int dimension) {
  constexpr std::int64_t most = 4096;  // sidlc's limit
  auto lengths = from.get<std::vector<std::int64_t>>();
  std::int64_t count = 1;
  bool fits = lengths.size() == static_cast<std::size_t>(dimension) && element != sidl_kind_bool &&
              (sidl_number_kinds & SIDL_KIND_BIT(element)) != 0;
  for (const std::int64_t length : lengths) {
    fits = fits && length >= 1 && length <= most / count;
    if (fits) count *= length;
  }
  if (!fits)
    throw std::runtime_error("the server describes an array in a struct that there is not");
  return lengths;
}

Type parse_type(const json& from) {
  Type type;
  type.kind = kind_of(text_in(from.at("kind")));
  type.copy = from.value("copy", false);
  if (type.kind != sidl_kind_array) {
    type.name = text_in(from, "name");
    return type;
  }
  type.raw = from.value("raw", false);
  const std::string order = from.value("order", "");
  if (order == "column-major") type.order = sidl_column_major_order;
  if (order == "row-major") type.order = sidl_row_major_order;
  if (!from.contains("element")) return type;
  const json& element = from.at("element");
  type.element = kind_of(text_in(element.at("kind")));
  type.name = text_in(element, "name");
  type.dimension = from.at("dimension").get<int>();
  if (type.dimension < 1 || type.dimension > SIDL_MAX_ARRAY_DIMENSION) {
    throw std::runtime_error("the server describes an array of " + std::to_string(type.dimension) +
                             " dimensions");
  }
  if (from.contains("lengths"))
    type.lengths = parse_lengths(from.at("lengths"), type.element, type.dimension);
  return type;
}

sidl_mode parse_mode(const std::string& mode) {
  if (mode == "in") return sidl_mode_in;
  if (mode == "out") return sidl_mode_out;
  return sidl_mode_inout;
}

Method parse_method(const json& from) {
  Method method;
  method.name = text_in(from.at("name"));
  method.from = text_in(from.at("from"));
  method.call = text_in(from.at("call"));
  method.oneway = from.value("oneway", false);
  method.nonblocking = from.value("nonblocking", false);
  method.concurrent = from.value("concurrent", false);
  method.throws = texts_in(from.value("throws", json::array()));
  const auto digest = std::stoull(from.at("digest").get<std::string>(), nullptr, 16);
  method.digest = static_cast<std::int64_t>(digest);
  method.result = parse_type(from.at("result"));
  for (const json& each : from.at("arguments")) {
    method.arguments.push_back({text_in(each.at("name")),
                                parse_mode(each.at("mode").get<std::string>()),
                                parse_type(each.at("type"))});
  }
  return method;
}

TypeInfo parse_all(const json& from) {
  TypeInfo info;
  info.name = text_in(from.at("name"));
  info.kind = text_in(from.at("kind"));
  info.version = text_in(from, "version");
  info.is_abstract = from.value("abstract", false);
  info.is_concurrent = from.value("concurrent", false);
  if (from.contains("parent") && from.at("parent").is_string()) {
    info.parent = text_in(from.at("parent"));
  }
  if (from.contains("interfaces")) {
    info.interfaces = texts_in(from.at("interfaces"));
  }
  if (from.contains("methods")) {
    for (const json& each : from.at("methods")) info.methods.push_back(parse_method(each));
  }
  for (const auto& [name, items] : from.at("enums").items()) {
    for (const json& each : items) {
      info.enums[in_one_line(name)].emplace_back(text_in(each.at("name")),
                                                 each.at("value").get<std::int64_t>());
    }
  }
  for (const auto& [name, members] : from.at("structs").items()) {
    for (const json& each : members) {
      info.structs[in_one_line(name)].emplace_back(text_in(each.at("name")),
                                                   parse_type(each.at("type")));
    }
  }
  return info;
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
  try {
    return parse_all(from);
  } catch (const json::exception& error) {
    throw std::runtime_error(std::string("cannot understand the server's description of its "
                                         "types: ") +
                             error.what());
  }
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
