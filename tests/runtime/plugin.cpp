// rt.Plugin, in a library that nothing links: only a catalogue leads to it.
#include "rt_Plugin_IOR.h"

namespace {

int32_t answer(rt_Plugin__object*, sidl_BaseInterface__object** ex) {
  *ex = nullptr;
  return 42;
}

}  // namespace

sidl_class* rt_Plugin__class(void) {
  static rt_Plugin__epv epv{};
  static sidl_class result{};
  epv.f_answer = answer;
  result.ior_major = SIDL_IOR_MAJOR_VERSION;
  result.ior_minor = SIDL_IOR_MINOR_VERSION;
  result.info = &rt_Plugin__info;
  result.epv = &epv;
  return &result;
}
