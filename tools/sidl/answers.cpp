#include "answers.hpp"

#include <limits>

#include "printable.hpp"

namespace sidl_tool {
namespace {

using json = nlohmann::ordered_json;

const char* kind_of(const json& value) {
  switch (value.type()) {
    case json::value_t::null:
      return "null";
    case json::value_t::object:
      return "an object";
    case json::value_t::array:
      return "a list";
    case json::value_t::string:
      return "a text";
    case json::value_t::boolean:
      return "true or false";
    default:
      return "a number";
  }
}

[[noreturn]] void refuse_kind(const std::string& name, const char* wanted, const json& value) {
  throw WrongAnswer("'" + in_one_line(name) + "' must be " + wanted + ", not " + kind_of(value));
}

/** Null if there is none. */
const json* find_part(const json& object, const char* key) {
  if (!object.is_object()) {
    throw WrongAnswer(std::string("an object with '") + key + "' is expected, not " +
                      kind_of(object));
  }
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

}  // namespace

json parse_json(const std::string& text, int deepest) {
  const auto is_shallow = [deepest](int depth, json::parse_event_t, json&) {
    if (depth <= deepest) return true;
    throw std::runtime_error("it is JSON nested more than " + std::to_string(deepest) + " deep");
  };
  try {
    return json::parse(text, is_shallow);
  } catch (const json::exception& error) {
    const std::string reason = error.what();
    throw std::runtime_error(reason.substr(reason.find("] ") + 2));
  }
}

const json& part(const json& object, const char* key) {
  const json* const found = find_part(object, key);
  if (found == nullptr) throw WrongAnswer(std::string("'") + key + "' is missing");
  return *found;
}

const json& as_list(const json& value, const std::string& name) {
  if (!value.is_array()) refuse_kind(name, "a list", value);
  return value;
}

const json& list_in(const json& object, const char* key) {
  return as_list(part(object, key), key);
}

const json& table_in(const json& object, const char* key) {
  const json& value = part(object, key);
  if (!value.is_object()) refuse_kind(key, "an object", value);
  return value;
}

std::int64_t as_whole(const json& value, const std::string& name) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const bool is_beyond = value.is_number_unsigned() && value.get<std::uint64_t>() > most;
  if (value.is_number_integer() && !is_beyond) return value.get<std::int64_t>();
  if (!value.is_number()) refuse_kind(name, "a number", value);
  throw WrongAnswer("'" + in_one_line(name) + "' must be a whole number of 64 bits, unlike " +
                    value.dump());
}

std::int64_t whole_in(const json& object, const char* key) {
  return as_whole(part(object, key), key);
}

std::string as_text(const json& value, const std::string& name) {
  if (!value.is_string()) refuse_kind(name, "a text", value);
  return in_one_line(value.get<std::string>());
}

std::string text_in(const json& object, const char* key) {
  return as_text(part(object, key), key);
}

std::vector<std::string> texts_in(const json& object, const char* key) {
  std::vector<std::string> texts;
  for (const json& each : list_in(object, key)) {
    texts.push_back(as_text(each, std::string("each of ") + key));
  }
  return texts;
}

bool flag_in(const json& object, const char* key) {
  const json* const found = find_part(object, key);
  if (found != nullptr && !found->is_boolean()) refuse_kind(key, "true or false", *found);
  return found != nullptr && found->get<bool>();
}

std::string optional_text_in(const json& object, const char* key) {
  const json* const found = find_part(object, key);
  return found == nullptr ? "" : as_text(*found, key);
}

}  // namespace sidl_tool
