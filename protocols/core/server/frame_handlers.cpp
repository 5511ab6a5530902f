#include "core/server/frame_handlers.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/answering.hpp"
#include "core/cargo.hpp"
#include "core/decoder.hpp"
#include "core/server/server_connection.hpp"
#include "core/server/server_context.hpp"

namespace shinar::wire {

/** One entry per type; types that a client must not send are malformed. */
const FrameHandlers::Entry& FrameHandlers::entry_of(FrameType type) {
  using H = FrameHandlers;
  static constexpr auto table = [] {
    std::array<Entry, 256> entries{};
    const auto set = [&entries](FrameType of, Entry entry) {
      entries[static_cast<std::uint8_t>(of)] = entry;
    };
    set(FrameType::method, {FrameKind::small, &H::method});
    set(FrameType::create, {FrameKind::call, nullptr});
    set(FrameType::attach, {FrameKind::call, nullptr});
    set(FrameType::request, {FrameKind::call, nullptr});
    set(FrameType::oneway, {FrameKind::call, nullptr});
    set(FrameType::cancel, {FrameKind::small, &H::cancel});
    set(FrameType::reply, {FrameKind::answer, nullptr});
    set(FrameType::exception, {FrameKind::answer, nullptr});
    set(FrameType::error, {FrameKind::answer, nullptr});
    set(FrameType::settle, {FrameKind::small, &H::settle});
    set(FrameType::release, {FrameKind::small, &H::release});
    set(FrameType::ping, {FrameKind::small, &H::ping});
    set(FrameType::pong, {FrameKind::small, &H::pong});
    set(FrameType::goodbye, {FrameKind::small, &H::goodbye});
    set(FrameType::abandon, {FrameKind::small, &H::abandon});
    return entries;
  }();
  return table[static_cast<std::uint8_t>(type)];
}

inline void FrameHandlers::note_read(IncomingCall& call) {
  call.method = named_.find(call.message.header.method);
  hold(call, &server_.host);
  if (Cargo::is_in(call.message)) [[unlikely]]
    Cargo::unload(call.message, &server_.host, connection_.session->back);
  connection_.count_read();
  read_chain(call);
}

/** The server's owner may limit calls that their clients do not limit. */
inline void FrameHandlers::set_deadline(FrameHeader& header) const {
  if (header.deadline == 0) header.deadline = server_.options.limits.server_deadline_ms;
}

FrameKind FrameHandlers::kind_of(FrameType type) {
  return entry_of(type).kind;
}

bool FrameHandlers::handle(Worker& worker, Clock::time_point& arrived) {
  IncomingCall& call = worker.call;
  Message& message = call.message;
  introduce();
  const Entry& entry = entry_of(message.type());
  switch (entry.kind) {
    case FrameKind::call:
      break;
    case FrameKind::answer:
      take_answer(message, nullptr);
      return true;
    case FrameKind::small:
      return (this->*entry.handler)(message);
  }
  set_deadline(message.header);
  if (message.header.deadline != 0 && arrived == Clock::time_point()) arrived = Clock::now();
  call.arrived = std::exchange(arrived, {});
  note_read(call);
  if (!connection_.calls.count(call)) {
    CallRunner::drop(call);
    return true;
  }
  return connection_.calls.accept(worker, call);
}

IncomingCall FrameHandlers::take_call(Message& message, Clock::time_point arrived) {
  IncomingCall call;
  call.message.swap(message);
  set_deadline(call.message.header);
  call.arrived = arrived;
  note_read(call);
  return call;
}

void FrameHandlers::introduce_now() {
  is_introduced_ = true;
  const std::shared_ptr<BackChannel> back = connection_.session->back;
  std::vector<Notice> waiting = back->add(connection_.shared_from_this());
  if (waiting.empty()) return;
  // On a worker, as it may have to wait for the client.
  server_.tasks.add([back, all = std::make_shared<std::vector<Notice>>(std::move(waiting))](
                        Worker&) { back->tell_all(std::move(*all)); });
}

void FrameHandlers::take_answer(Message& message, Waiter* self) {
  if (Cargo::is_in(message)) {
    Cargo::unload(message, &server_.host, connection_.session->back);
  }
  connection_.count_read();
  connection_.deliver(message, self);
}

bool FrameHandlers::handle_small(Message& message) {
  return (this->*entry_of(message.type()).handler)(message);
}

bool FrameHandlers::method(Message& message) {
  named_.define(message, server_.options.limits.methods, connection_.session->account.get());
  return true;
}

bool FrameHandlers::release(Message& message) {
  server_.disposal.add(server_.ledger.release(*connection_.session, message));
  connection_.count_read();
  return true;
}

/** The client will read nothing more from a connection: what was in transit is lost. */
bool FrameHandlers::settle(Message& message) {
  Decoder decoder(message);
  const auto number = decoder.get<std::uint64_t>();
  Session& session = *connection_.session;
  wire::Entry lost = session.streams->settle(number, decoder.get<std::uint64_t>());
  server_.disposal.add(server_.ledger.release(session, lost.lent));
  connection_.count_read();
  if (auto again = Notice::again(lost); !again.empty()) {
    // On a worker, as it may have to wait for the client.
    server_.tasks.add([back = session.back,
                       all = std::make_shared<std::vector<Notice>>(std::move(again))](Worker&) {
      back->tell_all(std::move(*all));
    });
  }
  const std::shared_ptr<Link> other = session.back->find(number);
  if (other != nullptr && other.get() != &connection_) other->channel->shut_down();
  return true;
}

bool FrameHandlers::cancel(Message& message) {
  connection_.calls.cancel(message.header.request);
  return true;
}

bool FrameHandlers::ping(Message& message) {
  connection_.send_bare(FrameType::pong, message.header.request);
  return true;
}

bool FrameHandlers::pong(Message& message) {
  if (message.header.request != 0) connection_.stream->confirm(message.header.request);
  return true;
}

/**
 * A thread of the client continues over this connection: its calls over broken ones run before
 * those from here, or not at all if they have not been read yet.
 */
bool FrameHandlers::abandon(Message& message) {
  Decoder decoder(message);
  std::vector<std::uint64_t> numbers;
  for (std::size_t left = message.header.body / sizeof(std::uint64_t); left > 0; --left) {
    numbers.push_back(decoder.get<std::uint64_t>());
  }
  connection_.session->back->abandon(std::move(numbers), connection_);
  return true;
}

bool FrameHandlers::goodbye(Message& /*message*/) {
  server_.ledger.say_goodbye(*connection_.session);
  connection_.note_goodbye();
  if (!connection_.reader.has_deferred()) {
    connection_.reader.close();
    return false;
  }
  connection_.reader.note_ended();
  // Deferred calls are still run, then a worker closes; their answers are dropped.
  connection_.fail(Error(Failure::unexpected_close, "the client closed the connection"));
  return true;
}

bool FrameHandlers::malformed_type(Message& message) {
  throw malformed("type " + std::to_string(message.header.type) + " sent by a client");
}

}  // namespace shinar::wire
