/**
 * sidl_process.h: forks, and interruption of waiting threads.
 *
 * A forked child has a copy of everything except the other threads: locks they held stay locked,
 * and their work is never finished. Code that keeps locks or per-process resources (sockets,
 * threads) for longer than a call registers handlers here, which run in a defined order independent
 * of load order, or compares generations. Functions may be called from any thread.
 */
#ifndef SIDL_PROCESS_H
#define SIDL_PROCESS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Use sidl_fork_generation(). */
extern uint32_t sidl_fork_count;

/** The number of forks between the program's start and this process. */
static inline uint32_t sidl_fork_generation(void) {
  return __atomic_load_n(&sidl_fork_count, __ATOMIC_RELAXED);
}

/**
 * What may be called while a lock is held. A thread that holds one of a level may take those of the
 * next ones.
 */
enum sidl_fork_level {
  sidl_fork_user_code = 1, /**< methods of users */
  sidl_fork_protocol = 2,  /**< functions of libsidl, but no methods of users */
  sidl_fork_table = 3      /**< nothing of others */
};

/** Each function may be NULL. The struct must stay valid for good. */
struct sidl_fork_handler {
  enum sidl_fork_level level;
  void (*before)(void);    /**< takes locks; in ascending order of levels */
  void (*in_parent)(void); /**< releases them; in descending order */
  void (*in_child)(void);  /**< likewise, on the only thread that is left, in the new generation */
  struct sidl_fork_handler* next; /**< used by libsidl */
};

/** Registers a handler for every fork. Its library must not be unloaded. */
void sidl_at_fork(struct sidl_fork_handler* handler);

/**
 * Enclose opening libraries or importing modules. A fork by another thread waits for that, as its
 * child would have incomplete modules, and a dynamic linker in an unusable state. May be nested.
 */
void sidl_begin_loading(void);
void sidl_end_loading(void);

/**
 * Waits until no other thread loads or forks, and blocks others from doing so until this thread has
 * forked, which it must be about to do. A language calls it before it takes a lock that loading
 * needs (Python's GIL); every fork calls it anyway. Waits are limited to a few seconds.
 */
void sidl_await_loading(void);

/**
 * Implemented by a protocol that runs nested calls of peers on waiting threads. Lets waits outside
 * the protocol, such as for the first of several calls, take part.
 */
struct sidl_standby {
  /**
   * This thread is about to wait, until end(). NULL if it runs no call of a peer. `for_calls`: not
   * 0 if it is for other calls that this process runs, or is about to: the call that waits for them
   * takes no place of its caller's quota from them.
   */
  void* (*begin)(int for_calls);
  /**
   * Runs a call that has come, or sleeps until wake(), at most that many milliseconds. 0: the call
   * that the thread runs was given up by its caller.
   */
  int (*wait)(void* standby, int milliseconds);
  /** Any thread. Takes no locks under which other code is called. */
  void (*wake)(void* standby);
  void (*end)(void* standby);
};

/** From now on waiting threads take part; the struct must stay valid for good. */
void sidl_set_standby(const struct sidl_standby* standby);
/** The functions for waits; NULL if none were set. */
const struct sidl_standby* sidl_standby_of_process(void);

/**
 * For languages whose signal handlers run between their own instructions (Python): threads that
 * wait for a peer call it regularly.
 */
struct sidl_interruption {
  /** Not 0 if it applies to this thread. Asked when a wait begins; takes no locks. */
  int (*concerns_thread)(void);
  /**
   * Runs pending handlers, which may do anything. Not 0: the thread shall stop waiting, and the
   * call it waits for is cancelled. Called about ten times a second, without locks.
   */
  int (*wants_out)(void);
};

/** Use the functions. */
extern const struct sidl_interruption* sidl_interruption_of_process;

/** From now on waiting threads call it; the struct must stay valid for good. NULL: none. */
void sidl_set_interruption(const struct sidl_interruption* interruption);

/** What a thread that is about to wait has to call; NULL: nothing. */
static inline const struct sidl_interruption* sidl_interruption_of_thread(void) {
  const struct sidl_interruption* const it =
      __atomic_load_n(&sidl_interruption_of_process, __ATOMIC_ACQUIRE);
  return it != NULL && it->concerns_thread() != 0 ? it : NULL;
}

#ifdef __cplusplus
}
#endif
#endif
