/* struct_stream.c: structs, and arrays of them, that user code packs and unpacks itself. */
#include <string.h>

#include "remote/marshal.h"
#include "sidl_marshal.h"
#include "sidl_struct_array.h"

static struct sidl_type_ref reference_to(const struct sidl_struct_info* info) {
  return (struct sidl_type_ref){.kind = sidl_kind_struct, .structure = info};
}

void sidl_struct_serialize(const struct sidl_struct_info* info, const void* data,
                           struct sidl_io_Serializer__object* ser, const char* name,
                           struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_ref type = reference_to(info);
  *_ex = NULL;
  struct sidl_serializer_sink sink = sidl_sink_of_serializer(ser);
  marshal_put(&sink.base, name, &type, data, _ex);
}

void sidl_struct_deserialize(const struct sidl_struct_info* info, void* data,
                             struct sidl_io_Deserializer__object* des, const char* name,
                             struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_ref type = reference_to(info);
  *_ex = NULL;
  memset(data, 0, info->size);
  struct sidl_deserializer_source source = sidl_source_of_deserializer(des);
  marshal_get(&source.base, name, &type, data, _ex);
}

static struct sidl_type_ref array_of(const struct sidl_struct_info* structure) {
  return (struct sidl_type_ref){
      .kind = sidl_kind_array, .element = sidl_kind_struct, .structure = structure};
}

void sidl_struct__array_serialize(const struct sidl_struct_info* structure,
                                  struct sidl__array* array, struct sidl_io_Serializer__object* ser,
                                  const char* name, struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_ref type = array_of(structure);
  struct sidl_serializer_sink sink = sidl_sink_of_serializer(ser);
  marshal_put_array(&sink.base, name, &type, array, _ex);
}

struct sidl__array* sidl_struct__array_deserialize(const struct sidl_struct_info* structure,
                                                   struct sidl_io_Deserializer__object* des,
                                                   const char* name,
                                                   struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_ref type = array_of(structure);
  struct sidl__array* array = NULL;
  struct sidl_deserializer_source source = sidl_source_of_deserializer(des);
  marshal_get_array(&source.base, name, &type, &array, _ex);
  return array;
}
