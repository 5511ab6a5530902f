#include "sidl_double_IOR.h"

#define NAME sidl_double__array
#define F(f) sidl_double__array_##f
#define ELEM double
#define IN double
#define TYPE sidl_double_array
#define READ(e) (*(e))
#define WRITE(e, v) (*(e) = (v))
#define BORROW_OWNED
#include "array/typed_array.inc"
