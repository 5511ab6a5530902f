/*
 * layout_difference.h: describes the difference of two descriptions of one type.
 */
#ifndef OBJECT_LAYOUT_DIFFERENCE_H
#define OBJECT_LAYOUT_DIFFERENCE_H

#include <stdbool.h>

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/*
 * True if the methods of `user` have the same slots in `provider`, and `provider` can be cast to
 * all types `user` can; types they refer to are compared by name only. If not, and `difference` is
 * not NULL, it gets a text to be freed (NULL if memory is exhausted).
 */
bool layout_begins_alike(const struct sidl_type_info* user, const struct sidl_type_info* provider,
                         char** difference);

#pragma GCC visibility pop
#endif
