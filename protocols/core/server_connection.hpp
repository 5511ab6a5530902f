/**
 * One connection as the server keeps it. Idle, it costs this object and a file descriptor.
 *
 * Reading belongs to one worker at a time (see WorkerPool); answering is guarded by `write`, as
 * several calls of one connection may be in work. Whoever runs one of its calls holds a
 * shared_ptr, so that the descriptor stays valid until the last answer has been tried.
 */
#ifndef SHINAR_CORE_SERVER_CONNECTION_HPP
#define SHINAR_CORE_SERVER_CONNECTION_HPP

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <string>

#include "back_channel.hpp"
#include "frame_reader.hpp"
#include "handshake.hpp"
#include "ledger.hpp"
#include "link.hpp"

namespace shinar::wire {

class Server;

struct ServerConnection : public Link {
  using Clock = std::chrono::steady_clock;

  ServerConnection(Server& owner, std::unique_ptr<Channel> accepted, std::string its_peer)
      : Link(std::move(accepted)), server(owner), peer(std::move(its_peer)) {}

  void await(Waiter& waiter, Deadline deadline) override;
  void await_room(Deadline deadline) override;
  void put_in_line(std::span<const std::byte> before, const FrameHeader& header, Encoder& encoder,
                   bool reads, Spent& spent) override;
  void ask_for_confirmation() override;
  void call_ended(bool is_answered) noexcept override;
  void run_elsewhere(IncomingCall call) override;
  void go_on() override;
  void dispose(Ended what) override;
  void run_here(IncomingCall& call) override;
  const void* runner() const override { return &server; }
  std::string other_end() const override { return peer; }
  bool refresh() override { return is_usable(); }  // the server's workers read
  bool has_said_goodbye() const override { return said_goodbye; }
  std::uint64_t callee() const override { return session == nullptr ? 0 : session->back->serial; }

  using Link::complete_answer;
  using Link::conclude;
  using Link::count_read;
  using Link::deliver;
  using Link::deliver_nested;
  using Link::is_concluded;
  using Link::landing_of;
  using Link::send_bare;
  using Link::set_limits;
  using Link::state_;
  using Link::suspend;

  Server& server;
  const std::string peer;
  const Clock::time_point accepted = Clock::now();
  std::size_t surplus = 0;  ///< not 0: so many there would be with it, which are too many

  // The reading worker's:
  ReceiveBuffer pending;  ///< received, not used yet
  HelloBytes hello{};
  std::size_t hello_got = 0;
  std::size_t extension_left = 0;  ///< bytes of the hello's extension still to be skipped
  MethodTable named;
  std::deque<IncomingCall> deferred;  ///< read before anybody could run them
  std::uint64_t looked = 0;  ///< the pool's tick when somebody last looked whether more has come
  std::atomic<bool> greeted{false};
  bool is_introduced = false;  ///< the client has sent a frame

  // Set by the handshake, then constant:
  std::shared_ptr<Session> session;
  std::uint32_t keepalive_ms = 0;
  bool is_logged = false;  ///< as a detail

  Buffer unsent;  ///< answers to calls that came together, to be sent together; under write
  std::atomic<int> unsent_calls{0};  ///< how many; still in the server's count of calls in work

  // While the channel has a backlog, which is sent on when there is room, `unsent` is empty. See
  // server_sending.cpp. Under write.
  int backlog_calls = 0;            ///< as unsent_calls
  Clock::time_point progress{};     ///< when the client last took something
  bool is_given_up = false;         ///< it takes nothing more
  bool is_polled = false;           ///< known to the server's poll for room
  bool closes = false;              ///< when there is no backlog: the client will send nothing more
  std::vector<QueuedCall> stalled;  ///< calls that go on when there is room
  std::atomic<std::uint64_t> backlog{0};  ///< bytes of the channel's, for other threads

  std::atomic<bool> said_goodbye{false};  ///< the client is done
  std::atomic<int> in_work{0};
  std::atomic<int> awaited{0};          ///< calls to the client that threads wait for
  std::atomic<std::uint32_t> heard{0};  ///< goes up whenever something came from the client
  std::atomic<bool> attended{true};     ///< somebody waits for its bytes: epoll or a worker
  std::atomic<bool> throttled{false};   ///< not armed because too many calls are in work
  Clock::time_point pressed{};  ///< watch thread's: when it looked whether the client takes answers
  Clock::time_point last_sign{};  ///< watch thread's: last sign of life, or since when it waits
};

}  // namespace shinar::wire
#endif
