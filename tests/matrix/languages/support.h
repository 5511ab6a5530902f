/* What the suite in C makes and compares values with, in its program and in its implementations. */
#ifndef MX_SUPPORT_H
#define MX_SUPPORT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mx.h"
#include "sidlArray.h"
#include "sidl_BaseException.h"
#include "sidl_ClassInfo.h"
#include "sidl_Exception.h"
#include "sidl_String.h"
#include "sidl_memory_space.h"
#include "sidl_rmi_Ticket.h"

#define SETUP                   \
  sidl_BaseInterface ex = NULL; \
  const char* failure = NULL;   \
  (void)failure

/* ---- references -------------------------------------------------------------------------------
 */

static inline void drop(void* object) {
  sidl_BaseInterface ex = NULL;
  if (object) sidl_BaseInterface_deleteRef((sidl_BaseInterface)object, &ex);
}

static inline void* hold(void* object) {
  sidl_BaseInterface ex = NULL;
  if (object) sidl_BaseInterface_addRef((sidl_BaseInterface)object, &ex);
  return object;
}

static inline struct sidl__array* hold_array(struct sidl__array* array) {
  if (array) sidl__array_addRef(array);
  return array;
}

static inline int32_t number_of(void* object) {
  sidl_BaseInterface ex = NULL;
  mx_Named named = mx_Named__cast(object, &ex);
  if (named) {
    const int32_t number = mx_Named_number(named, &ex);
    drop(named);
    return number;
  }
  mx_Value value = mx_Value__cast(object, &ex);
  const int32_t number = value ? mx_Value_number(value, &ex) : -1;
  drop(value);
  return number;
}

static inline mx_Cell new_Cell(int32_t number) {
  sidl_BaseInterface ex = NULL;
  mx_Cell cell = mx_Cell__create(&ex);
  if (cell) mx_Cell_set(cell, number, &ex);
  return cell;
}

static inline mx_Named new_Named(int32_t number) {
  sidl_BaseInterface ex = NULL;
  mx_Cell cell = new_Cell(number);
  mx_Named named = mx_Named__cast(cell, &ex);
  drop(cell);
  return named;
}

static inline mx_Value new_Value(int32_t number) {
  sidl_BaseInterface ex = NULL;
  mx_Value value = mx_Value__create(&ex);
  if (value) mx_Value_set(value, number, &ex);
  return value;
}

/* ---- values -----------------------------------------------------------------------------------
 */

static inline int same_text(const char* a, const char* b) {
  return a && strcmp(a, b) == 0;
}

/* The next index in row order. */
static inline void advance(int32_t rank, const int64_t* lower, const int64_t* upper,
                           int64_t* index) {
  for (int32_t d = rank - 1; d >= 0 && ++index[d] > upper[d]; --d) index[d] = lower[d];
}

static inline int64_t count_of(int32_t rank, const int64_t* lower, const int64_t* upper) {
  int64_t count = 1;
  for (int32_t d = 0; d < rank; ++d) count *= upper[d] - lower[d] + 1;
  return count;
}

static inline int has_bounds(const void* array, int32_t rank, const int64_t* lower,
                             const int64_t* upper) {
  if (!array || sidlArrayDim(array) != rank) return 0;
  for (int32_t d = 0; d < rank; ++d) {
    if (sidlLower(array, d) != lower[d] || sidlUpper(array, d) != upper[d]) return 0;
  }
  return 1;
}

/*
 * make_<name> and same_<name>: arrays with elements in row order. PUT and EQUALS are statements
 * that store or compare a value at an index. Structs belong to PUT.
 */
#define ARRAYS(name, prefix, value_type, PUT, EQUALS) \
  MAKE_ARRAY(name, prefix, value_type, PUT)           \
  SAME_ARRAY(name, prefix, value_type, EQUALS)
#define MAKE_ARRAY(name, prefix, value_type, PUT)                            \
  static inline struct prefix##_##name##__array* make_##name(                \
      int columns, int32_t rank, const int64_t* lower, const int64_t* upper, \
      const value_type* values) {                                            \
    int64_t index[7];                                                        \
    for (int32_t d = 0; d < rank; ++d) index[d] = lower[d];                  \
    struct prefix##_##name##__array* const array =                           \
        columns ? prefix##_##name##__array_createCol64(rank, lower, upper)   \
                : prefix##_##name##__array_createRow64(rank, lower, upper);  \
    for (int64_t i = 0; i < count_of(rank, lower, upper); ++i) {             \
      PUT(name, prefix);                                                     \
      advance(rank, lower, upper, index);                                    \
    }                                                                        \
    return array;                                                            \
  }
#define SAME_ARRAY(name, prefix, value_type, EQUALS)                                  \
  static inline int same_##name(struct prefix##_##name##__array* array, int32_t rank, \
                                const int64_t* lower, const int64_t* upper,           \
                                const value_type* values) {                           \
    int64_t index[7];                                                                 \
    if (!has_bounds(array, rank, lower, upper)) return 0;                             \
    for (int32_t d = 0; d < rank; ++d) index[d] = lower[d];                           \
    int is_same = 1;                                                                  \
    for (int64_t i = 0; i < count_of(rank, lower, upper); ++i) {                      \
      EQUALS(name, prefix);                                                           \
      advance(rank, lower, upper, index);                                             \
    }                                                                                 \
    return is_same;                                                                   \
  }

#define PUT_NUMBER(name, prefix) prefix##_##name##__array_set64(array, index, values[i])
#define NUMBER_EQUALS(name, prefix) \
  is_same = is_same && prefix##_##name##__array_get64(array, index) == values[i]
#define TRUTH_EQUALS(name, prefix) \
  is_same = is_same && !prefix##_##name##__array_get64(array, index) == !values[i]
#define COMPLEX_EQUALS(name, prefix)                                                          \
  is_same = is_same && prefix##_##name##__array_get64(array, index).real == values[i].real && \
            prefix##_##name##__array_get64(array, index).imaginary == values[i].imaginary
#define TEXT_EQUALS(name, prefix)                                   \
  char* const found = prefix##_##name##__array_get64(array, index); \
  is_same = is_same && same_text(found, values[i]);                 \
  sidl_String_free(found)
#define PUT_OBJECT(name, prefix)                      \
  mx_##name const made = new_##name(values[i]);       \
  prefix##_##name##__array_set64(array, index, made); \
  drop(made)
#define OBJECT_EQUALS(name, prefix)                                     \
  mx_##name const found = prefix##_##name##__array_get64(array, index); \
  is_same = is_same && found && number_of(found) == values[i];          \
  drop(found)

#define PUT_STRUCT(name, prefix)                        \
  struct mx_##name##__data given = values[i];           \
  sidl_BaseInterface ex = NULL;                         \
  prefix##_##name##__array_set64(array, index, &given); \
  mx_##name##__destroy(&given, &ex)

ARRAYS(bool, sidl, sidl_bool, PUT_NUMBER, TRUTH_EQUALS)
ARRAYS(char, sidl, char, PUT_NUMBER, NUMBER_EQUALS)
ARRAYS(int, sidl, int32_t, PUT_NUMBER, NUMBER_EQUALS)
ARRAYS(long, sidl, int64_t, PUT_NUMBER, NUMBER_EQUALS)
ARRAYS(float, sidl, float, PUT_NUMBER, NUMBER_EQUALS)
ARRAYS(double, sidl, double, PUT_NUMBER, NUMBER_EQUALS)
ARRAYS(fcomplex, sidl, struct sidl_fcomplex, PUT_NUMBER, COMPLEX_EQUALS)
ARRAYS(dcomplex, sidl, struct sidl_dcomplex, PUT_NUMBER, COMPLEX_EQUALS)
ARRAYS(string, sidl, const char*, PUT_NUMBER, TEXT_EQUALS)
ARRAYS(Color, mx, int64_t, PUT_NUMBER, NUMBER_EQUALS)
ARRAYS(Named, mx, int32_t, PUT_OBJECT, OBJECT_EQUALS)
MAKE_ARRAY(Mass, mx, struct mx_Mass__data, PUT_STRUCT)
MAKE_ARRAY(Point, mx, struct mx_Point__data, PUT_STRUCT)
MAKE_ARRAY(Line, mx, struct mx_Line__data, PUT_STRUCT)

/* ---- exceptions and reports -------------------------------------------------------------------
 */

static inline char* note_of(sidl_BaseInterface ex) {
  sidl_BaseInterface other = NULL;
  sidl_BaseException failure = sidl_BaseException__cast(ex, &other);
  char* const note = sidl_BaseException_getNote(failure, &other);
  drop(failure);
  return note;
}

/* What was thrown and should not have been. */
static inline const char* told(sidl_BaseInterface* ex) {
  static char line[400];
  char* const note = note_of(*ex);
  snprintf(line, sizeof line, "threw: %s", note);
  for (char* c = line; *c != '\0'; ++c) {
    if (*c == '\n') *c = ' ';
  }
  sidl_String_free(note);
  SIDL_CLEAR(*ex);
  return line;
}

/* NULL if this class was thrown, with this note, which may be "": any. */
static inline const char* thrown(sidl_BaseInterface* ex, const char* name, const char* note) {
  if (!*ex) return "threw nothing";
  sidl_BaseInterface other = NULL;
  sidl_ClassInfo info = sidl_BaseInterface_getClassInfo(*ex, &other);
  char* const found = sidl_ClassInfo_getName(info, &other);
  char* const said = note_of(*ex);
  const int is_right = same_text(found, name) && (*note == '\0' || same_text(said, note));
  sidl_String_free(found);
  sidl_String_free(said);
  drop(info);
  if (!is_right) return told(ex);
  SIDL_CLEAR(*ex);
  return NULL;
}

static inline void tell(const char* group, const char* name, const char* failure) {
  printf("%s\t%s\t%s\n", group, name, failure ? failure : "ok");
  fflush(stdout);
}

#endif
