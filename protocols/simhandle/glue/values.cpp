#include "values.hpp"

#include <new>

#include "sidl_String.h"
#include "sidl_header.h"

namespace simhandle {
namespace {

constexpr std::uint32_t bit(int kind) {
  return std::uint32_t{1} << kind;
}

constexpr std::uint32_t plain_kinds =
    bit(sidl_kind_bool) | bit(sidl_kind_char) | bit(sidl_kind_int) | bit(sidl_kind_long) |
    bit(sidl_kind_float) | bit(sidl_kind_double) | bit(sidl_kind_fcomplex) |
    bit(sidl_kind_dcomplex) | bit(sidl_kind_string) | bit(sidl_kind_enum);

bool is_plain(const sidl_type_ref& type) {
  const int kind = type.kind == sidl_kind_array ? type.element : type.kind;
  return (plain_kinds & bit(kind)) != 0;
}

template <class T>
const T& as(const void* value) {
  return *static_cast<const T*>(value);
}

template <class T>
void store(void* value, T what) {
  *static_cast<T*>(value) = what;
}

char* copy_of(std::string_view text) {
  char* const copy = sidl_String_strndup(text.data(), text.size());
  if (copy == nullptr) throw std::bad_alloc();
  return copy;
}

template <class Complex, class Real>
Complex get_complex(Decoder& decoder) {
  Complex value;
  value.real = decoder.get<Real>();
  value.imaginary = decoder.get<Real>();
  return value;
}

}  // namespace

bool has_plain_values(const sidl_method_info& method) {
  if (method.result.kind != sidl_kind_void && !is_plain(method.result)) return false;
  for (int i = 0; i < method.arg_count; ++i) {
    if (!is_plain(method.args[i].type)) return false;
  }
  return true;
}

bool has_declared_shape(const sidl_type_ref& type, const void* value) {
  if (type.kind != sidl_kind_array) return true;
  const auto* const array = as<const struct sidl__array*>(value);
  return array == nullptr || type.dimension == 0 || array->d_dimen == type.dimension;
}

void put_value(Encoder& encoder, const sidl_type_ref& type, const void* value, Sharing sharing) {
  switch (static_cast<sidl_kind>(type.kind)) {
    case sidl_kind_bool:
      return encoder.put_bool(as<sidl_bool>(value) != 0);
    case sidl_kind_char:
      return encoder.put(as<char>(value));
    case sidl_kind_int:
      return encoder.put(as<std::int32_t>(value));
    case sidl_kind_long:
    case sidl_kind_enum:
      return encoder.put(as<std::int64_t>(value));
    case sidl_kind_float:
      return encoder.put(as<float>(value));
    case sidl_kind_double:
      return encoder.put(as<double>(value));
    case sidl_kind_fcomplex: {
      const auto& complex = as<struct sidl_fcomplex>(value);
      return encoder.put_pair(complex.real, complex.imaginary);
    }
    case sidl_kind_dcomplex: {
      const auto& complex = as<struct sidl_dcomplex>(value);
      return encoder.put_pair(complex.real, complex.imaginary);
    }
    case sidl_kind_string: {
      const char* const text = as<const char*>(value);
      return text == nullptr ? encoder.put_null_string() : encoder.put_string(text);
    }
    case sidl_kind_array:
      return put_array(encoder, static_cast<sidl_kind>(type.element),
                       as<struct sidl__array*>(value), type.order, sharing);
    default:
      return;  // not plain
  }
}

void get_value(Decoder& decoder, const sidl_type_ref& type, void* value) {
  switch (static_cast<sidl_kind>(type.kind)) {
    case sidl_kind_bool:
      return store<sidl_bool>(value, decoder.get_bool() ? TRUE : FALSE);
    case sidl_kind_char:
      return store(value, decoder.get<char>());
    case sidl_kind_int:
      return store(value, decoder.get<std::int32_t>());
    case sidl_kind_long:
    case sidl_kind_enum:
      return store(value, decoder.get<std::int64_t>());
    case sidl_kind_float:
      return store(value, decoder.get<float>());
    case sidl_kind_double:
      return store(value, decoder.get<double>());
    case sidl_kind_fcomplex:
      return store(value, get_complex<struct sidl_fcomplex, float>(decoder));
    case sidl_kind_dcomplex:
      return store(value, get_complex<struct sidl_dcomplex, double>(decoder));
    case sidl_kind_string: {
      bool null = false;
      const std::string_view text = decoder.get_string(null);
      return store(value, null ? nullptr : copy_of(text));
    }
    case sidl_kind_array: {
      auto* const array = get_array(decoder, static_cast<sidl_kind>(type.element), type.order);
      store(value, array);
      if (has_declared_shape(type, value)) return;
      throw malformed("an array of " + std::to_string(array->d_dimen) + " instead of " +
                      std::to_string(type.dimension) + " dimensions");
    }
    default:
      return;  // not plain
  }
}

}  // namespace simhandle
