#include <string.h>

#include "from_c.h"
#include "sidl_BaseClass.h"
#include "sidl_BaseException.h"
#include "sidl_Exception.h"
#include "sidl_String.h"
#include "ty_Calls.h"
#include "ty_Item.h"
#include "ty_Value.h"

/* C++ knows no null strings, nor does a plain protocol in it: there they are empty ones. */
static const char* strings(ty_Calls calls, sidl_bool knows_null) {
  sidl_BaseInterface ex = NULL;
  char* o = NULL;
  char* io = sidl_String_strdup("");
  char* result = ty_Calls_text(calls, "", &o, &io, &ex);
  REQUIRE(!ex && result && !*result && o && !*o);
  REQUIRE(knows_null ? !io : io && !*io);
  sidl_String_free(result);
  sidl_String_free(o);
  sidl_String_free(io);
  io = NULL;
  result = ty_Calls_text(calls, NULL, &o, &io, &ex);
  REQUIRE(!ex && io && !*io);
  REQUIRE(knows_null ? !result && !o : result && !*result && o && !*o);
  sidl_String_free(result);
  sidl_String_free(o);
  sidl_String_free(io);
  return NULL;
}

static const char* copies(ty_Calls calls) {
  sidl_BaseInterface ex = NULL;
  ty_Value v = ty_Value__create(&ex);
  ty_Value io = ty_Value__create(&ex);
  ty_Value_set(v, 3, &ex);
  ty_Value result = ty_Calls_twice(calls, v, &io, &ex);
  REQUIRE(!ex && ty_Value_get(result, &ex) == 6 && ty_Value_get(io, &ex) == 1);
  ty_Value_deleteRef(result, &ex);
  ty_Value_deleteRef(io, &ex);
  ty_Value_deleteRef(v, &ex);
  return NULL;
}

/* Copies within the process. */
static const char* local_copies(void) {
  sidl_BaseInterface ex = NULL;
  ty_Value v = ty_Value__create(&ex);
  ty_Value_set(v, 3, &ex);
  ty_Value copy = sidl_copy_object(v, &ex);
  REQUIRE(!ex && copy && ty_Value_get(copy, &ex) == 3 && !ty_Value_isSame(v, (void*)copy, &ex));
  ty_Value_set(copy, 4, &ex);
  REQUIRE(ty_Value_get(v, &ex) == 3);
  ty_Value_deleteRef(copy, &ex);
  ty_Value_deleteRef(v, &ex);

  ty_Item item = ty_Item__create(&ex);
  REQUIRE(!sidl_copy_object(item, &ex) && SIDL_CATCH(ex, "sidl.CastException"));
  /* an exception by its interface: a pointer into the object */
  sidl_BaseInterface other = NULL;
  sidl_BaseException thrown = sidl_BaseException__cast(ex, &other);
  sidl_BaseClass second = sidl_copy_object(thrown, &other);
  REQUIRE(!other && second && sidl_BaseClass_isType(second, "sidl.CastException", &other));
  char* note = sidl_BaseException_getNote(thrown, &other);
  REQUIRE(sidl_String_startsWith(note, "an object of class ty.Item cannot be copied"));
  sidl_String_free(note);
  sidl_BaseClass_deleteRef(second, &other);
  sidl_BaseException_deleteRef(thrown, &other);
  SIDL_CLEAR(ex);
  ty_Item_deleteRef(item, &ex);
  return NULL;
}

const char* from_c_calls(void* object) {
  sidl_BaseInterface ex = NULL;
  ty_Calls calls = ty_Calls__cast(object, &ex);
  char* url = ty_Calls__getURL(calls, &ex);
  SIDL_CLEAR(ex); /* a local object has none */
  const sidl_bool by_null =
      ty_Calls__isLocal(calls, &ex) || !sidl_String_startsWith(url, "jsonsock:");
  const sidl_bool knows_null = by_null && ty_Calls_isType(calls, "ty.InC", &ex);
  sidl_String_free(url);
  const char* failure = strings(calls, knows_null);
  if (!failure) failure = copies(calls);
  if (!failure) failure = local_copies();
  ty_Calls_note(calls, 5, &ex);
  if (!failure && ty_Calls_noted(calls, &ex) != 5) failure = "noted() == 5";
  ty_Calls_deleteRef(calls, &ex);
  return failure;
}
