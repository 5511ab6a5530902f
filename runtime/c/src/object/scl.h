/*
 * scl.h: reading library catalogues.
 *
 *     <scl>
 *       <library uri="libdemo.so" scope="global" resolution="lazy">
 *         <class name="demo.Solver" desc="ior/impl"/>
 *       </library>
 *     </scl>
 */
#ifndef OBJECT_SCL_H
#define OBJECT_SCL_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

/* Strings are valid until the visitor returns. */
struct scl_class {
  const char* uri;
  const char* name;
  const char* description;
  bool global;
  bool lazy;
};

/* Returns false to stop (no memory). */
typedef bool (*scl_visitor)(void* context, const struct scl_class* found);

/*
 * Calls `visit` for each class. NULL on success, else what is wrong (static text) with the line in
 * *line; classes before that place have been visited.
 */
const char* scl_read(const char* text, size_t length, scl_visitor visit, void* context, int* line);

#pragma GCC visibility pop
#endif
