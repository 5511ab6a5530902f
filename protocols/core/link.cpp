#include "link.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "answering.hpp"
#include "chain.hpp"
#include "crew.hpp"
#include "ledger.hpp"
#include "thread_end.hpp"

namespace shinar::wire {
namespace {

/** The frame that gives a method its number. */
std::vector<std::byte> definition_of(const Request& request, std::uint16_t number) {
  Encoder body;
  body.put(request.digest);
  body.put_string(request.method);
  FrameHeader head;
  head.type = static_cast<std::uint8_t>(FrameType::method);
  head.method = number;
  head.body = static_cast<std::uint32_t>(body.body_size());
  const auto frame = body.with_header(head);
  return {frame.begin(), frame.end()};
}

}  // namespace

void Link::complete(FrameHeader& header, const Request& request) const {
  header.type = static_cast<std::uint8_t>(request.type);
  header.flags = request.flags;
  header.strand = request.caller_strand;
  if (request.encoder->has_references()) {
    header.flags |= flag_references;
    request.encoder->put_references();
  }
  if (request.chain != nullptr) {
    header.flags |= flag_chained;
    if (request.is_outermost) header.flags |= flag_outermost;
    std::array<std::uint64_t, 2> id{};
    std::memcpy(id.data(), request.chain->data(), sizeof id);
    for (const std::uint64_t half : id) request.encoder->put(half);
  }
  if (request.parent != 0) {
    header.flags |= flag_nested;
    request.encoder->put(request.parent);
  }
  complete_header(header, *request.encoder, inline_limit_, message_limit_);
  const bool is_waited_for =
      request.type != FrameType::oneway && request.type != FrameType::abandon;
  if (!request.deadline || !is_waited_for) return;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(*request.deadline - Clock::now()).count();
  header.deadline = static_cast<std::uint32_t>(std::clamp<std::int64_t>(left, 1, 0xffffffff));
}

void Link::call(const Request& request, Message& answer) {
  Waiter waiter{answer};
  waiter.held = request.held;
  waiter.landing = request.landing;
  begin(request, waiter);
  const Listed listed(*this, waiter);
  await(waiter, request.deadline);
}

void Link::begin(const Request& request, Waiter& waiter) {
  FrameHeader header;
  complete(header, request);
  await_capacity(request.deadline);
  {
    const std::lock_guard lock(state_);
    enter(waiter);
  }
  header.request = waiter.id;
  try {
    transmit(header, request);
  } catch (const Error& error) {
    leave(waiter, false);
    give_up(error);
  }
}

void Link::send(const Request& request) {
  FrameHeader header;
  complete(header, request);
  if (!is_usable()) {
    const std::lock_guard lock(state_);
    throw_broken(Fate::not_sent);
  }
  if (request.type == FrameType::oneway) await_capacity(request.deadline);
  try {
    if (request.type == FrameType::oneway) {
      transmit(header, request);
    } else {
      post(header, request);
    }
  } catch (const Error& error) {
    give_up(error);
  }
}

void Link::enter(Waiter& waiter) {
  if (!is_usable()) throw_broken(Fate::not_sent);
  waiter.id = next_id_++;
  waiters_.push_back(&waiter);
}

void Link::leave(Waiter& waiter, bool was_sent) {
  std::unique_lock lock(state_);
  waiter.concluded = true;
  const bool waited = take_out(waiter);
  if (!was_sent) ++unsent_;
  if (waited && was_sent) give_up_waiting(waiter);
  pass_on(waiter, lock);
  lock.unlock();
  if (waited && was_sent) answer_is_late();
  if (!waiter.taken_out) return;
  // The reader is handing the answer over.
  while (!waiter.done) waiter.done = (waiter.event.wait({}) & Waiter::delivered) != 0;
}

/** Nested calls that the waiter has not run are run elsewhere. Under state_. */
void Link::pass_on(Waiter& waiter, std::unique_lock<StateMutex>& lock) {
  if (waiter.nested.empty()) return;
  auto left = std::exchange(waiter.nested, {});
  lock.unlock();
  for (IncomingCall& call : left) run_elsewhere(std::move(call));
  lock.lock();
}

std::unique_lock<Link::WriteMutex> Link::await_write(const Deadline& deadline) {
  const WaitForPeer waits;
  if (!deadline) return std::unique_lock(write);
  if (lock_until(write, *deadline)) return std::unique_lock(write, std::adopt_lock);
  throw Error(Failure::time_out, "the deadline passed while another call was being sent",
              Fate::not_sent, ETIMEDOUT);
}

void Link::transmit(FrameHeader& header, const Request& request) {
  bool reads = false;
  transmit(header, request, reads);
}

void Link::transmit(FrameHeader& header, const Request& request, bool& reads) {
  Spent spent;  // dropped without the lock
  std::unique_lock lock(write, std::try_to_lock);
  if (!lock.owns_lock()) {
    if (std::exchange(reads, false)) step_down();
    lock = await_write(request.deadline);
  }
  std::vector<std::byte> definition;
  if (!request.method.empty()) {
    bool is_new = false;
    header.method =
        static_cast<std::uint16_t>(methods_.find_or_add(request.method, request.digest, is_new));
    if (is_new) definition = definition_of(request, header.method);
  }
  try {
    put(header, request, definition, reads, spent);
  } catch (...) {
    if (!definition.empty()) methods_.take_back();  // it was not sent, or the connection is broken
    throw;
  }
}

/** Under write. Sends the frame of a request, counted if its type is. */
void Link::put(const FrameHeader& header, const Request& request, std::span<const std::byte> before,
               bool reads, Spent& spent) {
  const auto send_it = [&] {
    put_in_line(before, header, *request.encoder, reads, &request.deadline, spent);
  };
  if (!is_counted(request.type)) {
    send_it();
  } else if (count(request, send_it)) {
    ask_for_confirmation();
  }
}

/** Under write. Sends a counted frame; true if its receipt must be confirmed. */
template <class Send>
bool Link::count(const Request& request, const Send& send_it) {
  const std::uint64_t position = stream->count_sent();
  try {
    return note_and_send(request, position, send_it);
  } catch (...) {
    stream->uncount_sent();
    throw;
  }
}

template <class Send>
bool Link::note_and_send(const Request& request, std::uint64_t position, const Send& send_it) {
  if (request.entry == nullptr || request.entry->empty()) {
    send_it();
    return false;
  }
  const auto has_ended = [] {
    return Error(Failure::unexpected_close, "the connection has ended", Fate::not_sent);
  };
  if (request.lent_to != nullptr && request.lent_to->is_given_up()) throw lent_in_vain();
  if (!stream->note(position, *request.entry)) throw has_ended();
  try {
    send_it();
  } catch (const Error&) {
    *request.entry = stream->withdraw();
    throw;
  } catch (...) {
    stream->commit(*request.entry);  // part of it may have been sent
    throw;
  }
  if (!stream->commit(*request.entry)) throw has_ended();
  return true;
}

/** A thread that sends holds the lock; one that waits for the peer does so for long. */
std::unique_lock<Link::WriteMutex> Link::lock_write_soon() {
  constexpr std::chrono::milliseconds soon(2);
  if (std::unique_lock lock(write, std::try_to_lock); lock.owns_lock()) return lock;
  if (!lock_until(write, Clock::now() + soon)) return {};
  return std::unique_lock(write, std::adopt_lock);
}

/**
 * Sends a frame about references. Threads do so after running a call, and a peer that does not read
 * must not block them.
 */
void Link::post(const FrameHeader& header, const Request& request) {
  Spent spent;  // dropped without the lock
  if (request.waits) {
    const auto lock = lock_write(request.deadline);
    put(header, request, {}, false, spent);
    return;
  }
  const auto takes_nothing = [] {
    return Error(Failure::time_out, "the peer takes no data now", Fate::not_sent);
  };
  const auto lock = lock_write_soon();
  if (!lock.owns_lock()) throw takes_nothing();
  const auto send_it = [&] {
    if (!channel->try_send(header, *request.encoder)) throw takes_nothing();
  };
  if (count(request, send_it)) ask_for_confirmation();
}

void Link::ask_for_confirmation() {
  if (!stream->wants_confirmation()) return;
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::ping);
  header.request = stream->sent();
  channel->try_send(header);
}

void Link::dispose(Ended /*what*/) {}

void Link::give_up_waiting(Waiter& waiter) {
  if (waiter.held == nullptr || waiter.done || broken_) return;
  unanswered_.push_back({waiter.id, std::move(waiter.held)});
}

void Link::let_go_of_unanswered() noexcept {
  try {
    Ended over;
    {
      const std::lock_guard lock(state_);
      for (Unanswered& each : unanswered_) over.add(std::move(each.held));
      unanswered_.clear();
    }
    if (!over.empty()) dispose(std::move(over));
  } catch (const std::exception&) {
    // Without memory or a thread they were destroyed right here.
  }
}

/** Under write. If the thread ends within a frame, the connection is broken. */
void Link::send(std::span<const std::byte> before, const FrameHeader& header, Encoder& encoder,
                WriteWait* write_wait) {
  const auto thread_ended = [this] {
    fail(Error(Failure::unexpected_close, "a thread exited while sending a frame",
               Fate::may_have_executed));
  };
  if_thread_ends(thread_ended, [&] { channel->send(before, header, encoder, write_wait); });
}

Waiter* Link::find(std::uint64_t id) {
  const auto at =
      std::lower_bound(waiters_.begin(), waiters_.end(), id,
                       [](const Waiter* each, std::uint64_t wanted) { return each->id < wanted; });
  return at != waiters_.end() && (*at)->id == id ? *at : nullptr;
}

void Link::complete_answer(FrameHeader& header, const FrameHeader& request, Answer& answer) const {
  header.request = request.request;
  try {
    if (answer.body.has_references()) answer.body.put_references();
    complete_header(header, answer.body, inline_limit_, message_limit_);
  } catch (const Error& error) {
    put_error(answer,
              Error(error.failure(), std::string("the results are too large: ") + error.what(),
                    Fate::executed));
    complete_header(header, answer.body, inline_limit_, message_limit_);
  }
  header.type = static_cast<std::uint8_t>(answer.type);
  if (answer.body.has_references()) header.flags = flag_references;
}

std::shared_ptr<Landing> Link::landing_of(const FrameHeader& header) {
  if (header.type != static_cast<std::uint8_t>(FrameType::reply)) return nullptr;
  const std::lock_guard lock(state_);
  const Waiter* const waiter = find(header.request);
  return waiter == nullptr || waiter->landing == nullptr ? nullptr : *waiter->landing;
}

void Link::deliver(Message& message, Waiter* self) {
  if (self != nullptr && !self->is_ticket && self->id == message.header.request) {
    if (&self->message != &message) self->message.swap(message);
    self->done = true;
    return;
  }
  std::unique_lock lock(state_);
  Waiter* const waiter = find(message.header.request);
  if (waiter == nullptr) {
    Ended over;
    const auto held = std::ranges::find(unanswered_, message.header.request, &Unanswered::id);
    if (held != unanswered_.end()) {
      over.add(std::move(held->held));
      unanswered_.erase(held);
    }
    lock.unlock();
    if (message.cargo != nullptr) over.add(std::move(message.cargo));
    if (!over.empty()) dispose(std::move(over));
    return;
  }
  std::erase(waiters_, waiter);
  if (waiter->is_ticket) {
    waiter->message.swap(message);
    waiter->done = true;
    waiter->event.notify(Waiter::delivered);  // locked: it must not go meanwhile
    tell_observers(*waiter);
    return;
  }
  waiter->taken_out = true;
  lock.unlock();  // first: the woken thread may call again at once and need the lock
  waiter->message.swap(message);
  waiter->event.notify(Waiter::delivered);
}

bool Link::deliver_nested(IncomingCall& call) {
  const Buffer& body = call.message.body;
  std::uint64_t parent = 0;
  if (body.size() < sizeof parent) throw malformed("a nested call without its parent");
  std::memcpy(&parent, body.data() + body.size() - sizeof parent, sizeof parent);
  const std::lock_guard lock(state_);
  Waiter* const waiter = find(parent);
  if (waiter == nullptr || waiter->is_ticket || broken_) return false;
  // It holds its object strand, which others wait for: it must not queue for a busy thread.
  if (call.grant && !(waiter->listens && waiter->nested.empty())) return false;
  // The thread may be waiting for something else within what it runs meanwhile.
  const bool is_elsewhere = !waiter->listens && waiter->thread != nullptr && call.chain;
  if (is_elsewhere && Chains::of_process().offer_to(waiter->thread, call, *this)) return true;
  waiter->nested.push_back(std::move(call));
  waiter->event.notify_poller(Waiter::called);
  return true;
}

void Link::suspend(Waiter& waiter) {
  waiter.listens = false;
  waiter.thread = &CallsOfThread::here();
}

std::vector<IncomingCall> Link::take_nested(Waiter& waiter, const ChainId& chain) {
  const std::lock_guard lock(state_);
  const auto theirs =
      std::stable_partition(waiter.nested.begin(), waiter.nested.end(),
                            [&](const IncomingCall& each) { return each.chain != chain; });
  std::vector<IncomingCall> taken(std::make_move_iterator(theirs),
                                  std::make_move_iterator(waiter.nested.end()));
  waiter.nested.erase(theirs, waiter.nested.end());
  return taken;
}

void Link::conclude(Waiter& waiter, std::unique_lock<StateMutex>& lock) {
  waiter.concluded = true;
  if (take_out(waiter)) give_up_waiting(waiter);
  pass_on(waiter, lock);
  const bool done = waiter.done;
  if (waiter.taken_out) {
    lock.unlock();
    // The reader is handing the answer over.
    while (!waiter.done) waiter.done = (waiter.event.wait({}) & Waiter::delivered) != 0;
    return;
  }
  if (done) return;
  if (waiter.cancelled) {
    throw Error(Failure::cancelled, waiter.why_cancelled, Fate::may_have_executed, ECANCELED);
  }
  if (broken_) throw_broken(Fate::may_have_executed);
  throw Error(Failure::time_out, "the deadline passed before the reply came",
              Fate::may_have_executed, ETIMEDOUT);
}

bool Link::is_over(Waiter& waiter, Deadline deadline) {
  const auto concluded = [&] {
    const std::lock_guard lock(state_);
    return is_concluded(waiter) || (deadline && Clock::now() >= *deadline);
  };
  if (concluded()) return true;
  refresh();
  return concluded();
}

bool Link::conclude_if_over(Waiter& waiter, Deadline deadline) {
  std::unique_lock lock(state_);
  if (!is_concluded(waiter) && !(deadline && Clock::now() >= *deadline)) return false;
  end_wait(waiter, lock);
  return true;
}

void Link::end_wait(Waiter& waiter, std::unique_lock<StateMutex>& lock) {
  try {
    conclude(waiter, lock);
  } catch (const Error&) {
    if (lock.owns_lock()) lock.unlock();
    if (!waiter.cancelled) answer_is_late();
    throw;
  }
}

bool Link::cancel(Waiter& waiter, const char* why) {
  {
    const std::lock_guard lock(state_);
    if (is_concluded(waiter)) return false;
    waiter.why_cancelled = why;
    waiter.cancelled = true;
    tell_observers(waiter);
    if (take_out(waiter)) give_up_waiting(waiter);
    waiter.event.notify_poller(Waiter::called);
  }
  send_cancel(waiter.id);
  answer_is_late();
  return true;
}

void Link::send_cancel(std::uint64_t id) {
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::cancel);
  header.request = id;
  Encoder nothing;
  try {
    Spent spent;  // dropped without the lock
    const auto lock = lock_write();
    put_in_line({}, header, nothing, false, nullptr, spent);
    // The pong wakes the reading thread, which may be the one that waited for this call.
    header.type = static_cast<std::uint8_t>(FrameType::ping);
    header.request = 0;  // not a request for confirmation
    if (!is_write_blocked) channel->try_send(header);
  } catch (const Error& error) {
    fail(error);  // which ends the call as well
  }
}

bool Link::try_send_cancel(std::uint64_t id) {
  const auto lock = lock_write_soon();
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::cancel);
  header.request = id;
  if (!lock.owns_lock() || !channel->try_send(header)) return false;
  header.type = static_cast<std::uint8_t>(FrameType::ping);
  header.request = 0;
  channel->try_send(header);
  return true;
}

bool Link::observe(TicketWaiter& waiter, std::unique_ptr<ObservedCall>& counted,
                   std::list<Observer>& observer) {
  const std::lock_guard lock(state_);
  if (is_concluded(waiter) || waiter.concluded) return false;
  if (waiter.observed == nullptr) waiter.observed = std::move(counted);
  return waiter.observed->add(observer);
}

void Link::note_cancelled(std::uint64_t id) {
  constexpr std::size_t most = 1024;  // as many calls as may be in work
  const std::lock_guard lock(cancelled_mutex_);
  // Calls that had ended before they were cancelled stay in the list; usually they are the oldest.
  if (cancelled_.size() == most) cancelled_.erase(cancelled_.begin());
  cancelled_.push_back(id);
  has_cancelled_ = true;
}

bool Link::is_among_cancelled(std::uint64_t id) {
  const std::lock_guard lock(cancelled_mutex_);
  return std::ranges::find(cancelled_, id) != cancelled_.end();
}

void Link::take_from_cancelled(std::uint64_t id) {
  const std::lock_guard lock(cancelled_mutex_);
  std::erase(cancelled_, id);
  has_cancelled_ = !cancelled_.empty();
}

void Link::fail(const Error& error) {
  usable_.store(false, std::memory_order_release);
  {
    // Before other threads find that they cannot send, which is no reason.
    const std::lock_guard lock(state_);
    if (!broken_) broken_ = error;
  }
  channel->shut_down();
  end_calls(error);
}

void Link::end_calls(const Error& error) {
  usable_.store(false, std::memory_order_release);
  {
    const std::lock_guard lock(state_);
    if (!broken_) broken_ = error;
    is_broken_.store(true, std::memory_order_release);
    for (Waiter* const each : waiters_) {
      each->event.notify(Waiter::look);
      tell_observers(*each);
    }
  }
  let_go_of_unanswered();
}

void Link::give_up(const Error& error) {
  if (error.failure() == Failure::time_out) throw error;  // nothing of it was sent
  read_last_words();
  fail(error);
  // The last words may have answered it: a goodbye says only that what is unanswered was not run.
  if (error.fate() != Fate::not_sent) throw error;
  const std::lock_guard lock(state_);
  throw_broken(Fate::not_sent);
}

void Link::throw_broken(Fate fate) {
  if (runs_nothing_more_) fate = Fate::not_sent;
  if (broken_) throw Error(broken_->failure(), broken_->what(), fate, broken_->err());
  throw Error(Failure::unexpected_close, "the peer is shutting down", fate);
}

void Link::send_bare(FrameType type, std::uint64_t id) {
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(type);
  header.request = id;
  const std::unique_lock lock(write, std::try_to_lock);
  if (lock.owns_lock() && !is_write_blocked) channel->try_send(header);
}

}  // namespace shinar::wire
