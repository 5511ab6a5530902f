/* bare.c: what Fortran calls without Shinar. */
#include <stdint.h>

void bare_c_noop(void) {}

int32_t bare_c_add(int32_t a, int32_t b) {
  return a + b;
}
