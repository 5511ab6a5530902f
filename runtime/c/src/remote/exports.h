/* exports.h: the classes that peers may create: the state of sidl.rmi.ExportRegistry. */
#ifndef REMOTE_EXPORTS_H
#define REMOTE_EXPORTS_H

#include <stdbool.h>

#include "sidl_ior.h"

struct sidl_string__array;

#pragma GCC visibility push(hidden)

bool exports_add(const char* class_name, struct sidl_BaseInterface__object** _ex);
bool exports_contains(const char* class_name);
void* exports_create(const char* class_name, struct sidl_BaseInterface__object** _ex);

/* Sorted; NULL with *_ex set. */
struct sidl_string__array* exports_list(struct sidl_BaseInterface__object** _ex);

#pragma GCC visibility pop
#endif
