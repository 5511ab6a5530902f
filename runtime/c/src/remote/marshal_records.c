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
#include "remote/record_rows.h"
#include "remote/spare.h"
#include "remote/struct_walk.h"
#include "sidl_CastException_IOR.h"
#include "sidl_header.h"
#include "sidl_rmi_ProtocolException_IOR.h"
#include "sidl_struct_array.h"

typedef struct sidl_BaseInterface__object* exception;

/* ---- members that go one by one -----------------------------------------------------------------
 */

/* One of every element: what is neither a number nor a string. */
struct column {
  const struct sidl_struct_info* owner; /* the struct it is a member of */
  const struct sidl_member_info* member;
  size_t owner_offset; /* of that struct within the element */
};

static size_t offset_of(const struct column* column) {
  return column->owner_offset + column->member->offset;
}

static bool goes_one_by_one(const struct sidl_type_ref* type) {
  return type->kind != sidl_kind_string && (OWNING_KINDS & SIDL_KIND_BIT(type->kind)) != 0;
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
    if (!goes_one_by_one(&member->type)) continue;
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

/* ---- out ----------------------------------------------------------------------------------------
 */

struct putting {
  struct sidl_sink* sink;
  const char* key;
  const struct sidl_struct_info* structure;
  struct sidl__array* array;
  const struct row_layout* layout;
  struct packed_rows packed;
};

static bool put_column(void* context, const char* key, const struct column* column,
                       exception* _ex) {
  const struct putting* const to = context;
  struct struct_walk walk = struct_walk_begin(to->array);
  bool ok = true;
  for (struct struct_run run; ok && (run = struct_walk_next(&walk, 1)).count > 0;) {
    ok = marshal_put_member(to->sink, key, column->member, run.first + column->owner_offset, _ex);
  }
  return ok;
}

/* The rows, and the texts beside them. */
static bool put_rows(struct putting* to, exception* _ex) {
  const int64_t layout = sidl_struct_layout_digest(to->structure);
  if (to->layout->size + to->layout->texts == 0) return true;
  if (!rows_pack(to->layout, to->array, &to->packed)) {
    throw_memory(_ex);
    return false;
  }
  return marshal_put_part(to->sink, to->key, "layout", sidl_kind_long, &layout, _ex) &&
         (to->packed.rows == NULL ||
          marshal_put_chars(to->sink, to->key, "rows", to->packed.rows, sidl_ref_made, _ex)) &&
         (to->packed.texts == NULL ||
          marshal_put_chars(to->sink, to->key, "texts", to->packed.texts, sidl_ref_made, _ex));
}

static bool put_apart(void* context, char** text, exception* _ex) {
  const struct putting* const to = context;
  return marshal_put_part(to->sink, to->key, "text", sidl_kind_string, text, _ex);
}

static bool put_records(struct putting* to, exception* _ex) {
  const bool keyed = to->sink->functions->wants_keys;
  const bool ok = put_rows(to, _ex) &&
                  (to->layout->others == 0 ||
                   for_each_column(to->structure, to->key, keyed, 0, to, put_column, _ex)) &&
                  rows_each_apart(to->layout, &to->packed, to->array, put_apart, to, _ex);
  rows_drop(&to->packed);
  return ok;
}

bool marshal_put_structs(struct sidl_sink* sink, const char* key, const struct sidl_type_ref* type,
                         struct sidl__array* array, exception* _ex) {
  if (array != NULL && sidl_struct__array_cast(type->structure, array) == NULL) {
    THROW(_ex, sidl_CastException, "%s is no array of struct %s", key, type->structure->name);
    return false;
  }
  if (!marshal_put_shape(sink, key, array, _ex)) return false;
  if (array == NULL || sidl__array_element_count(array) == 0) return true;
  if (struct_is_plain(type->structure)) return marshal_put_plain(sink, key, type, array, _ex);
  struct row_layout* const layout = row_layout_of(type->structure);
  if (layout == NULL) {
    throw_memory(_ex);
    return false;
  }
  struct putting to = {sink, key, type->structure, array, layout, {NULL, NULL, 0}};
  const bool ok = put_records(&to, _ex);
  free(layout);
  return ok;
}

/* ---- in -----------------------------------------------------------------------------------------
 * All but the texts that are sent apart is read and checked before there is an array: a forged
 * shape cannot make us allocate more than the message has filled.
 */

struct read_column {
  struct column column;
  char* values; /* and how many */
  size_t count;
};

struct getting {
  struct sidl_source* source;
  const char* key;
  const struct sidl_type_ref* type;
  const struct marshal_shape* shape;
  const struct row_layout* layout;
  struct packed_rows packed;
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

static bool get_column(void* context, const char* key, const struct column* column,
                       exception* _ex) {
  struct getting* const from = context;
  struct read_column* const to = &from->columns[from->count++];
  *to = (struct read_column){*column, NULL, 0};
  const struct sidl_type_ref type = value_type(column);
  const size_t size = stride_of(column);
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
    if (column->member->type.kind == sidl_kind_rarray) {
      raw_member_own((struct raw_member*)(void*)value, *(struct sidl__array**)(void*)value);
    }
    ++to->count;
  }
  return true;
}

static void drop_column(struct read_column* column) {
  const struct sidl_type_ref* const type = &column->column.member->type;
  const size_t size = stride_of(&column->column);
  for (size_t i = 0; i < column->count; ++i) value_destroy(type, column->values + i * size);
  free(column->values);
}

static bool get_columns(struct getting* from, exception* _ex) {
  if (from->layout->others == 0) return true;
  from->columns = malloc(from->layout->others * sizeof *from->columns);
  if (from->columns == NULL) {
    throw_memory(_ex);
    return false;
  }
  return for_each_column(from->type->structure, from->key, from->source->functions->wants_keys, 0,
                         from, get_column, _ex);
}

/* Texts must begin where addresses are odd if their places are. */
static bool align_texts(struct packed_rows* packed) {
  if (((uintptr_t)sidl__array_first(packed->texts) & 1) == 0) return true;
  struct any_array* const copy = array_duplicate((struct any_array*)(void*)packed->texts);
  if (copy == NULL) return false;
  sidl__array_deleteRef(packed->texts);
  packed->texts = &copy->meta;
  return true;
}

static bool refuse(const struct getting* from, const char* what, exception* _ex) {
  THROW(_ex, sidl_rmi_ProtocolException, "%s: %s %lld structs %s", from->key, what,
        (long long)from->shape->count, from->type->structure->name);
  return false;
}

static bool get_rows(struct getting* from, exception* _ex) {
  int64_t layout = 0;
  if (from->layout->size + from->layout->texts == 0) return true;
  if (!marshal_get_part(from->source, from->key, "layout", sidl_kind_long, &layout, _ex)) {
    return false;
  }
  if (layout != sidl_struct_layout_digest(from->type->structure)) {
    return marshal_refuse_layout(from->key, from->type->structure, _ex);
  }
  if (from->layout->size > 0 &&
      !marshal_get_chars(from->source, from->key, "rows", &from->packed.rows, _ex)) {
    return false;
  }
  if (from->layout->texts > 0 &&
      !marshal_get_chars(from->source, from->key, "texts", &from->packed.texts, _ex)) {
    return false;
  }
  if (!rows_fit(from->layout, &from->packed, from->shape->count)) {
    return refuse(from, "rows or texts are not those of", _ex);
  }
  if (from->layout->texts == 0 || align_texts(&from->packed)) return true;
  throw_memory(_ex);
  return false;
}

/* What a received array owns: this, and its elements after it. */
struct home {
  _Alignas(SPARE_ALIGNMENT) const struct sidl_struct_info* structure;
  size_t count;
  struct sidl__array* texts; /* that elements refer to, or NULL */
};

static void release_home(void* owner) {
  struct home* const home = owner;
  structs_destroy(home->structure, home + 1, home->structure->size, home->count);
  sidl__array_deleteRef(home->texts);
  spare_give(home);
}

/* An array whose elements are not initialised; NULL if memory is exhausted. */
static struct sidl__array* make_array(const struct getting* from, struct home** owner) {
  const struct sidl_struct_info* const structure = from->type->structure;
  const struct marshal_shape* const shape = from->shape;
  int64_t stride[SIDL_MAX_ARRAY_DIMENSION];
  size_t bytes = 0;
  marshal_dense_strides(shape, from->type->order, stride);
  if (__builtin_mul_overflow(shape->count, structure->size, &bytes)) return NULL;
  if (__builtin_add_overflow(bytes, sizeof(struct home), &bytes)) return NULL;
  struct home* const home = spare_take(bytes);
  if (home == NULL) return NULL;
  struct sidl__array* const array = sidl_struct__array_borrow_owned(
      structure, home + 1, shape->dimen, shape->lower, shape->upper, stride, release_home, home);
  home->structure = structure;
  home->count = (size_t)shape->count;
  home->texts = NULL;
  if (array == NULL) spare_give(home);
  *owner = home;
  return array;
}

/* Moves what has been read into the elements. */
static void fill(struct sidl__array* array, struct read_column* from) {
  const size_t size = stride_of(&from->column);
  const size_t offset = offset_of(&from->column);
  const char* value = from->values;
  struct struct_walk walk = struct_walk_begin(array);
  for (struct struct_run run; (run = struct_walk_next(&walk, 1)).count > 0; value += size) {
    memcpy(run.first + offset, value, size);
  }
  from->count = 0;
}

static bool get_apart(void* context, char** text, exception* _ex) {
  const struct getting* const from = context;
  return marshal_get_part(from->source, from->key, "text", sidl_kind_string, text, _ex);
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
  struct struct_walk walk = struct_walk_begin(array);
  bool ok = true;
  for (struct struct_run run; ok && (run = struct_walk_next(&walk, 1)).count > 0;) {
    ok = check_struct(array->d_struct, run.first, _ex);
  }
  return ok;
}

static struct sidl__array* assemble(struct getting* from, exception* _ex) {
  struct home* home = NULL;
  struct sidl__array* const array = make_array(from, &home);
  if (array == NULL) {
    throw_memory(_ex);
    return NULL;
  }
  bool ok = rows_unpack(from->layout, &from->packed, array);
  for (size_t i = 0; i < from->count; ++i) fill(array, &from->columns[i]);
  ok = (ok || refuse(from, "a text has no end in those of", _ex)) &&
       rows_each_apart(from->layout, &from->packed, array, get_apart, from, _ex) &&
       check_elements(array, _ex);
  if (!ok) {
    sidl__array_deleteRef(array);
    return NULL;
  }
  home->texts = from->packed.texts;
  from->packed.texts = NULL;
  return array;
}

static struct sidl__array* get_records(struct sidl_source* source, const char* key,
                                       const struct sidl_type_ref* type,
                                       const struct marshal_shape* shape, exception* _ex) {
  struct row_layout* const layout = row_layout_of(type->structure);
  struct getting from = {source, key, type, shape, layout, {NULL, NULL, 0}, NULL, 0};
  struct sidl__array* array = NULL;
  if (layout == NULL) {
    throw_memory(_ex);
    return NULL;
  }
  if (get_rows(&from, _ex) && get_columns(&from, _ex)) array = assemble(&from, _ex);
  for (size_t i = 0; i < from.count; ++i) drop_column(&from.columns[i]);
  free(from.columns);
  rows_drop(&from.packed);
  free(layout);
  return array;
}

bool marshal_get_structs(struct sidl_source* source, const char* key,
                         const struct sidl_type_ref* type, struct sidl__array** array,
                         exception* _ex) {
  struct marshal_shape shape;
  bool is_null = false;
  if (!marshal_get_shape(source, key, type->dimension, &shape, &is_null, _ex)) return false;
  if (is_null) return true;
  if (shape.count == 0) {
    *array = sidl_struct__array_create(type->structure, type->order, shape.dimen, shape.lower,
                                       shape.upper);
    if (*array == NULL) throw_memory(_ex);
  } else {
    *array = struct_is_plain(type->structure) ? marshal_get_plain(source, key, type, &shape, _ex)
                                              : get_records(source, key, type, &shape, _ex);
  }
  return *_ex == NULL;
}
