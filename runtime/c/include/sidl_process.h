/**
 * sidl_process.h: what becomes of a process that forks, and of a thread that is interrupted while
 * it waits.
 *
 * The child of a fork has a copy of everything but the other threads: what those held locked stays
 * locked, and nobody does what they would have done. Whoever keeps locks or what belongs to one
 * process (sockets, threads) for longer than a call registers handlers here, which run in one order
 * whoever was loaded first, or compares generations. Functions may be called from any thread.
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

/** How many forks lie between the program's start and this process. */
static inline uint32_t sidl_fork_generation(void) {
  return __atomic_load_n(&sidl_fork_count, __ATOMIC_RELAXED);
}

/** What a lock may be held around. A thread that has one of a level may want those of the next. */
enum sidl_fork_level {
  sidl_fork_user_code = 1, /**< methods of users */
  sidl_fork_protocol = 2,  /**< functions of libsidl, but no methods of users */
  sidl_fork_table = 3      /**< nothing of others */
};

/** Each function may be NULL. The struct belongs to the caller and stays for good. */
struct sidl_fork_handler {
  enum sidl_fork_level level;
  void (*before)(void);    /**< takes locks; runs by ascending level */
  void (*in_parent)(void); /**< gives them back; by descending level */
  void (*in_child)(void);  /**< likewise, on the only thread that is left; the generation is new */
  struct sidl_fork_handler* next; /**< libsidl's */
};

/** From now on the handler runs around every fork. The library it is in may not be unloaded. */
void sidl_at_fork(struct sidl_fork_handler* handler);

/**
 * Between the two this thread opens libraries or imports modules. A fork by another thread waits
 * for that: its child would have a part of them, which nobody completes, and a dynamic linker that
 * ends the process when it is used again. They may be nested.
 */
void sidl_begin_loading(void);
void sidl_end_loading(void);

/**
 * Waits until no other thread loads or forks, and lets none begin before this one has forked, which
 * it is about to do: a language calls it in front of taking a lock that loading needs (Python's
 * GIL). Every fork does so in the end. No wait takes longer than seconds.
 */
void sidl_await_loading(void);

/**
 * A protocol whose peers' calls may come back in the course of each other runs them on threads that
 * wait. Waits that are not its own, as those for the first of many calls, take part by this.
 */
struct sidl_standby {
  /** This thread is about to wait, and waits until end(). NULL: it runs no call of a peer. */
  void* (*begin)(void);
  /**
   * Runs a call that has come, or sleeps until wake(), so many milliseconds at most. 0: nobody
   * wants to know any more what the call comes to in the course of which the thread waits.
   */
  int (*wait)(void* standby, int milliseconds);
  /** Any thread. Takes no locks that are held while anything is called. */
  void (*wake)(void* standby);
  void (*end)(void* standby);
};

/** From now on threads that wait take part; the struct stays for good. */
void sidl_set_standby(const struct sidl_standby* standby);
/** What a wait takes part by; NULL: there is nothing of that. */
const struct sidl_standby* sidl_standby_of_process(void);

/**
 * A language in which handlers of signals run between its own instructions (Python) asks threads
 * that wait for a peer to look now and then whether there is something to be run.
 */
struct sidl_interruption {
  /** Not 0: this thread is one of those. Asked when a wait begins; takes no locks. */
  int (*concerns_thread)(void);
  /**
   * Runs what there is to be run, which may be anything. Not 0: the thread shall not wait on; a
   * call that it waits for is given up. Called about ten times a second, without locks.
   */
  int (*wants_out)(void);
};

/** Use the functions. */
extern const struct sidl_interruption* sidl_interruption_of_process;

/** From now on threads that wait ask it; the struct stays for good. NULL: they ask nobody. */
void sidl_set_interruption(const struct sidl_interruption* interruption);

/** What a thread that is about to wait has to ask; NULL: nothing. */
static inline const struct sidl_interruption* sidl_interruption_of_thread(void) {
  const struct sidl_interruption* const it =
      __atomic_load_n(&sidl_interruption_of_process, __ATOMIC_ACQUIRE);
  return it != NULL && it->concerns_thread() != 0 ? it : NULL;
}

#ifdef __cplusplus
}
#endif
#endif
