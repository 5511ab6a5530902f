/** Server: what the frames of a connection ask for. */
#include <algorithm>
#include <optional>
#include <utility>

#include "answering.hpp"
#include "cargo.hpp"
#include "decoder.hpp"
#include "running_call.hpp"
#include "server.hpp"
#include "strands.hpp"
#include "thread_end.hpp"

namespace shinar::wire {
namespace {

Error shutting_down() {
  return Error(Failure::unexpected_close, "the server is shutting down", Fate::not_sent);
}

}  // namespace

/**
 * Does what the frame that the worker has read asks for; false if the connection is not this
 * worker's any more. `arrived`, which may be unknown, is when the next call did.
 */
bool Server::handle(ServerConnection& connection, Worker& worker, Clock::time_point& arrived) {
  IncomingCall& call = worker.call;
  Message& message = call.message;
  if (!connection.is_introduced) introduce(connection);
  switch (message.type()) {
    case FrameType::request:
    case FrameType::oneway:
    case FrameType::create:
    case FrameType::attach:
      if (message.header.deadline != 0 && arrived == Clock::time_point()) arrived = Clock::now();
      call.method = connection.named.find(message.header.method);
      call.arrived = std::exchange(arrived, {});
      hold(call, &host_, [&] { return connection.session->back; });
      connection.count_read();
      read_chain(call);
      if (!count_work(connection, call)) {
        drop(call);
        return true;
      }
      return accept_call(connection, worker, call);
    case FrameType::reply:
    case FrameType::exception:
    case FrameType::error:
      take_answer(connection, message, nullptr);
      return true;
    default:
      return handle_small(connection, message);
  }
}

/**
 * The first frame has come, so that the client knows of the connection, which may have broken
 * before it could read the welcome. From here on others send over it, too.
 */
void Server::introduce(ServerConnection& connection) {
  connection.is_introduced = true;
  const std::shared_ptr<BackChannel> back = connection.session->back;
  std::vector<Notice> waiting = back->add(connection.shared_from_this());
  if (waiting.empty()) return;
  // By a worker, as it may have to wait for the client.
  run_in_worker([back, all = std::move(waiting)](Worker&) {
    for (const Notice& each : all) back->tell(each);
  });
}

/** An answer of the client. `self`: who reads in order to wait, or NULL. */
void Server::take_answer(ServerConnection& connection, Message& message, Waiter* self) {
  if (Cargo::is_in(message)) Cargo::unload(message, &host_, connection.session->back);
  connection.count_read();
  connection.deliver(message, self);
}

/** Frames that run no user code. */
bool Server::handle_small(ServerConnection& connection, Message& message) {
  switch (message.type()) {
    case FrameType::method:
      connection.named.define(message, options_.limits.methods);
      return true;
    case FrameType::release:
      forget(ledger_.release(*connection.session, message));
      connection.count_read();
      return true;
    case FrameType::settle:
      settle(connection, message);
      return true;
    case FrameType::cancel:
      cancel(connection, message.header.request);
      return true;
    case FrameType::ping:
      connection.send_bare(FrameType::pong, message.header.request);
      return true;
    case FrameType::pong:
      if (message.header.request != 0) connection.stream->confirm(message.header.request);
      return true;
    case FrameType::abandon:
      abandon(connection, message);
      return true;
    case FrameType::goodbye:
      ledger_.say_goodbye(*connection.session);
      connection.said_goodbye = true;
      if (connection.deferred.empty()) {
        close(connection);
        return false;
      }
      // These are still run, and whoever has done that closes; but nobody hears of them.
      connection.fail(Error(Failure::unexpected_close, "the client closed the connection"));
      return true;
    default:
      throw malformed("type " + std::to_string(message.header.type) + " sent by a client");
  }
}

/**
 * The client's thread has gone on over this connection: what it asked for over broken ones runs
 * before what it asks for here, or not at all if it has not been read yet.
 */
void Server::abandon(ServerConnection& connection, Message& message) {
  Decoder decoder(message);
  std::vector<std::uint64_t> numbers;
  for (std::size_t left = message.header.body / sizeof(std::uint64_t); left > 0; --left) {
    numbers.push_back(decoder.get<std::uint64_t>());
  }
  connection.session->back->abandon(std::move(numbers), connection);
}

/** The client will read nothing more from a connection: what was on its way there is lost. */
void Server::settle(ServerConnection& connection, Message& message) {
  Decoder decoder(message);
  const auto number = decoder.get<std::uint64_t>();
  Session& session = *connection.session;
  const Entry lost = session.streams->settle(number, decoder.get<std::uint64_t>());
  forget(ledger_.release(session, lost.lent));
  connection.count_read();
  if (auto again = Notice::again(lost); !again.empty()) {
    // By a worker, as it may have to wait for the client.
    run_in_worker([back = session.back, again = std::move(again)](Worker&) {
      for (const Notice& each : again) back->tell(each);
    });
  }
  const std::shared_ptr<Link> other = session.back->find(number);
  if (other != nullptr && other.get() != &connection) other->channel->shut_down();
}

/** A call that waits to be run is not run any more; one that runs is told, should it wait. */
void Server::cancel(ServerConnection& connection, std::uint64_t id) {
  std::optional<IncomingCall> call = take_waiting(connection, id);
  if (!call) {
    connection.note_cancelled(id);
    return;
  }
  call->count.set_answered();
  refuse_call(connection, call->message.header,
              Error(Failure::cancelled, "the caller gave the call up"));
  call->count.end();  // which the connection must outlive
  forget(Ledger::Forgotten(std::make_shared<IncomingCall>(std::move(*call))));
}

/** Takes out a call that has not begun. By whoever reads. */
std::optional<IncomingCall> Server::take_waiting(ServerConnection& connection, std::uint64_t id) {
  std::deque<IncomingCall>& deferred = connection.deferred;
  const auto at = std::ranges::find_if(deferred, [id](const IncomingCall& each) {
    return each.message.header.request == id && id != 0;
  });
  if (at != deferred.end()) {
    std::optional<IncomingCall> call(std::move(*at));
    deferred.erase(at);
    pass_lane_on(connection, *call);
    return call;
  }
  std::optional<IncomingCall> call = connection.session->back->lanes.cancel(connection, id);
  if (!call && (call = Strands::of_process().cancel(connection, id))) {
    pass_lane_on(connection, *call);
  }
  return call;
}

/** A call whose turn in its lane had come will not be run. */
void Server::pass_lane_on(ServerConnection& connection, const IncomingCall& call) {
  std::optional<QueuedCall> next;
  call_is_over(connection, call, next);
  if (next) next->link->run_elsewhere(std::move(next->call));
}

/** The call has been run, or never will be: lets go of what it refers to. */
void Server::drop(IncomingCall& call) {
  call.target.reset();
  call.message.clear();
}

IncomingCall Server::incoming(ServerConnection& connection, Message& message,
                              Clock::time_point arrived) {
  IncomingCall call;
  call.message.swap(message);
  call.method = connection.named.find(call.message.header.method);
  call.arrived = arrived;
  hold(call, &host_, [&] { return connection.session->back; });
  connection.count_read();
  read_chain(call);
  return call;
}

/**
 * Runs a call, or leaves it to the thread that has to run it; false if the connection was let go
 * meanwhile: it may be closed then, but serve_connection keeps it.
 */
bool Server::accept_call(ServerConnection& connection, Worker& worker, IncomingCall& call) {
  if (is_nested(call) && connection.deliver_nested(call)) return true;
  const bool has_lane = call.message.header.lane != 0;
  const bool is_free = !has_lane && !connection.abandoned;  // the common case
  switch (is_free ? Lanes::Turn::now : line_up(connection, call)) {
    case Lanes::Turn::now:
      if (is_stale(connection)) return defer(connection, worker, call);
      return execute(connection, worker, call);
    case Lanes::Turn::never:
      drop(call);
      call.count.end();
      return true;
    case Lanes::Turn::later:
      break;
  }
  // Whoever runs the one before it runs it. If too many wait, somebody else will read on.
  if (!worker.buffer.empty()) connection.pending = std::move(worker.buffer);
  return !throttle(connection);
}

/** Where a call that was read has to wait, if it has to: behind those that were read before. */
Lanes::Turn Server::line_up(ServerConnection& connection, IncomingCall& call) {
  const std::uint16_t lane = call.message.header.lane;
  if (lane == 0) return connection.abandoned ? Lanes::Turn::never : Lanes::Turn::now;
  Decoder decoder(call.message);
  const Lanes::Key key(lane, decoder.get_name());
  return connection.session->back->lanes.enter(key, call, connection);
}

/** Something else may have come, behind what the worker has received: reads it before. */
bool Server::defer(ServerConnection& connection, Worker& worker, IncomingCall& call) {
  connection.deferred.push_back(std::move(call));
  if (!worker.buffer.empty()) connection.pending = std::move(worker.buffer);
  return read_ahead(connection);
}

/** Runs a call, and those that had to wait for it. */
bool Server::execute(ServerConnection& connection, Worker& worker, IncomingCall& call) {
  // Another call is at hand, and nothing else of this connection is in work.
  const bool more = !call.lane && worker.buffer.has_small_frame() && connection.in_work == 1 &&
                    options_.limits.calls_in_work > 1;
  // From here on somebody else may read the connection: what was read ahead stays with it.
  if (!worker.buffer.empty()) connection.pending = std::move(worker.buffer);
  pool_.begin(worker, &connection);
  std::optional<QueuedCall> next;
  Ran ran = Ran::now;
  const auto thread_ended = [&] {
    if (pool_.end(worker)) let_go(connection);
    flush(connection);
  };
  if_thread_ends(thread_ended, [&] {
    ran = perform(connection, &worker, call, worker.encoder, more, next);
    if (next) run_next(std::move(next), worker, &connection);
  });
  if (!pool_.end(worker)) {
    flush(connection);
    return false;
  }
  // If too many wait, somebody else will read on.
  return ran == Ran::now || !throttle(connection);
}

/**
 * Runs calls until none waits for the one before it, or its client must first take some answers.
 * `read` is the connection whose reading the worker may own.
 */
void Server::run_next(std::optional<QueuedCall> next, Worker& worker, ServerConnection* read) {
  while (next && !stall(next)) {
    const std::shared_ptr<Link> keep = std::move(next->link);
    if (keep->runner() != this) {
      keep->run_elsewhere(std::move(next->call));
      return;
    }
    auto& connection = static_cast<ServerConnection&>(*keep);
    if (is_nested(next->call) && connection.deliver_nested(next->call)) return;
    std::optional<QueuedCall> after;
    perform(connection, &connection == read ? &worker : nullptr, next->call, worker.encoder, false,
            after);
    next = std::move(after);
  }
}

/** Runs a call on a thread that waits, for a client's answer as a rule. */
void Server::run_nested(ServerConnection& connection, Worker* worker, IncomingCall& call) {
  Encoder encoder;
  std::optional<QueuedCall> next;
  perform(connection, worker, call, encoder, false, next);
  if (next) next->link->run_elsewhere(std::move(next->call));
}

/** Runs a call, unless it has to wait for others. `next`: one that had to wait for it. */
Server::Ran Server::perform(ServerConnection& connection, Worker* worker, IncomingCall& call,
                            Encoder& encoder, bool more, std::optional<QueuedCall>& next) {
  const FrameHeader request = call.message.header;
  encoder.clear();
  Answer answer{encoder, FrameType::reply, connection.session->back.get()};
  answer.is_unheard = request.type == static_cast<std::uint8_t>(FrameType::oneway);
  const auto finish = [&](bool may_wait) {
    counters_.bytes_received.fetch_add(frame_bytes(request), std::memory_order_relaxed);
    connection.forget_cancelled(request.request);
    if (!answer.is_unheard) {
      call.count.set_answered();
      reply(connection, request, answer, may_wait);
    } else if (answer.type != FrameType::reply) {
      host_.log(answer.failure);
    }
    encoder.clear();  // what the answer kept alive
    call_is_over(connection, call, next);
    call.count.end();
  };
  const auto thread_ended = [&] {
    put_thread_ended(answer);
    note_failure(connection, call, answer);
    drop(call);
    finish(false);
    if (next) next->link->run_elsewhere(std::move(next->call));
  };
  Ran ran = Ran::now;
  if_thread_ends(thread_ended, [&] {
    RunningCall running(connection, request.request, call, worker);
    answer.is_within = running.outer() != nullptr;
    StrandTurn turn(running, call, host_);
    if (!turn.is_now()) {
      ran = Ran::later;
      return;
    }
    answered(answer, [&] {
      check_begin(running, options_.limits.calls_in_work * calls_in_work_while_waiting);
      if (running.outer() == nullptr) check_waiting(running, connection.session->waiting);
      run(connection, call, answer);
    });
    note_failure(connection, call, answer);
    drop(call);
    if (turn.has_strand()) next = turn.leave();
  });
  if (ran == Ran::now) finish(more && !next);
  return ran;
}

/** Of a one-way call that failed, whose caller is not told: puts the line for the log together. */
void Server::note_failure(const ServerConnection& connection, const IncomingCall& call,
                          Answer& answer) const {
  if (!answer.is_unheard || answer.type == FrameType::reply) return;
  try {
    answer.failure = failed_one_way(host_, call, answer, connection.peer);
  } catch (const std::bad_alloc&) {
    // The reason alone has to do.
  }
}

/** The thread's first call begins: throws if too many of its session wait, which this may, too. */
void Server::check_waiting(RunningCall& running, std::atomic<std::uint32_t>& waiting) const {
  const std::uint32_t most = options_.limits.waiting_threads;
  if (waiting.load(std::memory_order_relaxed) >= most) throw Limits::too_many_waiting(most);
  running.set_waits(&waiting);
}

/** The next call of its lane can begin. */
void Server::call_is_over(ServerConnection& connection, const IncomingCall& call,
                          std::optional<QueuedCall>& next) {
  if (!call.lane) return;
  auto of_lane = connection.session->back->lanes.next(*call.lane);
  if (!of_lane) return;
  if (!next) {
    next = std::move(of_lane);
  } else {
    of_lane->link->run_elsewhere(std::move(of_lane->call));
  }
}

/**
 * Counts a call that was read. False if it has been answered with a refusal: because the server
 * ends, or because it was one too many, and a thread waits for it in the course of one of our calls
 * (see throttle). Others that are too many end the connection.
 */
bool Server::count_work(ServerConnection& connection, IncomingCall& call) {
  if (!admit(call)) {
    turn_away(connection, call);
    return false;
  }
  const std::uint64_t most =
      std::uint64_t{options_.limits.calls_in_work} * calls_in_work_while_waiting;
  const auto with_it = static_cast<std::uint64_t>(connection.in_work.load()) + 1;
  if (with_it > most) {
    const Error error = Limits::too_many_calls(most, with_it);
    if (!is_nested(call) && !is_within_chain(call)) {
      work_done(1);
      throw error;
    }
    refuse_call(connection, call.message.header, error);
    return false;
  }
  connection.in_work.fetch_add(1);
  counters_.calls.fetch_add(1, std::memory_order_relaxed);
  call.count = CountedCall(connection);
  return true;
}

/** Counts a call among those that the server waits for when it ends; false: it is none of them. */
bool Server::admit(const IncomingCall& call) {
  if (!stopping_) {
    in_work_.fetch_add(1);
    return true;
  }
  if (!is_of_work(call)) return false;
  const std::lock_guard lock(mutex_);
  if (stopped_) return false;
  in_work_.fetch_add(1);
  return true;
}

/** True if a call that this process runs may wait for this one. */
bool Server::is_of_work(const IncomingCall& call) {
  return is_nested(call) || (is_within_chain(call) && Chains::of_process().is_in_work(*call.chain));
}

/** The server ends: a call is refused, and not waited for, however many there are. */
void Server::turn_away(ServerConnection& connection, const IncomingCall& call) {
  if (call.message.type() == FrameType::oneway) {
    host_.log("a one-way call is not run: the server is shutting down");
    return;
  }
  Encoder encoder;
  Answer answer{encoder};
  put_error(answer, shutting_down());
  reply(connection, call.message.header, answer, false, 0);
}

/** Answers a call that is not run, which the server counts until the answer has been sent. */
void Server::refuse_call(ServerConnection& connection, const FrameHeader& request,
                         const Error& error) {
  Encoder encoder;
  Answer answer{encoder};
  put_error(answer, error);
  reply(connection, request, answer, false);
}

void ServerConnection::call_ended(bool is_answered) noexcept {
  in_work.fetch_sub(1);
  if (!is_answered) server.work_done(1);
  server.unthrottle(*this);
}

/** Where its parent waits, if it has one, or by a worker. */
void ServerConnection::run_elsewhere(IncomingCall call) {
  if (is_nested(call) && deliver_nested(call)) return;
  server.run_in_worker([self = std::static_pointer_cast<ServerConnection>(shared_from_this()),
                        later = std::make_shared<IncomingCall>(std::move(call))](Worker& worker) {
    std::optional<QueuedCall> next(QueuedCall{std::move(*later), self});
    self->server.run_next(std::move(next), worker, nullptr);
  });
}

void ServerConnection::run_here(IncomingCall& call) {
  server.run_nested(*this, nullptr, call);
}

void Server::work_done(int calls) {
  if (in_work_.fetch_sub(calls) == calls && stopping_) {
    const std::lock_guard lock(mutex_);
    drained_.notify_all();
  }
}

/**
 * True if too many answers wait for the connection's client to take them, or too many of its calls
 * are in work: it is not read until some have left, or ended. Calls that are in work may wait for
 * answers of the client, and those for calls of its own: then it must be read.
 */
bool Server::throttle(ServerConnection& connection) {
  const bool reads = connection.deferred.empty();  // else others have something to run first
  const auto full = [&] {
    return is_full(connection) ||
           (reads && connection.in_work >= most_in_work() && connection.awaited == 0);
  };
  if (!full()) return false;
  connection.throttled = true;
  return full() || !connection.throttled.exchange(false);
}

/** Calls that may be in work for the connection to be read. */
int Server::most_in_work() const {
  const auto most = static_cast<int>(options_.limits.calls_in_work);
  return Chains::of_process().waiting() == 0 ? most
                                             : most * static_cast<int>(calls_in_work_while_waiting);
}

void Server::unthrottle(ServerConnection& connection) {
  if (!connection.throttled || !connection.throttled.exchange(false)) return;
  try {
    let_go(connection);
  } catch (const std::bad_alloc&) {
    connection.channel->shut_down();  // whom epoll tells of it closes the connection
    arm(connection);
  }
}

/** Throws Error. */
void Server::run(ServerConnection& connection, IncomingCall& call, Answer& answer) {
  if (stopping_ && (stopped_ || !is_of_work(call))) throw shutting_down();
  if (call.chain) RunningCall::innermost()->chain();  // it is in work
  switch (call.message.type()) {
    case FrameType::create:
      check_deadline(call, answer);
      run_create(connection, call.message, answer);
      return;
    case FrameType::attach:
      check_deadline(call, answer);
      run_attach(connection, call.message, answer);
      return;
    default:
      run_method(host_, call, answer);
  }
}

/** The session's way to its client's objects, made by its first connection. */
BackChannel& Server::way_back(ServerConnection& connection) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<BackChannel>& back = connection.session->back;
  if (back == nullptr) {
    back = std::make_shared<BackChannel>(ledger_, connection.session, "client " + connection.peer);
  }
  return *back;
}

/** Where an object is, and of which class. */
void Server::put_instance(const Instance& instance, Answer& answer) {
  answer.body.put(static_cast<std::uint8_t>(ObjectTag::at_sender));
  answer.body.put_string(instance.id);
  answer.body.put_string(instance.type);
}

void Server::run_create(ServerConnection& connection, Message& message, Answer& answer) {
  Decoder decoder(message);
  assert_no_lock_held("a constructor");
  const Instance instance = host_.create(decoder.get_name(), answer);
  if (answer.type != FrameType::reply) return;
  ledger_.book(*connection.session, instance.id, 1);
  hand_out(connection, instance, answer);
}

/** Answers with an object that is booked to the session. */
void Server::hand_out(ServerConnection& connection, const Instance& instance, Answer& answer) {
  answer.lent.begin(&ledger_, connection.session);
  answer.lent.add(instance.id);
  answer.body.note_reference();
  put_instance(instance, answer);
}

void Server::run_attach(ServerConnection& connection, Message& message, Answer& answer) {
  Decoder decoder(message);
  const std::string object(decoder.get_name());
  const bool add = (message.header.flags & flag_add_reference) != 0;
  // Booked first, looked for afterwards: otherwise its last reference might go in between.
  if (add) ledger_.book(*connection.session, object, 1);
  const Instance instance = host_.find(object);
  if (instance.id.empty()) {
    if (add) ledger_.release(*connection.session, object, 1);
    throw no_such_object(object);
  }
  if (add) {
    hand_out(connection, instance, answer);
  } else {
    put_instance(instance, answer);
  }
}

}  // namespace shinar::wire
