/* in_c URL: calls an object with an array of more elements than an int counts. */
#include <stdio.h>
#include <stdlib.h>

#include "huge_Ends.h"
#include "sidl_char_IOR.h"

static const int64_t count = ((int64_t)1 << 31) + 5;

static void expect(int is_right, const char* what) {
  if (is_right) return;
  fprintf(stderr, "in_c: %s\n", what);
  exit(1);
}

int main(int argc, char** argv) {
  sidl_BaseInterface ex = NULL;
  huge_Ends ends = huge_Ends__connect(argv[argc - 1], &ex);
  expect(ex == NULL, "connect");
  struct sidl_char__array* a = sidl_char__array_create1d(count);
  sidl_char__array_set1(a, count - 1, 'z');
  expect(huge_Ends_last(ends, a, &ex) == 'z' && ex == NULL, "last");
  const int64_t half = count / 2, rest = count - half, start = half;
  struct sidl_char__array* const first = sidl_char__array_slice64(a, 1, &half, NULL, NULL, NULL);
  struct sidl_char__array* const second = sidl_char__array_slice64(a, 1, &rest, &start, NULL, NULL);
  sidl_char__array_set1(first, half - 1, 'h');
  expect(huge_Ends_last(ends, first, &ex) == 'h' && ex == NULL, "the first half");
  expect(huge_Ends_last(ends, second, &ex) == 'z' && ex == NULL, "the second half");
  sidl_char__array_deleteRef(first);
  sidl_char__array_deleteRef(second);
  huge_Ends_mark(ends, &a, &ex);
  expect(ex == NULL && sidl_char__array_get1(a, count - 1) == 'm', "mark");
  sidl_char__array_deleteRef(a);
  a = huge_Ends_make(ends, count, &ex);
  expect(ex == NULL && sidl_char__array_length64(a, 0) == count, "make");
  expect(sidl_char__array_get1(a, sidl_char__array_upper64(a, 0)) == 'r', "the last one made");
  sidl_char__array_deleteRef(a);
  huge_Ends_deleteRef(ends, &ex);
  return 0;
}
