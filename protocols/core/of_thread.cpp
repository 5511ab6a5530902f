#include "of_thread.hpp"

#include <pthread.h>

#include <new>
#include <utility>

namespace shinar::wire {
namespace {

struct Kept {
  void* object;
  void (*destroy)(void*);
  Kept* next;
};

/** Destructors may add new entries: pthread repeats the round a few times. */
void end_of_thread(void* first) {
  for (auto* each = static_cast<Kept*>(first); each != nullptr;) {
    each->destroy(each->object);
    delete std::exchange(each, each->next);
  }
}

struct Key {
  pthread_key_t key{};
  bool is_there = ::pthread_key_create(&key, end_of_thread) == 0;
};

/** Made when the library is loaded; before that, or without a key, nothing is destroyed. */
const Key key;

}  // namespace

void at_end_of_thread(void* object, void (*destroy)(void* object)) noexcept {
  if (!key.is_there) return;
  auto* const first = static_cast<Kept*>(::pthread_getspecific(key.key));
  auto* const kept = new (std::nothrow) Kept{object, destroy, first};
  if (::pthread_setspecific(key.key, kept == nullptr ? first : kept) != 0) delete kept;
}

}  // namespace shinar::wire
