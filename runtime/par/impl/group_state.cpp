#include "impl/group_state.hpp"

#include <sys/random.h>

#include <algorithm>
#include <thread>

#include "calls/partners.hpp"
#include "core/digest.hpp"
#include "core/distribution.hpp"
#include "impl/deadlines.hpp"
#include "impl/items.hpp"
#include "impl/own_server.hpp"
#include "impl/urls.hpp"
#include "sidl_BaseException.hxx"
#include "sidl_par_CallValues_Impl.hxx"
#include "sidl_par_DistributionException.hxx"
#include "sidl_par_Member_Impl.hxx"
#include "sidl_protocol.hxx"
#include "sidl_rmi_CancelledException.hxx"
#include "sidl_rmi_InstanceRegistry.hxx"
#include "sidl_rmi_TimeOutException.hxx"
#include "sidl_rmi_UnexpectedCloseException.hxx"
#include "sidl_settings.h"

namespace shinar::par {
namespace {

using ::sidl::par::Member;
using std::chrono::milliseconds;

// Ranks that are to form a group are waited for this long, unless the thread has a deadline.
constexpr std::chrono::seconds kForming{60};
// Messages of so many exchanges before the last one are kept: nobody is further behind, unless it
// has given one up.
constexpr std::int64_t kKeptExchanges = 2 * GroupState::kMostExchanges;
// Contexts that have ended here and may not have elsewhere.
constexpr std::size_t kKeptContexts = 64;
// Messages that nobody waits for yet.
constexpr std::size_t kMostLetters = 100000;
// How far it is followed who waits for whom.
constexpr int kMostHops = 64;
// Steps of exchanges at the end of a call have numbers of their own.
constexpr int kFirstStepAtEnd = 100;
// A context of the group's own.
constexpr std::int64_t kOfGroup = 0;
constexpr std::int64_t kOfCalls = -1;

std::string random_token() {
  std::uint64_t bits[2];
  if (getrandom(bits, sizeof bits, 0) != sizeof bits) throw std::runtime_error("no random numbers");
  char text[40];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(bits[0]),
                static_cast<unsigned long long>(bits[1]));
  return text;
}

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

Reason reason_of(const Letter& letter) {
  const auto thrown = ::sidl::babel_cast<::sidl::BaseException>(letter.content);
  return thrown._is_nil() ? Reason() : reason_of(thrown);
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
  }
  return result;
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
  if (is_one_of<::sidl::rmi::TimeOutException>(failed)) {
    return failure<::sidl::rmi::TimeOutException>(
        priority, name_of(rank) + " does not answer: " + failed.getNote());
  }
  const std::string why = is_one_of<::sidl::rmi::UnexpectedCloseException>(failed)
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

// ---- exchanges
// -----------------------------------------------------------------------------------

Letter GroupState::exchange(const Round& given, Letter mine) {
  Round round = given;
  if (is_forming_) round.until = std::min(round.until, Clock::now() + kForming);
  wait_for(round, rank_);
  if (!uses_flags(round) || !is_well_everywhere(round, mine)) mine = exchange_letters(round, mine);
  const auto lock = monitor_.lock();
  is_through(round.context, round.number);
  sent_.erase(sent_.lower_bound({round.context, 0, 0, 0}),
              sent_.lower_bound({round.context, round.number - kKeptExchanges, 0, 0}));
  return mine;
}

// Each rank tells one, and hears from one, at twice the distance in each step.
Letter GroupState::exchange_letters(Round& round, Letter best) {
  const auto& [context, number, until, phase, has_failed] = round;
  int step = phase == Phase::AtEnd ? kFirstStepAtEnd : 0;
  for (int distance = 1; distance < size_; distance *= 2, ++step) {
    const int to = (rank_ + distance) % size_;
    const int from = (rank_ + size_ - distance) % size_;
    best = better_of(best, post(to, {context, number, step, rank_}, best, until));
    const Letter letter = await({context, number, step, from}, round);
    if (letter.failed && letter.priority >= Letter::kDisagree) round.has_failed = true;
    const bool is_of_other_call =
        phase == Phase::AtEnd && !best.failed && !letter.failed && best.priority != letter.priority;
    best = is_of_other_call
               ? failure<::sidl::par::DistributionException>(
                     Letter::kDisagree,
                     name_of(rank_) + " and others have called different methods, " +
                         "which may have run: all ranks have to call the same, in one order")
               : better_of(best, letter);
  }
  return best;
}

void GroupState::wait_for(const Round& round, int rank) {
  const auto lock = monitor_.lock();
  waits_.insert_or_assign(round.context, Wait{round.number, round.phase, rank});
}

void GroupState::enter_call(std::int64_t context, std::int64_t operation) {
  const auto lock = monitor_.lock();
  in_call_[context] = operation;
}

void GroupState::leave(std::int64_t context, std::int64_t operation) {
  const auto lock = monitor_.lock();
  is_through(context, number_of(operation + 1, 0) - 1);
}

// With the lock.
void GroupState::is_through(std::int64_t context, std::int64_t number) {
  done_[context] = number;
  waits_.erase(context);
  letters_.erase(letters_.lower_bound({context, 0, 0, 0}),
                 letters_.lower_bound({context, number + 1, 0, 0}));
}

int GroupState::awaited(std::int64_t context, std::int64_t number, Phase& phase) {
  const auto lock = monitor_.lock();
  const auto wait = waits_.find(context);
  const std::int64_t waits_in = wait == waits_.end() ? 0 : wait->second.number;
  if (waits_in == number) {
    phase = wait->second.phase;
    return wait->second.rank;
  }
  const auto at = [&](const std::map<std::int64_t, std::int64_t>& numbers) {
    const auto found = numbers.find(context);
    return found == numbers.end() ? 0 : found->second;
  };
  phase = waits_in > number || at(done_) >= number  ? Phase::Through
          : at(in_call_) == number / kMostExchanges ? Phase::InCall
                                                    : Phase::Elsewhere;
  return rank_;
}

void GroupState::end_context(std::int64_t context) {
  const auto lock = monitor_.lock();
  ended_.push_back(context);
  if (ended_.size() <= kKeptContexts) return;
  const std::int64_t oldest = ended_.front();
  ended_.pop_front();
  done_.erase(oldest);
  in_call_.erase(oldest);
  for (auto* const all : {&letters_, &sent_}) {
    all->erase(all->lower_bound({oldest, 0, 0, 0}), all->lower_bound({oldest + 1, 0, 0, 0}));
  }
}

// How long a connection may take: a rank that has stopped makes none.
std::int64_t GroupState::posting_ms(int to, Clock::time_point until) {
  const std::int64_t usual = is_forming_ ? 60000 : 5000;
  const std::lock_guard lock(members_mutex_);
  return left_ms(until, gone_.contains(to) ? kAskingMs : usual);
}

// A failure to send, or a letter that says nothing.
Letter GroupState::post(int to, const Address& from_here, const Letter& letter,
                        Clock::time_point until) {
  const auto& [context, number, step, sender] = from_here;
  {
    const auto lock = monitor_.lock();
    sent_[from_here] = letter;
  }
  for (;;) {
    try {
      const WithDeadline deadline(posting_ms(to, until));
      member(to).post(context, number, step, sender, letter.failed, letter.priority,
                      letter.content);
      return {};
    } catch (const ::sidl::BaseException& lost) {
      if (!is_forming_ || !may_still_come(lost)) return gone(to, lost);
      if (Clock::now() >= until) return late({context, number, step, to});
    }
    std::this_thread::sleep_for(milliseconds(20));
  }
}

bool GroupState::repeat(std::int64_t context, std::int64_t number, int step, Letter& letter) {
  const auto lock = monitor_.lock();
  const auto found = sent_.find({context, number, step, rank_});
  if (found == sent_.end()) return false;
  letter = found->second;
  return true;
}

// A letter that does not come may have been lost with a connection that is there again. Puts it
// with those that have come; returns a failure, or a letter that says nothing.
Letter GroupState::ask_again(const Address& address, const Round& round) {
  const int sender = std::get<3>(address);
  const Phase phase = round.phase;
  try {
    const WithDeadline deadline(asking_ms(round.until));
    if (has_come_again(address) || !has_other_phase(address, phase) || has_come_again(address)) {
      return {};
    }
    return failure<::sidl::par::DistributionException>(
        Letter::kDisagree,
        name_of(phase == Phase::AtEnd ? rank_ : sender) +
            " is in a collective call that does not need what " +
            name_of(phase == Phase::AtEnd ? sender : rank_) +
            " waits for: all ranks have to call the same methods, and Group.distribute, in one "
            "order");
  } catch (const ::sidl::rmi::TimeOutException&) {
    // The deadline is the waiting thread's business; but a rank that has stopped never answers.
    if (is_forming_) return {};
    const std::string why = is_gone(sender, round.until);
    if (why.empty()) return {};
    return failure<::sidl::rmi::UnexpectedCloseException>(Letter::kOfRanks + sender, why);
  } catch (const ::sidl::BaseException& failure) {
    if (!is_forming_ || !may_still_come(failure)) return gone(sender, failure);
  }
  return {};
}

bool GroupState::has_come_again(const Address& address) {
  const auto& [context, number, step, sender] = address;
  Letter letter;
  const bool is_there =
      member(sender).repeat(context, number, step, letter.failed, letter.priority, letter.content);
  if (is_there) receive(context, number, step, sender, letter);
  return is_there;
}

// The sender will not send this message: it is in a call, or at its end, and this rank is not, or
// the other way round.
bool GroupState::has_other_phase(const Address& address, Phase mine) {
  const auto& [context, number, step, sender] = address;
  std::int32_t at = 0;
  member(sender).getAwaited(context, number, at);
  const auto its = static_cast<Phase>(at);
  if (its == Phase::Through) return true;
  return mine == Phase::AtEnd ? its == Phase::Before : its == Phase::InCall || its == Phase::AtEnd;
}

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

Letter GroupState::await(const Address& address, const Round& round) {
  const int sender = std::get<3>(address);
  wait_for(round, sender);
  Clock::time_point next_check = Clock::now() + kFirstCheck;
  auto lock = monitor_.lock();
  if (round.has_failed) {
    const auto found = letters_.find(address);
    return found == letters_.end() ? Letter() : found->second;
  }
  for (;;) {
    const auto outcome = monitor_.wait(lock, std::min(round.until, next_check),
                                       [&] { return letters_.contains(address); });
    if (outcome == Monitor::Outcome::Ready) return letters_.at(address);
    if (outcome == Monitor::Outcome::GivenUp) {
      return failure<::sidl::rmi::CancelledException>(
          Letter::kOfRanks + rank_,
          name_of(rank_) + " was told to wait no longer for " + name_of(sender));
    }
    lock.unlock();
    if (Clock::now() >= round.until) return late(address);
    const bool is_news = !is_known_gone(sender);
    if (Letter failed = ask_again(address, round); failed.failed) {
      return is_news ? come_after_all(address, round, std::move(failed)) : failed;
    }
    next_check = Clock::now() + kNextCheck;
    lock.lock();
  }
}

bool GroupState::is_known_gone(int rank) {
  const std::lock_guard lock(members_mutex_);
  return gone_.contains(rank);
}

// A rank may end once it has sent its letter, which is on its way still: what has been sent over
// one connection can come later than another one tells that its sender is gone. Not if the sender
// lives and does not send it.
Letter GroupState::come_after_all(const Address& address, const Round& round, Letter failed) {
  const int sender = std::get<3>(address);
  const bool is_gone = failed.priority == Letter::kOfRanks + sender;
  auto lock = monitor_.lock();
  monitor_.wait(lock, is_gone ? std::min(round.until, Clock::now() + kArriving) : Clock::now(),
                [&] { return letters_.contains(address); });
  const auto found = letters_.find(address);
  if (found == letters_.end()) return failed;
  Letter letter = found->second;
  lock.unlock();
  const std::lock_guard members_lock(members_mutex_);
  gone_.erase(sender);
  return letter;
}

void GroupState::receive(std::int64_t context, std::int64_t number, int step, int sender,
                         Letter letter) {
  const auto lock = monitor_.lock();
  const auto done = done_.find(context);
  if (done != done_.end() && number <= done->second) return;
  if (letters_.size() >= kMostLetters) {
    throw Misfit("a rank has more than " + std::to_string(kMostLetters) +
                 " messages that it does not expect");
  }
  letters_[{context, number, step, sender}] = std::move(letter);
  monitor_.wake();
  if (flags_ != nullptr && step >= kFirstStepAtEnd) flags_->ring();
}

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
