/**
 * A per-thread object that is reused once it has no other references, to save four allocations per
 * call on the small-message path.
 */
#ifndef SHINAR_GLUE_REUSED_HPP
#define SHINAR_GLUE_REUSED_HPP

#include <utility>

#include "core/of_thread.hpp"
#include "sidl_ior.h"

namespace shinar::wire {

/** The Impl behind a handle of a class implemented in this library. */
template <class Impl, class Handle>
Impl& impl_of(const Handle& handle) {
  return *static_cast<Impl*>(handle._get_ior()->d_data);
}

template <class Handle>
class Reused {
 public:
  /** An object without other references; it may hold remains of its last use. */
  const Handle& get() {
    if (object_._is_nil() || is_held()) object_ = Handle::_create();
    return object_;
  }

  /** The thread's object; valid until the thread asks again. */
  static const Handle& of_this_thread() { return OfThread<Reused>::get().get(); }

 private:
  bool is_held() const {
    const auto* const head = reinterpret_cast<const sidl_object*>(object_._get_ior());
    return __atomic_load_n(&head->d_refcount, __ATOMIC_ACQUIRE) != 1;
  }

  Handle object_;
};

}  // namespace shinar::wire
#endif
