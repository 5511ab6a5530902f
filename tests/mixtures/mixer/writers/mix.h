/* The values of keys and the codes of values (values.py), in C. */
#ifndef MIX_H
#define MIX_H

#include <alloca.h>
#include <malloc.h>
#include <pthread.h>
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
#include "sidl_rmi_Ticket.h"

#define MIX_M INT64_C(2147483647)
#define MIX_COUNT(list) (int64_t)(sizeof(list) / sizeof *(list))
enum { MIX_ANY_ORDER = -1 };

static inline int64_t mix(int64_t a, int64_t b) {
  return (a * 48271 + b) % MIX_M * 16807 % MIX_M;
}
static inline int64_t positive(int64_t k) {
  return (k % MIX_M + MIX_M) % MIX_M;
}

/* Bytes that are allocated in this process. */
static inline int64_t mix_used(void) {
  const struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
}

/* ---- references ---- */

static inline void drop(void* object) {
  sidl_BaseInterface ex = NULL;
  if (object) sidl_BaseInterface_deleteRef((sidl_BaseInterface)object, &ex);
}

static inline void* hold(void* object) {
  sidl_BaseInterface ex = NULL;
  if (object) sidl_BaseInterface_addRef((sidl_BaseInterface)object, &ex);
  return object;
}

static inline void* kept(void* array) {
  return array ? sidl__array_smartCopy((struct sidl__array*)array) : NULL;
}

static inline void let_go(void* array) {
  if (array) sidl__array_deleteRef((struct sidl__array*)array);
}

/* ---- one value ---- */

static inline sidl_bool make_bool(int64_t k) {
  return k % 2 == 1;
}
static inline char make_char(int64_t k) {
  return (char)(33 + k % 94);
}

static inline int32_t make_int(int64_t k) {
  static const int32_t edges[] = {INT32_MIN, INT32_MAX, 0, -1, 1};
  return k % 8 == 0 ? edges[k / 8 % 5] : (int32_t)(k - (1 << 30));
}

static inline int64_t make_long(int64_t k) {
  static const int64_t edges[] = {INT64_MIN, INT64_MAX, 0, -1, 1};
  return k % 8 == 0 ? edges[k / 8 % 5] : (k - (1 << 30)) * (INT64_C(1) << 31) + mix(k, 1);
}

static inline float make_float(int64_t k) {
  static const uint32_t edges[] = {0,          0x80000000, 0x7FC00000, 0x7F800000,
                                   0xFF800000, 0x7F7FFFFF, 1,          0x3F800000};
  float edge;
  memcpy(&edge, &edges[k / 8 % 8], sizeof edge);
  return k % 8 == 0 ? edge : (float)(k % (1 << 23) - (1 << 22)) / 256;
}

static inline double make_double(int64_t k) {
  static const uint64_t edges[] = {0,
                                   UINT64_C(1) << 63,
                                   UINT64_C(0x7FF8) << 48,
                                   UINT64_C(0x7FF0) << 48,
                                   UINT64_C(0xFFF0) << 48,
                                   0x7FEFFFFFFFFFFFFF,
                                   1,
                                   UINT64_C(0x3FF0) << 48};
  double edge;
  memcpy(&edge, &edges[k / 8 % 8], sizeof edge);
  return k % 8 == 0 ? edge : (double)(k - (1 << 30)) / 1024;
}

static inline struct sidl_fcomplex make_fcomplex(int64_t k) {
  return (struct sidl_fcomplex){make_float(mix(k, 1)), make_float(mix(k, 2))};
}

static inline struct sidl_dcomplex make_dcomplex(int64_t k) {
  return (struct sidl_dcomplex){make_double(mix(k, 1)), make_double(mix(k, 2))};
}

static inline char* make_text(int64_t k, int64_t length) {
  char* const made = malloc((size_t)length + 1);
  for (int64_t i = 0; i < length; ++i) made[i] = (char)(33 + (k + 7 * i) % 94);
  if (k % 5 == 0 && length >= 2) memcpy(made, "\xC3\xBC", 2);
  made[length] = '\0';
  return made;
}

static inline char* make_string(int64_t k) {
  static const int64_t lengths[] = {0,   1,   2,   3,   5,    8,     13,    21,
                                    34,  55,  89,  100, 127,  128,   129,   255,
                                    256, 511, 512, 513, 4096, 16383, 16384, 65536};
  return make_text(k, lengths[k % MIX_COUNT(lengths)]);
}

static inline mx_Cell make_Cell(int64_t k) {
  if (k % 8 == 0) return NULL;
  sidl_BaseInterface ex = NULL;
  mx_Cell cell = mx_Cell__create(&ex);
  if (cell) mx_Cell_setId(cell, mix(k, 9), &ex);
  return cell;
}

static inline mx_Named make_Named(int64_t k) {
  sidl_BaseInterface ex = NULL;
  mx_Cell cell = make_Cell(k);
  mx_Named named = mx_Named__cast(cell, &ex);
  drop(cell);
  return named;
}

static inline mx_Value make_Value(int64_t k) {
  if (k % 8 == 0) return NULL;
  sidl_BaseInterface ex = NULL;
  mx_Value value = mx_Value__create(&ex);
  if (value) mx_Value_setId(value, mix(k, 9), &ex);
  return value;
}

static inline int64_t code_bool(sidl_bool v) {
  return v != 0;
}
static inline int64_t code_char(char v) {
  return (unsigned char)v;
}
static inline int64_t code_int(int32_t v) {
  return (v + (INT64_C(1) << 31)) % MIX_M;
}

static inline int64_t code_long(int64_t v) {
  return ((v >> 32) + (INT64_C(1) << 31) + 3 * (v & 0xFFFFFFFF)) % MIX_M;
}

static inline int64_t code_float(float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  return v != v ? 7 : (int64_t)bits % MIX_M;
}

static inline int64_t code_double(double v) {
  int64_t bits;
  memcpy(&bits, &v, sizeof bits);
  return v != v ? 7 : code_long(bits);
}

static inline int64_t code_fcomplex(struct sidl_fcomplex v) {
  return mix(code_float(v.real), code_float(v.imaginary));
}

static inline int64_t code_dcomplex(struct sidl_dcomplex v) {
  return mix(code_double(v.real), code_double(v.imaginary));
}

static inline int64_t weight(int64_t i) {
  return 1 + i * 40503 % 65521;
}

static inline int64_t code_string(const char* v) {
  int64_t sum = 0, n = 0;
  for (; v && v[n]; ++n) sum += (unsigned char)v[n] * weight(n);
  return mix(sum % MIX_M, n);
}

static inline int64_t code_Named(mx_Named v) {
  sidl_BaseInterface ex = NULL;
  const int64_t id = v ? mx_Named_id(v, &ex) : 3;
  if (ex) abort();
  return id;
}

static inline int64_t code_Cell(mx_Cell v) {
  sidl_BaseInterface ex = NULL;
  const int64_t id = v ? mx_Cell_id(v, &ex) : 3;
  if (ex) abort();
  return id;
}

static inline int64_t code_Value(mx_Value v) {
  sidl_BaseInterface ex = NULL;
  return v ? mx_Value_id(v, &ex) : 3;
}

/* ---- arrays ---- */

static const int32_t mix_lengths[] = {0,    1,    2,    3,    7,    16,   64,   65,
                                      127,  128,  129,  434,  511,  512,  513,  1024,
                                      2047, 2048, 2049, 3472, 5000, 8191, 8192, 8193};
static const int32_t mix_few[] = {0, 1, 2, 3, 5};
static const int32_t mix_dims[][8] = {{0},
                                      {0},
                                      {7, 0, 1, 2, 3, 16, 33, 64},
                                      {6, 0, 1, 2, 3, 8, 9},
                                      {4, 1, 2, 3, 4},
                                      {3, 1, 2, 3},
                                      {3, 1, 2, 3},
                                      {2, 1, 2}};

static inline int is_null_key(int64_t k) {
  return mix(k, 1) % 8 == 0;
}

static inline void mix_shape(int is_small, int32_t rank, int64_t k, int32_t* lengths) {
  for (int32_t d = 0; d < rank; ++d) {
    const int64_t draw = mix(k, 2 + d);
    if (is_small && rank <= 2) {
      lengths[d] = mix_few[draw % MIX_COUNT(mix_few)];
    } else if (rank == 1) {
      lengths[d] = mix_lengths[draw % MIX_COUNT(mix_lengths)];
    } else {
      lengths[d] = mix_dims[rank][1 + draw % mix_dims[rank][0]];
    }
  }
}

/* What a caller needs to lend an array of elements of so many bytes. */
static inline size_t mix_room(int32_t rank, int64_t k, size_t size) {
  int32_t lengths[7];
  mix_shape(0, rank, k, lengths);
  for (int32_t d = 0; d < rank; ++d) size *= (size_t)lengths[d];
  return size + 16;
}

/* The next index in row order. */
static inline void mix_advance(struct sidl__array* a, int32_t* index) {
  for (int32_t d = sidlArrayDim(a) - 1; d >= 0 && ++index[d] > sidlUpper(a, d); --d) {
    index[d] = sidlLower(a, d);
  }
}

static inline int64_t mix_count(struct sidl__array* a, int32_t* index) {
  int64_t count = 1;
  for (int32_t d = 0; d < sidlArrayDim(a); ++d) {
    count *= sidlLength(a, d);
    index[d] = sidlLower(a, d);
  }
  return count;
}

/*
 * fill_, make_ and code_<name>_array. DONE gives an element back. An array that is lent has `room`;
 * others do not always begin with index 0.
 */
#define MIX_ARRAYS(name, prefix, element, is_small, BORROW, MAKE, CODE, DONE)                   \
  static inline void fill_##name##_array(struct prefix##__array* a, int64_t k) {                \
    int32_t index[7];                                                                           \
    if (!a) return;                                                                             \
    const int64_t count = mix_count((struct sidl__array*)a, index);                             \
    for (int64_t i = 0; i < count; ++i) {                                                       \
      element made = MAKE(mix(k, 1000 + i));                                                    \
      prefix##__array_set(a, index, made);                                                      \
      DONE(made);                                                                               \
      mix_advance((struct sidl__array*)a, index);                                               \
    }                                                                                           \
  }                                                                                             \
  static inline struct prefix##__array* make_##name##_array(int64_t k, int nulls, int32_t rank, \
                                                            void* room) {                       \
    int32_t lengths[7], lower[7], upper[7], stride[7], step = 1;                                \
    if (nulls && is_null_key(k)) return NULL;                                                   \
    mix_shape(is_small, rank, k, lengths);                                                      \
    for (int32_t d = 0; d < rank; ++d) {                                                        \
      lower[d] = room || k % 3 ? 0 : (int32_t)(k % 7 - 3);                                      \
      upper[d] = lower[d] + lengths[d] - 1;                                                     \
      stride[d] = step;                                                                         \
      step *= lengths[d];                                                                       \
    }                                                                                           \
    struct prefix##__array* const a = room    ? BORROW(prefix, element)                         \
                                      : k % 2 ? prefix##__array_createCol(rank, lower, upper)   \
                                              : prefix##__array_createRow(rank, lower, upper);  \
    (void)stride;                                                                               \
    fill_##name##_array(a, k);                                                                  \
    return a;                                                                                   \
  }                                                                                             \
  static inline int64_t code_##name##_array(struct prefix##__array* a) {                        \
    int32_t index[7];                                                                           \
    if (!a) return 5;                                                                           \
    int64_t found = sidlArrayDim(a), sum = 0;                                                   \
    for (int32_t d = 0; d < sidlArrayDim(a); ++d) found = mix(found, sidlLength(a, d));         \
    const int64_t count = mix_count((struct sidl__array*)a, index);                             \
    for (int64_t i = 0; i < count; ++i) {                                                       \
      element got = prefix##__array_get(a, index);                                              \
      sum = (sum + CODE(got) * weight(i) % MIX_M) % MIX_M;                                      \
      DONE(got);                                                                                \
      mix_advance((struct sidl__array*)a, index);                                               \
    }                                                                                           \
    return mix(found, sum);                                                                     \
  }

#define MIX_BORROW(prefix, element) \
  prefix##__array_borrow((element*)room, rank, lower, upper, stride)
#define MIX_OWN(prefix, element) NULL
#define MIX_NOTHING(value) (void)0
#define MIX_NUMBERS(name, element) \
  MIX_ARRAYS(name, sidl_##name, element, 0, MIX_BORROW, make_##name, code_##name, MIX_NOTHING)

MIX_NUMBERS(bool, sidl_bool)
MIX_NUMBERS(char, char)
MIX_NUMBERS(int, int32_t)
MIX_NUMBERS(long, int64_t)
MIX_NUMBERS(float, float)
MIX_NUMBERS(double, double)
MIX_NUMBERS(fcomplex, struct sidl_fcomplex)
MIX_NUMBERS(dcomplex, struct sidl_dcomplex)
static inline char* mix_short(int64_t k) {
  return make_text(k, k % 7);
}
MIX_ARRAYS(string, sidl_string, char*, 1, MIX_OWN, mix_short, code_string, sidl_String_free)
MIX_ARRAYS(Named, mx_Named, mx_Named, 1, MIX_OWN, make_Named, code_Named, drop)
MIX_ARRAYS(Cell, mx_Cell, mx_Cell, 1, MIX_OWN, make_Cell, code_Cell, drop)

/* ---- arrays of any type ---- */

#define MIX_KINDS(DO) \
  DO(0, bool)         \
  DO(1, char)         \
  DO(2, int) DO(3, long) DO(4, float) DO(5, double) DO(6, fcomplex) DO(7, dcomplex) DO(8, string)

static inline struct sidl__array* make_any(int64_t k, int nulls) {
  const int32_t rank = 1 + (int32_t)(mix(k, 7) % 3);
  if (nulls && is_null_key(k)) return NULL;
  switch (mix(k, 6) % 9) {
#define MIX_MAKE_KIND(n, name) \
  case n:                      \
    return (struct sidl__array*)make_##name##_array(k, 0, rank, NULL);
    MIX_KINDS(MIX_MAKE_KIND)
  }
  return NULL;
}

static inline int64_t code_any(struct sidl__array* a) {
  if (!a) return 5;
#define MIX_CODE_KIND(n, name)                    \
  if (sidl__array_type(a) == sidl_##name##_array) \
    return mix(code_##name##_array((struct sidl_##name##__array*)a), n);
  MIX_KINDS(MIX_CODE_KIND)
  return -1;
}

/* ---- exceptions ---- */

static inline char* mix_note(sidl_BaseInterface ex) {
  sidl_BaseInterface other = NULL;
  sidl_BaseException failure = sidl_BaseException__cast(ex, &other);
  char* const note = sidl_BaseException_getNote(failure, &other);
  drop(failure);
  return note;
}

static inline char* mix_class(sidl_BaseInterface ex) {
  sidl_BaseInterface other = NULL;
  sidl_ClassInfo info = sidl_BaseInterface_getClassInfo(ex, &other);
  char* const found = sidl_ClassInfo_getName(info, &other);
  drop(info);
  return found;
}

/* Clears an exception: its code, or its text where there is room for it. */
static inline int64_t mix_thrown(sidl_BaseInterface* ex, char* text) {
  char* const name = mix_class(*ex);
  char* const note = mix_note(*ex);
  const int64_t found = mix(code_string(name), code_string(note));
  if (text) snprintf(text, 400, "%s %s", name, note ? note : "");
  sidl_String_free(name);
  sidl_String_free(note);
  SIDL_CLEAR(*ex);
  return found;
}

/* ---- what implementations share ---- */

static inline void mix_add(int64_t* total, int64_t h) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  *total = (*total + h) % MIX_M;
  pthread_mutex_unlock(&lock);
}

#endif
