/*
 * serializer_sink.h: a Serializer as a sink, and a Deserializer as a source (sidl_marshal.h).
 */
#ifndef REMOTE_SERIALIZER_SINK_H
#define REMOTE_SERIALIZER_SINK_H

#include "sidl_marshal.h"

struct sidl_io_Serializer__object;
struct sidl_io_Deserializer__object;

#pragma GCC visibility push(hidden)

struct serializer_sink {
  struct sidl_sink base;
  struct sidl_io_Serializer__object* serializer; /* borrowed */
};

struct deserializer_source {
  struct sidl_source base;
  struct sidl_io_Deserializer__object* deserializer; /* borrowed */
};

/*
 * `serializer` may be of any interface that extends Serializer, as its EPV begins with that one's.
 */
struct serializer_sink serializer_sink(void* serializer);
struct deserializer_source deserializer_source(void* deserializer);

#pragma GCC visibility pop
#endif
