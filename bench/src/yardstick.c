#include "yardstick.h"

static void noop(void) {
  __asm__ volatile("");
}
static int32_t add(int32_t a, int32_t b) {
  return a + b;
}

yardstick_noop_t yardstick_noop(void) {
  return noop;
}
yardstick_add_t yardstick_add(void) {
  return add;
}
