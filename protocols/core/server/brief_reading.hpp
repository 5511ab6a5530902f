/**
 * Reads a server's connection for a thread that waits for an answer of its client, for a limited
 * time or number of reads; or only what has arrived.
 */
#ifndef SHINAR_CORE_SERVER_BRIEF_READING_HPP
#define SHINAR_CORE_SERVER_BRIEF_READING_HPP

#include <cerrno>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "core/channel.hpp"
#include "core/event.hpp"
#include "core/server/server_connection.hpp"

namespace shinar::wire {

class BriefReading final : public Reading {
 public:
  using Clock = std::chrono::steady_clock;

  /** Reads only what has arrived. */
  explicit BriefReading(ServerConnection& connection) : connection_(connection) {
    connection_.reader.admission.look_at_quota(*connection_.party);
  }
  /**
   * `event`: of the waiting thread, which others may notify of a call to run; waits at most
   * `until`.
   */
  BriefReading(ServerConnection& connection, Event& event, Clock::time_point until)
      : connection_(connection), event_(&event), until_(until) {
    connection_.reader.admission.look_at_quota(*connection_.party);
  }

  Next next(bool frame_start) override {
    const Tried tried = std::exchange(tried_, Tried::all);
    if (tried == Tried::all) return stop();
    if (tried == Tried::nothing && has_looked_enough()) return stop();
    if (event_ == nullptr) return Next::look;
    if (!frame_start) return Next::sleep;
    if (tried == Tried::nothing) {
      tried_ = Tried::spinning;
      return Next::spin;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until_ - Clock::now());
    const Channel::Ready ready =
        connection_.channel->await(true, false, event_->descriptor(), left);
    if (ready.other) event_->clear_descriptor();
    return Next::look;
  }
  std::shared_ptr<Landing> landing(const FrameHeader& header) override {
    return connection_.landing_of(header);
  }
  void came(ssize_t got) override {
    if (got > 0) connection_.reader.note_received(static_cast<std::size_t>(got));
    tried_ = Tried::nothing;
  }
  /** Where others have taken it, one that waits for an answer tries again soon. */
  Crowded crowded(const Lack& lack) override {
    if (lack.budget != nullptr) {
      connection_.reader.note_lack(lack);
      if (event_ != nullptr) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return Crowded::stop;
    }
    const bool may_stop = event_ == nullptr && connection_.reader.will_have_capacity();
    return may_stop ? Crowded::stop : Crowded::fail;
  }

 private:
  enum class Tried { nothing, spinning, all };
  /** Asked before each look, as the bytes of a quota may be used up by any. */
  bool has_looked_enough() {
    if (looks_++ >= receives_in_a_turn) return true;
    const bool is_paced = event_ == nullptr && connection_.reader.admission.is_limited();
    return is_paced && !connection_.party->may_be_looked_at();
  }
  Next stop() {
    tried_ = Tried::nothing;
    errno = EAGAIN;
    return Next::stop;
  }

  ServerConnection& connection_;
  Event* const event_ = nullptr;
  const Clock::time_point until_{};
  Tried tried_ = Tried::nothing;  ///< since data arrived
  unsigned looks_ = 0;
};

}  // namespace shinar::wire
#endif
