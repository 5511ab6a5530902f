/*
 * record_rows.h: structs that own something as they are sent, apart from members that go one by
 * one: a row of numbers for each, and their texts (sidl_marshal.h says in what form).
 */
#ifndef REMOTE_RECORD_ROWS_H
#define REMOTE_RECORD_ROWS_H

#include <stdbool.h>

#include "sidlArray.h"
#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/* Members that lie side by side, both in the struct and in its row. */
struct row_piece {
  size_t offset; /* in the struct */
  size_t place;  /* in the row */
  size_t size;
  bool is_bool; /* one: a number in the struct, a byte in the row */
};

struct row_layout {
  size_t size;              /* bytes of a row: the numbers */
  size_t pieces;            /* of these */
  size_t texts;             /* strings of a struct */
  size_t others;            /* members that go one by one */
  struct row_piece piece[]; /* and the strings' offsets */
};

/* For free(); NULL if memory is exhausted. */
struct row_layout* row_layout_of(const struct sidl_struct_info* structure);

/* Arrays of char, or NULL where the structs have no such members. */
struct packed_rows {
  struct sidl__array* rows;
  struct sidl__array* texts; /* a byte for each, and then the texts */
  size_t apart;              /* texts that are too long to be among these */
};

/* Packs the elements, of which there are some; false if memory is exhausted. */
bool rows_pack(const struct row_layout* layout, struct sidl__array* array, struct packed_rows* to);
void rows_drop(struct packed_rows* packed);

/* Whether rows and texts from a peer can be `count` structs. */
bool rows_fit(const struct row_layout* layout, const struct packed_rows* packed, int64_t count);

/*
 * Fills elements, which need not be initialised, with what fits them: numbers, and texts that lie
 * in the array of texts. Those that are sent apart are null, and counted. False if a text does not
 * end where it should.
 */
bool rows_unpack(const struct row_layout* layout, struct packed_rows* from,
                 struct sidl__array* array);

/* Calls `handle` for the place of each text that is sent apart, in order, until it returns false.
 */
bool rows_each_apart(const struct row_layout* layout, const struct packed_rows* packed,
                     struct sidl__array* array,
                     bool (*handle)(void* context, char** text,
                                    struct sidl_BaseInterface__object** _ex),
                     void* context, struct sidl_BaseInterface__object** _ex);
/* Whether there are bytes in a plain struct that are of no member, and may be of anything. */
bool struct_has_gaps(const struct sidl_struct_info* structure);

/* Copies of such structs in an array of char, with zeros in the gaps, first index fastest; NULL if
 * memory is exhausted. */
struct sidl__array* struct_images(const struct sidl_struct_info* structure,
                                  struct sidl__array* array);

#pragma GCC visibility pop
#endif
