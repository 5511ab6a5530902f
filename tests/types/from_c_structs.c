#include <string.h>

#include "from_c.h"
#include "sidl_Exception.h"
#include "sidl_String.h"
#include "ty_Full.h"
#include "ty_Item.h"
#include "ty_Mesh.h"
#include "ty_Pair.h"
#include "ty_Structs.h"

static const char* every(ty_Structs structs) {
  sidl_BaseInterface ex = NULL;
  struct ty_Full__data a, o, io;
  ty_Full__init(&a);
  a.text = sidl_String_strdup("");
  a.item = ty_Item__create(&ex);
  a.items = ty_Item__array_create1d(1);
  ty_Item__array_set1(a.items, 0, a.item);
  a.words = sidl_string__array_create1d(1);
  a.any = sidl_array_cast(sidl_string__array_create1d(2));
  a.inner.item = ty_Item__cast(a.item, &ex);
  ty_Full__copy(&a, &io, &ex);
  REQUIRE(!ex);
  struct ty_Full__data result = ty_Structs_every(structs, &a, &o, &io, &ex);
  REQUIRE(!ex && result.item == a.item && o.inner.item == a.item);
  REQUIRE(result.text && !*result.text); /* empty, and not null */
  REQUIRE(o.any != a.any && sidl__array_length(o.any, 0) == 2);
  REQUIRE(!strcmp(io.text, "+") && ty_Item_number(io.item, &ex) == 100);
  ty_Full__destroy(&io, &ex);
  REQUIRE(!io.text && !io.items);
  ty_Full__destroy(&result, &ex);
  ty_Full__destroy(&o, &ex);
  ty_Full__destroy(&a, &ex);
  REQUIRE(ty_Item_alive(&ex) == 0);
  return NULL;
}

static const char* failure_of(ty_Structs structs) {
  sidl_BaseInterface ex = NULL;
  struct ty_Full__data a, o, io;
  ty_Full__init(&a);
  ty_Full__init(&io);
  ty_Structs_failStruct(structs, &a, &o, &io, &ex);
  REQUIRE(ex && SIDL_CATCH(ex, "sidl.SIDLException") && !o.text && !o.item);
  SIDL_CLEAR(ex);
  ty_Full__destroy(&io, &ex);
  return NULL;
}

static const char* callers_memory(ty_Structs structs) {
  sidl_BaseInterface ex = NULL;
  double edges[] = {1, 2};
  int32_t cells[8];
  struct ty_Mesh__data a;
  struct ty_Pair__data io;
  ty_Mesh__init(&a);
  ty_Pair__init(&io);
  a.n = io.second.n = 2;
  a.edges = io.second.edges = edges;
  a.cells = io.second.cells = cells;
  a.label = sidl_String_strdup("label");
  REQUIRE(ty_Structs_mesh(structs, &a, &io, &ex) == 3 && !ex);
  REQUIRE(edges[1] == 5 && cells[7] == -1 && !strcmp(io.second.label, "label"));
  ty_Pair__destroy(&io, &ex);
  ty_Mesh__destroy(&a, &ex);
  REQUIRE(!a.edges);
  return NULL;
}

const char* from_c_structs(void* object) {
  sidl_BaseInterface ex = NULL;
  ty_Structs structs = ty_Structs__cast(object, &ex);
  const char* failure = every(structs);
  if (!failure) failure = failure_of(structs);
  if (!failure) failure = callers_memory(structs);
  ty_Structs_deleteRef(structs, &ex);
  return failure;
}
