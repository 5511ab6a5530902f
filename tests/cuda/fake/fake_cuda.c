#include <pthread.h>
#include <stdlib.h>

#include "../../memory/test_space.h"
#include "cuda_runtime_api.h"

enum { DEVICES = 2, MOST = 64 };

struct allocation {
  void* first;
  size_t size;
  int device;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct allocation allocations[MOST];
static int copies;
static _Thread_local int current;
static _Thread_local cudaError_t last_error;

static cudaError_t result(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = DEVICES;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  *device = current;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= DEVICES) return result(cudaErrorInvalidDevice);
  current = device;
  return cudaSuccess;
}

cudaError_t cudaGetLastError(void) {
  const cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}

cudaError_t cudaDeviceSynchronize(void) {
  return cudaSuccess;
}

static struct allocation* find(const void* first) {
  for (int i = 0; i < MOST; ++i) {
    if (allocations[i].first == first) return &allocations[i];
  }
  return NULL;
}

cudaError_t cudaMalloc(void** first, size_t size) {
  if (size == 0 || size > (size_t)1 << 32) return result(cudaErrorMemoryAllocation);
  pthread_mutex_lock(&lock);
  struct allocation* const place = find(NULL);
  if (place == NULL) abort();
  *place = (struct allocation){test_space_functions()->allocate(NULL, size), size, current};
  *first = place->first;
  pthread_mutex_unlock(&lock);
  return cudaSuccess;
}

cudaError_t cudaFree(void* first) {
  pthread_mutex_lock(&lock);
  struct allocation* const place = find(first);
  const int is_ours = place != NULL && place->device == current;
  if (is_ours) {
    test_space_functions()->release(NULL, first, place->size);
    place->first = NULL;
  }
  pthread_mutex_unlock(&lock);
  return is_ours ? cudaSuccess : result(cudaErrorInvalidValue);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind) {
  const struct sidl_memory_functions* const functions = test_space_functions();
  if (to_pitch < width || from_pitch < width) return result(cudaErrorInvalidPitchValue);
  pthread_mutex_lock(&lock);
  ++copies;
  pthread_mutex_unlock(&lock);
  for (size_t i = 0; i < height; ++i) {
    char* const row = (char*)to + i * to_pitch;
    const char* const source = (const char*)from + i * from_pitch;
    const int ok = kind == cudaMemcpyDeviceToHost
                       ? functions->to_host(NULL, row, source, width, 0, 1)
                       : functions->from_host(NULL, row, 0, source, width, 1);
    if (!ok) return result(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t count, enum cudaMemcpyKind kind) {
  return cudaMemcpy2D(to, count, from, count, count, 1, kind);
}

int fake_cuda_copies(void) {
  pthread_mutex_lock(&lock);
  const int made = copies;
  copies = 0;
  pthread_mutex_unlock(&lock);
  return made;
}
