/*
 * marshal_records.c: arrays of structs (sidl_marshal.h says what is sent).
 */
#include <stdlib.h>
#include <string.h>

#include "array/array_core.h"
#include "array/raw_member.h"
#include "array/value.h"
#include "object/throw.h"
#include "remote/marshal.h"
#include "remote/marshal_array.h"
#include "sidl_CastException_IOR.h"
#include "sidl_rmi_ProtocolException_IOR.h"
#include "sidl_struct_array.h"

typedef struct sidl_BaseInterface__object* exception;

/* A member of every element. */
struct column {
  const struct sidl_struct_info* owner; /* the struct it is a member of */
  const struct sidl_member_info* member;
  size_t owner_offset; /* of that struct within the element */
};

static size_t offset_of(const struct column* column) {
  return column->owner_offset + column->member->offset;
}

/* Numbers, enums and strings: their columns are arrays. */
static bool is_simple(const struct column* column) {
  const uint8_t kind = column->member->type.kind;
  return kind == sidl_kind_enum || (kind >= sidl_kind_bool && kind <= sidl_kind_string);
}

static struct sidl_type_ref column_type(const struct column* column, int32_t dimen) {
  const struct sidl_type_ref type = {.kind = sidl_kind_array,
                                     .element = column->member->type.kind,
                                     .dimension = (uint8_t)dimen,
                                     .enumeration = column->member->type.enumeration};
  return type;
}

/* Calls `handle` for each column, until it returns false. */
static bool for_each_column(const struct sidl_struct_info* info, const char* key, bool keyed,
                            size_t offset, void* context,
                            bool (*handle)(void* context, const char* key,
                                           const struct column* column, exception* _ex),
                            exception* _ex) {
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_member_info* const member = &info->members[i];
    const struct column column = {info, member, offset};
    char buffer[MARSHAL_KEY_BUFFER];
    const char* const name = marshal_key(buffer, keyed, key, member->name, _ex);
    const bool ok =
        name != NULL && (member->type.kind == sidl_kind_struct
                             ? for_each_column(member->type.structure, name, keyed,
                                               offset + member->offset, context, handle, _ex)
                             : handle(context, name, &column, _ex));
    marshal_key_free(buffer, keyed, name);
    if (!ok) return false;
  }
  return true;
}

/* ---- the places of elements, first index fastest ------------------------------------------------
 */

struct walk {
  const struct sidl__array* array;
  int64_t index[SIDL_MAX_ARRAY_DIMENSION]; /* counted from 0 */
  char* element;
};

static struct walk walk_begin(struct sidl__array* array) {
  const struct walk walk = {array, {0}, sidl__array_first(array)};
  return walk;
}

static void walk_on(struct walk* walk) {
  const struct sidl__array* const array = walk->array;
  const ptrdiff_t size = (ptrdiff_t)array->d_struct->size;
  for (int32_t d = 0; d < array->d_dimen; ++d) {
    const int64_t last = array->d_upper[d] - array->d_lower[d];
    if (walk->index[d] < last) {
      ++walk->index[d];
      walk->element += array->d_stride[d] * size;
      return;
    }
    walk->element -= walk->index[d] * array->d_stride[d] * size;
    walk->index[d] = 0;
  }
}

/* ---- columns as arrays --------------------------------------------------------------------------
 */

/*
 * A view of a column; NULL if its elements do not lie a multiple of their size apart, which may be
 * so for complex numbers.
 */
static struct any_array* view_of(const struct sidl__array* array, const struct column* column) {
  const struct element_type of =
      array_elements_of(sidl_array_type_of((enum sidl_kind)column->member->type.kind));
  const size_t size = array_element_size(of);
  int64_t stride[SIDL_MAX_ARRAY_DIMENSION];
  if (array->d_struct->size % size != 0) return NULL;
  const int64_t step = (int64_t)(array->d_struct->size / size);
  for (int32_t d = 0; d < array->d_dimen; ++d) stride[d] = array->d_stride[d] * step;
  return array_borrow(of, (char*)sidl__array_first(array) + offset_of(column), array->d_dimen,
                      array->d_lower, array->d_upper, stride);
}

/* A column, which is none of strings, in memory of its own. */
static struct any_array* copy_of(struct sidl__array* array, const struct column* column) {
  const struct element_type of =
      array_elements_of(sidl_array_type_of((enum sidl_kind)column->member->type.kind));
  struct any_array* const copy =
      array_create(of, false, array->d_dimen, array->d_lower, array->d_upper);
  if (copy == NULL) return NULL;
  const size_t size = array_element_size(of);
  const size_t count = sidl__array_element_count(array);
  struct walk walk = walk_begin(array);
  for (size_t i = 0; i < count; ++i, walk_on(&walk)) {
    memcpy((char*)copy->first + i * size, walk.element + offset_of(column), size);
  }
  return copy;
}

/* ---- out ----------------------------------------------------------------------------------------
 */

struct putting {
  struct sidl_sink* sink;
  struct sidl__array* array;
};

static bool put_simple(const struct putting* to, const char* key, const struct column* column,
                       exception* _ex) {
  const struct sidl_type_ref type = column_type(column, to->array->d_dimen);
  struct any_array* part = view_of(to->array, column);
  if (part == NULL) part = copy_of(to->array, column);
  if (part == NULL) {
    throw_memory(_ex);
    return false;
  }
  const bool ok = to->sink->functions->put_array(to->sink, key, &type, &part->meta, _ex);
  sidl__array_deleteRef(&part->meta);
  return ok;
}

static bool put_column(void* context, const char* key, const struct column* column,
                       exception* _ex) {
  const struct putting* const to = context;
  if (is_simple(column)) return put_simple(to, key, column, _ex);
  const size_t count = sidl__array_element_count(to->array);
  struct walk walk = walk_begin(to->array);
  bool ok = true;
  for (size_t i = 0; ok && i < count; ++i, walk_on(&walk)) {
    char* const owner = walk.element + column->owner_offset;
    ok = marshal_put_member(to->sink, key, column->member, owner, _ex);
  }
  return ok;
}

bool marshal_put_structs(struct sidl_sink* sink, const char* key, const struct sidl_type_ref* type,
                         struct sidl__array* array, exception* _ex) {
  struct putting to = {sink, array};
  if (array != NULL && sidl_struct__array_cast(type->structure, array) == NULL) {
    THROW(_ex, sidl_CastException, "%s is no array of struct %s", key, type->structure->name);
    return false;
  }
  if (!marshal_put_shape(sink, key, array, _ex)) return false;
  if (array == NULL || sidl__array_element_count(array) == 0) return true;
  if (struct_is_plain(type->structure)) return marshal_put_plain(sink, key, type, array, _ex);
  return for_each_column(type->structure, key, sink->functions->wants_keys, 0, &to, put_column,
                         _ex);
}

/* ---- in -----------------------------------------------------------------------------------------
 * All columns are read before there is an array: a forged shape cannot make us allocate more than
 * the message has filled.
 */

struct read_column {
  struct column column;
  struct sidl__array* array; /* of a simple one */
  char* values;              /* of others, and how many */
  size_t count;
};

struct getting {
  struct sidl_source* source;
  const struct marshal_shape* shape;
  struct read_column* columns;
  size_t count;
};

/* Bytes of a member. */
static size_t stride_of(const struct column* column) {
  return column->member->type.kind == sidl_kind_rarray ? sizeof(struct raw_member)
                                                       : value_size(&column->member->type);
}

static struct sidl_type_ref value_type(const struct column* column) {
  struct sidl_type_ref type = column->member->type;
  if (type.kind == sidl_kind_rarray) type = raw_member_type(column->member);
  return type;
}

static bool get_values(struct getting* from, const char* key, struct read_column* to,
                       exception* _ex) {
  const struct sidl_type_ref type = value_type(&to->column);
  const size_t size = stride_of(&to->column);
  size_t capacity = 0;
  while (to->count < (size_t)from->shape->count) {
    if (to->count == capacity) {
      capacity = capacity == 0 ? 16 : 2 * capacity;
      char* const more = realloc(to->values, capacity * size);
      if (more == NULL) {
        throw_memory(_ex);
        return false;
      }
      to->values = more;
    }
    char* const value = to->values + to->count * size;
    memset(value, 0, size);
    if (!marshal_get(from->source, key, &type, value, _ex)) return false;
    if (to->column.member->type.kind == sidl_kind_rarray) {
      raw_member_own((struct raw_member*)(void*)value, *(struct sidl__array**)(void*)value);
    }
    ++to->count;
  }
  return true;
}

static bool has_shape(const struct sidl__array* array, const struct marshal_shape* shape) {
  if (array == NULL || array->d_dimen != shape->dimen) return false;
  for (int32_t d = 0; d < shape->dimen; ++d) {
    if (array->d_lower[d] != shape->lower[d] || array->d_upper[d] != shape->upper[d]) return false;
  }
  return true;
}

static bool get_column(void* context, const char* key, const struct column* column,
                       exception* _ex) {
  struct getting* const from = context;
  struct read_column* const to = &from->columns[from->count++];
  *to = (struct read_column){*column, NULL, NULL, 0};
  if (!is_simple(column)) return get_values(from, key, to, _ex);
  const struct sidl_type_ref type = column_type(column, from->shape->dimen);
  if (!marshal_get_array(from->source, key, &type, &to->array, _ex)) return false;
  if (has_shape(to->array, from->shape)) return true;
  THROW(_ex, sidl_rmi_ProtocolException, "%s: the members of an array of structs differ in shape",
        key);
  return false;
}

static size_t count_columns(const struct sidl_struct_info* info) {
  size_t count = 0;
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_type_ref* const type = &info->members[i].type;
    count += type->kind == sidl_kind_struct ? count_columns(type->structure) : 1;
  }
  return count;
}

/*
 * Moves texts into the elements instead of copying them, if nobody else has their array. It is left
 * in `from` if it still keeps some of them in a block (sidl_String.h).
 */
static bool move_texts(struct sidl__array* array, struct read_column* from) {
  struct any_array* const texts = (struct any_array*)(void*)from->array;
  if (from->column.member->type.kind != sidl_kind_string || !array_is_exclusive(texts))
    return false;
  if (!sidl__array_isColumnOrder(from->array)) return false;
  const size_t count = sidl__array_element_count(array);
  char** const all = texts->first;
  bool is_kept = false;
  struct walk walk = walk_begin(array);
  for (size_t i = 0; i < count; ++i, walk_on(&walk)) {
    *(char**)(void*)(walk.element + offset_of(&from->column)) = all[i];
    if (((uintptr_t)all[i] & 1) != 0) {
      is_kept = true;
    } else {
      all[i] = NULL;
    }
  }
  if (is_kept) return true;
  sidl__array_deleteRef(from->array);
  from->array = NULL;
  return true;
}

/* The arrays whose texts elements of another one refer to. */
struct texts {
  size_t count;
  struct sidl__array* arrays[];
};

static void release_texts(void* owner) {
  struct texts* const texts = owner;
  for (size_t i = 0; i < texts->count; ++i) sidl__array_deleteRef(texts->arrays[i]);
  free(texts);
}

/* Moves what has been read into the elements, which are zero. */
static bool fill(struct sidl__array* array, struct read_column* from) {
  const size_t count = sidl__array_element_count(array);
  struct walk walk = walk_begin(array);
  if (from->array == NULL) {
    const size_t size = stride_of(&from->column);
    for (size_t i = 0; i < count; ++i, walk_on(&walk)) {
      memcpy(walk.element + offset_of(&from->column), from->values + i * size, size);
    }
    from->count = 0;
    return true;
  }
  if (move_texts(array, from)) return true;
  struct any_array* const view = view_of(array, &from->column);
  if (view != NULL) {
    array_copy((const struct any_array*)(const void*)from->array, view);
    sidl__array_deleteRef(&view->meta);
    return true;
  }
  struct any_array* const dense =
      array_ensure((struct any_array*)(void*)from->array, array->d_dimen, sidl_column_major_order);
  if (dense == NULL) return false;
  const size_t size = array_element_size(array_elements(dense));
  for (size_t i = 0; i < count; ++i, walk_on(&walk)) {
    memcpy(walk.element + offset_of(&from->column), (char*)dense->first + i * size, size);
  }
  sidl__array_deleteRef(&dense->meta);
  return true;
}

static struct sidl__array* assemble(struct getting* from, const struct sidl_type_ref* type,
                                    exception* _ex) {
  const struct marshal_shape* const shape = from->shape;
  struct texts* const texts = malloc(sizeof *texts + from->count * sizeof *texts->arrays);
  struct sidl__array* const array = sidl_struct__array_create(
      type->structure, type->order, shape->dimen, shape->lower, shape->upper);
  bool ok = array != NULL && texts != NULL;
  if (ok) {
    texts->count = 0;
    array_keep((struct any_array*)(void*)array, (struct array_source){release_texts, texts});
  } else {
    free(texts);
  }
  for (size_t i = 0; ok && i < from->count; ++i) {
    struct read_column* const column = &from->columns[i];
    ok = fill(array, column);
    if (!ok || column->array == NULL || column->column.member->type.kind != sidl_kind_string) {
      continue;
    }
    texts->arrays[texts->count++] = column->array;
    column->array = NULL;
  }
  if (ok) return array;
  throw_memory(_ex);
  sidl__array_deleteRef(array);
  return NULL;
}

static void drop_column(struct read_column* column) {
  const struct sidl_type_ref* const type = &column->column.member->type;
  const size_t size = stride_of(&column->column);
  for (size_t i = 0; i < column->count; ++i) value_destroy(type, column->values + i * size);
  free(column->values);
  sidl__array_deleteRef(column->array);
}

/* Raw arrays must have the lengths that other members of their struct say. */
static bool check_struct(const struct sidl_struct_info* info, const char* data, exception* _ex) {
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_member_info* const member = &info->members[i];
    if (member->type.kind != sidl_kind_struct) continue;
    if (!check_struct(member->type.structure, data + member->offset, _ex)) return false;
  }
  return marshal_check_raw_members(info, data, _ex);
}

static bool check_elements(struct sidl__array* array, exception* _ex) {
  if ((struct_kinds(array->d_struct) &
       (SIDL_KIND_BIT(sidl_kind_rarray) | SIDL_KIND_BIT(sidl_kind_struct))) == 0) {
    return true;
  }
  const size_t count = sidl__array_element_count(array);
  struct walk walk = walk_begin(array);
  bool ok = true;
  for (size_t i = 0; ok && i < count; ++i, walk_on(&walk)) {
    ok = check_struct(array->d_struct, walk.element, _ex);
  }
  return ok;
}

static struct sidl__array* get_columns(struct sidl_source* source, const char* key,
                                       const struct sidl_type_ref* type,
                                       const struct marshal_shape* shape, exception* _ex) {
  struct getting from = {source, shape, NULL, 0};
  struct sidl__array* array = NULL;
  from.columns = malloc(count_columns(type->structure) * sizeof *from.columns);
  if (from.columns == NULL) {
    throw_memory(_ex);
    return NULL;
  }
  const bool keyed = source->functions->wants_keys;
  if (shape->count == 0 ||
      for_each_column(type->structure, key, keyed, 0, &from, get_column, _ex)) {
    array = assemble(&from, type, _ex);
  }
  for (size_t i = 0; i < from.count; ++i) drop_column(&from.columns[i]);
  free(from.columns);
  if (array != NULL && !check_elements(array, _ex)) {
    sidl__array_deleteRef(array);
    return NULL;
  }
  return array;
}

bool marshal_get_structs(struct sidl_source* source, const char* key,
                         const struct sidl_type_ref* type, struct sidl__array** array,
                         exception* _ex) {
  struct marshal_shape shape;
  bool is_null = false;
  if (!marshal_get_shape(source, key, type->dimension, &shape, &is_null, _ex)) return false;
  if (is_null) return true;
  *array = shape.count > 0 && struct_is_plain(type->structure)
               ? marshal_get_plain(source, key, type, &shape, _ex)
               : get_columns(source, key, type, &shape, _ex);
  return *_ex == NULL;
}
