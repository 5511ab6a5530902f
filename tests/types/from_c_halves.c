#include <string.h>

#include "from_c.h"
#include "sidl_Exception.h"
#include "sidl_String.h"
#include "sidl_rmi_Ticket.h"
#include "ty_Calls.h"
#include "ty_Item.h"
#include "ty_Orders.h"
#include "ty_Raws.h"
#include "ty_Structs.h"

static const char* enums(ty_Orders orders) {
  sidl_BaseInterface ex = NULL;
  struct ty_Color__array* a = ty_Color__array_create2dRow(1, 1);
  struct ty_Color__array* o = NULL;
  enum ty_Color__enum c = ty_Color_green;
  ty_Color__array_set2(a, 0, 0, ty_Color_blue);
  sidl_rmi_Ticket ticket = ty_Orders_colors_send(orders, a, c, &ex);
  REQUIRE(!ex && ticket);
  struct ty_Color__array* result = ty_Orders_colors_recv(orders, ticket, &o, &c, &ex);
  REQUIRE(!ex && c == ty_Color_blue);
  REQUIRE(ty_Color__array_get2(result, 0, 0) == ty_Color_blue);
  REQUIRE(ty_Color__array_isColumnOrder(o) && ty_Color__array_isRowOrder(result));
  c = ty_Color_red;
  ty_Color__array_deleteRef(o);
  REQUIRE(!ty_Orders_colors_recv(orders, ticket, &o, &c, &ex) && !o && c == ty_Color_red);
  REQUIRE(SIDL_CATCH(ex, "sidl.rmi.NetworkException"));
  SIDL_CLEAR(ex);
  sidl_rmi_Ticket_deleteRef(ticket, &ex);
  ty_Color__array_deleteRef(result);
  ty_Color__array_deleteRef(a);
  return NULL;
}

static const char* raws(ty_Raws raws) {
  sidl_BaseInterface ex = NULL;
  double x[] = {1, 2, 3};
  int32_t a[] = {1, 2, 3, 4, 5, 6}, back[6] = {0};
  sidl_rmi_Ticket dot = ty_Raws_dot_send(raws, x, x, 3, &ex);
  sidl_rmi_Ticket fill = ty_Raws_fill_send(raws, a, 2, 3, &ex);
  REQUIRE(!ex);
  REQUIRE(ty_Raws_dot_recv(raws, fill, &ex) == 0 && SIDL_CATCH(ex, "sidl.CastException"));
  SIDL_CLEAR(ex);
  ty_Raws_fill_recv(raws, fill, back, &ex);
  REQUIRE(!ex && a[5] == 6 && back[5] == 59);
  REQUIRE(ty_Raws_dot_recv(raws, dot, &ex) == 14 && !ex);
  sidl_rmi_Ticket_deleteRef(dot, &ex);
  sidl_rmi_Ticket_deleteRef(fill, &ex);
  REQUIRE(!ty_Raws_dot_send(raws, x, NULL, 1, &ex) && SIDL_CATCH(ex, "sidl.CastException"));
  SIDL_CLEAR(ex);
  sidl_rmi_Ticket last = ty_Item_last_send(a, 6, &ex);
  REQUIRE(ty_Item_last_recv(last, back, &ex) == 6 && !ex);
  sidl_rmi_Ticket_deleteRef(last, &ex);
  return NULL;
}

static const char* structs(ty_Structs structs) {
  sidl_BaseInterface ex = NULL;
  double edges[] = {1, 2};
  int32_t cells[8] = {0};
  struct ty_Mesh__data a;
  struct ty_Pair__data io;
  ty_Mesh__init(&a);
  ty_Pair__init(&io);
  a.n = io.second.n = 2;
  a.edges = io.second.edges = edges;
  a.cells = io.second.cells = cells;
  sidl_rmi_Ticket ticket = ty_Structs_mesh_send(structs, &a, &io, &ex);
  REQUIRE(!ex && edges[1] == 2);
  REQUIRE(ty_Structs_mesh_recv(structs, ticket, &io, &ex) == 3 && !ex);
  REQUIRE(edges[1] == 5 && cells[7] == -1 && io.second.edges == edges);
  sidl_rmi_Ticket_deleteRef(ticket, &ex);
  ty_Pair__destroy(&io, &ex);
  ty_Mesh__destroy(&a, &ex);
  return NULL;
}

static const char* strings(ty_Calls calls) {
  sidl_BaseInterface ex = NULL;
  char *o = NULL, *io = sidl_String_strdup("kept");
  sidl_rmi_Ticket ticket = ty_Calls_text_send(calls, "a", io, &ex);
  REQUIRE(!ex);
  char* result = ty_Calls_text_recv(calls, ticket, &o, &io, &ex);
  REQUIRE(!ex && !strcmp(result, "a") && !strcmp(o, "a") && io);
  sidl_rmi_Ticket_deleteRef(ticket, &ex);
  sidl_String_free(result);
  sidl_String_free(o);
  sidl_String_free(io);
  return NULL;
}

const char* from_c_halves(void* object) {
  sidl_BaseInterface ex = NULL;
  ty_Orders orders = ty_Orders__cast(object, &ex);
  ty_Raws raw = ty_Raws__cast(object, &ex);
  ty_Structs struct_ = ty_Structs__cast(object, &ex);
  ty_Calls calls = ty_Calls__cast(object, &ex);
  const char* failure = enums(orders);
  if (!failure) failure = raws(raw);
  if (!failure) failure = structs(struct_);
  if (!failure) failure = strings(calls);
  ty_Calls_deleteRef(calls, &ex);
  ty_Structs_deleteRef(struct_, &ex);
  ty_Raws_deleteRef(raw, &ex);
  ty_Orders_deleteRef(orders, &ex);
  return failure;
}
