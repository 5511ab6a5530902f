#include "back_channel.hpp"

#include <algorithm>
#include <utility>

#include "thread_end.hpp"

namespace shinar::wire {
namespace {

/** What a handle to an object takes beside its name, about. */
constexpr std::uint64_t bytes_of_handle = 512;

void append(std::vector<std::weak_ptr<Link>>& links, const std::shared_ptr<Link>& link) {
  std::erase_if(links, [](const auto& each) { return each.expired(); });
  links.push_back(link);
}

}  // namespace

void BackChannel::expect(const std::shared_ptr<Link>& link) {
  const std::lock_guard lock(mutex_);
  append(expected_, link);
}

std::vector<Notice> BackChannel::add(const std::shared_ptr<Link>& link) {
  const std::lock_guard lock(mutex_);
  append(links_, link);
  return std::exchange(unsent_, {});
}

bool BackChannel::is_ruled() const {
  const std::shared_ptr<Session> session = session_.lock();
  return session != nullptr && session->party != nullptr && session->party->is_ruled();
}

/** All connections of a session are of one identity. */
void BackChannel::check_attach(std::string_view object) {
  std::shared_ptr<Link> link;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& each : expected_) {
      if ((link = each.lock()) != nullptr) break;
    }
  }
  if (link == nullptr) throw Error(Failure::not_allowed, "the client is gone, and gets no objects");
  link->check_attach(object);
}

/** Methods may keep what a client lends to them, and each handle takes memory here. */
void BackChannel::hold(std::string_view object) {
  if (held_.fetch_add(1, std::memory_order_relaxed) >= most_held_) {
    held_.fetch_sub(1, std::memory_order_relaxed);
    throw Limits::exceeded("references to objects of one client", most_held_,
                           std::uint64_t{most_held_} + 1, "SIDL_RMI_MAX_REFERENCES");
  }
  try {
    account_->charge(bytes_of_handle + object.size());
  } catch (...) {
    held_.fetch_sub(1, std::memory_order_relaxed);
    throw;
  }
}

/** In a forked child nothing is counted. */
Charge BackChannel::let_go(std::string_view object, std::uint64_t count) noexcept {
  if (count == 0 || !generation_.is_current()) return {};
  held_.fetch_sub(count, std::memory_order_relaxed);
  const std::uint64_t kept = Returned::bytes_of(object.size());
  static_assert(bytes_of_handle >= Returned::bytes_of(0));
  account_->give_back(count * (bytes_of_handle + object.size()) - kept);
  return {account_, kept};
}

std::shared_ptr<Link> BackChannel::find(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  for (const auto& each : expected_) {
    std::shared_ptr<Link> link = each.lock();
    if (number != 0 && link != nullptr && link->number() == number) return link;
  }
  return nullptr;
}

void BackChannel::abandon(std::vector<std::uint64_t> numbers, const Link& own) {
  std::ranges::sort(numbers);  // a peer may name many
  std::vector<std::shared_ptr<Link>> given_up;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& each : expected_) {
      std::shared_ptr<Link> link = each.lock();
      if (link == nullptr || link.get() == &own || link->number() == 0) continue;
      if (std::ranges::binary_search(numbers, link->number())) given_up.push_back(std::move(link));
    }
  }
  for (const auto& each : given_up) caller_strands.abandon(*each);
}

/** Under the lock; NULL if the client has no connection at the moment. */
std::shared_ptr<Link> BackChannel::least_used() {
  std::shared_ptr<Link> least;
  for (const auto& each : links_) {
    std::shared_ptr<Link> link = each.lock();
    if (link == nullptr || !link->is_usable()) continue;
    if (least == nullptr || link->in_use < least->in_use) least = std::move(link);
  }
  return least;
}

void BackChannel::check_generation() const {
  if (generation_.is_current()) return;
  throw Error(Failure::unexpected_close,
              "the object lives in a client of the parent process: this forked child has no "
              "connection to it");
}

void BackChannel::inherit(const std::string&) {
  check_generation();
}

std::shared_ptr<Link> BackChannel::acquire(const CallsOfThread&, Clock::time_point, Deadline,
                                           bool& reused) {
  check_generation();
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Link> link = least_used();
  if (link == nullptr) {
    throw Error(Failure::unexpected_close,
                "the client is no longer connected, or was disconnected for longer than its lease");
  }
  reused = true;
  link->in_use.fetch_add(1);
  return link;
}

Callee::Lender BackChannel::lender() {
  if (!generation_.is_current()) return {};
  const std::lock_guard lock(mutex_);
  if (least_used() == nullptr) return {};  // the server may be gone, and the ledger with it
  return {ledger_, session_.lock()};
}

void BackChannel::tell(Notice notice) noexcept {
  if (!generation_.is_current()) return;  // only the parent may tell its peers
  const Cancelling not_now(PTHREAD_CANCEL_DISABLE);
  try {
    send(std::move(notice));
  } catch (const std::exception&) {
    // Without memory the books are put right when the session ends.
  }
}

/** Over another connection if one breaks; remembered if there is none. */
void BackChannel::send(Notice notice) {
  for (;;) {
    std::shared_ptr<Link> link;
    {
      const std::lock_guard lock(mutex_);
      link = least_used();
      if (link == nullptr) {
        if (!session_.expired()) unsent_.push_back(std::move(notice));
        return;
      }
    }
    try {
      notice.send(*link, *streams_, true);  // it is queued
      return;
    } catch (const Error&) {
      if (link->is_usable()) throw;  // else try another connection
    }
  }
}

}  // namespace shinar::wire
