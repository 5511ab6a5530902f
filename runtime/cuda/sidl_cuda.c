#include "sidl_cuda.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>

/* The device's number is all that the functions need to know. */
static void* context_of(int device) {
  return (void*)(intptr_t)device;
}

static int device_of(void* context) {
  return (int)(intptr_t)context;
}

/* Makes a device the thread's; false if that fails. Otherwise *before is to be given to leave. */
static bool enter(void* context, int* before) {
  return cudaGetDevice(before) == cudaSuccess && cudaSetDevice(device_of(context)) == cudaSuccess;
}

static bool leave(int before, bool ok) {
  cudaSetDevice(before);
  if (!ok) cudaGetLastError(); /* reported by us: whoever calls CUDA next shall not see it */
  return ok;
}

static void* allocate(void* context, size_t bytes) {
  void* first = NULL;
  int before = 0;
  if (!enter(context, &before)) return NULL;
  return leave(before, cudaMalloc(&first, bytes) == cudaSuccess) ? first : NULL;
}

static void release(void* context, void* first, size_t bytes) {
  int before = 0;
  (void)bytes;
  if (enter(context, &before)) leave(before, cudaFree(first) == cudaSuccess);
}

/* Rows that CUDA copies in one call: it wants a positive pitch that is no less than their width. */
static bool is_pitch(ptrdiff_t stride, size_t size) {
  return stride > 0 && (size_t)stride >= size && stride <= INT32_MAX;
}

static bool copy_blocks(char* to, ptrdiff_t to_stride, const char* from, ptrdiff_t from_stride,
                        size_t size, size_t count, enum cudaMemcpyKind kind) {
  if (cudaDeviceSynchronize() != cudaSuccess) return false;
  if (count == 1) return cudaMemcpy(to, from, size, kind) == cudaSuccess;
  if (is_pitch(to_stride, size) && is_pitch(from_stride, size)) {
    return cudaMemcpy2D(to, (size_t)to_stride, from, (size_t)from_stride, size, count, kind) ==
           cudaSuccess;
  }
  bool ok = true;
  for (size_t i = 0; ok && i < count; ++i, to += to_stride, from += from_stride) {
    ok = cudaMemcpy(to, from, size, kind) == cudaSuccess;
  }
  return ok;
}

/* From host memory a copy may return before the device has it. */
static sidl_bool copy(void* context, char* to, ptrdiff_t to_stride, const char* from,
                      ptrdiff_t from_stride, size_t size, size_t count, enum cudaMemcpyKind kind) {
  int before = 0;
  if (!enter(context, &before)) return FALSE;
  const bool ok = copy_blocks(to, to_stride, from, from_stride, size, count, kind) &&
                  (kind == cudaMemcpyDeviceToHost || cudaDeviceSynchronize() == cudaSuccess);
  return leave(before, ok);
}

static sidl_bool to_host(void* context, void* host, const void* there, size_t size,
                         ptrdiff_t stride, size_t count) {
  return copy(context, host, (ptrdiff_t)size, there, stride, size, count, cudaMemcpyDeviceToHost);
}

static sidl_bool from_host(void* context, void* there, ptrdiff_t stride, const void* host,
                           size_t size, size_t count) {
  return copy(context, there, stride, host, (ptrdiff_t)size, size, count, cudaMemcpyHostToDevice);
}

int32_t sidl_cuda_register(void) {
  static const struct sidl_memory_functions functions = {allocate, release, to_host, from_host};
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  for (int device = 0; device < count; ++device) {
    char name[32];
    snprintf(name, sizeof name, "CUDA device %d", device);
    sidl_memory_space_register(sidl_device_cuda, device, name, &functions, context_of(device));
  }
  return count;
}
