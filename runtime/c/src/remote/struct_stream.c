/* struct_stream.c: structs that user code packs and unpacks itself. */
#include <string.h>

#include "remote/marshal.h"
#include "remote/serializer_sink.h"

static struct sidl_type_ref reference_to(const struct sidl_struct_info* info) {
  return (struct sidl_type_ref){.kind = sidl_kind_struct, .structure = info};
}

void sidl_struct_serialize(const struct sidl_struct_info* info, const void* data,
                           struct sidl_io_Serializer__object* ser, const char* name,
                           struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_ref type = reference_to(info);
  *_ex = NULL;
  struct serializer_sink sink = serializer_sink(ser);
  marshal_put(&sink.base, name, &type, data, _ex);
}

void sidl_struct_deserialize(const struct sidl_struct_info* info, void* data,
                             struct sidl_io_Deserializer__object* des, const char* name,
                             struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_ref type = reference_to(info);
  *_ex = NULL;
  memset(data, 0, info->size);
  struct deserializer_source source = deserializer_source(des);
  marshal_get(&source.base, name, &type, data, _ex);
}
