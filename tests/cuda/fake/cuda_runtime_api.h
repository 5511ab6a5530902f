/*
 * cuda_runtime_api.h: what libsidl_cuda uses of CUDA's runtime, for machines without it.
 *
 * Two devices, whose memory is that of ../../memory/test_space.h. Written from CUDA's
 * documentation; fake_cuda.c checks what CUDA would refuse.
 */
#ifndef FAKE_CUDA_RUNTIME_API_H
#define FAKE_CUDA_RUNTIME_API_H

#include <stddef.h>

#define FAKE_CUDA

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidPitchValue = 12,
  cudaErrorInvalidDevice = 101
} cudaError_t;

enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetLastError(void);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaMalloc(void** first, size_t size);
cudaError_t cudaFree(void* first);
cudaError_t cudaMemcpy(void* to, const void* from, size_t count, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind);

/* How many copies were made since the last call. */
int fake_cuda_copies(void);

#ifdef __cplusplus
}
#endif
#endif
