#include "errands.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "crew.hpp"
#include "interruption.hpp"
#include "peer_log.hpp"

namespace shinar::wire {
namespace {

using std::chrono::milliseconds;

/** What takes less is not held against anybody. */
constexpr milliseconds quick_errand(50);
/** For how many times as long as it has taken an errand in vain is remembered, and at most how
 * long. */
constexpr int times_remembered = 4;
constexpr std::chrono::seconds longest_memory(60);

/** "127.0.0.1" of "127.0.0.1:4711". */
std::string host_of_client(const std::string& peer) {
  const std::size_t colon = peer.rfind(':');
  const bool has_port = colon != std::string::npos && colon + 1 < peer.size() &&
                        peer.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  return has_port ? peer.substr(0, colon) : peer;
}

std::string text_of_time(Errands::Clock::duration time) {
  return std::to_string(std::chrono::ceil<milliseconds>(time).count()) + " ms";
}

}  // namespace

Errands& Errands::of_process() {
  static Errands* const instance = new Errands;
  return *instance;
}

/** The threads that run the parent's errands are not here. Under the lock. */
void Errands::begin_in_child() {
  if (generation_.is_current()) return;
  generation_.renew();
  under_way_ = 0;
  new (&ended_) CheckedCondition;  // its destructor would wait for the parent's waiting threads
}

void Errands::note_in_vain(const std::string& place, const std::string& host,
                           const std::string& why, Clock::time_point begin, Clock::time_point now) {
  if (now - begin < quick_errand) return;
  const auto time = std::min<Clock::duration>(times_remembered * (now - begin), longest_memory);
  const std::lock_guard lock(mutex_);
  std::erase_if(in_vain_, [&](const InVain& each) { return each.until <= now; });
  if (in_vain_.size() >= most_remembered) in_vain_.pop_front();
  in_vain_.push_back({place, host, why, now + time});
}

void Errands::check(const std::string& place, const std::string& host, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  for (const InVain& each : in_vain_) {
    if (each.until <= now || (each.place != place && each.host != host)) continue;
    const std::string when = text_of_time(each.until - now);
    if (each.place == place) {
      throw Error(Failure::no_server, each.why + " (it is not tried again for " + when + ")");
    }
    throw Error(Failure::no_server,
                "clients at " + host + " have sent this process to " + each.place +
                    " in vain, so that it connects to no new places for them for " + when);
  }
}

void Errands::begin(unsigned most, Deadline until) {
  Interruption interruption;
  std::unique_lock lock(mutex_);
  begin_in_child();
  while (under_way_ >= most) {
    const auto now = Clock::now();
    if (until && now >= *until) {
      throw Error(Failure::connect, "this process connects to " + std::to_string(most) +
                                        " other new places for its clients already");
    }
    const WaitForPeer waits;
    const auto look = now + Interruption::look;
    ended_.wait_until(lock, until ? std::min(look, *until) : look);
    lock.unlock();
    if (interruption.is_due() && interruption.has_come()) throw Interrupted(Fate::not_sent);
    RunningCall::check_wanted();
    lock.lock();
  }
  ++under_way_;
}

void Errands::end() {
  const std::lock_guard lock(mutex_);
  begin_in_child();
  if (under_way_ != 0) --under_way_;
  ended_.notify_one();
}

Errand::Errand(const Endpoint& to, Deadline until)
    : place_(to.text()),
      client_(RunningCall::innermost()->link().other_end()),
      host_(host_of_client(client_)),
      link_(RunningCall::innermost()->link()) {
  constexpr unsigned without_crew = 4;
  const Crew* const crew = CallsOfThread::here().crew;
  Errands& errands = Errands::of_process();
  if (link_.is_ruled()) link_.check_errand(make_url(plain(to), {}));
  errands.check(place_, host_, Errands::Clock::now());
  errands.begin(crew == nullptr ? without_crew : crew->most_errands(), until);
  begin_ = Errands::Clock::now();
  try {
    errands.check(place_, host_, begin_);  // it may have waited
  } catch (...) {
    errands.end();
    throw;
  }
}

Errand::~Errand() {
  Errands& errands = Errands::of_process();
  errands.end();
  if (has_arrived_) return;
  try {
    errands.note_in_vain(place_, host_, why_, begin_, Errands::Clock::now());
    if (PeerLog* const log = link_.log()) {
      log->add(PeerLog::Kind::connecting, "cannot connect to " + place_ + ", where " + client_ +
                                              " has sent this server: " + why_);
    }
  } catch (const std::bad_alloc&) {
    // It is not remembered.
  }
}

}  // namespace shinar::wire
