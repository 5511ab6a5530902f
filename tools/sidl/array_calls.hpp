/** For each C++ type that array elements can have: how such arrays are packed and unpacked. */
#ifndef SIDL_TOOL_ARRAY_CALLS_HPP
#define SIDL_TOOL_ARRAY_CALLS_HPP

#include <complex>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "sidl_array.hxx"
#include "sidl_io_Deserializer.hxx"
#include "sidl_io_Serializer.hxx"
#include "types.hpp"

namespace sidl_tool {

template <class T>
struct ArrayCalls;

#define SIDL_TOOL_ARRAY_CALLS(T, NAME)                                           \
  template <>                                                                    \
  struct ArrayCalls<T> {                                                         \
    static constexpr auto pack = &sidl::io::Serializer::pack##NAME##Array;       \
    static constexpr auto unpack = &sidl::io::Deserializer::unpack##NAME##Array; \
  }

SIDL_TOOL_ARRAY_CALLS(bool, Bool);
SIDL_TOOL_ARRAY_CALLS(char, Char);
SIDL_TOOL_ARRAY_CALLS(std::int32_t, Int);
SIDL_TOOL_ARRAY_CALLS(std::int64_t, Long);
SIDL_TOOL_ARRAY_CALLS(float, Float);
SIDL_TOOL_ARRAY_CALLS(double, Double);
SIDL_TOOL_ARRAY_CALLS(std::complex<float>, Fcomplex);
SIDL_TOOL_ARRAY_CALLS(std::complex<double>, Dcomplex);
SIDL_TOOL_ARRAY_CALLS(std::string, String);

#undef SIDL_TOOL_ARRAY_CALLS

template <class T>
struct ElementTag {
  using type = T;
};

/** Calls `f` with the tag of the C++ type of an element. Objects and opaque have none. */
template <class Function>
void with_element(sidl_kind kind, const Function& f) {
  switch (kind) {
    case sidl_kind_bool:
      return f(ElementTag<bool>());
    case sidl_kind_char:
      return f(ElementTag<char>());
    case sidl_kind_int:
      return f(ElementTag<std::int32_t>());
    case sidl_kind_long:
    case sidl_kind_enum:
      return f(ElementTag<std::int64_t>());
    case sidl_kind_float:
      return f(ElementTag<float>());
    case sidl_kind_double:
      return f(ElementTag<double>());
    case sidl_kind_fcomplex:
      return f(ElementTag<std::complex<float>>());
    case sidl_kind_dcomplex:
      return f(ElementTag<std::complex<double>>());
    case sidl_kind_string:
      return f(ElementTag<std::string>());
    default:
      throw std::runtime_error("arrays of such elements cannot be sent to another process");
  }
}

/** The element kind of a generic array, by enum sidl_array_type. */
constexpr std::pair<sidl_array_type, sidl_kind> array_types[] = {
    {sidl_bool_array, sidl_kind_bool},         {sidl_char_array, sidl_kind_char},
    {sidl_dcomplex_array, sidl_kind_dcomplex}, {sidl_double_array, sidl_kind_double},
    {sidl_fcomplex_array, sidl_kind_fcomplex}, {sidl_float_array, sidl_kind_float},
    {sidl_int_array, sidl_kind_int},           {sidl_long_array, sidl_kind_long},
    {sidl_string_array, sidl_kind_string},     {sidl_interface_array, sidl_kind_interface},
};

}  // namespace sidl_tool
#endif
