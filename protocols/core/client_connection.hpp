/**
 * One connection of a client, shared by any number of calling threads.
 *
 * Of the threads that wait for replies one is the leader: it reads the socket, keeps its own reply
 * and hands the others theirs. When it leaves, it first hands out all it has received, then passes
 * the lead on. While it waits it pings a silent peer, and gives the connection up after
 * keepalive_misses intervals without a byte. Calls of the server nested in a waiting call run on
 * the thread that waits, which does not lead meanwhile; others are left to Exports.
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
   * Takes over a channel after the handshake. `peer` is kept weakly; `stream` is one of the peer's
   * `streams`.
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
  Identity identity() const override { return server_; }
  std::uint64_t callee() const override { return peer_serial_; }

  /** True while a thread reads the socket. `watcher`: hears when it has none; NULL: nobody. */
  bool is_being_read(Exports* watcher = nullptr);

  /**
   * Reads what has arrived, unless another thread reads. Unless calls are observed, no more calls
   * of the server than may be in work. False if there may be more to read, later. `watcher`: as
   * above.
   */
  bool service(Exports* watcher = nullptr);

  /** More may come that somebody wants to know. */
  bool is_to_be_read() const { return is_usable() || (observed != 0 && !is_broken()); }

  void attend_to_observed(Exports& exports) override;

  /**
   * Calls are observed: pings a silent server, and gives the connection up, unless another thread
   * reads it, which does. `begins`: now. Returns when to call it again.
   */
  Clock::time_point keep_alive(Clock::time_point now, bool begins);

  /** True if answers are outstanding. */
  bool expects_answers();

  /**
   * References that the server's calls hand out and give back are booked to this session. Only the
   * first one set counts.
   */
  void set_session(std::shared_ptr<Session> session);

  /**
   * True once nothing more will be read from a broken connection; false while a thread still reads
   * it.
   */
  bool is_read_to_the_end();

  /**
   * Runs a call of the server on this thread; the next of its caller strand is run elsewhere. False
   * if it has been queued for its object strand instead.
   */
  bool run(IncomingCall& call);

  /** The connection is broken: lets the peer settle that with the server. Called without locks. */
  void report() noexcept;

  /** Tells the server that nothing more comes. */
  void say_goodbye();
  /**
   * After that: closes when the server has, or a while after it was told and all was sent. Calls in
   * progress fail.
   */
  void close(std::chrono::steady_clock::time_point told);

  /** When the last call began; if that is long ago, callers must refresh() first. */
  std::atomic<Clock::time_point> last_used{Clock::now()};

 private:
  class Wait;
  class Full : public WriteWait {
   public:
    /** `deadline`: of the request whose frame is sent; NULL: none. */
    Full(ClientConnection& connection, bool leads, const Deadline* deadline = nullptr)
        : connection_(connection), leads_(leads), deadline_(deadline) {}
    bool wait(Channel& channel, Clock::time_point since) override;
    void await_beginning(Channel& channel) override;
    bool leaves_rest() override;

   private:
    ClientConnection& connection_;
    const bool leads_;
    const Deadline* const deadline_;
  };

  void put_in_line(std::span<const std::byte> before, const FrameHeader& header, Encoder& encoder,
                   bool reads, const Deadline* deadline, Spent& spent) override;
  void await_room(const Deadline& deadline, bool reads);
  /** What limits reading: the number of the server's calls in work, a goodbye, or nothing. */
  enum class Room { calls_in_work, any, after_goodbye };
  void go_on() override;
  void dispose(Ended what) override;
  void answer_is_late() noexcept override;
  std::shared_ptr<Session> session();
  void fail_reading(const Error& error);
  bool read_what_came(Room room);
  void show_life();
  bool endure_silence();
  void wait(Waiter& waiter, Deadline deadline, Lookout* lookout,
            std::unique_lock<StateMutex>& lock);
  bool become_leader(Exports* watcher = nullptr);
  void step_down() override;
  void wake_successor();
  void choose_successor();
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
  void drain(std::chrono::steady_clock::time_point since);

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
  bool answer_call(IncomingCall& call);
  void run_next_of_strand(IncomingCall& call);
  void cancel_call(std::uint64_t id);
  void send_answer(const FrameHeader& request, Answer& answer);
  void transmit_answer(const FrameHeader& header, Encoder& body, Lent& lent, const Deadline& until);

  // While the server takes no data: client_sending.cpp
  struct PostponedAnswer;
  void refuse_call(const FrameHeader& request, const Error& error);
  void postpone(PostponedAnswer answer);
  void send_cancel(std::uint64_t id) override;
  void send_postponed_soon();
  void send_postponed();
  void send_rest();

  const std::chrono::milliseconds interval_;
  const std::weak_ptr<Callee> owner_;  ///< the peer, whose connection this is
  const std::uint64_t peer_serial_;
  const Identity server_;
  Exports* const exports_;                  ///< NULL: the server may not call
  const std::shared_ptr<Streams> streams_;  ///< of all connections of the session

  // Under write: since when the server has taken nothing, and how often that was so before.
  Clock::time_point full_since_{};
  std::uint32_t times_full_ = 0;
  bool has_left_ = false;  ///< the rest of a frame, when something was sent last; under write
  bool leader_ = false;    ///< under state_
  Exports* would_read_ = nullptr;  ///< under state_; its watcher found that another thread reads
  std::shared_ptr<Session>
      session_;  ///< under state_; NULL: no references were lent over this connection
  /** To a call of the server. */
  struct PostponedAnswer {
    FrameHeader header{};
    Encoder body{};
    Lent lent{};
    std::unique_ptr<std::vector<std::shared_ptr<void>>> held{};  ///< see Answer
  };
  // Under state_:
  Fifo<PostponedAnswer> answers_;      ///< to be sent
  Fifo<std::uint64_t> cancels_;        ///< of calls that were cancelled, to be sent
  bool has_rest_ = false;              ///< see WriteWait::leaves_rest
  bool is_sending_postponed_ = false;  ///< a task sends them
  CallerStrands caller_strands_;
  std::atomic<std::uint64_t> answered_{0};  ///< answers read; written by the leader
  std::atomic<std::uint32_t> in_work_{0};  ///< calls of the server, counted from when they are read

  // The leader's:
  ReceiveBuffer buffer_;
  MethodTable named_;
  const std::uint32_t most_methods_;
  const std::uint32_t most_calls_;
  int misses_ = 0;
  Deadline quiet_since_;           ///< the leader's: no data and no ping since
  Clock::time_point last_sign_{};  ///< of life that was sent, while reading is suspended
};

}  // namespace shinar::wire
#endif
