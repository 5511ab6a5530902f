#include <string.h>

#include "from_c.h"
#include "sidl_Exception.h"
#include "sidl_String.h"
#include "ty_Item.h"
#include "ty_Raws.h"

static const char* memory(ty_Raws raws) {
  sidl_BaseInterface ex = NULL;
  double x[] = {1, 2, 3}, y[] = {10, 100, 1000};
  REQUIRE(ty_Raws_dot(raws, x, y, 3, &ex) == 3210 && !ex);
  REQUIRE(ty_Raws_dot(raws, NULL, NULL, 0, &ex) == 0 && !ex);
  int32_t a[] = {1, 2, 3, 4, 5, 6};
  ty_Raws_fill(raws, a, 2, 3, &ex);
  REQUIRE(!ex && a[0] == 10 && a[5] == 59);
  struct sidl_dcomplex z[] = {{1, 0}, {0, 1}, {2, 2}}, factor = {0, 2};
  ty_Raws_scale(raws, z, 2, 0, factor, &ex);
  REQUIRE(!ex && z[1].real == -2 && z[1].imaginary == 0);
  float ones[] = {1, 1, 1, 1};
  int32_t count = 0;
  REQUIRE(ty_Raws_add(raws, ones, 2, &count, &ex) == 4 && count == 4);
  REQUIRE(ty_Item_last(a, 6, &ex) == 59);
  struct sidl_fcomplex f = {0, 0};
  char* kind = ty_Raws_kindRaw(raws, &f, 1, &ex);
  REQUIRE(!strcmp(kind, "raw"));
  sidl_String_free(kind);
  return NULL;
}

static const char* refusals(ty_Raws raws) {
  sidl_BaseInterface ex = NULL;
  double x[] = {1};
  int32_t count = 1;
  char* text = "not this";
  REQUIRE(ty_Raws_dot(raws, x, x, -1, &ex) == 0 && SIDL_CATCH(ex, "sidl.CastException"));
  SIDL_CLEAR(ex);
  REQUIRE(ty_Raws_dot(raws, x, NULL, 1, &ex) == 0 && SIDL_CATCH(ex, "sidl.CastException"));
  SIDL_CLEAR(ex);
  REQUIRE(ty_Raws_add(raws, NULL, 2, &count, &ex) == 0 && ex && count == 0);
  SIDL_CLEAR(ex);
  ty_Raws_failRaw(raws, &count, 1, &text, &ex);
  REQUIRE(SIDL_CATCH(ex, "sidl.SIDLException") && count == -1 && !text);
  SIDL_CLEAR(ex);
  return NULL;
}

/* The callee makes sure of what other languages hand it: any array, with any index arguments. */
static const char* other_callers(ty_Raws raws) {
  sidl_BaseInterface ex = NULL;
  struct sidl_int__array* a = sidl_int__array_create2dRow(2, 3);
  struct sidl_int__array* same = a;
  for (int32_t i = 0; i < 6; ++i) sidl_int__array_first(a)[i] = 1;
  raws->d_epv->f_fill(raws->d_object, &a, 3, 2, &ex);
  REQUIRE(SIDL_CATCH(ex, "sidl.CastException") && a == same && a->d_metadata.d_refcount == 1);
  SIDL_CLEAR(ex);
  raws->d_epv->f_fill(raws->d_object, &a, 2, 3, &ex);
  REQUIRE(!ex && a != same && sidl_int__array_get2(a, 1, 2) == 9);
  REQUIRE(a->d_metadata.d_refcount == 1 && sidl_int__array_isColumnOrder(a));
  sidl_int__array_deleteRef(a);
  return NULL;
}

const char* from_c_raws(void* object) {
  sidl_BaseInterface ex = NULL;
  ty_Raws raws = ty_Raws__cast(object, &ex);
  const char* failure = memory(raws);
  if (!failure) failure = refusals(raws);
  if (!failure) failure = other_callers(raws);
  ty_Raws_deleteRef(raws, &ex);
  return failure;
}
