/* The yardsticks of a call in process: the callee lies in a shared library of its own, and callers
 * get to it through something the compiler cannot see through. */
#ifndef BENCH_YARDSTICK_H
#define BENCH_YARDSTICK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*yardstick_noop_t)(void);
typedef int32_t (*yardstick_add_t)(int32_t, int32_t);

yardstick_noop_t yardstick_noop(void);
yardstick_add_t yardstick_add(void);

#ifdef __cplusplus
}

struct YardstickObject {
  virtual ~YardstickObject() = default;
  virtual void noop() = 0;
  virtual int32_t add(int32_t a, int32_t b) = 0;
};

// One of two implementations, so that no call can be made direct.
YardstickObject* make_yardstick(int kind);
#endif

#endif
