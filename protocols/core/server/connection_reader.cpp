#include "core/server/connection_reader.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "core/chain.hpp"
#include "core/crew.hpp"
#include "core/server/brief_reading.hpp"
#include "core/server/server_connection.hpp"
#include "core/server/server_context.hpp"

namespace shinar::wire {

/** How a worker waits for data: not at all, unless the pool can spare it. */
class ConnectionReader::Wait final : public Reading {
 public:
  explicit Wait(ServerConnection& connection)
      : pool_(connection.server.pool), connection_(connection), reader_(connection.reader) {}

  Next next(bool frame_start) override {
    if (goes_on_) return go_on(frame_start);
    connection_.replies.flush();  // no other call has been received yet
    if (++looks_ % receives_in_a_turn == 0 && pool_.is_wanted()) {
      return stop();  // serve other connections; epoll reports this one again
    }
    goes_on_ = true;
    if (first_ || !frame_start) {
      first_ = false;
      return Next::look;
    }
    if (!pool_.park()) return stop();
    parked_ = true;
    sleep();
    return Next::wait;
  }
  std::shared_ptr<Landing> landing(const FrameHeader& header) override {
    return connection_.landing_of(header);
  }
  void came(ssize_t got) override {
    if (got > 0) reader_.note_received(static_cast<std::size_t>(got));
    is_over();
  }
  /** Calls in work give memory back when they end. */
  Crowded crowded(const Lack& lack) override {
    if (lack.budget != nullptr) {
      reader_.note_lack(lack);
      return Crowded::stop;
    }
    if (!reader_.will_have_capacity()) return Crowded::fail;
    connection_.replies.flush();
    const WaitForPeer waits;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return Crowded::again;
  }

 private:
  /** The previous attempt got nothing; EINTR counts as that. */
  Next go_on(bool frame_start) {
    if (sleeps_ || frame_start || !pool_.has_idle_worker()) return stop();
    sleep();
    return Next::sleep;
  }
  Next stop() {
    is_over();
    errno = EAGAIN;
    return Next::stop;
  }
  void sleep() {
    sleeps_ = true;
    reader_.set_watched(true);
  }
  void is_over() {
    goes_on_ = false;
    if (sleeps_) reader_.set_watched(false);
    sleeps_ = false;
    reader_.looked_.store(pool_.tick(), std::memory_order_relaxed);
    if (parked_) pool_.unpark();  // errno stays
    parked_ = false;
  }

  WorkerPool& pool_;
  ServerConnection& connection_;
  ConnectionReader& reader_;
  bool first_ = true;     ///< epoll reported data
  bool goes_on_ = false;  ///< the previous attempt got nothing
  bool parked_ = false;
  bool sleeps_ = false;
  unsigned looks_ = 0;
};

namespace {

/** Ends the count of a call that was read but not run while its connection is alive. */
struct EndOfCall {
  IncomingCall& call;
  ~EndOfCall() { call.count.end(); }
};

}  // namespace

ConnectionReader::ConnectionReader(ServerConnection& connection, ServerContext& server)
    : admission(connection, server), connection_(connection), server_(server), pool_(server.pool) {}

void ConnectionReader::serve(Worker& worker) {
  const auto keep = connection_.shared_from_this();
  const EndOfCall end_of_call{worker.call};
  watched_.exchange(false);  // synchronises with the previous reader
  worker.tenant = connection_.tenant();
  worker.buffer.clear();  // of what a closed connection left in it
  try {
    if (!connection_.handshake.is_done()) {
      if (connection_.handshake.go_on()) let_go();  // to the line of its tenant
      return;
    }
    if (has_deferred()) {
      worker.ready = {};  // calls read from now on arrived later
      if (!read_ahead()) return;
    }
    read_frames(worker);
  } catch (const std::exception& error) {
    CallRunner::drop(worker.call);
    worker.call.count.end();
    refuse(reason_of(error));
  }
}

void ConnectionReader::charge_received(std::size_t bytes) const {
  connection_.party->charge_bytes(bytes);
}

void ConnectionReader::read_frames(Worker& worker) {
  Wait wait(connection_);
  constexpr unsigned frames_in_a_turn = 16;
  unsigned frames = 0;
  auto arrived = worker.ready;  // arrival time of what woke this worker
  for (;;) {
    if (lacks_share()) [[unlikely]] {
      keep(worker.buffer);
      if (!read_ahead() || hold()) return;
      continue;
    }
    if (has_deferred() && !run_deferred(worker)) return;
    if (lack_.budget != nullptr) [[unlikely]] {
      keep(worker.buffer);
      if (hold()) return;
      lack_ = {};
    }
    // Another thread may have read up to the limit before this worker took over.
    if (connection_.replies.is_full() || connection_.calls.are_many()) {
      keep(worker.buffer);
      if (throttle()) return;
      if (hung_up_ && may_read_ahead()) {
        if (!read_ahead()) return;
        if (has_deferred()) continue;
      }
    }
    go_on_with(worker.buffer);
    switch (connection_.channel->next(wait, worker.buffer, worker.call.message)) {
      case Channel::Status::message:
        if (!connection_.frames.handle(worker, arrived)) return;
        if (admission.is_limited() && !has_deferred()) admission.end_turn();
        if ((++frames % frames_in_a_turn == 0 || admission.is_limited()) && pool_.is_wanted())
            [[unlikely]] {
          keep(worker.buffer);
          let_go();
          return;
        }
        break;
      case Channel::Status::nothing:
        if (lack_.budget != nullptr) continue;
        connection_.channel->rest();
        is_within_message_.store(connection_.channel->within_frame(), std::memory_order_relaxed);
        admission.rest();
        arm();
        return;
      case Channel::Status::closed:
        if (!connection_.replies.closes_later()) close();
        return;
      case Channel::Status::failed:
        lost(errno);
        return;
    }
  }
}

void ConnectionReader::lost(int err) {
  // A process that exits with unread data resets its connections: a normal end.
  if (err != ECONNRESET || connection_.channel->within_frame()) {
    server_.log.add(PeerLog::Kind::broken,
                    "lost the connection of " + connection_.peer + ": " +
                        (err == 0 ? "it ended in the middle of a message" : std::strerror(err)));
  }
  close();
}

/**
 * Runs deferred calls; false if the connection is not this worker's any more. Runs one per round
 * even if the client sends without a pause; only one if the client's quota is shared with others
 * that may wait for a worker.
 */
bool ConnectionReader::run_deferred(Worker& worker) {
  while (has_deferred()) {
    if (connection_.replies.is_full() && throttle()) return false;
    if (lacks_share()) {
      if (hold()) return false;
      if (!has_deferred()) break;  // others have taken them
    }
    if (is_stale()) {
      if (!read_ahead()) return false;
      if (!has_deferred()) break;
    }
    IncomingCall call = std::move(deferred_.front());
    deferred_.pop_front();
    if (is_nested(call) && connection_.deliver_nested(call)) continue;
    const bool lines_up = call.message.header.strand != 0 && !call.caller_strand;
    if (lines_up && !line_up(call)) {
      if (admission.is_limited()) connection_.party->charge_call();
      continue;
    }
    if (!connection_.calls.execute(worker, call)) return false;
    if (admission.is_limited() && pool_.is_wanted()) {
      let_go();
      return false;
    }
  }
  return true;
}

void ConnectionReader::arm() {
  watched_ = true;
  if (connection_.channel->has_buffered()) {
    pool_.enqueue(connection_);
  } else {
    pool_.arm(connection_.channel->descriptor(), connection_);
  }
}

void ConnectionReader::let_go(Clock::time_point since) {
  const bool has_nothing =
      pending_.empty() && !connection_.replies.holds_back_answers() && !has_deferred();
  if (has_nothing && !admission.is_at_work()) {
    arm();
  } else {
    pool_.enqueue(connection_, since);
  }
}

void ConnectionReader::release() {
  if (!throttle()) let_go();
}

void ConnectionReader::close() {
  connection_.replies.flush();
  connection_.fail(Error(Failure::unexpected_close, "the client closed the connection"));
  end();
}

/** What follows the end of its calls. */
void ConnectionReader::end() {
  connection_.replies.drop();
  connection_.calls.leave_queues();
  pool_.remove(connection_.channel->descriptor());
  for (IncomingCall& each : deferred_) {
    connection_.calls.pass_strand_on(each);
    each.count.end();  // while the connection is alive
    server_.disposal.add(Ended(std::make_shared<IncomingCall>(std::move(each))));
  }
  deferred_.clear();
  admission.end();
  if (std::exchange(has_ended_, false)) connection_.party->note_end_of_ended();
  if (connection_.handshake.is_done()) connection_.note_end();
  if (connection_.session != nullptr) end_stream();
  if (connection_.handshake.is_logged()) {
    server_.host.log_detail("connection of " + connection_.peer + " closed");
  }
  server_.connections.remove(connection_);
}

/**
 * Nothing more will be read: executes releases that waited for that, and tells the client unless it
 * said goodbye.
 */
void ConnectionReader::end_stream() {
  const std::shared_ptr<Session> session = connection_.session;
  if (connection_.stream->end()) connection_.go_on();
  if (!connection_.has_said_goodbye() && connection_.number() != 0) {
    // On a worker, as it may have to wait for the client.
    server_.tasks.add([back = session->back, stream = connection_.stream](Worker&) {
      back->tell_all(Notice::end_of(*stream));
    });
  }
  session->streams->tidy();
  server_.disposal.add(server_.ledger.close(session));
}

void ConnectionReader::close_after_last_words() {
  connection_.channel->finish_sending();
  connection_.end_calls(Error(Failure::unexpected_close, "the connection was refused"));
  const auto keep = connection_.shared_from_this();
  end();
  connection_.end_count();  // its client may come again at once
  const bool lingers = server_.lingering.add(std::static_pointer_cast<ServerConnection>(keep));
  if (!lingers) connection_.channel->shut_down();
}

void ConnectionReader::refuse(const std::string& why) {
  connection_.replies.flush();
  server_.counters.errors.fetch_add(1, std::memory_order_relaxed);
  server_.log.add(PeerLog::Kind::violated,
                  "closing the connection of " + connection_.peer + ": " + why);
  // Another thread may be sending an answer at this moment.
  constexpr std::chrono::milliseconds patience(100);
  if (connection_.handshake.is_done()) {
    connection_.say_goodbye(true, why, Clock::now() + patience);
  }
  close_after_last_words();
}

bool ConnectionReader::throttle() {
  const bool reads = !has_deferred();  // else deferred calls are to be run first
  const auto is_enough = [&] {
    return connection_.replies.is_full() ||
           (reads && connection_.awaited() == 0 && !has_room_for_calls());
  };
  if (!is_enough()) return false;
  admission.end_turn();
  throttled_ = true;
  return is_enough() || !throttled_.exchange(false);
}

/** The tenant has as many calls that take long, or of all, as it may: no other call begins. */
bool ConnectionReader::lacks_share() {
  admission.look_at_quota(*connection_.party);
  if (!admission.is_limited() && !pool_.has_long_calls()) [[likely]]
    return false;
  return admission.must_wait() &&
         !(has_deferred() && connection_.calls.is_in_vain(deferred_.front()));
}

/**
 * Deferred calls within chains of which threads are on standby: these run them, so that neither
 * threads nor the quota are needed, which those threads may have.
 */
void ConnectionReader::hand_over_chained() {
  std::vector<std::uint16_t> left;  // strands of calls that are not handed over
  for (std::size_t i = 0; i < deferred_.size();) {
    IncomingCall& call = deferred_[i];
    const std::uint16_t strand = call.message.header.strand;
    const bool is_first = strand == 0 || std::ranges::find(left, strand) == left.end();
    if (is_first && is_within_chain(call) && connection_.calls.hand_over(call)) {
      deferred_.erase(deferred_.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      if (strand != 0 && is_first) left.push_back(strand);
      ++i;
    }
  }
}

/** Leaves the connection until the tenant may have more; false if it may. */
bool ConnectionReader::hold() {
  if (has_deferred()) hand_over_chained();
  connection_.replies.flush();
  const Lack lack = lack_;
  const Admission::Line line = admission.stop();
  throttled_ = true;  // from here on there may be another reader
  admission.enter(line);
  const bool lacks_memory = lack.budget != nullptr && !lack.budget->is_left_by_others(lack.bytes);
  if (!admission.may_go_on() || lacks_memory || !throttled_.exchange(false)) return true;
  admission.go_on();
  return false;
}

bool ConnectionReader::let_on(bool has_place) {
  if (!admission.let_on(has_place)) return false;
  const bool goes_on = unthrottle();
  return goes_on || has_place;  // whoever is about to wait finds that it has one
}

void ConnectionReader::note_ended() {
  if (!std::exchange(has_ended_, true)) connection_.party->note_ended();
}

bool ConnectionReader::wants_look() const {
  // What others wait for may come over it.
  const bool is_awaited = connection_.awaited() != 0 || Chains::of_process().waiting() != 0;
  const std::uint64_t ticks_between = is_awaited ? 1 : 10;
  return admission.is_in_line() && throttled_ && pool_.tick() - looked_ >= ticks_between;
}

bool ConnectionReader::unthrottle() {
  if (!throttled_ || !throttled_.exchange(false)) return false;
  try {
    let_go();
  } catch (const std::bad_alloc&) {
    connection_.channel->shut_down();  // the worker that epoll wakes closes the connection
    arm();
  }
  return true;
}

bool ConnectionReader::has_room_for_calls() const {
  if (!connection_.calls.are_too_many()) return true;
  const auto in_work = static_cast<std::uint64_t>(connection_.calls.in_work());
  return in_work < connection_.calls.most_taken() && has_hung_up();
}

/** Asks the socket, unless it is known: nobody waits for what a throttled connection brings. */
bool ConnectionReader::has_hung_up() const {
  if (hung_up_) return true;
  pollfd end{connection_.channel->descriptor(), POLLRDHUP, 0};
  constexpr auto ends = static_cast<short>(POLLRDHUP | POLLHUP | POLLERR);
  if (::poll(&end, 1, 0) > 0 && (end.revents & ends) != 0) hung_up_ = true;
  return hung_up_;
}

bool ConnectionReader::will_have_capacity() const {
  return connection_.is_usable() && connection_.calls.in_work() != 0 &&
         connection_.awaited() == 0 && Chains::of_process().waiting() == 0;
}

/** One call is always read; further ones stay in the socket if there are many or they are big. */
bool ConnectionReader::may_read_ahead() const {
  if (!connection_.is_usable() || connection_.replies.is_full()) return false;
  if (connection_.calls.in_work() == 0 || connection_.awaited() != 0) return true;
  if (!has_room_for_calls()) return false;
  return !has_deferred() || connection_.channel->has_capacity_ahead();
}

bool ConnectionReader::defer(IncomingCall& call, ReceiveBuffer& buffer) {
  deferred_.push_back(std::move(call));
  keep(buffer);
  return read_ahead();
}

bool ConnectionReader::put_off(IncomingCall& call, ReceiveBuffer& buffer) {
  deferred_.insert(deferred_.begin(), std::move(call));
  keep(buffer);
  return !hold();
}

std::optional<IncomingCall> ConnectionReader::take_deferred(std::uint64_t id) {
  const auto at = std::ranges::find_if(deferred_, [id](const IncomingCall& each) {
    return each.message.header.request == id && id != 0;
  });
  if (at == deferred_.end()) return std::nullopt;
  std::optional<IncomingCall> call(std::move(*at));
  deferred_.erase(at);
  return call;
}

/**
 * A call that begins behind another one begins without the quota having been asked, so that those
 * of a limited client wait before they line up.
 */
bool ConnectionReader::lines_up_later(const IncomingCall& call) const {
  const auto waits = [](const IncomingCall& each) {
    return each.message.header.strand != 0 && !each.caller_strand;
  };
  return waits(call) && (connection_.party->is_limited() || std::ranges::any_of(deferred_, waits));
}

/** True if it is to be run; else the thread that runs its predecessor runs it, or nobody. */
bool ConnectionReader::line_up(IncomingCall& call) {
  switch (connection_.calls.line_up(call)) {
    case CallerStrands::Turn::now:
      return true;
    case CallerStrands::Turn::later:
      return false;
    case CallerStrands::Turn::never:
      call.count.end();  // while the connection is alive
      server_.disposal.add(Ended(std::make_shared<IncomingCall>(std::move(call))));
      return false;
  }
  return false;
}

ConnectionReader::Sorted ConnectionReader::sort(Message& message, Waiter* self) {
  FrameHandlers& frames = connection_.frames;
  frames.introduce();
  switch (FrameHandlers::kind_of(message.type())) {
    case FrameKind::answer:
      frames.take_answer(message, self);
      return Sorted::handled;
    case FrameKind::call:
      break;
    case FrameKind::small:
      return frames.handle_small(message) ? Sorted::handled : Sorted::closed;
  }
  IncomingCall call = frames.take_call(message, Clock::now());
  CallRunner& calls = connection_.calls;
  if (!calls.count(call)) {
    server_.disposal.add(Ended(std::make_shared<IncomingCall>(std::move(call))));
    return Sorted::handled;
  }
  if (is_nested(call) && connection_.deliver_nested(call)) return Sorted::handled;
  if (!lines_up_later(call) && !line_up(call)) return Sorted::handled;
  deferred_.push_back(std::move(call));
  const std::uint64_t most = calls.most_taken();
  if (deferred_.size() > most) throw Limits::too_many_calls(most, deferred_.size());
  return Sorted::deferred;
}

/**
 * Reads what has arrived, deferring the calls in it, so that a cancel, or the end of the client,
 * takes effect before calls begin that were sent earlier. False if the connection was closed;
 * throws if it has to be.
 */
bool ConnectionReader::read_ahead() {
  BriefReading reading(connection_);
  ReceiveBuffer buffer = std::move(pending_);
  Message message;
  lack_ = {};  // what was not there may be there now
  while (may_read_ahead()) {
    const auto status = connection_.channel->next(reading, buffer, message);
    if (status == Channel::Status::nothing) break;
    if (status != Channel::Status::message) {
      note_ended();
      // Wakes all waiters; a worker closes when it has run what is left.
      connection_.fail(Error(Failure::unexpected_close, "the client closed the connection",
                             Fate::may_have_executed));
      break;
    }
    if (sort(message, nullptr) == Sorted::closed) return false;
  }
  looked_.store(pool_.tick(), std::memory_order_relaxed);
  keep(buffer);
  return true;
}

/**
 * All workers are busy: the watch thread still performs handshakes and reads frames that run no
 * users' code, so answers that workers wait for are delivered, and clients see signs of life. Calls
 * are deferred for the workers. Connections with deferred calls are read again at intervals, as
 * these may be cancelled; deadlines count from when calls are read.
 */
bool ConnectionReader::wants_scan(int& looks) const {
  constexpr std::uint64_t ticks_between = 10;
  if (!may_read_ahead() || connection_.handshake.may_wait()) return false;
  if (!has_deferred() || connection_.awaited() != 0) return true;
  return pool_.tick() - looked_ >= ticks_between && looks-- > 0;
}

void ConnectionReader::scan(Clock::time_point since) {
  const auto keep = connection_.shared_from_this();
  watched_.exchange(false);  // synchronises with the previous reader
  try {
    if (!connection_.handshake.is_done() && !connection_.handshake.go_on()) return;
    if (!read_ahead()) return;
  } catch (const std::exception& error) {
    refuse(reason_of(error));
    return;
  }
  // Else it would be ready again at once, and be looked at in each round.
  if (admission.is_limited() && connection_.party->has_no_bytes_left() && hold()) return;
  if (!has_deferred()) admission.rest();
  let_go(since);
}

}  // namespace shinar::wire
