/** Server: what the frames of a connection ask for. */
#include <cstring>

#include "decoder.hpp"
#include "frame_writer.hpp"
#include "server.hpp"

namespace simhandle {
namespace {

void put_error(Answer& answer, const Error& error) {
  answer.type = FrameType::error;
  answer.body.clear();
  answer.body.put(static_cast<std::uint32_t>(error.failure()));
  answer.body.put(static_cast<std::uint32_t>(error.fate()));
  answer.body.put_string(std::string_view(error.what()).substr(0, max_name));
}

Error no_such_object(std::string_view object) {
  return Error(Failure::object_does_not_exist,
               "there is no object '" + std::string(object) +
                   "' here: it never was, or its last reference is gone");
}

}  // namespace

/** Does what a frame asks for; false if the connection is not this worker's any more. */
bool Server::handle(ServerConnection& connection, Worker& worker, Message& message) {
  switch (message.type()) {
    case FrameType::request:
    case FrameType::create:
    case FrameType::attach:
      return execute(connection, worker, message);
    case FrameType::method:
      define_method(connection, message);
      return true;
    case FrameType::add_reference:
    case FrameType::release:
      change_references(connection, message);
      return true;
    case FrameType::ping: {
      FrameHeader pong;
      pong.type = static_cast<std::uint8_t>(FrameType::pong);
      pong.request = message.header.request;
      const std::unique_lock lock(connection.write, std::try_to_lock);
      if (lock.owns_lock()) send_header_now(connection.socket.fd(), pong);
      return true;
    }
    case FrameType::pong:
      return true;
    case FrameType::goodbye:
      ledger_.say_goodbye(*connection.session);
      close(connection);
      return false;
    default:
      throw malformed("type " + std::to_string(message.header.type) + " sent by a client");
  }
}

void Server::define_method(ServerConnection& connection, Message& message) {
  if (connection.methods.size() >= options_.limits.methods) {
    throw Limits::exceeded("methods named on one connection", options_.limits.methods,
                           connection.methods.size() + 1, nullptr);
  }
  if (message.header.method != connection.methods.size() + 1) {
    throw malformed("methods are not numbered in order");
  }
  Decoder decoder(message);
  Method method;
  method.digest = decoder.get<std::uint64_t>();
  method.name = decoder.get_name();
  connection.methods.push_back(std::make_unique<const Method>(std::move(method)));
}

void Server::change_references(ServerConnection& connection, Message& message) {
  Decoder decoder(message);
  const std::string object(decoder.get_name());
  const auto count = decoder.get<std::uint32_t>();
  if (message.type() == FrameType::release) {
    ledger_.release(*connection.session, object, count);
  } else {
    ledger_.book(*connection.session, object, count);
  }
}

/**
 * Runs a request and answers it; false if the connection was let go meanwhile: it may be closed
 * then, but serve_connection keeps it.
 */
bool Server::execute(ServerConnection& connection, Worker& worker, Message& message) {
  const std::uint32_t number = message.header.method;
  const Method* const method = number != 0 && number <= connection.methods.size()
                                   ? connection.methods[number - 1].get()
                                   : nullptr;
  // Another call is at hand, and nothing else of this connection is in work.
  const bool more = worker.buffer.has_small_frame() && connection.in_work == 0 &&
                    options_.limits.calls_in_work > 1;
  // From here on somebody else may read the connection: what was read ahead stays with it.
  if (!worker.buffer.empty()) connection.pending = std::move(worker.buffer);
  connection.in_work.fetch_add(1);
  in_work_.fetch_add(1);
  counters_.calls.fetch_add(1, std::memory_order_relaxed);
  counters_.bytes_received.fetch_add(frame_bytes(message.header), std::memory_order_relaxed);
  pool_.begin(worker, &connection);
  const FrameHeader request = message.header;
  worker.encoder.clear();
  Answer answer{worker.encoder, FrameType::reply, &ledger_, connection.session.get()};
  run(connection, method, message, answer);
  message.clear();
  reply(connection, request, answer, more);
  worker.encoder.clear();  // what the answer kept alive
  const bool ours = pool_.end(worker);
  connection.in_work.fetch_sub(1);
  if (ours) return true;
  flush(connection);
  if (connection.throttled.exchange(false)) let_go(connection);
  return false;
}

/** Whatever goes wrong ends up in the answer. */
void Server::run(ServerConnection& connection, const Method* method, Message& message,
                 Answer& answer) {
  try {
    if (stopping_) {
      throw Error(Failure::unexpected_close, "the server is shutting down", Fate::not_sent);
    }
    if (message.type() == FrameType::create) {
      run_create(connection, message, answer);
    } else if (message.type() == FrameType::attach) {
      run_attach(connection, message, answer);
    } else {
      Decoder decoder(message);
      const std::string_view object = decoder.get_name();
      if (method == nullptr) {
        throw malformed("method " + std::to_string(message.header.method) + " was not named");
      }
      host_.call(object, *method, message, answer);
    }
  } catch (const Error& error) {
    put_error(answer, error);
  } catch (const std::exception& error) {
    put_error(answer, Error(Failure::protocol, error.what(), Fate::may_have_executed));
  }
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

/**
 * Answers a call. If `may_wait`, the connection's reader has another call at hand, and the answer
 * may be sent together with that one's: for many threads of a client this saves most system calls
 * of both ends. The reader sends what waits before it waits itself (flush), and so does whoever
 * takes over from it if the next call takes long.
 */
void Server::reply(ServerConnection& connection, const FrameHeader& request, Answer& answer,
                   bool may_wait) noexcept {
  constexpr std::size_t most_unsent = 8192;
  FrameHeader header;
  header.request = request.request;
  try {
    complete_header(header, answer.body, connection.inline_limit, connection.message_limit);
  } catch (const Error& error) {
    put_error(answer,
              Error(error.failure(), std::string("the results are too big: ") + error.what(),
                    Fate::executed));
    complete_header(header, answer.body, connection.inline_limit, connection.message_limit);
  }
  header.type = static_cast<std::uint8_t>(answer.type);
  counters_.bytes_sent.fetch_add(frame_bytes(header), std::memory_order_relaxed);
  const std::lock_guard lock(connection.write);
  connection.unsent_calls.fetch_add(1, std::memory_order_relaxed);
  try {
    if (may_wait && header.segments == 0 && header.body < most_unsent &&
        connection.unsent.size() < most_unsent && !stopping_) {
      const auto frame = answer.body.with_header(header);
      std::memcpy(connection.unsent.extend(frame.size()), frame.data(), frame.size());
      return;
    }
    send_frame(connection.socket.fd(), {connection.unsent.data(), connection.unsent.size()}, header,
               answer.body);
  } catch (const std::exception& error) {
    host_.log("cannot answer " + peer_name(connection.socket.fd()) + ": " + error.what());
    connection.socket.shut_down();  // its reader finds it closed
  }
  answers_sent(connection);
}

/** Sends the answers that wait for company. May wait for the peer to take them. */
void Server::flush(ServerConnection& connection) noexcept {
  if (connection.unsent_calls.load(std::memory_order_relaxed) == 0) return;
  const std::lock_guard lock(connection.write);
  if (connection.unsent.size() == 0) return;  // somebody was faster
  try {
    send_bytes(connection.socket.fd(), {connection.unsent.data(), connection.unsent.size()});
  } catch (const std::exception& error) {
    host_.log("cannot answer " + peer_name(connection.socket.fd()) + ": " + error.what());
    connection.socket.shut_down();
  }
  answers_sent(connection);
}

/** The calls whose answers were sent, or never can be, are in work no more. Under `write`. */
void Server::answers_sent(ServerConnection& connection) {
  connection.unsent.clear();
  const int calls = connection.unsent_calls.exchange(0, std::memory_order_relaxed);
  if (in_work_.fetch_sub(calls) == calls && stopping_) {
    const std::lock_guard lock(mutex_);
    drained_.notify_all();
  }
}

}  // namespace simhandle
