/**
 * Threads that end in the midst of things: by pthread_exit in a method, or because somebody cancels
 * them.
 *
 * The thread's frames are unwound as by an exception, but nobody may keep it, nor put another in
 * its place. So what has to be done then is done by destructors; a catch (...) that does not throw
 * on, or a noexcept function, in the way would end the process.
 */
#ifndef SHINAR_CORE_THREAD_END_HPP
#define SHINAR_CORE_THREAD_END_HPP

#include <pthread.h>

#include <exception>

namespace shinar::wire {

/** Runs `body`; if the thread ends in it, `at_end`, which does not throw. */
template <class Body, class AtEnd>
void if_thread_ends(const AtEnd& at_end, Body&& body) {
  struct Guard {
    const AtEnd& at_end;
    bool is_over = false;
    ~Guard() {
      if (!is_over) at_end();
    }
  };
  Guard guard{at_end};
  try {
    body();
  } catch (const std::exception&) {
    guard.is_over = true;
    throw;
  }
  guard.is_over = true;
}

/** Whether this thread can be cancelled (PTHREAD_CANCEL_…), as long as this lives. */
class Cancelling {
 public:
  explicit Cancelling(int state) { ::pthread_setcancelstate(state, &previous_); }
  Cancelling(const Cancelling&) = delete;
  Cancelling& operator=(const Cancelling&) = delete;
  ~Cancelling() { ::pthread_setcancelstate(previous_, nullptr); }

 private:
  int previous_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace shinar::wire
#endif
