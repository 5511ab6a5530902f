// rt.Runner, whose methods are called in halves, oneway and with deadlines.
#include <atomic>

#include "classes.hpp"
#include "loop.hpp"
#include "rt_Async.h"
#include "rt_Runner.h"
#include "sidl_SIDLException.h"
#include "support.hpp"

namespace {

using Ex = sidl_BaseInterface__object**;

std::atomic<int> total{0};

double solve(rt_Runner__object*, int64_t color, sidl_double__array* a, sidl_double__array** x,
             char** log, rt_Inner__data* made, rt_A__object** other, Ex ex) {
  *ex = nullptr;
  for (int32_t i = 0; i < sidl_double__array_length(*x, 0); ++i) {
    sidl_double__array_set1(*x, i, 2 * sidl_double__array_get1(*x, i));
  }
  char* const longer = sidl_String_concat2(*log, "+");
  sidl_String_free(*log);
  *log = longer;
  made->n = static_cast<int32_t>(color);
  made->s = sidl_String_strdup("made");
  if (*other != nullptr) {
    rt::drop(*other);
    *other = reinterpret_cast<rt_A__object*>(
        sidl_cast(sidl_create(&rt_Base__info, ex), &rt_A__info, ex));
    rt::drop(*other);  // the cast has a reference of its own
  }
  return sidl_double__array_get1(a, 0);
}

char* fail(rt_Runner__object*, int32_t kind, int32_t* io, char** o, Ex ex) {
  *ex = nullptr;
  *o = nullptr;
  if (kind != 0) SIDL_THROW(*ex, rt_Error, "the runner failed");
  ++*io;
  *o = sidl_String_strdup("fine");
  return sidl_String_strdup("result");
EXIT:
  return nullptr;
}

int32_t add(rt_Runner__object*, int32_t x, Ex ex) {
  *ex = nullptr;
  return x + 1;
}

void shift(rt_Runner__object*, sidl_double__array** m, int32_t n, sidl_int__array* by, int64_t k,
           Ex ex) {
  *ex = nullptr;
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t j = 0; j < k; ++j) {
      const double value = sidl_double__array_get2(*m, i, j);
      sidl_double__array_set2(*m, i, j, value + sidl_int__array_get1(by, i));
    }
  }
}

void box(rt_Runner__object*, rt_Boxed__data* b, Ex ex) {
  *ex = nullptr;
  for (int32_t i = 0; i < b->n; ++i) b->values[i] *= 10;
  sidl_String_free(b->label);
  b->label = sidl_String_strdup("boxed");
}

void* pointer(rt_Runner__object*, void* p, void** q, Ex ex) {
  *ex = nullptr;
  return std::exchange(*q, p);
}

void note(rt_Runner__object*, int32_t x, Ex ex) {
  *ex = nullptr;
  total += x;
}

int32_t noted(rt_Runner__object*, Ex ex) {
  *ex = nullptr;
  return total;
}

int64_t deadline_of_calls(rt_Runner__object*, rt_Async__object* peer, Ex ex) {
  rt_Async_noted(peer, ex);
  return rt::loop_deadline();
}

int32_t twice(int32_t x, char** s, Ex ex) {
  *ex = nullptr;
  char* const doubled = sidl_String_concat2(*s, *s);
  sidl_String_free(*s);
  *s = doubled;
  return 2 * x;
}

}  // namespace

sidl_class* rt_Runner__class(void) {
  static rt_Runner__epv epv{};
  static const rt_Runner__sepv statics{twice};
  static sidl_class result = [] {
    epv.f_solve = solve;
    epv.f_fail = fail;
    epv.f_add = add;
    epv.f_shift = shift;
    epv.f_box = box;
    epv.f_pointer = pointer;
    epv.f_note = note;
    epv.f_noted = noted;
    epv.f_deadlineOfCalls = deadline_of_calls;
    sidl_class c = rt::make_class(&rt_Runner__info, &epv);
    c.static_epv = &statics;
    return c;
  }();
  return &result;
}
