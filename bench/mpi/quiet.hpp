// Waiting for ranks without using the processor, so that who works has it.
#pragma once

#include <mpi.h>

#include <chrono>
#include <thread>

inline void quiet_barrier(std::chrono::microseconds pause) {
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  int is_done = 0;
  while (true) {
    MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    if (is_done != 0) return;
    std::this_thread::sleep_for(pause);
  }
}
