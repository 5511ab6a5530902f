/* The callers in C: ranks of MPI that call a parallel object of others, which are world_cxx. */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sidl_double_IOR.h"
#include "sidl_int_IOR.h"
#include "sidl_long_IOR.h"
#include "sidl_par_Distribution.h"
#include "sidl_par_Group.h"
#include "sidl_string_IOR.h"
#include "tide_Gauge.h"

enum { places = 11 };

static sidl_BaseInterface ex;

static void check(void) {
  if (ex == NULL) return;
  fprintf(stderr, "an exception\n");
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* As world.cpp has it: the servers' URLs get to all by MPI, each in a line. */
static struct sidl_string__array* urls_of_servers(int servers) {
  int size = 0;
  MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
  char* const text = calloc((size_t)size + 1, 1);
  MPI_Bcast(text, size, MPI_CHAR, 0, MPI_COMM_WORLD);
  struct sidl_string__array* const urls = sidl_string__array_create1d(servers);
  const char* line = strtok(text, "\n");
  for (int i = 0; i < servers; ++i, line = strtok(NULL, "\n")) {
    sidl_string__array_set1(urls, i, line);
  }
  free(text);
  return urls;
}

static sidl_par_Distribution divided(int32_t ranks) {
  int64_t first = 1;
  int64_t last = places;
  struct sidl_long__array* const lower = sidl_long__array_create1dInit(1, &first);
  struct sidl_long__array* const upper = sidl_long__array_create1dInit(1, &last);
  struct sidl_int__array* const grid = sidl_int__array_create1dInit(1, &ranks);
  sidl_par_Distribution const made = sidl_par_Distribution_blocks(lower, upper, grid, &ex);
  check();
  sidl_long__array_deleteRef(lower);
  sidl_long__array_deleteRef(upper);
  sidl_int__array_deleteRef(grid);
  return made;
}

static void call(sidl_par_Group group, int servers) {
  struct sidl_string__array* const urls = urls_of_servers(servers);
  sidl_BaseInterface const found = sidl_par_Group_connect(group, "tide", urls, &ex);
  check();
  tide_Gauge const gauge = tide_Gauge__cast(found, &ex);
  check();
  const int32_t rank = sidl_par_Group_getRank(group, &ex);
  sidl_par_Distribution const mine = divided(sidl_par_Group_getSize(group, &ex));
  sidl_par_Group_distribute(found, "rise.levels", mine, &ex);
  check();
  struct sidl_long__array* const lengths = sidl_par_Distribution_getLengths(mine, rank, &ex);
  const int64_t count = sidl_long__array_get1(lengths, 0);
  struct sidl_double__array* levels = sidl_double__array_create1d((int32_t)count);
  for (int64_t i = 0; i < count; ++i) sidl_double__array_set1(levels, (int32_t)i, (double)i);
  for (int turn = 1; turn <= 3; ++turn) {
    const int32_t who = tide_Gauge_rise(gauge, &levels, 0.5, &ex);
    check();
    assert(who == rank % servers);
  }
  for (int64_t i = 0; i < count; ++i) {
    assert(sidl_double__array_get1(levels, (int32_t)i) == (double)i + 1.5);
  }
  sidl_double__array_deleteRef(levels);
  sidl_long__array_deleteRef(lengths);
  sidl_string__array_deleteRef(urls);
  sidl_par_Distribution_deleteRef(mine, &ex);
  tide_Gauge_deleteRef(gauge, &ex);
  sidl_BaseInterface_deleteRef(found, &ex);
  puts("well");
}

int main(int argc, char** argv) {
  assert(argc == 2);
  const int servers = atoi(argv[1]);
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm part;
  MPI_Comm_split(MPI_COMM_WORLD, 1, rank, &part);
  sidl_par_Group const group = sidl_par_Group_ofCommunicator(MPI_Comm_c2f(part), &ex);
  check();
  call(group, servers);
  fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  sidl_par_Group_deleteRef(group, &ex);
  MPI_Finalize();
  return 0;
}
