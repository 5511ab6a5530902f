/*
 * walk.h: the elements of arrays of numbers, in blocks of one type.
 *
 * Dimensions whose elements follow each other become one. A block points into the array if it is
 * contiguous and of the wanted type, else its elements are copied.
 */
#ifndef CONTRACT_WALK_H
#define CONTRACT_WALK_H

#include <stdbool.h>

#include "sidl_contract.h"

#pragma GCC visibility push(hidden)

/* Whether the elements are numbers in memory that can be read. */
bool walk_has_numbers(const struct sidl__array* array);
/* The kind of the elements. */
int32_t walk_kind(const struct sidl__array* array);
/* Element number `i`, the first index changing fastest. */
const void* walk_element(const struct sidl__array* array, size_t i);

/* The widest of int64_t, double and struct sidl_dcomplex that the operands need. */
int32_t walk_common_kind(const struct sidl_operand* a, const struct sidl_operand* b);

enum { WALK_BLOCK = 1024 };

/* One operand, in a block: `count` elements, or one number for all of them. */
struct walk_side {
  const void* elements; /* int64_t, double or struct sidl_dcomplex */
  bool is_one;
};

/* False: enough. `b` is not set if there is one operand. */
typedef bool (*walk_visitor)(const struct walk_side* a, const struct walk_side* b, size_t count,
                             void* data);

/*
 * Visits all elements as `kind`. `in_order`: the first index changes fastest, else the order is as
 * memory has it. A fault if two arrays differ in shape, or elements cannot be read.
 */
void walk(struct sidl_check* check, const struct sidl_operand* a, const struct sidl_operand* b,
          int32_t kind, bool in_order, walk_visitor visit, void* data);

#pragma GCC visibility pop
#endif
