/**
 * sidlArray.h: what all SIDL arrays have in common, whatever their elements are.
 *
 * A SIDL array has 1 to 7 dimensions, each with a lower and an upper index (both inclusive) and a
 * stride, counted in elements. Arrays are reference counted and may share storage (slices, borrowed
 * data). Element access through the macros below is plain pointer arithmetic: it checks nothing,
 * and is only for arrays in host memory, as all are unless somebody puts them elsewhere
 * (sidl_memory_space.h).
 *
 * `struct sidl__array` begins every typed array (struct sidl_double__array, …): a pointer to a
 * typed array may be cast to it. All functions accept NULL, a null array: it has dimension 0, lower
 * bounds 0 and upper bounds -1. Reference counts are atomic; the contents are not synchronised.
 *
 * Bounds and strides have 64 bits. Functions without 64 at the end of their names, where there are
 * others with it, are here for programs written for Babel, whose bounds have 32 (see
 * sidl_array_functions.h).
 */
#ifndef SIDL_ARRAY_H
#define SIDL_ARRAY_H

#include <stddef.h>

#include "sidlType.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The largest number of dimensions. */
#define SIDL_MAX_ARRAY_DIMENSION 7

/** The largest index, and its negative the smallest: differences of indices do not overflow. */
#define SIDL_MAX_ARRAY_INDEX (INT64_C(1) << 62)

/**
 * How many indices there are from `lower` to `upper`; a negative number if no array has these
 * bounds. Those of no elements, of which `upper` is `lower` - 1, are indices, too; and between the
 * last indices there are more elements than can be counted.
 */
static inline int64_t sidl_array_extent(int64_t lower, int64_t upper) {
  const int are_indices = lower >= -SIDL_MAX_ARRAY_INDEX && lower <= SIDL_MAX_ARRAY_INDEX &&
                          upper >= -SIDL_MAX_ARRAY_INDEX && upper <= SIDL_MAX_ARRAY_INDEX;
  if (!are_indices || lower > upper + 1) return -1;
  return (int64_t)((uint64_t)upper - (uint64_t)lower + 1);
}

/** The order of the elements in memory. */
enum sidl_array_ordering {
  sidl_general_order = 0,      /**< any strides */
  sidl_column_major_order = 1, /**< dense, the first index runs fastest (Fortran) */
  sidl_row_major_order = 2     /**< dense, the last index runs fastest (C) */
};

/** What the elements of an array are: a basic type (sidl_bool_array … sidl_string_array), an object
 *  or a struct. */
enum sidl_array_type {
  sidl_undefined_array = 0,
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) sidl_##name##_array = array,
#include "sidl_kinds.def"
  sidl_interface_array = 11, /**< objects: sidl_BaseInterface */
  sidl_struct_array = 12     /**< structs: struct sidl__array has the description of their type */
};

struct sidl__array;
struct sidl_memory_space;
struct sidl_struct_info;

/** The operations of an array that do not depend on knowing its element type. */
struct sidl__array_vtable {
  /** Frees the array, whose last reference is gone. */
  void (*d_destroy)(struct sidl__array*);
  /** As sidl__array_smartCopy. */
  struct sidl__array* (*d_smartcopy)(struct sidl__array*);
  /** enum sidl_array_type of the elements. */
  int32_t (*d_arraytype)(void);
};

/** The part of every array that does not depend on its element type. */
struct sidl__array {
  int64_t* d_lower;  /**< d_dimen lowest indices */
  int64_t* d_upper;  /**< d_dimen highest indices; lower - 1 when there are no elements */
  int64_t* d_stride; /**< d_dimen distances, in elements, between neighbours */
  const struct sidl__array_vtable* d_vtable;
  const struct sidl_struct_info* d_struct; /**< the type of elements that are structs, else NULL */
  const struct sidl_memory_space* d_space; /**< where the elements are; NULL: in host memory */
  int32_t d_dimen;                         /**< 1 to 7 */
  int32_t d_refcount;                      /**< accessed atomically */
};

/** What all typed arrays are: any of them may be taken for this. */
struct sidl_generic__array {
  struct sidl__array d_metadata;
  void* d_firstElement; /**< the element with the lowest indices */
};

/** Takes one more reference. */
void sidl__array_addRef(struct sidl__array* array);

/** Drops a reference; the last one frees the array. */
void sidl__array_deleteRef(struct sidl__array* array);

/**
 * A reference the caller may keep: the array itself if it owns (or shares ownership of) its data,
 * else a copy. NULL if memory is exhausted.
 */
struct sidl__array* sidl__array_smartCopy(struct sidl__array* array);

/**
 * True if references to the array do not keep its elements, which belong to somebody else:
 * smartCopy would copy them. False for NULL.
 */
sidl_bool sidl__array_isBorrowed(const struct sidl__array* array);

/**
 * True if others may write to the elements while the caller has its reference: there are more
 * references to the array, or to one it was cut out of, or it is borrowed. Memory of an owner that
 * the array keeps, as of NumPy, counts as its own. False for NULL.
 */
sidl_bool sidl__array_isShared(const struct sidl__array* array);

/** Number of dimensions; 0 for NULL. */
int32_t sidl__array_dimen(const struct sidl__array* array);

/** Lowest index of dimension `ind` (0 is the first); 0 if there is no such dimension. */
int64_t sidl__array_lower64(const struct sidl__array* array, int32_t ind);
int32_t sidl__array_lower(const struct sidl__array* array, int32_t ind);

/** Highest index of dimension `ind`; -1 if there is no such dimension. */
int64_t sidl__array_upper64(const struct sidl__array* array, int32_t ind);
int32_t sidl__array_upper(const struct sidl__array* array, int32_t ind);

/** Number of indices in dimension `ind`; 0 if there is no such dimension. */
int64_t sidl__array_length64(const struct sidl__array* array, int32_t ind);
int32_t sidl__array_length(const struct sidl__array* array, int32_t ind);

/** Distance between neighbours in dimension `ind`, in elements; 0 if there is no such dimension. */
int64_t sidl__array_stride64(const struct sidl__array* array, int32_t ind);
int32_t sidl__array_stride(const struct sidl__array* array, int32_t ind);

/** True if the elements are dense and the first index runs fastest. */
sidl_bool sidl__array_isColumnOrder(const struct sidl__array* array);

/** True if the elements are dense and the last index runs fastest. */
sidl_bool sidl__array_isRowOrder(const struct sidl__array* array);

/** enum sidl_array_type of the elements; sidl_undefined_array for NULL. */
int32_t sidl__array_type(const struct sidl__array* array);

/** Number of elements in all dimensions together; 0 for NULL. */
size_t sidl__array_element_count(const struct sidl__array* array);

/** Address of the element with the lowest indices; NULL for NULL and if it is not in host memory.
 */
void* sidl__array_first(const struct sidl__array* array);

/* ---- arrays whose element type is known at run time only ----------------------------------------
 *
 * The functions of typed arrays (sidl_array_functions.h) under one name; bounds have 64 bits.
 * `type` is an enum sidl_array_type; with another one, and that of structs, they return NULL
 * (sidl_struct_array.h).
 */

/** The type of arrays of a kind (enum sidl_kind): enums are longs there, classes are objects. */
enum sidl_array_type sidl_array_type_of(int32_t element_kind);

/** Bytes of an element; 0: there is no such type, or it is that of structs. */
size_t sidl__array_element_size(int32_t type);

/** Bytes of an element of this array; 0 for NULL. */
size_t sidl__array_element_bytes(const struct sidl__array* array);

/** The type of elements that are structs; NULL for other arrays, and for NULL. */
const struct sidl_struct_info* sidl__array_struct(const struct sidl__array* array);

/** As createRow if `ordering` is sidl_row_major_order, else as createCol. */
struct sidl__array* sidl__array_create(int32_t type, int32_t ordering, int32_t dimen,
                                       const int64_t lower[], const int64_t upper[]);

/** As borrow. */
struct sidl__array* sidl__array_borrow(int32_t type, void* firstElement, int32_t dimen,
                                       const int64_t lower[], const int64_t upper[],
                                       const int64_t stride[]);

/** As borrow_owned, which arrays of objects do not have. */
struct sidl__array* sidl__array_borrow_owned(int32_t type, void* firstElement, int32_t dimen,
                                             const int64_t lower[], const int64_t upper[],
                                             const int64_t stride[], void (*release)(void* owner),
                                             void* owner);

/** As slice. */
struct sidl__array* sidl__array_slice(struct sidl__array* src, int32_t dimen,
                                      const int64_t numElem[], const int64_t* srcStart,
                                      const int64_t* srcStride, const int64_t* newStart);

/** As ensure. */
struct sidl__array* sidl__array_ensure(struct sidl__array* src, int32_t dimen, int32_t ordering);

/** As copy; does nothing either if the element types differ. */
void sidl__array_copy(const struct sidl__array* src, struct sidl__array* dest);

/* ---- kept for programs written for Babel ----------------------------------------------------- */

/** Here for programs written for Babel, whose debugging aid it is: does nothing. */
void sidl__array_add(struct sidl__array* array);

/** Here for programs written for Babel, whose debugging aid it is: does nothing. */
void sidl__array_remove(struct sidl__array* array);

/* ---- access by macro: any typed array, not NULL, indices within bounds ----------------------- */

/** Any typed array as a generic one. */
#define sidl_array_cast(array) ((struct sidl__array*)(array))

#define sidlArrayDim(array) (((const struct sidl__array*)(array))->d_dimen)
#define sidlLower(array, ind) (((const struct sidl__array*)(array))->d_lower[(ind)])
#define sidlUpper(array, ind) (((const struct sidl__array*)(array))->d_upper[(ind)])
#define sidlLength(array, ind) (sidlUpper(array, ind) - sidlLower(array, ind) + 1)
#define sidlStride(array, ind) (((const struct sidl__array*)(array))->d_stride[(ind)])

/** Elements between index `var` of dimension `ind` and the lower bound. */
#define sidlArrayDimCalc(array, ind, var) \
  ((ptrdiff_t)sidlStride(array, ind) * ((ptrdiff_t)(var)-sidlLower(array, ind)))

/** Address of an element. */
#define sidlArrayAddr1(array, i0) ((array)->d_firstElement + sidlArrayDimCalc(array, 0, i0))
#define sidlArrayAddr2(array, i0, i1) (sidlArrayAddr1(array, i0) + sidlArrayDimCalc(array, 1, i1))
#define sidlArrayAddr3(array, i0, i1, i2) \
  (sidlArrayAddr2(array, i0, i1) + sidlArrayDimCalc(array, 2, i2))
#define sidlArrayAddr4(array, i0, i1, i2, i3) \
  (sidlArrayAddr3(array, i0, i1, i2) + sidlArrayDimCalc(array, 3, i3))
#define sidlArrayAddr5(array, i0, i1, i2, i3, i4) \
  (sidlArrayAddr4(array, i0, i1, i2, i3) + sidlArrayDimCalc(array, 4, i4))
#define sidlArrayAddr6(array, i0, i1, i2, i3, i4, i5) \
  (sidlArrayAddr5(array, i0, i1, i2, i3, i4) + sidlArrayDimCalc(array, 5, i5))
#define sidlArrayAddr7(array, i0, i1, i2, i3, i4, i5, i6) \
  (sidlArrayAddr6(array, i0, i1, i2, i3, i4, i5) + sidlArrayDimCalc(array, 6, i6))

/**
 * An element, to be read or assigned. (Strings and objects: assign only what the array may own;
 * what was there before goes by sidl_String_free or deleteRef.)
 */
#define sidlArrayElem1(array, i0) (*(sidlArrayAddr1(array, i0)))
#define sidlArrayElem2(array, i0, i1) (*(sidlArrayAddr2(array, i0, i1)))
#define sidlArrayElem3(array, i0, i1, i2) (*(sidlArrayAddr3(array, i0, i1, i2)))
#define sidlArrayElem4(array, i0, i1, i2, i3) (*(sidlArrayAddr4(array, i0, i1, i2, i3)))
#define sidlArrayElem5(array, i0, i1, i2, i3, i4) (*(sidlArrayAddr5(array, i0, i1, i2, i3, i4)))
#define sidlArrayElem6(array, i0, i1, i2, i3, i4, i5) \
  (*(sidlArrayAddr6(array, i0, i1, i2, i3, i4, i5)))
#define sidlArrayElem7(array, i0, i1, i2, i3, i4, i5, i6) \
  (*(sidlArrayAddr7(array, i0, i1, i2, i3, i4, i5, i6)))

/*
 * Raw arrays (rarray): a pointer and lengths; dense, zero based, first index fastest. The last
 * length is not needed, and not an argument: RarrayElem2(a, i, j, m) of an array of m times n.
 */
#define RarrayAddr1(array, i0) ((array) + (i0))
#define RarrayAddr2(array, i0, i1, n0) ((array) + ((i0) + (n0) * (ptrdiff_t)(i1)))
#define RarrayAddr3(array, i0, i1, i2, n0, n1) \
  ((array) + ((i0) + (n0) * ((i1) + (n1) * (ptrdiff_t)(i2))))
#define RarrayAddr4(array, i0, i1, i2, i3, n0, n1, n2) \
  ((array) + ((i0) + (n0) * ((i1) + (n1) * ((i2) + (n2) * (ptrdiff_t)(i3)))))
#define RarrayAddr5(array, i0, i1, i2, i3, i4, n0, n1, n2, n3) \
  ((array) + ((i0) + (n0) * ((i1) + (n1) * ((i2) + (n2) * ((i3) + (n3) * (ptrdiff_t)(i4))))))
#define RarrayAddr6(array, i0, i1, i2, i3, i4, i5, n0, n1, n2, n3, n4) \
  ((array) +                                                           \
   ((i0) +                                                             \
    (n0) * ((i1) + (n1) * ((i2) + (n2) * ((i3) + (n3) * ((i4) + (n4) * (ptrdiff_t)(i5)))))))
#define RarrayAddr7(array, i0, i1, i2, i3, i4, i5, i6, n0, n1, n2, n3, n4, n5) \
  ((array) +                                                                   \
   ((i0) +                                                                     \
    (n0) *                                                                     \
        ((i1) +                                                                \
         (n1) * ((i2) + (n2) * ((i3) + (n3) * ((i4) + (n4) * ((i5) + (n5) * (ptrdiff_t)(i6))))))))

#define RarrayElem1(array, i0) (*(RarrayAddr1(array, i0)))
#define RarrayElem2(array, i0, i1, n0) (*(RarrayAddr2(array, i0, i1, n0)))
#define RarrayElem3(array, i0, i1, i2, n0, n1) (*(RarrayAddr3(array, i0, i1, i2, n0, n1)))
#define RarrayElem4(array, i0, i1, i2, i3, n0, n1, n2) \
  (*(RarrayAddr4(array, i0, i1, i2, i3, n0, n1, n2)))
#define RarrayElem5(array, i0, i1, i2, i3, i4, n0, n1, n2, n3) \
  (*(RarrayAddr5(array, i0, i1, i2, i3, i4, n0, n1, n2, n3)))
#define RarrayElem6(array, i0, i1, i2, i3, i4, i5, n0, n1, n2, n3, n4) \
  (*(RarrayAddr6(array, i0, i1, i2, i3, i4, i5, n0, n1, n2, n3, n4)))
#define RarrayElem7(array, i0, i1, i2, i3, i4, i5, i6, n0, n1, n2, n3, n4, n5) \
  (*(RarrayAddr7(array, i0, i1, i2, i3, i4, i5, i6, n0, n1, n2, n3, n4, n5)))

#ifdef __cplusplus
}
#endif
#endif
