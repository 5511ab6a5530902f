#include <string.h>

#include "from_c.h"
#include "sidl_Exception.h"
#include "sidl_String.h"
#include "ty_Orders.h"

static struct sidl_int__array* filled(struct sidl_int__array* array) {
  for (int32_t i = 0; i < 2; ++i) {
    for (int32_t j = 0; j < 3; ++j) sidlArrayElem2(array, i, j) = 10 * i + j;
  }
  return array;
}

static const char* order(ty_Orders orders) {
  sidl_BaseInterface ex = NULL;
  struct sidl_int__array* a = filled(sidl_int__array_create2dCol(2, 3));
  struct sidl_int__array* io = filled(sidl_int__array_create2dRow(2, 3));
  struct sidl_int__array* o = NULL;
  REQUIRE(ty_Orders_rows(orders, a, &o, &io, &ex) && !ex);
  REQUIRE(sidl_int__array_isRowOrder(o) && sidlArrayElem2(o, 1, 2) == 12);
  REQUIRE(sidl_int__array_isRowOrder(io) && sidlArrayElem2(io, 1, 2) == 24);
  REQUIRE(sidl_int__array_isColumnOrder(a) && a->d_metadata.d_refcount == 1);
  REQUIRE(o->d_metadata.d_refcount == 1 && io->d_metadata.d_refcount == 1);
  sidl_int__array_deleteRef(o);
  ty_Orders_fail(orders, a, &o, &io, &ex);
  REQUIRE(ex && SIDL_CATCH(ex, "sidl.SIDLException") && !o && sidlArrayElem2(io, 0, 0) == -1);
  SIDL_CLEAR(ex);
  sidl_int__array_deleteRef(a);
  sidl_int__array_deleteRef(io);
  return NULL;
}

static const char* enums(ty_Orders orders) {
  sidl_BaseInterface ex = NULL;
  enum ty_Color__enum color = ty_Color_green;
  struct ty_Color__array* a = ty_Color__array_create2dRow(2, 1);
  struct ty_Color__array* o = NULL;
  ty_Color__array_set2(a, 0, 0, ty_Color_red);
  ty_Color__array_set2(a, 1, 0, ty_Color_blue);
  struct ty_Color__array* result = ty_Orders_colors(orders, a, &o, &color, &ex);
  REQUIRE(!ex && color == ty_Color_blue && ty_Color__array_get2(o, 1, 0) == ty_Color_blue);
  REQUIRE(ty_Color__array_isRowOrder(result) &&
          ty_Color__array_get2(result, 1, 0) == ty_Color_blue);
  ty_Color__array_deleteRef(a);
  ty_Color__array_deleteRef(o);
  ty_Color__array_deleteRef(result);
  return NULL;
}

static const char* refusals(ty_Orders orders) {
  sidl_BaseInterface ex = NULL;
  struct sidl_int__array* flat = sidl_int__array_create1d(4);
  struct sidl_int__array* o = NULL;
  struct sidl_int__array* io = NULL;
  char* text = NULL;
  REQUIRE(!ty_Orders_rows(orders, flat, &o, &io, &ex));
  REQUIRE(ex && SIDL_CATCH(ex, "sidl.CastException") && !o && !io);
  REQUIRE(flat->d_metadata.d_refcount == 1);
  SIDL_CLEAR(ex);
  REQUIRE(!ty_Orders_wrong(orders, &text, &o, &ex) && ex && !text && !o);
  SIDL_CLEAR(ex);
  REQUIRE(!ty_Orders_rows(orders, NULL, &o, &io, &ex) && !ex);
  sidl_int__array_deleteRef(flat);
  return NULL;
}

const char* from_c_orders(void* object) {
  sidl_BaseInterface ex = NULL;
  ty_Orders orders = ty_Orders__cast(object, &ex);
  const char* failure = order(orders);
  if (!failure) failure = enums(orders);
  if (!failure) failure = refusals(orders);
  ty_Orders_deleteRef(orders, &ex);
  return failure;
}
