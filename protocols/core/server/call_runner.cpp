#include "core/server/call_runner.hpp"

#include <string>
#include <utility>

#include "core/answering.hpp"
#include "core/decoder.hpp"
#include "core/object_strands.hpp"
#include "core/running_call.hpp"
#include "core/server/no_channel.hpp"
#include "core/server/server_connection.hpp"
#include "core/server/server_context.hpp"
#include "core/thread_end.hpp"

namespace shinar::wire {
namespace {

Error shutting_down() {
  return Error(Failure::unexpected_close, "the server is shutting down", Fate::not_sent);
}

/** Encodes an object of this server: id and class. */
void put_instance(const Instance& instance, Answer& answer) {
  answer.body.put(static_cast<std::uint8_t>(ObjectTag::at_sender));
  answer.body.put_string(instance.id);
  answer.body.put_string(instance.type);
}

CallerStrands::Key key_of(IncomingCall& call) {
  Decoder decoder(call.message);
  return {call.message.header.strand, std::string(decoder.get_name())};
}

}  // namespace

bool CallRunner::are_many() const {
  return in_work_ >= static_cast<int>(server_.options.limits.calls_in_work);
}

bool CallRunner::are_too_many() const {
  const auto most = static_cast<int>(server_.options.limits.calls_in_work);
  const bool some_wait = Chains::of_process().waiting() != 0;
  return in_work_ >= (some_wait ? most * static_cast<int>(calls_in_work_while_waiting) : most);
}

std::uint64_t CallRunner::most_taken() const {
  return server_.most_taken;
}

bool CallRunner::count(IncomingCall& call) {
  if (!server_.calls.admit(call)) {
    turn_away(call);
    return false;
  }
  const auto with_it = static_cast<std::uint64_t>(in_work_.load()) + 1;
  if (with_it > server_.most_taken) {
    const Error error = Limits::too_many_calls(server_.most_taken, with_it);
    if (!is_nested(call) && !is_within_chain(call)) {
      server_.calls.done(1);
      throw error;
    }
    refuse(call.message.header, error);
    return false;
  }
  in_work_.fetch_add(1);
  server_.counters.calls.fetch_add(1, std::memory_order_relaxed);
  call.count = CountedCall(connection_);
  return true;
}

void CallRunner::ended(bool is_answered) noexcept {
  in_work_.fetch_sub(1);
  if (!is_answered) server_.calls.done(1);
  connection_.reader.unthrottle();
}

bool CallRunner::accept(Worker& worker, IncomingCall& call) {
  ConnectionReader& reader = connection_.reader;
  if (is_nested(call) && connection_.deliver_nested(call)) return true;
  const bool has_caller_strand = call.message.header.strand != 0;
  const bool is_free = !has_caller_strand && !connection_.abandoned;  // the common case
  switch (is_free ? CallerStrands::Turn::now : line_up(call)) {
    case CallerStrands::Turn::now:
      if (reader.is_stale()) return reader.defer(call, worker.buffer);
      return execute(worker, call);
    case CallerStrands::Turn::never:
      drop(call);
      call.count.end();
      return true;
    case CallerStrands::Turn::later:
      if (reader.admission.is_limited()) connection_.party->charge_call();
      break;
  }
  // The thread that runs its predecessor runs it. If too many calls are in work, reading continues
  // later.
  reader.keep(worker.buffer);
  return !reader.throttle();
}

CallerStrands::Turn CallRunner::line_up(IncomingCall& call) {
  if (call.message.header.strand == 0)
    return connection_.abandoned ? CallerStrands::Turn::never : CallerStrands::Turn::now;
  return connection_.session->back->caller_strands.enter(key_of(call), call, connection_);
}

bool CallRunner::execute(Worker& worker, IncomingCall& call) {
  Admission& admission = connection_.reader.admission;
  if (!admission.is_limited() || is_in_vain(call)) [[likely]]
    return execute_now(worker, call);
  call.place = admission.take_place();
  if (!call.place) return connection_.reader.put_off(call, worker.buffer);
  connection_.party->charge_call();
  connection_.party->let_one_follow();
  return execute_now(worker, call);
}

/** Nobody will hear the answer: it will not run. */
bool CallRunner::is_in_vain(const IncomingCall& call) const {
  return call.message.header.request != 0 && connection_.has_lost_caller();
}

bool CallRunner::execute_now(Worker& worker, IncomingCall& call) {
  // Another call has been received, and nothing else of this connection is in work.
  const bool more = !call.caller_strand && worker.buffer.has_small_frame() && in_work_ == 1 &&
                    server_.options.limits.calls_in_work > 1;
  // From here on another thread may read the connection: what was received ahead stays with it.
  connection_.reader.keep(worker.buffer);
  server_.pool.begin(worker, connection_);
  NextCall next;
  Ran ran = Ran::now;
  const auto thread_ended = [&] {
    if (server_.pool.end(worker)) connection_.reader.let_go();
    connection_.replies.flush();
  };
  if_thread_ends(thread_ended, [&] {
    ran = perform(&worker, call, worker.encoder, more, next);
    if (next) run_next(server_, std::move(next), worker, &connection_);
  });
  if (!server_.pool.end(worker)) {
    connection_.replies.flush();
    return false;
  }
  // If too many calls are in work, reading continues later.
  return ran == Ran::now || !connection_.reader.throttle();
}

/** Others have their turn between two calls of a strand, unless all are short. */
void CallRunner::run_next(ServerContext& server, std::optional<QueuedCall> next, Worker& worker,
                          ServerConnection* read) {
  constexpr std::chrono::microseconds turn(100);
  const auto until = next ? Clock::now() + turn : Clock::time_point();
  for (bool is_first = true; next && !stall(server, next); is_first = false) {
    const std::shared_ptr<Link> keep = std::move(next->link);
    const bool is_over = !is_first && server.pool.is_wanted() && Clock::now() >= until;
    if (is_over || keep->runner() != &server) {
      keep->run_elsewhere(std::move(next->call));
      return;
    }
    auto& connection = static_cast<ServerConnection&>(*keep);
    if (is_nested(next->call) && connection.deliver_nested(next->call)) return;
    if (connection.calls.lacks_place(next->call)) {
      server.calls_in_line.enter({std::move(next->call), keep}, connection.party);
      return;
    }
    std::optional<QueuedCall> after;
    connection.calls.perform(&connection == read ? &worker : nullptr, next->call, worker.encoder,
                             false, after);
    next = std::move(after);
  }
}

/**
 * True if the next call has to wait until its client has taken some answers. If others wait for its
 * object strand, the first of them becomes `next` and is checked in turn.
 */
bool CallRunner::stall(ServerContext& server, std::optional<QueuedCall>& next) {
  while (next && next->link->runner() == &server) {
    if (!static_cast<ServerConnection&>(*next->link).replies.is_full()) return false;
    const std::shared_ptr<Link> keep = next->link;
    ReplyQueue& replies = static_cast<ServerConnection&>(*keep).replies;
    const void* const strand = next->call.grant.take();
    if (!replies.stall(*next)) {
      next->call.grant = StrandGrant(strand);
      return false;
    }
    next.reset();
    if (strand != nullptr) next = ObjectStrands::of_process().give_up(strand);
  }
  return !next;
}

bool CallRunner::hand_over(IncomingCall& call) {
  if (call.message.header.strand != 0 && !call.caller_strand) {
    CallerStrands& strands = connection_.session->back->caller_strands;
    if (!strands.enter_if_free(key_of(call), call, connection_)) return false;
  }
  const void* const strand = server_.host.strand(call);
  return Chains::of_process().offer_in_need(call, connection_, strand);
}

/**
 * A worker is to run a call that was handed to a thread of its chain, which did not, or that comes
 * behind such a call. True if it has to wait for the quota first.
 */
bool CallRunner::lacks_place(IncomingCall& call) {
  Party& party = *connection_.party;
  if (call.place || call.grant || !party.is_limited() || is_in_vain(call)) return false;
  if (!party.try_begin_call()) return true;
  call.place = QuotaPlace(connection_.party);
  return false;
}

void CallRunner::run_nested(Worker* worker, IncomingCall& call) {
  call.place.end();  // the thread has one
  Encoder encoder;
  NextCall next;
  perform(worker, call, encoder, false, next);
  if (next) next->link->run_elsewhere(std::move(next->call));
}

/**
 * The thread's outermost call begins: throws if too many threads of its session wait already, as
 * this one might wait, too.
 */
inline void CallRunner::check_waiting(RunningCall& running) const {
  std::atomic<std::uint32_t>& waiting = connection_.session->waiting;
  const std::uint32_t most = server_.options.limits.waiting_threads;
  if (waiting.load(std::memory_order_relaxed) >= most) [[unlikely]]
    throw Limits::too_many_waiting(most);
  running.set_waits(&waiting);
}

/**
 * Runs a call, unless its object strand is busy. `worker`: the one that reads the connection, or
 * NULL. `encoder` is empty, and left so. `next`: a call that was waiting for this one.
 */
CallRunner::Ran CallRunner::perform(Worker* worker, IncomingCall& call, Encoder& encoder, bool more,
                                    std::optional<QueuedCall>& next) {
  const FrameHeader request = call.message.header;
  Answer answer{encoder, FrameType::reply, connection_.session->back.get()};
  answer.is_unheard = request.type == static_cast<std::uint8_t>(FrameType::oneway);
  const auto finish = [&](bool may_wait) {
    server_.counters.bytes_received.fetch_add(frame_bytes(request), std::memory_order_relaxed);
    connection_.forget_cancelled(request.request);
    if (!answer.is_unheard) {
      call.count.set_answered();
      connection_.replies.reply(request, answer, may_wait);
    } else if (answer.type != FrameType::reply) {
      server_.log.add(PeerLog::Kind::failed_call, answer.failure);
    }
    encoder.clear();  // releases what the answer kept alive
    is_over(call, next);
    call.count.end();
    call.place.end();
  };
  const auto thread_ended = [&] {
    put_thread_ended(answer);
    note_failure(call, answer);
    drop(call);
    finish(false);
    if (next) next->link->run_elsewhere(std::move(next->call));
  };
  Ran ran = Ran::now;
  if_thread_ends(thread_ended, [&] {
    RunningCall running(connection_, request.request, call, worker);
    answer.is_within = running.outer() != nullptr;
    StrandTurn turn(running, call, server_.host);
    if (!turn.is_now()) {
      ran = Ran::later;
      return;
    }
    answered(answer, [&] {
      check_begin(running, static_cast<std::uint32_t>(server_.most_taken));
      if (running.outer() == nullptr) check_waiting(running);
      run(call, answer);
    });
    note_failure(call, answer);
    drop(call);
    turn.leave(next);
  });
  if (ran == Ran::now) {
    finish(more && !next);
  } else if (connection_.is_broken()) [[unlikely]] {
    leave_queues();  // the connection may have ended before the call was queued
  }
  return ran;
}

void CallRunner::describe_failure(const IncomingCall& call, Answer& answer) const {
  try {
    answer.failure = failed_one_way(server_.host, call, answer, connection_.peer);
  } catch (const std::bad_alloc&) {
    // Out of memory: log the reason alone.
  }
}

/** The next call has the place of the one before it. */
void CallRunner::strand_is_free(IncomingCall& over, std::optional<QueuedCall>& next) {
  auto of_strand = connection_.session->back->caller_strands.next(*over.caller_strand);
  if (!of_strand) return;
  if (over.place) of_strand->call.place = std::move(over.place);
  if (!next) {
    next = std::move(of_strand);
  } else {
    of_strand->link->run_elsewhere(std::move(of_strand->call));
  }
}

void CallRunner::pass_strand_on(IncomingCall& call) {
  std::optional<QueuedCall> next;
  is_over(call, next);
  if (next) next->link->run_elsewhere(std::move(next->call));
}

void CallRunner::drop(IncomingCall& call) {
  call.target.reset();
  call.message.clear();
}

void CallRunner::cancel(std::uint64_t id) {
  std::optional<IncomingCall> call = take_waiting(id);
  if (!call) {
    connection_.note_cancelled(id);
    return;
  }
  call->count.set_answered();
  refuse(call->message.header, Error(Failure::cancelled, "the caller cancelled the call"));
  call->count.end();  // while the connection is alive
  server_.disposal.add(Ended(std::make_shared<IncomingCall>(std::move(*call))));
}

/** Removes a call that has not begun. */
std::optional<IncomingCall> CallRunner::take_waiting(std::uint64_t id) {
  std::optional<IncomingCall> call = connection_.reader.take_deferred(id);
  if (call) {
    pass_strand_on(*call);
    return call;
  }
  call = connection_.session->back->caller_strands.cancel(connection_, id);
  if (!call && (call = ObjectStrands::of_process().cancel(connection_, id))) pass_strand_on(*call);
  return call;
}

void CallRunner::leave_queues() {
  if (in_work_ == 0) return;
  const bool is_lost = connection_.has_lost_caller();
  const auto next = heir();
  std::vector<CountedCall> counts;  // ended without locks
  const auto leave = [&](std::deque<QueuedCall>& queue, std::vector<IncomingCall>& dropped) {
    for (QueuedCall& each : queue) {
      if (each.link.get() != &connection_) continue;
      if (is_lost && each.call.message.header.request != 0) {
        dropped.push_back(std::move(each.call));
        continue;
      }
      each.link = next;
      next->calls.inherit(each.call, counts);
    }
    std::erase_if(queue, [&](const QueuedCall& each) { return each.link.get() == &connection_; });
  };
  std::vector<IncomingCall> followers, waiting;
  connection_.session->back->caller_strands.for_each_queue(
      [&](auto& queue) { leave(queue, followers); });
  ObjectStrands::of_process().for_each_queue([&](auto& queue) { leave(queue, waiting); });
  for (IncomingCall& each : waiting) pass_strand_on(each);
  for (auto* const dropped : {&followers, &waiting}) {
    for (IncomingCall& each : *dropped) {
      each.count.end();  // while the connection is alive
      server_.disposal.add(Ended(std::make_shared<IncomingCall>(std::move(each))));
    }
  }
}

/** A connection that has ended like this one, for what this one has been asked. */
std::shared_ptr<ServerConnection> CallRunner::heir() const {
  const auto heir = std::make_shared<ServerConnection>(
      server_, std::make_unique<NoChannel>(connection_.peer), connection_.peer);
  heir->set_limits_of(connection_);
  heir->session = connection_.session;
  heir->keepalive_ms = connection_.keepalive_ms;
  heir->party = connection_.party;
  heir->set_tenant(connection_.shared_tenant());
  if (connection_.has_said_goodbye()) heir->note_goodbye();
  heir->fail(Error(Failure::unexpected_close, "the client closed the connection"));
  heir->stream->end();
  return heir;
}

/** The call is counted here from now on, and refers to nothing of its connection. */
void CallRunner::inherit(IncomingCall& call, std::vector<CountedCall>& counts) {
  server_.calls.one_more();
  in_work_.fetch_add(1);
  counts.push_back(std::exchange(call.count, CountedCall(connection_)));
  if (call.method == nullptr) return;
  inherited_.push_back({call.method->name, call.method->digest});
  call.method = &inherited_.back();
}

/**
 * The server ends: refuses a call without counting it. No answer is sent if the client has a
 * backlog or has been sent the goodbye, which implies the refusal.
 */
void CallRunner::turn_away(const IncomingCall& call) {
  if (call.message.type() == FrameType::oneway) {
    server_.log.add(PeerLog::Kind::failed_call,
                    "dropping a one-way call: the server is shutting down");
    return;
  }
  if (server_.calls.is_over() || connection_.replies.has_backlog()) return;
  Encoder encoder;
  Answer answer{encoder};
  put_error(answer, shutting_down());
  connection_.replies.reply(call.message.header, answer, false, 0);
}

/** Answers a call that is not run; the server counts it until the answer has been sent. */
void CallRunner::refuse(const FrameHeader& request, const Error& error) {
  Encoder encoder;
  Answer answer{encoder};
  put_error(answer, error);
  connection_.replies.reply(request, answer, false);
}

void CallRunner::run(IncomingCall& call, Answer& answer) {
  if (!server_.calls.may_begin(call)) throw shutting_down();
  if (call.chain) RunningCall::innermost()->chain();  // registers the chain as in work
  switch (call.message.type()) {
    case FrameType::create:
      check_deadline(call, answer);
      create(call.message, answer);
      return;
    case FrameType::attach:
      check_deadline(call, answer);
      attach(call.message, answer);
      return;
    default:
      if (connection_.party->is_ruled()) [[unlikely]]
        connection_.permissions.check_call(call);
      run_method(server_.host, call, answer);
  }
}

void CallRunner::create(Message& message, Answer& answer) {
  Decoder decoder(message);
  const std::string_view type = decoder.get_name();
  if (connection_.party->is_ruled()) connection_.permissions.check_create(type);
  assert_no_lock_held("a constructor");
  const Instance instance = server_.host.create(type, answer);
  if (answer.type != FrameType::reply) return;
  try {
    server_.ledger.book(*connection_.session, instance.id, 1);
  } catch (...) {
    // Nobody knows it, so nobody would ever give it back.
    server_.disposal.add(Ended(server_.host.forget(instance.id)));
    throw;
  }
  hand_out(instance, answer);
}

/** Answers with an object booked to the session. */
void CallRunner::hand_out(const Instance& instance, Answer& answer) {
  answer.lent.begin(&server_.ledger, connection_.session);
  answer.lent.add(instance.id);
  answer.body.note_reference();
  put_instance(instance, answer);
}

void CallRunner::attach(Message& message, Answer& answer) {
  Ledger& ledger = server_.ledger;
  Decoder decoder(message);
  const std::string object(decoder.get_name());
  const bool add = (message.header.flags & flag_add_reference) != 0;
  if (connection_.party->is_ruled()) connection_.permissions.check_attach(object);
  // Names are a peer's to invent: what does not exist is not booked.
  if (server_.host.find(object).id.empty()) throw no_such_object(object);
  // Book before finding it again: otherwise its last reference might be released in between.
  if (add) ledger.book(*connection_.session, object, 1);
  const Instance instance = server_.host.find(object);
  if (instance.id.empty() || (add && !server_.host.keep(object))) {
    if (add) server_.disposal.add(ledger.release(*connection_.session, object, 1));
    throw no_such_object(object);
  }
  if (add) {
    hand_out(instance, answer);
  } else {
    put_instance(instance, answer);
  }
}

}  // namespace shinar::wire
