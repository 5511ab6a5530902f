/* dlpack.h: the binary interface of DLPack 1, as it is documented for C. */
#ifndef ARRAY_DLPACK_H
#define ARRAY_DLPACK_H

#include <stdint.h>

struct dlpack_device {
  int32_t type; /* enum sidl_device_type */
  int32_t id;
};

enum dlpack_code {
  dlpack_int = 0,
  dlpack_unsigned = 1,
  dlpack_float = 2,
  dlpack_complex = 5,
};

struct dlpack_type {
  uint8_t code; /* enum dlpack_code, or one we do not have */
  uint8_t bits;
  uint16_t lanes; /* values of an element */
};

struct dlpack_tensor {
  void* data;
  struct dlpack_device device;
  int32_t dimen;
  struct dlpack_type type;
  int64_t* shape;
  int64_t* strides; /* in elements; NULL: dense, the last index fastest */
  uint64_t byte_offset;
};

struct DLManagedTensor {
  struct dlpack_tensor tensor;
  void* owner;
  void (*deleter)(struct DLManagedTensor* self); /* NULL: nothing to do */
};

enum { DLPACK_MAJOR = 1, DLPACK_MINOR = 0 };
#define DLPACK_READ_ONLY UINT64_C(1)

struct DLManagedTensorVersioned {
  uint32_t major, minor; /* with another major only what precedes `flags` is what it is here */
  void* owner;
  void (*deleter)(struct DLManagedTensorVersioned* self);
  uint64_t flags;
  struct dlpack_tensor tensor;
};

#endif
