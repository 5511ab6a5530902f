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
  std::vector<Notice> notices;
  notices.push_back(settle(stream));
  for (const auto& [number, position] : stream.take_settled()) {
    notices.push_back({{}, position, number});
  }
  return notices;
}

std::vector<Notice> Notice::again(Entry& lost) {
  std::vector<Notice> notices;
  for (Returned& each : lost.given_back) {
    notices.push_back(release(std::move(each.object), each.count, std::move(each.paid)));
  }
  for (const auto& [number, position] : lost.settled) notices.push_back({{}, position, number});
  return notices;
}

void Notice::send(Link& link, Streams& streams, bool waits) {
  Encoder body;
  Entry entry;
  encode(body, streams, link.stream.get());
  if (object.empty()) {
    entry.settled.push_back({number, count});
  } else {
    entry.given_back.push_back({object, count, std::move(paid)});
  }
  Request request;
  request.type = object.empty() ? FrameType::settle : FrameType::release;
  request.encoder = &body;
  request.entry = &entry;
  request.waits = waits;
  try {
    link.send(request);
  } catch (...) {
    if (!entry.given_back.empty()) paid = std::move(entry.given_back.front().paid);
    throw;
  }
}

}  // namespace shinar::wire
