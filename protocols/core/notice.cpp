#include "notice.hpp"

namespace shinar::wire {

void Notice::encode(Encoder& body, Streams& streams, const Stream* own) const {
  if (object.empty()) {
    body.put(number);
    body.put(count);
    return;
  }
  body.put_string(object);
  body.put(static_cast<std::uint32_t>(count));
  for (const auto& [other, position] : streams.positions(own)) {
    body.put(other);
    body.put(position);
  }
}

std::vector<Notice> Notice::end_of(Stream& stream) {
  std::vector<Notice> notices{settle(stream)};
  for (const auto& [number, position] : stream.take_settled()) {
    notices.push_back({{}, position, number});
  }
  return notices;
}

std::vector<Notice> Notice::again(const Entry& lost) {
  std::vector<Notice> notices;
  for (const auto& [object, count] : lost.given_back) notices.push_back(release(object, count));
  for (const auto& [number, position] : lost.settled) notices.push_back({{}, position, number});
  return notices;
}

void Notice::send(Link& link, Streams& streams) const {
  Encoder body;
  Entry entry;
  encode(body, streams, link.stream.get());
  if (object.empty()) {
    entry.settled.push_back({number, count});
  } else {
    entry.given_back.push_back({object, count});
  }
  Request request;
  request.type = object.empty() ? FrameType::settle : FrameType::release;
  request.encoder = &body;
  request.entry = &entry;
  link.send(request);
}

}  // namespace shinar::wire
