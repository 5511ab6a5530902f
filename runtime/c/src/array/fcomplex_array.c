#include "sidl_fcomplex_IOR.h"

#define NAME sidl_fcomplex__array
#define F(f) sidl_fcomplex__array_##f
#define ELEM struct sidl_fcomplex
#define IN struct sidl_fcomplex
#define TYPE sidl_fcomplex_array
#define READ(e) (*(e))
#define WRITE(e, v) (*(e) = (v))
#define BORROW_OWNED
#include "array/typed_array.inc"
