/**
 * Keeps an object of the host alive as long as the pin lives.
 */
#ifndef SHINAR_CORE_PIN_HPP
#define SHINAR_CORE_PIN_HPP

#include <memory>
#include <utility>

#include "checked_mutex.hpp"

namespace shinar::wire {

class Pin {
 public:
  Pin() = default;
  /** drop(object) is called at the end; it may run destructors. */
  Pin(void* object, void (*drop)(void*)) : object_(object), drop_(drop) {}
  Pin(Pin&& other) noexcept : object_(std::exchange(other.object_, nullptr)), drop_(other.drop_) {}
  Pin& operator=(Pin&& other) noexcept {
    std::swap(object_, other.object_);
    std::swap(drop_, other.drop_);
    return *this;
  }
  ~Pin() { reset(); }

  /** NULL if empty. */
  void* get() const { return object_; }
  void* release() { return std::exchange(object_, nullptr); }
  void reset() {
    void* const object = std::exchange(object_, nullptr);
    if (object == nullptr) return;
    assert_no_lock_held("releasing an object");
    drop_(object);
  }

 private:
  void* object_ = nullptr;
  void (*drop_)(void*) = nullptr;
};

}  // namespace shinar::wire
#endif
