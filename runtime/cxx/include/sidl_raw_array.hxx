/**
 * sidl_raw_array.hxx: passing raw arrays (rarray) between C++ and the IOR, where they are
 * column-major arrays (sidl_raw_array.h).
 *
 * The classes are the local variables of generated stubs, which lend the caller's memory for the
 * duration of a call, and of skels, which provide memory of the shape the method declares.
 */
#ifndef included_sidl_raw_array_hxx
#define included_sidl_raw_array_hxx

#include <limits>
#include <memory>

#include "sidl_array.hxx"
#include "sidl_raw_array.h"

namespace sidl {

/** An in argument of a call: an array over the caller's memory. */
template <class T, int32_t Dimension>
class raw_in {
 public:
  typedef typename array<T>::ior_t ior_t;

  raw_in(const T* first, const int64_t (&extents)[Dimension], const char* what) {
    exception_slot ex;
    // an in argument is not written to; the IOR's arrays do not say so
    sidl_raw_array_open(&d_raw, const_cast<T*>(first), array_element<T>::type, Dimension, extents,
                        what, ex.ptr());
    ex.check<>();
  }
  raw_in(const raw_in&) = delete;
  raw_in& operator=(const raw_in&) = delete;

  ior_t* ior() noexcept { return reinterpret_cast<ior_t*>(&d_raw); }

 protected:
  struct sidl_raw_array d_raw;
};

/** An inout argument: if the callee returns another array, store() copies its elements. */
template <class T, int32_t Dimension>
class raw_inout : public raw_in<T, Dimension> {
 public:
  typedef typename array<T>::ior_t ior_t;

  raw_inout(T* first, const int64_t (&extents)[Dimension], const char* what)
      : raw_in<T, Dimension>(first, extents, what), d_what(what), d_array(this->ior()) {}
  ~raw_inout() { sidl__array_deleteRef(reinterpret_cast<struct sidl__array*>(d_array)); }

  ior_t** ptr() noexcept { return &d_array; }

  void store() {
    exception_slot ex;
    ior_t* const made = ::std::exchange(d_array, nullptr);
    sidl_raw_array_close(&this->d_raw, reinterpret_cast<struct sidl__array*>(made), d_what,
                         ex.ptr());
    ex.template check<>();
  }

 private:
  const char* d_what;
  ior_t* d_array;
};

/** An in argument of a method written in C++: memory of the shape given by the extents. */
template <class T, int32_t Dimension>
class callee_raw_in {
 public:
  typedef typename array<T>::ior_t ior_t;

  callee_raw_in(ior_t* array, const int64_t (&extents)[Dimension], const char* what) {
    exception_slot ex;
    d_array.reset(reinterpret_cast<ior_t*>(sidl_raw_array_accept(
        reinterpret_cast<struct sidl__array*>(array), Dimension, extents, what, ex.ptr())));
    ex.check<>();
  }

  T* data() const noexcept {
    return d_array ? reinterpret_cast<T*>(d_array->d_firstElement) : nullptr;
  }

 protected:
  struct give_back {
    void operator()(ior_t* array) const noexcept {
      sidl__array_deleteRef(reinterpret_cast<struct sidl__array*>(array));
    }
  };
  ::std::unique_ptr<ior_t, give_back> d_array;
};

/** An inout argument: the caller gets the array that the method worked on. */
template <class T, int32_t Dimension>
class callee_raw_inout : public callee_raw_in<T, Dimension> {
 public:
  typedef typename array<T>::ior_t ior_t;

  callee_raw_inout(ior_t** array, const int64_t (&extents)[Dimension], const char* what)
      : callee_raw_in<T, Dimension>(*array, extents, what) {
    // drops the reference that was passed in and returns the new one
    sidl__array_deleteRef(reinterpret_cast<struct sidl__array*>(*array));
    *array = this->d_array.get();
    sidl__array_addRef(reinterpret_cast<struct sidl__array*>(*array));
  }
};

/** An index argument, computed from the lengths of the arrays. */
template <class Int>
Int solved(int64_t value, const char* what) {
  exception_slot ex;
  sidl_extent_check(value, ::std::numeric_limits<Int>::max(), what, ex.ptr());
  ex.check<>();
  return static_cast<Int>(value);
}

}  // namespace sidl

#endif
