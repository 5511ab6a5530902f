#include "impl/callers.hpp"

#include <exception>
#include <system_error>
#include <thread>
#include <utility>

#include "impl/deadlines.hpp"
#include "impl/misfits.hpp"
#include "impl/urls.hpp"
#include "sidl_rmi_UnexpectedCloseException.hxx"

namespace shinar::par {
namespace {

// What others read of a place, which a peer tells.
constexpr std::size_t kLongestPlace = 300;
// Of what has been found out. Those who wait look more often.
constexpr std::chrono::seconds kMostAge{5};

}  // namespace

void Callers::introduce(const ClientRank& caller, ::sidl::par::Pulse pulse, std::string place) {
  place = printable(place, kLongestPlace);
  std::shared_ptr<Inquiry> inquiry;
  if (pulse._not_nil()) inquiry = std::make_shared<Inquiry>(std::move(pulse));
  const std::lock_guard lock(mutex_);
  std::swap(known_[caller.client][caller.rank].inquiry, inquiry);  // the old one ends unlocked
  known_[caller.client][caller.rank].place = std::move(place);
}

void Callers::forget(const ClientRank& caller) {
  Known gone;  // ends without the lock
  const std::lock_guard lock(mutex_);
  const auto client = known_.find(caller.client);
  if (client == known_.end()) return;
  const auto rank = client->second.find(caller.rank);
  if (rank == client->second.end()) return;
  gone = std::move(rank->second);
  client->second.erase(rank);
  if (client->second.empty()) known_.erase(client);
}

std::string Callers::place_of(const ClientRank& caller) const {
  const std::lock_guard lock(mutex_);
  const auto client = known_.find(caller.client);
  if (client == known_.end()) return {};
  const auto rank = client->second.find(caller.rank);
  if (rank == client->second.end() || rank->second.place.empty()) return {};
  return " (" + rank->second.place + ")";
}

std::string Callers::name_of(const ClientRank& caller) const {
  return "rank " + std::to_string(caller.rank) + " of the callers" + place_of(caller);
}

// A thread that waits for an answer pings the rank meanwhile, and closes the connection of one that
// stays silent.
void Callers::Inquiry::ask() {
  std::string found;
  try {
    const WithDeadline none(0);
    pulse.check();
  } catch (const ::sidl::rmi::UnexpectedCloseException& failure) {
    // The user has not called it.
    found = is_silent(failure) ? "it does not answer" : "its connection is closed";
  } catch (const std::exception&) {
    // Who answers anything is alive.
  }
  const std::lock_guard lock(mutex);
  is_asked = false;
  why = std::move(found);
  found_at = Clock::now();
}

// That a rank was gone during another call, or some time ago, says nothing of this one.
std::string Callers::why_gone(const ClientRank& caller, const CallKey& key) {
  std::shared_ptr<Inquiry> inquiry;
  {
    const std::lock_guard lock(mutex_);
    const auto client = known_.find(caller.client);
    if (client == known_.end()) return {};
    const auto rank = client->second.find(caller.rank);
    if (rank != client->second.end()) inquiry = rank->second.inquiry;
  }
  if (inquiry == nullptr) return {};
  {
    const std::lock_guard lock(inquiry->mutex);
    if (inquiry->is_asked) return {};
    const std::string why = std::exchange(inquiry->why, {});
    const bool is_new = Clock::now() - inquiry->found_at < kMostAge;
    if (!why.empty() && inquiry->key == key && is_new) return name_of(caller) + " is gone: " + why;
    inquiry->key = key;
    inquiry->is_asked = true;
  }
  try {
    std::thread([inquiry] { inquiry->ask(); }).detach();
  } catch (const std::system_error&) {  // no more threads: it is asked the next time
    const std::lock_guard lock(inquiry->mutex);
    inquiry->is_asked = false;
  }
  return {};
}

}  // namespace shinar::par
