#include "value_source.hpp"

#include "numbers.hpp"
#include "reused.hpp"
#include "sidl_String.h"
#include "sidlx_rmi_SimCall_Impl.hxx"
#include "translate.hpp"

namespace shinar::wire {
namespace {

using sidlx::rmi::SimCall;
using sidlx::rmi::SimCall_impl;

ValueSource& of(sidl_source* self) {
  return *static_cast<ValueSource*>(self);
}

template <class T>
void store(void* value, const T& what) {
  *static_cast<T*>(value) = what;
}

void get_value(Unpacker& unpacker, sidl_kind kind, void* value) {
  Decoder& values = unpacker.values();
  switch (kind) {
    case sidl_kind_bool:
      return store<sidl_bool>(value, values.get_bool() ? TRUE : FALSE);
#define SIDL_NUMBER(name, number, array, ctype, Name, numpy) \
  case number:                                               \
    return store(value, get_number<ctype>(values));
#include "sidl_kinds.def"
    case sidl_kind_string:
      return store(value, unpacker.get_c_string());
    default:
      return;  // no other kind is a value of its own
  }
}

sidl_bool get(sidl_source* self, const char*, sidl_kind kind, void* value,
              sidl_BaseInterface__object** _ex) {
  return is_done("unpack", _ex, [&] { get_value(of(self).unpacker, kind, value); });
}

/** In the order received: libsidl converts it if needed. */
sidl_bool get_array(sidl_source* self, const char*, const sidl_type_ref* type,
                    struct sidl__array** array, sidl_BaseInterface__object** _ex) {
  return is_done("unpackArray", _ex, [&] {
    *array = shinar::wire::get_array(of(self).unpacker.values(),
                                     static_cast<sidl_kind>(type->element), of(self).landing);
  });
}

sidl_bool get_object(sidl_source* self, const char*, sidl_BaseInterface__object** object,
                     sidl_BaseInterface__object** _ex) {
  return is_done("unpackObject", _ex, [&] {
    sidl::BaseInterface value = of(self).unpacker.get_object();
    *object = sidl::release(value);
  });
}

sidl_bool get_copy(sidl_source* self, const char*, sidl_io_Serializable__object** object,
                   sidl_BaseInterface__object** _ex) {
  return is_done("unpackSerializable", _ex, [&] {
    sidl::io::Serializable value = of(self).unpacker.get_serializable(of(self).deserializer());
    *object = sidl::release(value);
  });
}

constexpr sidl_source_functions source_functions = {FALSE, &get, &get_array, &get_object,
                                                    &get_copy};

}  // namespace

ValueSource::ValueSource(Unpacker& its_unpacker, ArrayLanding* its_landing)
    : sidl_source{&source_functions}, unpacker(its_unpacker), landing(its_landing) {}

const SimCall& ValueSource::deserializer() {
  if (!deserializer_) {
    deserializer_ = SimCall::_create();
    impl_of<SimCall_impl>(*deserializer_).lend(unpacker);
  }
  return *deserializer_;
}

void ValueSource::end_deserializer() {
  impl_of<SimCall_impl>(*deserializer_).take_back();
}

}  // namespace shinar::wire
