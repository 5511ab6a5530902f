/* class_info.h: the data of sidl.ClassInfoI. */
#ifndef OBJECT_CLASS_INFO_H
#define OBJECT_CLASS_INFO_H

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

struct class_info {
  char* name;
  char* version;
  char* ior_version;
};

/* A ClassInfo of the class called `name`; the strings are copied. NULL with *_ex set. */
struct sidl_ClassInfo__object* class_info_create(const char* name, const char* version,
                                                 struct sidl_BaseInterface__object** _ex);
void class_info_destroy(struct class_info* info);

#pragma GCC visibility pop
#endif
