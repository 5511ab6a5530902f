#include "value_sink.hpp"

#include "numbers.hpp"
#include "reused.hpp"
#include "sidlx_rmi_SimReturn_Impl.hxx"
#include "translate.hpp"

namespace shinar::wire {
namespace {

using sidlx::rmi::SimReturn;
using sidlx::rmi::SimReturn_impl;

ValueSink& of(sidl_sink* self) {
  return *static_cast<ValueSink*>(self);
}

template <class T>
const T& as(const void* value) {
  return *static_cast<const T*>(value);
}

void put_value(Packer& packer, sidl_kind kind, const void* value) {
  Encoder& encoder = packer.encoder();
  switch (kind) {
    case sidl_kind_bool:
      return encoder.put_bool(as<sidl_bool>(value) != 0);
#define SIDL_NUMBER(name, number, array, ctype, Name, numpy) \
  case number:                                               \
    return put_number(encoder, as<ctype>(value));
#include "sidl_kinds.def"
    case sidl_kind_string:
      return packer.put_string(as<const char*>(value));
    default:
      return;  // no other kind is a value of its own
  }
}

sidl_bool put(sidl_sink* self, const char*, sidl_kind kind, const void* value,
              sidl_BaseInterface__object** _ex) {
  return is_done("pack", _ex, [&] { put_value(of(self).packer, kind, value); });
}

sidl_bool put_array(sidl_sink* self, const char*, const sidl_type_ref* type,
                    struct sidl__array* array, sidl_BaseInterface__object** _ex) {
  return is_done("packArray", _ex, [&] {
    const auto element = static_cast<sidl_kind>(type->element);
    const Sharing shared = of(self).sharing;
    const bool is_ours = shared == Sharing::lent && (type->flags & sidl_ref_made) != 0;
    shinar::wire::put_array(of(self).packer.encoder(), element, array, type->order,
                            is_ours ? Sharing::kept : shared);
  });
}

sidl_bool put_object(sidl_sink* self, const char* key, sidl_BaseInterface__object* object,
                     sidl_BaseInterface__object** _ex) {
  return is_done("packObject", _ex, [&] {
    const bool is_argument = of(self).sharing == Sharing::lent;  // the caller's
    of(self).packer.put_object(key, sidl::BaseInterface(object, true), is_argument);
  });
}

sidl_bool put_copy(sidl_sink* self, const char*, sidl_io_Serializable__object* object,
                   sidl_BaseInterface__object** _ex) {
  return is_done("packSerializable", _ex, [&] {
    of(self).packer.put_serializable(sidl::io::Serializable(object, true), of(self).serializer());
  });
}

constexpr sidl_sink_functions sink_functions = {FALSE, &put, &put_array, &put_object, &put_copy};

}  // namespace

ValueSink::ValueSink(Packer& its_packer, Sharing its_sharing)
    : sidl_sink{&sink_functions}, packer(its_packer), sharing(its_sharing) {}

const SimReturn& ValueSink::serializer() {
  if (!serializer_) {
    serializer_ = SimReturn::_create();
    impl_of<SimReturn_impl>(*serializer_).lend(packer);
  }
  return *serializer_;
}

void ValueSink::end_serializer() {
  impl_of<SimReturn_impl>(*serializer_).take_back();
}

}  // namespace shinar::wire
