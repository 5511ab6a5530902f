/**
 * Memory spaces of libsidl as the wire core sees them (strided.hpp).
 */
#ifndef SHINAR_GLUE_SPACE_ACCESS_HPP
#define SHINAR_GLUE_SPACE_ACCESS_HPP

#include "../core/strided.hpp"
#include "sidl_memory_space.h"

namespace shinar::wire {

/** The access to a space, which must not be NULL. It lives as long as the process. */
const Elsewhere& space_access(const sidl_memory_space* space);

}  // namespace shinar::wire
#endif
