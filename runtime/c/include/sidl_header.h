/** sidl_header.h: basic types and all arrays of basic types. */
#ifndef SIDL_HEADER_H
#define SIDL_HEADER_H

#include "sidlArray.h"
#include "sidlType.h"
#include "sidl_bool_IOR.h"
#include "sidl_char_IOR.h"
#include "sidl_dcomplex_IOR.h"
#include "sidl_double_IOR.h"
#include "sidl_fcomplex_IOR.h"
#include "sidl_float_IOR.h"
#include "sidl_int_IOR.h"
#include "sidl_interface_IOR.h"
#include "sidl_long_IOR.h"
#include "sidl_opaque_IOR.h"
#include "sidl_raw_array.h"
#include "sidl_string_IOR.h"

#endif
