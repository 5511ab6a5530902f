#include "from_c.h"

#include <string.h>

#include "sidl_BaseException.h"
#include "sidl_Exception.h"
#include "sidl_String.h"
#include "zoo.h"

#define REQUIRE(condition)               \
  do {                                   \
    if (!(condition)) return #condition; \
  } while (0)

const char* from_c_values(void) {
  sidl_BaseInterface ex = NULL;
  zoo_Types types = zoo_Types__create(&ex);
  REQUIRE(types && !ex);
  int32_t out = 0, inout = 10;
  REQUIRE(zoo_Types_i(types, 5, &out, &inout, &ex) == 5 && out == 6 && inout == 15);
  enum zoo_Color__enum color = zoo_Color_blue, color_io = zoo_Color_red;
  REQUIRE(zoo_Types_e(types, zoo_Color_blue, &color, &color_io, &ex) == zoo_Color_blue);
  REQUIRE(color == zoo_Color_green && color_io == zoo_Color_blue);
  char* text_out = NULL;
  char* text_io = sidl_String_strdup("in");
  char* text = zoo_Types_s(types, "text", &text_out, &text_io, &ex);
  REQUIRE(!strcmp(text, "text") && !strcmp(text_out, "texto") && !strcmp(text_io, "intext"));
  sidl_String_free(text);
  sidl_String_free(text_out);
  sidl_String_free(text_io);
  struct sidl_double__array* a = sidl_double__array_create1d(2);
  struct sidl_double__array* same = zoo_Types_same(types, a, &ex);
  REQUIRE(same == a && a->d_metadata.d_refcount == 2);
  sidl_double__array_deleteRef(same);
  sidl_double__array_deleteRef(a);
  REQUIRE(zoo_Types_overInt(types, 1, &ex) == 2);
  REQUIRE(zoo_Types_addAll(3, 4, &ex) == 7);
  zoo_Types_deleteRef(types, &ex);
  return NULL;
}

const char* from_c_objects(void) {
  sidl_BaseInterface ex = NULL;
  zoo_LoudNode loud = zoo_LoudNode__create(&ex);
  REQUIRE(loud && !ex);
  zoo_LoudNode_setName(loud, "c", &ex);
  zoo_Named named = zoo_Named__cast(loud, &ex);
  char* name = zoo_Named_getName(named, &ex);
  REQUIRE(!strcmp(name, "loud c!"));
  sidl_String_free(name);
  zoo_Node node = zoo_Node__cast(named, &ex);
  REQUIRE(zoo_Node_count(node, &ex) == 1);
  zoo_Node_deleteRef(node, &ex);
  zoo_Named_deleteRef(named, &ex);
  zoo_LoudNode_deleteRef(loud, &ex);
  return NULL;
}

/* Methods renamed by a from clause answer to both names. */
const char* from_c_renamed(void) {
  sidl_BaseInterface ex = NULL;
  zoo_Both both = zoo_Both__create(&ex);
  REQUIRE(both && !ex);
  zoo_Meter meter = zoo_Meter__cast(both, &ex);
  zoo_Gauge gauge = zoo_Gauge__cast(meter, &ex);
  REQUIRE(zoo_Both_readInt(both, 4, &ex) == 40);
  REQUIRE(zoo_Meter_read(meter, 4, &ex) == 40);
  REQUIRE(zoo_Both_readDouble(both, 4, &ex) == 2.0);
  REQUIRE(zoo_Gauge_read(gauge, 4, &ex) == 2.0);
  char* version = zoo_Gauge_version(gauge, &ex);
  REQUIRE(!strcmp(version, "1.2"));
  sidl_String_free(version);
  zoo_Gauge_deleteRef(gauge, &ex);
  zoo_Meter_deleteRef(meter, &ex);
  zoo_Both_deleteRef(both, &ex);
  return NULL;
}

const char* from_c_exceptions(void) {
  sidl_BaseInterface ex = NULL;
  zoo_Types types = zoo_Types__create(&ex);
  int32_t out = 1;
  char* io = sidl_String_strdup("kept");
  struct sidl_int__array* a = NULL;
  char* result = zoo_Types_fail(types, "deep", &out, &io, &a, &ex);
  REQUIRE(ex && SIDL_CATCH(ex, "zoo.DeepFailure"));
  REQUIRE(!result && out == 0 && !strcmp(io, "kept") && !a);
  sidl_BaseInterface ignored = NULL;
  sidl_BaseException failure = sidl_BaseException__cast(ex, &ignored);
  char* note = sidl_BaseException_getNote(failure, &ignored);
  char* trace = sidl_BaseException_getTrace(failure, &ignored);
  REQUIRE(!strcmp(note, "asked for") && strstr(trace, "zoo.Types.fail"));
  sidl_String_free(note);
  sidl_String_free(trace);
  sidl_BaseException_deleteRef(failure, &ignored);
  SIDL_CLEAR(ex);
  zoo_Types_fail(types, "std", &out, &io, &a, &ex);
  REQUIRE(ex && SIDL_CATCH(ex, "sidl.LangSpecificException"));
  SIDL_CLEAR(ex);
  sidl_String_free(io);
  zoo_Types_deleteRef(types, &ex);
  return NULL;
}
