/*
 * strings.c: arrays of strings, in Fortran characters of equal length padded with blanks.
 */
#include <stdlib.h>
#include <string.h>

#include "sidl_String.h"
#include "sidl_fortran.h"
#include "sidl_string_IOR.h"

static void begin(const struct sidl__array* array, int64_t* indices) {
  for (int32_t d = 0; d < array->d_dimen; ++d) indices[d] = array->d_lower[d];
}

/* Goes through the indices of an array, the first one fastest; false after the last. */
static int next_index(const struct sidl__array* array, int64_t* indices) {
  for (int32_t d = 0; d < array->d_dimen; ++d) {
    if (indices[d] < array->d_upper[d]) {
      ++indices[d];
      return 1;
    }
    indices[d] = array->d_lower[d];
  }
  return 0;
}

static char* element_of(const CFI_cdesc_t* array, const struct sidl__array* like,
                        const int64_t* indices) {
  char* at = array->base_addr;
  for (int d = 0; d < array->rank; ++d) at += (indices[d] - like->d_lower[d]) * array->dim[d].sm;
  return at;
}

/* NULL: memory is exhausted. */
static char* trimmed(const char* text, size_t length) {
  while (length > 0 && text[length - 1] == ' ') --length;
  char* const copy = malloc(length + 1);
  if (copy == NULL) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

struct sidl__array* sidl_fortran_make_strings(const CFI_cdesc_t* array, const int64_t lower[],
                                              struct sidl_BaseInterface__object** _ex) {
  int64_t indices[SIDL_MAX_ARRAY_DIMENSION];
  if (*_ex != NULL || sidl_fortran_is_none(array)) return NULL;
  struct sidl__array* const meta = sidl_fortran_create_like(array, sidl_string_array, lower);
  struct sidl_string__array* const made = (struct sidl_string__array*)(void*)meta;
  if (made == NULL) sidl_fortran_no_memory(_ex);
  if (sidl__array_element_count(meta) == 0) return meta;
  begin(meta, indices);
  do {
    char* const text = trimmed(element_of(array, meta, indices), array->elem_len);
    if (text == NULL) {
      sidl_fortran_no_memory(_ex);
      sidl__array_deleteRef(meta);
      return NULL;
    }
    sidl_string__array_set64(made, indices, text);
    free(text);
  } while (next_index(meta, indices));
  return meta;
}

static size_t longest(const struct sidl_string__array* strings, const struct sidl__array* meta) {
  int64_t indices[SIDL_MAX_ARRAY_DIMENSION];
  size_t result = 0;
  begin(meta, indices);
  do {
    char* const text = sidl_string__array_get64(strings, indices);
    const size_t length = sidl_String_strlen(text);
    if (length > result) result = length;
    sidl_String_free(text);
  } while (next_index(meta, indices));
  return result;
}

int64_t sidl_fortran_longest(const struct sidl__array* array) {
  const size_t count = sidl__array_element_count(array);
  return count == 0 ? 0
                    : (int64_t)longest((const struct sidl_string__array*)(const void*)array, array);
}

void sidl_fortran_fill_strings(const CFI_cdesc_t* copy, const struct sidl__array* array) {
  int64_t indices[SIDL_MAX_ARRAY_DIMENSION];
  const struct sidl_string__array* const strings =
      (const struct sidl_string__array*)(const void*)array;
  if (sidl__array_element_count(array) == 0) return;
  begin(array, indices);
  do {
    char* const text = sidl_string__array_get64(strings, indices);
    char* const to = element_of(copy, array, indices);
    memset(to, ' ', copy->elem_len);
    if (text != NULL) memcpy(to, text, strlen(text));
    sidl_String_free(text);
  } while (next_index(array, indices));
}
