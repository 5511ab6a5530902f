/**
 * sidl_cuda.h: the memory of CUDA devices, for arrays (sidl_memory_space.h). libsidl_cuda.
 */
#ifndef SIDL_CUDA_H
#define SIDL_CUDA_H

#include "sidl_memory_space.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Registers the memory of all CUDA devices that the process sees, which are "CUDA device 0" and so
 * on; returns how many there are: 0 if there is no driver or no device. Any thread, any number of
 * times. Initialises no device: that is done by what is first copied or allocated there.
 *
 * Copies wait until the device has done all it was given before, whatever the stream, and are done
 * when they return. They leave the calling thread's current device as it was.
 */
int32_t sidl_cuda_register(void);

#ifdef __cplusplus
}
#endif
#endif
