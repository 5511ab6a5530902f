/**
 * Calls that workers would run, had their parties places for them: those that were handed to a
 * thread of their chain, which went on without running them, and those that come behind such calls.
 * Each waits for the quota in the line of its party, and for a thread of its chain besides, which
 * may have the place that it waits for.
 */
#ifndef SHINAR_CORE_SERVER_CALLS_IN_LINE_HPP
#define SHINAR_CORE_SERVER_CALLS_IN_LINE_HPP

#include <memory>
#include <vector>

#include "core/chain.hpp"
#include "core/checked_mutex.hpp"
#include "core/party.hpp"

namespace shinar::wire {

/** Those of a server. Any thread, without locks. */
class CallsInLine {
 public:
  /** The call of a ServerConnection, whose party is limited. */
  void enter(QueuedCall call, const std::shared_ptr<Party>& party);
  /**
   * Hands calls to threads of their chains that are idle now, and lets the others follow as time
   * allows. Regularly; false if none waits.
   */
  bool look_after();

 private:
  class Waiting;
  bool remove(const Waiting& call);

  CheckedMutex<"CallsInLine"> mutex_;
  std::vector<std::shared_ptr<Waiting>> calls_;
};

}  // namespace shinar::wire
#endif
