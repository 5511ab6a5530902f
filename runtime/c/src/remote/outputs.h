/*
 * outputs.h: the caller's variables for a method's outputs.
 *
 * The result and `out` arguments are stored directly and cleared again on failure; `inout`
 * arguments go to temporaries first, because the caller's values must survive a failure.
 */
#ifndef REMOTE_OUTPUTS_H
#define REMOTE_OUTPUTS_H

#include <stdbool.h>

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

struct outputs {
  const struct sidl_method_info* method;
  void* const* args; /* as for sidl_rmi_invoke; of in arguments only those that extents refer to */
  void* result;      /* NULL for none */
};

/* Sets the result and all out arguments to zero, without freeing what is there. */
void outputs_clear(const struct outputs* outputs);

/*
 * As sidl_rmi_get_outputs, from ready values: `values` has the address of each argument's value and
 * then of the result's. Values taken are zeroed, others stay.
 */
void outputs_move(const struct outputs* outputs, void* const* values,
                  struct sidl_BaseInterface__object** _ex);

#pragma GCC visibility pop
#endif
