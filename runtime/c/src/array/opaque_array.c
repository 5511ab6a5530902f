#include "sidl_opaque_IOR.h"

#define NAME sidl_opaque__array
#define F(f) sidl_opaque__array_##f
#define ELEM void*
#define IN void*
#define TYPE sidl_opaque_array
#define READ(e) (*(e))
#define WRITE(e, v) (*(e) = (v))
#define BORROW_OWNED
#include "array/typed_array.inc"
