#include "waiting_releases.hpp"

#include <algorithm>

#include "limits.hpp"

namespace shinar::wire {
namespace {

/**
 * Lower bound even if a session may hold few objects: references to one may be acquired and
 * released many times meanwhile.
 */
constexpr std::uint32_t least_limit = 65536;
/** Average bytes allowed per release: ids made by servers have 32, a position takes 24. */
constexpr std::uint64_t bytes_each = 128;
/** What a release takes beside that. */
constexpr std::uint64_t node_bytes = 112;

/** Lets the connection's reader report when the first waiting release is due. */
void await_first(Stream& stream, const auto& releases) {
  stream.await(releases.empty() ? Stream::nothing : releases.begin()->first);
}

}  // namespace

WaitingReleases::WaitingReleases(std::uint32_t most_references, Account& account)
    : account_(account),
      most_(std::max(most_references, least_limit)),
      most_bytes_(most_ * bytes_each) {}

WaitingReleases::Due WaitingReleases::add(References what, Streams::Places after) {
  const std::uint64_t bytes =
      what.object.size() + after.size() * sizeof(Streams::Places::value_type);
  if (count_ >= most_) {
    throw Limits::exceeded("releases of a session that wait for its other connections", most_,
                           count_ + 1, "SIDL_RMI_MAX_REFERENCES");
  }
  if (bytes_ + bytes > most_bytes_) {
    throw Limits::exceeded("bytes of releases of a session that wait for its other connections",
                           most_bytes_, bytes_ + bytes, "SIDL_RMI_MAX_REFERENCES, times 128");
  }
  account_.charge(bytes + node_bytes);
  ++count_;
  bytes_ += bytes;
  Due due;
  wait({std::move(what), std::move(after), bytes}, due);
  return due;
}

/** Queues it at a connection that it has to wait for; if there is none, it is due. */
void WaitingReleases::wait(Release release, Due& due) {
  for (; !release.after.empty(); release.after.pop_back()) {
    const auto [stream, position] = release.after.back();
    if (stream->has_passed(position)) continue;
    Queue& queue = queues_[stream.get()];
    queue.stream = stream;
    const auto at = queue.releases.emplace(position, std::move(release));
    await_first(*stream, queue.releases);
    if (!stream->has_passed(position)) return;
    // The reader may have passed it before await.
    release = std::move(at->second);
    queue.releases.erase(at);
    await_first(*stream, queue.releases);
    if (queue.releases.empty()) queues_.erase(stream.get());
  }
  --count_;
  bytes_ -= release.bytes;
  account_.give_back(release.bytes + node_bytes);
  due.push_back(std::move(release.what));
}

WaitingReleases::Due WaitingReleases::go_on(const Stream& stream) {
  Due due;
  const auto at = queues_.find(&stream);
  if (at == queues_.end()) return due;
  const std::shared_ptr<Stream> keep = at->second.stream;
  auto& releases = at->second.releases;
  std::vector<Release> passed;
  // The reader reports only what it reads after await: check again for what it read before.
  while (!releases.empty() && stream.has_passed(releases.begin()->first)) {
    while (!releases.empty() && stream.has_passed(releases.begin()->first)) {
      passed.push_back(std::move(releases.begin()->second));
      releases.erase(releases.begin());
    }
    await_first(*keep, releases);
  }
  if (releases.empty()) queues_.erase(at);
  for (Release& each : passed) wait(std::move(each), due);
  return due;
}

std::shared_ptr<void> WaitingReleases::clear() {
  if (queues_.empty()) return nullptr;
  for (const auto& [raw, queue] : queues_) queue.stream->await(Stream::nothing);
  account_.give_back(bytes_ + count_ * node_bytes);
  count_ = 0;
  bytes_ = 0;
  return std::make_shared<decltype(queues_)>(std::exchange(queues_, {}));
}

}  // namespace shinar::wire
