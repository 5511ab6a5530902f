#include "core/server/admission.hpp"

#include <memory>

#include "core/server/server_connection.hpp"
#include "core/server/server_context.hpp"

namespace shinar::wire {

Admission::Admission(ServerConnection& connection, ServerContext& server)
    : connection_(connection), server_(server) {}

bool Admission::must_wait() {
  if (!may_go_on()) return true;
  go_on();
  return false;
}

/** Who has a turn, which is a place, lacks only what time brings. */
bool Admission::lacks_quota() const {
  Party& party = *connection_.party;
  if (!party.is_limited()) return false;
  if (quota_ == Quota::turn) return !party.keeps_pace();
  return party.is_waited_for() || !party.may_begin();
}

bool Admission::may_go_on() const {
  return !server_.pool.is_short_of_threads(*connection_.tenant()) && !lacks_quota();
}

Admission::Line Admission::stop() {
  const bool is_for_quota = lacks_quota();
  const bool had_turn = leave_turn();
  if (had_turn) connection_.party->end_call();
  if (!is_for_quota) {
    if (waits_for_share_.exchange(true)) return Line::same;
    server_.held.fetch_add(1);
    return Line::of_tenant;
  }
  Quota none = Quota::none;
  if (!quota_.compare_exchange_strong(none, Quota::waits)) return Line::same;
  server_.held.fetch_add(1);
  return had_turn ? Line::before_party : Line::of_party;
}

void Admission::enter(Line line) {
  const auto connection =
      std::static_pointer_cast<ServerConnection>(connection_.shared_from_this());
  switch (line) {
    case Line::same:
      break;
    case Line::of_tenant:
      connection_.tenant()->hold(connection);
      break;
    case Line::of_party:
    case Line::before_party:
      connection_.party->hold_for_quota(connection, line == Line::before_party);
      connection_.party->let_one_follow();
      break;
  }
}

bool Admission::let_on(bool has_place) {
  if (!has_place) {
    go_on();
    return true;
  }
  return leave_quota_for(Quota::turn);
}

/** False if it does not wait for the quota. */
bool Admission::leave_quota_for(Quota what) {
  Quota waits = Quota::waits;
  if (quota_ != waits || !quota_.compare_exchange_strong(waits, what)) return false;
  server_.held.fetch_sub(1);
  return true;
}

void Admission::go_on() {
  leave_quota_for(Quota::none);
  leave_share();
}

QuotaPlace Admission::take_place() {
  const bool has_place = leave_turn() || connection_.party->try_begin_call();
  return has_place ? QuotaPlace(connection_.party) : QuotaPlace();
}

void Admission::leave_share() {
  if (waits_for_share_ && waits_for_share_.exchange(false)) server_.held.fetch_sub(1);
}

void Admission::leave(Quota now) {
  leave_share();
  switch (quota_.exchange(now)) {
    case Quota::waits:
      server_.held.fetch_sub(1);
      break;
    case Quota::turn:
      connection_.party->turn_is_over();
      connection_.party->end_call();
      break;
    case Quota::none:
    case Quota::ended:
      break;
  }
}

/** False if it has none. */
bool Admission::leave_turn() {
  Quota turn = Quota::turn;
  if (!quota_.compare_exchange_strong(turn, Quota::none)) return false;
  connection_.party->turn_is_over();
  return true;
}

void Admission::pass_turn_on() {
  if (leave_turn()) connection_.party->end_call();
}

}  // namespace shinar::wire
