/** sidl_version.h: the version of Shinar and of the standard library's interfaces. */
#ifndef SIDL_VERSION_H
#define SIDL_VERSION_H

/** Version of Shinar. */
#define SHINAR_VERSION "0.1.0"

/** Version of package sidl (runtime/sidl/sidl.sidl). */
#define SIDL_VERSION "0.9.17"

#endif
