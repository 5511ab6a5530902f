/* From three ranks with blocks of rows to two with blocks in turn, in one program. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "sidl_String.h"
#include "sidl_double_IOR.h"
#include "sidl_int_IOR.h"
#include "sidl_long_IOR.h"
#include "sidl_par_Distribution.h"
#include "sidl_par_DistributionException.h"
#include "sidl_par_Group.h"
#include "sidl_par_Redistribution.h"

static sidl_BaseInterface ex;

static struct sidl_long__array* longs(int64_t a, int64_t b) {
  int64_t values[] = {a, b};
  return sidl_long__array_create1dInit(2, values);
}

static struct sidl_int__array* ints(int32_t a, int32_t b) {
  int32_t values[] = {a, b};
  return sidl_int__array_create1dInit(2, values);
}

static sidl_par_Distribution divided(int32_t ranks, int64_t rows) {
  struct sidl_long__array* const lower = longs(1, 1);
  struct sidl_long__array* const upper = longs(7, 4);
  struct sidl_int__array* const grid = ints(ranks, 1);
  struct sidl_long__array* const lengths = longs(rows, 4);
  sidl_par_Distribution const made =
      rows == 0 ? sidl_par_Distribution_blocks(lower, upper, grid, &ex)
                : sidl_par_Distribution_blockCyclic(lower, upper, grid, lengths, &ex);
  assert(ex == NULL);
  sidl_long__array_deleteRef(lower);
  sidl_long__array_deleteRef(upper);
  sidl_int__array_deleteRef(grid);
  sidl_long__array_deleteRef(lengths);
  return made;
}

/* A rank's piece, whose elements are ten times the row and the column. */
static struct sidl_double__array* filled(sidl_par_Distribution all, int32_t rank) {
  struct sidl_long__array* const lengths = sidl_par_Distribution_getLengths(all, rank, &ex);
  struct sidl_double__array* const piece = sidl_double__array_create2dRow(
      (int32_t)sidl_long__array_get1(lengths, 0), (int32_t)sidl_long__array_get1(lengths, 1));
  for (int64_t i = 0; i < sidl_long__array_get1(lengths, 0); ++i) {
    for (int64_t j = 0; j < sidl_long__array_get1(lengths, 1); ++j) {
      struct sidl_long__array* const position = longs(i, j);
      struct sidl_long__array* const index =
          sidl_par_Distribution_getIndex(all, rank, position, &ex);
      sidl_double__array_set2(
          piece, (int32_t)i, (int32_t)j,
          (double)(10 * sidl_long__array_get1(index, 0) + sidl_long__array_get1(index, 1)));
      sidl_long__array_deleteRef(position);
      sidl_long__array_deleteRef(index);
    }
  }
  sidl_long__array_deleteRef(lengths);
  return piece;
}

static void receive(sidl_par_Distribution rows, sidl_par_Distribution turns, int32_t rank) {
  sidl_par_Redistribution const receiver =
      sidl_par_Redistribution_createReceiver(rows, turns, rank, &ex);
  struct sidl_int__array* const peers = sidl_par_Redistribution_getPeers(receiver, &ex);
  struct sidl_double__array* const wanted = filled(turns, rank);
  struct sidl__array* got =
      sidl__array_create(sidl_double_array, sidl_column_major_order, 2, wanted->d_metadata.d_lower,
                         wanted->d_metadata.d_upper);
  printf("rank %d has rows from", (int)rank);
  for (int32_t i = 0; i <= sidl_int__array_upper(peers, 0); ++i) {
    const int32_t source = sidl_int__array_get1(peers, i);
    sidl_par_Redistribution const sender =
        sidl_par_Redistribution_createSender(rows, turns, source, &ex);
    struct sidl_double__array* const given = filled(rows, source);
    struct sidl__array* const message =
        sidl_par_Redistribution_pack(sender, rank, (struct sidl__array*)given, &ex);
    assert(ex == NULL);
    sidl_par_Redistribution_unpack(receiver, source, message, &got, &ex);
    assert(ex == NULL);
    printf(" %d", (int)source);
    sidl__array_deleteRef(message);
    sidl_double__array_deleteRef(given);
    sidl_par_Redistribution_deleteRef(sender, &ex);
  }
  printf("\n");
  for (int32_t i = 0; i <= sidl_double__array_upper(wanted, 0); ++i) {
    for (int32_t j = 0; j <= sidl_double__array_upper(wanted, 1); ++j) {
      assert(sidl_double__array_get2((struct sidl_double__array*)got, i, j) ==
             sidl_double__array_get2(wanted, i, j));
    }
  }
  sidl__array_deleteRef(got);
  sidl_double__array_deleteRef(wanted);
  sidl_int__array_deleteRef(peers);
  sidl_par_Redistribution_deleteRef(receiver, &ex);
}

/* Prints what has been thrown, and goes on. */
static void print_thrown(void) {
  assert(ex != NULL);
  sidl_BaseInterface ignored = NULL;
  sidl_par_DistributionException const thrown = sidl_par_DistributionException__cast(ex, &ignored);
  char* const note = sidl_par_DistributionException_getNote(thrown, &ignored);
  puts(note);
  sidl_String_free(note);
  sidl_par_DistributionException_deleteRef(thrown, &ignored);
  sidl_BaseInterface_deleteRef(ex, &ignored);
  ex = NULL;
}

/* A piece that is another rank's. */
static void misfit(sidl_par_Distribution rows, sidl_par_Distribution turns) {
  sidl_par_Redistribution const sender = sidl_par_Redistribution_createSender(rows, turns, 2, &ex);
  struct sidl_double__array* const wrong = sidl_double__array_create2dRow(3, 3);
  struct sidl__array* const none =
      sidl_par_Redistribution_pack(sender, 1, (struct sidl__array*)wrong, &ex);
  assert(none == NULL);
  print_thrown();
  sidl_BaseInterface ignored = NULL;
  sidl_double__array_deleteRef(wrong);
  sidl_par_Redistribution_deleteRef(sender, &ignored);
}

/* From a rank that has a mesh in any order to two with blocks of a line. */
static void receive_mesh(sidl_par_Group alone) {
  int64_t numbers[] = {4, 2, 3, 1};
  int64_t first = 1, last = 4;
  int32_t two = 2;
  double values[] = {0.4, 0.2, 0.3, 0.1};
  struct sidl_long__array* const own = sidl_long__array_create1dInit(4, numbers);
  struct sidl_long__array* const lower = sidl_long__array_create1dInit(1, &first);
  struct sidl_long__array* const upper = sidl_long__array_create1dInit(1, &last);
  struct sidl_int__array* const grid = sidl_int__array_create1dInit(1, &two);
  struct sidl_double__array* const given = sidl_double__array_create1dInit(4, values);
  sidl_par_Distribution const mesh = sidl_par_Group_indices(alone, own, &ex);
  sidl_par_Distribution const line = sidl_par_Distribution_blocks(lower, upper, grid, &ex);
  sidl_par_Redistribution const sender = sidl_par_Redistribution_createSender(mesh, line, 0, &ex);
  assert(ex == NULL);
  for (int32_t rank = 0; rank < 2; ++rank) {
    sidl_par_Redistribution const receiver =
        sidl_par_Redistribution_createReceiver(mesh, line, rank, &ex);
    struct sidl__array* got = (struct sidl__array*)sidl_double__array_create1d(2);
    struct sidl__array* const message =
        sidl_par_Redistribution_pack(sender, rank, (struct sidl__array*)given, &ex);
    sidl_par_Redistribution_unpack(receiver, 0, message, &got, &ex);
    assert(ex == NULL);
    printf("rank %d has %.1f %.1f\n", (int)rank,
           sidl_double__array_get1((struct sidl_double__array*)got, 0),
           sidl_double__array_get1((struct sidl_double__array*)got, 1));
    sidl__array_deleteRef(message);
    sidl__array_deleteRef(got);
    sidl_par_Redistribution_deleteRef(receiver, &ex);
  }
  sidl_par_Distribution_deleteRef(mesh, &ex);
  sidl_long__array_set1(own, 3, 5);
  sidl_par_Distribution const wrong = sidl_par_Group_indices(alone, own, &ex);
  assert(ex == NULL && sidl_par_Redistribution_createReceiver(wrong, line, 0, &ex) == NULL);
  print_thrown();
  sidl_par_Distribution_deleteRef(wrong, &ex);
  sidl_par_Distribution_deleteRef(line, &ex);
  sidl_par_Redistribution_deleteRef(sender, &ex);
  sidl_long__array_deleteRef(own);
  sidl_long__array_deleteRef(lower);
  sidl_long__array_deleteRef(upper);
  sidl_int__array_deleteRef(grid);
  sidl_double__array_deleteRef(given);
}

int main(void) {
  sidl_par_Distribution const rows = divided(3, 0);
  sidl_par_Distribution const turns = divided(2, 2);
  char* const text = sidl_par_Distribution_describe(turns, &ex);
  puts(text);
  sidl_String_free(text);
  receive(rows, turns, 0);
  receive(rows, turns, 1);
  misfit(rows, turns);
  sidl_par_Group const alone = sidl_par_Group_alone(&ex);
  receive_mesh(alone);
  sidl_par_Group_deleteRef(alone, &ex);
  sidl_BaseInterface ignored = NULL;
  sidl_par_Distribution_deleteRef(rows, &ignored);
  sidl_par_Distribution_deleteRef(turns, &ignored);
  return 0;
}
