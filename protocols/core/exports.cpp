#include "exports.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "callee.hpp"
#include "client_connection.hpp"
#include "running_call.hpp"
#include "thread_end.hpp"

namespace shinar::wire {
namespace {

using std::chrono::milliseconds;

/**
 * How long a connection may have no reader after a thread of the program has stopped reading it.
 */
constexpr milliseconds handover(10);
/** How often leases and peers are checked. */
constexpr milliseconds review_interval(1000);

constexpr const char* no_callbacks = "objects of this process cannot be called back";
constexpr const char* no_answers = "answers that no thread waits for cannot be read";

std::atomic<Exports*> process_exports{nullptr};

}  // namespace

Exports* Exports::of_process() {
  return process_exports.load(std::memory_order_acquire);
}

void Exports::set_of_process(Exports* exports) {
  process_exports.store(exports, std::memory_order_release);
}

Exports::~Exports() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    work_.notify_all();
    if (wake_.is_open()) static_cast<void>(!::eventfd_write(wake_.fd(), 1));
  }
  if (watcher_.joinable()) watcher_.join();
  while (std::optional<std::thread> runner = take_runner()) runner->join();
  log_.finish();
}

/**
 * Takes one out to join it. Runners that are still at work may submit tasks, and run these
 * themselves.
 */
std::optional<std::thread> Exports::take_runner() {
  const std::lock_guard lock(mutex_);
  if (runners_.empty()) return std::nullopt;
  std::optional<std::thread> runner(std::move(runners_.back()));
  runners_.pop_back();
  return runner;
}

/** Under the lock. */
void Exports::start(const char* consequence) {
  if (watcher_.joinable()) return;
  epoll_ = Socket(::epoll_create1(EPOLL_CLOEXEC));
  wake_ = Socket(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = 0;
  if (!epoll_.is_open() || !wake_.is_open() ||
      ::epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, wake_.fd(), &event) != 0) {
    throw Error(Failure::protocol, std::string(consequence) + ": " + std::strerror(errno),
                Fate::not_sent, errno);
  }
  try {
    watcher_ = std::thread([this] { run_watcher(); });
  } catch (const std::system_error&) {
    throw no_more_threads(Failure::protocol, consequence);
  }
}

std::shared_ptr<Session> Exports::watch(const std::shared_ptr<ClientConnection>& connection,
                                        const Id128& session, std::chrono::milliseconds lease,
                                        const std::shared_ptr<Streams>& streams) {
  const std::lock_guard lock(mutex_);
  Watched& watched = find_or_add(connection, no_callbacks);
  watched.session = ledger_.open(session, lease, streams);
  return watched.session;
}

void Exports::look_after(const std::shared_ptr<ClientConnection>& connection) {
  const std::lock_guard lock(mutex_);
  find_or_add(connection, no_answers);
}

void Exports::hurry() noexcept {
  static_cast<void>(!::eventfd_write(wake_.fd(), 1));
}

void Exports::add_peer(std::weak_ptr<Callee> peer) {
  const std::lock_guard lock(mutex_);
  std::erase_if(peers_, [](const auto& each) { return each.expired(); });
  peers_.push_back(std::move(peer));
  start_for_peers();
}

void Exports::look_after_peers() {
  const std::lock_guard lock(mutex_);
  serves_ = true;
  start_for_peers();
}

/** Under the lock. */
void Exports::start_for_peers() {
  if (!serves_ || peers_.empty()) return;
  try {
    start(no_callbacks);
  } catch (const std::exception&) {
    // Out of threads or descriptors: the next calls detect what has happened.
  }
}

/** If the program makes no more calls, broken connections are only detected here. */
void Exports::visit_peers() {
  std::vector<std::shared_ptr<Callee>> peers;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& each : peers_) {
      if (auto peer = each.lock()) peers.push_back(std::move(peer));
    }
  }
  for (auto& peer : peers) {
    if (peer->look()) submit([peer = std::move(peer)] { peer->tidy(); });
  }
}

/** Under the lock. Throws Error. */
Exports::Watched& Exports::find_or_add(const std::shared_ptr<ClientConnection>& connection,
                                       const char* consequence) {
  start(consequence);
  for (auto& [serial, watched] : watched_) {
    const auto& known = watched.connection;
    if (!known.owner_before(connection) && !connection.owner_before(known)) return watched;
  }
  epoll_event event{};
  event.data.u64 = next_serial_;
  if (::epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, connection->channel->descriptor(), &event) != 0) {
    throw Error(Failure::protocol,
                std::string("cannot watch a connection: ") + std::strerror(errno), Fate::not_sent,
                errno);
  }
  Watched& watched = watched_[next_serial_++];
  watched.connection = connection;
  static_cast<void>(!::eventfd_write(wake_.fd(), 1));
  return watched;
}

/** To be processed without the lock. */
struct Exports::Reviewed {
  Ledger::Forgotten gone;
  std::vector<std::shared_ptr<ClientConnection>> seen;  ///< these may be the last owners
  std::vector<std::shared_ptr<ClientConnection>> broken;
  struct Silent {
    std::uint64_t serial;
    std::shared_ptr<ClientConnection> connection;
    bool begins;
  };
  std::vector<Silent> silent;  ///< perhaps
  milliseconds patience = review_interval;
  bool any_full = false;
};

void Exports::run_watcher() {
  epoll_event events[16];
  milliseconds patience = handover;
  bool any_full = false;
  auto next_visit = Ledger::Clock::now();
  for (;;) {
    const int count = ::epoll_wait(epoll_.fd(), events, 16, static_cast<int>(patience.count()));
    for (int i = 0; i < count; ++i) {
      if (events[i].data.u64 != 0) look(events[i].data.u64);
    }
    if (any_full) look_again();
    const auto now = Ledger::Clock::now();
    forget(ledger_.expire(now, log_));
    log_.tick(now);
    if (now >= next_visit) {
      visit_peers();
      next_visit = now + review_interval;
    }
    Reviewed reviewed;
    {
      const std::lock_guard lock(mutex_);
      if (stopping_) return;
      eventfd_t ignored = 0;
      static_cast<void>(!::eventfd_read(wake_.fd(), &ignored));
      review(reviewed);
    }
    keep_alive(reviewed);
    patience = reviewed.patience;
    any_full = reviewed.any_full;
    forget(std::move(reviewed.gone));
    // If the program makes no more calls, this is only detected here, and the server waits for the
    // report.
    for (const auto& connection : reviewed.broken) {
      submit([connection] { connection->report(); });
    }
  }
}

void Exports::forget(Ledger::Forgotten gone) {
  if (gone.empty()) return;
  submit([all = std::make_shared<Ledger::Forgotten>(std::move(gone))] {});
}

/** Data has arrived; nothing to do if a thread of the program reads the connection. */
void Exports::look(std::uint64_t serial) {
  std::shared_ptr<ClientConnection> connection;
  {
    const std::lock_guard lock(mutex_);
    const auto at = watched_.find(serial);
    if (at == watched_.end()) return;
    at->second.armed = false;
    connection = at->second.connection.lock();
  }
  const bool all = connection == nullptr || connection->service(this);
  const std::lock_guard lock(mutex_);
  const auto at = watched_.find(serial);
  if (at != watched_.end()) at->second.full = !all;
}

/**
 * Reads on where service() stopped early: epoll does not report data already received into a
 * buffer.
 */
void Exports::look_again() {
  std::vector<std::uint64_t> full;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [serial, watched] : watched_) {
      if (watched.full) full.push_back(serial);
    }
  }
  for (const std::uint64_t serial : full) look(serial);
}

/**
 * Rearms epoll for connections that have no reader, forgets those that are gone. Under the lock.
 */
void Exports::review(Reviewed& reviewed) {
  const auto now = Ledger::Clock::now();
  for (auto each = watched_.begin(); each != watched_.end();) {
    Watched& watched = each->second;
    reviewed.seen.push_back(watched.connection.lock());
    const auto& connection = reviewed.seen.back();
    const bool is_over = connection == nullptr || !connection->is_to_be_read();
    if (is_over || (watched.session == nullptr && !connection->expects_answers())) {
      if (connection != nullptr) {
        ::epoll_ctl(epoll_.fd(), EPOLL_CTL_DEL, connection->channel->descriptor(), nullptr);
        if (is_over) reviewed.broken.push_back(connection);
      }
      if (watched.session != nullptr) reviewed.gone.add(ledger_.close(watched.session));
      each = watched_.erase(each);
      continue;
    }
    if (!watched.armed && !watched.full && connection->channel->has_buffered()) {
      watched.full = true;
    } else if (!watched.armed && !watched.full && !connection->is_being_read(this)) {
      epoll_event event{};
      event.events = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT;
      event.data.u64 = each->first;
      ::epoll_ctl(epoll_.fd(), EPOLL_CTL_MOD, connection->channel->descriptor(), &event);
      watched.armed = true;
    }
    const bool is_observed = connection->observed != 0;
    // For observed calls all that is there is read, without waiting until there is room.
    const bool goes_on = is_observed && watched.full && !connection->is_being_read(this);
    const auto pause = goes_on ? milliseconds(0) : handover;
    if (!watched.armed) reviewed.patience = std::min(reviewed.patience, pause);
    reviewed.any_full = reviewed.any_full || watched.full;
    if (!is_observed) {
      watched.pulse.reset();
    } else if (!watched.pulse || now >= *watched.pulse) {
      reviewed.silent.push_back({each->first, connection, !watched.pulse});
    } else {
      const auto left = std::chrono::ceil<milliseconds>(*watched.pulse - now);
      reviewed.patience = std::min(reviewed.patience, left);
    }
    ++each;
  }
}

/** Does for observed calls what threads that wait for answers do while nothing comes. */
void Exports::keep_alive(Reviewed& reviewed) {
  for (const Reviewed::Silent& each : reviewed.silent) {
    const auto now = Ledger::Clock::now();
    const auto next = each.connection->keep_alive(now, each.begins);
    const auto left = std::chrono::ceil<milliseconds>(next - now);
    reviewed.patience = std::min(reviewed.patience, std::max(left, milliseconds(1)));
    const std::lock_guard lock(mutex_);
    const auto at = watched_.find(each.serial);
    if (at != watched_.end()) at->second.pulse = next;
  }
}

void Exports::submit(Task task) {
  const std::lock_guard lock(mutex_);
  tasks_.push_back(std::move(task));
  if (stopping_ || idle_runners_ >= tasks_.size() || runners_.size() >= most_runners) {
    work_.notify_one();
    return;
  }
  try {
    runners_.emplace_back([this] { run(); });
  } catch (const std::system_error&) {
    if (runners_.empty()) {
      task = std::move(tasks_.back());  // to be destroyed without the lock
      tasks_.pop_back();
      throw Error(Failure::protocol, "the system cannot create more threads");
    }
  }
}

void Exports::run() {
  const Cancelling not_now(PTHREAD_CANCEL_DISABLE);  // enabled in methods: see RunningCall
  CallsOfThread::here().is_of_runtime = true;
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_runners_;
    work_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
    --idle_runners_;
    if (tasks_.empty()) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    if_thread_ends([this] { leave(); },
                   [&] {
                     assert_no_lock_held("a task");
                     task();
                     task = nullptr;
                   });
    lock.lock();
  }
}

/** The runner was ended by the task it ran: another one takes over its next tasks. */
void Exports::leave() {
  const std::lock_guard lock(mutex_);
  if (stopping_) return;  // it is, or will be, joined
  const auto own = std::ranges::find(runners_, std::this_thread::get_id(), &std::thread::get_id);
  own->detach();
  runners_.erase(own);
  if (tasks_.empty() || idle_runners_ >= tasks_.size()) return;
  try {
    runners_.emplace_back([this] { run(); });
  } catch (const std::system_error&) {
    // Other runners go on, or the next submit() reports it.
  }
}

}  // namespace shinar::wire
