#include "ledger.hpp"

#include <algorithm>
#include <utility>

#include "decoder.hpp"
#include "limits.hpp"
#include "link.hpp"
#include "running_call.hpp"

namespace shinar::wire {
namespace {

/** What a session without references takes: itself, its way back, the first of its streams. */
constexpr std::uint64_t session_bytes = 2048;

/** What a count takes beside its name, which is there twice: for the session, and for all. */
constexpr std::uint64_t count_bytes = 160;

std::uint64_t bytes_of(const std::string& object) {
  return count_bytes + 2 * object.size();
}

/** An identity that is one's own is a tenant itself; of others each session is. NULL: no server's.
 */
std::shared_ptr<Tenant> tenant_of_session(const std::shared_ptr<Party>& party) {
  if (party == nullptr || party->identity.is_individual()) return party;
  return std::make_shared<Tenant>(party);
}

/** To be given back; it is a call of the session's client that has the object handed out. */
void take_object(const Session& session) {
  if (session.party == nullptr) return;
  try {
    session.party->take_object();
  } catch (const BeyondQuota& error) {
    const RunningCall* const running = RunningCall::innermost();
    if (running != nullptr) running->link().note_refused("hold", "", error.rule());
    throw;
  }
}

}  // namespace

Session::Session(std::shared_ptr<Streams> connections, std::uint32_t most_references,
                 std::shared_ptr<Budget> of_all, std::shared_ptr<Party> of_whom)
    : streams(std::move(connections)),
      party(std::move(of_whom)),
      tenant(tenant_of_session(party)),
      account(std::make_shared<Account>(std::move(of_all), tenant)),
      releases(most_references, *account) {
  account->charge(session_bytes);
}

std::string Ledger::why_full() const {
  if (kept_->used() + session_bytes <= kept_->limit()) return {};
  return Account::too_much(*kept_, session_bytes).what();
}

std::shared_ptr<Session> Ledger::open(const Id128& id, std::chrono::milliseconds lease,
                                      std::shared_ptr<Streams> streams,
                                      const std::shared_ptr<Party>& party) {
  const std::lock_guard lock(mutex_);
  const auto known = sessions_.find(id);
  std::shared_ptr<Session> session = known == sessions_.end() ? nullptr : known->second;
  if (session == nullptr) {
    if (streams == nullptr) streams = std::make_shared<Streams>();
    session = std::make_shared<Session>(std::move(streams), most_references_, kept_, party);
    session->id = id;
    sessions_[id] = session;
  }
  session->lease = lease;
  session->said_goodbye = false;
  ++session->connections;
  return session;
}

Ledger::Forgotten Ledger::close(const std::shared_ptr<Session>& session) {
  Forgotten forgotten;
  Counts counts;
  {
    const std::lock_guard lock(mutex_);
    if (--session->connections > 0) return forgotten;
    session->lost = Clock::now();
    if (!is_worth_keeping(*session)) session->said_goodbye = true;
    // Else a client that reconnects may have something to settle.
    if (session->said_goodbye) counts = take_all(*session, forgotten);
  }
  unbook_all(counts, forgotten);
  return forgotten;
}

void Ledger::say_goodbye(Session& session) {
  const std::lock_guard lock(mutex_);
  session.said_goodbye = true;
}

Ledger::Forgotten Ledger::give_up(Session& session) {
  Forgotten forgotten;
  Counts counts;
  {
    const std::lock_guard lock(mutex_);
    session.given_up = true;
    counts = take_all(session, forgotten);
    forget_session(session);
  }
  unbook_all(counts, forgotten);
  return forgotten;
}

/**
 * False for one without references while much is kept for its identity, or for all: clients that
 * come and go make any number of these, and one that comes back finds nothing missing.
 */
bool Ledger::is_worth_keeping(const Session& session) const {
  constexpr std::uint64_t most_of_one = std::uint64_t{16} << 20;
  if (!session.counts.empty()) return true;
  const bool is_little =
      session.party == nullptr || session.party->used(Resource::kept) < most_of_one;
  return is_little && kept_->used() < kept_->limit() / 2;
}

/** Unless another session with its id has replaced it. */
void Ledger::forget_session(const Session& session) {
  const auto at = sessions_.find(session.id);
  if (at != sessions_.end() && at->second.get() == &session) sessions_.erase(at);
}

void Ledger::give_back_objects(const Session& session, std::size_t objects) {
  if (session.party != nullptr) session.party->give_back(Resource::objects, objects);
}

void Ledger::book(Session& session, const std::string& object, std::uint64_t count) {
  const std::lock_guard lock(mutex_);
  if (session.given_up) {
    throw lent_in_vain();
  }
  if (session.counts.size() >= most_references_ && !session.counts.contains(object)) {
    throw Limits::exceeded("objects that one session holds", most_references_,
                           session.counts.size() + 1, "SIDL_RMI_MAX_REFERENCES");
  }
  const auto known = session.counts.find(object);
  if (known == session.counts.end()) {
    take_object(session);
    try {
      session.account->charge(bytes_of(object));
    } catch (...) {
      give_back_objects(session, 1);
      throw;
    }
    session.paid_for_counts += bytes_of(object);
    session.counts.emplace(object, count);
  } else {
    known->second += count;
  }
  totals_[object] += count;
}

Ledger::Forgotten Ledger::release(Session& session, const std::string& object,
                                  std::uint64_t count) {
  Forgotten forgotten;
  const std::lock_guard lock(mutex_);
  release_locked(session, object, count, forgotten);
  return forgotten;
}

Ledger::Forgotten Ledger::release(Session& session, const std::vector<std::string>& objects) {
  Forgotten forgotten;
  const std::lock_guard lock(mutex_);
  for (const std::string& object : objects) release_locked(session, object, 1, forgotten);
  return forgotten;
}

void Ledger::release_locked(Session& session, const std::string& object, std::uint64_t count,
                            Forgotten& forgotten) {
  const auto found = session.counts.find(object);
  if (found == session.counts.end()) return;
  count = std::min(count, found->second);
  found->second -= count;
  if (found->second == 0) {
    give_back_objects(session, 1);
    session.account->give_back(bytes_of(object));
    session.paid_for_counts -= bytes_of(object);
    session.counts.erase(found);
  }
  unbook(object, count, forgotten);
}

void Ledger::release_locked(Session& session, const WaitingReleases::Due& due,
                            Forgotten& forgotten) {
  for (const auto& [object, count] : due) release_locked(session, object, count, forgotten);
}

Ledger::Forgotten Ledger::release(Session& session, Message& message) {
  Decoder decoder(message);
  References what{std::string(decoder.get_name()), decoder.get<std::uint32_t>()};
  std::vector<Streams::Position> follows;
  while (!decoder.at_end()) {
    const auto number = decoder.get<std::uint64_t>();
    follows.emplace_back(number, decoder.get<std::uint64_t>());
  }
  Streams::Places after;
  if (!follows.empty()) after = session.streams->not_passed(std::move(follows));
  if (after.empty()) return release(session, what.object, what.count);
  Forgotten forgotten;
  const std::lock_guard lock(mutex_);
  release_locked(session, session.releases.add(std::move(what), std::move(after)), forgotten);
  return forgotten;
}

Ledger::Forgotten Ledger::go_on(Session& session, const Stream& stream) {
  Forgotten forgotten;
  const std::lock_guard lock(mutex_);
  release_locked(session, session.releases.go_on(stream), forgotten);
  return forgotten;
}

Ledger::Forgotten Ledger::discard_waiting() {
  Forgotten forgotten;
  const std::lock_guard lock(mutex_);
  for (const auto& [id, session] : sessions_) {
    if (auto waiting = session->releases.clear()) forgotten.add(std::move(waiting));
  }
  return forgotten;
}

/** `forgotten` is declared before the lock by every caller: it is destroyed after the unlock. */
void Ledger::unbook(const std::string& object, std::uint64_t count, Forgotten& forgotten) {
  const auto found = totals_.find(object);
  if (found == totals_.end()) return;
  found->second -= std::min(count, found->second);
  if (found->second != 0) return;
  totals_.erase(found);
  std::shared_ptr<void> last = host_.forget(object);
  // Not "if it points at something": what it owns is ended by its deleter, which may run code.
  if (last.use_count() != 0) forgotten.add(std::move(last));
}

/** Nothing is booked to the session any more; the totals follow, see unbook_all. Under the lock. */
Ledger::Counts Ledger::take_all(Session& session, Forgotten& forgotten) {
  if (auto waiting = session.releases.clear()) forgotten.add(std::move(waiting));
  give_back_objects(session, session.counts.size());
  session.account->give_back(std::exchange(session.paid_for_counts, 0));
  return std::exchange(session.counts, {});
}

/** Without the lock, which others get in between: a session may have held a million objects. */
void Ledger::unbook_all(const Counts& counts, Forgotten& forgotten) {
  constexpr int at_once = 256;
  for (auto each = counts.begin(); each != counts.end();) {
    const std::lock_guard lock(mutex_);
    for (int i = 0; i < at_once && each != counts.end(); ++i, ++each) {
      unbook(each->first, each->second, forgotten);
    }
  }
}

Ledger::Forgotten Ledger::expire(Clock::time_point now, PeerLog& log) {
  Forgotten forgotten;
  std::vector<std::string> lines;
  std::vector<Counts> dropped;
  {
    const std::lock_guard lock(mutex_);
    for (auto each = sessions_.begin(); each != sessions_.end();) {
      Session& session = *each->second;
      const bool is_over = session.said_goodbye || now - session.lost >= session.lease;
      if (session.connections != 0 || !is_over) {
        ++each;
        continue;
      }
      dropped.push_back(take_all(session, forgotten));
      const std::size_t objects = dropped.back().size();
      if (objects != 0 && !session.said_goodbye) {
        lines.push_back("session " + session.short_name() + " lost: its lease of " +
                        std::to_string(session.lease.count()) + " ms has expired, references to " +
                        std::to_string(objects) + " objects dropped");
      }
      // Its calls may still be running, and book what they hand out: that is dropped next time.
      if (each->second.use_count() == 1) {
        each = sessions_.erase(each);
      } else {
        ++each;
      }
    }
  }
  for (const Counts& each : dropped) unbook_all(each, forgotten);
  for (const std::string& line : lines) log.add(PeerLog::Kind::lease, line, now);
  return forgotten;
}

Ledger::Forgotten Ledger::drop_all() {
  Forgotten forgotten;
  std::vector<Counts> dropped;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, session] : sessions_) dropped.push_back(take_all(*session, forgotten));
  }
  for (const Counts& each : dropped) unbook_all(each, forgotten);
  return forgotten;
}

std::size_t Ledger::session_count() {
  const std::lock_guard lock(mutex_);
  return sessions_.size();
}

std::uint64_t Ledger::reference_count() {
  const std::lock_guard lock(mutex_);
  std::uint64_t total = 0;
  for (const auto& [object, count] : totals_) total += count;
  return total;
}

}  // namespace shinar::wire
