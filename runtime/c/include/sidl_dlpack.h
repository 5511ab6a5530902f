/**
 * sidl_dlpack.h: arrays to and from DLPack, which array libraries share their data by.
 *
 * The tensors are those of dlpack.h (DLPack 1), which belongs to DLPack and is included by whoever
 * looks into them. Elements are shared, not copied; where they are (sidl_memory_space.h) stays what
 * it is. An int is DLPack's int of 32 bits, a long and an enum one of 64, a char an unsigned one of
 * 8; numbers are floats and complex numbers. Bools, strings, objects and structs have no
 * counterpart.
 *
 * Whoever takes a tensor of a device must know himself when work in that memory is done.
 */
#ifndef SIDL_DLPACK_H
#define SIDL_DLPACK_H

#include "sidlArray.h"

#ifdef __cplusplus
extern "C" {
#endif

struct DLManagedTensor;
struct DLManagedTensorVersioned;
struct sidl_BaseInterface__object;

/**
 * A tensor over the array's elements, which they stay alive for: its deleter gives the reference
 * back, from any thread. Elements that the array has borrowed are copied first, as nobody knows for
 * how long they are valid. Lower bounds are lost. NULL with *_ex set: sidl.CastException if the
 * elements cannot be represented or the array is null, sidl.MemAllocException.
 */
struct DLManagedTensor* sidl__array_to_dlpack(struct sidl__array* array,
                                              struct sidl_BaseInterface__object** _ex);
struct DLManagedTensorVersioned* sidl__array_to_dlpack_versioned(
    struct sidl__array* array, struct sidl_BaseInterface__object** _ex);

/**
 * An array over the tensor's elements, with lower bounds 0; the tensor, which must not be NULL, is
 * the array's from then on. A read-only tensor (only versioned ones say so) is copied, and deleted.
 * NULL with *_ex set, and the tensor is the caller's still: sidl.CastException if it is no array of
 * SIDL's (its elements, 1 to 7 dimensions, its version), sidl.MemorySpaceException if it would have
 * to be copied and cannot, sidl.MemAllocException.
 */
struct sidl__array* sidl__array_from_dlpack(struct DLManagedTensor* tensor,
                                            struct sidl_BaseInterface__object** _ex);
struct sidl__array* sidl__array_from_dlpack_versioned(struct DLManagedTensorVersioned* tensor,
                                                      struct sidl_BaseInterface__object** _ex);

#ifdef __cplusplus
}
#endif
#endif
