/* layout_difference.h: what two descriptions of one type differ in, in words. */
#ifndef OBJECT_LAYOUT_DIFFERENCE_H
#define OBJECT_LAYOUT_DIFFERENCE_H

#include <stdbool.h>

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/*
 * True if the methods of `user` stand in the same places of `provider`, and `provider` can be seen
 * as all that `user` can; of the types that they mention only the names are looked at. If not, and
 * `difference` is not NULL, it gets a text to be freed (NULL: no memory).
 */
bool layout_begins_alike(const struct sidl_type_info* user, const struct sidl_type_info* provider,
                         char** difference);

#pragma GCC visibility pop
#endif
