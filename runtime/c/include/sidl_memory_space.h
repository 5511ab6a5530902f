/**
 * sidl_memory_space.h: memory spaces: where the elements of an array are.
 *
 * Elements are in host memory, or in that of a device, named as DLPack names it: the device's type
 * and its number. Memory that host and device share counts as the host's. An array in a space of
 * its own may be passed on, sliced, copied and given to whoever knows the device. Its elements may
 * not be touched through their address: accessor functions read zero and log that, bindings raise
 * sidl.MemorySpaceException; the macros of sidlArray.h and d_firstElement are for arrays in host
 * memory only.
 *
 * Elements in a space of its own are numbers, chars, bools or plain structs.
 *
 * Whoever can reach a device's memory registers functions for it. Without them arrays may be made
 * of memory there and passed on, but nothing can be copied. They are called by any thread at any
 * time, also by one that sends or receives a message, so that they may not call methods.
 */
#ifndef SIDL_MEMORY_SPACE_H
#define SIDL_MEMORY_SPACE_H

#include "sidlArray.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sidl_BaseInterface__object;

/** Types of devices; the numbers are DLPack's (DLDeviceType). Others may be used, too. */
enum sidl_device_type {
  sidl_device_host = 1,
  sidl_device_cuda = 2,
  sidl_device_cuda_host = 3, /**< page-locked host memory: the host's */
  sidl_device_opencl = 4,
  sidl_device_vulkan = 7,
  sidl_device_metal = 8,
  sidl_device_rocm = 10,
  sidl_device_rocm_host = 11, /**< page-locked host memory: the host's */
  sidl_device_extension = 12,
  sidl_device_cuda_managed = 13, /**< the host's and the device's */
  sidl_device_oneapi = 14
};

/** How to reach a space. `context` is what it was registered with. */
struct sidl_memory_functions {
  /** Memory for `bytes` (more than 0), aligned to 16 at least; NULL if there is none. */
  void* (*allocate)(void* context, size_t bytes);
  /** Gives back what allocate returned. */
  void (*release)(void* context, void* first, size_t bytes);
  /**
   * Copies `count` blocks of `size` bytes, whose beginnings are `stride` bytes apart, to `host`,
   * one behind the other. FALSE if that failed. It is done when the function returns, and comes
   * after whatever was to be done in that memory before.
   */
  sidl_bool (*to_host)(void* context, void* host, const void* there, size_t size, ptrdiff_t stride,
                       size_t count);
  /** The other way round. */
  sidl_bool (*from_host)(void* context, void* there, ptrdiff_t stride, const void* host,
                         size_t size, size_t count);
};

/** A space. It is never freed; the same device is always the same space. */
struct sidl_memory_space;

/**
 * Registers functions, which must stay valid until the process ends, and a name for messages, of
 * which a copy is made. Returns the space, or NULL if the type is one whose memory is the host's,
 * or memory is exhausted. Functions that were registered before remain.
 */
const struct sidl_memory_space* sidl_memory_space_register(
    int32_t device_type, int32_t device_id, const char* name,
    const struct sidl_memory_functions* functions, void* context);

/**
 * The space of a device; without functions if nobody has registered any. NULL if its memory is the
 * host's, or memory is exhausted.
 */
const struct sidl_memory_space* sidl_memory_space_find(int32_t device_type, int32_t device_id);

/** DLPack's name of the device; sidl_device_host and 0 for NULL. */
int32_t sidl_memory_space_device_type(const struct sidl_memory_space* space);
int32_t sidl_memory_space_device_id(const struct sidl_memory_space* space);

/** For messages: "CUDA device 0", "device 12:0"; "host memory" for NULL. */
const char* sidl_memory_space_name(const struct sidl_memory_space* space);

/** Copies, as the functions of the space do; plainly if it is NULL. FALSE if that is impossible. */
sidl_bool sidl_memory_to_host(const struct sidl_memory_space* space, void* host, const void* there,
                              size_t size, ptrdiff_t stride, size_t count);
sidl_bool sidl_memory_from_host(const struct sidl_memory_space* space, void* there,
                                ptrdiff_t stride, const void* host, size_t size, size_t count);

/* ---- arrays -------------------------------------------------------------------------------------
 *
 * `type` is an enum sidl_array_type; `structure` is NULL unless that is sidl_struct_array. `space`
 * may be NULL: host memory. */

/** Where the elements are; NULL: in host memory, or there is no array. */
const struct sidl_memory_space* sidl__array_space(const struct sidl__array* array);

/** Address, in its space, of the element with the lowest indices; NULL for NULL. */
void* sidl__array_address(const struct sidl__array* array);

/** As sidl__array_create, in a space. NULL, too, if that has no functions. Nothing is set to 0. */
struct sidl__array* sidl__array_create_in(const struct sidl_memory_space* space, int32_t type,
                                          const struct sidl_struct_info* structure,
                                          int32_t ordering, int32_t dimen, const int64_t lower[],
                                          const int64_t upper[]);

/**
 * As sidl__array_borrow_owned, of memory in a space. `release` may be NULL: then the memory belongs
 * to the caller, as with sidl__array_borrow.
 */
struct sidl__array* sidl__array_borrow_in(const struct sidl_memory_space* space, int32_t type,
                                          const struct sidl_struct_info* structure, void* first,
                                          int32_t dimen, const int64_t lower[],
                                          const int64_t upper[], const int64_t stride[],
                                          void (*release)(void* owner), void* owner);

/**
 * A reference to `array` if its elements are in the space, else to a dense copy there, with the
 * same bounds. NULL if array is NULL, if that cannot be, or if memory is exhausted.
 */
struct sidl__array* sidl__array_in(const struct sidl_memory_space* space,
                                   struct sidl__array* array);

/**
 * TRUE if `array`, which may be NULL, is in host memory; else FALSE, and *_ex is set to a
 * sidl.MemorySpaceException that calls it `what`.
 */
sidl_bool sidl__array_require_host(const struct sidl__array* array, const char* what,
                                   struct sidl_BaseInterface__object** _ex);

#ifdef __cplusplus
}
#endif
#endif
