#include "sidl_float_IOR.h"

#define NAME sidl_float__array
#define F(f) sidl_float__array_##f
#define ELEM float
#define IN float
#define TYPE sidl_float_array
#define READ(e) (*(e))
#define WRITE(e, v) (*(e) = (v))
#define BORROW_OWNED
#include "array/typed_array.inc"
