/**
 * What a thread keeps from one call to the next.
 *
 * Calls may be made very late: from exit handlers, from destructors of static and thread_local
 * objects and of the values of pthread keys. A thread_local with a destructor may be gone by then.
 * This is not: it is destroyed with the values of pthread keys, after the thread's thread_local
 * objects; whoever wants it later still gets a new one, which goes in the next round. The main
 * thread keeps its own to the end of the process.
 */
#ifndef SHINAR_CORE_OF_THREAD_HPP
#define SHINAR_CORE_OF_THREAD_HPP

#include <memory>

namespace shinar::wire {

/** Has `destroy` called with `object` when this thread ends; never, if there is no memory. */
void at_end_of_thread(void* object, void (*destroy)(void* object)) noexcept;

/** The thread's T, which is made when it is wanted first. */
template <class T>
class OfThread {
 public:
  // Not inlined: each use would look the thread's up again.
  [[gnu::noinline]] static T& get() {
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
