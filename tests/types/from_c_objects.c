#include "from_c.h"
#include "sidl_Exception.h"
#include "ty_Generics.h"
#include "ty_Item.h"
#include "ty_Numbered.h"
#include "ty_Objects.h"

static ty_Item new_item(int32_t number) {
  sidl_BaseInterface ex = NULL;
  ty_Item item = ty_Item__create(&ex);
  ty_Item_setNumber(item, number, &ex);
  return item;
}

static const char* generic(ty_Generics generics) {
  sidl_BaseInterface ex = NULL;
  struct sidl_double__array* numbers = sidl_double__array_create2dRow(1, 2);
  struct sidl__array* a = sidl_array_cast(numbers);
  struct sidl__array* o = NULL;
  struct sidl__array* io = NULL;
  REQUIRE(ty_Generics_anyKind(generics, a, &o, &io, &ex) == 204 && !ex);
  REQUIRE(o == a && a->d_refcount == 2);
  sidl__array_deleteRef(o);
  REQUIRE(!sidl_double__array_cast(io) && sidl_long__array_get1(sidl_long__array_cast(io), 1) == 2);
  o = ty_Generics_same(generics, io, &ex);
  REQUIRE(o == io);
  sidl__array_deleteRef(o);
  sidl__array_deleteRef(io);
  REQUIRE(ty_Generics_sum(generics, a, &ex) == -1);
  sidl__array_deleteRef(a);
  return NULL;
}

static const char* get_and_set(void) {
  sidl_BaseInterface ex = NULL;
  const int32_t lower[] = {0, 0, 0, 0, 0, 0, 0};
  const int32_t upper[] = {1, 0, 0, 0, 0, 0, 1};
  const int32_t last[] = {1, 0, 0, 0, 0, 0, 1};
  ty_Item item = new_item(6);
  struct ty_Item__array* a = ty_Item__array_createRow(7, lower, upper);
  ty_Item__array_set7(a, 1, 0, 0, 0, 0, 0, 1, item);
  ty_Item same = ty_Item__array_get(a, last);
  REQUIRE(same == item && !ty_Item__array_get7(a, 0, 0, 0, 0, 0, 0, 0));
  ty_Item_deleteRef(same, &ex);
  struct ty_Numbered__array* seen = ty_Numbered__array_cast(sidl_array_cast(a));
  ty_Numbered numbered = ty_Numbered__array_get7(seen, 1, 0, 0, 0, 0, 0, 1);
  REQUIRE(ty_Numbered_number(numbered, &ex) == 6);
  ty_Numbered_deleteRef(numbered, &ex);
  struct ty_Objects__array* none = ty_Objects__array_cast(sidl_array_cast(a));
  REQUIRE(!ty_Objects__array_get7(none, 1, 0, 0, 0, 0, 0, 1)); /* an item is none of these */
  ty_Item__array_set(a, last, NULL);
  ty_Item data[] = {item, NULL};
  struct ty_Item__array* flat = ty_Item__array_create1dInit(2, data);
  same = ty_Item__array_get1(flat, 0);
  REQUIRE(same == item);
  ty_Item_deleteRef(same, &ex);
  ty_Item_deleteRef(item, &ex);
  ty_Item__array_deleteRef(flat);
  ty_Item__array_deleteRef(a);
  REQUIRE(ty_Item_alive(&ex) == 0);
  return NULL;
}

static const char* objects_in_every_mode(ty_Objects objects) {
  sidl_BaseInterface ex = NULL;
  struct ty_Numbered__array* square = NULL;
  struct ty_Item__array* items = ty_Objects_items(objects, 2, &square, &ex);
  REQUIRE(!ex && ty_Item__array_length(items, 0) == 2);
  REQUIRE(ty_Numbered__array_dimen(square) == 2);
  struct ty_Numbered__array* io = ty_Numbered__array_cast(sidl_array_cast(items));
  ty_Item extra = new_item(20);
  struct ty_Item__array* o = NULL;
  struct ty_Item__array* result = ty_Objects_through(objects, NULL, &o, &io, extra, &ex);
  REQUIRE(!ex && !result && !o && ty_Objects_total(objects, io, &ex) == 0 + 1 + 21);
  ty_Numbered__array_deleteRef(io);
  REQUIRE(ty_Objects_inRows(objects, square, &io, &ex));
  REQUIRE(ty_Numbered__array_isColumnOrder(io));
  ty_Numbered__array_deleteRef(io);
  ty_Numbered__array_deleteRef(square);
  ty_Item_deleteRef(extra, &ex);
  return NULL;
}

const char* from_c_objects(void* object) {
  sidl_BaseInterface ex = NULL;
  ty_Generics generics = ty_Generics__cast(object, &ex);
  ty_Objects objects = ty_Objects__cast(object, &ex);
  const char* failure = generic(generics);
  if (!failure) failure = get_and_set();
  if (!failure) failure = objects_in_every_mode(objects);
  ty_Generics_deleteRef(generics, &ex);
  ty_Objects_deleteRef(objects, &ex);
  return failure;
}
