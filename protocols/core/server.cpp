#include "server.hpp"

#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include "strands.hpp"

namespace shinar::wire {
namespace {

using std::chrono::milliseconds;

/** How long a worker may sleep in recv on one connection before it looks around. */
constexpr milliseconds park_length{100};
constexpr milliseconds chores_interval{20};
/** How long a worker waits at a time for a client to take an answer. */
constexpr milliseconds linger_length{10};
/** How long the end of a server waits at most for those who are sending answers. */
constexpr milliseconds goodbye_patience{100};

}  // namespace

Server::Server(Host& host, ServerOptions options)
    : host_(host),
      options_(std::move(options)),
      ledger_(host, options_.limits.session_references),
      room_(::epoll_create1(EPOLL_CLOEXEC)),
      lease_ms_(options_.limits.lease_ms),
      pool_(*this, options_.threads) {
  if (!room_.is_open()) {
    throw Error(Failure::bind, std::string("cannot make a server: ") + std::strerror(errno),
                Fate::not_sent, errno);
  }
  listen(options_.listen);
}

Server::~Server() {
  stop(std::chrono::hours(24));
}

const Endpoint& Server::listen(const Endpoint& endpoint) {
  doors_.push_back(std::make_unique<Door>(endpoint));
  return doors_.back()->listener->endpoint();
}

void Server::start() {
  started_ = true;
  for (const auto& door : doors_) pool_.add(door->listener->descriptor(), door.get());
  pool_.add(room_.fd(), &room_);
  pool_.start();
}

bool Server::stop(milliseconds patience) {
  if (stopping_.exchange(true) || !started_) return true;
  const auto until = Clock::now() + patience;
  await_calls_in_work(until);
  for (const auto& door : doors_) {
    pool_.remove(door->listener->descriptor());
    door->listener->close();
  }
  say_goodbye_to_all();  // from here on no call begins
  // Which would all be due when their connections end.
  const auto discarded = ledger_.discard_waiting();
  for (const auto& connection : all_connections()) {
    connection->fail(Error(Failure::unexpected_close, "the server was stopped"));
  }
  const auto last = std::max(until, Clock::now() + milliseconds(500));
  // All find their connections broken; but what they run in the course of a call may take long.
  // Who waited touches the server no more when it has said so, hence nothing is notified.
  while (waiting_ != 0 && Clock::now() < last) std::this_thread::sleep_for(milliseconds(1));
  if (waiting_ != 0) return false;
  const auto left = std::chrono::duration_cast<milliseconds>(last - Clock::now());
  if (!pool_.stop(std::max(left, milliseconds(1)))) return false;
  drop_calls();
  const auto gone = ledger_.drop_all();
  return true;
}

/**
 * Meanwhile connections are accepted and none is told to go: calls of the chains in work may come
 * by, over any of them. All others are refused, and do not count.
 */
void Server::await_calls_in_work(Clock::time_point until) {
  std::unique_lock lock(mutex_);
  drained_.wait_until(lock, until, [this] { return in_work_.load() == 0; });
  stopped_ = true;
  has_cut_ = in_work_.load() != 0;
}

/** Those that have not begun: no thread is left to run them. */
void Server::drop_calls() {
  for (const auto& [raw, connection] : std::exchange(backlogged_, {})) {
    connection->stalled.clear();  // which hold their connections
  }
  Strands::of_process().take_all_of(this);
  while (!tasks_.empty()) std::exchange(tasks_, {});  // of which each may make room for another
}

void Server::serve(void* what, Worker& worker) {
  if (Door* const door = door_of(what)) {
    accept_all(*door);
  } else if (what == &room_) {
    serve_room(worker);
  } else if (what == &forgotten_) {
    Ledger::Forgotten gone;  // destroyed without the lock
    const std::lock_guard lock(mutex_);
    gone = std::move(forgotten_);
  } else if (what == &tasks_) {
    std::function<void(Worker&)> task;
    {
      const std::lock_guard lock(mutex_);
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task(worker);
  } else {
    serve_connection(*static_cast<ServerConnection*>(what), worker);
  }
}

/** What the pool reports, if it is not a connection. */
Door* Server::door_of(void* what) const {
  for (const auto& door : doors_) {
    if (what == door.get()) return door.get();
  }
  return nullptr;
}

/** What the pool reports, if it is one. */
ServerConnection* Server::connection_of(void* what) const {
  const bool is_one =
      what != &room_ && what != &forgotten_ && what != &tasks_ && door_of(what) == nullptr;
  return is_one ? static_cast<ServerConnection*>(what) : nullptr;
}

void Server::accept_all(Door& door) {
  while (!stopped_) {
    try {
      auto accepted = door.listener->accept(options_.limits);
      if (accepted.channel == nullptr) {
        if (errno == EINTR || errno == ECONNABORTED) continue;
        if (errno != EAGAIN) throw std::system_error(errno, std::generic_category());
        pool_.arm(door.listener->descriptor(), &door);
        return;
      }
      admit(std::move(accepted));
      door.exhausted = false;
    } catch (const std::exception& error) {
      // No descriptors or memory: the clients wait in the backlog; chores tries again.
      if (!door.exhausted.exchange(true)) {
        host_.log(std::string("cannot accept connections at the moment: ") + reason_of(error));
      }
      const std::lock_guard lock(mutex_);
      door.paused = true;
      return;
    }
  }
}

void Server::admit(Listener::Accepted accepted) {
  accepted.channel->set_patience(park_length, linger_length);
  auto connection = std::make_shared<ServerConnection>(*this, std::move(accepted.channel),
                                                       std::move(accepted.peer));
  const std::lock_guard lock(mutex_);
  const std::size_t most = options_.limits.connections;
  if (connections_.size() >= most) {
    connection->surplus = connections_.size() + 1;  // its greeting is answered with a refusal
    constexpr std::size_t most_refusals = 64;
    if (connections_.size() >= most + most_refusals) {
      counters_.refused.fetch_add(1, std::memory_order_relaxed);
      return;
    }
  }
  counters_.accepted.fetch_add(1, std::memory_order_relaxed);
  connections_.emplace(connection.get(), connection);
  try {
    pool_.add(connection->channel->descriptor(), connection.get());
  } catch (const std::exception&) {
    connections_.erase(connection.get());
    throw;
  }
}

/** The call that a worker runs takes long: somebody else shall read the connection. */
void Server::release(void* what) {
  auto& connection = *static_cast<ServerConnection*>(what);
  if (!throttle(connection)) let_go(connection);
}

void Server::chores(Clock::time_point now) {
  skim_all();
  if (now < next_chores_) return;
  next_chores_ = now + chores_interval;
  send_signs_of_life(now);
  press_slow_readers(now);
  look_after_waiting();
  tell_of_long_waits(now);
  close_silent(now);
  forget(ledger_.expire(now));
  const std::lock_guard lock(mutex_);
  for (const auto& door : doors_) {
    if (!door->paused || stopped_) continue;
    door->paused = false;
    pool_.arm(door->listener->descriptor(), door.get());
  }
}

/** Methods that wait for peers may wait for calls that are not read because of others. */
void Server::look_after_waiting() {
  if (Chains::of_process().waiting() == 0) return;
  std::vector<std::shared_ptr<ServerConnection>> throttled;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [raw, connection] : connections_) {
      if (connection->throttled && connection->in_work < most_in_work() && !is_full(*connection)) {
        throttled.push_back(connection);
      }
    }
  }
  for (const auto& connection : throttled) unthrottle(*connection);
}

/** Says who waits for whom, if that takes long. */
void Server::tell_of_long_waits(Clock::time_point now) {
  constexpr std::chrono::seconds patience(10);
  if (now < next_telling_) return;
  next_telling_ = now + std::chrono::seconds(1);
  for (const std::string& line : Strands::of_process().overdue(patience)) host_.log(line);
}

/** What has no references any more is destroyed by a worker: that may run users' destructors. */
void Server::forget(Ledger::Forgotten gone) {
  if (gone.empty()) return;
  bool is_first = false;
  {
    const std::lock_guard lock(mutex_);
    is_first = forgotten_.empty();
    forgotten_.add(std::move(gone));
  }
  if (is_first) pool_.enqueue(&forgotten_);
}

/** Any thread. */
void Server::run_in_worker(std::function<void(Worker&)> task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  pool_.enqueue(&tasks_);
}

/** Tells clients that wait for a call, or to be read at all, that this process is alive. */
void Server::send_signs_of_life(Clock::time_point now) {
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::pong);
  pool_.for_each_waiting([this](void* what) {
    if (ServerConnection* const connection = connection_of(what)) connection->attended = false;
  });
  const std::lock_guard lock(mutex_);
  for (const auto& [raw, connection] : connections_) {
    if (!connection->greeted.load(std::memory_order_acquire)) continue;
    const bool waits = !connection->attended || connection->in_work != 0;
    if (!waits || connection->last_sign == Clock::time_point()) {
      connection->last_sign = waits ? now : Clock::time_point();
      continue;
    }
    if (now - connection->last_sign < milliseconds(connection->keepalive_ms / 3)) continue;
    connection->last_sign = now;
    const std::unique_lock write(connection->write, std::try_to_lock);
    if (write.owns_lock() && !connection->is_clogged) connection->channel->try_send(header);
  }
}

/** Ends connections that have not finished the handshake in time. */
void Server::close_silent(Clock::time_point now) {
  const auto patience = milliseconds(options_.limits.connect_ms);
  const std::lock_guard lock(mutex_);
  for (const auto& [raw, connection] : connections_) {
    if (!connection->greeted && connection->is_usable() && now - connection->accepted > patience) {
      host_.log("closing the connection of " + connection->peer +
                ": no greeting within the limit of " + std::to_string(patience.count()) +
                " ms (setting: SIDL_RMI_CONNECT_MS)");
      connection->channel->shut_down();  // its reader will find it closed
    }
  }
}

std::vector<std::shared_ptr<ServerConnection>> Server::all_connections() {
  std::vector<std::shared_ptr<ServerConnection>> all;
  const std::lock_guard lock(mutex_);
  for (const auto& [raw, connection] : connections_) all.push_back(connection);
  return all;
}

/** But not where calls are cut off: the goodbye says that what is not answered was not run. */
void Server::say_goodbye_to_all() {
  const auto until = Clock::now() + goodbye_patience;
  for (const auto& connection : all_connections()) {
    const bool is_cut = has_cut_ && (connection->in_work != 0 || connection->unsent_calls != 0);
    if (!connection->greeted || is_cut) continue;
    send_goodbye(*connection, false, "the server is shutting down", until);
  }
}

std::size_t Server::connection_count() {
  const std::lock_guard lock(mutex_);
  return connections_.size();
}

std::size_t Server::unread_count() {
  std::size_t count = 0;
  pool_.for_each_waiting([&](void* what) { count += connection_of(what) == nullptr ? 0 : 1; });
  return count;
}

}  // namespace shinar::wire
