#include "answering.hpp"

#include <cstring>

#include "cargo.hpp"
#include "checked_mutex.hpp"
#include "decoder.hpp"
#include "link.hpp"
#include "running_call.hpp"
#include "stack_room.hpp"

namespace shinar::wire {

namespace {

/** Keeps the beginning and the end of a long text: the first call that failed, and the reason. */
std::string shortened(std::string text) {
  if (text.size() <= max_name) return text;
  constexpr std::string_view gap = " ... ";
  constexpr std::size_t begin = max_name / 4;
  return text.replace(begin, text.size() - (max_name - gap.size()), gap);
}

}  // namespace

void put_error(Answer& answer, const Error& error) {
  answer.type = FrameType::error;
  answer.body.clear();
  answer.lent.take_back();
  if (answer.is_unheard) answer.failure = error.what();
  answer.body.put(static_cast<std::uint32_t>(error.failure()));
  answer.body.put(static_cast<std::uint32_t>(error.fate()));
  answer.body.put_string(shortened(error.what()));
}

Error no_such_object(std::string_view object) {
  return Error(
      Failure::object_does_not_exist,
      "there is no object '" + in_one_line(std::string(object)) +
          "': it never existed, or its last reference is gone (for example, a lease expired)");
}

std::vector<std::string> Host::names_of(const IncomingCall& call) const {
  return {type_of(call.target.get()) + "." + call.method->name};
}

void hold(IncomingCall& call, Host* host) {
  Message& message = call.message;
  if (host != nullptr &&
      (message.type() == FrameType::request || message.type() == FrameType::oneway)) {
    call.arguments = 0;
    try {
      Decoder decoder(message);
      const std::string_view object = decoder.get_name();
      // Unless the name is in a segment: segments must be taken in order.
      call.arguments =
          decoder.place() == sizeof(std::uint32_t) + object.size() ? decoder.place() : 0;
      call.target = host->pin(object);
    } catch (const Error&) {
      // run_method reports it, as it does for malformed arguments.
    }
  }
}

void put_thread_ended(Answer& answer) noexcept {
  put_error(answer, Error(Failure::protocol,
                          "the thread that ran it has exited (pthread_exit, pthread_cancel)",
                          Fate::may_have_executed));
}

std::string failed_one_way(const Host& host, const IncomingCall& call, const Answer& answer,
                           const std::string& peer) {
  void* const object = call.target.get();
  const std::string method =
      call.method == nullptr ? "an unnamed method" : "'" + call.method->name + "'";
  return "the one-way call of " + method + " by " + peer +
         (object == nullptr ? "" : " on " + host.type_of(object)) +
         " failed: " + shortened(answer.failure);
}

void check_deadline(const IncomingCall& call, Answer& answer) {
  using std::chrono::milliseconds;
  const std::uint32_t deadline = call.message.header.deadline;
  if (deadline == 0) return;
  const auto waited =
      std::chrono::floor<milliseconds>(std::chrono::steady_clock::now() - call.arrived);
  if (waited >= milliseconds(deadline)) {
    throw Error(
        Failure::time_out,
        "the deadline of " + std::to_string(deadline) + " ms passed while the call was queued",
        Fate::not_sent);
  }
  answer.milliseconds_left = deadline - waited.count();
}

void check_begin(const RunningCall& running, std::uint32_t most) {
  if (running.id() != 0 && running.link().was_cancelled(running.id())) {
    throw Error(Failure::cancelled, "the caller cancelled the call");
  }
  if (running.id() != 0 && running.link().has_lost_caller()) {
    throw Error(Failure::cancelled, "the caller is gone");
  }
  if (running.depth() > most) throw Limits::too_many_nested(most, running.depth());
  check_stack(running.depth());
}

void read_chain(IncomingCall& call) {
  call.chain.reset();
  call.begin_waiting();
  const FrameHeader& header = call.message.header;
  if (!has_chain(header)) return;
  const std::size_t tail = sizeof(ChainId) + (has_parent(header) ? sizeof(std::uint64_t) : 0);
  const Buffer& body = call.message.body;
  if (body.size() < tail) throw malformed("a call of a chain without its id");
  std::memcpy(call.chain.emplace().data(), body.data() + body.size() - tail, sizeof(ChainId));
}

void run_method(Host& host, IncomingCall& call, Answer& answer) {
  check_deadline(call, answer);
  if (call.target.get() == nullptr) throw no_such_object(Decoder(call.message).get_name());
  if (call.method == nullptr) {
    // Not as malformed(): nothing was run, and nobody need ask whether it was.
    throw Error(Failure::protocol,
                "malformed message: method " + std::to_string(call.message.header.method) +
                    " was not named",
                Fate::not_sent);
  }
  assert_no_lock_held("a method");
  host.call(call, answer);
  // The object's other calls, which wait for this one, may go on before the answer has been sent.
  if (!answer.body.segments().empty() && host.strand(call) != nullptr) answer.body.own_shared();
}

}  // namespace shinar::wire
