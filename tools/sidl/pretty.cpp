#include "pretty.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "printable.hpp"

namespace sidl_tool {
namespace {

using json = nlohmann::ordered_json;

bool is_flat(const json& value) {
  return !value.is_structured() ||
         (value.is_array() && std::none_of(value.begin(), value.end(),
                                           [](const json& each) { return each.is_structured(); }));
}

void append(const json& value, std::size_t indent, std::string& text);

/** Deep values stay within reach: a peer's may be nested hundreds of times. */
std::string margin_of(std::size_t indent) {
  constexpr std::size_t most = 80;
  return std::string(std::min(indent, most), ' ');
}

/** Elements on lines of their own. */
void append_lines(const json& value, std::size_t indent, std::string& text) {
  const std::string margin = margin_of(indent + 2);
  text += value.is_object() ? "{" : "[";
  bool first = true;
  for (const auto& [key, each] : value.items()) {
    text += (first ? "\n" : ",\n") + margin;
    if (value.is_object()) text += compact(json(key)) + ": ";
    append(each, indent + 2, text);
    first = false;
  }
  text += "\n" + margin_of(indent) + (value.is_object() ? "}" : "]");
}

void append(const json& value, std::size_t indent, std::string& text) {
  if (!value.is_structured() || value.empty()) {
    text += compact(value);
  } else if (is_flat(value)) {
    std::string list;
    for (const json& each : value) list += (list.empty() ? "" : ", ") + compact(each);
    text += "[" + list + "]";
  } else {
    append_lines(value, indent, text);
  }
}

}  // namespace

std::string pretty(const json& value) {
  std::string text;
  append(value, 0, text);
  return text;
}

std::string compact(const json& value) {
  return printable_json(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

}  // namespace sidl_tool
