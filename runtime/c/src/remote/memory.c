#include "remote/memory.h"

#include <stdlib.h>
#include <string.h>

#include "array/array_core.h"
#include "base/reference.h"
#include "libsidl_Memory_IOR.h"
#include "object/class.h"
#include "object/dynamic.h"
#include "object/object.h"
#include "object/stand_in.h"
#include "object/throw.h"
#include "sidl_CastException_IOR.h"
#include "sidl_NotImplementedException_IOR.h"
#include "sidl_String.h"
#include "sidl_io_IOException_IOR.h"
#include "sidl_io_Serializable_IOR.h"
#include "sidl_protocol.h"

enum { DEEPEST = 64 };

struct memory_item {
  int kind;
  union {
    struct sidl_dcomplex complex; /* the largest */
    int64_t number;
    void* pointer;
  } value;
};

static void drop_value(int kind, void* pointer) {
  if (kind == sidl_kind_string) {
    sidl_String_free(pointer);
  } else if (kind == sidl_kind_array) {
    sidl__array_deleteRef(pointer);
  } else if (kind == sidl_kind_interface || kind == sidl_kind_class) {
    reference_drop(pointer);
  }
}

void memory_clear(struct memory* memory) {
  for (size_t i = memory->next; i < memory->count; ++i) {
    drop_value(memory->items[i].kind, memory->items[i].value.pointer);
  }
  free(memory->items);
  *memory = (struct memory){0};
}

static bool grow(struct memory* memory) {
  if (memory->count < memory->capacity) return true;
  const size_t capacity = memory->capacity == 0 ? 16 : 2 * memory->capacity;
  struct memory_item* const items = realloc(memory->items, capacity * sizeof *items);
  if (items == NULL) return false;
  memory->items = items;
  memory->capacity = capacity;
  return true;
}

void memory_put(struct memory* memory, int kind, const void* value, size_t size,
                struct sidl_BaseInterface__object** _ex) {
  struct memory_item item = {.kind = kind};
  memcpy(&item.value, value, size);
  if (grow(memory)) {
    memory->items[memory->count++] = item;
  } else {
    drop_value(kind, item.value.pointer);
    throw_memory(_ex);
  }
}

void memory_take(struct memory* memory, const char* key, int kind, void* to, size_t size,
                 struct sidl_BaseInterface__object** _ex) {
  memset(to, 0, size);
  if (memory->next == memory->count) {
    THROW(_ex, sidl_io_IOException,
          "there is no value '%s': unpackObj unpacks more than packObj has packed", key);
    return;
  }
  struct memory_item* const item = &memory->items[memory->next];
  if (item->kind != kind) {
    THROW(_ex, sidl_io_IOException, "'%s' is unpacked as %s, but was packed as %s", key,
          sidl_kind_name(kind), sidl_kind_name(item->kind));
    return;
  }
  memcpy(to, &item->value, size);
  ++memory->next;
}

void memory_put_array(struct memory* memory, const void* array,
                      struct sidl_BaseInterface__object** _ex) {
  void* const own = array == NULL ? NULL : array_duplicate(array);
  if (array != NULL && own == NULL) {
    throw_memory(_ex);
  } else {
    memory_put(memory, sidl_kind_array, &own, sizeof own, _ex);
  }
}

void* memory_take_any_array(struct memory* memory, const char* key,
                            struct sidl_BaseInterface__object** _ex) {
  void* array = NULL;
  memory_take(memory, key, sidl_kind_array, &array, sizeof array, _ex);
  return array;
}

void* memory_take_array(struct memory* memory, const char* key, enum sidl_array_type type,
                        int ordering, struct sidl_BaseInterface__object** _ex) {
  struct any_array* const array = memory_take_any_array(memory, key, _ex);
  if (array == NULL) return NULL;
  if (sidl__array_type(&array->meta) != (int32_t)type) {
    THROW(_ex, sidl_io_IOException, "'%s' is unpacked as an array of a different element type",
          key);
  } else if (ordering == sidl_general_order) {
    return array;
  } else {
    struct any_array* const ordered = array_ensure(array, array->meta.d_dimen, ordering);
    if (ordered == NULL) throw_memory(_ex);
    sidl__array_deleteRef(&array->meta);
    return ordered;
  }
  sidl__array_deleteRef(&array->meta);
  return NULL;
}

/* Lets `to` unpack what `from` packs. */
static void move_state(struct sidl_io_Serializable__object* from,
                       struct sidl_io_Serializable__object* to, int depth,
                       struct sidl_BaseInterface__object** _ex) {
  struct libsidl_Memory__object* const memory = sidl_create(&libsidl_Memory__info, _ex);
  if (memory == NULL) return;
  ((struct memory*)memory->d_data)->depth = depth;
  from->d_epv->f_packObj(from->d_object, sidl_cast_borrowed(memory, &sidl_io_Serializer__info),
                         _ex);
  if (*_ex == NULL) {
    to->d_epv->f_unpackObj(to->d_object, sidl_cast_borrowed(memory, &sidl_io_Deserializer__info),
                           _ex);
  }
  reference_drop(memory);
}

void* copy_object(void* obj, int depth, struct sidl_BaseInterface__object** _ex) {
  struct sidl_object* const object = object_of(obj);
  *_ex = NULL;
  if (sidl_is_remote(obj)) {
    THROW(_ex, sidl_NotImplementedException,
          "the object lives in another process: only objects of this process can be copied");
    return NULL;
  }
  const char* const name = object->d_class->info->name;
  struct sidl_io_Serializable__object* const from =
      sidl_cast_borrowed(object, &sidl_io_Serializable__info);
  if (from == NULL) {
    THROW(_ex, sidl_CastException,
          "an object of class %s cannot be copied: it does not implement sidl.io.Serializable",
          name);
    return NULL;
  }
  if (depth > DEEPEST) {
    THROW(_ex, sidl_io_IOException, "objects by value are nested more than %d deep, the last a %s",
          DEEPEST, name);
    return NULL;
  }
  if (dynamic_functions(object) != NULL && !sidl_value_is_stand_in(object)) {
    THROW(_ex, sidl_NotImplementedException,
          "an object of %s cannot be copied: its class was created at run time", name);
    return NULL;
  }
  void* const made = object_create(object->d_class, _ex);
  if (made == NULL) return NULL;
  stand_in_copy_state(object, made);
  move_state(from, sidl_cast_borrowed(made, &sidl_io_Serializable__info), depth, _ex);
  if (*_ex == NULL) return made;
  reference_drop(made);
  return NULL;
}

void* sidl_copy_object(void* obj, struct sidl_BaseInterface__object** _ex) {
  return copy_object(obj, 0, _ex);
}
