// Whether the sanitizer sees what is done to frames of functions that have returned.
#include <gtest/gtest.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif

#ifdef HAS_ASAN
namespace {

volatile int* kept = nullptr;

[[gnu::noinline]] void keep(volatile int* local) {
  kept = local;
}
[[gnu::noinline]] void lend() {
  volatile int local = 5;
  keep(&local);
}

// Such memory is legal to write to: without the option nothing would be said.
TEST(FramesDeathTest, ThoseThatAreGoneAreSeen) {
  EXPECT_DEATH(
      {
        lend();
        *kept = 6;
      },
      "stack-use-after-return");
}

}  // namespace
#endif
