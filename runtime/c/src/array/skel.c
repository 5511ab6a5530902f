/*
 * skel.c: what skels in C do for methods with declared array orders or shapes, and for out
 * arguments of methods that threw.
 *
 * Driven by the method's table: arrays have a declared number of dimensions, some an order, and raw
 * arrays also extents. The user's function sees only arrays that fit.
 */
#include <stdlib.h>
#include <string.h>

#include "array/array_core.h"
#include "array/value.h"
#include "base/reference.h"
#include "base/text.h"
#include "object/throw.h"
#include "sidlArray.h"
#include "sidl_BaseException.h"
#include "sidl_CastException_IOR.h"
#include "sidl_String.h"
#include "sidl_memory_space.h"
#include "sidl_raw_array.h"
#include "sidl_struct_array.h"

/* Not array<>, which may be any array. */
static bool has_dimension(const struct sidl_type_ref* type) {
  return type->kind == sidl_kind_array && type->dimension != 0;
}

/* Whether the method may get another array than the caller passed. */
static bool demands(const struct sidl_type_ref* type) {
  return type->kind == sidl_kind_array && type->order != sidl_general_order;
}

/* *array, or a copy that fits the type, with a new reference; NULL with *_ex set, or for NULL. */
static struct sidl__array* fitted(const struct sidl_type_ref* type, struct sidl__array* array,
                                  const char* what, void* const* args,
                                  struct sidl_BaseInterface__object** _ex) {
  int64_t extents[SIDL_MAX_ARRAY_DIMENSION];
  if (!(type->flags & sidl_ref_raw)) {
    return sidl_array_demand(array, type->dimension, type->order, what, _ex);
  }
  type->extents(args, extents);
  return sidl_raw_array_accept(array, type->dimension, extents, what, _ex);
}

/* Drops the references that enter added for the first `count` arguments. */
static void release_in_arrays(const struct sidl_method_info* method, void* const* args,
                              int32_t count) {
  for (int32_t i = 0; i < count; ++i) {
    if (method->args[i].mode != sidl_mode_in || !demands(&method->args[i].type)) continue;
    sidl__array_deleteRef(*(struct sidl__array**)args[i]);
  }
}

static void zero_outs(const struct sidl_method_info* method, void* const* args) {
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (arg->mode == sidl_mode_out) value_clear(&arg->type, args[i]);
  }
}

/*
 * Whether the array's structs are those of the type; else *_ex is set. Compilers check it, but in
 * Java where a type is left raw, and wherever somebody casts.
 */
static bool has_structs(const struct sidl_type_ref* type, struct sidl__array* array,
                        const char* what, struct sidl_BaseInterface__object** _ex) {
  if (type->element != sidl_kind_struct || array == NULL) return true;
  if (sidl_struct__array_cast(type->structure, array) != NULL) return true;
  THROW(_ex, sidl_CastException, "%s is no array of struct %s", what, type->structure->name);
  return false;
}

/* Whether the array, most often, need not be looked at any further. */
static bool fits_at_once(const struct sidl_type_ref* type, const struct sidl__array* array) {
  return array != NULL && array->d_dimen == type->dimension && array->d_space == NULL &&
         !demands(type) && type->element != sidl_kind_struct;
}

/* Checks an array, or replaces it by one that fits; false with *_ex set. */
static bool fit(const struct sidl_arg_info* arg, void* const* args, struct sidl__array** array,
                bool on_host, struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_ref* const type = &arg->type;
  if (on_host && !sidl__array_require_host(*array, arg->name, _ex)) return false;
  if (!has_structs(type, *array, arg->name, _ex)) return false;
  if (!demands(type)) return array_has_dimension(*array, type->dimension, arg->name, _ex);
  struct sidl__array* const fits = fitted(type, *array, arg->name, args, _ex);
  if (*_ex != NULL) return false;
  if (arg->mode == sidl_mode_inout) sidl__array_deleteRef(*array);
  *array = fits;
  return true;
}

/* Names the method in the note of the exception about a raw argument. */
static void name_method(const struct sidl_method_info* method,
                        struct sidl_BaseInterface__object* thrown) {
  struct sidl_BaseInterface__object* ignored = NULL;
  struct sidl_BaseException__object* const exception =
      sidl_cast_borrowed(thrown, &sidl_BaseException__info);
  if (exception == NULL) return;
  char* const note = sidl_BaseException_getNote(exception, &ignored);
  reference_drop(ignored);
  char* const named =
      note == NULL ? NULL : text_format("%s.%s: %s", method->type->name, method->name, note);
  ignored = NULL;
  if (named != NULL) sidl_BaseException_setNote(exception, named, &ignored);
  reference_drop(ignored);
  free(named);
  sidl_String_free(note);
}

static sidl_bool enter(const struct sidl_method_info* method, void* const* args, bool on_host,
                       struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  zero_outs(method, args);
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (arg->mode == sidl_mode_out || !has_dimension(&arg->type)) continue;
    struct sidl__array** const array = args[i];
    if (fits_at_once(&arg->type, *array) || fit(arg, args, array, on_host, _ex)) continue;
    if ((arg->type.flags & sidl_ref_raw) != 0) name_method(method, *_ex);
    release_in_arrays(method, args, i);
    return FALSE;
  }
  return TRUE;
}

sidl_bool sidl_skel_enter(const struct sidl_method_info* method, void* const* args,
                          struct sidl_BaseInterface__object** _ex) {
  return enter(method, args, false, _ex);
}

sidl_bool sidl_skel_enter_host(const struct sidl_method_info* method, void* const* args,
                               struct sidl_BaseInterface__object** _ex) {
  return enter(method, args, true, _ex);
}

/* Converts an array that the method made to the declared order; on failure drops it. */
static void settle(const struct sidl_type_ref* type, struct sidl__array** array, const char* what,
                   struct sidl_BaseInterface__object** _ex) {
  /* a raw array is fixed memory that the method cannot replace */
  if (*_ex != NULL || !has_dimension(type) || (type->flags & sidl_ref_raw)) return;
  struct sidl__array* const made = *array;
  if (!has_structs(type, made, what, _ex)) return;
  if (!demands(type)) {
    array_has_dimension(made, type->dimension, what, _ex);
    return;
  }
  *array = sidl_array_demand(made, type->dimension, type->order, what, _ex);
  sidl__array_deleteRef(made);
}

void sidl_skel_failed(const struct sidl_method_info* method, void* const* args) {
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (arg->mode == sidl_mode_out) value_destroy(&arg->type, args[i]);
  }
}

void sidl_skel_leave(const struct sidl_method_info* method, void* const* args, void* result,
                     struct sidl_BaseInterface__object** _ex) {
  release_in_arrays(method, args, method->arg_count);
  if (*_ex != NULL) {
    /* a result returned together with an exception is undefined */
    if (result != NULL) value_clear(&method->result, result);
    sidl_skel_failed(method, args);
    return;
  }
  if (result != NULL) settle(&method->result, result, "the result", _ex);
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (arg->mode != sidl_mode_in) settle(&arg->type, args[i], arg->name, _ex);
  }
  if (*_ex == NULL) return;
  if (result != NULL) value_destroy(&method->result, result);
  sidl_skel_failed(method, args);
}

/* What owns nothing is left as it is: an enum of C is shorter than the IOR's. */
static void discard(const struct sidl_type_ref* type, void* value) {
  if ((OWNING_KINDS & SIDL_KIND_BIT(type->kind)) != 0) value_destroy(type, value);
}

void sidl_skel_discard(const struct sidl_method_info* method, void* const* args, void* result) {
  if (result != NULL) discard(&method->result, result);
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (arg->mode == sidl_mode_out) discard(&arg->type, args[i]);
  }
}
