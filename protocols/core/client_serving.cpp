/** ClientConnection: the server calls objects of this process. */
#include "answering.hpp"
#include "callee.hpp"
#include "cargo.hpp"
#include "client_connection.hpp"
#include "decoder.hpp"
#include "exports.hpp"
#include "notice.hpp"
#include "object_strands.hpp"
#include "running_call.hpp"
#include "thread_end.hpp"

namespace shinar::wire {
namespace {

CallerStrands::Key caller_strand_of(IncomingCall& call) {
  Decoder decoder(call.message);
  return {call.message.header.strand, std::string(decoder.get_name())};
}

}  // namespace

void ClientConnection::set_session(std::shared_ptr<Session> session) {
  const std::lock_guard lock(state_);
  if (session_ == nullptr) session_ = std::move(session);
}

std::shared_ptr<Session> ClientConnection::session() {
  const std::lock_guard lock(state_);
  return session_;
}

void ClientConnection::go_on() {
  if (const auto of = session()) exports_->forget(exports_->ledger().go_on(*of, *stream));
}

void ClientConnection::dispose(Ended what) {
  if (exports_ != nullptr) exports_->forget(std::move(what));
}

/** What a server may send besides answers. Called by the leader. */
void ClientConnection::serve(Message& message) {
  switch (exports_ == nullptr ? FrameType::reply : message.type()) {
    case FrameType::request:
    case FrameType::oneway:
      accept_call(message);
      return;
    case FrameType::method:
      define_method(message);
      return;
    case FrameType::release:
      release(message);
      return;
    case FrameType::cancel:
      cancel_call(message.header.request);
      return;
    default:
      throw malformed("type " + std::to_string(message.header.type) + " sent by a server");
  }
}

/** A queued call is dropped; a running one ends its waits for peers. */
void ClientConnection::cancel_call(std::uint64_t id) {
  auto call = caller_strands_.cancel(*this, id);
  if (!call && (call = ObjectStrands::of_process().cancel(*this, id))) run_next_of_strand(*call);
  if (call) {
    refuse_call(call->message.header, Error(Failure::cancelled, "the caller cancelled the call"));
  } else {
    note_cancelled(id);
  }
}

/** Calls of the server that wait for peers may depend on calls not read yet. */
std::uint32_t ClientConnection::most_in_work() const {
  return Chains::of_process().waiting() == 0 ? most_calls_
                                             : most_calls_ * calls_in_work_while_waiting;
}

void ClientConnection::define_method(Message& message) {
  named_.define(message, most_methods_, nullptr);
}

/** The reader may hold locks that destructors need: Exports runs them. */
void ClientConnection::release(Message& message) {
  if (const auto of = session()) exports_->forget(exports_->ledger().release(*of, message));
  count_read();
}

/** The server will read nothing more from a connection: what was in transit is lost. */
void ClientConnection::settle(Message& message) {
  Decoder decoder(message);
  const auto number = decoder.get<std::uint64_t>();
  const auto position = decoder.get<std::uint64_t>();
  count_read();
  if (streams_ == nullptr) return;
  Entry lost = streams_->settle(number, position);
  if (const auto of = session()) exports_->forget(exports_->ledger().release(*of, lost.lent));
  auto again = Notice::again(lost);
  if (again.empty() || exports_ == nullptr) return;
  // Not on the reader's thread: it may have to wait for the server.
  exports_->submit([owner = owner_, all = std::make_shared<std::vector<Notice>>(std::move(again))] {
    if (const auto peer = owner.lock()) peer->tell_all(std::move(*all));
  });
}

/**
 * Counts a call. Threads that wait for answers must read the server's calls, too, so above the
 * limit a call whose caller waits within a chain is refused with an answer (false); any other one
 * is an error of the connection.
 */
bool ClientConnection::count_call(IncomingCall& call) {
  const std::uint32_t most = most_calls_ * calls_in_work_while_waiting;
  if (in_work_ >= most) {
    const Error error = Limits::too_many_calls(most, most + 1);
    if (!is_nested(call) && !is_within_chain(call)) throw error;
    refuse_call(call.message.header, error);
    return false;
  }
  ++in_work_;
  call.count = CountedCall(*this);
  return true;
}

void ClientConnection::call_ended(bool /*is_answered*/) noexcept {
  --in_work_;
}

/** A nested call goes to the thread that waits for its parent, if any. */
void ClientConnection::accept_call(Message& message) {
  IncomingCall call;
  call.message.swap(message);
  call.method = named_.find(call.message.header.method);
  call.arrived = Clock::now();
  hold(call, &exports_->host(), [&] { return owner_.lock(); });
  count_read();
  read_chain(call);
  if (!count_call(call)) return;
  const bool has_caller_strand = call.message.header.strand != 0;
  if (has_caller_strand &&
      caller_strands_.enter(caller_strand_of(call), call, *this) != CallerStrands::Turn::now)
    return;
  run_elsewhere(std::move(call));
}

void ClientConnection::run_elsewhere(IncomingCall call) {
  if (is_nested(call) && deliver_nested(call)) return;
  exports_->submit(
      [self = std::static_pointer_cast<ClientConnection>(shared_from_this()),
       accepted = std::make_shared<IncomingCall>(std::move(call))] { self->run(*accepted); });
}

bool ClientConnection::run(IncomingCall& call) {
  const bool is_over = answer_call(call);
  if (is_over) run_next_of_strand(call);
  return is_over;
}

/** Called when the call has ended. */
void ClientConnection::run_next_of_strand(IncomingCall& call) {
  if (!call.caller_strand) return;
  if (auto next = caller_strands_.next(*call.caller_strand)) run_elsewhere(std::move(next->call));
}

/** False if the call was queued for its object strand, which runs it later. */
bool ClientConnection::answer_call(IncomingCall& call) {
  const FrameHeader request = call.message.header;
  Encoder body;
  // Kept alive here: the program may have released all objects that live there.
  const std::shared_ptr<Callee> caller = owner_.lock();
  Answer answer{body, FrameType::reply, caller.get()};
  const auto finish = [&] {
    forget_cancelled(request.request);
    if (request.type != static_cast<std::uint8_t>(FrameType::oneway)) send_answer(request, answer);
    call.count.end();
  };
  const auto thread_ended = [&] {
    call.target.reset();
    call.message.clear();
    put_thread_ended(answer);
    finish();
    run_next_of_strand(call);
  };
  bool is_now = false;
  if_thread_ends(thread_ended, [&] {
    RunningCall running(*this, request.request, call);
    answer.is_within = running.outer() != nullptr;
    const StrandTurn turn(running, call, exports_->host());
    is_now = turn.is_now();
    if (!is_now) return;
    answered(answer, [&] {
      check_begin(running, most_calls_ * calls_in_work_while_waiting);
      run_method(exports_->host(), call, answer);
    });
    call.target.reset();
    call.message.clear();
  });
  if (is_now) finish();
  return is_now;
}

/**
 * A thread that runs the call while it waits for an answer of its own waits no longer than to the
 * deadline of that until the server takes this one.
 */
void ClientConnection::send_answer(const FrameHeader& request, Answer& answer) {
  const SuspendedWait* const within = CallsOfThread::here().suspended;
  const Deadline until = within == nullptr ? Deadline() : within->until();
  FrameHeader header;
  complete_answer(header, request, answer);
  try {
    try {
      transmit_answer(header, answer.body, answer.lent, until);
    } catch (const Error& error) {
      if (error.failure() != Failure::time_out || error.fate() != Fate::not_sent) throw;
      postpone({header, std::move(answer.body), std::move(answer.lent), std::move(answer.held)});
    }
  } catch (const Error& error) {
    fail(error);
  }
}

/** Throws Error; (time_out, not_sent): `until` passed first, and nothing was sent. */
void ClientConnection::transmit_answer(const FrameHeader& header, Encoder& body, Lent& lent,
                                       const Deadline& until) {
  Spent spent;  // dropped without the lock
  const auto lock = lock_write(until);
  Lent::HandOver hand_over(lent, *stream, stream->count_sent());
  if (!hand_over.may_arrive()) return;
  try {
    put_in_line({}, header, body, false, &until, spent);
  } catch (const Error& error) {
    if (error.fate() == Fate::not_sent) {
      hand_over.take_back();
      stream->uncount_sent();
    }
    throw;
  }
  if (hand_over.lends()) ask_for_confirmation();
}

}  // namespace shinar::wire
