#include "sidl_bool_IOR.h"

#define NAME sidl_bool__array
#define F(f) sidl_bool__array_##f
#define ELEM sidl_bool
#define IN sidl_bool
#define TYPE sidl_bool_array
#define READ(e) (*(e))
#define WRITE(e, v) (*(e) = (v))
#define BORROW_OWNED
#include "array/typed_array.inc"
