#include "sidl_long_IOR.h"

#define NAME sidl_long__array
#define F(f) sidl_long__array_##f
#define ELEM int64_t
#define IN int64_t
#define TYPE sidl_long_array
#define READ(e) (*(e))
#define WRITE(e, v) (*(e) = (v))
#define BORROW_OWNED
#include "array/typed_array.inc"
