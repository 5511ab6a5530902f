/*
 * exception_text.h: the data of sidl.SIDLException: note, trace and origin.
 */
#ifndef OBJECT_EXCEPTION_TEXT_H
#define OBJECT_EXCEPTION_TEXT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

#pragma GCC visibility push(hidden)

/*
 * Several threads may throw one exception, each of which adds to its trace: note and trace are
 * accessed with the lock, by the functions below. A trace that is long gets no longer, as an
 * exception may be thrown again and again.
 */
struct exception_text {
  pthread_mutex_t lock;
  struct text note;
  struct text trace;
  void* origin; /* sidl_exception_set_origin */
  void (*release)(void* origin);
  bool frozen; /* shared by all threads and therefore never changed */
};

struct exception_text* exception_text_create(void);
void exception_text_destroy(struct exception_text* text);
void exception_text_freeze(struct exception_text* text);

/* These do not change a frozen text; they return false if memory is exhausted. */
bool exception_text_set_note(struct exception_text* text, const char* note);
bool exception_text_set_trace(struct exception_text* text, const char* trace);
bool exception_text_add_line(struct exception_text* text, const char* line);
/* Without a file only the method is added. */
bool exception_text_add_place(struct exception_text* text, const char* file, int32_t line,
                              const char* method);

/* Copies for the caller, to be freed with sidl_String_free; NULL if memory is exhausted. */
char* exception_text_note(struct exception_text* text);
char* exception_text_trace(struct exception_text* text);

#pragma GCC visibility pop
#endif
