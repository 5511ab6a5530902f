#include "sidl_String.h"
#include "sidl_string_IOR.h"

/* The copy is made first: the new value may be the old one. */
static void replace(char** element, const char* value) {
  char* const old = *element;
  *element = sidl_String_strdup(value);
  sidl_String_free(old);
}

#define NAME sidl_string__array
#define F(f) sidl_string__array_##f
#define ELEM char*
#define IN const char*
#define TYPE sidl_string_array
#define READ(e) sidl_String_strdup(*(e))
#define WRITE(e, v) replace((e), (v))
#include "array/typed_array.inc"
