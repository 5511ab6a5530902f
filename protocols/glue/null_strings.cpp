/**
 * Passes null strings as null.
 *
 * C++ has no null string, so generated skels cannot tell one from an empty one. These functions
 * replace the skels' in the method tables before any object is made; they also save copies.
 */
#include "reused.hpp"
#include "sidl_exception.hxx"
#include "sidl_impl.hxx"
#include "sidl_skel.hxx"
#include "sidlx_rmi_SimCall_Impl.hxx"
#include "sidlx_rmi_SimReturn_Impl.hxx"
#include "sidlx_rmi_Simsponse_Impl.hxx"
#include "sidlx_rmi_Simvocation_Impl.hxx"

namespace shinar::wire {
namespace {

template <class Impl, class Object>
void pack(Object* self, const char*, const char* value, sidl_BaseInterface__object** _ex) {
  *_ex = nullptr;
  try {
    static_cast<Impl*>(self->d_data)->packer().put_string(value);
  } catch (...) {
    sidl::set_exception(_ex, __FILE__, "packString");
  }
}

template <class Impl, class Object>
void unpack(Object* self, const char*, char** value, sidl_BaseInterface__object** _ex) {
  *_ex = nullptr;
  try {
    *value = static_cast<Impl*>(self->d_data)->unpacker().get_c_string();
  } catch (...) {
    sidl::set_exception(_ex, __FILE__, "unpackString");
  }
}

template <class Epv>
Epv& epv_of(const sidl_class* description) {
  return *static_cast<Epv*>(description->epv);
}

const bool replaced = [] {
  using namespace sidlx::rmi;
  epv_of<sidlx_rmi_Simvocation__epv>(sidlx_rmi_Simvocation__class()).f_packString =
      pack<Simvocation_impl, sidlx_rmi_Simvocation__object>;
  epv_of<sidlx_rmi_SimReturn__epv>(sidlx_rmi_SimReturn__class()).f_packString =
      pack<SimReturn_impl, sidlx_rmi_SimReturn__object>;
  epv_of<sidlx_rmi_Simsponse__epv>(sidlx_rmi_Simsponse__class()).f_unpackString =
      unpack<Simsponse_impl, sidlx_rmi_Simsponse__object>;
  epv_of<sidlx_rmi_SimCall__epv>(sidlx_rmi_SimCall__class()).f_unpackString =
      unpack<SimCall_impl, sidlx_rmi_SimCall__object>;
  return true;
}();

}  // namespace
}  // namespace shinar::wire
