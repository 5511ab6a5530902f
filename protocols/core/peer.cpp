#include "peer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <map>
#include <new>
#include <system_error>
#include <thread>

#include "cargo.hpp"
#include "checked_mutex.hpp"
#include "crew.hpp"
#include "decoder.hpp"
#include "errands.hpp"
#include "exports.hpp"
#include "interruption.hpp"
#include "running_call.hpp"
#include "thread_end.hpp"

namespace shinar::wire {
namespace {

using std::chrono::milliseconds;

/** The peers of this process. Never destroyed: objects may be released late in exit. */
struct Directory {
  CheckedMutex<"Directory"> mutex;
  std::map<std::string, std::shared_ptr<Peer>> peers;
  std::size_t most = 64;  ///< number of peers from which on unused ones are removed

  Directory() {}
  void lock_all() {
    mutex.lock();
    for (const auto& [name, peer] : peers) peer->lock_for_fork();
  }
  void unlock_all() {
    for (const auto& [name, peer] : peers) peer->unlock_after_fork();
    mutex.unlock();
  }
  /** Removes the unreferenced peers without state: a program may be sent any number of URLs. */
  std::vector<std::shared_ptr<Peer>> take_unused() {
    std::vector<std::shared_ptr<Peer>> unused;
    for (auto& [name, peer] : peers) {
      if (peer.use_count() == 1 && !peer->has_state()) unused.push_back(std::move(peer));
    }
    std::erase_if(peers, [](const auto& each) { return each.second == nullptr; });
    most = std::max(most, 2 * peers.size());
    return unused;
  }
  static Directory& instance() {
    static Directory* const directory = new Directory;
    return *directory;
  }
};

/** A connection idle for longer may have been closed: check before using it. */
constexpr auto stale_after = milliseconds(200);
/**
 * After a failed attempt to connect, how long existing connections are shared before the next
 * attempt.
 */
constexpr milliseconds growth_pause(1000);
/** How long one attempt to connect, of those that callers do not wait for, is the only one. */
constexpr milliseconds first_patience(1000);

/**
 * What a failure to connect says about the server, so that others fail of it, too; NULL if it only
 * concerns one caller, which could not wait any longer, or this process.
 */
const Error* failure_of_all(const std::exception& failure) {
  const auto* const error = dynamic_cast<const Error*>(&failure);
  if (error == nullptr || error->failure() == Failure::cancelled) return nullptr;
  return error->failure() == Failure::time_out ? nullptr : error;
}

bool is_given_up(const std::exception& failure) {
  return dynamic_cast<const Error*>(&failure) != nullptr && failure_of_all(failure) == nullptr;
}

/** To all servers that are chosen: first to each, so that they take leave at the same time. */
void say_goodbye(const std::function<bool(const Peer&)>& is_chosen) noexcept {
  const Cancelling not_now(PTHREAD_CANCEL_DISABLE);
  try {
    const std::lock_guard lock(Directory::instance().mutex);
    std::vector<std::shared_ptr<ClientConnection>> connections;
    for (const auto& [name, peer] : Directory::instance().peers) {
      if (is_chosen(*peer)) std::ranges::move(peer->say_goodbye(), std::back_inserter(connections));
    }
    const auto told = std::chrono::steady_clock::now();
    for (const auto& each : connections) each->close(told);
  } catch (const std::exception&) {
    // The sessions' leases end at the servers.
  }
}

/** Runs after all exit handlers and destructors of the program, as these may still make calls. */
[[gnu::destructor]] void say_goodbye_to_all() {
  say_goodbye([](const Peer&) { return true; });
}

}  // namespace

void say_goodbye_over(std::string_view transport) {
  say_goodbye([&](const Peer& peer) { return peer.endpoint().via == transport; });
}

void lock_peers_for_fork() {
  Directory::instance().lock_all();
  Errands::of_process().lock();
}

void unlock_peers_after_fork() {
  Errands::of_process().unlock();
  Directory::instance().unlock_all();
}

Peer::Peer(Endpoint endpoint, const Limits& limits, Exports* exports,
           std::shared_ptr<const Authenticator> authenticator)
    : endpoint_(std::move(endpoint)),
      limits_(limits),
      unclaimed_(std::make_shared<Account>(
          std::make_shared<Budget>(Account::limit_for(limits.session_references)), nullptr)),
      authenticator_(std::move(authenticator)),
      session_(random_id()),
      routes_(endpoint_, RouteOrder::from_environment(limits_)),
      exports_(exports) {}

std::shared_ptr<Peer> Peer::find(const Endpoint& endpoint) {
  Directory& directory = Directory::instance();
  std::vector<std::shared_ptr<Peer>> forgotten;  // dropped without the lock
  const std::lock_guard lock(directory.mutex);
  if (directory.peers.size() >= directory.most) forgotten = directory.take_unused();
  std::shared_ptr<Peer>& peer = directory.peers[make_url(endpoint, {})];
  if (peer == nullptr) {
    peer = std::make_shared<Peer>(endpoint, Limits::from_environment(), Exports::of_process());
  }
  return peer;
}

/** The thread's last connection, if it is idle and was used recently. */
Peer::Connection Peer::pick_recent(const RecentLink& recent, Clock::time_point now) const {
  if (recent.callee != serial || !recent.generation.is_current()) return nullptr;
  Connection connection = std::static_pointer_cast<ClientConnection>(recent.link.lock());
  if (connection == nullptr || !connection->is_usable()) return nullptr;
  if (now - connection->last_used.load(std::memory_order_relaxed) > stale_after) return nullptr;
  int unused = 0;
  return connection->in_use.compare_exchange_strong(unused, 1) ? connection : nullptr;
}

std::shared_ptr<Link> Peer::acquire(const CallsOfThread& thread, Clock::time_point now,
                                    Deadline deadline, bool& reused) {
  if (Connection recent = pick_recent(thread.recent, now)) {
    recent->last_used.store(now, std::memory_order_relaxed);
    reused = true;
    return recent;
  }
  std::unique_lock lock(mutex_);
  if (!generation_.is_current()) forget_parents_connections();
  reused = true;
  if (Connection present = pick(now, now >= no_more_before_)) {
    if (dropped_.empty()) return present;
    lock.unlock();
    tidy();
    return present;
  }
  // Nobody has ever answered here, and a client has named the place: see Errands.
  const bool is_errand = server_ == Id128{} && RunningCall::innermost() != nullptr;
  const bool is_hurried =
      !is_errand && deadline && *deadline < now + milliseconds(limits_.connect_ms);
  const std::size_t most = is_errand ? 1 : limits_.pool_connections;
  if (is_hurried && connecting_ < most && (behind_ == 0 || now >= next_behind_)) {
    connect_behind(now);
  }
  const auto may_connect = [&] { return connecting_ < most && !(is_hurried && behind_ != 0); };
  while (!may_connect()) {
    await_connection(lock, deadline, may_connect);
    if (Connection present = pick(now, false)) return present;
  }
  reused = false;
  ++connecting_;
  lock.unlock();
  Connection connection;
  const auto is_over = [&](const Error* why_others_fail = nullptr) {
    lock.lock();
    attempt_is_over(why_others_fail);
  };
  try {
    if_thread_ends([&] { is_over(); }, [&] { connection = connect(deadline, is_errand); });
  } catch (const std::exception& error) {
    is_over(failure_of_all(error));
    if (is_given_up(error)) throw;
    // There may be too many connections, here or at the server: share the existing ones.
    no_more_before_ = Clock::now() + growth_pause;
    reused = true;
    if (Connection present = pick(now, false)) return present;
    throw;
  }
  is_over();
  lock.unlock();
  tidy();  // sends notices that waited for a connection
  return connection;
}

/** Under the lock. */
void Peer::attempt_is_over(const Error* why_others_fail) {
  --connecting_;
  if (why_others_fail != nullptr) {
    ++failures_;
    failure_ = *why_others_fail;
  }
  connected_.notify_all();
}

/**
 * Has a thread connect that goes on when callers give up: those whose deadlines are shorter than
 * connecting takes would never get a connection, and what is given up in the midst of its handshake
 * costs both ends. Without such a thread they connect themselves. What gets no answer may be this
 * one attempt alone, so that others follow, less and less often. Under the lock.
 */
void Peer::connect_behind(Clock::time_point now) {
  const auto self = std::static_pointer_cast<Peer>(weak_from_this().lock());
  if (self == nullptr) return;
  const WithoutSignals meanwhile;
  try {
    std::thread([self] { self->connect_behind_callers(); }).detach();
    ++connecting_;
    next_behind_ = now + first_patience * (1 << std::min<std::size_t>(behind_++, 8));
  } catch (const std::system_error&) {
    // There may be too many threads.
  }
}

/** The thread, which nobody waits for. */
void Peer::connect_behind_callers() noexcept {
  std::optional<Error> failure;
  try {
    connect({}, false)->in_use.fetch_sub(1);
  } catch (const Error& error) {
    failure = error;
  } catch (const std::exception& error) {
    failure = Error(Failure::connect, error.what());
  }
  {
    const std::lock_guard lock(mutex_);
    if (failure) no_more_before_ = Clock::now() + growth_pause;
    --behind_;
    attempt_is_over(failure ? &*failure : nullptr);
  }
  tidy();
}

/**
 * While connections are being made: waits until one of them is there or has failed. Throws the
 * failure if there is no connection at all.
 */
void Peer::await_connection(std::unique_lock<PeerMutex>& lock, Deadline deadline,
                            const std::function<bool()>& may_go_on) {
  const std::uint64_t failures = failures_;
  const auto over = [&] { return !connections_.empty() || failures_ != failures || may_go_on(); };
  Interruption interruption;
  const WaitForPeer waits;
  while (!over()) {
    const auto now = Clock::now();
    if (deadline && now >= *deadline) throw no_connection_in_time();
    const auto look = now + Interruption::look;
    connected_.wait_until(lock, deadline ? std::min(look, *deadline) : look, over);
    lock.unlock();
    if (interruption.is_due() && interruption.has_come()) throw Interrupted(Fate::not_sent);
    RunningCall::check_wanted();
    lock.lock();
  }
  if (connections_.empty() && failures_ != failures) throw Error(*failure_);
}

/** A usable connection, counted as in use; NULL if there is none, or the pool may grow. */
Peer::Connection Peer::pick(Clock::time_point now, bool may_grow) {
  if (Connection idle = pick_idle(now)) {
    idle->last_used.store(now, std::memory_order_relaxed);
    CallsOfThread::here().recent = {serial, generation_, idle};
    return idle;
  }
  may_grow = may_grow && connections_.size() + connecting_ < limits_.pool_connections;
  if (connections_.empty() || may_grow) return nullptr;
  const auto least = std::min_element(
      connections_.begin(), connections_.end(),
      [](const Connection& a, const Connection& b) { return a->in_use < b->in_use; });
  (*least)->in_use.fetch_add(1);
  return *least;
}

/** An idle connection, counted as in use; drops broken ones on the way. */
Peer::Connection Peer::pick_idle(Clock::time_point now) {
  std::size_t i = 0;
  while (i < connections_.size()) {
    const Connection& each = connections_[i];
    const bool is_idle = each->in_use.load(std::memory_order_relaxed) == 0;
    // If objects were lent, the watcher of Exports detects closed connections.
    const bool stale =
        is_idle && !lends_ && now - each->last_used.load(std::memory_order_relaxed) > stale_after;
    if (!each->is_usable() || (stale && !each->refresh())) {
      dropped_.push_back({each, each->stream});
      connections_.erase(connections_.begin() + static_cast<std::ptrdiff_t>(i));
    } else if (is_idle) {
      each->in_use.fetch_add(1);
      return each;
    } else {
      ++i;
    }
  }
  return nullptr;
}

Peer::KnownRoutes Peer::routes() {
  const std::lock_guard lock(mutex_);
  return {routes_.all(), routes_.in_use(), server_};
}

/** As find_route; the caller, which a client has sent here, is patient for a while. */
Peer::Greeting Peer::run_errand(Deadline deadline) {
  const milliseconds most(std::max(limits_.connect_ms / Errands::share, std::uint32_t{10}));
  const auto until = Clock::now() + most;
  Errand errand(endpoint_, deadline ? std::min(*deadline, until) : until);
  try {
    Greeting greeting = find_route({deadline, Clock::now() + most, true, errand.is_ruled()});
    errand.arrived();
    return greeting;
  } catch (const std::exception& error) {
    errand.failed(error.what());
    throw;
  }
}

Peer::Connection Peer::connect(Deadline deadline, bool is_errand) {
  Greeting greeting = is_errand
                          ? run_errand(deadline)
                          : find_route({deadline, Clock::now() + milliseconds(limits_.connect_ms)});
  greeting.welcome.keepalive_ms = agreed_keepalive(greeting.welcome.keepalive_ms, limits_);
  std::shared_ptr<Streams> streams;
  {
    const std::lock_guard lock(mutex_);
    streams = streams_;
  }
  auto connection =
      std::make_shared<ClientConnection>(std::move(greeting.channel), greeting.welcome, limits_,
                                         this, exports_, std::move(streams), greeting.stream);
  connection->in_use.store(1);
  add(connection, greeting.welcome);
  return connection;
}

void Peer::add(const Connection& connection, const Welcome& welcome) {
  Ledger::Forgotten gone;
  bool is_first = false;
  {
    const std::lock_guard lock(mutex_);
    if (welcome.server != server_) {
      // The server that knew the session is gone and another one is there. What is lent from now on
      // is booked to a new session of the same id.
      if (lent_ != nullptr) gone = exports_->ledger().give_up(*std::exchange(lent_, nullptr));
      streams_->clear();
      dropped_.clear();
      unsent_.clear();
    }
    server_ = welcome.server;
    lease_ = milliseconds(welcome.lease_ms);
    streams_->add(connection->stream);
    if (lends_) watch(connection);
    connections_.push_back(connection);
    is_first = exports_ != nullptr && !std::exchange(is_looked_after_, true);
  }
  if (is_first) exports_->add_peer(weak_from_this());
  if (!gone.empty()) exports_->forget(std::move(gone));
}

/** Moves unusable connections to dropped_. Under the lock. */
void Peer::drop_broken() {
  std::erase_if(connections_, [&](const Connection& each) {
    if (each->is_usable()) return false;  // asked once, as it may break at any moment
    dropped_.push_back({each, each->stream});
    return true;
  });
}

/** Lets the server call objects of this process over the connection. Under the lock. */
void Peer::watch(const Connection& connection) {
  const bool is_first = lent_ == nullptr;
  lent_ = exports_->watch(connection, session_, lease_, streams_);
  connection->set_session(lent_);
  if (!is_first) return;
  // Releases may wait for broken connections to be read to their end.
  for (const Connection& each : connections_) each->set_session(lent_);
  for (const Dropped& each : dropped_) {
    if (const Connection broken = each.connection.lock()) broken->set_session(lent_);
  }
}

Callee::Lender Peer::lender() {
  if (exports_ == nullptr) return {};
  std::unique_lock lock(mutex_);
  if (!generation_.is_current()) forget_parents_connections();
  if (!std::exchange(lends_, true)) {
    for (const Connection& each : connections_) {
      if (each->is_usable()) watch(each);
    }
  }
  if (lent_ == nullptr) {
    // No connection yet: one is made now, and watched.
    lock.unlock();
    bool reused = false;
    acquire(CallsOfThread::here(), Clock::now(), {}, reused)->in_use.fetch_sub(1);
    lock.lock();
  }
  return {&exports_->ledger(), lent_};
}

std::string Peer::url(const std::string& object) const {
  return make_url(endpoint_, object);
}

/** In a forked child: the connections and the session are the parent's. */
void Peer::forget_parents_connections() {
  leave_behind(connections_);
  leave_behind(dropped_);
  unsent_.clear();
  postponed_.clear();
  is_sending_postponed_ = false;
  leave_behind(streams_);
  streams_ = std::make_shared<Streams>();
  connecting_ = 0;
  behind_ = 0;
  new (&connected_) CheckedCondition;  // its destructor would wait for the parent's waiting threads
  session_ = random_id();
  generation_.renew();
  lends_ = false;
  is_looked_after_ = false;
  leave_behind(lent_);
  if (exports_ != nullptr) exports_ = Exports::of_process();
}

Peer::Created Peer::create(std::string_view type, milliseconds time) {
  return ask(FrameType::create, 0, type, time);
}

Peer::Created Peer::attach(std::string_view object, bool add_reference, milliseconds time) {
  return ask(FrameType::attach, add_reference ? flag_add_reference : 0, object, time);
}

Peer::Created Peer::ask(FrameType type, std::uint8_t flags, std::string_view name,
                        milliseconds time) {
  Encoder body;
  body.put_string(name);
  Request request;
  request.type = type;
  request.flags = flags;
  request.encoder = &body;
  if (time.count() != 0) request.deadline = Clock::now() + time;
  Created created;
  call(request, created.message);
  created.is_exception = created.message.type() == FrameType::exception;
  if (!created.is_exception) {
    Decoder decoder(created.message);
    if (static_cast<ObjectTag>(decoder.get<std::uint8_t>()) != ObjectTag::at_sender) {
      throw malformed("an object is not at the requested place");
    }
    created.id = decoder.get_name();
    created.type = decoder.get_name();
    // From here on the caller owns the reference.
    if (created.message.cargo != nullptr) created.message.cargo->take_over(0);
  }
  return created;
}

void Peer::inherit(const std::string& object) {
  const Created attached = attach(object, true);
  if (!attached.is_exception) return;
  throw Error(Failure::object_does_not_exist,
              "the handle belongs to the parent process, and its object cannot be attached to");
}

bool Peer::has_state() {
  const std::lock_guard lock(mutex_);
  return lends_ || connecting_ != 0 || !connections_.empty() || !dropped_.empty() ||
         !unsent_.empty() || !postponed_.empty();
}

std::vector<std::shared_ptr<ClientConnection>> Peer::say_goodbye() {
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || !generation_.is_current()) return {};
  auto connections = std::exchange(connections_, {});
  lock.unlock();
  for (const Connection& each : connections) each->say_goodbye();
  return connections;
}

}  // namespace shinar::wire
