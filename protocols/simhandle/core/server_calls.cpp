/** Server: what the frames of a connection ask for. */
#include <optional>
#include <utility>

#include "answering.hpp"
#include "decoder.hpp"
#include "running_call.hpp"
#include "server.hpp"

namespace simhandle {
namespace {

Error no_such_object(std::string_view object) {
  return Error(Failure::object_does_not_exist,
               "there is no object '" + std::string(object) +
                   "' here: it never was, or its last reference is gone");
}

}  // namespace

/**
 * Does what the frame that the worker has read asks for; false if the connection is not this
 * worker's any more. `arrived`, which may be unknown, is when the next call did.
 */
bool Server::handle(ServerConnection& connection, Worker& worker, Clock::time_point& arrived) {
  IncomingCall& call = worker.call;
  Message& message = call.message;
  switch (message.type()) {
    case FrameType::request:
    case FrameType::oneway:
    case FrameType::create:
    case FrameType::attach:
      if (message.header.deadline != 0 && arrived == Clock::time_point()) arrived = Clock::now();
      call.method = connection.named.find(message.header.method);
      call.arrived = std::exchange(arrived, {});
      return accept_call(connection, worker, call);
    case FrameType::release:
      ledger_.change(*connection.session, message);
      return true;
    case FrameType::reply:
    case FrameType::exception:
    case FrameType::error:
      connection.deliver(message, nullptr);
      return true;
    default:
      return handle_small(connection, message);
  }
}

/** Frames that run no user code. */
bool Server::handle_small(ServerConnection& connection, Message& message) {
  switch (message.type()) {
    case FrameType::method:
      connection.named.define(message, options_.limits.methods);
      return true;
    case FrameType::add_reference:
      ledger_.change(*connection.session, message);
      return true;
    case FrameType::cancel:
      cancel(connection, message.header.request);
      return true;
    case FrameType::ping:
      connection.send_bare(FrameType::pong, message.header.request);
      return true;
    case FrameType::pong:
      return true;
    case FrameType::abandon:
      abandon(connection, message);
      return true;
    case FrameType::goodbye:
      ledger_.say_goodbye(*connection.session);
      close(connection);
      return false;
    default:
      throw malformed("type " + std::to_string(message.header.type) + " sent by a client");
  }
}

/**
 * The client's thread has gone on over this connection: what it asked for over broken ones runs
 * before what it asks for here, or not at all if it has not been read yet.
 */
void Server::abandon(ServerConnection& connection, Message& message) {
  BackChannel& client = *connection.session->back;
  Decoder decoder(message);
  for (std::size_t left = message.header.body / sizeof(std::uint64_t); left > 0; --left) {
    const std::shared_ptr<Link> other = client.find(decoder.get<std::uint64_t>());
    if (other != nullptr && other.get() != &connection) client.lanes.abandon(*other);
  }
}

/** A call that waits to be run is not run any more; one that runs is left alone. */
void Server::cancel(ServerConnection& connection, std::uint64_t id) {
  std::optional<IncomingCall> call = connection.session->back->lanes.cancel(connection, id);
  if (!call) return;
  Encoder encoder;
  Answer answer{encoder};
  put_error(answer, Error(Failure::cancelled, "the caller gave the call up"));
  reply(connection, call->message.header, answer, false);
  connection.in_work.fetch_sub(1);
  unthrottle(connection);
}

IncomingCall Server::incoming(ServerConnection& connection, Message& message,
                              Clock::time_point arrived) {
  IncomingCall call;
  call.message.swap(message);
  call.method = connection.named.find(call.message.header.method);
  call.arrived = arrived;
  return call;
}

bool Server::is_nested(const IncomingCall& call) {
  return call.message.type() == FrameType::request && call.message.header.lane == 0 &&
         (call.message.header.flags & flag_nested) != 0;
}

/**
 * Runs a call, or leaves it to the thread that has to run it; false if the connection was let go
 * meanwhile: it may be closed then, but serve_connection keeps it.
 */
bool Server::accept_call(ServerConnection& connection, Worker& worker, IncomingCall& call) {
  if (is_nested(call) && connection.deliver_nested(call)) return true;
  if (call.message.header.lane == 0) {
    if (connection.abandoned) return true;
    count_work(connection);
    return execute(connection, worker, call, nullptr);
  }
  Decoder decoder(call.message);
  const Lanes::Key lane(call.message.header.lane, decoder.get_name());
  count_work(connection);
  switch (connection.session->back->lanes.enter(lane, call, connection)) {
    case Lanes::Turn::now:
      return execute(connection, worker, call, &lane);
    case Lanes::Turn::never:
      work_done(1);
      connection.in_work.fetch_sub(1);
      return true;
    case Lanes::Turn::later:
      break;
  }
  // Whoever runs the one before it runs it. If too many wait, somebody else will read on.
  if (!worker.buffer.empty()) connection.pending = std::move(worker.buffer);
  return !throttle(connection);
}

/** Runs a call, and those of its lane that come meanwhile. */
bool Server::execute(ServerConnection& connection, Worker& worker, IncomingCall& call,
                     const Lanes::Key* lane) {
  // Another call is at hand, and nothing else of this connection is in work.
  const bool more = lane == nullptr && worker.buffer.has_small_frame() && connection.in_work == 1 &&
                    options_.limits.calls_in_work > 1;
  // From here on somebody else may read the connection: what was read ahead stays with it.
  if (!worker.buffer.empty()) connection.pending = std::move(worker.buffer);
  pool_.begin(worker, &connection);
  perform(connection, &worker, call, worker.encoder, more);
  if (lane != nullptr) {
    run_lane(*lane, connection.session->back->lanes.next(*lane), worker, &connection);
  }
  if (pool_.end(worker)) return true;
  flush(connection);
  return false;
}

/**
 * Runs the calls of a lane until none waits, or its client must first take some answers. `read` is
 * the connection whose reading the worker may own.
 */
void Server::run_lane(const Lanes::Key& lane, std::optional<Lanes::Waiting> next, Worker& worker,
                      ServerConnection* read) {
  while (next && !stall(lane, *next)) {
    const std::shared_ptr<Link> keep = std::move(next->link);
    auto& connection = static_cast<ServerConnection&>(*keep);
    perform(connection, &connection == read ? &worker : nullptr, next->call, worker.encoder, false);
    next = connection.session->back->lanes.next(lane);
  }
}

/** Runs a call on the thread that waits for the client's answer to another. */
void Server::run_nested(ServerConnection& connection, Worker* worker, IncomingCall& call) {
  Encoder encoder;
  count_work(connection);
  perform(connection, worker, call, encoder, false);
}

void Server::perform(ServerConnection& connection, Worker* worker, IncomingCall& call,
                     Encoder& encoder, bool more) {
  const FrameHeader request = call.message.header;
  counters_.bytes_received.fetch_add(frame_bytes(request), std::memory_order_relaxed);
  encoder.clear();
  Answer answer{encoder, FrameType::reply, &ledger_, connection.session.get(),
                connection.session->back.get()};
  {
    const RunningCall running(connection, request.request, worker);
    answered(answer, [&] { run(connection, call, answer); });
  }
  call.message.clear();
  if (request.type != static_cast<std::uint8_t>(FrameType::oneway)) {
    reply(connection, request, answer, more);
  } else {
    if (answer.type != FrameType::reply) host_.log("a one-way call failed");
    work_done(1);
  }
  encoder.clear();  // what the answer kept alive
  connection.in_work.fetch_sub(1);
  unthrottle(connection);
}

/** What a connection may have in work, or waiting to be, while its client must be read. */
void Server::check_work(std::uint64_t calls) const {
  const std::uint64_t most = std::uint64_t{8} * options_.limits.calls_in_work;
  if (calls > most) {
    throw Limits::exceeded("calls of a connection in work", most, calls, nullptr);
  }
}

/** Calls of clients that call themselves are counted, but not held up: see throttle. */
void Server::count_work(ServerConnection& connection) {
  check_work(static_cast<std::uint64_t>(connection.in_work.load()) + 1);
  connection.in_work.fetch_add(1);
  in_work_.fetch_add(1);
  counters_.calls.fetch_add(1, std::memory_order_relaxed);
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
  const auto full = [&] {
    return is_full(connection) ||
           (connection.in_work >= static_cast<int>(options_.limits.calls_in_work) &&
            connection.awaited == 0);
  };
  if (!full()) return false;
  connection.throttled = true;
  return full() || !connection.throttled.exchange(false);
}

void Server::unthrottle(ServerConnection& connection) {
  if (connection.throttled && connection.throttled.exchange(false)) let_go(connection);
}

/** Throws Error. */
void Server::run(ServerConnection& connection, IncomingCall& call, Answer& answer) {
  if (stopping_) {
    throw Error(Failure::unexpected_close, "the server is shutting down", Fate::not_sent);
  }
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
    back = std::make_shared<BackChannel>(ledger_, connection.session,
                                         "client " + peer_name(connection.socket.fd()));
  }
  return *back;
}

void Server::run_create(ServerConnection& connection, Message& message, Answer& answer) {
  Decoder decoder(message);
  const Instance instance = host_.create(decoder.get_name(), answer);
  if (answer.type != FrameType::reply) return;
  ledger_.book(*connection.session, instance.id, 1);
  answer.body.put_string(instance.id);
  answer.body.put_string(instance.type);
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
  answer.body.put_string(instance.id);
  answer.body.put_string(instance.type);
}

}  // namespace simhandle
