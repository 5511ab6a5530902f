/*
 * sidl_object_array_functions.h: the functions of an array of objects of one type, written once.
 *
 * Included by the C header of each class and interface, with these macros set (and unset again at
 * the end):
 *
 *     SIDL_ARRAY_NAME     the array type's name:    demo_Solver__array
 *     SIDL_ARRAY_F(f)     the name of function f:   demo_Solver__array_##f
 *     SIDL_ARRAY_OBJECT   the type of an object:    struct demo_Solver__object*
 *     SIDL_ARRAY_INFO     its type information:     demo_Solver__info
 *
 * Apart from its name such an array is a sidl_interface__array: the functions are those described
 * in sidl_array_functions.h. `get` returns a new reference, cast to the type; NULL if the object is
 * not of it. `set` and create1dInit add their own references.
 *
 * No include guard, on purpose.
 */

/** Same layout as struct sidl_interface__array. */
struct SIDL_ARRAY_NAME {
  struct sidl__array d_metadata;
  struct sidl_BaseInterface__object** d_firstElement;
};

#define SIDL_ARRAY_MADE(function, ...) \
  ((struct SIDL_ARRAY_NAME*)sidl_interface__array_##function(__VA_ARGS__))
#define SIDL_ARRAY_BASE(array) ((struct sidl_interface__array*)(array))
#define SIDL_ARRAY_CONST(array) ((const struct sidl_interface__array*)(array))
#define SIDL_ARRAY_SEEN(object) ((SIDL_ARRAY_OBJECT)sidl_cast_over((object), &SIDL_ARRAY_INFO))
#define SIDL_ARRAY_STORED(object) ((struct sidl_BaseInterface__object*)(object))

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(createCol)(int32_t dimen, const int32_t lower[],
                                                              const int32_t upper[]) {
  return SIDL_ARRAY_MADE(createCol, dimen, lower, upper);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(createCol64)(int32_t dimen,
                                                                const int64_t lower[],
                                                                const int64_t upper[]) {
  return SIDL_ARRAY_MADE(createCol64, dimen, lower, upper);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(createRow)(int32_t dimen, const int32_t lower[],
                                                              const int32_t upper[]) {
  return SIDL_ARRAY_MADE(createRow, dimen, lower, upper);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(createRow64)(int32_t dimen,
                                                                const int64_t lower[],
                                                                const int64_t upper[]) {
  return SIDL_ARRAY_MADE(createRow64, dimen, lower, upper);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(create1d)(int64_t len) {
  return SIDL_ARRAY_MADE(create1d, len);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(create1dInit)(int64_t len,
                                                                 SIDL_ARRAY_OBJECT* data) {
  return SIDL_ARRAY_MADE(create1dInit, len, (struct sidl_BaseInterface__object**)data);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(create2dCol)(int64_t m, int64_t n) {
  return SIDL_ARRAY_MADE(create2dCol, m, n);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(create2dRow)(int64_t m, int64_t n) {
  return SIDL_ARRAY_MADE(create2dRow, m, n);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(borrow)(SIDL_ARRAY_OBJECT* firstElement,
                                                           int32_t dimen, const int32_t lower[],
                                                           const int32_t upper[],
                                                           const int32_t stride[]) {
  return SIDL_ARRAY_MADE(borrow, (struct sidl_BaseInterface__object**)firstElement, dimen, lower,
                         upper, stride);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(borrow64)(SIDL_ARRAY_OBJECT* firstElement,
                                                             int32_t dimen, const int64_t lower[],
                                                             const int64_t upper[],
                                                             const int64_t stride[]) {
  return SIDL_ARRAY_MADE(borrow64, (struct sidl_BaseInterface__object**)firstElement, dimen, lower,
                         upper, stride);
}

static inline void SIDL_ARRAY_F(init64)(SIDL_ARRAY_OBJECT* firstElement,
                                        struct SIDL_ARRAY_NAME* result, int32_t dimen,
                                        const int64_t lower[], const int64_t upper[],
                                        const int64_t stride[]) {
  sidl_interface__array_init64((struct sidl_BaseInterface__object**)firstElement,
                               SIDL_ARRAY_BASE(result), dimen, lower, upper, stride);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(slice)(struct SIDL_ARRAY_NAME* src,
                                                          int32_t dimen, const int32_t numElem[],
                                                          const int32_t* srcStart,
                                                          const int32_t* srcStride,
                                                          const int32_t* newStart) {
  return SIDL_ARRAY_MADE(slice, SIDL_ARRAY_BASE(src), dimen, numElem, srcStart, srcStride,
                         newStart);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(slice64)(struct SIDL_ARRAY_NAME* src,
                                                            int32_t dimen, const int64_t numElem[],
                                                            const int64_t* srcStart,
                                                            const int64_t* srcStride,
                                                            const int64_t* newStart) {
  return SIDL_ARRAY_MADE(slice64, SIDL_ARRAY_BASE(src), dimen, numElem, srcStart, srcStride,
                         newStart);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(smartCopy)(struct SIDL_ARRAY_NAME* array) {
  return SIDL_ARRAY_MADE(smartCopy, SIDL_ARRAY_BASE(array));
}

static inline void SIDL_ARRAY_F(addRef)(struct SIDL_ARRAY_NAME* array) {
  sidl_interface__array_addRef(SIDL_ARRAY_BASE(array));
}

static inline void SIDL_ARRAY_F(deleteRef)(struct SIDL_ARRAY_NAME* array) {
  sidl_interface__array_deleteRef(SIDL_ARRAY_BASE(array));
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(cast)(struct sidl__array* array) {
  return SIDL_ARRAY_MADE(cast, array);
}

static inline SIDL_ARRAY_OBJECT SIDL_ARRAY_F(get1)(const struct SIDL_ARRAY_NAME* array,
                                                   int64_t i0) {
  return SIDL_ARRAY_SEEN(sidl_interface__array_get1(SIDL_ARRAY_CONST(array), i0));
}

static inline SIDL_ARRAY_OBJECT SIDL_ARRAY_F(get2)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                                   int64_t i1) {
  return SIDL_ARRAY_SEEN(sidl_interface__array_get2(SIDL_ARRAY_CONST(array), i0, i1));
}

static inline SIDL_ARRAY_OBJECT SIDL_ARRAY_F(get3)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                                   int64_t i1, int64_t i2) {
  return SIDL_ARRAY_SEEN(sidl_interface__array_get3(SIDL_ARRAY_CONST(array), i0, i1, i2));
}

static inline SIDL_ARRAY_OBJECT SIDL_ARRAY_F(get4)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                                   int64_t i1, int64_t i2, int64_t i3) {
  return SIDL_ARRAY_SEEN(sidl_interface__array_get4(SIDL_ARRAY_CONST(array), i0, i1, i2, i3));
}

static inline SIDL_ARRAY_OBJECT SIDL_ARRAY_F(get5)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                                   int64_t i1, int64_t i2, int64_t i3, int64_t i4) {
  return SIDL_ARRAY_SEEN(sidl_interface__array_get5(SIDL_ARRAY_CONST(array), i0, i1, i2, i3, i4));
}

static inline SIDL_ARRAY_OBJECT SIDL_ARRAY_F(get6)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                                   int64_t i1, int64_t i2, int64_t i3, int64_t i4,
                                                   int64_t i5) {
  return SIDL_ARRAY_SEEN(
      sidl_interface__array_get6(SIDL_ARRAY_CONST(array), i0, i1, i2, i3, i4, i5));
}

static inline SIDL_ARRAY_OBJECT SIDL_ARRAY_F(get7)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                                   int64_t i1, int64_t i2, int64_t i3, int64_t i4,
                                                   int64_t i5, int64_t i6) {
  return SIDL_ARRAY_SEEN(
      sidl_interface__array_get7(SIDL_ARRAY_CONST(array), i0, i1, i2, i3, i4, i5, i6));
}

static inline SIDL_ARRAY_OBJECT SIDL_ARRAY_F(get)(const struct SIDL_ARRAY_NAME* array,
                                                  const int32_t indices[]) {
  return SIDL_ARRAY_SEEN(sidl_interface__array_get(SIDL_ARRAY_CONST(array), indices));
}

static inline SIDL_ARRAY_OBJECT SIDL_ARRAY_F(get64)(const struct SIDL_ARRAY_NAME* array,
                                                    const int64_t indices[]) {
  return SIDL_ARRAY_SEEN(sidl_interface__array_get64(SIDL_ARRAY_CONST(array), indices));
}

static inline void SIDL_ARRAY_F(set1)(struct SIDL_ARRAY_NAME* array, int64_t i0,
                                      SIDL_ARRAY_OBJECT value) {
  sidl_interface__array_set1(SIDL_ARRAY_BASE(array), i0, SIDL_ARRAY_STORED(value));
}

static inline void SIDL_ARRAY_F(set2)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                      SIDL_ARRAY_OBJECT value) {
  sidl_interface__array_set2(SIDL_ARRAY_BASE(array), i0, i1, SIDL_ARRAY_STORED(value));
}

static inline void SIDL_ARRAY_F(set3)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                      int64_t i2, SIDL_ARRAY_OBJECT value) {
  sidl_interface__array_set3(SIDL_ARRAY_BASE(array), i0, i1, i2, SIDL_ARRAY_STORED(value));
}

static inline void SIDL_ARRAY_F(set4)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                      int64_t i2, int64_t i3, SIDL_ARRAY_OBJECT value) {
  sidl_interface__array_set4(SIDL_ARRAY_BASE(array), i0, i1, i2, i3, SIDL_ARRAY_STORED(value));
}

static inline void SIDL_ARRAY_F(set5)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                      int64_t i2, int64_t i3, int64_t i4, SIDL_ARRAY_OBJECT value) {
  sidl_interface__array_set5(SIDL_ARRAY_BASE(array), i0, i1, i2, i3, i4, SIDL_ARRAY_STORED(value));
}

static inline void SIDL_ARRAY_F(set6)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                      int64_t i2, int64_t i3, int64_t i4, int64_t i5,
                                      SIDL_ARRAY_OBJECT value) {
  sidl_interface__array_set6(SIDL_ARRAY_BASE(array), i0, i1, i2, i3, i4, i5,
                             SIDL_ARRAY_STORED(value));
}

static inline void SIDL_ARRAY_F(set7)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                      int64_t i2, int64_t i3, int64_t i4, int64_t i5, int64_t i6,
                                      SIDL_ARRAY_OBJECT value) {
  sidl_interface__array_set7(SIDL_ARRAY_BASE(array), i0, i1, i2, i3, i4, i5, i6,
                             SIDL_ARRAY_STORED(value));
}

static inline void SIDL_ARRAY_F(set)(struct SIDL_ARRAY_NAME* array, const int32_t indices[],
                                     SIDL_ARRAY_OBJECT value) {
  sidl_interface__array_set(SIDL_ARRAY_BASE(array), indices, SIDL_ARRAY_STORED(value));
}

static inline void SIDL_ARRAY_F(set64)(struct SIDL_ARRAY_NAME* array, const int64_t indices[],
                                       SIDL_ARRAY_OBJECT value) {
  sidl_interface__array_set64(SIDL_ARRAY_BASE(array), indices, SIDL_ARRAY_STORED(value));
}

static inline int32_t SIDL_ARRAY_F(dimen)(const struct SIDL_ARRAY_NAME* array) {
  return sidl_interface__array_dimen(SIDL_ARRAY_CONST(array));
}

static inline int32_t SIDL_ARRAY_F(lower)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl_interface__array_lower(SIDL_ARRAY_CONST(array), ind);
}

static inline int64_t SIDL_ARRAY_F(lower64)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl_interface__array_lower64(SIDL_ARRAY_CONST(array), ind);
}

static inline int32_t SIDL_ARRAY_F(upper)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl_interface__array_upper(SIDL_ARRAY_CONST(array), ind);
}

static inline int64_t SIDL_ARRAY_F(upper64)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl_interface__array_upper64(SIDL_ARRAY_CONST(array), ind);
}

static inline int32_t SIDL_ARRAY_F(length)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl_interface__array_length(SIDL_ARRAY_CONST(array), ind);
}

static inline int64_t SIDL_ARRAY_F(length64)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl_interface__array_length64(SIDL_ARRAY_CONST(array), ind);
}

static inline int32_t SIDL_ARRAY_F(stride)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl_interface__array_stride(SIDL_ARRAY_CONST(array), ind);
}

static inline int64_t SIDL_ARRAY_F(stride64)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl_interface__array_stride64(SIDL_ARRAY_CONST(array), ind);
}

static inline sidl_bool SIDL_ARRAY_F(isColumnOrder)(const struct SIDL_ARRAY_NAME* array) {
  return sidl_interface__array_isColumnOrder(SIDL_ARRAY_CONST(array));
}

static inline sidl_bool SIDL_ARRAY_F(isRowOrder)(const struct SIDL_ARRAY_NAME* array) {
  return sidl_interface__array_isRowOrder(SIDL_ARRAY_CONST(array));
}

static inline void SIDL_ARRAY_F(copy)(const struct SIDL_ARRAY_NAME* src,
                                      struct SIDL_ARRAY_NAME* dest) {
  sidl_interface__array_copy(SIDL_ARRAY_CONST(src), SIDL_ARRAY_BASE(dest));
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(ensure)(struct SIDL_ARRAY_NAME* src,
                                                           int32_t dimen, int ordering) {
  return SIDL_ARRAY_MADE(ensure, SIDL_ARRAY_BASE(src), dimen, ordering);
}

/** The elements as stored, whose pointers may be of another type than SIDL_ARRAY_OBJECT. */
static inline struct sidl_BaseInterface__object** SIDL_ARRAY_F(first)(
    const struct SIDL_ARRAY_NAME* array) {
  return sidl_interface__array_first(SIDL_ARRAY_CONST(array));
}

#undef SIDL_ARRAY_NAME
#undef SIDL_ARRAY_F
#undef SIDL_ARRAY_OBJECT
#undef SIDL_ARRAY_INFO
#undef SIDL_ARRAY_MADE
#undef SIDL_ARRAY_BASE
#undef SIDL_ARRAY_CONST
#undef SIDL_ARRAY_SEEN
#undef SIDL_ARRAY_STORED
