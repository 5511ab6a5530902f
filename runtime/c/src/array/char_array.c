#include "sidl_char_IOR.h"

#define NAME sidl_char__array
#define F(f) sidl_char__array_##f
#define ELEM char
#define IN char
#define TYPE sidl_char_array
#define READ(e) (*(e))
#define WRITE(e, v) (*(e) = (v))
#define BORROW_OWNED
#include "array/typed_array.inc"
