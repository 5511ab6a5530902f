#include "impl/group_state.hpp"

#include <sys/random.h>

#include <algorithm>

#include "calls/partners.hpp"
#include "core/digest.hpp"
#include "core/distribution.hpp"
#include "impl/deadlines.hpp"
#include "impl/items.hpp"
#include "impl/own_server.hpp"
#include "impl/urls.hpp"
#include "impl/values.hpp"
#include "sidl_BaseException.hxx"
#include "sidl_par_CallValues_Impl.hxx"
#include "sidl_par_DistributionException.hxx"
#include "sidl_par_Member_Impl.hxx"
#include "sidl_protocol.hxx"
#include "sidl_rmi_InstanceRegistry.hxx"
#include "sidl_rmi_NotAllowedException.hxx"
#include "sidl_rmi_TimeOutException.hxx"
#include "sidl_rmi_UnexpectedCloseException.hxx"
#include "sidl_settings.h"

namespace shinar::par {
namespace {

using ::sidl::par::Member;
using std::chrono::milliseconds;

// How far it is followed who waits for whom.
constexpr int kMostHops = 64;

std::string random_token() {
  std::uint64_t bits[2];
  if (getrandom(bits, sizeof bits, 0) != sizeof bits) throw std::runtime_error("no random numbers");
  char text[40];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(bits[0]),
                static_cast<unsigned long long>(bits[1]));
  return text;
}

// Under which a process offers the group that it forms, or has formed last; and whose that is.
const char* const kLastFormed = "sidl.par.member";
std::mutex last_formed_mutex;
const GroupState* last_formed = nullptr;

// Groups of the same processes are told apart by how many they have formed.
std::string member_name_of(const std::vector<std::string>& urls) {
  static std::mutex mutex;
  static std::map<std::vector<std::string>, int> formed;
  const std::lock_guard lock(mutex);
  Digest digest;
  for (const std::string& url : urls) digest.add(url.c_str(), url.size() + 1);
  char text[60];
  std::snprintf(text, sizeof text, "sidl.par.member.%016llx.%d",
                static_cast<unsigned long long>(digest.value()), ++formed[urls]);
  return text;
}

}  // namespace

const Letter& better_of(const Letter& a, const Letter& b) {
  if (a.failed != b.failed) return a.failed ? a : b;
  return b.priority < a.priority ? b : a;
}

void check(const Letter& letter) {
  if (!letter.failed) return;
  const auto thrown = ::sidl::babel_cast<::sidl::BaseException>(letter.content);
  if (thrown._not_nil()) throw thrown;
  ::sidl::protocol::fail<::sidl::rmi::ProtocolException>(
      "a rank of the group has failed, and told no exception");
}

Reason reason_of(const ::sidl::BaseException& thrown) {
  return {thrown.getNote(), is_one_of<::sidl::par::DistributionException>(thrown)};
}

Reason reason_of(const ::sidl::BaseInterface& thrown) {
  const auto exception = ::sidl::babel_cast<::sidl::BaseException>(thrown);
  return exception._is_nil() ? Reason() : reason_of(exception);
}

Reason reason_of(const Letter& letter) {
  return reason_of(::sidl::BaseInterface(letter.content));
}

void compare(const std::string& text, int rank,
             const std::function<std::string(const std::string& first)>& difference,
             const std::function<Letter(Letter)>& exchange) {
  ::sidl::par::CallValues value = ::sidl::par::CallValues::_create();
  items_of(value).push_back(text_item(text));
  const Letter first = exchange({false, rank, ::sidl::babel_cast<::sidl::io::Serializable>(value)});
  check(first);
  const std::string its = text_in(first.content);
  check(exchange(its == text ? Letter()
                             : failure<::sidl::par::DistributionException>(rank, difference(its))));
}

void compare(std::uint64_t digest, int rank, const std::string& difference,
             const std::function<Letter(Letter)>& exchange) {
  compare(
      std::to_string(digest), rank, [&](const std::string&) { return difference; }, exchange);
}

GroupState::GroupState(std::vector<std::string> urls, int rank, int size)
    : urls_(std::move(urls)), rank_(rank), size_(size) {}

std::shared_ptr<GroupState> GroupState::made(std::vector<std::string> urls, int rank, int size) {
  std::shared_ptr<GroupState> result(new GroupState(std::move(urls), rank, size));
  if (!result->urls_.empty()) {
    result->member_name_ = member_name_of(result->urls_);
    Member self = Member::_create();
    ::sidl::protocol::impl_of<::sidl::par::Member_impl>(self).join(result);
    ::sidl::rmi::InstanceRegistry::registerInstance(self, result->member_name_);
    result->announce(self);
  }
  return result;
}

void GroupState::announce(const Member& self) {
  const std::lock_guard lock(last_formed_mutex);
  if (last_formed != nullptr) ::sidl::rmi::InstanceRegistry::removeInstance(kLastFormed);
  last_formed = this;
  ::sidl::rmi::InstanceRegistry::registerInstance(self, kLastFormed);
}

void GroupState::withdraw_announcement() {
  const std::lock_guard lock(last_formed_mutex);
  if (last_formed != this) return;
  last_formed = nullptr;
  ::sidl::rmi::InstanceRegistry::removeInstance(kLastFormed);
}

// A rank that offers no member of this group may be there, and form one of other URLs; or it still
// forms the one before.
void GroupState::ask_for_list(int rank) {
  std::string difference;
  try {
    const WithDeadline deadline(kAskingMs);
    const std::vector<std::string> its =
        to_vector(Member::_connect(object_url(urls_[rank], kLastFormed)).getURLs(), "urls");
    const auto [mine, theirs] = std::ranges::mismatch(urls_, its);
    const std::string nth = "; its rank " + std::to_string(mine - urls_.begin()) + " is ";
    if (its.size() != urls_.size()) {
      difference =
          "of " + std::to_string(its.size()) + " ranks, not " + std::to_string(urls_.size());
    } else if (mine != urls_.end()) {
      difference = "with other URLs" + nth + *theirs + ", and here " + *mine;
    }
  } catch (const ::sidl::BaseException&) {
    // It is not there, or forms none.
  }
  const std::lock_guard lock(members_mutex_);
  if (difference.empty()) {
    other_lists_.erase(rank);
  } else {
    other_lists_[rank] = difference;
  }
}

std::shared_ptr<GroupState> GroupState::alone() {
  std::shared_ptr<GroupState> result = made({}, 0, 1);
  result->token_ = random_token();
  result->is_forming_ = false;
  return result;
}

std::shared_ptr<GroupState> GroupState::of_urls(std::vector<std::string> urls, int rank) {
  const int size = static_cast<int>(urls.size());
  if (size == 0) throw Misfit("a group has at least one rank: 'urls' is empty");
  if (rank < 0 || rank >= size) {
    throw Misfit("rank " + std::to_string(rank) + " is none of a group with " +
                 std::to_string(size) + " URLs");
  }
  for (int each = 0; each < size; ++each) {
    const auto first = std::find(urls.begin(), urls.end(), urls[each]);
    if (first != urls.begin() + each) {
      throw Misfit("ranks " + std::to_string(first - urls.begin()) + " and " +
                   std::to_string(each) + " have the same URL: " + urls[each]);
    }
  }
  serve_at(urls[rank]);
  std::shared_ptr<GroupState> result = made(std::move(urls), rank, size);
  // All get the token of rank 0.
  result->token_ = result->text_of_first(random_token());
  if (size > 1) result->share_flags();
  result->is_forming_ = false;
  return result;
}

GroupState::~GroupState() {
  if (member_name_.empty()) return;
  try {
    withdraw_announcement();
    ::sidl::rmi::InstanceRegistry::removeInstance(member_name_);
  } catch (const ::sidl::BaseException&) {
    // The name stays, and answers that the group is gone.
  }
}

std::string GroupState::new_name() {
  return (member_name_.empty() ? "sidl.par." + token_ : member_name_) + "." +
         std::to_string(++offered_);
}

void GroupState::add_name(const std::string& name) {
  const std::lock_guard lock(names_mutex_);
  names_.push_back(name);
}

std::vector<std::string> GroupState::take_names() {
  const std::lock_guard lock(names_mutex_);
  return std::exchange(names_, {});
}

Clock::time_point GroupState::forming_deadline() {
  return std::min(deadline_of_thread(), Clock::now() + kForming);
}

std::string GroupState::name_of(int rank) const {
  return "rank " + std::to_string(rank) + " of the group (" + urls_[rank] + ")";
}

// What a message of ours has met with; the user has not heard of it.
Letter GroupState::gone(int rank, const ::sidl::BaseException& failed) {
  const std::int64_t priority = Letter::kOfRanks + rank;
  // The deadline may have been that of a question, of which the user knows nothing.
  if (is_one_of<::sidl::rmi::TimeOutException>(failed)) {
    const std::string why = name_of(rank) + " does not answer";
    if (!has_passed_deadline()) {
      return failure<::sidl::rmi::UnexpectedCloseException>(priority, why);
    }
    return failure<::sidl::rmi::TimeOutException>(priority, why + ": " + failed.getNote());
  }
  if (is_one_of<::sidl::rmi::NotAllowedException>(failed)) {
    return failure<::sidl::rmi::NotAllowedException>(
        priority, name_of(rank) + " does not admit this one: " + failed.getNote());
  }
  const std::string why = is_silent(failed) ? "it does not answer"
                          : is_one_of<::sidl::rmi::UnexpectedCloseException>(failed)
                              ? "its process has closed the connection"
                          : may_still_come(failed) ? "it serves no longer"
                                                   : failed.getNote();
  {
    const std::lock_guard lock(members_mutex_);
    gone_.insert(rank);
  }
  return failure<::sidl::rmi::UnexpectedCloseException>(priority,
                                                        name_of(rank) + " is gone: " + why);
}

Letter GroupState::late(const Address& address) {
  Phase phase = Phase::Elsewhere;
  const int rank = find_late(address, phase);
  {
    const std::lock_guard lock(members_mutex_);
    const auto other = other_lists_.find(rank);
    if (other != other_lists_.end()) {
      return failure<::sidl::par::DistributionException>(
          Letter::kOfRanks + rank, name_of(rank) + " forms a group " + other->second +
                                       ": all ranks give the same URLs, in one order");
    }
  }
  const char* const what = is_forming_              ? " has not come"
                           : phase == Phase::InCall ? " has not heard how the call ended"
                                                    : " does not take part";
  return failure<::sidl::rmi::TimeOutException>(
      Letter::kOfRanks + rank,
      name_of(rank) + what + " within the time that " + name_of(rank_) + " has");
}

// The sender of a message that does not come may itself wait for another rank, and so on.
int GroupState::find_late(const Address& address, Phase& phase) {
  const auto& [context, number, step, sender] = address;
  const Clock::time_point until = Clock::now() + kTelling / 2;
  int late = sender;
  for (int hop = 0; hop < kMostHops; ++hop) {
    int next = late;
    try {
      const WithDeadline deadline(asking_ms(until));
      std::int32_t its = 0;
      next = member(late).getAwaited(context, number, its);
      phase = static_cast<Phase>(its);
    } catch (const ::sidl::BaseException&) {
      return late;
    }
    if (next == late || next == rank_ || next < 0 || next >= size_) return late;
    late = next;
  }
  return late;
}

Member GroupState::member(int rank) {
  {
    const std::lock_guard lock(members_mutex_);
    const auto found = members_.find(rank);
    if (found != members_.end()) return found->second;
  }
  const Member made = Member::_connect(object_url(urls_[rank], member_name_));
  const std::lock_guard lock(members_mutex_);
  return members_.emplace(rank, made).first->second;
}

// ---- who is gone
// --------------------------------------------------------------------------------

// One that does not answer in time may be slow, or have stopped: it is gone when it has not
// answered for as long as keepalives would take to end its connection, which nobody waits at.
std::string GroupState::is_gone(int rank, Clock::time_point until) {
  try {
    const std::optional<Clock::time_point> since = is_asked(rank);
    if (since && Clock::now() - *since < silence_allowed()) return {};
    if (since) return does_not_answer(rank);
    {
      const WithDeadline deadline(asking_ms(until));
      member(rank).check();
    }
    const std::lock_guard lock(members_mutex_);
    unreachable_.erase(rank);
    return {};
  } catch (const ::sidl::rmi::TimeOutException& slow) {
    if (slow.getFate() == ::sidl::rmi::RequestFate_notSent) return is_unreachable(rank);
    ask_patiently(rank);
    return {};
  } catch (const ::sidl::BaseException& failure) {
    return reason_of(gone(rank, failure)).text;
  }
}

// Since when an answer is awaited, if one is; throws if there will be none.
std::optional<Clock::time_point> GroupState::is_asked(int rank) {
  Asked asked;
  {
    const std::lock_guard lock(members_mutex_);
    const auto found = asked_.find(rank);
    if (found == asked_.end()) return {};
    asked = found->second;
    asked_.erase(found);
  }
  if (asked.ticket.test()) {
    member(rank).check_recv(asked.ticket);
    return {};
  }
  const std::lock_guard lock(members_mutex_);
  asked_.emplace(rank, asked);
  return asked.since;
}

void GroupState::ask_patiently(int rank) {
  const WithDeadline none(0);
  const WithoutInheritedDeadline neither;
  try {
    const Asked asked{member(rank).check_send(), Clock::now()};
    const std::lock_guard lock(members_mutex_);
    unreachable_.erase(rank);
    asked_.emplace(rank, asked);
  } catch (const ::sidl::BaseException&) {
    // The next time tells more.
  }
}

// No connection can be made, for as long as keepalives would take to end one.
std::string GroupState::is_unreachable(int rank) {
  const Clock::time_point now = Clock::now();
  {
    const std::lock_guard lock(members_mutex_);
    const Clock::time_point since = unreachable_.try_emplace(rank, now).first->second;
    if (!gone_.contains(rank) && now - since < silence_allowed()) return {};
  }
  return does_not_answer(rank);
}

std::string GroupState::does_not_answer(int rank) {
  const std::lock_guard lock(members_mutex_);
  gone_.insert(rank);
  return name_of(rank) + " is gone: it does not answer";
}

milliseconds GroupState::silence_allowed() {
  return milliseconds(kMostMisses * sidl_setting_value(sidl_setting_RMI_KEEPALIVE_MS));
}

std::string GroupState::order_is_gone(Clock::time_point until) {
  return rank_ == 0 ? std::string() : is_gone(parent_of(rank_), until);
}

std::string GroupState::missing(Clock::time_point until) {
  std::set<int> found;
  {
    const std::lock_guard lock(members_mutex_);
    found = gone_;
  }
  for (const int rank : found) {
    std::string why = still_missing(rank, until);
    if (!why.empty()) return why;
  }
  return {};
}

std::string GroupState::still_missing(int rank, Clock::time_point until) {
  {
    const std::lock_guard lock(members_mutex_);
    if (!gone_.contains(rank)) return {};
  }
  std::string why = is_gone(rank, until);
  if (!why.empty()) return why;
  const std::lock_guard lock(members_mutex_);
  gone_.erase(rank);
  return {};
}

bool GroupState::is_known_gone(int rank) {
  const std::lock_guard lock(members_mutex_);
  return gone_.contains(rank);
}

// ---- what all agree on
// --------------------------------------------------------------------------

Letter GroupState::agree(Letter mine) {
  return exchange({kOfGroup, number_of(++agreements_, 1), deadline_of_thread()}, std::move(mine));
}

int GroupState::late_in_agreement() {
  Wait wait{0, Phase::Elsewhere, rank_};
  {
    const auto lock = monitor_.lock();
    const auto found = waits_.find(kOfGroup);
    if (found != waits_.end()) wait = found->second;
  }
  return wait.rank == rank_ ? rank_ : find_late({kOfGroup, wait.number, 0, wait.rank}, wait.phase);
}

void GroupState::compare_calls(std::uint64_t digest, Clock::time_point until) {
  if (size_ == 1) return;
  const std::int64_t operation = ++comparisons_;
  std::int64_t exchanges = 0;
  const auto next = [&](Letter mine) {
    return exchange({kOfCalls, number_of(operation, ++exchanges), until}, std::move(mine));
  };
  try {
    compare(digest, rank_,
            name_of(rank_) + " and rank 0 call different methods, or other objects: all ranks " +
                "have to call the same, in one order",
            next);
  } catch (...) {
    leave(kOfCalls, operation);
    throw;
  }
}

}  // namespace shinar::par
