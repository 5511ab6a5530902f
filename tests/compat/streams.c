/* What packObj and unpackObj of the time could call: each function with its type. */
#include <stdio.h>
#include "sidl_header.h"
#include "sidl_io_Deserializer.h"
#include "sidl_io_Serializer.h"

typedef sidl_io_Serializer ser;
typedef sidl_io_Deserializer des;
typedef sidl_BaseInterface ex;

#define ONE(NAME, IN, OUT)                                                                        \
  static void (*const pack##NAME)(ser, const char *, IN, ex *) = sidl_io_Serializer_pack##NAME;   \
  static void (*const unpack##NAME)(des, const char *, OUT *, ex *) =                             \
    sidl_io_Deserializer_unpack##NAME;
#define MANY(NAME, TYPE)                                                                          \
  static void (*const pack##NAME##Array)(ser, const char *, struct TYPE##__array *, int32_t,      \
    int32_t, sidl_bool, ex *) = sidl_io_Serializer_pack##NAME##Array;                             \
  static void (*const unpack##NAME##Array)(des, const char *, struct TYPE##__array **, int32_t,   \
    int32_t, sidl_bool, ex *) = sidl_io_Deserializer_unpack##NAME##Array;
#define NAMES(X)                                                                                  \
  X(Bool) X(Char) X(Int) X(Long) X(Float) X(Double) X(Fcomplex) X(Dcomplex) X(String) X(Opaque)   \
  X(Serializable)

ONE(Bool, sidl_bool, sidl_bool)
ONE(Char, char, char)
ONE(Int, int32_t, int32_t)
ONE(Long, int64_t, int64_t)
ONE(Float, float, float)
ONE(Double, double, double)
ONE(Fcomplex, struct sidl_fcomplex, struct sidl_fcomplex)
ONE(Dcomplex, struct sidl_dcomplex, struct sidl_dcomplex)
ONE(String, const char *, char *)
ONE(Opaque, void *, void *)
ONE(Serializable, sidl_io_Serializable, sidl_io_Serializable)
MANY(Bool, sidl_bool)
MANY(Char, sidl_char)
MANY(Int, sidl_int)
MANY(Long, sidl_long)
MANY(Float, sidl_float)
MANY(Double, sidl_double)
MANY(Fcomplex, sidl_fcomplex)
MANY(Dcomplex, sidl_dcomplex)
MANY(String, sidl_string)
MANY(Opaque, sidl_opaque)
MANY(Serializable, sidl_io_Serializable)
static void (*const packGeneric)(ser, const char *, struct sidl__array *, sidl_bool, ex *) =
  sidl_io_Serializer_packGenericArray;
static void (*const unpackGeneric)(des, const char *, struct sidl__array **, ex *) =
  sidl_io_Deserializer_unpackGenericArray;

#define HAS(NAME) && pack##NAME && unpack##NAME && pack##NAME##Array && unpack##NAME##Array

int main(void) {
  if (packGeneric && unpackGeneric NAMES(HAS)) puts("ok");
  return 0;
}
