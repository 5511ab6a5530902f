/**
 * Per-thread state that remains usable during thread exit.
 *
 * Calls may be made very late: from exit handlers, from destructors of static and thread_local
 * objects and of pthread keys. A thread_local with a destructor may have been destroyed by then.
 * This is destroyed by a pthread key, after the thread's thread_local objects; later use makes a
 * new one, which the next round of key destructors destroys. The main thread keeps its own to the
 * end of the process.
 */
#ifndef SHINAR_CORE_OF_THREAD_HPP
#define SHINAR_CORE_OF_THREAD_HPP

#include <memory>

namespace shinar::wire {

/** Calls destroy(object) when this thread ends; never if memory is exhausted. */
void at_end_of_thread(void* object, void (*destroy)(void* object)) noexcept;

/** The thread's T, made on first use. */
template <class T>
class OfThread {
 public:
  static T& get() {
    T*& mine = place();
    if (mine == nullptr) [[unlikely]]
      make(mine);
    return *mine;
  }

 private:
  static T*& place() {
    constinit static thread_local T* mine = nullptr;
    return mine;
  }
  [[gnu::cold, gnu::noinline]] static void make(T*& mine) {
    auto made = std::make_unique<T>();
    at_end_of_thread(made.get(), [](void* object) {
      place() = nullptr;
      delete static_cast<T*>(object);
    });
    mine = made.release();
  }
};

}  // namespace shinar::wire
#endif
