// Implementations of the test classes, written as a skel would write them.
#include "classes.hpp"

#include <atomic>
#include <string>

#include "sidl_SIDLException.h"
#include "sidl_rmi_ConnectException.h"
#include "support.hpp"

namespace {

using Ex = sidl_BaseInterface__object**;

std::atomic<int> live{0};
std::atomic<int> loads{0};
std::atomic<bool> broken_end{false};

// ---- Base -------------------------------------------------------------------------------------

int32_t base_a(rt_Base__object*, int32_t x, Ex ex) {
  *ex = nullptr;
  return x + 1;
}

int32_t base_live(Ex ex) {
  *ex = nullptr;
  return live;
}

void base_load(Ex ex) {
  *ex = nullptr;
  ++loads;
}

void base_ctor(void*, Ex ex) {
  *ex = nullptr;
  ++live;
}

void base_ctor2(void* self, void* data, Ex ex) {
  *ex = nullptr;
  static_cast<rt_Base__object*>(self)->d_data = data;
  ++live;
}

sidl_BaseInterface__object** handed_out = nullptr;

void hand_out(void* self, Ex ex) {
  *ex = nullptr;
  if (handed_out == nullptr) return;
  auto* const object = static_cast<sidl_BaseInterface__object*>(self);
  object->d_epv->f_addRef(object->d_object, ex);
  *handed_out = object;
}

void base_dtor(void* self, Ex ex) {
  // Taking and dropping a reference here must not destroy the object again.
  auto* const object = static_cast<sidl_BaseInterface__object*>(self);
  object->d_epv->f_addRef(object->d_object, ex);
  object->d_epv->f_deleteRef(object->d_object, ex);
  hand_out(self, ex);
  --live;
}

// ---- Derived ----------------------------------------------------------------------------------

void derived_dtor(void*, Ex ex) {
  *ex = nullptr;
  if (broken_end) SIDL_THROW(*ex, sidl_SIDLException, "the file was not closed");
EXIT:
  return;
}

int32_t derived_a(rt_Derived__object* self, int32_t x, Ex ex) {
  const auto* const super = static_cast<const rt_Base__epv*>(sidl_super_epv(&rt_Derived__info, ex));
  return 100 + super->f_a(reinterpret_cast<rt_Base__object*>(self), x, ex);
}

char* derived_b(rt_Derived__object*, const char* s, Ex ex) {
  *ex = nullptr;
  return sidl_String_concat2("b:", s);
}

int32_t derived_c(rt_Derived__object*, Ex ex) {
  *ex = nullptr;
  return 7;
}

// ---- Broken -----------------------------------------------------------------------------------

void broken_ctor(void* self, Ex ex) {
  hand_out(self, ex);
  SIDL_THROW(*ex, sidl_SIDLException, "will not be built");
EXIT:
  return;
}

void broken_never(rt_Broken__object*, Ex ex) {
  *ex = nullptr;
}

// ---- Worker -----------------------------------------------------------------------------------

double worker_scalars(rt_Worker__object*, sidl_bool b, char c, int32_t i, int64_t l, float f,
                      double d, sidl_fcomplex fc, sidl_dcomplex dc, int64_t color, Ex ex) {
  *ex = nullptr;
  return b + c + i + static_cast<double>(l) + f + d + fc.real + fc.imaginary + dc.real +
         dc.imaginary + static_cast<double>(color);
}

void worker_outs(rt_Worker__object*, sidl_bool* b, char* c, int32_t* i, int64_t* l, float* f,
                 double* d, sidl_fcomplex* fc, sidl_dcomplex* dc, int64_t* color, char** s, Ex ex) {
  *ex = nullptr;
  *b = TRUE;
  *c = 'x';
  *i = -3;
  *l = INT64_C(1) << 40;
  *f = 0.5f;
  *d = 0.25;
  *fc = {1, 2};
  *dc = {3, 4};
  *color = 6;
  *s = sidl_String_strdup("out");
}

char* worker_text(rt_Worker__object*, const char* i, char** io, char** o, Ex ex) {
  *ex = nullptr;
  char* const joined = sidl_String_concat2(i, *io);
  sidl_String_free(*io);
  *io = joined;
  *o = nullptr;  // no string: legal, and different from the empty one
  return sidl_String_strdup("");
}

sidl_double__array* worker_arrays(rt_Worker__object*, sidl_double__array* i, sidl_int__array** io,
                                  sidl_string__array** o, Ex ex) {
  *ex = nullptr;
  sidl_int__array* const longer = sidl_int__array_create1d(sidl_int__array_length(*io, 0) + 1);
  sidl_int__array_copy(*io, longer);
  sidl_int__array_set1(longer, sidl_int__array_upper(longer, 0), 99);
  sidl_int__array_deleteRef(*io);
  *io = longer;
  *o = sidl_string__array_create1d(2);
  sidl_string__array_set1(*o, 0, "first");
  return sidl_double__array_smartCopy(i);
}

rt_Record__data worker_records(rt_Worker__object*, const rt_Record__data* i, rt_Record__data* io,
                               rt_Inner__data* o, Ex ex) {
  *ex = nullptr;
  rt_Record__data result;
  sidl_struct_copy(&rt_Record__info, i, &result, ex);
  result.x += io->x;
  sidl_String_free(io->label);
  io->label = sidl_String_strdup("changed");
  o->n = i->inner.n + 1;
  o->s = sidl_String_strdup(i->inner.s);
  return result;
}

rt_A__object* worker_objects(rt_Worker__object*, rt_A__object* i, rt_B__object** io,
                             rt_C__object** o, Ex ex) {
  *o = static_cast<rt_C__object*>(sidl_cast(*io, &rt_C__info, ex));
  rt::drop(*io);
  *io = static_cast<rt_B__object*>(sidl_cast(i, &rt_B__info, ex));
  return static_cast<rt_A__object*>(sidl_cast(i, &rt_A__info, ex));
}

void worker_fail(rt_Worker__object*, int32_t kind, int32_t* io, char** o, Ex ex) {
  *ex = nullptr;
  *io = -1;
  *o = nullptr;
  switch (kind) {
    case 1:
      SIDL_THROW(*ex, rt_Error, "the worker failed");
    case 2:
      sidl_rmi_throw(&sidl_rmi_ConnectException__info, "no way", 111, 1, "file", 1, "f", ex);
      break;
    case 3:
      // not an exception at all
      *ex = static_cast<sidl_BaseInterface__object*>(sidl_create(&rt_Base__info, ex));
      break;
    default:
      *o = sidl_String_strdup("fine");
  }
EXIT:
  return;
}

void worker_pointer(rt_Worker__object*, void*, Ex ex) {
  *ex = nullptr;
}

int64_t worker_address(rt_Worker__object*, void* p, Ex ex) {
  *ex = nullptr;
  return static_cast<int64_t>(reinterpret_cast<intptr_t>(p));
}

int32_t worker_result_only(rt_Worker__object*, Ex ex) {
  *ex = nullptr;
  return 42;
}

void worker_nothing(rt_Worker__object*, Ex ex) {
  *ex = nullptr;
}

}  // namespace

int rt_loads() {
  return loads;
}
int rt_live() {
  return live;
}

sidl_class* rt_Base__class(void) {
  static rt_Base__epv epv{};
  static rt_Base__sepv statics{base_live};
  static sidl_class result = [] {
    epv.f_a = base_a;
    sidl_class c = rt::make_class(&rt_Base__info, &epv);
    c.impl_size = rt_base_impl_size;
    c.static_epv = &statics;
    c.load = base_load;
    c.ctor = base_ctor;
    c.ctor2 = base_ctor2;
    c.dtor = base_dtor;
    return c;
  }();
  return &result;
}

sidl_class* rt_Derived__class(void) {
  static rt_Derived__epv epv{};
  static sidl_class result = [] {
    epv.f_a = derived_a;
    epv.f_b = derived_b;
    epv.f_c = derived_c;
    sidl_class c = rt::make_class(&rt_Derived__info, &epv);
    c.impl_size = rt_derived_impl_size;
    c.dtor = derived_dtor;
    return c;
  }();
  return &result;
}

sidl_class* rt_Broken__class(void) {
  static rt_Broken__epv epv{};
  static sidl_class result = [] {
    epv.f_never = broken_never;
    sidl_class c = rt::make_class(&rt_Broken__info, &epv);
    c.ctor = broken_ctor;
    return c;
  }();
  return &result;
}

sidl_class* rt_Worker__class(void) {
  static rt_Worker__epv epv{};
  static sidl_class result = [] {
    epv.f_scalars = worker_scalars;
    epv.f_outs = worker_outs;
    epv.f_text = worker_text;
    epv.f_arrays = worker_arrays;
    epv.f_records = worker_records;
    epv.f_objects = worker_objects;
    epv.f_fail = worker_fail;
    epv.f_pointer = worker_pointer;
    epv.f_address = worker_address;
    epv.f_resultOnly = worker_result_only;
    epv.f_nothing = worker_nothing;
    return rt::make_class(&rt_Worker__info, &epv);
  }();
  return &result;
}

void rt_break_destructor(bool broken) {
  broken_end = broken;
}

void rt_hand_out(sidl_BaseInterface__object** to) {
  handed_out = to;
}

sidl_type_info rt_old_info() {
  static sidl_type_cache cache{};
  sidl_type_info info = rt_Missing__info;
  info.name = "rt.Old";
  info.id = UINT64_C(0x1234);
  info.cache = &cache;
  return info;
}

static sidl_class& old_class() {
  static const sidl_type_info info = rt_old_info();
  static rt_Missing__epv epv{};
  static sidl_class result = rt::make_class(&info, &epv);
  return result;
}

void rt_make_old(int32_t major, int32_t minor) {
  old_class().ior_major = major;
  old_class().ior_minor = minor;
}

// What a library compiled with another sidlc would offer.
extern "C" sidl_class* rt_Old__class(void) {
  return &old_class();
}

// What a library compiled from another SIDL file would offer.
extern "C" sidl_class* rt_Other__class(void) {
  static const sidl_type_info info = [] {
    sidl_type_info i = rt_old_info();
    i.name = "rt.Other";
    i.slot_count -= 1;
    i.layout += 1;
    return i;
  }();
  static rt_Missing__epv epv{};
  static sidl_class result = rt::make_class(&info, &epv);
  return &result;
}
