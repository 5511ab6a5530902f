#include "answering.hpp"

#include "decoder.hpp"

namespace simhandle {

void put_error(Answer& answer, const Error& error) {
  answer.type = FrameType::error;
  answer.body.clear();
  answer.body.put(static_cast<std::uint32_t>(error.failure()));
  answer.body.put(static_cast<std::uint32_t>(error.fate()));
  answer.body.put_string(std::string_view(error.what()).substr(0, max_name));
}

void check_deadline(const IncomingCall& call, Answer& answer) {
  using std::chrono::milliseconds;
  const std::uint32_t deadline = call.message.header.deadline;
  if (deadline == 0) return;
  const auto waited =
      std::chrono::floor<milliseconds>(std::chrono::steady_clock::now() - call.arrived);
  if (waited >= milliseconds(deadline)) {
    throw Error(Failure::time_out,
                "the deadline of " + std::to_string(deadline) +
                    " ms passed while the call waited to be run",
                Fate::not_sent);
  }
  answer.milliseconds_left = deadline - waited.count();
}

void run_method(Host& host, IncomingCall& call, Answer& answer) {
  check_deadline(call, answer);
  Decoder decoder(call.message);
  const std::string_view object = decoder.get_name();
  if (call.method == nullptr) {
    throw malformed("method " + std::to_string(call.message.header.method) + " was not named");
  }
  host.call(object, *call.method, call.message, answer);
}

}  // namespace simhandle
