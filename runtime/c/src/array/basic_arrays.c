/* basic_arrays.c: arrays whose elements are what they hold. (See sidl_kinds.def.) */
#include "sidl_header.h"

#define NAME sidl_bool__array
#define F(f) sidl_bool__array_##f
#define ELEM sidl_bool
#define TYPE sidl_bool_array
#include "array/typed_array.inc"

#define NAME sidl_char__array
#define F(f) sidl_char__array_##f
#define ELEM char
#define TYPE sidl_char_array
#include "array/typed_array.inc"

#define NAME sidl_int__array
#define F(f) sidl_int__array_##f
#define ELEM int32_t
#define TYPE sidl_int_array
#include "array/typed_array.inc"

#define NAME sidl_long__array
#define F(f) sidl_long__array_##f
#define ELEM int64_t
#define TYPE sidl_long_array
#include "array/typed_array.inc"

#define NAME sidl_float__array
#define F(f) sidl_float__array_##f
#define ELEM float
#define TYPE sidl_float_array
#include "array/typed_array.inc"

#define NAME sidl_double__array
#define F(f) sidl_double__array_##f
#define ELEM double
#define TYPE sidl_double_array
#include "array/typed_array.inc"

#define NAME sidl_fcomplex__array
#define F(f) sidl_fcomplex__array_##f
#define ELEM struct sidl_fcomplex
#define TYPE sidl_fcomplex_array
#include "array/typed_array.inc"

#define NAME sidl_dcomplex__array
#define F(f) sidl_dcomplex__array_##f
#define ELEM struct sidl_dcomplex
#define TYPE sidl_dcomplex_array
#include "array/typed_array.inc"

#define NAME sidl_opaque__array
#define F(f) sidl_opaque__array_##f
#define ELEM void*
#define TYPE sidl_opaque_array
#include "array/typed_array.inc"
