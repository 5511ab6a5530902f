/*
 * sidl_array_functions.h: the functions of a typed array, written once.
 *
 * Included by sidl_<t>_IOR.h, once for each element type, with these macros set (and unset again at
 * the end):
 *
 *     SIDL_ARRAY_NAME    the array type's name:      sidl_double__array
 *     SIDL_ARRAY_F(f)    the name of function f:     sidl_double__array_##f
 *     SIDL_ARRAY_ELEM    the element as stored:      double
 *     SIDL_ARRAY_IN      the element as handed in:   double
 *
 * No include guard, on purpose.
 *
 * Strings and objects: `get` returns a copy (sidl_String_free) or a new reference, `set` stores a
 * copy or a reference of its own. Access outside the bounds, or with the wrong number of indices,
 * reads zero and writes nothing; so does access to elements that are not in host memory
 * (sidl_memory_space.h), which is also logged.
 *
 * A function that makes an array returns NULL when the dimensions are not 1 to 7, when a length is
 * negative, when the size cannot be represented, or when memory is exhausted. Numbers in a new
 * array are not initialised; strings, objects and opaque pointers are null.
 *
 * Bounds and strides have 64 bits. Functions whose names end in 64 take and return them as they
 * are. Those of the same names without it are here for programs written for Babel, whose bounds
 * have 32: they answer for what does not fit as if there were no such dimension, and log that.
 */

/** A dense array, first index fastest, with indices lower[d] to upper[d] in dimension d. */
struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(createCol)(int32_t dimen, const int32_t lower[],
                                                const int32_t upper[]);
struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(createCol64)(int32_t dimen, const int64_t lower[],
                                                  const int64_t upper[]);

/** A dense array, last index fastest, with indices lower[d] to upper[d] in dimension d. */
struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(createRow)(int32_t dimen, const int32_t lower[],
                                                const int32_t upper[]);
struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(createRow64)(int32_t dimen, const int64_t lower[],
                                                  const int64_t upper[]);

/** An array of indices 0 to len-1. */
struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(create1d)(int64_t len);

/** As create1d, with copies of the `len` elements at `data`. */
struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(create1dInit)(int64_t len, SIDL_ARRAY_ELEM* data);

/** An m by n array from index 0, first index fastest. */
struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(create2dCol)(int64_t m, int64_t n);

/** An m by n array from index 0, last index fastest. */
struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(create2dRow)(int64_t m, int64_t n);

/**
 * An array over data that belongs to the caller, who keeps it alive and unmoved until the last
 * reference is gone. `firstElement` is the element with the lowest indices; strides count elements.
 */
struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(borrow)(SIDL_ARRAY_ELEM* firstElement, int32_t dimen,
                                             const int32_t lower[], const int32_t upper[],
                                             const int32_t stride[]);
struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(borrow64)(SIDL_ARRAY_ELEM* firstElement, int32_t dimen,
                                               const int64_t lower[], const int64_t upper[],
                                               const int64_t stride[]);

#ifdef SIDL_ARRAY_BORROW_OWNED
/**
 * An array over data of an owner, for instance a receive buffer, which it keeps alive: when the
 * last reference to the array and its slices is dropped, that thread calls release(owner). That
 * must also free string elements, which may have been replaced meanwhile; texts at odd addresses
 * are not freed individually (sidl_String.h). smartCopy adds a reference instead of copying. On
 * failure (NULL) release is not called.
 */
struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(borrow_owned)(SIDL_ARRAY_ELEM* firstElement, int32_t dimen,
                                                   const int64_t lower[], const int64_t upper[],
                                                   const int64_t stride[],
                                                   void (*release)(void* owner), void* owner);
#endif

/**
 * Makes `result`, the caller's storage, an array over the caller's data. The four arrays and the
 * struct must outlive all use; to keep the array make a smartCopy, which copies.
 */
void SIDL_ARRAY_F(init64)(SIDL_ARRAY_ELEM* firstElement, struct SIDL_ARRAY_NAME* result,
                          int32_t dimen, const int64_t lower[], const int64_t upper[],
                          const int64_t stride[]);

/**
 * An array over a part of the elements of `src`, sharing its storage.
 *
 * numElem[d] elements are taken of dimension d of src; 0 drops the dimension, so that exactly
 * `dimen` entries are not zero. They begin at srcStart (NULL: the lower bounds) and are srcStride
 * (NULL: 1) apart. The new lower bounds are newStart (`dimen` entries; NULL: those of srcStart).
 * NULL if the part is not within src, or if no array can have the new bounds.
 */
struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(slice)(struct SIDL_ARRAY_NAME* src, int32_t dimen,
                                            const int32_t numElem[], const int32_t* srcStart,
                                            const int32_t* srcStride, const int32_t* newStart);
struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(slice64)(struct SIDL_ARRAY_NAME* src, int32_t dimen,
                                              const int64_t numElem[], const int64_t* srcStart,
                                              const int64_t* srcStride, const int64_t* newStart);

/** A reference that may be kept: the array itself, or a copy if its data is borrowed. */
struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(smartCopy)(struct SIDL_ARRAY_NAME* array);

/**
 * Adds a reference. That keeps the struct, and elements that the array owns. Borrowed elements can
 * only be kept with smartCopy, except those of a loan (sidl_raw_array.h).
 */
void SIDL_ARRAY_F(addRef)(struct SIDL_ARRAY_NAME* array);

/** Gives one reference back; the last one frees the array. */
void SIDL_ARRAY_F(deleteRef)(struct SIDL_ARRAY_NAME* array);

/** `array` as this type, or NULL if its elements are of another type. Takes no reference. */
struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(cast)(struct sidl__array* array);

/** An element of an array with 1 (… 7) dimensions. */
SIDL_ARRAY_ELEM SIDL_ARRAY_F(get1)(const struct SIDL_ARRAY_NAME* array, int64_t i0);
SIDL_ARRAY_ELEM SIDL_ARRAY_F(get2)(const struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1);
SIDL_ARRAY_ELEM SIDL_ARRAY_F(get3)(const struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                   int64_t i2);
SIDL_ARRAY_ELEM SIDL_ARRAY_F(get4)(const struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                   int64_t i2, int64_t i3);
SIDL_ARRAY_ELEM SIDL_ARRAY_F(get5)(const struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                   int64_t i2, int64_t i3, int64_t i4);
SIDL_ARRAY_ELEM SIDL_ARRAY_F(get6)(const struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                   int64_t i2, int64_t i3, int64_t i4, int64_t i5);
SIDL_ARRAY_ELEM SIDL_ARRAY_F(get7)(const struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                   int64_t i2, int64_t i3, int64_t i4, int64_t i5, int64_t i6);

/** The element whose index in dimension d is indices[d]. */
SIDL_ARRAY_ELEM SIDL_ARRAY_F(get)(const struct SIDL_ARRAY_NAME* array, const int32_t indices[]);
SIDL_ARRAY_ELEM SIDL_ARRAY_F(get64)(const struct SIDL_ARRAY_NAME* array, const int64_t indices[]);

/** Sets an element of an array with 1 (… 7) dimensions. */
void SIDL_ARRAY_F(set1)(struct SIDL_ARRAY_NAME* array, int64_t i0, SIDL_ARRAY_IN value);
void SIDL_ARRAY_F(set2)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1, SIDL_ARRAY_IN value);
void SIDL_ARRAY_F(set3)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1, int64_t i2,
                        SIDL_ARRAY_IN value);
void SIDL_ARRAY_F(set4)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1, int64_t i2,
                        int64_t i3, SIDL_ARRAY_IN value);
void SIDL_ARRAY_F(set5)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1, int64_t i2,
                        int64_t i3, int64_t i4, SIDL_ARRAY_IN value);
void SIDL_ARRAY_F(set6)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1, int64_t i2,
                        int64_t i3, int64_t i4, int64_t i5, SIDL_ARRAY_IN value);
void SIDL_ARRAY_F(set7)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1, int64_t i2,
                        int64_t i3, int64_t i4, int64_t i5, int64_t i6, SIDL_ARRAY_IN value);

/** Sets the element whose index in dimension d is indices[d]. */
void SIDL_ARRAY_F(set)(struct SIDL_ARRAY_NAME* array, const int32_t indices[], SIDL_ARRAY_IN value);
void SIDL_ARRAY_F(set64)(struct SIDL_ARRAY_NAME* array, const int64_t indices[],
                         SIDL_ARRAY_IN value);

/** Number of dimensions; 0 for NULL. */
int32_t SIDL_ARRAY_F(dimen)(const struct SIDL_ARRAY_NAME* array);

/** Lowest index of dimension `ind`; 0 if there is no such dimension. */
int32_t SIDL_ARRAY_F(lower)(const struct SIDL_ARRAY_NAME* array, int32_t ind);
int64_t SIDL_ARRAY_F(lower64)(const struct SIDL_ARRAY_NAME* array, int32_t ind);

/** Highest index of dimension `ind`; -1 if there is no such dimension. */
int32_t SIDL_ARRAY_F(upper)(const struct SIDL_ARRAY_NAME* array, int32_t ind);
int64_t SIDL_ARRAY_F(upper64)(const struct SIDL_ARRAY_NAME* array, int32_t ind);

/** Number of indices in dimension `ind`; 0 if there is no such dimension. */
int32_t SIDL_ARRAY_F(length)(const struct SIDL_ARRAY_NAME* array, int32_t ind);
int64_t SIDL_ARRAY_F(length64)(const struct SIDL_ARRAY_NAME* array, int32_t ind);

/** Distance between neighbours in dimension `ind`, in elements. */
int32_t SIDL_ARRAY_F(stride)(const struct SIDL_ARRAY_NAME* array, int32_t ind);
int64_t SIDL_ARRAY_F(stride64)(const struct SIDL_ARRAY_NAME* array, int32_t ind);

/** True if the elements are dense and the first index runs fastest. */
sidl_bool SIDL_ARRAY_F(isColumnOrder)(const struct SIDL_ARRAY_NAME* array);

/** True if the elements are dense and the last index runs fastest. */
sidl_bool SIDL_ARRAY_F(isRowOrder)(const struct SIDL_ARRAY_NAME* array);

/**
 * Copies the elements whose indices both arrays have. Does nothing if the numbers of dimensions
 * differ or either is NULL. The arrays may share storage only if they are the same.
 */
void SIDL_ARRAY_F(copy)(const struct SIDL_ARRAY_NAME* src, struct SIDL_ARRAY_NAME* dest);

/**
 * A reference to `src` if it has `dimen` dimensions and the ordering (enum sidl_array_ordering), or
 * to a copy that has the ordering. NULL if src is NULL or its number of dimensions differs.
 */
struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(ensure)(struct SIDL_ARRAY_NAME* src, int32_t dimen,
                                             int ordering);

/** Address of the element with the lowest indices; NULL for NULL and if it is not in host memory.
 */
SIDL_ARRAY_ELEM* SIDL_ARRAY_F(first)(const struct SIDL_ARRAY_NAME* array);

#undef SIDL_ARRAY_NAME
#undef SIDL_ARRAY_F
#undef SIDL_ARRAY_ELEM
#undef SIDL_ARRAY_IN
#undef SIDL_ARRAY_BORROW_OWNED
