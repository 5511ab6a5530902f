/*
 * catalogue.h: the contents of the catalogues on a search path. Not synchronised.
 */
#ifndef OBJECT_CATALOGUE_H
#define OBJECT_CATALOGUE_H

#include "base/text.h"
#include "object/library.h"

#pragma GCC visibility push(hidden)

struct catalogue {
  struct library_entry* entries;
  size_t count, capacity;
  char** libraries; /* libraries named on the path itself: they may hold any class */
  size_t library_count;
  struct text problems; /* files that could not be read or understood */
};

/* Reads one element of a search path: a catalogue, a folder of them or a library. */
void catalogue_read(struct catalogue* catalogue, const char* element);
void catalogue_free(struct catalogue* catalogue);

#pragma GCC visibility pop
#endif
