// rt.Hidden and a caller of it in a library that is loaded with RTLD_LOCAL, as Python loads its
// modules: the implementation is in no global scope.
#include "rt_Hidden.h"

namespace {

int32_t answer(rt_Hidden__object*, sidl_BaseInterface__object** ex) {
  *ex = nullptr;
  return 42;
}

}  // namespace

sidl_class* rt_Hidden__class(void) {
  static rt_Hidden__epv epv{};
  static sidl_class result{};
  epv.f_answer = answer;
  result.ior_major = SIDL_IOR_MAJOR_VERSION;
  result.ior_minor = SIDL_IOR_MINOR_VERSION;
  result.info = &rt_Hidden__info;
  result.epv = &epv;
  return &result;
}

extern "C" int32_t hidden_answer(sidl_BaseInterface__object** ex) {
  rt_Hidden__object* const object = rt_Hidden__create(ex);
  if (object == nullptr) return -1;
  const int32_t result = rt_Hidden_answer(object, ex);
  rt_Hidden_deleteRef(object, ex);
  return result;
}
