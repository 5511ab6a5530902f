#include "sidl_dcomplex_IOR.h"

#define NAME sidl_dcomplex__array
#define F(f) sidl_dcomplex__array_##f
#define ELEM struct sidl_dcomplex
#define IN struct sidl_dcomplex
#define TYPE sidl_dcomplex_array
#define READ(e) (*(e))
#define WRITE(e, v) (*(e) = (v))
#define BORROW_OWNED
#include "array/typed_array.inc"
