/*
 * outputs.c: calls with few inout arguments need no allocation.
 */
#include "remote/outputs.h"

#include <stdlib.h>
#include <string.h>

#include "array/array_core.h"
#include "array/memory_space.h"
#include "array/raw_member.h"
#include "array/value.h"
#include "object/throw.h"
#include "remote/fate.h"
#include "remote/marshal.h"
#include "sidlArray.h"
#include "sidl_MemorySpaceException_IOR.h"
#include "sidl_rmi_RequestFate.h"

enum { TEMPORARY_BYTES = 512, TEMPORARY_ALIGNMENT = 16 };

/* Temporaries for the inout arguments. */
struct temporaries {
  char* memory;
  _Alignas(TEMPORARY_ALIGNMENT) char buffer[TEMPORARY_BYTES];
};

static size_t temporary_size(const struct sidl_type_ref* type) {
  return (value_size(type) + TEMPORARY_ALIGNMENT - 1) / TEMPORARY_ALIGNMENT * TEMPORARY_ALIGNMENT;
}

/* Zeroed. */
static bool make_temporaries(struct temporaries* temporaries, const struct sidl_method_info* method,
                             struct sidl_BaseInterface__object** _ex) {
  size_t size = 0;
  for (int32_t i = 0; i < method->arg_count; ++i) {
    if (method->args[i].mode == sidl_mode_inout) size += temporary_size(&method->args[i].type);
  }
  const bool fits = size <= sizeof temporaries->buffer;
  temporaries->memory = fits ? temporaries->buffer : malloc(size);
  if (temporaries->memory == NULL) {
    throw_memory(_ex);
    return false;
  }
  memset(temporaries->memory, 0, size);
  return true;
}

static void free_temporaries(struct temporaries* temporaries) {
  if (temporaries->memory != temporaries->buffer) free(temporaries->memory);
}

/* Whether a returned inout value can replace the caller's: raw memory must keep its size. */
static bool fits_caller(const struct outputs* outputs, int32_t position, const void* made,
                        struct sidl_BaseInterface__object** _ex) {
  const struct sidl_arg_info* const arg = &outputs->method->args[position];
  const struct sidl_type_ref* const type = &arg->type;
  if (type->kind == sidl_kind_struct) {
    return raw_members_fit(type->structure, made, outputs->args[position], _ex);
  }
  return !(type->flags & sidl_ref_raw) ||
         raw_array_check(type, outputs->args, *(struct sidl__array* const*)made, arg->name, _ex);
}

/* Arrays with fewer bytes are replaced. */
enum { IN_PLACE_BYTES = 4096 };

static bool has_order(const struct sidl__array* array, int32_t order) {
  return order == sidl_column_major_order ? sidl__array_isColumnOrder(array)
         : order == sidl_row_major_order  ? sidl__array_isRowOrder(array)
                                          : true;
}

/*
 * Whether the caller's inout array of plain structs gets the elements of the one returned, as those
 * of numbers do: if it has their shape. If they cannot be copied, the one returned replaces it.
 */
static bool goes_back(const struct sidl_type_ref* type, const struct sidl__array* made,
                      const struct sidl__array* own) {
  if (type->kind != sidl_kind_array || type->element != sidl_kind_struct) return false;
  if (made == NULL || own == NULL || made->d_dimen != own->d_dimen) return false;
  if (made->d_space != own->d_space) return false;
  if (!struct_is_plain(type->structure) || !has_order(own, type->order)) return false;
  for (int32_t d = 0; d < own->d_dimen; ++d) {
    if (made->d_lower[d] != own->d_lower[d] || made->d_upper[d] != own->d_upper[d]) return false;
  }
  return sidl__array_element_count(own) * type->structure->size >= IN_PLACE_BYTES;
}

/* Replaces the caller's inout value by one that fits. */
static void replace(const struct sidl_type_ref* type, void* made, void* own) {
  if (type->kind == sidl_kind_array && goes_back(type, *(void**)made, *(void**)own) &&
      array_copy(*(void**)made, *(void**)own)) {
    value_destroy(type, made);
    return;
  }
  if (type->kind == sidl_kind_struct) raw_members_return(type->structure, made, own);
  value_destroy(type, own);
  value_move(type, made, own);
}

/* Replaces the caller's inout values by the temporaries (commit) or drops the temporaries. */
static void settle_temporaries(const struct outputs* outputs, char* temporary, bool commit) {
  for (int32_t i = 0; i < outputs->method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &outputs->method->args[i];
    if (arg->mode != sidl_mode_inout) continue;
    if (commit) {
      replace(&arg->type, temporary, outputs->args[i]);
    } else {
      value_destroy(&arg->type, temporary);
    }
    temporary += temporary_size(&arg->type);
  }
}

void outputs_clear(const struct outputs* outputs) {
  const struct sidl_method_info* const method = outputs->method;
  if (outputs->result != NULL) value_clear(&method->result, outputs->result);
  for (int32_t i = 0; i < method->arg_count; ++i) {
    if (method->args[i].mode == sidl_mode_out) {
      value_clear(&method->args[i].type, outputs->args[i]);
    }
  }
}

static void destroy_outputs(const struct outputs* outputs) {
  const struct sidl_method_info* const method = outputs->method;
  if (outputs->result != NULL) value_destroy(&method->result, outputs->result);
  for (int32_t i = 0; i < method->arg_count; ++i) {
    if (method->args[i].mode == sidl_mode_out) {
      value_destroy(&method->args[i].type, outputs->args[i]);
    }
  }
}

/*
 * An array that is returned for one that is elsewhere goes there, too, unless elements like its own
 * can only be in host memory: for array<> a method may return any.
 */
static bool return_to_space(const struct sidl_arg_info* arg, struct sidl__array** made,
                            const struct sidl__array* own,
                            struct sidl_BaseInterface__object** _ex) {
  const struct sidl_memory_space* const space = own == NULL ? NULL : own->d_space;
  if (space == NULL || *made == NULL || sidl__array_space(*made) == space) return true;
  if (!space_takes(array_elements((const struct any_array*)(const void*)*made))) return true;
  struct sidl__array* const moved = sidl__array_in(space, *made);
  if (moved == NULL) {
    THROW(_ex, sidl_MemorySpaceException, "%s: the array returned cannot be copied to %s",
          arg->name, sidl_memory_space_name(space));
    return false;
  }
  sidl__array_deleteRef(*made);
  *made = moved;
  return true;
}

static bool get_values(const struct outputs* outputs, char* temporary, struct sidl_source* source,
                       struct sidl_BaseInterface__object** _ex) {
  const struct sidl_method_info* const method = outputs->method;
  if (outputs->result != NULL &&
      !marshal_get_argument(source, RESULT_KEY, &method->result, outputs->result, _ex)) {
    return false;
  }
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (arg->mode == sidl_mode_in) continue;
    const bool inout = arg->mode == sidl_mode_inout;
    void* const value = inout ? temporary : outputs->args[i];
    if (!marshal_get_argument(source, arg->name, &arg->type, value, _ex)) return false;
    if (inout && !fits_caller(outputs, i, value, _ex)) return false;
    if (inout && arg->type.kind == sidl_kind_array &&
        !return_to_space(arg, value, *(struct sidl__array**)outputs->args[i], _ex)) {
      return false;
    }
    if (inout) temporary += temporary_size(&arg->type);
  }
  return true;
}

static bool has_inout(const struct sidl_method_info* method) {
  for (int32_t i = 0; i < method->arg_count; ++i) {
    if (method->args[i].mode == sidl_mode_inout) return true;
  }
  return false;
}

static bool get_by_temporaries(const struct outputs* outputs, struct sidl_source* source,
                               struct sidl_BaseInterface__object** _ex) {
  struct temporaries temporaries;
  if (!make_temporaries(&temporaries, outputs->method, _ex)) return false;
  const bool ok = get_values(outputs, temporaries.memory, source, _ex);
  settle_temporaries(outputs, temporaries.memory, ok);
  free_temporaries(&temporaries);
  return ok;
}

sidl_bool sidl_rmi_get_outputs(struct sidl_source* source, const struct sidl_method_info* method,
                               void* const* args, void* result,
                               struct sidl_BaseInterface__object** _ex) {
  const struct outputs outputs = {method, args, result};
  *_ex = NULL;
  if (has_inout(method) ? get_by_temporaries(&outputs, source, _ex)
                        : get_values(&outputs, NULL, source, _ex)) {
    return TRUE;
  }
  destroy_outputs(&outputs);
  /* unpacking objects may have made calls of its own, whose fate does not matter here */
  fate_set(*_ex, sidl_rmi_RequestFate_executed);
  return FALSE;
}

void outputs_move(const struct outputs* outputs, void* const* values,
                  struct sidl_BaseInterface__object** _ex) {
  const struct sidl_method_info* const method = outputs->method;
  *_ex = NULL;
  for (int32_t i = 0; i < method->arg_count; ++i) {
    if (method->args[i].mode != sidl_mode_inout) continue;
    if (!fits_caller(outputs, i, values[i], _ex)) return;
  }
  if (outputs->result != NULL)
    value_move(&method->result, values[method->arg_count], outputs->result);
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const arg = &method->args[i];
    if (arg->mode == sidl_mode_inout) {
      replace(&arg->type, values[i], outputs->args[i]);
    } else if (arg->mode == sidl_mode_out) {
      value_move(&arg->type, values[i], outputs->args[i]);
    }
  }
}
