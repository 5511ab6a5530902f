#include "chain.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "object_strands.hpp"

namespace shinar::wire {

Chains* Chains::instance_ = new Chains;

/** Under the mutex. Searches from the newest: those are innermost in their threads. */
Standby* Chains::find_holder(const ChainId& chain, const void* strand) {
  const auto at = standbys_.find(chain);
  if (at == standbys_.end() || strand == nullptr) return nullptr;
  const auto& all = at->second;
  const auto holder = std::find_if(all.rbegin(), all.rend(),
                                   [&](const Standby* each) { return each->holds(strand); });
  return holder == all.rend() ? nullptr : *holder;
}

/** Under the mutex. One that runs what arrives over the link; `has_nothing`: to run. */
Standby* Chains::find_idle(const ChainId& chain, const Link& link, bool has_nothing) {
  const auto at = standbys_.find(chain);
  if (at == standbys_.end()) return nullptr;
  const auto& all = at->second;
  const auto idle = std::find_if(all.rbegin(), all.rend(), [&](const Standby* each) {
    // A given-up call may still wait, but its caller has continued with the chain.
    return each->waits_ && !(has_nothing && !each->inbox_.empty()) &&
           each->innermost_.link().runner() == link.runner() &&
           !each->innermost_.is_within_given_up();
  });
  return idle == all.rend() ? nullptr : *idle;
}

bool Chains::has_holder(const ChainId& chain, const void* strand) {
  const std::lock_guard lock(mutex_);
  return find_holder(chain, strand) != nullptr;
}

bool Chains::is_in_work(const ChainId& chain) {
  const std::lock_guard lock(mutex_);
  return in_work_.contains(chain);
}

void Chains::begin(const ChainId& chain) {
  const std::lock_guard lock(mutex_);
  ++in_work_[chain].threads;
}

void Chains::end(const ChainId& chain) noexcept {
  const std::lock_guard lock(mutex_);
  const auto at = in_work_.find(chain);
  if (at == in_work_.end()) return;  // it was the parent's before a fork
  if (--at->second.threads == 0) in_work_.erase(at);
}

bool Chains::offer(IncomingCall& call, Link& link, const void* strand) {
  const std::lock_guard lock(mutex_);
  Standby* standby = find_holder(*call.chain, strand);
  // One-way calls are not waited for, nor are outermost calls of the chain by its own threads:
  // unless a strand requires it, they run on threads of their own.
  const bool is_waited_for = call.message.type() != FrameType::oneway && is_within_chain(call);
  if (standby == nullptr && !call.is_handed_over && !is_nested(call) && is_waited_for) {
    standby = find_idle(*call.chain, link);
  }
  if (standby == nullptr) return false;
  hand(call, link, *standby);
  return true;
}

bool Chains::offer_in_need(IncomingCall& call, Link& link, const void* strand) {
  const std::lock_guard lock(mutex_);
  Standby* standby = find_holder(*call.chain, strand);
  if (standby == nullptr) standby = find_idle(*call.chain, link, true);
  if (const auto at = in_work_.find(*call.chain); at != in_work_.end()) {
    at->second.is_in_need = standby == nullptr;
  }
  if (standby == nullptr) return false;
  hand(call, link, *standby);
  return true;
}

bool Chains::has_need(const ChainId& chain) {
  const std::lock_guard lock(mutex_);
  const auto at = in_work_.find(chain);
  return at != in_work_.end() && at->second.is_in_need;
}

/** Under the mutex. */
void Chains::hand(IncomingCall& call, Link& link, Standby& standby) {
  call.is_handed_over = true;
  standby.inbox_.push_back({std::move(call), link.shared_from_this()});
  standby.kick();
}

bool Chains::offer_to(const CallsOfThread* thread, IncomingCall& call, Link& link) {
  const std::lock_guard lock(mutex_);
  const auto at = standbys_.find(*call.chain);
  if (at == standbys_.end()) return false;
  const auto& all = at->second;
  const auto standby = std::find_if(all.rbegin(), all.rend(),
                                    [&](const Standby* each) { return each->thread_ == thread; });
  if (standby == all.rend()) return false;
  hand(call, link, **standby);
  return true;
}

Standby::Standby(Waiter& waiter)
    : waiter_(waiter),
      innermost_(*RunningCall::innermost()),
      chain_(innermost_.chain()),
      outer_(std::exchange(CallsOfThread::here().standby, this)) {
  Chains& chains = Chains::of_process();
  {
    const std::lock_guard lock(chains.mutex_);
    chains.standbys_[chain_].push_back(this);
    chains.waiting_.fetch_add(1, std::memory_order_relaxed);
    if (outer_ != nullptr && outer_->chain_ == chain_ && !outer_->inbox_.empty()) {
      inbox_.swap(outer_->inbox_);
      outer_->has_calls_ = false;
      has_calls_ = true;
    }
  }
  take_from_strands();
  take_from_suspended();
}

/**
 * Calls nested in what this thread waits for further out may have come before it was on standby.
 */
void Standby::take_from_suspended() {
  for (SuspendedWait* each = CallsOfThread::here().suspended; each != nullptr;
       each = each->outer()) {
    for (IncomingCall& call : each->take_nested(chain_)) {
      const std::lock_guard lock(Chains::of_process().mutex_);
      call.is_handed_over = true;
      inbox_.push_back({std::move(call), each->link().shared_from_this()});
      has_calls_ = true;
    }
  }
}

/**
 * Calls of the chain that came while this thread did not wait are queued for the strands it holds.
 */
void Standby::take_from_strands() {
  for (const RunningCall* each = &innermost_; each != nullptr; each = each->outer()) {
    if (each->strand() == nullptr) continue;
    while (auto call = ObjectStrands::of_process().take(each->strand(), chain_)) {
      const std::lock_guard lock(Chains::of_process().mutex_);
      inbox_.push_back(std::move(*call));
      has_calls_ = true;
    }
  }
}

Standby::~Standby() {
  Chains& chains = Chains::of_process();
  std::deque<QueuedCall> left;
  {
    const std::lock_guard lock(chains.mutex_);
    const auto at = chains.standbys_.find(chain_);
    std::erase(at->second, this);
    if (at->second.empty()) chains.standbys_.erase(at);
    chains.waiting_.fetch_sub(1, std::memory_order_relaxed);
    left.swap(inbox_);
  }
  CallsOfThread::here().standby = outer_;
  for (QueuedCall& each : left) {
    Link& link = *each.link;
    link.run_elsewhere(std::move(each.call));
  }
}

/** Under the mutex; the thread must be on standby. */
bool Standby::holds(const void* strand) const {
  for (const RunningCall* each = &innermost_; each != nullptr; each = each->outer()) {
    if (each->strand() == strand) return true;
  }
  return false;
}

/** Under the mutex. */
void Standby::kick() {
  has_calls_.store(true, std::memory_order_release);
  waiter_.event.notify_poller(Waiter::called);
}

std::optional<QueuedCall> Standby::take() {
  const std::lock_guard lock(Chains::of_process().mutex_);
  if (inbox_.empty()) return std::nullopt;
  std::optional<QueuedCall> call(std::move(inbox_.front()));
  inbox_.pop_front();
  has_calls_ = !inbox_.empty();
  waits_ = false;
  return call;
}

void Standby::resume() {
  {
    const std::lock_guard lock(Chains::of_process().mutex_);
    waits_ = true;
  }
  take_from_strands();
}

void Standby::pause() {
  const std::lock_guard lock(Chains::of_process().mutex_);
  waits_ = false;
}

// ---- what a running call knows of its chain
// -------------------------------------------------------

const ChainId& RunningCall::chain() {
  if (!chain_) {
    // A nested call is part of the same chain even if its caller does not say so.
    chain_ = call_.chain ? *call_.chain : outer_ != nullptr ? outer_->chain() : ChainId::random();
    if (outer_ == nullptr || outer_->chain_ != chain_) {  // else the chain is registered already
      Chains::of_process().begin(*chain_);
      began_chain_ = true;
    }
  }
  return *chain_;
}

const ChainId& RunningCall::begin_branch() {
  if (!branch_) branch_ = chain();
  return branch_->begin_branch();
}

void RunningCall::end_chain() noexcept {
  Chains::of_process().end(*chain_);
}

bool RunningCall::is_given_up() const {
  return id_ != 0 && (link_.is_broken() || link_.was_cancelled(id_));
}

void RunningCall::check_wanted() {
  const RunningCall* const running = innermost();
  if (running == nullptr || !running->is_within_given_up()) return;
  throw Error(Failure::cancelled, given_up, Fate::not_sent, ECANCELED);
}

}  // namespace shinar::wire
