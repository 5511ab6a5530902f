/*
 * sidl_enum_array_functions.h: the functions of an array of enumerators, written once.
 *
 * Included by the C header of each enum, with these macros set (and unset again at the end):
 *
 *     SIDL_ARRAY_NAME    the array type's name:   demo_Norm__array
 *     SIDL_ARRAY_F(f)    the name of function f:  demo_Norm__array_##f
 *
 * Enumerators are stored as int64_t, and apart from its name such an array is a sidl_long__array:
 * the functions are those described in sidl_array_functions.h.
 *
 * No include guard, on purpose.
 */

/** Same layout as struct sidl_long__array. */
struct SIDL_ARRAY_NAME {
  struct sidl__array d_metadata;
  int64_t* d_firstElement;
};

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(createCol)(int32_t dimen, const int32_t lower[],
                                                              const int32_t upper[]) {
  return (struct SIDL_ARRAY_NAME*)sidl_long__array_createCol(dimen, lower, upper);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(createCol64)(int32_t dimen,
                                                                const int64_t lower[],
                                                                const int64_t upper[]) {
  return (struct SIDL_ARRAY_NAME*)sidl_long__array_createCol64(dimen, lower, upper);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(createRow)(int32_t dimen, const int32_t lower[],
                                                              const int32_t upper[]) {
  return (struct SIDL_ARRAY_NAME*)sidl_long__array_createRow(dimen, lower, upper);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(createRow64)(int32_t dimen,
                                                                const int64_t lower[],
                                                                const int64_t upper[]) {
  return (struct SIDL_ARRAY_NAME*)sidl_long__array_createRow64(dimen, lower, upper);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(create1d)(int64_t len) {
  return (struct SIDL_ARRAY_NAME*)sidl_long__array_create1d(len);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(create1dInit)(int64_t len, int64_t* data) {
  return (struct SIDL_ARRAY_NAME*)sidl_long__array_create1dInit(len, data);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(create2dCol)(int64_t m, int64_t n) {
  return (struct SIDL_ARRAY_NAME*)sidl_long__array_create2dCol(m, n);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(create2dRow)(int64_t m, int64_t n) {
  return (struct SIDL_ARRAY_NAME*)sidl_long__array_create2dRow(m, n);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(borrow)(int64_t* firstElement, int32_t dimen,
                                                           const int32_t lower[],
                                                           const int32_t upper[],
                                                           const int32_t stride[]) {
  return (struct SIDL_ARRAY_NAME*)sidl_long__array_borrow(firstElement, dimen, lower, upper,
                                                          stride);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(borrow64)(int64_t* firstElement, int32_t dimen,
                                                             const int64_t lower[],
                                                             const int64_t upper[],
                                                             const int64_t stride[]) {
  return (struct SIDL_ARRAY_NAME*)sidl_long__array_borrow64(firstElement, dimen, lower, upper,
                                                            stride);
}

static inline void SIDL_ARRAY_F(init64)(int64_t* firstElement, struct SIDL_ARRAY_NAME* result,
                                        int32_t dimen, const int64_t lower[], const int64_t upper[],
                                        const int64_t stride[]) {
  sidl_long__array_init64(firstElement, (struct sidl_long__array*)result, dimen, lower, upper,
                          stride);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(slice)(struct SIDL_ARRAY_NAME* src,
                                                          int32_t dimen, const int32_t numElem[],
                                                          const int32_t* srcStart,
                                                          const int32_t* srcStride,
                                                          const int32_t* newStart) {
  return (struct SIDL_ARRAY_NAME*)sidl_long__array_slice((struct sidl_long__array*)src, dimen,
                                                         numElem, srcStart, srcStride, newStart);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(slice64)(struct SIDL_ARRAY_NAME* src,
                                                            int32_t dimen, const int64_t numElem[],
                                                            const int64_t* srcStart,
                                                            const int64_t* srcStride,
                                                            const int64_t* newStart) {
  return (struct SIDL_ARRAY_NAME*)sidl_long__array_slice64((struct sidl_long__array*)src, dimen,
                                                           numElem, srcStart, srcStride, newStart);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(smartCopy)(struct SIDL_ARRAY_NAME* array) {
  return (struct SIDL_ARRAY_NAME*)sidl_long__array_smartCopy((struct sidl_long__array*)array);
}

static inline void SIDL_ARRAY_F(addRef)(struct SIDL_ARRAY_NAME* array) {
  sidl_long__array_addRef((struct sidl_long__array*)array);
}

static inline void SIDL_ARRAY_F(deleteRef)(struct SIDL_ARRAY_NAME* array) {
  sidl_long__array_deleteRef((struct sidl_long__array*)array);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(cast)(struct sidl__array* array) {
  return (struct SIDL_ARRAY_NAME*)sidl_long__array_cast(array);
}

static inline int64_t SIDL_ARRAY_F(get1)(const struct SIDL_ARRAY_NAME* array, int64_t i0) {
  return sidl_long__array_get1((const struct sidl_long__array*)array, i0);
}

static inline int64_t SIDL_ARRAY_F(get2)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                         int64_t i1) {
  return sidl_long__array_get2((const struct sidl_long__array*)array, i0, i1);
}

static inline int64_t SIDL_ARRAY_F(get3)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                         int64_t i1, int64_t i2) {
  return sidl_long__array_get3((const struct sidl_long__array*)array, i0, i1, i2);
}

static inline int64_t SIDL_ARRAY_F(get4)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                         int64_t i1, int64_t i2, int64_t i3) {
  return sidl_long__array_get4((const struct sidl_long__array*)array, i0, i1, i2, i3);
}

static inline int64_t SIDL_ARRAY_F(get5)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                         int64_t i1, int64_t i2, int64_t i3, int64_t i4) {
  return sidl_long__array_get5((const struct sidl_long__array*)array, i0, i1, i2, i3, i4);
}

static inline int64_t SIDL_ARRAY_F(get6)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                         int64_t i1, int64_t i2, int64_t i3, int64_t i4,
                                         int64_t i5) {
  return sidl_long__array_get6((const struct sidl_long__array*)array, i0, i1, i2, i3, i4, i5);
}

static inline int64_t SIDL_ARRAY_F(get7)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                         int64_t i1, int64_t i2, int64_t i3, int64_t i4, int64_t i5,
                                         int64_t i6) {
  return sidl_long__array_get7((const struct sidl_long__array*)array, i0, i1, i2, i3, i4, i5, i6);
}

static inline int64_t SIDL_ARRAY_F(get)(const struct SIDL_ARRAY_NAME* array,
                                        const int32_t indices[]) {
  return sidl_long__array_get((const struct sidl_long__array*)array, indices);
}

static inline int64_t SIDL_ARRAY_F(get64)(const struct SIDL_ARRAY_NAME* array,
                                          const int64_t indices[]) {
  return sidl_long__array_get64((const struct sidl_long__array*)array, indices);
}

static inline void SIDL_ARRAY_F(set1)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t value) {
  sidl_long__array_set1((struct sidl_long__array*)array, i0, value);
}

static inline void SIDL_ARRAY_F(set2)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                      int64_t value) {
  sidl_long__array_set2((struct sidl_long__array*)array, i0, i1, value);
}

static inline void SIDL_ARRAY_F(set3)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                      int64_t i2, int64_t value) {
  sidl_long__array_set3((struct sidl_long__array*)array, i0, i1, i2, value);
}

static inline void SIDL_ARRAY_F(set4)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                      int64_t i2, int64_t i3, int64_t value) {
  sidl_long__array_set4((struct sidl_long__array*)array, i0, i1, i2, i3, value);
}

static inline void SIDL_ARRAY_F(set5)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                      int64_t i2, int64_t i3, int64_t i4, int64_t value) {
  sidl_long__array_set5((struct sidl_long__array*)array, i0, i1, i2, i3, i4, value);
}

static inline void SIDL_ARRAY_F(set6)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                      int64_t i2, int64_t i3, int64_t i4, int64_t i5,
                                      int64_t value) {
  sidl_long__array_set6((struct sidl_long__array*)array, i0, i1, i2, i3, i4, i5, value);
}

static inline void SIDL_ARRAY_F(set7)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                      int64_t i2, int64_t i3, int64_t i4, int64_t i5, int64_t i6,
                                      int64_t value) {
  sidl_long__array_set7((struct sidl_long__array*)array, i0, i1, i2, i3, i4, i5, i6, value);
}

static inline void SIDL_ARRAY_F(set)(struct SIDL_ARRAY_NAME* array, const int32_t indices[],
                                     int64_t value) {
  sidl_long__array_set((struct sidl_long__array*)array, indices, value);
}

static inline void SIDL_ARRAY_F(set64)(struct SIDL_ARRAY_NAME* array, const int64_t indices[],
                                       int64_t value) {
  sidl_long__array_set64((struct sidl_long__array*)array, indices, value);
}

static inline int32_t SIDL_ARRAY_F(dimen)(const struct SIDL_ARRAY_NAME* array) {
  return sidl_long__array_dimen((const struct sidl_long__array*)array);
}

static inline int32_t SIDL_ARRAY_F(lower)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl_long__array_lower((const struct sidl_long__array*)array, ind);
}

static inline int64_t SIDL_ARRAY_F(lower64)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl_long__array_lower64((const struct sidl_long__array*)array, ind);
}

static inline int32_t SIDL_ARRAY_F(upper)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl_long__array_upper((const struct sidl_long__array*)array, ind);
}

static inline int64_t SIDL_ARRAY_F(upper64)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl_long__array_upper64((const struct sidl_long__array*)array, ind);
}

static inline int32_t SIDL_ARRAY_F(length)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl_long__array_length((const struct sidl_long__array*)array, ind);
}

static inline int64_t SIDL_ARRAY_F(length64)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl_long__array_length64((const struct sidl_long__array*)array, ind);
}

static inline int32_t SIDL_ARRAY_F(stride)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl_long__array_stride((const struct sidl_long__array*)array, ind);
}

static inline int64_t SIDL_ARRAY_F(stride64)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl_long__array_stride64((const struct sidl_long__array*)array, ind);
}

static inline sidl_bool SIDL_ARRAY_F(isColumnOrder)(const struct SIDL_ARRAY_NAME* array) {
  return sidl_long__array_isColumnOrder((const struct sidl_long__array*)array);
}

static inline sidl_bool SIDL_ARRAY_F(isRowOrder)(const struct SIDL_ARRAY_NAME* array) {
  return sidl_long__array_isRowOrder((const struct sidl_long__array*)array);
}

static inline void SIDL_ARRAY_F(copy)(const struct SIDL_ARRAY_NAME* src,
                                      struct SIDL_ARRAY_NAME* dest) {
  sidl_long__array_copy((const struct sidl_long__array*)src, (struct sidl_long__array*)dest);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(ensure)(struct SIDL_ARRAY_NAME* src,
                                                           int32_t dimen, int ordering) {
  return (struct SIDL_ARRAY_NAME*)sidl_long__array_ensure((struct sidl_long__array*)src, dimen,
                                                          ordering);
}

static inline int64_t* SIDL_ARRAY_F(first)(const struct SIDL_ARRAY_NAME* array) {
  return sidl_long__array_first((const struct sidl_long__array*)array);
}

#undef SIDL_ARRAY_NAME
#undef SIDL_ARRAY_F
