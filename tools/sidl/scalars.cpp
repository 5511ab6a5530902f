#include "scalars.hpp"

#include <locale.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "answers.hpp"
#include "near.hpp"
#include "usage_error.hpp"

namespace sidl_tool {
namespace {

using json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& where, const std::string& what,
                         const std::string& expected) {
  constexpr std::size_t most_shown = 60;
  const bool is_long = what.size() > most_shown;
  throw UsageError(where + ": " + what.substr(0, most_shown) + (is_long ? "…" : "") + " is not " +
                   expected);
}

/** Text for an error; lists and objects are not printed, as they may be of any size. */
std::string shown(const json& value) {
  if (value.is_structured()) return value.is_array() ? "a list" : "a JSON object";
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/** Parses the whole text as an integer; false if it is not one. */
bool read_integer(const std::string& text, std::int64_t& value, bool& fits) {
  char* end = nullptr;
  errno = 0;
  const bool hexadecimal = text.find_first_of("xX") != std::string::npos;
  value = std::strtoll(text.c_str(), &end, hexadecimal ? 16 : 10);
  fits = errno != ERANGE;
  return !text.empty() && *end == '\0';
}

/** strtod in the C locale: a loaded library may have set another one. */
double to_double(const char* text, char** end) {
  static const locale_t c_locale = ::newlocale(LC_ALL_MASK, "C", nullptr);
  return ::strtod_l(text, end, c_locale);
}

bool read_number(const std::string& text, double& value) {
  char* end = nullptr;
  value = to_double(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

json number_from_text(const std::string& text, const std::string& where) {
  double value = 0.0;
  if (!read_number(text, value)) refuse(where, "'" + text + "'", "a number");
  return to_json(value);
}

json integer_from_text(const std::string& text, const std::string& where) {
  std::int64_t value = 0;
  bool fits = false;
  if (!read_integer(text, value, fits)) refuse(where, "'" + text + "'", "an integer");
  if (!fits) refuse(where, text, "a 64-bit integer");
  return value;
}

json bool_from_text(const std::string& text, const std::string& where) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  refuse(where, "'" + text + "'", "a bool: use true or false");
}

json complex_from_text(const std::string& text, const std::string& where) {
  if (text.front() == '[') {
    try {
      return parse_json(text, 2);
    } catch (const std::runtime_error&) {
      refuse(where, "'" + text + "'", "a complex number: use re,im");
    }
  }
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) return json::array({number_from_text(text, where), 0.0});
  return json::array({number_from_text(trimmed(text.substr(0, comma)), where),
                      number_from_text(trimmed(text.substr(comma + 1)), where)});
}

/** Of a float or a double; "inf" and the like are strings, as JSON has no such numbers. */
double number_from_json(const json& value, const std::string& where) {
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    double number = 0.0;
    if (read_number(text, number) && !std::isfinite(number)) return number;
  }
  refuse(where, shown(value), "a number");
}

template <class Integer>
Integer integer_from_json(const json& value, const std::string& where, const char* name) {
  if (!value.is_number_integer()) {
    refuse(where, shown(value), std::string(std::strcmp(name, "int") == 0 ? "an " : "a ") + name);
  }
  const bool is_big = value.is_number_unsigned() &&
                      value.get<std::uint64_t>() >
                          static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const std::int64_t number = is_big ? 0 : value.get<std::int64_t>();
  using Limits = std::numeric_limits<Integer>;
  if (is_big || number < Limits::min() || number > Limits::max()) {
    throw UsageError(where + ": " + shown(value) + " is out of the range of " + name + ", " +
                     std::to_string(Limits::min()) + " to " + std::to_string(Limits::max()));
  }
  return static_cast<Integer>(number);
}

template <class Real>
std::complex<Real> complex_from_json(const json& value, const std::string& where) {
  if (!value.is_array() || value.size() != 2) {
    refuse(where, shown(value), "a complex number: use [re, im]");
  }
  return {scalar_from_json<Real>(value[0], where), scalar_from_json<Real>(value[1], where)};
}

/** The shortest decimal number that represents the value. */
template <class Real>
json real_to_json(Real value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char text[64] = {};
  std::to_chars(text, text + sizeof text - 1, value);
  return to_double(text, nullptr);
}

}  // namespace

json scalar_from_text(const Type& type, const std::string& text, const std::string& where) {
  if (type.kind == sidl_kind_string || type.kind == sidl_kind_char) return text;
  const std::string word = trimmed(text);
  if (word.empty()) throw UsageError(where + ": an empty text is not a " + type.text());
  switch (type.kind) {
    case sidl_kind_bool:
      return bool_from_text(word, where);
    case sidl_kind_int:
    case sidl_kind_long:
      return integer_from_text(word, where);
    case sidl_kind_float:
    case sidl_kind_double:
      return number_from_text(word, where);
    case sidl_kind_fcomplex:
    case sidl_kind_dcomplex:
      return complex_from_text(word, where);
    case sidl_kind_interface:
    case sidl_kind_class:
      return word == "null" ? json(nullptr) : json(word);
    default: {
      std::int64_t value = 0;
      bool fits = false;
      return read_integer(word, value, fits) && fits ? json(value) : json(word);
    }
  }
}

template <>
bool scalar_from_json<bool>(const json& value, const std::string& where) {
  if (!value.is_boolean()) refuse(where, shown(value), "a bool: use true or false");
  return value.get<bool>();
}

/** A char is one byte: ASCII or Latin-1. */
template <>
char scalar_from_json<char>(const json& value, const std::string& where) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (text.size() == 1) return text[0];
    const auto first = static_cast<unsigned char>(text.empty() ? 0 : text[0]);
    if (text.size() == 2 && (first == 0xC2 || first == 0xC3)) {
      const auto second = static_cast<unsigned char>(text[1]);
      return static_cast<char>(((first & 3) << 6) | (second & 0x3F));
    }
  }
  refuse(where, shown(value), "a char: use a single character");
}

template <>
std::int32_t scalar_from_json<std::int32_t>(const json& value, const std::string& where) {
  return integer_from_json<std::int32_t>(value, where, "int");
}

template <>
std::int64_t scalar_from_json<std::int64_t>(const json& value, const std::string& where) {
  return integer_from_json<std::int64_t>(value, where, "long");
}

template <>
double scalar_from_json<double>(const json& value, const std::string& where) {
  return number_from_json(value, where);
}

template <>
float scalar_from_json<float>(const json& value, const std::string& where) {
  const double number = number_from_json(value, where);
  if (std::isfinite(number) && std::fabs(number) > std::numeric_limits<float>::max()) {
    refuse(where, shown(value), "a float: it is too large");
  }
  return static_cast<float>(number);
}

template <>
std::complex<float> scalar_from_json<std::complex<float>>(const json& value,
                                                          const std::string& where) {
  return complex_from_json<float>(value, where);
}

template <>
std::complex<double> scalar_from_json<std::complex<double>>(const json& value,
                                                            const std::string& where) {
  return complex_from_json<double>(value, where);
}

template <>
std::string scalar_from_json<std::string>(const json& value, const std::string& where) {
  if (!value.is_string()) refuse(where, shown(value), "a string");
  auto text = value.get<std::string>();
  if (text.find('\0') != std::string::npos) {
    throw UsageError(where + ": SIDL strings cannot contain NUL characters");
  }
  return text;
}

std::int64_t enum_from_json(const json& value, const std::string& name,
                            const Enumerators& enumerators, const std::string& where) {
  if (!value.is_string()) return integer_from_json<std::int64_t>(value, where, name.c_str());
  const auto& word = value.get_ref<const std::string&>();
  std::vector<std::string> names;
  std::string all;
  for (const auto& [item, number] : enumerators) {
    if (item == word) return number;
    names.push_back(item);
    all += (all.empty() ? "" : ", ") + item;
  }
  throw UsageError(where + ": '" + word + "' is not an enumerator of " + name +
                   did_you_mean(word, names) + "; the enumerators are: " + all);
}

json to_json(bool value) {
  return value;
}

json to_json(char value) {
  const auto byte = static_cast<unsigned char>(value);
  if (byte < 0x80) return std::string(1, value);
  return std::string{static_cast<char>(0xC0 | byte >> 6), static_cast<char>(0x80 | (byte & 0x3F))};
}

json to_json(std::int32_t value) {
  return value;
}

json to_json(std::int64_t value) {
  return value;
}

json to_json(float value) {
  return real_to_json(value);
}

json to_json(double value) {
  return real_to_json(value);
}

json to_json(const std::complex<float>& value) {
  return json::array({to_json(value.real()), to_json(value.imag())});
}

json to_json(const std::complex<double>& value) {
  return json::array({to_json(value.real()), to_json(value.imag())});
}

json to_json(const std::string& value) {
  return value;
}

json enum_to_json(std::int64_t value, const Enumerators& enumerators) {
  for (const auto& [item, number] : enumerators) {
    if (number == value) return item;
  }
  return value;
}

}  // namespace sidl_tool
