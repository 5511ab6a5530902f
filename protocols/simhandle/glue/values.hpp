/**
 * Values between memory and message by their SIDL type, without asking an object for each: numbers,
 * strings, enums and arrays of them. The bytes are those that Packer and Unpacker write and read.
 */
#ifndef SIMHANDLE_GLUE_VALUES_HPP
#define SIMHANDLE_GLUE_VALUES_HPP

#include "arrays.hpp"
#include "sidl_ior.h"

namespace simhandle {

/** All values of the method are such. */
bool has_plain_values(const sidl_method_info& method);

/** An array that is of the dimension that the type declares, or null; and whatever is no array. */
bool has_declared_shape(const sidl_type_ref& type, const void* value);

/** `value` is the address of a C variable of the type, which is plain. Throws Error. */
void put_value(Encoder& encoder, const sidl_type_ref& type, const void* value, Sharing sharing);

/** The variable is zero beforehand; what it then holds is the caller's. Throws Error. */
void get_value(Decoder& decoder, const sidl_type_ref& type, void* value);

}  // namespace simhandle
#endif
