/**
 * Which calls of peers must not run concurrently: by default those of one object, unless its class
 * or the method has %attrib{concurrent}.
 */
#ifndef SHINAR_GLUE_SERIALIZATION_HPP
#define SHINAR_GLUE_SERIALIZATION_HPP

#include <string_view>

#include "sidl_ior.h"

namespace shinar::wire {

/** The setting SIDL_RMI_SERIALIZE; read once. */
enum class Serialization { none, object, class_, library };
Serialization serialization_of_process();
/** Throws Error if its value is invalid, so that a server does not start with a guess. */
void check_serialization();

/** The object strand of a call: see Host::strand. `method`: NULL if unknown. */
const void* strand_of(const void* object, const sidl_method_info* method);
/** The same for a call that creates an object of this class. */
const void* strand_of_new(std::string_view type);

}  // namespace shinar::wire
#endif
