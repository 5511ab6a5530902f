/*
 * ticket_book.c: waiting for the first of many calls.
 *
 * A new ticket in a book is `fresh`. A caller that wants a finished one first polls the fresh ones
 * in order. If none is over, each gets an observer, once, and is `observed` until that reports;
 * then it is `ready`. So each ticket is polled until it is observed and never again, however many
 * there are, and waiting is waiting on a condition variable.
 *
 * The lock is never held while a ticket is called: its protocol may report from any context.
 */
#include "remote/ticket_book.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/atomic.h"
#include "base/fork.h"
#include "base/reference.h"
#include "object/throw.h"
#include "remote/ticket.h"
#include "sidl_process.h"
#include "sidl_rmi_CancelledException_IOR.h"
#include "sidl_rmi_NetworkException_IOR.h"
#include "sidl_rmi_Ticket.h"
#include "sidl_rmi_TicketBookEntry_IOR.h"
#include "sidl_rmi_TicketBookI_IOR.h"
#include "sidl_rmi_TicketObserver_IOR.h"

struct book_entry {
  struct book_entry* next;
  struct book_entry** link;               /* the pointer to it in its list */
  struct ticket_book* book;               /* with a reference */
  struct sidl_rmi_Ticket__object* ticket; /* with a reference, while it is in the book */
  struct ticket_book* inner;    /* what the ticket is, if it is a book, and these links: */
  struct book_entry* next_book; /* among such entries of the book */
  struct book_entry** book_link;
  int32_t id;
  int32_t references; /* of the book and of the observer */
  bool is_observed;   /* it is in that list */
};

struct list {
  struct book_entry* first;
  struct book_entry** end;
};

/* A thread that waits while it runs a call of a peer. */
struct waiting {
  struct waiting* next;
  struct ticket_book* book;
  void* standby;
};

struct ticket_book {
  pthread_cond_t changed; /*
                           * used with the lock of all books, which also guards all other fields and
                           * links
                           */
  struct waiting* waiting;
  struct list fresh, observed, ready;
  struct list asked;        /* fresh tickets being polled by a thread, which owns them meanwhile */
  struct book_entry* books; /* of all lists, those with a book */
  struct ticket_book* next_visited; /* while books are looked through */
  uint64_t visit;                   /* the last one */
  int32_t count;                    /* of tickets in all lists */
  int32_t next_id;                  /* larger than any assigned */
  bool asking;                      /* a thread is polling */
  uint32_t generation;              /* of the process whose threads use the book */
  int32_t references;               /* of the book and of its entries */
};

/* One for all books: it is held for a few instructions, and is free in a forked child. */
TABLE_LOCK(lock);

/* ---- lists -------------------------------------------------------------------------------------
 */

static void list_init(struct list* list) {
  list->first = NULL;
  list->end = &list->first;
}

static void append(struct list* list, struct book_entry* entry) {
  entry->next = NULL;
  entry->link = list->end;
  *list->end = entry;
  list->end = &entry->next;
}

static void take_out(struct list* list, struct book_entry* entry) {
  *entry->link = entry->next;
  if (entry->next != NULL) {
    entry->next->link = entry->link;
  } else {
    list->end = entry->link;
  }
}

/* Moves all of `from` to the end of `to`. */
static void append_all(struct list* to, struct list* from) {
  while (from->first != NULL) {
    struct book_entry* const entry = from->first;
    take_out(from, entry);
    append(to, entry);
  }
}

/*
 * In a forked child the parent's threads and observers are gone: all pending tickets are fresh
 * again. Under the lock.
 */
static void become_childs(struct ticket_book* book) {
  book->generation = sidl_fork_generation();
  pthread_cond_init(&book->changed, NULL); /* destroying the old one would wait for its waiters */
  for (struct book_entry* e = book->observed.first; e != NULL; e = e->next) e->is_observed = false;
  append_all(&book->fresh, &book->asked);
  append_all(&book->fresh, &book->observed);
  book->waiting = NULL;
  book->asking = false;
}

/* Wakes all waiting threads. Under the lock. */
static void tell(struct ticket_book* book) {
  pthread_cond_broadcast(&book->changed);
  for (const struct waiting* each = book->waiting; each != NULL; each = each->next) {
    sidl_standby_of_process()->wake(each->standby);
  }
}

static void book_lock(struct ticket_book* book) {
  pthread_mutex_lock(&lock);
  if (book->generation != sidl_fork_generation()) become_childs(book);
}

/* ---- lifetime ----------------------------------------------------------------------------------
 */

static void book_drop(struct ticket_book* book) {
  if (!refcount_drop(&book->references)) return;
  pthread_cond_destroy(&book->changed);
  free(book);
}

struct ticket_book* ticket_book_create(void) {
  struct ticket_book* const book = calloc(1, sizeof *book);
  if (book == NULL) return NULL;
  pthread_cond_init(&book->changed, NULL);
  list_init(&book->fresh);
  list_init(&book->asked);
  list_init(&book->observed);
  list_init(&book->ready);
  book->next_id = 1;
  book->generation = sidl_fork_generation();
  book->references = 1;
  return book;
}

void book_entry_drop(struct book_entry* entry) {
  if (!refcount_drop(&entry->references)) return;
  book_drop(entry->book);
  free(entry);
}

void ticket_book_destroy(struct ticket_book* book) {
  struct list gone;
  if (book == NULL) return;
  list_init(&gone);
  book_lock(book);
  append_all(&gone, &book->fresh);
  append_all(&gone, &book->asked);
  append_all(&gone, &book->observed);
  append_all(&gone, &book->ready);
  struct book_entry* entry = gone.first;
  /* so that later reports have no effect */
  for (struct book_entry* e = entry; e != NULL; e = e->next) e->is_observed = false;
  pthread_mutex_unlock(&lock);
  while (entry != NULL) {
    struct book_entry* const next = entry->next;
    reference_drop(entry->ticket);
    book_entry_drop(entry);
    entry = next;
  }
  book_drop(book);
}

/* ---- inserting ----------------------------------------------------------------------------- */

/* The state of a book of this class in this process, else NULL. */
static struct ticket_book* book_of(struct sidl_rmi_Ticket__object* ticket) {
  struct sidl_rmi_TicketBookI__object* const self =
      sidl_is_remote(ticket) ? NULL : sidl_cast_borrowed(ticket, &sidl_rmi_TicketBookI__info);
  return self == NULL ? NULL : self->d_data;
}

/* Whether a book is another one, or holds it, or a book that does, and so on. Under the lock. */
static bool leads_to(struct ticket_book* book, const struct ticket_book* other) {
  static uint64_t visits;
  ++visits;
  book->visit = visits;
  book->next_visited = NULL;
  for (struct ticket_book* last = book; book != NULL && book != other; book = book->next_visited) {
    for (const struct book_entry* each = book->books; each != NULL; each = each->next_book) {
      if (each->inner->visit == visits) continue;
      each->inner->visit = visits;
      each->inner->next_visited = NULL;
      last->next_visited = each->inner;
      last = each->inner;
    }
  }
  return book != NULL;
}

/* Under the lock. */
static void add_book(struct book_entry* entry) {
  struct book_entry** const first = &entry->book->books;
  entry->next_book = *first;
  entry->book_link = first;
  if (*first != NULL) (*first)->book_link = &entry->next_book;
  *first = entry;
}

/* Under the lock. */
static void forget_book(struct book_entry* entry) {
  *entry->book_link = entry->next_book;
  if (entry->next_book != NULL) entry->next_book->book_link = entry->book_link;
}

static void refuse_circle(struct book_entry* entry, struct sidl_BaseInterface__object** _ex) {
  THROW(_ex, sidl_rmi_NetworkException, "%s",
        entry->inner == entry->book
            ? "cannot insert a ticket book into itself: it would wait for itself"
            : "cannot insert a ticket book into one that it holds: they would wait for each other");
  reference_drop(entry->ticket);
  book_entry_drop(entry);
}

int32_t ticket_book_insert(struct ticket_book* book, struct sidl_rmi_Ticket__object* ticket,
                           const int32_t* id, struct sidl_BaseInterface__object** _ex) {
  struct book_entry* const entry = calloc(1, sizeof *entry);
  *_ex = NULL;
  if (entry == NULL) {
    throw_memory(_ex);
    return 0;
  }
  refcount_take(&book->references);
  entry->book = book;
  entry->ticket = reference_take(ticket);
  entry->inner = book_of(ticket);
  entry->references = 1;
  book_lock(book);
  if (entry->inner != NULL && leads_to(entry->inner, book)) {
    pthread_mutex_unlock(&lock);
    refuse_circle(entry, _ex);
    return 0;
  }
  const int32_t given = id == NULL ? book->next_id : *id;
  if (given >= book->next_id && given < INT32_MAX) book->next_id = given + 1;
  entry->id = given;
  append(&book->fresh, entry);
  if (entry->inner != NULL) add_book(entry);
  ++book->count;
  tell(book);
  pthread_mutex_unlock(&lock);
  return given;
}

static void move_from_observed(struct book_entry* entry, struct list* to) {
  take_out(&entry->book->observed, entry);
  append(to, entry);
  entry->is_observed = false;
}

void book_entry_over(struct book_entry* entry) {
  struct ticket_book* const book = entry->book;
  book_lock(book);
  if (entry->is_observed) {
    move_from_observed(entry, &book->ready);
    tell(book);
  }
  pthread_mutex_unlock(&lock);
}

/*
 * ---- polling and observing ----------------------------------------------------------------------
 */

/* Polls the tickets in `asked` and moves finished ones to `ready`. True if there are any. */
static bool ask(struct ticket_book* book) {
  bool any = false;
  for (struct book_entry *entry = book->asked.first, *next = NULL; entry != NULL; entry = next) {
    struct sidl_BaseInterface__object* ex = NULL;
    next = entry->next;
    const bool over = sidl_rmi_Ticket_test(entry->ticket, &ex);
    /* one that fails counts as over: taking its answer reports why */
    if (over || ex != NULL) {
      any = true;
      book_lock(book);
      take_out(&book->asked, entry);
      append(&book->ready, entry);
      pthread_mutex_unlock(&lock);
    }
    reference_drop(ex);
  }
  return any;
}

static void observe(struct book_entry* entry, struct sidl_BaseInterface__object** _ex) {
  refcount_take(&entry->references);
  void* const observer = sidl_wrap(&sidl_rmi_TicketBookEntry__info, entry, _ex);
  if (observer == NULL) {
    book_entry_drop(entry);
    return;
  }
  ticket_observe(entry->ticket, sidl_cast_borrowed(observer, &sidl_rmi_TicketObserver__info), _ex);
  reference_drop(observer);
}

/* Gives each ticket in `asked` an observer. On failure *_ex is set, and those without one stay. */
static void observe_all(struct ticket_book* book, struct sidl_BaseInterface__object** _ex) {
  while (*_ex == NULL && book->asked.first != NULL) {
    struct book_entry* const entry = book->asked.first;
    book_lock(book);
    take_out(&book->asked, entry);
    append(&book->observed, entry);
    entry->is_observed = true;
    pthread_mutex_unlock(&lock);
    observe(entry, _ex);
    if (*_ex == NULL) continue;
    book_lock(book);
    if (entry->is_observed) move_from_observed(entry, &book->asked);
    pthread_mutex_unlock(&lock);
  }
}

/*
 * Polls the fresh tickets, and if none is over and `wait`, has them observed. Called with the lock
 * held, which it releases meanwhile.
 */
static void look_at_fresh(struct ticket_book* book, bool wait,
                          struct sidl_BaseInterface__object** _ex) {
  append_all(&book->asked, &book->fresh);
  book->asking = true;
  pthread_mutex_unlock(&lock);
  if (!ask(book) && wait) observe_all(book, _ex);
  book_lock(book);
  append_all(&book->asked, &book->fresh); /* new ones go behind */
  append_all(&book->fresh, &book->asked);
  book->asking = false;
  tell(book);
}

/*
 * Registers the thread to be woken on changes. NULL if it runs no call of a peer, which needs no
 * registration. Releases the lock meanwhile.
 */
static struct waiting* begin_waiting(struct ticket_book* book) {
  const struct sidl_standby* const standby = sidl_standby_of_process();
  if (standby == NULL) return NULL;
  pthread_mutex_unlock(&lock);
  struct waiting* self = malloc(sizeof *self);
  void* const its_standby = self == NULL ? NULL : standby->begin(0);
  if (its_standby == NULL) {
    free(self);
    self = NULL;
  }
  book_lock(book);
  if (self == NULL) return NULL;
  self->standby = its_standby;
  self->book = book;
  self->next = book->waiting;
  book->waiting = self;
  return self;
}

/* Releases the lock meanwhile. */
static void end_waiting(struct ticket_book* book, struct waiting* self) {
  if (self == NULL) return;
  struct waiting** link = &book->waiting;
  while (*link != NULL && *link != self) link = &(*link)->next;
  if (*link != NULL) *link = self->next;
  pthread_mutex_unlock(&lock);
  sidl_standby_of_process()->end(self->standby);
  free(self);
  book_lock(book);
}

/* Cleanup if the thread ends in a call that it runs while it waits. */
static void thread_ends(void* self) {
  struct ticket_book* const book = ((struct waiting*)self)->book;
  book_lock(book);
  end_waiting(book, self);
  pthread_mutex_unlock(&lock);
}

/*
 * Runs a call of the chain that has come, or sleeps at most that long. False if there is no point
 * in waiting on.
 */
static bool stand_by(struct waiting* self, int milliseconds) {
  int goes_on = 0;
  pthread_cleanup_push(thread_ends, self);
  goes_on = sidl_standby_of_process()->wait(self->standby, milliseconds);
  pthread_cleanup_pop(0);
  return goes_on != 0;
}

/* The same, with *_ex set instead. Releases the lock and returns without it. */
static void stand_by_unlocked(struct waiting* self, int milliseconds,
                              struct sidl_BaseInterface__object** _ex) {
  pthread_mutex_unlock(&lock);
  if (!stand_by(self, milliseconds)) {
    THROW(_ex, sidl_rmi_CancelledException, "%s",
          "the call that was waiting for tickets was cancelled");
  }
}

/* Waits for at most a tenth of a second; false if nothing changed. Releases the lock meanwhile. */
static bool sleep_in_book(struct ticket_book* book) {
  const long tenth = 100 * 1000 * 1000;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += (until.tv_nsec + tenth) / (10 * tenth);
  until.tv_nsec = (until.tv_nsec + tenth) % (10 * tenth);
  return pthread_cond_timedwait(&book->changed, &lock, &until) != ETIMEDOUT;
}

/*
 * Waits until something may have changed. *_ex is set if the thread was interrupted or its own
 * caller has given up. `self`: from begin_waiting. Releases the lock meanwhile.
 */
static void await_change(struct ticket_book* book, struct waiting* self,
                         struct sidl_BaseInterface__object** _ex) {
  const struct sidl_interruption* const interruption = sidl_interruption_of_thread();
  if (self != NULL) {
    stand_by_unlocked(self, 100, _ex);
  } else if (interruption == NULL) {
    pthread_cond_wait(&book->changed, &lock);
    return;
  } else if (sleep_in_book(book)) {
    return;
  } else {
    pthread_mutex_unlock(&lock);
  }
  if (interruption != NULL && *_ex == NULL && interruption->wants_out() != 0) {
    THROW(_ex, sidl_rmi_CancelledException, "%s", "the waiting thread was interrupted");
  }
  book_lock(book);
}

/* Waits until a ticket is ready or the book is empty. The lock is held before and after. */
static void await_ready(struct ticket_book* book, struct sidl_BaseInterface__object** _ex) {
  struct waiting* self = NULL;
  bool waits = false;
  *_ex = NULL;
  while (*_ex == NULL && book->count > 0 && book->ready.first == NULL) {
    if (book->fresh.first != NULL && !book->asking) {
      look_at_fresh(book, true, _ex);
    } else if (!waits) {
      waits = true;
      self = begin_waiting(book);
    } else {
      await_change(book, self, _ex);
    }
  }
  end_waiting(book, self);
}

/* ---- removing ---------------------------------------------------------------------------- */

int32_t ticket_book_remove_ready(struct ticket_book* book, struct sidl_rmi_Ticket__object** ticket,
                                 struct sidl_BaseInterface__object** _ex) {
  *ticket = NULL;
  book_lock(book);
  await_ready(book, _ex);
  struct book_entry* const entry = *_ex == NULL ? book->ready.first : NULL;
  if (entry != NULL) {
    take_out(&book->ready, entry);
    if (entry->inner != NULL) forget_book(entry);
    --book->count;
    if (book->count == 0) tell(book);
  }
  pthread_mutex_unlock(&lock);
  if (entry == NULL) return 0;
  const int32_t id = entry->id;
  *ticket = entry->ticket;
  book_entry_drop(entry);
  return id;
}

bool ticket_book_is_empty(struct ticket_book* book) {
  book_lock(book);
  const bool empty = book->count == 0;
  pthread_mutex_unlock(&lock);
  return empty;
}

void ticket_book_block(struct ticket_book* book, struct sidl_BaseInterface__object** _ex) {
  book_lock(book);
  await_ready(book, _ex);
  pthread_mutex_unlock(&lock);
}

bool ticket_book_test(struct ticket_book* book, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  book_lock(book);
  if (book->ready.first == NULL && !book->asking) look_at_fresh(book, false, _ex);
  /* A thread that polls is waiting, too: run calls that have come for it. */
  struct waiting* const self =
      *_ex == NULL && book->ready.first == NULL && book->count > 0 ? begin_waiting(book) : NULL;
  if (self != NULL) {
    stand_by_unlocked(self, 0, _ex);
    book_lock(book);
    end_waiting(book, self);
  }
  const bool over = book->ready.first != NULL || book->count == 0;
  pthread_mutex_unlock(&lock);
  return over;
}

struct sidl_rmi_Ticket__object* ticket_book_first(struct ticket_book* book,
                                                  struct sidl_BaseInterface__object** _ex) {
  book_lock(book);
  await_ready(book, _ex);
  struct book_entry* const entry = *_ex == NULL ? book->ready.first : NULL;
  struct sidl_rmi_Ticket__object* const ticket =
      entry == NULL ? NULL : reference_take(entry->ticket);
  pthread_mutex_unlock(&lock);
  return ticket;
}

/* Appends the tickets of a list to `to`; returns how many it then has. */
static int32_t collect(const struct list* list, struct sidl_rmi_Ticket__object** to,
                       int32_t count) {
  for (const struct book_entry* entry = list->first; entry != NULL; entry = entry->next) {
    to[count++] = reference_take(entry->ticket);
  }
  return count;
}

bool ticket_book_cancel(struct ticket_book* book, struct sidl_BaseInterface__object** _ex) {
  bool any = false;
  *_ex = NULL;
  book_lock(book);
  while (book->asking) pthread_cond_wait(&book->changed, &lock);
  struct sidl_rmi_Ticket__object** const tickets =
      malloc(((size_t)book->count + 1) * sizeof(struct sidl_rmi_Ticket__object*));
  int32_t count = 0;
  if (tickets != NULL) {
    count = collect(&book->fresh, tickets, count);
    count = collect(&book->observed, tickets, count);
  }
  pthread_mutex_unlock(&lock);
  if (tickets == NULL) throw_memory(_ex);
  for (int32_t i = 0; i < count; ++i) {
    if (*_ex == NULL) any = sidl_rmi_Ticket_cancel(tickets[i], _ex) || any;
    reference_drop(tickets[i]);
  }
  free(tickets);
  return any;
}
