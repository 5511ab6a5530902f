/** Values that are the same bytes in memory and on the wire (SIDL_NUMBER in sidl_kinds.def). */
#ifndef SHINAR_GLUE_NUMBERS_HPP
#define SHINAR_GLUE_NUMBERS_HPP

#include "core/decoder.hpp"
#include "core/encoder.hpp"
#include "sidlType.h"

namespace shinar::wire {

template <class T>
void put_number(Encoder& encoder, const T& value) {
  encoder.put(value);
}
inline void put_number(Encoder& encoder, const struct sidl_fcomplex& value) {
  encoder.put_pair(value.real, value.imaginary);
}
inline void put_number(Encoder& encoder, const struct sidl_dcomplex& value) {
  encoder.put_pair(value.real, value.imaginary);
}

template <class T>
T get_number(Decoder& values) {
  return values.get<T>();
}
template <>
inline struct sidl_fcomplex get_number<struct sidl_fcomplex>(Decoder& values) {
  const auto real = values.get<float>();
  return {real, values.get<float>()};
} template <>
inline struct sidl_dcomplex get_number<struct sidl_dcomplex>(Decoder& values) {
  const auto real = values.get<double>();
  return {real, values.get<double>()};
}

}  // namespace shinar::wire
#endif
