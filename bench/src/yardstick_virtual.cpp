#include "yardstick.h"

namespace {

struct Plus : YardstickObject {
  void noop() override { asm volatile(""); }
  int32_t add(int32_t a, int32_t b) override { return a + b; }
};

struct Minus : YardstickObject {
  void noop() override { asm volatile("nop"); }
  int32_t add(int32_t a, int32_t b) override { return a - b; }
};

}  // namespace

YardstickObject* make_yardstick(int kind) {
  if (kind == 0) return new Plus;
  return new Minus;
}
