/**
 * One connection of a client, shared by any number of calling threads.
 *
 * Of the threads that wait for replies one is the leader: it reads the socket, keeps its own reply,
 * hands the others theirs, and passes the lead on when it leaves, not before it has handed out all
 * that came together. While it waits it pings a silent peer, and gives the connection up after
 * keepalive_misses intervals without a byte. Calls of the server that are nested in a waiting call
 * run on the thread that waits, which does not lead meanwhile; others are left to Exports.
 */
#ifndef SHINAR_CORE_CLIENT_CONNECTION_HPP
#define SHINAR_CORE_CLIENT_CONNECTION_HPP

#include <memory>

#include "caller_strands.hpp"
#include "frame_reader.hpp"
#include "handshake.hpp"
#include "link.hpp"

namespace shinar::wire {

class Exports;
class Lookout;
class Session;

class ClientConnection : public Link {
 public:
  /**
   * Takes over a channel on which hands have been shaken. `peer` outlives it or compares only;
   * `stream` is one of the peer's `streams`.
   */
  ClientConnection(std::unique_ptr<Channel> channel, const Welcome& welcome, const Limits& limits,
                   Callee* peer = nullptr, Exports* exports = nullptr,
                   std::shared_ptr<Streams> streams = nullptr,
                   std::shared_ptr<Stream> stream = std::make_shared<Stream>());
  ~ClientConnection() override;

  void call(const Request& request, Message& answer) override;
  void await(Waiter& waiter, Deadline deadline) override;
  bool refresh() override;
  void read_last_words() override;
  std::uint64_t callee() const override { return peer_serial_; }

  /** True while a thread reads the socket. */
  bool is_being_read();

  /**
   * Reads what came, if nobody else does, but no more calls of the server than may be in work.
   * False: there may be more to read when one of them has ended.
   */
  bool service();

  /** True if not all answers have come that were asked for. */
  bool expects_answers();

  /** References that the server's calls hand out and give back are booked to this session, if it is
   *  the first that is set. */
  void set_session(std::shared_ptr<Session> session);

  /**
   * True if nothing more will be read of a connection that is broken: it may be that somebody is
   * still at it.
   */
  bool is_read_to_the_end();

  /**
   * Runs a call of the server on this thread; what had to wait for it is run elsewhere. False: its
   * turn has not come, and it is run by and by.
   */
  bool run(IncomingCall& call);

  /** Without locks: it is broken, of which the peer tells the server. */
  void report() noexcept;

  /** Says goodbye and closes. Calls in progress fail. */
  void close();

  /** When the last call began: who finds it long ago calls refresh() first. */
  std::atomic<Clock::time_point> last_used{Clock::now()};

 private:
  class Wait;
  class Full : public WriteWait {
   public:
    Full(ClientConnection& connection, bool leads) : connection_(connection), leads_(leads) {}
    bool wait(Channel& channel, Clock::time_point since) override;

   private:
    ClientConnection& connection_;
    const bool leads_;
  };

  void put_in_line(std::span<const std::byte> before, const FrameHeader& header, Encoder& encoder,
                   bool reads, Spent& spent) override;
  /** How many calls of the server may be in work for the socket to be read. */
  enum class Room { calls_in_work, any };
  void go_on() override;
  void dispose(Ended what) override;
  void answer_is_late() noexcept override;
  std::shared_ptr<Session> session();
  void fail_reading(const Error& error);
  bool read_what_came(Room room);
  void show_life();
  void wait(Waiter& waiter, Deadline deadline, Lookout* lookout,
            std::unique_lock<StateMutex>& lock);
  bool become_leader();
  void step_down();
  void wake_successor();
  template <class Action>
  void run_meanwhile(Waiter& waiter, Lookout* lookout, std::unique_lock<StateMutex>& lock,
                     Action action);
  bool look_around(Waiter& waiter, Lookout* lookout, std::unique_lock<StateMutex>& lock);
  void look_for_interruption(Waiter& waiter, Lookout& lookout, std::unique_lock<StateMutex>& lock);
  void lead(Waiter& waiter, Deadline deadline, Lookout* lookout, Crew* crew);
  bool read_one(Waiter* waiter, Wait& wait);
  bool read_into(Message& message, Waiter* waiter, Wait& wait);
  void handle(Message& message, Waiter* self);
  void read_goodbye(Message& message);
  void drain();

  // What the server asks for: client_serving.cpp
  void serve(Message& message);
  void accept_call(Message& message);
  void define_method(Message& message);
  void release(Message& message);
  void settle(Message& message);
  bool count_call(IncomingCall& call);
  void call_ended(bool is_answered) noexcept override;
  void run_elsewhere(IncomingCall call) override;
  void run_here(IncomingCall& call) override { run(call); }
  std::uint32_t most_in_work() const;
  void refuse_call(const FrameHeader& request, const Error& error);
  bool answer_call(IncomingCall& call);
  void run_next_of_strand(IncomingCall& call);
  void cancel_call(std::uint64_t id);
  void send_answer(const FrameHeader& request, Answer& answer);

  const std::chrono::milliseconds interval_;
  const std::weak_ptr<Callee> owner_;  ///< the peer, whose connection this is
  const std::uint64_t peer_serial_;
  Exports* const exports_;                  ///< NULL: the server may not call
  const std::shared_ptr<Streams> streams_;  ///< of all connections of the session
  Full full_{*this, false};
  Full full_and_leading_{*this, true};

  bool leader_ = false;               ///< under state_
  std::shared_ptr<Session> session_;  ///< under state_; NULL: nothing was lent over this connection
  CallerStrands caller_strands_;
  std::atomic<std::uint64_t> answered_{0};  ///< answers that were read; written by the leader
  std::atomic<std::uint32_t> in_work_{0};   ///< calls of the server, from when they were read

  // The leader's:
  ReceiveBuffer buffer_;
  MethodTable named_;
  const std::uint32_t most_methods_;
  const std::uint32_t most_calls_;
  int misses_ = 0;
  Clock::time_point last_sign_{};  ///< of life, while calls must wait to be read
};

}  // namespace shinar::wire
#endif
