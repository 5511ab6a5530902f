/*
 * libtool.h: libtool's archives (.la), text files that say which library is meant.
 */
#ifndef OBJECT_LIBTOOL_H
#define OBJECT_LIBTOOL_H

#pragma GCC visibility push(hidden)

/*
 * The library that an archive stands for: what its line dlname='…' names, which is beside it if it
 * is installed, else in .libs; if it has no such line or cannot be read, libx.so beside libx.la.
 * Free it; NULL: no memory.
 */
char* libtool_library(const char* archive);

#pragma GCC visibility pop

#endif
