#include <stdlib.h>
#include <string.h>

#include "array/array_core.h"
#include "base/reference.h"
#include "object/find_struct.h"
#include "object/throw.h"
#include "remote/marshal_array.h"
#include "sidl_CastException_IOR.h"
#include "sidl_MemorySpaceException_IOR.h"
#include "sidl_String.h"
#include "sidl_header.h"
#include "sidl_memory_space.h"
#include "sidl_rmi_ProtocolException_IOR.h"

typedef struct sidl_BaseInterface__object* exception;

/* ---- arrays of values, which protocols handle ----------------------------------------------- */

/* Elements that sinks and sources know. */
static bool holds_simple(const struct sidl_type_ref* type) {
  const uint32_t known = sidl_simple_kinds | SIDL_KIND_BIT(sidl_kind_enum);
  return (known & SIDL_KIND_BIT(type->element)) != 0;
}

static bool travels(const char* key, const struct sidl_type_ref* type, exception* _ex) {
  if (holds_simple(type)) return true;
  THROW(_ex, sidl_rmi_ProtocolException, "%s: arrays of kind %d cannot be sent to another process",
        key, type->element);
  return false;
}

/*
 * Structs may contain arrays of themselves: a peer could nest them as deep as its message is long,
 * and ours may contain themselves.
 */
enum { DEEPEST = 64 };
static _Thread_local int nesting; /* arrays of structs that are being packed or unpacked */

static bool is_too_deep(const char* key, exception* _ex) {
  if (nesting <= DEEPEST) return false; /* the last may be null */
  THROW(_ex, sidl_rmi_ProtocolException, "%.100s: arrays of structs are nested more than %d deep",
        key, DEEPEST);
  return true;
}

static bool put_structs(struct sidl_sink* sink, const char* key, const struct sidl_type_ref* type,
                        struct sidl__array* array, exception* _ex) {
  if (is_too_deep(key, _ex)) return false;
  ++nesting;
  const bool ok = marshal_put_structs(sink, key, type, array, _ex);
  --nesting;
  return ok;
}

static bool get_structs(struct sidl_source* source, const char* key,
                        const struct sidl_type_ref* type, struct sidl__array** array,
                        exception* _ex) {
  if (is_too_deep(key, _ex)) return false;
  ++nesting;
  const bool ok = marshal_get_structs(source, key, type, array, _ex);
  --nesting;
  return ok;
}

/* ---- arrays of objects: a shape, then the objects ---------------------------------------------
 */

static struct sidl_long__array* make_shape(const struct sidl__array* array) {
  const int32_t dimen = array->d_dimen;
  struct sidl_long__array* const shape = sidl_long__array_create1d(1 + 2 * dimen);
  if (shape == NULL) return NULL;
  int64_t* const values = shape->d_firstElement;
  values[0] = dimen;
  memcpy(values + 1, array->d_lower, (size_t)dimen * sizeof(int64_t));
  memcpy(values + 1 + dimen, array->d_upper, (size_t)dimen * sizeof(int64_t));
  return shape;
}

/* Advances to the next element, first index fastest; false after the last. */
static bool next_index(const struct sidl__array* array, int64_t* index) {
  for (int32_t d = 0; d < array->d_dimen; ++d) {
    if (++index[d] <= array->d_upper[d]) return true;
    index[d] = array->d_lower[d];
  }
  return false;
}

/* What an array's elements are. */
static struct sidl_type_ref element_of(const struct sidl_type_ref* type) {
  return (struct sidl_type_ref){.kind = sidl_kind_interface,
                                .flags = (uint8_t)(type->flags & sidl_ref_copy),
                                .object = type->object};
}

static bool put_elements(struct sidl_sink* sink, const char* key, const struct sidl_type_ref* type,
                         const struct sidl_interface__array* array, exception* _ex) {
  const struct sidl_type_ref element = element_of(type);
  int64_t index[SIDL_MAX_ARRAY_DIMENSION];
  const struct sidl__array* const meta = &array->d_metadata;
  bool ok = true;
  if (sidl__array_element_count(meta) == 0) return true;
  memcpy(index, meta->d_lower, (size_t)meta->d_dimen * sizeof(int64_t));
  do {
    exception object = sidl_interface__array_get64(array, index);
    ok = marshal_put(sink, key, &element, &object, _ex);
    reference_drop(object);
  } while (ok && next_index(meta, index));
  return ok;
}

/* The key of an array's description. */
static const char* key_of(char* buffer, bool is_wanted, const char* key, const char* what,
                          exception* _ex) {
  return is_wanted ? marshal_key(buffer, true, key, what, _ex) : key;
}

bool marshal_put_part(struct sidl_sink* sink, const char* key, const char* part,
                      enum sidl_kind kind, const void* value, exception* _ex) {
  const bool keyed = sink->functions->wants_keys;
  char buffer[MARSHAL_KEY_BUFFER];
  const char* const name = key_of(buffer, keyed, key, part, _ex);
  const bool ok = name != NULL && sink->functions->put(sink, name, kind, value, _ex);
  marshal_key_free(buffer, keyed, name);
  return ok;
}

bool marshal_get_part(struct sidl_source* source, const char* key, const char* part,
                      enum sidl_kind kind, void* value, exception* _ex) {
  const bool keyed = source->functions->wants_keys;
  char buffer[MARSHAL_KEY_BUFFER];
  const char* const name = key_of(buffer, keyed, key, part, _ex);
  const bool ok = name != NULL && source->functions->get(source, name, kind, value, _ex);
  marshal_key_free(buffer, keyed, name);
  return ok;
}

bool marshal_put_chars(struct sidl_sink* sink, const char* key, const char* part,
                       struct sidl__array* chars, uint8_t flags, exception* _ex) {
  const bool keyed = sink->functions->wants_keys;
  char buffer[MARSHAL_KEY_BUFFER];
  const struct sidl_type_ref type = {.kind = sidl_kind_array,
                                     .element = sidl_kind_char,
                                     .dimension = (uint8_t)chars->d_dimen,
                                     .order = sidl_column_major_order,
                                     .flags = flags};
  const char* const name = key_of(buffer, keyed, key, part, _ex);
  const bool ok = name != NULL && marshal_put_array(sink, name, &type, chars, _ex);
  marshal_key_free(buffer, keyed, name);
  return ok;
}

bool marshal_get_chars(struct sidl_source* source, const char* key, const char* part,
                       struct sidl__array** chars, exception* _ex) {
  const bool keyed = source->functions->wants_keys;
  char buffer[MARSHAL_KEY_BUFFER];
  const struct sidl_type_ref type = {
      .kind = sidl_kind_array, .element = sidl_kind_char, .order = sidl_column_major_order};
  const char* const name = key_of(buffer, keyed, key, part, _ex);
  const bool ok = name != NULL && marshal_get_array(source, name, &type, chars, _ex);
  marshal_key_free(buffer, keyed, name);
  return ok;
}

static const struct sidl_type_ref shape_type = {
    .kind = sidl_kind_array, .element = sidl_kind_long, .dimension = 1};

static bool put_shape(struct sidl_sink* sink, const char* key, struct sidl_long__array* shape,
                      exception* _ex) {
  const bool keyed = sink->functions->wants_keys;
  char buffer[MARSHAL_KEY_BUFFER];
  const char* const shape_key = key_of(buffer, keyed, key, "shape", _ex);
  const bool ok = shape_key != NULL && sink->functions->put_array(sink, shape_key, &shape_type,
                                                                  (struct sidl__array*)shape, _ex);
  marshal_key_free(buffer, keyed, shape_key);
  return ok;
}

bool marshal_put_shape(struct sidl_sink* sink, const char* key, const struct sidl__array* array,
                       exception* _ex) {
  if (array == NULL) return put_shape(sink, key, NULL, _ex);
  struct sidl_long__array* const shape = make_shape(array);
  if (shape == NULL) {
    throw_memory(_ex);
    return false;
  }
  const bool ok = put_shape(sink, key, shape, _ex);
  sidl_long__array_deleteRef(shape);
  return ok;
}

static bool put_objects(struct sidl_sink* sink, const char* key, const struct sidl_type_ref* type,
                        const struct sidl_interface__array* array, exception* _ex) {
  const struct sidl__array* const meta = (const struct sidl__array*)array;
  return marshal_put_shape(sink, key, meta, _ex) &&
         (array == NULL || put_elements(sink, key, type, array, _ex));
}

/* The shape comes from the peer and must be checked, also that of no elements: it must have strides
 * in every order. */
static bool read_shape(const struct sidl_long__array* from, int32_t dimen,
                       struct marshal_shape* shape) {
  const int64_t length = sidl_long__array_length64(from, 0);
  const int64_t first = sidl_long__array_lower64(from, 0);
  const int64_t announced = length > 0 ? sidl_long__array_get1(from, first) : 0;
  if (announced < 1 || announced > SIDL_MAX_ARRAY_DIMENSION) return false;
  int64_t reach = 1;
  shape->dimen = (int32_t)announced;
  shape->count = 1;
  if (length != 1 + 2 * shape->dimen || (dimen != 0 && dimen != shape->dimen)) return false;
  for (int32_t d = 0; d < shape->dimen; ++d) {
    shape->lower[d] = sidl_long__array_get1(from, first + 1 + d);
    shape->upper[d] = sidl_long__array_get1(from, first + 1 + shape->dimen + d);
    const int64_t extent = sidl_array_extent(shape->lower[d], shape->upper[d]);
    if (extent < 0) return false;
    if (__builtin_mul_overflow(reach, extent > 0 ? extent : 1, &reach)) return false;
    shape->count *= extent; /* no more than that */
  }
  return true;
}

void marshal_dense_strides(const struct marshal_shape* shape, int32_t order, int64_t stride[]) {
  int64_t count = 1;
  for (int32_t i = 0; i < shape->dimen; ++i) {
    const int32_t d = order == sidl_row_major_order ? shape->dimen - 1 - i : i;
    stride[d] = count;
    count *= shape->upper[d] - shape->lower[d] + 1;
  }
}

/*
 * Unpacks objects into memory that grows with them, so that a forged shape cannot make us allocate
 * more than the message can fill. Returns how many there are.
 */
static int64_t get_elements(struct sidl_source* source, const char* key,
                            const struct sidl_type_ref* type, int64_t count, void*** objects,
                            exception* _ex) {
  int64_t n = 0;
  int64_t capacity = 0;
  const struct sidl_type_ref element = element_of(type);
  *objects = NULL;
  while (n < count && *_ex == NULL) {
    if (n == capacity) {
      capacity = capacity == 0 ? 16 : 2 * capacity;
      void** const more = realloc(*objects, (size_t)capacity * sizeof(void*));
      if (more == NULL) {
        throw_memory(_ex);
        break;
      }
      *objects = more;
    }
    void* object = NULL;
    if (marshal_get(source, key, &element, &object, _ex)) {
      /* arrays hold objects as sidl.BaseInterface, at the object's own address */
      (*objects)[n++] = object;
    }
  }
  return n;
}

static struct sidl_interface__array* make_object_array(const struct marshal_shape* shape,
                                                       bool row_order, void** objects) {
  struct sidl_interface__array* const array =
      row_order ? sidl_interface__array_createRow64(shape->dimen, shape->lower, shape->upper)
                : sidl_interface__array_createCol64(shape->dimen, shape->lower, shape->upper);
  if (array == NULL || shape->count == 0) return array;
  int64_t index[SIDL_MAX_ARRAY_DIMENSION];
  memcpy(index, shape->lower, (size_t)shape->dimen * sizeof(int64_t));
  do {
    sidl_interface__array_set64(array, index, *objects++);
  } while (next_index(&array->d_metadata, index));
  return array;
}

static bool get_array_of(struct sidl_source* source, const char* key,
                         const struct sidl_type_ref* type, const struct marshal_shape* shape,
                         struct sidl__array** array, exception* _ex) {
  const bool row_order = type->order == sidl_row_major_order;
  void** objects = NULL;
  const int64_t n = get_elements(source, key, type, shape->count, &objects, _ex);
  if (*_ex == NULL) {
    *array = (struct sidl__array*)make_object_array(shape, row_order, objects);
    if (*array == NULL) throw_memory(_ex);
  }
  for (int64_t i = 0; i < n; ++i) reference_drop(objects[i]);
  free(objects);
  return *_ex == NULL;
}

bool marshal_get_shape(struct sidl_source* source, const char* key, int32_t dimen,
                       struct marshal_shape* shape, bool* is_null, exception* _ex) {
  const bool keyed = source->functions->wants_keys;
  char buffer[MARSHAL_KEY_BUFFER];
  struct sidl__array* from = NULL;
  const char* const shape_key = key_of(buffer, keyed, key, "shape", _ex);
  if (shape_key == NULL) return false;
  bool ok = marshal_get_array(source, shape_key, &shape_type, &from, _ex);
  marshal_key_free(buffer, keyed, shape_key);
  *is_null = from == NULL;
  if (!ok || from == NULL) return ok;
  ok = read_shape((const struct sidl_long__array*)(void*)from, dimen, shape);
  sidl__array_deleteRef(from);
  if (ok) return true;
  THROW(_ex, sidl_rmi_ProtocolException, "%s: invalid shape for an array of %d dimensions", key,
        (int)dimen);
  return false;
}

static bool get_objects(struct sidl_source* source, const char* key,
                        const struct sidl_type_ref* type, struct sidl__array** array,
                        exception* _ex) {
  struct marshal_shape shape;
  bool is_null = false;
  if (!marshal_get_shape(source, key, type->dimension, &shape, &is_null, _ex)) return false;
  if (is_null) return true;
  return get_array_of(source, key, type, &shape, array, _ex);
}

/* ---- all arrays ---------------------------------------------------------------------------------
 */

static bool holds_objects(const struct sidl_type_ref* type) {
  return type->element == sidl_kind_interface || type->element == sidl_kind_class;
}

bool marshal_put_element_type(struct sidl_sink* sink, const char* key,
                              const struct sidl__array* array, struct sidl_type_ref* actual,
                              exception* _ex) {
  const int32_t element = sidl__array_type(array);
  const struct sidl_struct_info* const structure = sidl__array_struct(array);
  *actual = (struct sidl_type_ref){.kind = sidl_kind_array,
                                   .element = (uint8_t)sidl_element_kind_of(element),
                                   .dimension = (uint8_t)sidl__array_dimen(array),
                                   .structure = structure};
  return marshal_put_part(sink, key, "type", sidl_kind_int, &element, _ex) &&
         (structure == NULL ||
          marshal_put_part(sink, key, "struct", sidl_kind_string, &structure->name, _ex));
}

/* Which structs these are: of those that this process knows. */
static bool get_struct_type(struct sidl_source* source, const char* key,
                            struct sidl_type_ref* actual, exception* _ex) {
  char* name = NULL;
  if (!marshal_get_part(source, key, "struct", sidl_kind_string, &name, _ex)) return false;
  actual->structure = find_struct(name == NULL ? "" : name);
  if (actual->structure == NULL) {
    THROW(_ex, sidl_rmi_ProtocolException,
          "%s: an array of structs called '%.100s', which no method here knows", key,
          name == NULL ? "" : name);
  }
  sidl_String_free(name);
  return actual->structure != NULL;
}

bool marshal_get_element_type(struct sidl_source* source, const char* key,
                              struct sidl_type_ref* actual, exception* _ex) {
  int32_t element = 0;
  const bool ok = marshal_get_part(source, key, "type", sidl_kind_int, &element, _ex);
  const enum sidl_kind kind = sidl_element_kind_of(element);
  *actual = (struct sidl_type_ref){
      .kind = sidl_kind_array, .element = (uint8_t)kind, .object = &sidl_BaseInterface__info};
  if (ok && kind == sidl_kind_struct) return get_struct_type(source, key, actual, _ex);
  if (!ok || kind != sidl_kind_void || element == sidl_undefined_array) return ok;
  THROW(_ex, sidl_rmi_ProtocolException, "%s: unknown array type %d", key, (int)element);
  return false;
}

static bool has_dimension(const char* key, const struct sidl_type_ref* type,
                          const struct sidl__array* array, exception* _ex) {
  if (array == NULL || type->dimension == 0 || array->d_dimen == type->dimension) return true;
  THROW(_ex, sidl_CastException, "%s has %d dimension%s, not %d", key, (int)array->d_dimen,
        array->d_dimen == 1 ? "" : "s", type->dimension);
  return false;
}

static bool put_other_array(struct sidl_sink* sink, const char* key,
                            const struct sidl_type_ref* type, struct sidl__array* array,
                            exception* _ex) {
  struct sidl_type_ref actual = *type;
  if (type->element == sidl_kind_void) {
    if (!marshal_put_element_type(sink, key, array, &actual, _ex)) return false;
    if (array == NULL) return true;
  }
  if (!marshal_check(key, &actual, _ex) || !has_dimension(key, &actual, array, _ex)) return false;
  if (holds_objects(&actual)) {
    return put_objects(sink, key, &actual, (const struct sidl_interface__array*)(void*)array, _ex);
  }
  if (actual.element == sidl_kind_struct) {
    return put_structs(sink, key, &actual, array, _ex);
  }
  return travels(key, &actual, _ex) && sink->functions->put_array(sink, key, &actual, array, _ex);
}

/* Whether elements that are elsewhere can be read: tried before anything has been sent. */
static bool is_readable(const char* key, const struct sidl__array* array, exception* _ex) {
  const size_t size = sidl__array_element_bytes(array);
  char element[64];
  const size_t some = size < sizeof element ? size : sizeof element;
  const sidl_bool ok =
      sidl__array_element_count(array) == 0 ||
      sidl_memory_to_host(array->d_space, element, sidl__array_address(array), some, 0, 1);
  if (ok) return true;
  THROW(_ex, sidl_MemorySpaceException,
        "%s: the array's elements cannot be copied from %s to host memory", key,
        sidl_memory_space_name(array->d_space));
  return false;
}

bool marshal_put_array(struct sidl_sink* sink, const char* key, const struct sidl_type_ref* type,
                       struct sidl__array* array, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (array != NULL && array->d_space != NULL && !is_readable(key, array, _ex)) return false;
  if (!holds_simple(type)) return put_other_array(sink, key, type, array, _ex);
  return has_dimension(key, type, array, _ex) &&
         sink->functions->put_array(sink, key, type, array, _ex);
}

static void drop_array(struct sidl__array** array) {
  sidl__array_deleteRef(*array);
  *array = NULL;
}

/* An array without elements may be longer in other dimensions than strides of this order can be. */
static void refuse_order(const char* key, const struct sidl__array* array, exception* _ex) {
  if (sidl__array_element_count(array) > 0) {
    throw_memory(_ex);
    return;
  }
  THROW(_ex, sidl_rmi_ProtocolException,
        "%s: the received array is too large for strides of the order demanded", key);
}

/* Checks that the array has the type the method declares; else drops it. */
static bool check_array(const char* key, const struct sidl_type_ref* type,
                        struct sidl__array** array, exception* _ex) {
  if (*array == NULL) return true;
  const int32_t dimen = (*array)->d_dimen;
  const enum sidl_kind element = sidl_element_kind_of(sidl__array_type(*array));
  const uint8_t expected = type->element == sidl_kind_enum    ? sidl_kind_long
                           : type->element == sidl_kind_class ? sidl_kind_interface
                                                              : type->element;
  if (element != expected || (type->dimension != 0 && dimen != type->dimension)) {
    THROW(_ex, sidl_rmi_ProtocolException,
          "%s: the received array has a different type or %d instead "
          "of %d dimensions",
          key, (int)dimen, type->dimension);
    drop_array(array);
    return false;
  }
  if (type->order == sidl_general_order) return true;
  struct any_array* const ordered =
      array_ensure((struct any_array*)(void*)*array, dimen, type->order);
  if (ordered == NULL) {
    refuse_order(key, *array, _ex);
    drop_array(array);
    return false;
  }
  sidl__array_deleteRef(*array);
  *array = &ordered->meta;
  return true;
}

static bool get_other_array(struct sidl_source* source, const char* key,
                            const struct sidl_type_ref* type, struct sidl__array** array,
                            exception* _ex) {
  struct sidl_type_ref actual = *type;
  if (type->element == sidl_kind_void) {
    if (!marshal_get_element_type(source, key, &actual, _ex)) return false;
    if (actual.element == sidl_kind_void) return true;
  }
  if (!marshal_check(key, &actual, _ex)) return false;
  const bool ok = holds_objects(&actual) ? get_objects(source, key, &actual, array, _ex)
                  : actual.element == sidl_kind_struct
                      ? get_structs(source, key, &actual, array, _ex)
                      : travels(key, &actual, _ex) &&
                            source->functions->get_array(source, key, &actual, array, _ex);
  return ok && check_array(key, &actual, array, _ex);
}

bool marshal_get_array(struct sidl_source* source, const char* key,
                       const struct sidl_type_ref* type, struct sidl__array** array,
                       struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (!holds_simple(type)) return get_other_array(source, key, type, array, _ex);
  return source->functions->get_array(source, key, type, array, _ex) &&
         check_array(key, type, array, _ex);
}
