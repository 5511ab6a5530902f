/**
 * Single values in JSON, and as written on a command line.
 *
 *     bool               true, false                 (on the command line also 1, 0)
 *     char               a string of one character
 *     int, long          an integer
 *     float, double      a number, or "inf", "-inf", "nan"
 *     fcomplex, dcomplex [re, im]                    (on the command line re,im)
 *     string             a string                    (on the command line without quotes)
 *     enum               the name or the number
 *
 * Invalid values throw UsageError, prefixed with `where`.
 */
#ifndef SIDL_TOOL_SCALARS_HPP
#define SIDL_TOOL_SCALARS_HPP

#include <complex>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "types.hpp"

namespace sidl_tool {

/** Converts a command-line text to JSON, for types other than structs and arrays. */
nlohmann::ordered_json scalar_from_text(const Type& type, const std::string& text,
                                        const std::string& where);

/** A value of C++ type T from JSON. */
template <class T>
T scalar_from_json(const nlohmann::ordered_json& json, const std::string& where);
template <>
bool scalar_from_json<bool>(const nlohmann::ordered_json& json, const std::string& where);
template <>
char scalar_from_json<char>(const nlohmann::ordered_json& json, const std::string& where);
template <>
std::int32_t scalar_from_json<std::int32_t>(const nlohmann::ordered_json& json,
                                            const std::string& where);
template <>
std::int64_t scalar_from_json<std::int64_t>(const nlohmann::ordered_json& json,
                                            const std::string& where);
template <>
float scalar_from_json<float>(const nlohmann::ordered_json& json, const std::string& where);
template <>
double scalar_from_json<double>(const nlohmann::ordered_json& json, const std::string& where);
template <>
std::complex<float> scalar_from_json<std::complex<float>>(const nlohmann::ordered_json& json,
                                                          const std::string& where);
template <>
std::complex<double> scalar_from_json<std::complex<double>>(const nlohmann::ordered_json& json,
                                                            const std::string& where);
template <>
std::string scalar_from_json<std::string>(const nlohmann::ordered_json& json,
                                          const std::string& where);

/** The value of an enumerator given by name or number. */
std::int64_t enum_from_json(const nlohmann::ordered_json& json, const std::string& name,
                            const Enumerators& enumerators, const std::string& where);

nlohmann::ordered_json to_json(bool value);
nlohmann::ordered_json to_json(char value);
nlohmann::ordered_json to_json(std::int32_t value);
nlohmann::ordered_json to_json(std::int64_t value);
nlohmann::ordered_json to_json(float value);
nlohmann::ordered_json to_json(double value);
nlohmann::ordered_json to_json(const std::complex<float>& value);
nlohmann::ordered_json to_json(const std::complex<double>& value);
nlohmann::ordered_json to_json(const std::string& value);

/** The name, or the number if no enumerator has it. */
nlohmann::ordered_json enum_to_json(std::int64_t value, const Enumerators& enumerators);

}  // namespace sidl_tool
#endif
