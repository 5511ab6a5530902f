/**
 * Which calls of peers must not run at the same time: by default those of one object, unless its
 * class or the method says %attrib{concurrent}.
 */
#ifndef SHINAR_GLUE_SERIALIZATION_HPP
#define SHINAR_GLUE_SERIALIZATION_HPP

#include <string_view>

#include "sidl_ior.h"

namespace shinar::wire {

/** What SIDL_RMI_SERIALIZE says; read once. */
enum class Serialization { none, object, class_, library };
Serialization serialization_of_process();
/** Throws an Error if it says what is none of these: a server must not start with a guess. */
void check_serialization();

/** What a call takes for itself, as an address: see Host::strand. `method`: NULL, it is unknown. */
const void* strand_of(const void* object, const sidl_method_info* method);
/** The same of the call that creates an object of this class. */
const void* strand_of_new(std::string_view type);

}  // namespace shinar::wire
#endif
