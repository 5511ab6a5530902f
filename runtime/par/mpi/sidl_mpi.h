/*
 * What sidl.par needs of MPI. libsidl_mpi-SONAME.so, which is compiled against the MPI library
 * SONAME, has it under the name sidl_mpi; nothing else of Shinar knows MPI. Communicators are those
 * of Fortran.
 */
#ifndef SIDL_MPI_H
#define SIDL_MPI_H

#ifdef __cplusplus
extern "C" {
#endif

struct sidl_mpi_functions {
  /* Whether MPI_Init has been called, and MPI_Finalize not yet. */
  int (*is_initialized)(void);
  /*
   * A communicator of the same processes, for these functions alone; 0, or an error of MPI. Its
   * errors are returned. is_on_one_machine: whether all its processes share memory. Collective.
   */
  int (*open)(int communicator, int* own, int* rank, int* size, int* is_on_one_machine);
  /* Rank 0's bytes get to all. Collective. */
  int (*broadcast)(int own, void* bytes, int count);
  /* count bytes of each rank get to all, in the order of ranks. Collective. */
  int (*gather)(int own, const void* mine, void* all, int count);
  /* Collective. */
  void (*close)(int own);
  /* What an error means; text has at least 1024 bytes. */
  void (*describe)(int error, char* text);
};

#ifdef __cplusplus
}
#endif
#endif
