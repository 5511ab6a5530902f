#include "callee.hpp"

#include <cerrno>
#include <ctime>
#include <new>

#include "chain.hpp"
#include "crew.hpp"
#include "decoder.hpp"
#include "forking.hpp"
#include "notice.hpp"
#include "pending_call.hpp"
#include "running_call.hpp"
#include "thread_end.hpp"

namespace shinar::wire {
namespace {

/** The time with a resolution of a few milliseconds, at a quarter of the cost of Clock::now(). */
Link::Clock::time_point coarse_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return Link::Clock::time_point(std::chrono::seconds(now.tv_sec) +
                                 std::chrono::nanoseconds(now.tv_nsec));
}

const char* fate_text(Fate fate) {
  switch (fate) {
    case Fate::not_sent:
      return "the method was not run";
    case Fate::may_have_executed:
      return "the method may have been run";
    case Fate::executed:
      break;
  }
  return "the method was run";
}

std::string describe(const Request& request) {
  switch (request.type) {
    case FrameType::create:
      return "creating an object";
    case FrameType::attach:
      return "attaching to an object";
    case FrameType::request:
    case FrameType::oneway:
      return "calling '" + std::string(request.method) + "'";
    default:
      return "talking";
  }
}

/** The chain of a nonblocking call made outside any call of a peer. */
const ChainId& begin_outermost(CallsOfThread& thread) {
  std::shared_ptr<OutermostChain>& chain = thread.outermost_chain;
  if (chain == nullptr || chain->is_given_up) chain = std::make_shared<OutermostChain>();
  if (chain->pending == 0) chain->id = ChainId::random();
  return chain->id.begin_branch();
}

}  // namespace

/** Links and calls belong to the parent; the calls end with end_stray_child(). */
void forget_calls_of_parent() noexcept {
  CallsOfThread& thread = CallsOfThread::here();
  thread.innermost = nullptr;
  thread.standby = nullptr;
  thread.suspended = nullptr;
  thread.crew = nullptr;
  thread.outermost_order = CallOrder();
  thread.outermost_chain.reset();
  thread.order = &thread.outermost_order;
}

std::uint64_t Callee::next_serial() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

Error CallText::explain(const Error& error) const {
  using std::chrono::milliseconds;
  const auto elapsed =
      std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - start).count();
  std::string text =
      what + " at " + place + " failed after " + std::to_string(elapsed) + " ms: " + error.what();
  const std::string fate = std::string("; ") + fate_text(error.fate());
  if (has_fate && !text.ends_with(fate)) text += fate;  // else a nested call has said so
  if (error.err() != 0) text += " (errno " + std::to_string(error.err()) + ")";
  return Error(error.failure(), text, error.fate(), error.err());
}

CallText Callee::text_of(const Request& request, Clock::time_point start) const {
  return {describe(request), place(), start, request.type != FrameType::attach};
}

/** The link of the innermost call of this callee that this thread runs, if any. */
std::shared_ptr<Link> Callee::surrounding(Request& request, bool is_ordered) const {
  for (RunningCall* call = RunningCall::innermost(); call != nullptr; call = call->outer()) {
    if (call->link().callee() != serial) continue;
    if (!call->link().is_usable()) return nullptr;
    if (!is_ordered && request.type == FrameType::request) request.parent = call->id();
    return call->link().shared_from_this();
  }
  return nullptr;
}

std::shared_ptr<Link> Callee::choose(Request& request, bool is_ordered, Clock::time_point now,
                                     bool& reused) {
  CallsOfThread& thread = CallsOfThread::here();
  CallOrder& order = *thread.order;
  request.crew = thread.crew;
  request.caller_strand = 0;
  request.parent = 0;
  const bool is_waited_for = request.type != FrameType::oneway;
  request.chain = nullptr;
  request.is_outermost = thread.innermost == nullptr;
  if (!request.is_outermost) {
    if (is_waited_for) RunningCall::check_wanted();
    RunningCall& around = *thread.innermost;
    request.chain = is_ordered ? &around.begin_branch() : &around.chain();
  } else if (is_ordered && is_waited_for) {
    request.chain = &begin_outermost(thread);
  } else if (thread.outermost_chain != nullptr && thread.outermost_chain->goes_on()) {
    request.chain = &thread.outermost_chain->id.begin_branch();
  }
  if (thread.crew != nullptr && is_waited_for) thread.crew->check_capacity();
  std::shared_ptr<Link> link;
  if (thread.innermost != nullptr) link = surrounding(request, is_ordered);
  const bool is_inner = link != nullptr;
  if (!is_inner && !order.empty()) {
    link = order.link_to(serial);
    if (link != nullptr && !link->is_usable()) link.reset();
  }
  if (link == nullptr) {
    link = acquire(thread, now, request.deadline, reused);
  } else {
    reused = true;
    link->in_use.fetch_add(1);
  }
  if (is_ordered || (!order.empty() && request.type == FrameType::request &&
                     (is_inner ? order.link_to(serial) == link : order.rules(serial)))) {
    if (order.link_to(serial) != link) {
      order.set_link(serial, link, has_order_of_links() ? link->number() : 0);
    }
    request.caller_strand = order.caller_strand();
  }
  request.abandons = order.has_left();
  return link;
}

/** Tells the callee which links this thread has abandoned, before its first request over another.
 */
void Callee::abandon(Link& link, const Request& first) const {
  Encoder body;
  for (const std::uint64_t number : CallOrder::of_this_thread().left(serial)) body.put(number);
  if (body.body_size() == 0) return;
  Request request;
  request.type = FrameType::abandon;
  request.encoder = &body;
  request.deadline = first.deadline;
  link.send(request);
}

/** Retries over another link what was certainly not sent. */
template <class Action>
void Callee::attempt(Request& request, bool is_ordered, Clock::time_point start, Action action) {
  for (;;) {
    bool reused = false;
    const std::shared_ptr<Link> link = choose(request, is_ordered, start, reused);
    try {
      if_thread_ends([&] { link->in_use.fetch_sub(1); },
                     [&] {
                       if (request.abandons) abandon(*link, request);
                       action(link);
                     });
      // The answer proves that what was sent before the request has arrived, too.
      if (request.abandons && !is_ordered) CallOrder::of_this_thread().told(serial);
      return;
    } catch (const Error& error) {
      link->in_use.fetch_sub(1);
      if (error.fate() != Fate::not_sent && !link->is_usable() && has_order_of_links()) {
        CallOrder::of_this_thread().leave(serial, link->number());
      }
      if (!link->is_usable()) tidy();
      // A reused connection that was found closed had been idle: a new one may well work. One that
      // the server closed because of what it was sent would be closed again.
      const bool is_refused =
          error.failure() == Failure::protocol || error.failure() == Failure::not_allowed;
      if (error.fate() != Fate::not_sent || !reused || link->is_usable() || is_refused) throw;
    }
  }
}

void Callee::call(Request& request, Message& answer) {
  const auto start = coarse_now();
  try {
    attempt(request, false, start, [&](const std::shared_ptr<Link>& link) {
      link->call(request, answer);
      link->in_use.fetch_sub(1);
    });
    if (answer.type() == FrameType::error) throw decode_error(answer);
  } catch (const Error& error) {
    throw text_of(request, start).explain(error);
  }
}

std::unique_ptr<PendingCall> Callee::begin(Request& request) {
  const auto start = coarse_now();
  std::unique_ptr<PendingCall> pending;
  try {
    attempt(request, true, start, [&](const std::shared_ptr<Link>& link) {
      pending = std::make_unique<PendingCall>(link, request, text_of(request, start));
    });
  } catch (const Error& error) {
    throw text_of(request, start).explain(error);
  }
  return pending;
}

void Callee::send(Request& request) {
  const auto start = coarse_now();
  request.type = FrameType::oneway;
  try {
    attempt(request, true, start, [&](const std::shared_ptr<Link>& link) {
      link->send(request);
      link->in_use.fetch_sub(1);
    });
  } catch (const Error& error) {
    throw text_of(request, start).explain(error);
  }
}

void Callee::release(const std::string& object, std::uint64_t count, Charge paid) noexcept {
  Charge kept = let_go(object, count);
  if (!paid) paid = std::move(kept);
  try {
    tell(Notice::release(object, count, std::move(paid)));
  } catch (const std::bad_alloc&) {
    // The peer's books are put right when the session ends.
  }
}

void Callee::tell_all(std::vector<Notice> notices) noexcept {
  for (Notice& each : notices) tell(std::move(each));
}

Error decode_error(Message& message) {
  Decoder decoder(message);
  const auto failure = decoder.get<std::uint32_t>();
  const auto fate = decoder.get<std::uint32_t>();
  if (failure == 0 || failure > last_failure || fate > last_fate) {
    return malformed("unknown error " + std::to_string(failure));
  }
  bool null = false;
  const std::string text(decoder.get_string(null));
  return Error(static_cast<Failure>(failure), text, static_cast<Fate>(fate));
}

}  // namespace shinar::wire
