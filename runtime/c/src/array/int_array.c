#include "sidl_int_IOR.h"

#define NAME sidl_int__array
#define F(f) sidl_int__array_##f
#define ELEM int32_t
#define IN int32_t
#define TYPE sidl_int_array
#define READ(e) (*(e))
#define WRITE(e, v) (*(e) = (v))
#define BORROW_OWNED
#include "array/typed_array.inc"
