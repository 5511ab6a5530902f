#include "checked_mutex.hpp"

#if SIMHANDLE_LOCKS_ARE_CHECKED

#include <array>
#include <cstdio>
#include <cstdlib>

namespace simhandle {
namespace {

/** The locks of a thread. A fork takes many: of those beyond the first few only the number counts.
 */
struct LocksOfThread {
  std::array<const char*, 16> names{};
  std::size_t count = 0;
};

/** No destructor: locks are taken very late. */
constinit thread_local LocksOfThread locks_of_thread;

}  // namespace

void note_lock_taken(const char* name) noexcept {
  if (locks_of_thread.count < locks_of_thread.names.size())
    locks_of_thread.names[locks_of_thread.count] = name;
  ++locks_of_thread.count;
}

void note_lock_given_up(const char* name) noexcept {
  std::size_t at = locks_of_thread.count < locks_of_thread.names.size()
                       ? locks_of_thread.count
                       : locks_of_thread.names.size();
  while (at > 0 && locks_of_thread.names[at - 1] != name) --at;
  if (at > 0) {
    for (; at < locks_of_thread.names.size(); ++at)
      locks_of_thread.names[at - 1] = locks_of_thread.names[at];
    locks_of_thread.names.back() = nullptr;
  }
  --locks_of_thread.count;
}

void assert_no_lock_held(const char* what) noexcept {
  if (locks_of_thread.count == 0) return;
  const char* const name = locks_of_thread.names[0];
  std::fprintf(stderr,
               "simhandle: %s begins while this thread holds %zu lock(s), the first of them '%s': "
               "code of users must run under none. This is an error of simhandle's\n",
               what, locks_of_thread.count, name == nullptr ? "?" : name);
  std::abort();
}

}  // namespace simhandle

#endif
