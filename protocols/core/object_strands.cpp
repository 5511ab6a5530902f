#include "object_strands.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "decoder.hpp"

namespace shinar::wire {
namespace {

using std::chrono::milliseconds;

std::string object_of(IncomingCall& call) {
  return call.message.body.size() == 0 ? "" : std::string(Decoder(call.message).get_name());
}

std::string method_of(const IncomingCall& call) {
  return call.method == nullptr ? "a call" : "'" + call.method->name + "'";
}

}  // namespace

ObjectStrands* ObjectStrands::instance_ = new ObjectStrands;

ObjectStrands::State* ObjectStrands::Slot::find(const void* strand) {
  const auto at = std::ranges::find(states, strand, &State::strand);
  return at == states.end() ? nullptr : &*at;
}

bool ObjectStrands::enter(RunningCall& running, IncomingCall& call, Link& link) {
  const void* const strand = running.strand();
  Slot& slot = slot_of(strand);
  const auto own = reinterpret_cast<std::uintptr_t>(&running);
  const std::lock_guard lock(slot.mutex);
  for (;;) {
    std::uintptr_t word = slot.word.load(std::memory_order_acquire);
    if (word == 0) {
      if (slot.word.compare_exchange_strong(word, own, std::memory_order_acq_rel)) return true;
      continue;
    }
    if ((word & contended) != 0) break;
    if (!slot.word.compare_exchange_strong(word, word | contended, std::memory_order_acquire)) {
      continue;
    }
    // From here on the holder cannot leave without the mutex.
    const auto* const holder = reinterpret_cast<const RunningCall*>(word);
    slot.states.push_back({holder->strand(), holder, Clock::now()});
    break;
  }
  State* const state = slot.find(strand);
  if (state == nullptr) {  // another strand of the same hash is contended
    slot.states.push_back({strand, &running, Clock::now()});
    return true;
  }
  state->queue.push_back({std::move(call), link.shared_from_this()});
  return false;
}

void ObjectStrands::begin(const RunningCall& running) {
  Slot& slot = slot_of(running.strand());
  const std::lock_guard lock(slot.mutex);
  State* const state = slot.find(running.strand());
  state->holder = &running;
  state->since = Clock::now();
}

std::optional<QueuedCall> ObjectStrands::leave_slowly(const void* strand) {
  Slot& slot = slot_of(strand);
  const std::lock_guard lock(slot.mutex);
  State* const state = slot.find(strand);
  if (state->queue.empty()) {
    slot.states.remove_if([&](const State& each) { return &each == state; });
    if (slot.states.empty()) slot.word.store(0, std::memory_order_release);
    return std::nullopt;
  }
  std::optional<QueuedCall> next(std::move(state->queue.front()));
  state->queue.pop_front();
  state->holder = nullptr;
  state->since = Clock::now();
  state->is_told = false;
  next->call.grant = StrandGrant(strand);
  return next;
}

std::optional<QueuedCall> ObjectStrands::take(const void* strand, const ChainId& chain) {
  Slot& slot = slot_of(strand);
  if ((slot.word.load(std::memory_order_acquire) & contended) == 0) return std::nullopt;
  const std::lock_guard lock(slot.mutex);
  State* const state = slot.find(strand);
  if (state == nullptr) return std::nullopt;
  const auto at = std::ranges::find_if(
      state->queue, [&](const QueuedCall& each) { return each.call.chain == chain; });
  if (at == state->queue.end()) return std::nullopt;
  std::optional<QueuedCall> call(std::move(*at));
  state->queue.erase(at);
  return call;
}

std::vector<QueuedCall> ObjectStrands::take_all_of(const void* runner) {
  std::vector<QueuedCall> taken;
  for (Slot& slot : slots_) {
    if ((slot.word.load(std::memory_order_acquire) & contended) == 0) continue;
    const std::lock_guard lock(slot.mutex);
    for (State& state : slot.states) {
      const auto theirs = std::stable_partition(
          state.queue.begin(), state.queue.end(),
          [&](const QueuedCall& each) { return each.link->runner() != runner; });
      std::move(theirs, state.queue.end(), std::back_inserter(taken));
      state.queue.erase(theirs, state.queue.end());
    }
  }
  return taken;
}

std::optional<IncomingCall> ObjectStrands::cancel(const Link& link, std::uint64_t id) {
  if (id == 0) return std::nullopt;
  for (Slot& slot : slots_) {
    if ((slot.word.load(std::memory_order_acquire) & contended) == 0) continue;
    const std::lock_guard lock(slot.mutex);
    for (State& state : slot.states) {
      const auto at = std::ranges::find_if(state.queue, [&](const QueuedCall& each) {
        return each.link.get() == &link && each.call.message.header.request == id;
      });
      if (at == state.queue.end()) continue;
      std::optional<IncomingCall> call(std::move(at->call));
      state.queue.erase(at);
      return call;
    }
  }
  return std::nullopt;
}

ObjectStrands::Report ObjectStrands::report() {
  Report report;
  const auto now = Clock::now();
  for (Slot& slot : slots_) {
    if ((slot.word.load(std::memory_order_acquire) & contended) == 0) continue;
    const std::lock_guard lock(slot.mutex);
    for (const State& state : slot.states) {
      const auto queued = static_cast<std::int64_t>(state.queue.size());
      if (queued == 0) continue;
      report.waiting += queued;
      report.longest = std::max(report.longest, queued);
      const auto age = std::chrono::duration_cast<milliseconds>(now - state.since).count();
      report.oldest_ms = std::max(report.oldest_ms, static_cast<std::int64_t>(age));
    }
  }
  return report;
}

std::vector<std::string> ObjectStrands::overdue(milliseconds patience) {
  std::vector<std::string> lines;
  const auto now = Clock::now();
  for (Slot& slot : slots_) {
    if ((slot.word.load(std::memory_order_acquire) & contended) == 0) continue;
    const std::lock_guard lock(slot.mutex);
    for (State& state : slot.states) {
      if (state.is_told || state.queue.empty() || now - state.since < patience) continue;
      state.is_told = true;
      QueuedCall& first = state.queue.front();
      const RunningCall* const holder = state.holder;
      const auto age = std::chrono::duration_cast<std::chrono::seconds>(now - state.since);
      const std::size_t waiting = state.queue.size();
      lines.push_back(
          (waiting == 1 ? "1 call waits, " : std::to_string(waiting) + " calls wait, first ") +
          method_of(first.call) + " of " + first.link->other_end() + " on object '" +
          object_of(first.call) + "', while " +
          (holder == nullptr ? "another call"
                             : method_of(holder->call()) + " of " + holder->link().other_end()) +
          " has been running for " + std::to_string(age.count()) + " s");
    }
  }
  return lines;
}

StrandGrant::~StrandGrant() {
  if (strand_ == nullptr) return;
  if (auto next = ObjectStrands::of_process().give_up(strand_)) {
    Link& link = *next->link;
    link.run_elsewhere(std::move(next->call));
  }
}

StrandTurn::StrandTurn(RunningCall& running, IncomingCall& call, Host& host) : running_(running) {
  if (call.grant) {
    running.set_strand(call.grant.take());
    ObjectStrands::of_process().begin(running);
    return;
  }
  const void* const strand = host.strand(call);
  const bool is_within = strand != nullptr && running.is_within(strand);
  if (call.chain && !is_within && Chains::of_process().offer(call, running.link(), strand)) {
    is_now_ = false;
    return;
  }
  if (strand == nullptr || is_within) return;
  running.set_strand(strand);
  ObjectStrands& strands = ObjectStrands::of_process();
  if (strands.enter_at_once(running)) return;
  const std::optional<ChainId> chain = call.chain;
  if (strands.enter(running, call, running.link())) return;
  running.set_strand(nullptr);
  is_now_ = false;
  if (chain) look_again(strand, *chain);
}

/**
 * The call may have been queued behind one of its own chain whose thread went on standby before it
 * was, and has missed it.
 */
void StrandTurn::look_again(const void* strand, const ChainId& chain) {
  Chains& chains = Chains::of_process();
  if (!chains.has_holder(chain, strand)) return;
  auto call = ObjectStrands::of_process().take(strand, chain);
  if (!call) return;  // the thread has it
  Link& link = *call->link;
  if (!chains.offer(call->call, link, strand)) link.run_elsewhere(std::move(call->call));
}

/** The call ended without leave(): its thread ended, or it was not run. */
void StrandTurn::pass_on() {
  NextCall next;
  leave(next);
  if (next) {
    Link& link = *next->link;
    link.run_elsewhere(std::move(next->call));
  }
}

}  // namespace shinar::wire
