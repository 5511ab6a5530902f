/**
 * sidl_array.hxx: sidl::array<T>, a counted handle to a SIDL array (sidlArray.h).
 *
 * T is bool, char, int32_t, int64_t, float, double, sidl::fcomplex, sidl::dcomplex, std::string,
 * void*, an enum or a handle class. Copying a handle shares the array; assign to elements or copy()
 * to change the contents. get() and set() check their indices and throw std::out_of_range;
 * operator() and operator[] do not check, and are as fast as a pointer.
 *
 * Bounds and strides have 64 bits. Functions that take arrays of them take int64_t and int32_t;
 * those that return one and have no 64 in their names are for code whose bounds are int32_t.
 */
#ifndef included_sidl_array_hxx
#define included_sidl_array_hxx

#include <array>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <string>

#if __cplusplus >= 202002L
#include <span>
#endif

#include "sidl_array_element.hxx"
#include "sidl_dlpack.h"
#include "sidl_memory_space.h"

namespace sidl {

/** The order of the elements in memory. */
enum array_ordering {
  general_order = sidl_general_order,
  column_major_order = sidl_column_major_order,
  row_major_order = sidl_row_major_order
};

/** Where the elements of arrays are (sidl_memory_space.h); NULL is host memory. */
typedef const struct sidl_memory_space* memory_space;
constexpr memory_space host_memory = nullptr;

/** An array of any element type. */
class basearray {
 public:
  typedef struct sidl__array ior_t;

  basearray() noexcept = default;
  /** `basearray a = NULL;` is nil, too. */
  basearray(::std::nullptr_t) noexcept {}  // NOLINT(google-explicit-constructor)

  /** Takes over a reference; a weak handle has none and relies on somebody else's. */
  template <class Array, class = typename ::std::enable_if<
                             ::std::is_same<Array, struct sidl__array>::value>::type>
  explicit basearray(Array* array, bool isWeak = false) noexcept : d_array(array), d_weak(isWeak) {}
  basearray(const basearray& other) noexcept : d_array(other.d_array) {
    sidl__array_addRef(d_array);
  }
  basearray(basearray&& other) noexcept : d_array(other._give()) {}
  basearray& operator=(basearray other) noexcept {
    _reset(other._give());
    return *this;
  }
  ~basearray() {
    if (d_array && !d_weak) sidl__array_deleteRef(d_array);
  }

  bool _is_nil() const noexcept { return d_array == nullptr; }
  bool _not_nil() const noexcept { return d_array != nullptr; }
  bool operator!() const noexcept { return _is_nil(); }
  explicit operator bool() const noexcept { return _not_nil(); }
  struct sidl__array* _get_baseior() const noexcept {
    return d_array;
  }
  struct sidl__array* _get_ior() const noexcept {
    return d_array;
  }
  void _set_ior(struct sidl__array* array) noexcept { _reset(array); }

  int32_t dimen() const noexcept { return sidl__array_dimen(d_array); }
  int64_t lower64(int32_t dim) const noexcept { return sidl__array_lower64(d_array, dim); }
  int64_t upper64(int32_t dim) const noexcept { return sidl__array_upper64(d_array, dim); }
  int64_t length64(int32_t dim = 0) const noexcept {
    const bool has = d_array && dim >= 0 && dim < d_array->d_dimen;
    return has ? d_array->d_upper[dim] - d_array->d_lower[dim] + 1 : 0;
  }
  int64_t stride64(int32_t dim = 0) const noexcept { return sidl__array_stride64(d_array, dim); }

  /** The same in 32 bits; throws std::out_of_range if that is too few. */
  int32_t lower(int32_t dim) const { return in_32_bits(lower64(dim), "lower"); }
  int32_t upper(int32_t dim) const { return in_32_bits(upper64(dim), "upper"); }
  int32_t length(int32_t dim = 0) const { return in_32_bits(length64(dim), "length"); }
  int32_t stride(int32_t dim = 0) const { return in_32_bits(stride64(dim), "stride"); }
  bool isColumnOrder() const noexcept { return sidl__array_isColumnOrder(d_array) != 0; }
  bool isRowOrder() const noexcept { return sidl__array_isRowOrder(d_array) != 0; }
  bool is1dPacked() const noexcept { return dimen() == 1 && stride64(0) == 1; }
  /** A value of enum sidl_array_type. */
  int32_t arrayType() const noexcept { return sidl__array_type(d_array); }

  /** Where the elements are. */
  memory_space space() const noexcept { return sidl__array_space(d_array); }
  /** Address of the element with the lowest indices in the space; NULL if there is no array. */
  void* address() const noexcept { return sidl__array_address(d_array); }

  /**
   * A DLPack tensor that shares the elements (sidl_dlpack.h); its deleter is to be called. Throws
   * what that header says.
   */
  struct DLManagedTensorVersioned* to_dlpack() const {
    exception_slot ex;
    struct DLManagedTensorVersioned* const tensor =
        sidl__array_to_dlpack_versioned(d_array, ex.ptr());
    ex.check<>();
    return tensor;
  }

  /** An array over a tensor, which is the array's from then on. Throws what the header says. */
  static basearray from_dlpack(struct DLManagedTensorVersioned* tensor) {
    exception_slot ex;
    struct sidl__array* const array = sidl__array_from_dlpack_versioned(tensor, ex.ptr());
    ex.check<>();
    return basearray(array);
  }

  /** Adds a reference, to be dropped by deleteRef(): for code that counts manually. */
  void addRef() noexcept { sidl__array_addRef(d_array); }

  /** Drops the handle's reference; it becomes nil. */
  void deleteRef() noexcept { _reset(nullptr); }

  /** Makes sure that the array may be kept: borrowed data is copied. */
  void smartCopy() {
    struct sidl__array* const copy = sidl__array_smartCopy(d_array);
    if (d_array && !copy) throw ::std::bad_alloc();
    _reset(copy);
  }

  /** The array with a reference for the caller; the handle becomes nil, unless it is weak. */
  struct sidl__array* _give() noexcept {
    if (d_weak) {
      sidl__array_addRef(d_array);
      return d_array;
    }
    return ::std::exchange(d_array, nullptr);
  }

 protected:
  /** Throws std::out_of_range unless there is an element with these `count` indices. */
  void check_indices(const int64_t indices[], int32_t count) const {
    if (!d_array || d_array->d_dimen != count) throw_dimension(count);
    require_host();
    for (int32_t dim = 0; dim < count; ++dim) {
      const int64_t index = indices[dim];
      if (index < d_array->d_lower[dim] || index > d_array->d_upper[dim]) throw_index(dim, index);
    }
  }

  /** Throws memory_space_error if the elements, of an array that there is, are elsewhere. */
  void require_host() const {
    if (d_array->d_space) throw_elsewhere();
  }

  /** Replaces the array by another one, whose reference it takes over. */
  void _reset(struct sidl__array* array) noexcept {
    struct sidl__array* const old = d_weak ? nullptr : d_array;
    d_array = array;
    d_weak = false;
    if (old) sidl__array_deleteRef(old);
  }

  /** Memory is exhausted, or there is no way between the spaces. */
  [[noreturn]] void throw_unreachable(memory_space space) const {
    throw memory_space_error(::std::string("sidl::array: the elements cannot be copied from ") +
                             sidl_memory_space_name(d_array->d_space) + " to " +
                             sidl_memory_space_name(space));
  }

  /** Throws std::length_error if no array has such bounds. */
  template <class Index>
  static void check_bounds(int32_t dimen, const Index lower[], const Index upper[]) {
    const ::std::string what = "sidl::array: ";
    if (dimen < 1 || dimen > SIDL_MAX_ARRAY_DIMENSION) {
      throw ::std::length_error(what + "an array has 1 to 7 dimensions, not " +
                                ::std::to_string(dimen));
    }
    for (int32_t dim = 0; dim < dimen; ++dim) {
      const int64_t from = lower[dim];
      const int64_t to = upper[dim];
      if (sidl_array_extent(from, to) >= 0) continue;
      throw ::std::length_error(what + "dimension " + ::std::to_string(dim) + " cannot be from " +
                                ::std::to_string(from) + " to " + ::std::to_string(to));
    }
  }
  /** Why there is no array of such bounds: std::length_error, or std::bad_alloc. */
  template <class Index>
  [[noreturn]] static void throw_unmade(int32_t dimen, const Index lower[], const Index upper[]) {
    check_bounds(dimen, lower, upper);
    throw ::std::bad_alloc();
  }
  /** Why there is none over memory with elements of `size` bytes: the strides may be too large. */
  template <class Index>
  [[noreturn]] static void throw_unborrowed(::std::size_t size, int32_t dimen, const Index lower[],
                                            const Index upper[], const Index stride[]) {
    constexpr double most = static_cast<double>(PTRDIFF_MAX);
    double bytes = 0;
    check_bounds(dimen, lower, upper);
    for (int32_t dim = 0; dim < dimen; ++dim) {
      const double steps = static_cast<double>(upper[dim]) - static_cast<double>(lower[dim]);
      const double step = static_cast<double>(stride[dim]) * static_cast<double>(size);
      if (steps > 0) bytes += steps * (step < 0 ? -step : step);
      if (bytes < most) continue;
      throw ::std::length_error("sidl::array: with a stride of " + ::std::to_string(stride[dim]) +
                                ", dimension " + ::std::to_string(dim) + " from " +
                                ::std::to_string(lower[dim]) + " to " +
                                ::std::to_string(upper[dim]) + " reaches beyond all memory");
    }
    throw ::std::bad_alloc();
  }
  /** The same of such lengths, from 0 on. */
  [[noreturn]] static void throw_unmade(::std::initializer_list<int64_t> lengths) {
    int64_t lower[SIDL_MAX_ARRAY_DIMENSION] = {};
    int64_t upper[SIDL_MAX_ARRAY_DIMENSION] = {};
    int32_t dimen = 0;
    for (const int64_t length : lengths) upper[dimen++] = length == INT64_MIN ? length : length - 1;
    throw_unmade(dimen, lower, upper);
  }

  struct sidl__array* d_array = nullptr;
  bool d_weak = false;

 private:
  static int32_t in_32_bits(int64_t value, const char* what) {
    if (value == static_cast<int32_t>(value)) return static_cast<int32_t>(value);
    throw ::std::out_of_range("sidl::array: the " + ::std::string(what) + ", " +
                              ::std::to_string(value) + ", does not fit 32 bits: ask " + what +
                              "64()");
  }
  [[noreturn]] void throw_dimension(int32_t count) const {
    throw ::std::out_of_range(d_array ? "sidl::array: " + ::std::to_string(count) +
                                            " indices for an array of " +
                                            ::std::to_string(d_array->d_dimen) + " dimensions"
                                      : ::std::string("sidl::array: an element of a nil array"));
  }
  [[noreturn]] void throw_elsewhere() const {
    throw memory_space_error(::std::string("sidl::array: the elements are in ") +
                             sidl_memory_space_name(d_array->d_space) +
                             ", but are needed in host memory: copy them with in(host_memory)");
  }
  [[noreturn]] void throw_index(int32_t dim, int64_t index) const {
    throw ::std::out_of_range("sidl::array: index " + ::std::to_string(index) + " of dimension " +
                              ::std::to_string(dim) + " is not within " +
                              ::std::to_string(d_array->d_lower[dim]) + " to " +
                              ::std::to_string(d_array->d_upper[dim]));
  }
};

/** Iterates over equidistant elements. */
template <class Element, class T>
class array_iterator {
 public:
  typedef typename Element::stored_t stored_t;
  typedef ::std::random_access_iterator_tag iterator_category;
  typedef T value_type;
  typedef ::std::ptrdiff_t difference_type;
  typedef typename iterated<Element>::reference reference;
  typedef void pointer;

  array_iterator() noexcept = default;
  array_iterator(stored_t* place, ::std::ptrdiff_t stride) noexcept
      : d_place(place), d_stride(stride) {}

  reference operator*() const { return iterated<Element>::at(d_place); }
  reference operator[](difference_type n) const { return *(*this + n); }
  array_iterator& operator+=(difference_type n) noexcept {
    d_place += n * d_stride;
    return *this;
  }
  array_iterator& operator-=(difference_type n) noexcept { return *this += -n; }
  array_iterator& operator++() noexcept { return *this += 1; }
  array_iterator& operator--() noexcept { return *this -= 1; }
  array_iterator operator++(int) noexcept {
    const array_iterator before = *this;
    ++*this;
    return before;
  }
  array_iterator operator--(int) noexcept {
    const array_iterator before = *this;
    --*this;
    return before;
  }
  friend array_iterator operator+(array_iterator i, difference_type n) noexcept { return i += n; }
  friend array_iterator operator+(difference_type n, array_iterator i) noexcept { return i += n; }
  friend array_iterator operator-(array_iterator i, difference_type n) noexcept { return i -= n; }
  friend difference_type operator-(const array_iterator& a, const array_iterator& b) noexcept {
    return (a.d_place - b.d_place) / a.d_stride;
  }
  friend bool operator==(const array_iterator& a, const array_iterator& b) noexcept {
    return a.d_place == b.d_place;
  }
  friend bool operator!=(const array_iterator& a, const array_iterator& b) noexcept {
    return !(a == b);
  }
  friend bool operator<(const array_iterator& a, const array_iterator& b) noexcept {
    return a - b < 0;
  }
  friend bool operator>(const array_iterator& a, const array_iterator& b) noexcept { return b < a; }
  friend bool operator<=(const array_iterator& a, const array_iterator& b) noexcept {
    return !(b < a);
  }
  friend bool operator>=(const array_iterator& a, const array_iterator& b) noexcept {
    return !(a < b);
  }

 private:
  stored_t* d_place = nullptr;
  ::std::ptrdiff_t d_stride = 1;
};

/** An array of T. */
template <class T>
class array : public basearray {
  typedef array_element<T> element;

 public:
  typedef typename element::ior_t ior_t;
  typedef typename element::stored_t stored_t;
  typedef typename element::reference reference;
  typedef T value_type;
  typedef array_iterator<element, T> iterator;
  typedef iterator const_iterator;

  array() noexcept = default;

  /** Takes over a reference; a weak handle has none and relies on somebody else's. */
  array(ior_t* ior, bool isWeak = false) noexcept : basearray(generic(ior), isWeak) {}

  /** Shares `other`; nil if its elements are of another type. */
  array(const basearray& other) noexcept {
    if (ior_t* const ior = element::cast(other._get_baseior())) {
      sidl__array_addRef(generic(ior));
      d_array = generic(ior);
    }
  }

  ior_t* _get_ior() const noexcept { return reinterpret_cast<ior_t*>(d_array); }
  void _set_ior(ior_t* ior) noexcept { _reset(generic(ior)); }
  bool _is_weak() const noexcept { return d_weak; }

  // ---- creating arrays ----

  static array createCol(int32_t dimen, const int64_t lower[], const int64_t upper[]) {
    return made(element::createCol(dimen, lower, upper), dimen, lower, upper);
  }
  static array createCol(int32_t dimen, const int32_t lower[], const int32_t upper[]) {
    return made(element::createCol(dimen, lower, upper), dimen, lower, upper);
  }
  static array createRow(int32_t dimen, const int64_t lower[], const int64_t upper[]) {
    return made(element::createRow(dimen, lower, upper), dimen, lower, upper);
  }
  static array createRow(int32_t dimen, const int32_t lower[], const int32_t upper[]) {
    return made(element::createRow(dimen, lower, upper), dimen, lower, upper);
  }
  static array create1d(int64_t len) { return made_from_0(element::create1d(len), {len}); }
  static array create1d(int64_t len, const T* data) { return create1dInit(len, data); }
  static array create1dInit(int64_t len, const T* data) {
    array result = create1d(len);
    for (int64_t i = 0; i < len; ++i) result[i] = data[i];
    return result;
  }
  /** A new array of one dimension, from 0 on, with these elements. */
  static array of(::std::initializer_list<T> values) {
    return create1dInit(static_cast<int64_t>(values.size()), values.begin());
  }
  static array create2dCol(int64_t m, int64_t n) {
    return made_from_0(element::create2dCol(m, n), {m, n});
  }
  static array create2dRow(int64_t m, int64_t n) {
    return made_from_0(element::create2dRow(m, n), {m, n});
  }

  /** An array over data owned by the caller. */
  static array borrowed(stored_t* first, int32_t dimen, const int64_t lower[],
                        const int64_t upper[], const int64_t stride[]) {
    ior_t* const ior = element::borrow(first, dimen, lower, upper, stride);
    if (!ior) throw_unborrowed(sizeof(stored_t), dimen, lower, upper, stride);
    return array(ior);
  }
  static array borrowed(stored_t* first, int32_t dimen, const int32_t lower[],
                        const int32_t upper[], const int32_t stride[]) {
    ior_t* const ior = element::borrow(first, dimen, lower, upper, stride);
    if (!ior) throw_unborrowed(sizeof(stored_t), dimen, lower, upper, stride);
    return array(ior);
  }

  /** Becomes such an array. */
  void borrow(stored_t* first, int32_t dimen, const int64_t lower[], const int64_t upper[],
              const int64_t stride[]) {
    *this = borrowed(first, dimen, lower, upper, stride);
  }
  void borrow(stored_t* first, int32_t dimen, const int32_t lower[], const int32_t upper[],
              const int32_t stride[]) {
    *this = borrowed(first, dimen, lower, upper, stride);
  }

  /**
   * A part of the elements, sharing their storage (sidl_array_functions.h); nil if it is not within
   * the array, or if no array could have the bounds that it would get.
   */
  array slice(int32_t dimen, const int64_t numElem[], const int64_t* srcStart = nullptr,
              const int64_t* srcStride = nullptr, const int64_t* newStart = nullptr) const {
    return array(element::slice(_get_ior(), dimen, numElem, srcStart, srcStride, newStart));
  }
  array slice(int32_t dimen, const int32_t numElem[], const int32_t* srcStart = nullptr,
              const int32_t* srcStride = nullptr, const int32_t* newStart = nullptr) const {
    return array(element::slice(_get_ior(), dimen, numElem, srcStart, srcStride, newStart));
  }

  /** A dense array in a memory space, whose elements have no values yet. */
  static array create_in(memory_space space, array_ordering ordering, int32_t dimen,
                         const int64_t lower[], const int64_t upper[]) {
    return made(typed(sidl__array_create_in(space, element::type, element::structure(), ordering,
                                            dimen, lower, upper)),
                dimen, lower, upper);
  }

  /** The array itself if its elements are in the space, else a dense copy there. */
  array in(memory_space space) const {
    struct sidl__array* const there = sidl__array_in(space, d_array);
    if (d_array && !there) throw_unreachable(space);
    return array(typed(there));
  }

  /** Copies the elements of `src` whose indices both arrays have into this one. */
  void copy(const array& src) { element::copy(src._get_ior(), _get_ior()); }

  /** Ensures dimension and ordering, by a copy if necessary; nil if the dimension differs. */
  void ensure(int32_t dimen, int ordering) {
    _set_ior(element::ensure(_get_ior(), dimen, ordering));
  }

  // ---- elements, checked ----

  /**
   * The element with these indices. Throws std::out_of_range if there is none, or if its value does
   * not fit the C++ enum.
   */
  template <class... Index>
  ::std::enable_if_t<(::std::is_integral<Index>::value && ...), T> get(Index... index) const {
    const int64_t indices[] = {static_cast<int64_t>(index)...};
    check_indices(indices, static_cast<int32_t>(sizeof...(Index)));
    return element::from_stored(element::get(_get_ior(), indices));
  }
  /** As many indices as the array has dimensions. */
  T get(const int64_t indices[]) const {
    check_indices(indices, dimen());
    return element::from_stored(element::get(_get_ior(), indices));
  }
  T get(const int32_t indices[]) const { return get(widened(indices).data()); }

  /**
   * Sets the element with the one to seven indices that precede the value. Throws
   * std::out_of_range if there is none.
   */
  template <class Index, class Value = T>
  ::std::enable_if_t<::std::is_convertible<Index, int64_t>::value> set(Index i0,
                                                                       const Value& value) {
    set_at(value, static_cast<int64_t>(i0));
  }
  template <class Value = T>
  void set(int64_t i0, int64_t i1, const Value& value) {
    set_at(value, i0, i1);
  }
  template <class Value = T>
  void set(int64_t i0, int64_t i1, int64_t i2, const Value& value) {
    set_at(value, i0, i1, i2);
  }
  template <class Value = T>
  void set(int64_t i0, int64_t i1, int64_t i2, int64_t i3, const Value& value) {
    set_at(value, i0, i1, i2, i3);
  }
  template <class Value = T>
  void set(int64_t i0, int64_t i1, int64_t i2, int64_t i3, int64_t i4, const Value& value) {
    set_at(value, i0, i1, i2, i3, i4);
  }
  template <class Value = T>
  void set(int64_t i0, int64_t i1, int64_t i2, int64_t i3, int64_t i4, int64_t i5,
           const Value& value) {
    set_at(value, i0, i1, i2, i3, i4, i5);
  }
  template <class Value = T>
  void set(int64_t i0, int64_t i1, int64_t i2, int64_t i3, int64_t i4, int64_t i5, int64_t i6,
           const Value& value) {
    set_at(value, i0, i1, i2, i3, i4, i5, i6);
  }
  void set(const int64_t indices[], const T& value) {
    check_indices(indices, dimen());
    element::set(_get_ior(), indices, element::to_stored(value));
  }
  void set(const int32_t indices[], const T& value) { set(widened(indices).data(), value); }

  // ---- elements, unchecked: requires an array of that dimension, and indices within bounds ----

  template <class... Index>
  reference operator()(Index... index) const {
    const int64_t indices[] = {static_cast<int64_t>(index)...};
    stored_t* place = stored();
    for (::std::size_t dim = 0; dim < sizeof...(Index); ++dim) {
      place += sidlArrayDimCalc(d_array, dim, indices[dim]);
    }
    return element::at(place);
  }
  reference operator[](int64_t index) const { return (*this)(index); }

  /** The element with the lowest indices; NULL if there is no array, or not in host memory. */
  typename element::value_t* first() const noexcept {
    return d_array && !d_array->d_space ? reinterpret_cast<typename element::value_t*>(stored())
                                        : nullptr;
  }

  /**
   * Iterate over a one-dimensional array by index, over a dense one of more dimensions in memory
   * order. Throws memory_space_error if the elements are not in host memory.
   */
  iterator begin() const {
    if (!d_array) return iterator();
    require_host();
    return iterator(stored(), dimen() == 1 ? step() : packed_stride());
  }
  iterator end() const { return begin() + static_cast<::std::ptrdiff_t>(size()); }

  /** Number of elements in all dimensions together. */
  ::std::size_t size() const noexcept { return sidl__array_element_count(d_array); }

#if __cplusplus >= 202002L
  /** The elements in memory order; the array must be dense. */
  ::std::span<typename element::value_t> span() const {
    packed_stride();
    if (d_array) require_host();
    return {first(), size()};
  }
#endif

 private:
  static struct sidl__array* generic(ior_t* ior) noexcept {
    return reinterpret_cast<struct sidl__array*>(ior);
  }

  static ior_t* typed(struct sidl__array* array) noexcept {
    return reinterpret_cast<ior_t*>(array);
  }

  template <class Index>
  static array made(ior_t* ior, int32_t dimen, const Index lower[], const Index upper[]) {
    if (!ior) throw_unmade(dimen, lower, upper);
    return array(ior);
  }

  static array made_from_0(ior_t* ior, ::std::initializer_list<int64_t> lengths) {
    if (!ior) throw_unmade(lengths);
    return array(ior);
  }

  template <class... Index>
  void set_at(const T& value, Index... index) {
    const int64_t indices[] = {index...};
    check_indices(indices, static_cast<int32_t>(sizeof...(Index)));
    element::set(_get_ior(), indices, element::to_stored(value));
  }

  /** The element with the lowest indices of an array that there is. */
  stored_t* stored() const noexcept {
    return static_cast<stored_t*>(static_cast<void*>(_get_ior()->d_firstElement));
  }

  /** As many indices as there are dimensions. */
  ::std::array<int64_t, SIDL_MAX_ARRAY_DIMENSION> widened(const int32_t indices[]) const {
    ::std::array<int64_t, SIDL_MAX_ARRAY_DIMENSION> wide = {};
    for (int32_t dim = 0; dim < dimen(); ++dim) wide[static_cast<size_t>(dim)] = indices[dim];
    return wide;
  }

  /** Iterators are told apart by their places: elements that share one cannot be iterated over. */
  ::std::ptrdiff_t step() const {
    const int64_t stride = stride64(0);
    if (stride == 0 && size() > 1) {
      throw ::std::logic_error("sidl::array: the elements are one in memory: iterate by index");
    }
    return stride == 0 ? 1 : stride;
  }

  ::std::ptrdiff_t packed_stride() const {
    if (d_array && !isColumnOrder() && !isRowOrder()) {
      throw ::std::logic_error("sidl::array: the elements are not dense");
    }
    return 1;
  }
};

/** The array of a handle with the handle's own reference (sidl_arg.hxx). */
inline struct sidl__array* release(basearray& handle) noexcept {
  return handle._give();
}
template <class T>
typename array<T>::ior_t* release(array<T>& handle) noexcept {
  return reinterpret_cast<typename array<T>::ior_t*>(handle._give());
}

/**
 * For skels: ensures the dimension and ordering that a method declares, by a copy if necessary.
 * Throws a sidl.CastException that names `what` if the dimension differs.
 */
template <class T>
void demand(array<T>& handle, int32_t dimen, array_ordering ordering, const char* what) {
  exception_slot ex;
  struct sidl__array* const ordered =
      sidl_array_demand(handle._get_baseior(), dimen, ordering, what, ex.ptr());
  ex.check<>();
  handle._set_ior(reinterpret_cast<typename array<T>::ior_t*>(ordered));
}

/** The same for methods that accept any ordering: no copy. */
template <class Array>
void demand(Array* ior, int32_t dimen, const char* what) {
  if (sidl_array_has_dimen(ior, dimen)) return;
  exception_slot ex;
  sidl_array_fits(ior, dimen, what, ex.ptr());
  ex.check<>();
}
template <class T>
void demand(const array<T>& handle, int32_t dimen, const char* what) {
  demand(handle._get_ior(), dimen, what);
}

/** An array from C code, with the dimension and ordering that the method declares. */
template <class T>
array<T> ensured(typename array<T>::ior_t* ior, int32_t dimen, array_ordering ordering,
                 const char* what) {
  array<T> result(ior, true);
  demand(result, dimen, ordering, what);
  return result;
}

}  // namespace sidl

#endif
