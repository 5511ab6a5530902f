#include "back_channel.hpp"

#include <algorithm>

#include "ledger.hpp"

namespace simhandle {

void BackChannel::add(const std::shared_ptr<Link>& link, std::uint64_t number) {
  std::vector<Release> unsent;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(links_, [](const Way& each) { return each.link.expired(); });
    links_.push_back({link, number});
    unsent.swap(unsent_);
  }
  for (const Release& each : unsent) send_release(link, each);
}

std::shared_ptr<Link> BackChannel::find(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto at = std::ranges::find(links_, number, &Way::number);
  return number == 0 || at == links_.end() ? nullptr : at->link.lock();
}

/** Under the lock; NULL: the client has no connection at the moment. */
std::shared_ptr<Link> BackChannel::least_used() {
  std::shared_ptr<Link> least;
  for (const Way& each : links_) {
    std::shared_ptr<Link> link = each.link.lock();
    if (link == nullptr || !link->is_usable()) continue;
    if (least == nullptr || link->in_use < least->in_use) least = std::move(link);
  }
  return least;
}

std::shared_ptr<Link> BackChannel::acquire(Clock::time_point, Deadline, bool& reused) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Link> link = least_used();
  if (link == nullptr) {
    throw Error(Failure::unexpected_close, "the client is not connected any more");
  }
  reused = true;
  link->in_use.fetch_add(1);
  return link;
}

Callee::Lender BackChannel::lender() {
  const std::lock_guard lock(mutex_);
  if (least_used() == nullptr) return {};  // the server may be gone, and the ledger with it
  return {ledger_, session_.lock()};
}

void BackChannel::release(const std::string& object, std::uint32_t count) noexcept {
  try {
    std::unique_lock lock(mutex_);
    const std::shared_ptr<Link> link = least_used();
    if (link == nullptr) {
      if (!session_.expired()) unsent_.emplace_back(object, count);
      return;
    }
    lock.unlock();
    send_release(link, {object, count});
  } catch (const std::exception&) {
    // Without memory the reference ends with the connection's.
  }
}

void BackChannel::send_release(const std::shared_ptr<Link>& link, const Release& release) {
  Encoder body;
  body.put_string(release.first);
  body.put(release.second);
  Request request;
  request.type = FrameType::release;
  request.encoder = &body;
  try {
    link->send(request);
  } catch (const Error&) {
    const std::lock_guard lock(mutex_);
    unsent_.push_back(release);
  }
}

}  // namespace simhandle
