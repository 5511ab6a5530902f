// GroupState: exchanges, in which ranks send each other letters.
#include <algorithm>
#include <thread>

#include "impl/deadlines.hpp"
#include "impl/group_state.hpp"
#include "impl/urls.hpp"
#include "sidl_par_DistributionException.hxx"
#include "sidl_rmi_CancelledException.hxx"
#include "sidl_rmi_TimeOutException.hxx"
#include "sidl_rmi_UnexpectedCloseException.hxx"

namespace shinar::par {
namespace {

using std::chrono::milliseconds;

// Messages of so many exchanges before the last one are kept: nobody is further behind, unless it
// has given one up, or was stopped for so long that others go on without it.
constexpr std::int64_t kKeptExchanges = 64 * GroupState::kMostExchanges;
// Contexts that have ended here and may not have elsewhere.
constexpr std::size_t kKeptContexts = 64;
// Messages of a context that nobody waits for yet.
constexpr std::ptrdiff_t kMostLetters = 4096;
// Others may have begun so many contexts that this rank has not.
constexpr std::int64_t kMostAhead = 64;
// Ranks that are asked what they have called, when ranks differ.
constexpr int kMostAsked = 8;
// How often one that is not there, while a group forms, is asked whether it forms another one.
constexpr milliseconds kListCheck{500};
// Steps of exchanges at the end of a call have numbers of their own.
constexpr int kFirstStepAtEnd = 100;

}  // namespace

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
                     "the ranks of the group have called different methods, which may have run: " +
                         who_called_what(round, from) +
                         "; all ranks have to call the same, in one order")
               : better_of(best, letter);
  }
  return best;
}

void GroupState::wait_for(const Round& round, int rank) {
  const auto lock = monitor_.lock();
  waits_.insert_or_assign(round.context, Wait{round.number, round.phase, rank});
}

void GroupState::enter_call(std::int64_t context, std::int64_t operation,
                            const std::string& method) {
  const auto lock = monitor_.lock();
  in_call_[context][static_cast<std::size_t>(operation) % kKeptCalls] = {operation, method};
}

// With the lock.
const GroupState::Called* GroupState::call_of(std::int64_t context, std::int64_t operation) const {
  const auto found = in_call_.find(context);
  if (found == in_call_.end()) return nullptr;
  const Called& kept = found->second[static_cast<std::size_t>(operation) % kKeptCalls];
  return kept.operation == operation ? &kept : nullptr;
}

std::string GroupState::called(std::int64_t context, std::int64_t operation) {
  const auto lock = monitor_.lock();
  const Called* const call = call_of(context, operation);
  return call != nullptr ? call->method : std::string();
}

// As far as ranks tell: this one, the one that has called another method, and the first ones.
std::string GroupState::who_called_what(const Round& round, int other) {
  std::set<int> asked{rank_, other};
  for (int rank = 0; rank < std::min(size_, kMostAsked); ++rank) asked.insert(rank);
  const std::int64_t operation = round.number / kMostExchanges;
  std::map<std::string, std::string> ranks_of;
  for (const int rank : asked) {
    std::string method;
    try {
      const WithDeadline deadline(asking_ms(round.until));
      method = rank == rank_ ? called(round.context, operation)
                             : member(rank).getCalled(round.context, operation);
    } catch (const ::sidl::BaseException&) {
      // It is not known.
    }
    if (method.empty()) continue;
    std::string& ranks = ranks_of[method];
    ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank);
  }
  std::string text;
  for (const auto& [method, ranks] : ranks_of) {
    const bool is_one = ranks.find(',') == std::string::npos;
    text += (text.empty() ? "'" : "; '") + method + (is_one ? "' by rank " : "' by ranks ") + ranks;
  }
  return text;
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
  const auto done = done_.find(context);
  const bool is_done = done != done_.end() && done->second >= number;
  const bool is_in_call = call_of(context, number / kMostExchanges) != nullptr;
  phase = waits_in > number || is_done ? phase_passed(context, number)
          : is_in_call                 ? Phase::InCall
                                       : Phase::Elsewhere;
  return rank_;
}

// In which this rank has been through an exchange: its letters tell, if it sent any. With the lock.
GroupState::Phase GroupState::phase_passed(std::int64_t context, std::int64_t number) const {
  const auto first = sent_.lower_bound({context, number, 0, 0});
  const bool has_sent = first != sent_.end() && std::get<0>(first->first) == context &&
                        std::get<1>(first->first) == number;
  if (!has_sent) return Phase::Through;
  return std::get<2>(first->first) >= kFirstStepAtEnd ? Phase::AtEnd : Phase::Before;
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
  Clock::time_point next_check = Clock::now() + kListCheck;
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
      const bool is_late = Clock::now() >= until;
      if (is_late && is_one_of<::sidl::rmi::TimeOutException>(lost)) {
        return late({context, number, step, to});
      }
      if (!is_forming_ || !may_still_come(lost)) return gone(to, lost);
      if (is_late) return late({context, number, step, to});
    }
    if (Clock::now() >= next_check) {
      ask_for_list(to);
      next_check = Clock::now() + kListCheck;
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
    if (has_come_again(address)) return {};
    const Phase its = phase_of_sender(address);
    if (!will_not_send(its, phase) || has_come_again(address)) return {};
    if (its == Phase::Through) {
      return failure<::sidl::rmi::UnexpectedCloseException>(
          Letter::kOfRanks + rank_, name_of(sender) + " has gone on without " + name_of(rank_) +
                                        ", which had not come, or not answered, for too long");
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

GroupState::Phase GroupState::phase_of_sender(const Address& address) {
  const auto& [context, number, step, sender] = address;
  std::int32_t its = 0;
  member(sender).getAwaited(context, number, its);
  return static_cast<Phase>(its);
}

// The sender of a message will not send it: it has gone on, or it is in a call, or at its end, and
// this rank is not, or the other way round.
bool GroupState::will_not_send(Phase its, Phase mine) {
  if (its == Phase::Through) return true;
  return mine == Phase::AtEnd ? its == Phase::Before : its == Phase::InCall || its == Phase::AtEnd;
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

// Whether an exchange can have such a message to this rank.
bool GroupState::is_possible(const Address& address) const {
  const auto& [context, number, step, sender] = address;
  const int nth = step >= kFirstStepAtEnd ? step - kFirstStepAtEnd : step;
  if (context < kOfCalls || context > contexts_ + kMostAhead || number < 1) return false;
  return nth >= 0 && nth < 31 && std::int64_t{1} << nth < size_ &&
         (std::int64_t{sender} + (std::int64_t{1} << nth)) % size_ == rank_ && sender >= 0 &&
         sender < size_;
}

// Those that are furthest ahead can be asked for again. With the lock.
void GroupState::make_room(const Address& address) {
  const std::int64_t context = std::get<0>(address);
  const auto first = letters_.lower_bound({context, 0, 0, 0});
  const auto end = letters_.lower_bound({context + 1, 0, 0, 0});
  if (std::distance(first, end) < kMostLetters) return;
  const auto last = std::prev(end);
  if (last->first < address) {
    throw Misfit("a rank has more than " + std::to_string(kMostLetters) +
                 " messages that it does not expect");
  }
  letters_.erase(last);
}

void GroupState::receive(std::int64_t context, std::int64_t number, int step, int sender,
                         Letter letter) {
  if (!is_possible({context, number, step, sender})) {
    throw Misfit("rank " + std::to_string(rank_) + " expects no message " + std::to_string(step) +
                 " of rank " + std::to_string(sender) + " in exchange " + std::to_string(number) +
                 " of context " + std::to_string(context));
  }
  const auto lock = monitor_.lock();
  const auto done = done_.find(context);
  if (done != done_.end() && number <= done->second) return;
  make_room({context, number, step, sender});
  letters_[{context, number, step, sender}] = std::move(letter);
  monitor_.wake();
  if (flags_ != nullptr && step >= kFirstStepAtEnd) flags_->ring();
}

}  // namespace shinar::par
