/*
 * outputs.h: where the caller of a method wants what comes back.
 *
 * The result and `out` arguments land where they belong and are cleared again if something fails;
 * `inout` arguments go to temporaries first, because the caller's values must survive a failure.
 */
#ifndef REMOTE_OUTPUTS_H
#define REMOTE_OUTPUTS_H

#include <stdbool.h>

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

struct outputs {
  const struct sidl_method_info* method;
  void* const* args; /* as sidl_rmi_invoke gets them; of in arguments only what extents name */
  void* result;      /* NULL for none */
};

/* Sets the result and all out arguments to zero, without freeing what is there. */
void outputs_clear(const struct outputs* outputs);

/*
 * As sidl_rmi_get_outputs, from values that lie ready: `values` has the address of each argument's
 * value and, behind them, that of the result's. What is taken is zero afterwards, the rest stays.
 */
void outputs_move(const struct outputs* outputs, void* const* values,
                  struct sidl_BaseInterface__object** _ex);

#pragma GCC visibility pop
#endif
