#include "base/seen.h"

#include <stdlib.h>

bool seen_before(struct seen* seen, const void* a, const void* b) {
  const size_t count = seen->count;
  for (size_t i = 0; i < count; ++i) {
    if (seen->pairs[2 * i] == a && seen->pairs[2 * i + 1] == b) return true;
  }
  if ((count & (count - 1)) == 0) { /* grows at each power of two */
    const size_t room = count == 0 ? 1 : 2 * count;
    const void** const more = realloc(seen->pairs, 2 * room * sizeof *more);
    if (more == NULL) {
      seen->failed = true;
      return true;
    }
    seen->pairs = more;
  }
  seen->pairs[2 * count] = a;
  seen->pairs[2 * count + 1] = b;
  ++seen->count;
  return false;
}

void seen_free(struct seen* seen) {
  free(seen->pairs);
}
