#include "peer.hpp"

#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <map>

#include "decoder.hpp"
#include "exports.hpp"

namespace simhandle {
namespace {

using std::chrono::milliseconds;

/** Counts the forks between the program's start and this process. */
std::atomic<unsigned> fork_generation{0};

/** The peers of this process. Never destroyed: objects may be released late in exit. */
struct Directory {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<Peer>> peers;

  Directory() {
    ::pthread_atfork([] { instance().lock_all(); }, [] { instance().unlock_all(); },
                     [] {
                       fork_generation.fetch_add(1);
                       instance().unlock_all();
                     });
    std::atexit([] {
      const std::lock_guard lock(instance().mutex);
      for (const auto& [name, peer] : instance().peers) peer->say_goodbye();
    });
  }
  void lock_all() {
    mutex.lock();
    for (const auto& [name, peer] : peers) peer->lock_for_fork();
  }
  void unlock_all() {
    for (const auto& [name, peer] : peers) peer->unlock_after_fork();
    mutex.unlock();
  }
  static Directory& instance() {
    static Directory* const directory = new Directory;
    return *directory;
  }
};

/** The connection that a thread called through last: found again without a lock. */
struct Recent {
  std::uint64_t peer = 0;  ///< its serial
  unsigned generation = 0;
  std::weak_ptr<ClientConnection> connection;

  // Not inlined: each use would look the thread's up again.
  [[gnu::noinline]] static Recent& of_this_thread() {
    static thread_local Recent recent;
    return recent;
  }
};

/** A connection that has been idle for longer may have been closed: look before using it. */
constexpr auto stale_after = milliseconds(200);
/** After a connection could not be made, how long others are shared before the next is tried. */
constexpr milliseconds growth_pause(1000);

}  // namespace

Peer::Peer(Endpoint endpoint, const Limits& limits, Exports* exports)
    : endpoint_(std::move(endpoint)),
      limits_(limits),
      session_(random_id()),
      generation_(fork_generation.load()),
      exports_(exports) {}

std::shared_ptr<Peer> Peer::find(const Endpoint& endpoint) {
  Directory& directory = Directory::instance();
  const std::lock_guard lock(directory.mutex);
  std::shared_ptr<Peer>& peer = directory.peers[endpoint.text()];
  if (peer == nullptr) {
    peer = std::make_shared<Peer>(endpoint, Limits::from_environment(), Exports::of_process());
  }
  return peer;
}

/** The thread's last connection, if nobody uses it and it was used just now. */
Peer::Connection Peer::pick_recent(Clock::time_point now) const {
  const Recent& recent = Recent::of_this_thread();
  if (recent.peer != serial || recent.generation != fork_generation.load(std::memory_order_relaxed))
    return nullptr;
  Connection connection = recent.connection.lock();
  if (connection == nullptr || !connection->is_usable()) return nullptr;
  if (now - connection->last_used.load(std::memory_order_relaxed) > stale_after) return nullptr;
  int unused = 0;
  return connection->in_use.compare_exchange_strong(unused, 1) ? connection : nullptr;
}

std::shared_ptr<Link> Peer::acquire(Clock::time_point now, Deadline deadline, bool& reused) {
  if (Connection recent = pick_recent(now)) {
    recent->last_used.store(now, std::memory_order_relaxed);
    reused = true;
    return recent;
  }
  std::unique_lock lock(mutex_);
  if (generation_ != fork_generation.load(std::memory_order_relaxed)) forget_parents_connections();
  reused = true;
  if (Connection present = pick(now, now >= no_more_before_)) return present;
  if (connecting_ >= limits_.pool_connections) {
    await_connection(lock, deadline);
    if (Connection present = pick(now, false)) return present;
  }
  reused = false;
  ++connecting_;
  lock.unlock();
  Connection connection;
  try {
    connection = connect(deadline);
  } catch (...) {
    lock.lock();
    --connecting_;
    ++failures_;
    failure_ = std::current_exception();
    connected_.notify_all();
    // It may well be that there are too many, here or there: those that are there must do.
    no_more_before_ = Clock::now() + growth_pause;
    reused = true;
    if (Connection present = pick(now, false)) return present;
    throw;
  }
  lock.lock();
  --connecting_;
  connections_.push_back(connection);
  connected_.notify_all();
  auto releases = std::exchange(unsent_releases_, {});
  lock.unlock();
  for (const auto& [object, count] : releases) send_release(*connection, object, count);
  return connection;
}

/** Others make as many connections as there may be: waits for the first of them, or a failure. */
void Peer::await_connection(std::unique_lock<std::mutex>& lock, Deadline deadline) {
  const std::uint64_t failures = failures_;
  const auto over = [&] { return !connections_.empty() || failures_ != failures; };
  auto until = Clock::now() + milliseconds(limits_.connect_ms);
  if (deadline) until = std::min(until, *deadline);
  connected_.wait_until(lock, until, over);
  if (connections_.empty() && failures_ != failures) std::rethrow_exception(failure_);
}

/** A usable connection, counted as used; NULL: there is none, or there may be one more. */
Peer::Connection Peer::pick(Clock::time_point now, bool may_grow) {
  if (Connection idle = pick_idle(now)) {
    idle->last_used.store(now, std::memory_order_relaxed);
    Recent& recent = Recent::of_this_thread();
    recent.peer = serial;
    recent.generation = generation_;
    recent.connection = idle;
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

/** A usable connection without calls, counted as used; drops broken ones on the way. */
Peer::Connection Peer::pick_idle(Clock::time_point now) {
  std::size_t i = 0;
  while (i < connections_.size()) {
    const Connection& each = connections_[i];
    const bool is_idle = each->in_use.load(std::memory_order_relaxed) == 0;
    // What was lent is attended to by a thread that would find out.
    const bool stale =
        is_idle && !lends_ && now - each->last_used.load(std::memory_order_relaxed) > stale_after;
    if (!each->is_usable() || (stale && !each->refresh())) {
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

Peer::Connection Peer::connect(Deadline deadline) {
  Hello hello;
  {
    const std::lock_guard lock(mutex_);
    hello.session = session_;
    hello.number = ++last_number_;
  }
  hello.inline_bytes = limits_.inline_bytes;
  hello.message_bytes = limits_.message_bytes;
  hello.keepalive_ms = limits_.keepalive_ms;
  Welcome welcome;
  Socket socket = greet(hello, deadline, welcome);
  auto connection =
      std::make_shared<ClientConnection>(std::move(socket), welcome, limits_, this, exports_);
  connection->in_use.store(1);
  connection->number = hello.number;
  const std::lock_guard lock(mutex_);
  if (lends_ && welcome.server != server_ && lent_ != nullptr) {
    // Another server than the one to which the references were lent: that one is gone.
    exports_->ledger().say_goodbye(*lent_);
  }
  server_ = welcome.server;
  lease_ = milliseconds(welcome.lease_ms);
  if (lends_) attend(connection);
  return connection;
}

/** Connects and shakes hands; neither may take longer than the deadline allows. */
Socket Peer::greet(const Hello& hello, Deadline deadline, Welcome& welcome) const {
  const auto patience = [&] {
    const milliseconds most(limits_.connect_ms);
    if (!deadline) return most;
    return std::clamp(std::chrono::ceil<milliseconds>(*deadline - Clock::now()), milliseconds(1),
                      most);
  };
  try {
    Socket socket = connect_to(endpoint_, patience());
    welcome = shake_hands(socket.fd(), hello, static_cast<std::uint32_t>(patience().count()));
    return socket;
  } catch (const Error& error) {
    if (error.err() != ETIMEDOUT) throw;
    if (!deadline || Clock::now() < *deadline) {
      throw Error(error.failure(),
                  std::string(error.what()) + ", within the limit of " +
                      std::to_string(limits_.connect_ms) + " ms (setting: SIDL_RMI_CONNECT_MS)",
                  error.fate(), error.err());
    }
    throw Error(Failure::time_out, "the deadline passed before there was a connection",
                Fate::not_sent, ETIMEDOUT);
  }
}

/** From now on the server may call objects of this process over the connection. Under the lock. */
void Peer::attend(const Connection& connection) {
  lent_ = exports_->attend(connection, session_, lease_);
  connection->set_session(lent_);
}

Callee::Lender Peer::lender() {
  if (exports_ == nullptr) return {};
  std::unique_lock lock(mutex_);
  if (!std::exchange(lends_, true)) {
    for (const Connection& each : connections_) {
      if (each->is_usable()) attend(each);
    }
  }
  if (lent_ == nullptr) {
    // No connection yet: the one that is made now is attended to.
    lock.unlock();
    bool reused = false;
    acquire(Clock::now(), {}, reused)->in_use.fetch_sub(1);
    lock.lock();
  }
  return {&exports_->ledger(), lent_};
}

std::string Peer::url(const std::string& object) const {
  return make_url(endpoint_, object);
}

/** In a forked child: the sockets and the session are the parent's. */
void Peer::forget_parents_connections() {
  // Leaked on purpose: their locks may be held by threads that do not exist here.
  for (Connection& each : connections_) {
    each->abandon();
    new Connection(std::move(each));
  }
  connections_.clear();
  unsent_releases_.clear();
  connecting_ = 0;
  session_ = random_id();
  generation_ = fork_generation.load();
  lends_ = false;
  new std::shared_ptr<Session>(std::move(lent_));
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
    created.id = decoder.get_name();
    created.type = decoder.get_name();
  }
  return created;
}

void Peer::release(const std::string& object, std::uint32_t count) noexcept {
  try {
    std::unique_lock lock(mutex_);
    if (generation_ != fork_generation.load()) return;  // the parent's reference
    std::erase_if(connections_, [](const Connection& each) { return !each->is_usable(); });
    if (connections_.empty()) {
      unsent_releases_.emplace_back(object, count);
      return;
    }
    const Connection connection = connections_.front();
    lock.unlock();
    send_release(*connection, object, count);
  } catch (const std::exception&) {
    // Without memory or connection the reference ends with the session's lease.
  }
}

void Peer::send_release(ClientConnection& connection, const std::string& object,
                        std::uint32_t count) {
  Encoder body;
  body.put_string(object);
  body.put(count);
  Request request;
  request.type = FrameType::release;
  request.encoder = &body;
  try {
    connection.send(request);
  } catch (const Error&) {
    const std::lock_guard lock(mutex_);
    unsent_releases_.emplace_back(object, count);
  }
}

void Peer::say_goodbye() noexcept {
  try {
    std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || generation_ != fork_generation.load()) return;
    auto connections = std::exchange(connections_, {});
    lock.unlock();
    for (const Connection& each : connections) each->close();
  } catch (const std::exception&) {
    // The lease does the rest.
  }
}

}  // namespace simhandle
