#include "array/dlpack.h"

#include <stdlib.h>
#include <string.h>

#include "array/array_core.h"
#include "array/memory_space.h"
#include "object/throw.h"
#include "sidl_CastException_IOR.h"
#include "sidl_MemorySpaceException_IOR.h"
#include "sidl_dlpack.h"

typedef struct sidl_BaseInterface__object* exception;

/* ---- elements -----------------------------------------------------------------------------------
 */

/* By the first letter of NumPy's name: 'i', 'f' or 'c'; others have none, but for the char's. */
static int code_of(char numpy) {
  switch (numpy) {
    case 'i':
      return dlpack_int;
    case 'f':
      return dlpack_float;
    case 'c':
      return dlpack_complex;
    case 'S':
      return dlpack_unsigned;
    default:
      return -1;
  }
}

/* An array type that DLPack has, by enum sidl_array_type. */
struct element {
  char numpy; /* 0: not one of these */
  uint8_t bits;
};
static const struct element elements[] = {
#define SIDL_NUMBER(name, kind, array, ctype, Name, numpy) [array] = {numpy[0], 8 * sizeof(ctype)},
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy)
#include "sidl_kinds.def"
};
enum { count_of_elements = sizeof elements / sizeof elements[0] };

static bool to_type(int32_t array_type, struct dlpack_type* type) {
  const bool is_known = array_type >= 0 && array_type < count_of_elements;
  const int code = is_known ? code_of(elements[array_type].numpy) : -1;
  if (code < 0) return false;
  *type = (struct dlpack_type){(uint8_t)code, elements[array_type].bits, 1};
  return true;
}

/* sidl_undefined_array for what we have not. */
static int32_t from_type(struct dlpack_type type) {
  struct dlpack_type ours;
  for (int32_t i = 0; i < count_of_elements; ++i) {
    if (to_type(i, &ours) && memcmp(&ours, &type, sizeof type) == 0) return i;
  }
  return sidl_undefined_array;
}

/* ---- out ----------------------------------------------------------------------------------------
 */

/* A tensor we made, its shape and its strides. */
struct export {
  struct sidl__array* array; /* a reference */
  union {
    struct DLManagedTensor plain;
    struct DLManagedTensorVersioned versioned;
  } managed;
  int64_t numbers[2 * SIDL_MAX_ARRAY_DIMENSION];
};

static void delete_export(struct export* export) {
  sidl__array_deleteRef(export->array);
  free(export);
}

static void delete_plain(struct DLManagedTensor* self) {
  delete_export(self->owner);
}

static void delete_versioned(struct DLManagedTensorVersioned* self) {
  delete_export(self->owner);
}

static struct dlpack_tensor describe(struct export* export, struct dlpack_type type) {
  const struct sidl__array* const array = export->array;
  const int32_t dimen = array->d_dimen;
  for (int32_t d = 0; d < dimen; ++d) {
    export->numbers[d] = array->d_upper[d] - array->d_lower[d] + 1;
    export->numbers[dimen + d] = array->d_stride[d];
  }
  const struct dlpack_tensor tensor = {
      .data = sidl__array_address(array),
      .device = {sidl_memory_space_device_type(array->d_space),
                 sidl_memory_space_device_id(array->d_space)},
      .dimen = dimen,
      .type = type,
      .shape = export->numbers,
      .strides = export->numbers + dimen,
  };
  return tensor;
}

/* NULL with *_ex set. */
static struct export* begin_export(struct sidl__array* array, struct dlpack_type* type,
                                   exception* _ex) {
  *_ex = NULL;
  if (array == NULL) {
    THROW(_ex, sidl_CastException, "a null array has no DLPack tensor");
    return NULL;
  }
  if (!to_type(sidl__array_type(array), type)) {
    THROW(_ex, sidl_CastException, "DLPack has no elements like those of an array of %ss",
          sidl_kind_name(sidl_element_kind_of(sidl__array_type(array))));
    return NULL;
  }
  struct export* const export = malloc(sizeof *export);
  struct sidl__array* const kept = export == NULL ? NULL : sidl__array_smartCopy(array);
  if (kept == NULL) {
    throw_memory(_ex);
    free(export);
    return NULL;
  }
  export->array = kept;
  return export;
}

struct DLManagedTensor* sidl__array_to_dlpack(struct sidl__array* array, exception* _ex) {
  struct dlpack_type type;
  struct export* const export = begin_export(array, &type, _ex);
  if (export == NULL) return NULL;
  export->managed.plain = (struct DLManagedTensor){describe(export, type), export, delete_plain};
  return &export->managed.plain;
}

struct DLManagedTensorVersioned* sidl__array_to_dlpack_versioned(struct sidl__array* array,
                                                                 exception* _ex) {
  struct dlpack_type type;
  struct export* const export = begin_export(array, &type, _ex);
  if (export == NULL) return NULL;
  export->managed.versioned = (struct DLManagedTensorVersioned){
      .major = DLPACK_MAJOR,
      .minor = DLPACK_MINOR,
      .owner = export,
      .deleter = delete_versioned,
      .tensor = describe(export, type),
  };
  return &export->managed.versioned;
}

/* ---- in -----------------------------------------------------------------------------------------
 */

static void release_plain(void* tensor) {
  struct DLManagedTensor* const managed = tensor;
  if (managed->deleter != NULL) managed->deleter(managed);
}

static void release_versioned(void* tensor) {
  struct DLManagedTensorVersioned* const managed = tensor;
  if (managed->deleter != NULL) managed->deleter(managed);
}

/* What a tensor is as an array. */
struct import {
  int32_t type;
  const struct sidl_memory_space* space;
  void* first;
  int64_t lower[SIDL_MAX_ARRAY_DIMENSION];
  int64_t upper[SIDL_MAX_ARRAY_DIMENSION];
  int64_t stride[SIDL_MAX_ARRAY_DIMENSION];
};

/* False for an offset with which addresses begin anew. */
static bool find_first(const struct dlpack_tensor* tensor, struct import* import) {
  uintptr_t first = 0;
  if (__builtin_add_overflow((uintptr_t)tensor->data, tensor->byte_offset, &first)) return false;
  import->first = tensor->data == NULL ? NULL : (char*)tensor->data + tensor->byte_offset;
  return true;
}

/* False for lengths that cannot be. */
static bool read_shape(const struct dlpack_tensor* tensor, struct import* import) {
  int64_t step = 1;
  for (int32_t d = tensor->dimen - 1; d >= 0; --d) {
    const int64_t length = tensor->shape[d];
    if (length < 0 || length > SIDL_MAX_ARRAY_INDEX) return false;
    import->lower[d] = 0;
    import->upper[d] = length - 1;
    import->stride[d] = tensor->strides != NULL ? tensor->strides[d] : step;
    if (__builtin_mul_overflow(step, length > 1 ? length : 1, &step)) return false;
  }
  return true;
}

static bool has_elements(const struct dlpack_tensor* tensor) {
  bool has = true;
  for (int32_t d = 0; d < tensor->dimen; ++d) has = has && tensor->shape[d] > 0;
  return has;
}

static bool is_aligned(const struct import* import) {
  const uintptr_t unit = sidl__array_element_size(import->type);
  const uintptr_t alignment = unit > sizeof(double) ? sizeof(double) : unit;
  return (uintptr_t)import->first % alignment == 0;
}

static bool read_tensor(const struct dlpack_tensor* tensor, struct import* import, exception* _ex) {
  import->type = from_type(tensor->type);
  if (import->type == sidl_undefined_array) {
    THROW(_ex, sidl_CastException,
          "no array of SIDL's has DLPack's elements of type %d, %d bits and %d lanes",
          tensor->type.code, tensor->type.bits, tensor->type.lanes);
    return false;
  }
  if (tensor->dimen < 1 || tensor->dimen > SIDL_MAX_ARRAY_DIMENSION) {
    THROW(_ex, sidl_CastException, "a DLPack tensor has %d dimensions, not 1 to %d",
          (int)tensor->dimen, SIDL_MAX_ARRAY_DIMENSION);
    return false;
  }
  if (tensor->shape == NULL) {
    THROW(_ex, sidl_CastException, "a DLPack tensor of %d dimensions has no shape",
          (int)tensor->dimen);
    return false;
  }
  if (!find_first(tensor, import)) {
    THROW(_ex, sidl_CastException, "a DLPack tensor's offset is beyond its memory");
    return false;
  }
  if (!read_shape(tensor, import)) {
    THROW(_ex, sidl_CastException, "a DLPack tensor's lengths cannot be those of an array");
    return false;
  }
  if (tensor->data == NULL && has_elements(tensor)) {
    THROW(_ex, sidl_CastException, "a DLPack tensor has elements, but no memory");
    return false;
  }
  if (!is_aligned(import)) {
    THROW(_ex, sidl_CastException, "a DLPack tensor's elements are not aligned");
    return false;
  }
  import->space = sidl_memory_space_find(tensor->device.type, tensor->device.id);
  return true;
}

/* NULL with *_ex set. `release` is NULL for a view that only lives while the tensor does. */
static struct sidl__array* make_array(const struct dlpack_tensor* tensor, void (*release)(void*),
                                      void* owner, exception* _ex) {
  struct import import;
  if (!read_tensor(tensor, &import, _ex)) return NULL;
  const struct element_type of = array_elements_of((enum sidl_array_type)import.type);
  if (!array_is_addressable(of, tensor->dimen, import.lower, import.upper, import.stride)) {
    THROW(_ex, sidl_CastException, "a DLPack tensor's strides are beyond its memory");
    return NULL;
  }
  const struct array_source source = {release, owner};
  struct any_array* const array =
      array_borrow_in(import.space, of, import.first, tensor->dimen, import.lower, import.upper,
                      import.stride, source);
  if (array == NULL) throw_memory(_ex);
  return (struct sidl__array*)array;
}

/* Of a tensor that must not be written to, which it deletes. */
static struct sidl__array* copy_tensor(struct DLManagedTensorVersioned* tensor, exception* _ex) {
  struct sidl__array* const view = make_array(&tensor->tensor, NULL, NULL, _ex);
  if (view == NULL) return NULL;
  struct sidl__array* const copy = sidl__array_smartCopy(view);
  if (copy == NULL) {
    THROW(_ex, sidl_MemorySpaceException, "a read-only DLPack tensor in %s cannot be copied",
          sidl_memory_space_name(view->d_space));
  }
  sidl__array_deleteRef(view);
  if (copy != NULL) release_versioned(tensor);
  return copy;
}

static bool is_there(const void* tensor, exception* _ex) {
  if (tensor == NULL) THROW(_ex, sidl_CastException, "there is no DLPack tensor");
  return tensor != NULL;
}

struct sidl__array* sidl__array_from_dlpack(struct DLManagedTensor* tensor, exception* _ex) {
  *_ex = NULL;
  if (!is_there(tensor, _ex)) return NULL;
  return make_array(&tensor->tensor, release_plain, tensor, _ex);
}

struct sidl__array* sidl__array_from_dlpack_versioned(struct DLManagedTensorVersioned* tensor,
                                                      exception* _ex) {
  *_ex = NULL;
  if (!is_there(tensor, _ex)) return NULL;
  if (tensor->major != DLPACK_MAJOR) {
    THROW(_ex, sidl_CastException, "a tensor of DLPack %u.%u, of which only %d is known",
          tensor->major, tensor->minor, DLPACK_MAJOR);
    return NULL;
  }
  if ((tensor->flags & DLPACK_READ_ONLY) != 0) return copy_tensor(tensor, _ex);
  return make_array(&tensor->tensor, release_versioned, tensor, _ex);
}
