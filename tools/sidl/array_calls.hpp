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

#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) \
  SIDL_TOOL_ARRAY_CALLS(sidl::basic_type<kind>::type, Name);
#define SIDL_LOCAL(name, kind, array, ctype, Name, numpy)
#include "sidl_kinds.def"

#undef SIDL_TOOL_ARRAY_CALLS

template <class T>
struct ElementTag {
  using type = T;
};

/** Calls `f` with the tag of the C++ type of an element. Objects and opaque have none. */
template <class Function>
void with_element(sidl_kind kind, const Function& f) {
  switch (kind) {
#define SIDL_BASIC(name, number, array, ctype, Name, numpy) \
  case number:                                              \
    return f(ElementTag<sidl::basic_type<number>::type>());
#define SIDL_LOCAL(name, number, array, ctype, Name, numpy)
#include "sidl_kinds.def"
    case sidl_kind_enum:
      return f(ElementTag<std::int64_t>());
    default:
      throw std::runtime_error("arrays of such elements cannot be sent to another process");
  }
}

}  // namespace sidl_tool
#endif
