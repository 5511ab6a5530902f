#include "peer.hpp"

#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>

#include "decoder.hpp"

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

/** A connection that has been idle for longer may have been closed: look before using it. */
constexpr auto stale_after = milliseconds(200);

/** The time to a few milliseconds, for a quarter of what Clock::now() costs. */
ClientConnection::Clock::time_point coarse_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return ClientConnection::Clock::time_point(std::chrono::seconds(now.tv_sec) +
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
      return "calling '" + std::string(request.method) + "'";
    default:
      return "talking";
  }
}

}  // namespace

Peer::Peer(Endpoint endpoint, const Limits& limits)
    : endpoint_(std::move(endpoint)),
      limits_(limits),
      session_(random_id()),
      generation_(fork_generation.load()) {}

std::shared_ptr<Peer> Peer::find(const Endpoint& endpoint) {
  Directory& directory = Directory::instance();
  const std::lock_guard lock(directory.mutex);
  std::shared_ptr<Peer>& peer = directory.peers[endpoint.text()];
  if (peer == nullptr) peer = std::make_shared<Peer>(endpoint);
  return peer;
}

void Peer::call(const Request& request, Message& answer) {
  const auto start = coarse_now();
  ClientConnection::Deadline deadline;
  if (limits_.deadline_ms != 0) deadline = Clock::now() + milliseconds(limits_.deadline_ms);
  try {
    attempt(request, start, deadline, answer);
    if (answer.type() == FrameType::error) throw decode_error(answer);
  } catch (const Error& error) {
    throw explain(error, request, start);
  }
}

void Peer::attempt(const Request& request, Clock::time_point start,
                   ClientConnection::Deadline deadline, Message& answer) {
  for (;;) {
    bool reused = false;
    const Connection connection = acquire(start, reused);
    connection->last_used.store(start, std::memory_order_relaxed);
    try {
      connection->call(request, deadline, answer);
      connection->in_use.fetch_sub(1);
      return;
    } catch (const Error& error) {
      connection->in_use.fetch_sub(1);
      // A connection that was found closed had been idle: a new one may well work.
      if (error.fate() != Fate::not_sent || !reused || connection->is_usable()) throw;
    }
  }
}

Peer::Connection Peer::acquire(Clock::time_point now, bool& reused) {
  std::unique_lock lock(mutex_);
  if (generation_ != fork_generation.load(std::memory_order_relaxed)) forget_parents_connections();
  reused = true;
  if (Connection idle = pick_idle(now)) return idle;
  if (connections_.size() + connecting_ >= limits_.pool_connections && !connections_.empty()) {
    const auto least = std::min_element(
        connections_.begin(), connections_.end(),
        [](const Connection& a, const Connection& b) { return a->in_use < b->in_use; });
    (*least)->in_use.fetch_add(1);
    return *least;
  }
  reused = false;
  ++connecting_;
  lock.unlock();
  Connection connection;
  try {
    connection = connect();
  } catch (...) {
    lock.lock();
    --connecting_;
    throw;
  }
  lock.lock();
  --connecting_;
  connections_.push_back(connection);
  auto releases = std::exchange(unsent_releases_, {});
  lock.unlock();
  for (const auto& [object, count] : releases) send_release(*connection, object, count);
  return connection;
}

/** A usable connection without calls, counted as used; drops broken ones on the way. */
Peer::Connection Peer::pick_idle(Clock::time_point now) {
  std::size_t i = 0;
  while (i < connections_.size()) {
    const Connection& each = connections_[i];
    const bool is_idle = each->in_use.load(std::memory_order_relaxed) == 0;
    const bool stale =
        is_idle && now - each->last_used.load(std::memory_order_relaxed) > stale_after;
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

Peer::Connection Peer::connect() {
  Hello hello;
  {
    const std::lock_guard lock(mutex_);
    hello.session = session_;
  }
  hello.inline_bytes = limits_.inline_bytes;
  hello.message_bytes = limits_.message_bytes;
  hello.keepalive_ms = limits_.keepalive_ms;
  Socket socket = connect_to(endpoint_, milliseconds(limits_.connect_ms));
  const Welcome welcome = shake_hands(socket.fd(), hello, limits_.connect_ms);
  auto connection = std::make_shared<ClientConnection>(std::move(socket), welcome, limits_);
  connection->in_use.store(1);
  return connection;
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
}

Peer::Created Peer::create(std::string_view type) {
  Encoder body;
  body.put_string(type);
  Request request;
  request.type = FrameType::create;
  request.encoder = &body;
  Message answer;
  call(request, answer);
  return finish_attach(std::move(answer));
}

Peer::Created Peer::attach(std::string_view object, bool add_reference) {
  Encoder body;
  body.put_string(object);
  Request request;
  request.type = FrameType::attach;
  request.flags = add_reference ? flag_add_reference : 0;
  request.encoder = &body;
  Message answer;
  call(request, answer);
  return finish_attach(std::move(answer));
}

Peer::Created Peer::finish_attach(Message message) {
  Created created;
  created.message = std::move(message);
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

Error Peer::explain(const Error& error, const Request& request, Clock::time_point start) const {
  const auto elapsed = std::chrono::duration_cast<milliseconds>(Clock::now() - start).count();
  std::string text = describe(request) + " at " + endpoint_.text() + " failed after " +
                     std::to_string(elapsed) + " ms: " + error.what() + "; " +
                     fate_text(error.fate());
  if (error.err() != 0) text += " (errno " + std::to_string(error.err()) + ")";
  return Error(error.failure(), text, error.fate(), error.err());
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

}  // namespace simhandle
