// rt.Plugin and rt.Fault, in a library that nothing links: only a catalogue leads to it.
#include "rt_Fault_IOR.h"
#include "rt_Plugin_IOR.h"

namespace {

template <class Object>
int32_t answer(Object*, sidl_BaseInterface__object** ex) {
  *ex = nullptr;
  return 42;
}

template <class Epv>
sidl_class* class_of(const sidl_type_info& info) {
  static Epv epv{};
  static sidl_class result{};
  epv.f_answer = answer;
  result.ior_major = SIDL_IOR_MAJOR_VERSION;
  result.ior_minor = SIDL_IOR_MINOR_VERSION;
  result.info = &info;
  result.epv = &epv;
  return &result;
}

}  // namespace

sidl_class* rt_Plugin__class(void) {
  return class_of<rt_Plugin__epv>(rt_Plugin__info);
}

sidl_class* rt_Fault__class(void) {
  return class_of<rt_Fault__epv>(rt_Fault__info);
}
