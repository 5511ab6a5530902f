/**
 * JSON that others have written: servers, whose descriptions may be wrong in every way, and users.
 */
#ifndef SIDL_TOOL_ANSWERS_HPP
#define SIDL_TOOL_ANSWERS_HPP

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace sidl_tool {

/**
 * Throws std::runtime_error if the text is no JSON, or nested deeper: to copy or to print a value
 * takes stack at each level.
 */
nlohmann::ordered_json parse_json(const std::string& text, int deepest);

/** What a server answers makes no sense. */
class WrongAnswer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** Runs `f`; what it finds wrong is said to be so in `what`: "its counters". */
template <class Function>
auto in_answer(const std::string& what, const Function& f) {
  try {
    return f();
  } catch (const WrongAnswer& wrong) {
    throw WrongAnswer(what + ": " + wrong.what());
  }
}

// A value that must be of some kind, or throws WrongAnswer; `name` says what it is the value of.
const nlohmann::ordered_json& as_list(const nlohmann::ordered_json& value, const std::string& name);
std::int64_t as_whole(const nlohmann::ordered_json& value, const std::string& name);
/** Without what would break a line. */
std::string as_text(const nlohmann::ordered_json& value, const std::string& name);

// The same of the part of an object, which must be there.
const nlohmann::ordered_json& part(const nlohmann::ordered_json& object, const char* key);
const nlohmann::ordered_json& list_in(const nlohmann::ordered_json& object, const char* key);
const nlohmann::ordered_json& table_in(const nlohmann::ordered_json& object, const char* key);
std::int64_t whole_in(const nlohmann::ordered_json& object, const char* key);
std::string text_in(const nlohmann::ordered_json& object, const char* key);
std::vector<std::string> texts_in(const nlohmann::ordered_json& object, const char* key);

// The same of one that may be missing: then it is false, or empty.
bool flag_in(const nlohmann::ordered_json& object, const char* key);
std::string optional_text_in(const nlohmann::ordered_json& object, const char* key);

}  // namespace sidl_tool
#endif
