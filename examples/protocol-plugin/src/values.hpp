/**
 * Basic types and arrays as JSON, exactly.
 *
 *     bool, int, long     as they are; a char is its number
 *     float, double       numbers; "nan", "inf", "-inf"
 *     fcomplex, dcomplex  [real, imaginary]
 *     string              a string; {"bytes": [...]} if it is no UTF-8; in an array also null
 *     array               {"order": "row" | "column", "lower": [...], "upper": [...],
 *                          "elements": [...]}, the elements in this order; null
 */
#pragma once

#include <cmath>
#include <complex>
#include <limits>

#include "sidl_array.hxx"
#include "sidl_protocol.hxx"
#include "socket.hpp"

namespace jsonsock {

[[noreturn]] inline void malformed(const json& value, const std::string& wanted) {
  sidl::protocol::fail<sidl::rmi::ProtocolException>(
      "malformed message: " +
      value.dump(-1, ' ', true, json::error_handler_t::replace).substr(0, 80) + " is no " + wanted);
}

template <class T>
json encode(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  }
  return value;
}

template <class T>
json encode(const std::complex<T>& value) {
  return json::array({encode(value.real()), encode(value.imag())});
}

inline json encode(const std::string& value) {
  json text = value;
  try {
    static_cast<void>(text.dump());  // throws if it is no UTF-8
    return text;
  } catch (const json::type_error&) {
    return {{"bytes", std::vector<unsigned char>(value.begin(), value.end())}};
  }
}

template <class T>
T decode(const json& value) {
  if constexpr (std::is_same_v<T, bool>) {
    if (value.is_boolean()) return value.get<bool>();
    malformed(value, "bool");
  } else if constexpr (std::is_integral_v<T>) {
    const T number = value.get<T>();
    const bool wraps = value.is_number_unsigned() && number < 0;  // which == does not see
    if (value.is_number_integer() && value == json(number) && !wraps) return number;
    malformed(value, "integer of " + std::to_string(8 * sizeof(T)) + " bits");
  } else if constexpr (std::is_floating_point_v<T>) {
    if (value.is_number()) return static_cast<T>(value.get<double>());
    if (value == "nan") return std::numeric_limits<T>::quiet_NaN();
    if (value == "inf") return std::numeric_limits<T>::infinity();
    if (value == "-inf") return -std::numeric_limits<T>::infinity();
    malformed(value, "number");
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!value.is_object()) return value.get<std::string>();
    const auto bytes = value.at("bytes").get<std::vector<unsigned char>>();
    return {bytes.begin(), bytes.end()};
  } else {
    using Part = typename T::value_type;
    if (value.size() != 2) malformed(value, "complex number");
    return {decode<Part>(value.at(0)), decode<Part>(value.at(1))};
  }
}

/** C++ takes a string that is not there for an empty one; the array knows better. */
template <class T>
bool is_null([[maybe_unused]] const sidl::array<T>& dense, [[maybe_unused]] std::size_t element) {
  if constexpr (std::is_same_v<T, std::string>) return dense.first()[element] == nullptr;
  return false;
}

template <class T>
json encode_array(sidl::array<T> array, std::int32_t ordering) {
  if (array._is_nil()) return nullptr;
  const bool lies_in_columns = array.isColumnOrder() && !array.isRowOrder();
  const bool columns =
      ordering == sidl::general_order ? lies_in_columns : ordering == sidl::column_major_order;
  array.ensure(array.dimen(), columns ? sidl::column_major_order : sidl::row_major_order);
  json result = {{"order", columns ? "column" : "row"}};
  json& elements = result["elements"] = json::array();
  for (int i = 0; i < array.dimen(); ++i) {
    result["lower"].push_back(array.lower64(i));
    result["upper"].push_back(array.upper64(i));
  }
  for (const auto& each : array) {
    elements.push_back(is_null(array, elements.size()) ? json() : encode(static_cast<T>(each)));
  }
  return result;
}

template <class T>
sidl::array<T> decode_array(const json& value, std::int32_t ordering) {
  if (value.is_null()) return {};
  const json& elements = value.at("elements");
  std::vector<std::int64_t> lower, upper;
  for (const json& each : value.at("lower")) lower.push_back(decode<std::int64_t>(each));
  for (const json& each : value.at("upper")) upper.push_back(decode<std::int64_t>(each));
  const auto order = value.at("order") == "row" ? sidl::row_major_order : sidl::column_major_order;
  auto array = sidl::protocol::make_array<T>(lower, upper, order, elements.size());
  auto place = array.begin();
  for (const json& element : elements) {
    const bool null = std::is_same_v<T, std::string> && element.is_null();
    if (!null) *place = decode<T>(element);
    ++place;
  }
  if (ordering != sidl::general_order) array.ensure(array.dimen(), ordering);
  return array;
}

}  // namespace jsonsock
