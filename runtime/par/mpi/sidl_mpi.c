#include "sidl_mpi.h"

#include <mpi.h>
#include <string.h>

_Static_assert(MPI_MAX_ERROR_STRING <= 1024, "describe() writes more than callers have room for");

static int is_initialized(void) {
  int has_begun = 0;
  int has_ended = 0;
  MPI_Initialized(&has_begun);
  MPI_Finalized(&has_ended);
  return has_begun && !has_ended;
}

static int count_neighbours(MPI_Comm all, int* count) {
  MPI_Comm neighbours = MPI_COMM_NULL;
  int status = MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &neighbours);
  if (status == MPI_SUCCESS) status = MPI_Comm_size(neighbours, count);
  if (neighbours != MPI_COMM_NULL) MPI_Comm_free(&neighbours);
  return status;
}

static int open_communicator(int communicator, int* own, int* rank, int* size,
                             int* is_on_one_machine) {
  const MPI_Comm given = MPI_Comm_f2c(communicator);
  MPI_Comm copy = MPI_COMM_NULL;
  int neighbours = 0;
  int status = given == MPI_COMM_NULL ? MPI_ERR_COMM : MPI_Comm_dup(given, &copy);
  if (status == MPI_SUCCESS) status = MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  if (status == MPI_SUCCESS) status = MPI_Comm_rank(copy, rank);
  if (status == MPI_SUCCESS) status = MPI_Comm_size(copy, size);
  if (status == MPI_SUCCESS) status = count_neighbours(copy, &neighbours);
  if (status == MPI_SUCCESS) {
    *own = MPI_Comm_c2f(copy);
    *is_on_one_machine = neighbours == *size;
  } else if (copy != MPI_COMM_NULL) {
    MPI_Comm_free(&copy);
  }
  return status;
}

static int broadcast(int own, void* bytes, int count) {
  return MPI_Bcast(bytes, count, MPI_BYTE, 0, MPI_Comm_f2c(own));
}

static int gather(int own, const void* mine, void* all, int count) {
  return MPI_Allgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, MPI_Comm_f2c(own));
}

static void close_communicator(int own) {
  MPI_Comm copy = MPI_Comm_f2c(own);
  MPI_Comm_free(&copy);
}

static void describe(int error, char* text) {
  int length = 0;
  if (MPI_Error_string(error, text, &length) != MPI_SUCCESS) strcpy(text, "unknown error");
}

const struct sidl_mpi_functions sidl_mpi = {is_initialized, open_communicator,  broadcast,
                                            gather,         close_communicator, describe};
