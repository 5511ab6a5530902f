/* Arrays of structs as a caller in C has them. Each function returns what is wrong, or NULL. */
#include <string.h>

#include "rec.h"
#include "sidl_Exception.h"
#include "sidl_String.h"

#define CHECK(condition) \
  if (!(condition)) return #condition

/* Elements are in the array's memory, one C struct after the other. */
const char* elements_in_c(rec_Store store) {
  sidl_BaseInterface ex = NULL;
  struct rec_Particle__array* a = rec_Particle__array_create1d(3);
  for (int64_t i = 0; i < 3; ++i) {
    const struct rec_Particle__data each = {.x = 0.5 * (double)i, .id = i, .tag = 't'};
    rec_Particle__array_set1(a, i, &each);
  }
  const struct rec_Particle__data* const first = rec_Particle__array_first(a);
  CHECK(first == rec_Particle__array_at1(a, 0));
  CHECK(&first[2] == rec_Particle__array_at1(a, 2));
  CHECK(rec_Particle__array_at1(a, 3) == NULL);
  CHECK(rec_Particle__array_get1(a, 2).x == 1.0);
  CHECK(rec_Particle__array_get1(a, 3).tag == 0);
  const double sum = rec_Store_sum(store, a, &ex);
  CHECK(ex == NULL && sum == 4.5);
  rec_Store_shift(store, &a, &ex);
  CHECK(ex == NULL && sidlArrayElem1(a, 2).x == 2.0);

  struct rec_Particle__array* out = NULL;
  struct rec_Particle__array* both =
      rec_Particle__array_create1dInit(3, rec_Particle__array_first(a));
  struct rec_Particle__array* const result = rec_Store_rotate(store, a, &out, &both, &ex);
  CHECK(ex == NULL);
  CHECK(rec_Particle__array_length64(result, 0) == 3 && sidlArrayElem1(result, 1).x == 1.5);
  CHECK(sidlArrayElem1(out, 1).x == 1.5 && sidlArrayElem1(out, 1).tag == 't');
  CHECK(rec_Particle__array_length64(both, 0) == 2 && sidlArrayElem1(both, 1).id == 77);
  rec_Particle__array_deleteRef(result);
  rec_Particle__array_deleteRef(out);
  rec_Particle__array_deleteRef(both);
  rec_Particle__array_deleteRef(a);
  return NULL;
}

/* What elements own is theirs: copies go in and come out, and all is freed with the array. */
const char* owners_in_c(rec_Store store) {
  sidl_BaseInterface ex = NULL;
  struct rec_Record__array* const a = rec_Record__array_create1d(2);
  struct rec_Record__data one = {.n = 1, .name = sidl_String_strdup("one")};
  double raw[] = {1.5};
  one.raw = raw;
  one.values = sidl_double__array_create1d(1);
  sidl_double__array_set1(one.values, 0, 2.5);
  rec_Record__array_set1(a, 1, &one);
  one.raw = NULL;
  one.n = 0;
  rec_Record__destroy(&one, &ex);
  CHECK(sidlArrayElem1(a, 0).name == NULL);
  struct rec_Record__data copy = rec_Record__array_get1(a, 1);
  CHECK(strcmp(copy.name, "one") == 0 && copy.name != sidlArrayElem1(a, 1).name);
  rec_Record__destroy(&copy, &ex);

  struct rec_Record__array* out = NULL;
  struct rec_Record__array* both = NULL;
  struct rec_Record__array* const result = rec_Store_rotateRecords(store, a, &out, &both, &ex);
  CHECK(ex == NULL && result == NULL && rec_Record__array_length64(both, 0) == 2);
  CHECK(strcmp(sidlArrayElem1(out, 1).name, "one") == 0);
  CHECK(sidl_double__array_get1(sidlArrayElem1(out, 1).values, 0) == 2.5);
  CHECK(sidlArrayElem1(out, 1).raw[0] == 1.5);
  rec_Record__array_deleteRef(out);
  rec_Record__array_deleteRef(both);
  rec_Record__array_deleteRef(a);
  return NULL;
}
