/**
 * Threads that end within a call: by pthread_exit in a method, or by pthread_cancel.
 *
 * The stack is unwound as by an exception, which must not be swallowed or replaced. So cleanup is
 * done by destructors; a catch (...) that does not rethrow, or a noexcept function, would terminate
 * the process.
 */
#ifndef SHINAR_CORE_THREAD_END_HPP
#define SHINAR_CORE_THREAD_END_HPP

#include <pthread.h>
#include <signal.h>

#include <exception>

namespace shinar::wire {

/** Runs `body`; if the thread ends in it, runs `at_end`, which must not throw. */
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

/** Sets this thread's cancellation state (PTHREAD_CANCEL_…) for a scope. */
class Cancelling {
 public:
  explicit Cancelling(int state) { ::pthread_setcancelstate(state, &previous_); }
  Cancelling(const Cancelling&) = delete;
  Cancelling& operator=(const Cancelling&) = delete;
  ~Cancelling() { ::pthread_setcancelstate(previous_, nullptr); }

 private:
  int previous_ = PTHREAD_CANCEL_ENABLE;
};

/** Threads that are started meanwhile get no signals: these are for the program's own threads. */
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;
  ~WithoutSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace shinar::wire
#endif
