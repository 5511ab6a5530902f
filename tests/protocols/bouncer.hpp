/**
 * A client of a TestServer that is called back, and calls meanwhile when it likes.
 */
#ifndef BOUNCER_HPP
#define BOUNCER_HPP

#include <cstdint>

#include "raw_connection.hpp"

/** A peer that is called back in the course of its call, and calls in the course of that. */
class Bouncer : public RawConnection {
 public:
  explicit Bouncer(TestServer& server) : RawConnection(server) {
    name("bounce");
    name("sleep");
    shinar::wire::Encoder body;
    send(shinar::wire::FrameType::request, with(body, 1), bounce_method, 0, 1);
  }
  /** The id of the server's next call; 0: it answers a call of ours. */
  std::uint64_t called_back() {
    const shinar::wire::FrameHeader header = next_frame();
    return header.type == static_cast<std::uint8_t>(shinar::wire::FrameType::request)
               ? header.request
               : 0;
  }
  void nest(std::uint64_t parent, std::uint64_t id) {
    shinar::wire::Encoder body;
    send_nested(with(body, 1), bounce_method, parent, id);
  }
  void nest_sleep(std::uint64_t parent, std::uint64_t id, std::int32_t length) {
    shinar::wire::Encoder body;
    send_nested(with(body, length), bounce_method + 1, parent, id);
  }
  void cancel(std::uint64_t id) {
    shinar::wire::Encoder nothing;
    send(shinar::wire::FrameType::cancel, nothing, 0, 0, id);
  }
  void answer(std::uint64_t id) {
    shinar::wire::Encoder body;
    body.put(std::int32_t{0});
    send(shinar::wire::FrameType::reply, body, 0, 0, id);
  }

 private:
  static constexpr std::uint16_t bounce_method = 1;

  static shinar::wire::Encoder& with(shinar::wire::Encoder& body, std::int32_t argument) {
    body.put_string("public");
    body.put(argument);
    return body;
  }
  shinar::wire::FrameHeader next_frame() {
    shinar::wire::FrameHeader header;
    do {
      header = next_answer();
    } while (header.type == static_cast<std::uint8_t>(shinar::wire::FrameType::method) ||
             header.type == static_cast<std::uint8_t>(shinar::wire::FrameType::ping));
    return header;
  }
};

#endif
