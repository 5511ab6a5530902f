#include "checked_mutex.hpp"

#if SHINAR_LOCKS_ARE_CHECKED

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string_view>

namespace shinar::wire {
namespace {

/** As in README.md. A lock not listed here is never held together with these. */
constexpr std::string_view order[] = {
    "Directory",     "Peer",           "Errands",          "PendingCall",    "BackChannel",
    "Link::write",   "Exports",        "CallerStrands",    "Acceptor",       "CallsInWork",
    "ServerContext", "ConnectionList", "WritePoll",        "LingeringClose", "TaskQueue",
    "Disposal",      "CallsInLine",    "WorkerPool",       "Link::state_",   "Tellers",
    "Chains",        "ObjectStrands",  "Current",          "Ledger",         "OrbHost",
    "Streams",       "Stream",         "Link::cancelled_", "Event",          "Landing",
    "LibraryUsers",  "TlsStream",      "UcxStream",        "BlockCache",     "SpaceAccess",
    "Files",         "MemoryClaim",    "WaitingLine",      "Permissions",    "Trust",
    "Parties",       "Party",          "RequiredProof",    "PeerLog",        "Audit",
};

std::ptrdiff_t rank_of(const char* name) {
  const auto* const at = std::ranges::find(order, std::string_view(name));
  return at - std::begin(order);
}

/**
 * The locks a thread holds. A fork takes many: beyond the first few only their number is recorded.
 */
struct LocksOfThread {
  std::array<const char*, 16> names{};
  std::size_t count = 0;
};

/** No destructor: locks are taken late in the end of a thread. */
constinit thread_local LocksOfThread locks_of_thread;

}  // namespace

void check_lock_order(const char* name) noexcept {
  const std::size_t known = std::min(locks_of_thread.count, locks_of_thread.names.size());
  const auto rank = rank_of(name);
  if (rank == std::ssize(order)) return;
  for (std::size_t i = 0; i < known; ++i) {
    const char* const held = locks_of_thread.names[i];
    if (held == nullptr || rank_of(held) < rank || rank_of(held) == std::ssize(order)) continue;
    std::fprintf(stderr,
                 "simhandle: a thread that holds the lock '%s' waits for '%s', which does not "
                 "come after it in the lock order (protocols/core/README.md). This is a bug in "
                 "simhandle\n",
                 held, name);
    std::abort();
  }
}

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
               "users' code must run under none. This is a bug in simhandle\n",
               what, locks_of_thread.count, name == nullptr ? "?" : name);
  std::abort();
}

}  // namespace shinar::wire

#endif
