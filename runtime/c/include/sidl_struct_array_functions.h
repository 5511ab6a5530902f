/*
 * sidl_struct_array_functions.h: the functions of an array of structs of one type, written once.
 *
 * Included by the C header of each struct, with these macros set (and unset again at the end):
 *
 *     SIDL_ARRAY_NAME      the array type's name:    demo_Point__array
 *     SIDL_ARRAY_F(f)      the name of function f:   demo_Point__array_##f
 *     SIDL_ARRAY_STRUCT    the C struct:             struct demo_Point__data
 *     SIDL_ARRAY_INFO      its description:          demo_Point__info
 *
 * The functions are those described in sidl_array_functions.h, with bounds of 64 bits only. `get`
 * returns a copy, which the caller destroys if the struct owns something; `set` and create1dInit
 * store copies; `at` is the element itself, or NULL. sidlArrayElem1 … are elements, too.
 *
 * No include guard, on purpose.
 */

/** Elements are structs, one after the other. */
struct SIDL_ARRAY_NAME {
  struct sidl__array d_metadata;
  SIDL_ARRAY_STRUCT* d_firstElement;
};

#define SIDL_ARRAY_TYPED(array) ((struct SIDL_ARRAY_NAME*)(void*)(array))
#define SIDL_ARRAY_META(array) ((struct sidl__array*)(void*)(array))
#define SIDL_ARRAY_CONST(array) ((const struct sidl__array*)(const void*)(array))

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(createCol64)(int32_t dimen,
                                                                const int64_t lower[],
                                                                const int64_t upper[]) {
  return SIDL_ARRAY_TYPED(
      sidl_struct__array_create(&SIDL_ARRAY_INFO, sidl_column_major_order, dimen, lower, upper));
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(createRow64)(int32_t dimen,
                                                                const int64_t lower[],
                                                                const int64_t upper[]) {
  return SIDL_ARRAY_TYPED(
      sidl_struct__array_create(&SIDL_ARRAY_INFO, sidl_row_major_order, dimen, lower, upper));
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(create1d)(int64_t len) {
  const int64_t lower = 0;
  const int64_t upper = len < 0 ? -2 : len - 1;
  return SIDL_ARRAY_F(createCol64)(1, &lower, &upper);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(create1dInit)(int64_t len,
                                                                 const SIDL_ARRAY_STRUCT* data) {
  struct SIDL_ARRAY_NAME* const array = SIDL_ARRAY_F(create1d)(len);
  if (array == NULL || (data == NULL && len > 0)) {
    sidl__array_deleteRef(SIDL_ARRAY_META(array));
    return NULL;
  }
  for (int64_t i = 0; i < len; ++i) sidl_struct__array_set(SIDL_ARRAY_META(array), 1, &i, &data[i]);
  return array;
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(create2dCol)(int64_t m, int64_t n) {
  const int64_t lower[] = {0, 0};
  const int64_t upper[] = {m < 0 ? -2 : m - 1, n < 0 ? -2 : n - 1};
  return SIDL_ARRAY_F(createCol64)(2, lower, upper);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(create2dRow)(int64_t m, int64_t n) {
  const int64_t lower[] = {0, 0};
  const int64_t upper[] = {m < 0 ? -2 : m - 1, n < 0 ? -2 : n - 1};
  return SIDL_ARRAY_F(createRow64)(2, lower, upper);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(borrow64)(SIDL_ARRAY_STRUCT* firstElement,
                                                             int32_t dimen, const int64_t lower[],
                                                             const int64_t upper[],
                                                             const int64_t stride[]) {
  return SIDL_ARRAY_TYPED(
      sidl_struct__array_borrow(&SIDL_ARRAY_INFO, firstElement, dimen, lower, upper, stride));
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(borrow_owned)(
    SIDL_ARRAY_STRUCT* firstElement, int32_t dimen, const int64_t lower[], const int64_t upper[],
    const int64_t stride[], void (*release)(void* owner), void* owner) {
  return SIDL_ARRAY_TYPED(sidl_struct__array_borrow_owned(&SIDL_ARRAY_INFO, firstElement, dimen,
                                                          lower, upper, stride, release, owner));
}

static inline void SIDL_ARRAY_F(init64)(SIDL_ARRAY_STRUCT* firstElement,
                                        struct SIDL_ARRAY_NAME* result, int32_t dimen,
                                        const int64_t lower[], const int64_t upper[],
                                        const int64_t stride[]) {
  sidl_struct__array_init64(&SIDL_ARRAY_INFO, firstElement,
                            (struct sidl_struct__array*)(void*)result, dimen, lower, upper, stride);
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(slice64)(struct SIDL_ARRAY_NAME* src,
                                                            int32_t dimen, const int64_t numElem[],
                                                            const int64_t* srcStart,
                                                            const int64_t* srcStride,
                                                            const int64_t* newStart) {
  return SIDL_ARRAY_TYPED(
      sidl__array_slice(SIDL_ARRAY_META(src), dimen, numElem, srcStart, srcStride, newStart));
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(smartCopy)(struct SIDL_ARRAY_NAME* array) {
  return SIDL_ARRAY_TYPED(sidl__array_smartCopy(SIDL_ARRAY_META(array)));
}

static inline void SIDL_ARRAY_F(addRef)(struct SIDL_ARRAY_NAME* array) {
  sidl__array_addRef(SIDL_ARRAY_META(array));
}

static inline void SIDL_ARRAY_F(deleteRef)(struct SIDL_ARRAY_NAME* array) {
  sidl__array_deleteRef(SIDL_ARRAY_META(array));
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(cast)(struct sidl__array* array) {
  return SIDL_ARRAY_TYPED(sidl_struct__array_cast(&SIDL_ARRAY_INFO, array));
}

/** The element whose index in dimension d is indices[d]; NULL if there is none. */
static inline SIDL_ARRAY_STRUCT* SIDL_ARRAY_F(at64)(const struct SIDL_ARRAY_NAME* array,
                                                    const int64_t indices[]) {
  return (SIDL_ARRAY_STRUCT*)sidl_struct__array_at(
      SIDL_ARRAY_CONST(array), sidl__array_dimen(SIDL_ARRAY_CONST(array)), indices);
}

static inline SIDL_ARRAY_STRUCT SIDL_ARRAY_F(get64)(const struct SIDL_ARRAY_NAME* array,
                                                    const int64_t indices[]) {
  SIDL_ARRAY_STRUCT result;
  sidl_struct__array_get(&SIDL_ARRAY_INFO, SIDL_ARRAY_CONST(array),
                         sidl__array_dimen(SIDL_ARRAY_CONST(array)), indices, &result);
  return result;
}

static inline void SIDL_ARRAY_F(set64)(struct SIDL_ARRAY_NAME* array, const int64_t indices[],
                                       const SIDL_ARRAY_STRUCT* value) {
  sidl_struct__array_set(SIDL_ARRAY_META(array), sidl__array_dimen(SIDL_ARRAY_CONST(array)),
                         indices, value);
}

static inline SIDL_ARRAY_STRUCT* SIDL_ARRAY_F(at1)(const struct SIDL_ARRAY_NAME* array,
                                                   int64_t i0) {
  const int64_t indices[] = {i0};
  return (SIDL_ARRAY_STRUCT*)sidl_struct__array_at(SIDL_ARRAY_CONST(array), 1, indices);
}

static inline SIDL_ARRAY_STRUCT* SIDL_ARRAY_F(at2)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                                   int64_t i1) {
  const int64_t indices[] = {i0, i1};
  return (SIDL_ARRAY_STRUCT*)sidl_struct__array_at(SIDL_ARRAY_CONST(array), 2, indices);
}

static inline SIDL_ARRAY_STRUCT* SIDL_ARRAY_F(at3)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                                   int64_t i1, int64_t i2) {
  const int64_t indices[] = {i0, i1, i2};
  return (SIDL_ARRAY_STRUCT*)sidl_struct__array_at(SIDL_ARRAY_CONST(array), 3, indices);
}

static inline SIDL_ARRAY_STRUCT* SIDL_ARRAY_F(at4)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                                   int64_t i1, int64_t i2, int64_t i3) {
  const int64_t indices[] = {i0, i1, i2, i3};
  return (SIDL_ARRAY_STRUCT*)sidl_struct__array_at(SIDL_ARRAY_CONST(array), 4, indices);
}

static inline SIDL_ARRAY_STRUCT* SIDL_ARRAY_F(at5)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                                   int64_t i1, int64_t i2, int64_t i3, int64_t i4) {
  const int64_t indices[] = {i0, i1, i2, i3, i4};
  return (SIDL_ARRAY_STRUCT*)sidl_struct__array_at(SIDL_ARRAY_CONST(array), 5, indices);
}

static inline SIDL_ARRAY_STRUCT* SIDL_ARRAY_F(at6)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                                   int64_t i1, int64_t i2, int64_t i3, int64_t i4,
                                                   int64_t i5) {
  const int64_t indices[] = {i0, i1, i2, i3, i4, i5};
  return (SIDL_ARRAY_STRUCT*)sidl_struct__array_at(SIDL_ARRAY_CONST(array), 6, indices);
}

static inline SIDL_ARRAY_STRUCT* SIDL_ARRAY_F(at7)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                                   int64_t i1, int64_t i2, int64_t i3, int64_t i4,
                                                   int64_t i5, int64_t i6) {
  const int64_t indices[] = {i0, i1, i2, i3, i4, i5, i6};
  return (SIDL_ARRAY_STRUCT*)sidl_struct__array_at(SIDL_ARRAY_CONST(array), 7, indices);
}

static inline SIDL_ARRAY_STRUCT SIDL_ARRAY_F(get1)(const struct SIDL_ARRAY_NAME* array,
                                                   int64_t i0) {
  const int64_t indices[] = {i0};
  SIDL_ARRAY_STRUCT result;
  sidl_struct__array_get(&SIDL_ARRAY_INFO, SIDL_ARRAY_CONST(array), 1, indices, &result);
  return result;
}

static inline SIDL_ARRAY_STRUCT SIDL_ARRAY_F(get2)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                                   int64_t i1) {
  const int64_t indices[] = {i0, i1};
  SIDL_ARRAY_STRUCT result;
  sidl_struct__array_get(&SIDL_ARRAY_INFO, SIDL_ARRAY_CONST(array), 2, indices, &result);
  return result;
}

static inline SIDL_ARRAY_STRUCT SIDL_ARRAY_F(get3)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                                   int64_t i1, int64_t i2) {
  const int64_t indices[] = {i0, i1, i2};
  SIDL_ARRAY_STRUCT result;
  sidl_struct__array_get(&SIDL_ARRAY_INFO, SIDL_ARRAY_CONST(array), 3, indices, &result);
  return result;
}

static inline SIDL_ARRAY_STRUCT SIDL_ARRAY_F(get4)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                                   int64_t i1, int64_t i2, int64_t i3) {
  const int64_t indices[] = {i0, i1, i2, i3};
  SIDL_ARRAY_STRUCT result;
  sidl_struct__array_get(&SIDL_ARRAY_INFO, SIDL_ARRAY_CONST(array), 4, indices, &result);
  return result;
}

static inline SIDL_ARRAY_STRUCT SIDL_ARRAY_F(get5)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                                   int64_t i1, int64_t i2, int64_t i3, int64_t i4) {
  const int64_t indices[] = {i0, i1, i2, i3, i4};
  SIDL_ARRAY_STRUCT result;
  sidl_struct__array_get(&SIDL_ARRAY_INFO, SIDL_ARRAY_CONST(array), 5, indices, &result);
  return result;
}

static inline SIDL_ARRAY_STRUCT SIDL_ARRAY_F(get6)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                                   int64_t i1, int64_t i2, int64_t i3, int64_t i4,
                                                   int64_t i5) {
  const int64_t indices[] = {i0, i1, i2, i3, i4, i5};
  SIDL_ARRAY_STRUCT result;
  sidl_struct__array_get(&SIDL_ARRAY_INFO, SIDL_ARRAY_CONST(array), 6, indices, &result);
  return result;
}

static inline SIDL_ARRAY_STRUCT SIDL_ARRAY_F(get7)(const struct SIDL_ARRAY_NAME* array, int64_t i0,
                                                   int64_t i1, int64_t i2, int64_t i3, int64_t i4,
                                                   int64_t i5, int64_t i6) {
  const int64_t indices[] = {i0, i1, i2, i3, i4, i5, i6};
  SIDL_ARRAY_STRUCT result;
  sidl_struct__array_get(&SIDL_ARRAY_INFO, SIDL_ARRAY_CONST(array), 7, indices, &result);
  return result;
}

static inline void SIDL_ARRAY_F(set1)(struct SIDL_ARRAY_NAME* array, int64_t i0,
                                      const SIDL_ARRAY_STRUCT* value) {
  const int64_t indices[] = {i0};
  sidl_struct__array_set(SIDL_ARRAY_META(array), 1, indices, value);
}

static inline void SIDL_ARRAY_F(set2)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                      const SIDL_ARRAY_STRUCT* value) {
  const int64_t indices[] = {i0, i1};
  sidl_struct__array_set(SIDL_ARRAY_META(array), 2, indices, value);
}

static inline void SIDL_ARRAY_F(set3)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                      int64_t i2, const SIDL_ARRAY_STRUCT* value) {
  const int64_t indices[] = {i0, i1, i2};
  sidl_struct__array_set(SIDL_ARRAY_META(array), 3, indices, value);
}

static inline void SIDL_ARRAY_F(set4)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                      int64_t i2, int64_t i3, const SIDL_ARRAY_STRUCT* value) {
  const int64_t indices[] = {i0, i1, i2, i3};
  sidl_struct__array_set(SIDL_ARRAY_META(array), 4, indices, value);
}

static inline void SIDL_ARRAY_F(set5)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                      int64_t i2, int64_t i3, int64_t i4,
                                      const SIDL_ARRAY_STRUCT* value) {
  const int64_t indices[] = {i0, i1, i2, i3, i4};
  sidl_struct__array_set(SIDL_ARRAY_META(array), 5, indices, value);
}

static inline void SIDL_ARRAY_F(set6)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                      int64_t i2, int64_t i3, int64_t i4, int64_t i5,
                                      const SIDL_ARRAY_STRUCT* value) {
  const int64_t indices[] = {i0, i1, i2, i3, i4, i5};
  sidl_struct__array_set(SIDL_ARRAY_META(array), 6, indices, value);
}

static inline void SIDL_ARRAY_F(set7)(struct SIDL_ARRAY_NAME* array, int64_t i0, int64_t i1,
                                      int64_t i2, int64_t i3, int64_t i4, int64_t i5, int64_t i6,
                                      const SIDL_ARRAY_STRUCT* value) {
  const int64_t indices[] = {i0, i1, i2, i3, i4, i5, i6};
  sidl_struct__array_set(SIDL_ARRAY_META(array), 7, indices, value);
}

static inline int32_t SIDL_ARRAY_F(dimen)(const struct SIDL_ARRAY_NAME* array) {
  return sidl__array_dimen(SIDL_ARRAY_CONST(array));
}

static inline int32_t SIDL_ARRAY_F(lower)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl__array_lower(SIDL_ARRAY_CONST(array), ind);
}

static inline int64_t SIDL_ARRAY_F(lower64)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl__array_lower64(SIDL_ARRAY_CONST(array), ind);
}

static inline int32_t SIDL_ARRAY_F(upper)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl__array_upper(SIDL_ARRAY_CONST(array), ind);
}

static inline int64_t SIDL_ARRAY_F(upper64)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl__array_upper64(SIDL_ARRAY_CONST(array), ind);
}

static inline int32_t SIDL_ARRAY_F(length)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl__array_length(SIDL_ARRAY_CONST(array), ind);
}

static inline int64_t SIDL_ARRAY_F(length64)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl__array_length64(SIDL_ARRAY_CONST(array), ind);
}

static inline int32_t SIDL_ARRAY_F(stride)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl__array_stride(SIDL_ARRAY_CONST(array), ind);
}

static inline int64_t SIDL_ARRAY_F(stride64)(const struct SIDL_ARRAY_NAME* array, int32_t ind) {
  return sidl__array_stride64(SIDL_ARRAY_CONST(array), ind);
}

static inline sidl_bool SIDL_ARRAY_F(isColumnOrder)(const struct SIDL_ARRAY_NAME* array) {
  return sidl__array_isColumnOrder(SIDL_ARRAY_CONST(array));
}

static inline sidl_bool SIDL_ARRAY_F(isRowOrder)(const struct SIDL_ARRAY_NAME* array) {
  return sidl__array_isRowOrder(SIDL_ARRAY_CONST(array));
}

static inline void SIDL_ARRAY_F(copy)(const struct SIDL_ARRAY_NAME* src,
                                      struct SIDL_ARRAY_NAME* dest) {
  sidl__array_copy(SIDL_ARRAY_CONST(src), SIDL_ARRAY_META(dest));
}

static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(ensure)(struct SIDL_ARRAY_NAME* src,
                                                           int32_t dimen, int ordering) {
  return SIDL_ARRAY_TYPED(sidl__array_ensure(SIDL_ARRAY_META(src), dimen, ordering));
}

static inline SIDL_ARRAY_STRUCT* SIDL_ARRAY_F(first)(const struct SIDL_ARRAY_NAME* array) {
  return array == NULL || array->d_metadata.d_space != NULL ? NULL : array->d_firstElement;
}

/** Packs the array under `name`. */
static inline void SIDL_ARRAY_F(serialize)(struct SIDL_ARRAY_NAME* array,
                                           struct sidl_io_Serializer__object* pipe,
                                           const char* name,
                                           struct sidl_BaseInterface__object** _ex) {
  sidl_struct__array_serialize(&SIDL_ARRAY_INFO, SIDL_ARRAY_META(array), pipe, name, _ex);
}

/** What was packed under `name`, with a reference for the caller. */
static inline struct SIDL_ARRAY_NAME* SIDL_ARRAY_F(deserialize)(
    struct sidl_io_Deserializer__object* pipe, const char* name,
    struct sidl_BaseInterface__object** _ex) {
  return SIDL_ARRAY_TYPED(sidl_struct__array_deserialize(&SIDL_ARRAY_INFO, pipe, name, _ex));
}

#undef SIDL_ARRAY_NAME
#undef SIDL_ARRAY_F
#undef SIDL_ARRAY_STRUCT
#undef SIDL_ARRAY_INFO
#undef SIDL_ARRAY_TYPED
#undef SIDL_ARRAY_META
#undef SIDL_ARRAY_CONST
