/**
 * sidl_struct_array.hxx: the elements of sidl::array<S> for a generated struct S.
 *
 * They are the C structs in the array's memory, which the C++ struct is, too: references to them
 * are S&, first() and span() are S*.
 */
#ifndef included_sidl_struct_array_hxx
#define included_sidl_struct_array_hxx

#include "sidl_array_element.hxx"
#include "sidl_struct_array.h"

namespace sidl {

template <class T>
struct array_element<T, typename exists<typename T::data_t>::type> {
  typedef struct sidl_struct__array ior_t;
  typedef typename T::data_t stored_t;
  typedef T value_t;
  typedef T& reference;
  static constexpr enum sidl_array_type type = sidl_struct_array;
  static const struct sidl_struct_info* structure() noexcept { return T::_struct_info(); }

  static reference at(stored_t* place) noexcept { return static_cast<T&>(*place); }

  template <class Bounds>
  static ior_t* createCol(int32_t dimen, Bounds lower, Bounds upper) {
    return create(sidl_column_major_order, dimen, widened(lower, dimen), widened(upper, dimen));
  }
  template <class Bounds>
  static ior_t* createRow(int32_t dimen, Bounds lower, Bounds upper) {
    return create(sidl_row_major_order, dimen, widened(lower, dimen), widened(upper, dimen));
  }
  static ior_t* create1d(int64_t length) {
    return create(sidl_column_major_order, 1, {0}, {length < 0 ? -2 : length - 1});
  }
  static ior_t* create2dCol(int64_t m, int64_t n) {
    return create(sidl_column_major_order, 2, {0, 0}, {m < 0 ? -2 : m - 1, n < 0 ? -2 : n - 1});
  }
  static ior_t* create2dRow(int64_t m, int64_t n) {
    return create(sidl_row_major_order, 2, {0, 0}, {m < 0 ? -2 : m - 1, n < 0 ? -2 : n - 1});
  }
  template <class Bounds>
  static ior_t* borrow(stored_t* first, int32_t dimen, Bounds lower, Bounds upper, Bounds stride) {
    const indices low = widened(lower, dimen), high = widened(upper, dimen);
    const indices steps = widened(stride, dimen);
    return typed(sidl_struct__array_borrow(T::_struct_info(), first, dimen, low.data(), high.data(),
                                           steps.data()));
  }
  template <class Bounds>
  static ior_t* slice(ior_t* from, int32_t dimen, Bounds count, Bounds start, Bounds step,
                      Bounds lower) {
    const int32_t rank = sidl__array_dimen(generic(from));
    const indices counts = widened(count, rank), starts = widened(start, rank);
    const indices steps = widened(step, rank), lowest = widened(lower, dimen);
    return typed(sidl__array_slice(generic(from), dimen, counts.data(),
                                   start ? starts.data() : nullptr, step ? steps.data() : nullptr,
                                   lower ? lowest.data() : nullptr));
  }
  static ior_t* cast(struct sidl__array* array) {
    return typed(sidl_struct__array_cast(T::_struct_info(), array));
  }
  static ior_t* ensure(ior_t* array, int32_t dimen, int ordering) {
    return typed(sidl__array_ensure(generic(array), dimen, ordering));
  }
  static void copy(const ior_t* from, ior_t* to) {
    sidl__array_copy(&from->d_metadata, generic(to));
  }

  // The index has been checked.
  static const T& get(const ior_t* array, const int64_t index[]) {
    return static_cast<const T&>(*static_cast<const stored_t*>(
        sidl_struct__array_at(&array->d_metadata, array->d_metadata.d_dimen, index)));
  }
  static void set(ior_t* array, const int64_t index[], const T& value) {
    at(static_cast<stored_t*>(
        sidl_struct__array_at(&array->d_metadata, array->d_metadata.d_dimen, index))) = value;
  }
  static const T& from_stored(const T& stored) { return stored; }
  static const T& to_stored(const T& value) { return value; }

 private:
  typedef ::std::array<int64_t, SIDL_MAX_ARRAY_DIMENSION> indices;

  /** The first `count`, of 32 or 64 bits; too many, or NULL, are refused by whom they are passed.
   */
  template <class Bounds>
  static indices widened(Bounds given, int32_t count) {
    indices wide = {};
    const bool fits = given && count <= SIDL_MAX_ARRAY_DIMENSION;
    for (int32_t i = 0; fits && i < count; ++i) wide[static_cast<::std::size_t>(i)] = given[i];
    return wide;
  }
  static ior_t* create(int32_t ordering, int32_t dimen, const indices& lower,
                       const indices& upper) {
    return typed(
        sidl_struct__array_create(T::_struct_info(), ordering, dimen, lower.data(), upper.data()));
  }
  static struct sidl__array* generic(ior_t* array) noexcept {
    return reinterpret_cast<struct sidl__array*>(array);
  }
  static ior_t* typed(struct sidl__array* array) noexcept {
    return reinterpret_cast<ior_t*>(array);
  }
};

}  // namespace sidl

#endif
