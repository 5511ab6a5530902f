/** ClientConnection: the server calls objects of this process. */
#include "answering.hpp"
#include "callee.hpp"
#include "client_connection.hpp"
#include "decoder.hpp"
#include "exports.hpp"
#include "running_call.hpp"

namespace simhandle {
namespace {

Lanes::Key lane_of(IncomingCall& call) {
  Decoder decoder(call.message);
  return {call.message.header.lane, std::string(decoder.get_name())};
}

}  // namespace

void ClientConnection::set_session(std::shared_ptr<Session> session) {
  const std::lock_guard lock(state_);
  session_ = std::move(session);
}

/** What a server may send beside answers; leader's thread. */
void ClientConnection::serve(Message& message) {
  switch (exports_ == nullptr ? FrameType::reply : message.type()) {
    case FrameType::request:
    case FrameType::oneway:
      accept_call(message);
      return;
    case FrameType::method:
      define_method(message);
      return;
    case FrameType::add_reference:
    case FrameType::release:
      change_references(message);
      return;
    case FrameType::cancel:
      if (auto call = lanes_.cancel(*this, message.header.request)) {
        Encoder body;
        Answer answer{body};
        put_error(answer, Error(Failure::cancelled, "the caller gave the call up"));
        send_answer(call->message.header, answer);
        --in_work_;
      }
      return;
    default:
      throw malformed("type " + std::to_string(message.header.type) + " sent by a server");
  }
}

void ClientConnection::define_method(Message& message) {
  named_.define(message, most_methods_);
}

void ClientConnection::change_references(Message& message) {
  std::shared_ptr<Session> session;
  {
    const std::lock_guard lock(state_);
    session = session_;
  }
  if (session == nullptr) return;
  // Who reads may hold locks, which destructors might want.
  auto forgotten = exports_->ledger().change(*session, message);
  if (!forgotten.empty()) exports_->submit([gone = std::move(forgotten)] {});
}

/** While threads of the program wait for answers the calls of the server must be read, too. */
void ClientConnection::count_call() {
  const std::uint32_t most = 8 * most_calls_;
  if (++in_work_ > most) {
    throw Limits::exceeded("calls of a connection in work", most, in_work_, nullptr);
  }
}

/** A call goes to the thread that waits for the call in the course of which it was made, if any. */
void ClientConnection::accept_call(Message& message) {
  IncomingCall call;
  call.message.swap(message);
  call.method = named_.find(call.message.header.method);
  call.arrived = Clock::now();
  const FrameHeader& header = call.message.header;
  count_call();
  if (header.lane != 0 && lanes_.enter(lane_of(call), call, *this) != Lanes::Turn::now) return;
  if ((header.flags & flag_nested) != 0 && deliver_nested(call)) return;
  exports_->submit(
      [self = std::static_pointer_cast<ClientConnection>(shared_from_this()),
       accepted = std::make_shared<IncomingCall>(std::move(call))] { self->run(*accepted); });
}

void ClientConnection::run(IncomingCall& call) noexcept {
  if (call.message.header.lane == 0) {
    answer_call(call);
    return;
  }
  const Lanes::Key key = lane_of(call);
  answer_call(call);
  while (std::optional<Lanes::Waiting> next = lanes_.next(key)) answer_call(next->call);
}

void ClientConnection::answer_call(IncomingCall& call) {
  const FrameHeader request = call.message.header;
  std::shared_ptr<Session> session;
  {
    const std::lock_guard lock(state_);
    session = session_;
  }
  Encoder body;
  Answer answer{body, FrameType::reply, &exports_->ledger(), session.get(), peer_};
  {
    const RunningCall running(*this, request.request);
    answered(answer, [&] { run_method(exports_->host(), call, answer); });
  }
  call.message.clear();
  if (request.type != static_cast<std::uint8_t>(FrameType::oneway)) send_answer(request, answer);
  --in_work_;
}

void ClientConnection::send_answer(const FrameHeader& request, Answer& answer) {
  FrameHeader header;
  complete_answer(header, request, answer);
  try {
    const std::lock_guard lock(write);
    send_frame(socket.fd(), {}, header, answer.body, stall(false));
  } catch (const Error& error) {
    fail(error);
  }
}

}  // namespace simhandle
