// GroupState: the order of collective calls, on which the ranks of a group agree.
#include <algorithm>
#include <exception>
#include <thread>

#include "calls/partners.hpp"
#include "impl/deadlines.hpp"
#include "impl/group_state.hpp"
#include "sidl_protocol.hxx"
#include "sidl_rmi_UnexpectedCloseException.hxx"
#include "sidl_settings.h"

namespace shinar::par {
namespace {

using ::sidl::par::Member;
using std::chrono::milliseconds;

// Calls that have been given up, of which other ranks have been told.
constexpr std::size_t kMostTold = 4096;
// As peers tell it.
constexpr std::size_t kLongestReason = 4096;

}  // namespace

// All other ranks at once; throws if one does not answer, when the others have.
template <typename Send, typename Receive>
void GroupState::tell_others(Send send, Receive receive) {
  std::vector<std::pair<int, ::sidl::rmi::Ticket>> told;
  Letter failed;
  const auto at = [&](int rank, auto work) {
    try {
      work();
    } catch (const ::sidl::BaseException& failure) {
      failed = better_of(failed, gone(rank, failure));
    }
  };
  for (int each = 0; each < size_; ++each) {
    if (each != rank_) at(each, [&] { told.emplace_back(each, send(member(each))); });
  }
  for (const auto& [each, ticket] : told) {
    at(each, [&, to = each, &with = ticket] { receive(member(to), with); });
  }
  par::check(failed);
}

void GroupState::grant_everywhere(const std::string& client) {
  tell_others([&](const Member& to) { return to.grant_send(client); },
              [](const Member& to, const ::sidl::rmi::Ticket& ticket) { to.grant_recv(ticket); });
  grant(client);
}

// The calls of the client that was alone: those that have begun on any rank still do on all.
void GroupState::settle_everywhere() {
  std::int64_t last = stop();
  tell_others([](const Member& to) { return to.stop_send(); },
              [&](const Member& to, const ::sidl::rmi::Ticket& ticket) {
                last = std::max(last, to.stop_recv(ticket));
              });
  tell_others([&](const Member& to) { return to.settle_send(last); },
              [](const Member& to, const ::sidl::rmi::Ticket& ticket) { to.settle_recv(ticket); });
  settle(last);
}

// On a thread that runs no call: if the client gives its call up, or its deadline passes, ranks
// must not be left stopped.
void GroupState::admit(const std::string& client) {
  std::exception_ptr failure;
  std::thread([&] {
    try {
      admit_here(client);
    } catch (...) {
      failure = std::current_exception();
    }
  }).join();
  if (failure) std::rethrow_exception(failure);
}

void GroupState::admit_here(const std::string& client) {
  const std::lock_guard one_at_a_time(admission_);
  std::string granted;
  {
    const auto lock = monitor_.lock();
    granted = agenda_.granted();
  }
  if (clients_.empty()) {
    grant_everywhere(client);
  } else if (!granted.empty() && granted != client) {
    try {
      settle_everywhere();
    } catch (...) {
      go_on(granted);
      throw;
    }
  }
  clients_.insert(client);
}

// A rank does not answer: the others are as they were.
void GroupState::go_on(const std::string& client) {
  try {
    grant_everywhere(client);
  } catch (const ::sidl::BaseException&) {
    grant(client);
  }
}

// Others may wait for the end of its last call, on ranks that have not all of its parts.
void GroupState::dismiss(const std::string& client, const std::string& why) {
  {
    const std::lock_guard one_at_a_time(admission_);
    clients_.erase(client);
  }
  std::int64_t last = 0;
  {
    const auto lock = monitor_.lock();
    last = agenda_.last_run(client);
    if (const auto found = last_calls_.find(client); found != last_calls_.end()) {
      last = std::max(last, found->second);
      last_calls_.erase(found);
    }
    if (last == 0 || agenda_.granted() == client) return;
  }
  give_up({client, last}, {why});
}

void GroupState::grant(const std::string& client) {
  if (client.empty()) throw Misfit("the client that calls without positions has no name");
  const auto lock = monitor_.lock();
  agenda_.grant(client);
  monitor_.wake();
}

std::int64_t GroupState::stop() {
  const auto lock = monitor_.lock();
  return agenda_.stop();
}

void GroupState::settle(std::int64_t number) {
  if (number != 0 && !Agenda::is_number(number)) {
    throw Misfit("call " + std::to_string(number) + " of a client cannot be its last one");
  }
  const auto lock = monitor_.lock();
  agenda_.settle(number);
  monitor_.wake();
}

GroupState::Passed GroupState::pass_on(std::int64_t position, const CallKey& key) {
  Passed passed;
  for (const int child : children_of(rank_, size_)) {
    if (const std::string why = still_missing(child); !why.empty()) {
      ::sidl::protocol::fail<::sidl::rmi::UnexpectedCloseException>(why);
    }
    try {
      passed.emplace_back(child, member(child).enqueue_send(position, key.client, key.number));
    } catch (const ::sidl::BaseException& failure) {
      par::check(gone(child, failure));
    }
  }
  return passed;
}

GroupState::Passed GroupState::put_in_order(const CallKey& key) {
  std::int64_t position = 0;
  {
    const auto lock = monitor_.lock();
    position = agenda_.next_position();
    agenda_.enqueue(position, key);
    last_calls_[key.client] = key.number;
    monitor_.wake();
  }
  return pass_on(position, key);
}

void GroupState::enqueue(std::int64_t position, const CallKey& key) {
  {
    const auto lock = monitor_.lock();
    const bool can_be = Agenda::is_number(position) && Agenda::is_number(key.number) &&
                        !key.client.empty() && agenda_.is_near(position);
    if (!can_be) {
      throw Misfit("no call of the group's order has position " + std::to_string(position) +
                   ", or number " + std::to_string(key.number) + " of '" + key.client + "'");
    }
    agenda_.enqueue(position, key);
    monitor_.wake();
  }
  Passed passed = pass_on(position, key);
  check(passed, true);
}

void GroupState::check(Passed& passed, bool waits) {
  while (!passed.empty()) {
    const auto [child, ticket] = passed.back();
    if (!waits && !ticket.test()) return;
    passed.pop_back();
    try {
      member(child).enqueue_recv(ticket);
    } catch (const ::sidl::BaseException& failure) {
      par::check(gone(child, failure));
    }
  }
}

// Each rank tells those at distances of powers of two, once, and waits for none: one that is gone,
// or has stopped, does not keep it from others.
void GroupState::give_up(const CallKey& key, const Reason& reason) {
  const Reason why{shortened(reason.text, kLongestReason), reason.is_disagreement};
  {
    const auto lock = monitor_.lock();
    if (agenda_.give_up(key, why)) monitor_.wake();
    if (!told_.emplace(key, why.text.empty() ? "it was given up" : why.text).second) return;
    // The oldest, of which nobody tells this rank any more: else ranks told each other without end.
    told_in_order_.push_back(key);
    if (told_in_order_.size() > kMostTold) {
      told_.erase(told_in_order_.front());
      told_in_order_.pop_front();
    }
  }
  const WithDeadline deadline(kAskingMs);
  for (int distance = 1; distance < size_; distance *= 2) {
    try {
      member((rank_ + distance) % size_)
          .giveUp(key.client, key.number, why.text, why.is_disagreement);
    } catch (const ::sidl::BaseException&) {
      // A rank that cannot be told is gone, and what waits for it ends with that.
    }
  }
}

std::string GroupState::why_given_up(const CallKey& key) {
  const auto lock = monitor_.lock();
  const auto found = told_.find(key);
  return found == told_.end() ? std::string() : found->second;
}

std::string GroupState::why_given_up_elsewhere(const CallKey& key, Clock::time_point until) {
  const WithDeadline deadline(asking_ms(until));
  for (const int rank : {(rank_ + size_ - 1) % size_, (rank_ + 1) % size_}) {
    if (rank == rank_) continue;
    try {
      std::string why = member(rank).whyGivenUp(key.client, key.number);
      if (!why.empty()) return why;
    } catch (const ::sidl::BaseException&) {
      // Another rank may know.
    }
  }
  return {};
}

void GroupState::look_after_first(const CallKey& waiting, Behind& behind, Clock::time_point until) {
  std::optional<CallKey> first;
  std::shared_ptr<Clientele> clientele;
  {
    const auto lock = monitor_.lock();
    first = agenda_.first();
    if (first) clientele = clientele_of(*first);
  }
  if (first != behind.first) behind = {first, Clock::now()};
  if (!first) return;
  std::string why = why_given_up_elsewhere(*first, until);
  if (why.empty() && clientele != nullptr) why = clientele->why_gone(*first);
  if (why.empty() && clientele != nullptr && first->client != waiting.client) {
    why = why_too_long(behind, *clientele);
  }
  if (!why.empty()) give_up(*first, {why});
}

// Those who are missing may be alive: a rank of the client hangs, or it does what none of ours
// does.
std::string GroupState::why_too_long(const Behind& behind, Clientele& clientele) {
  const milliseconds most(sidl_setting_value(sidl_setting_PAR_HOLD_MS));
  if (most.count() == 0 || Clock::now() - behind.since < most) return {};
  const auto lock = monitor_.lock();
  return clientele.missing_part(*behind.first) + ", has kept another client waiting for " +
         std::to_string(most.count()) + " ms, as long as it may (SIDL_PAR_HOLD_MS)";
}

void GroupState::set_clientele(const std::string& client, std::weak_ptr<Clientele> clientele) {
  if (clientele.expired()) {
    clientele_.erase(client);
  } else {
    clientele_.insert_or_assign(client, std::move(clientele));
  }
}

// With the lock.
std::shared_ptr<Clientele> GroupState::clientele_of(const CallKey& key) const {
  const auto found = clientele_.find(key.client);
  return found == clientele_.end() ? nullptr : found->second.lock();
}

std::string GroupState::ahead_of(const CallKey& key) {
  if (agenda_.is_running()) return ": another call runs";
  const std::optional<CallKey> first = agenda_.first();
  if (!first || *first == key) return {};
  const std::shared_ptr<Clientele> clientele = clientele_of(*first);
  return clientele == nullptr ? std::string() : ", after " + clientele->missing_part(*first);
}

}  // namespace shinar::par
