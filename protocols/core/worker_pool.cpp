#include "worker_pool.hpp"

#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <system_error>
#include <utility>

#include "error.hpp"
#include "spin.hpp"
#include "thread_end.hpp"

namespace shinar::wire {
namespace {

constexpr std::uint32_t one_shot = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT;

/**
 * Linux lets a thread run for some milliseconds before others that are ready; a tenth of one will
 * do for those of a server, so that a call that comes does not wait for one that computes. A hint:
 * old kernels take no notice.
 */
void prefer_short_slices() {
  struct {
    std::uint32_t size, policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t slice, deadline, period;  // nanoseconds
  } attributes{};
  // What its owner has set stays: niceness, and other policies.
  if (::syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return;
  if (attributes.policy != SCHED_OTHER) return;
  attributes.slice = 100000;
  static_cast<void>(::syscall(SYS_sched_setattr, 0, &attributes, 0));
}

/** What was made for a server, if it was. */
Socket made(int fd) {
  if (fd >= 0) return Socket(fd);
  throw Error(Failure::bind, std::string("cannot create the server: ") + std::strerror(errno),
              Fate::not_sent, errno);
}

}  // namespace

Socket epoll_of_server() {
  return made(::epoll_create1(EPOLL_CLOEXEC));
}

WorkerPool::WorkerPool(Owner& owner, unsigned most_threads, std::optional<unsigned> spare_threads)
    : owner_(owner),
      most_threads_(std::max(2u, most_threads)),
      spare_threads_(spare_threads.value_or((most_threads_ + 1) / 2)),
      cores_(usable_cores()),
      epoll_(epoll_of_server()),
      wake_(made(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = nullptr;
  ::epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, wake_.fd(), &event);
}

WorkerPool::~WorkerPool() {
  stop(std::chrono::hours(24));
}

void WorkerPool::start() {
  const std::lock_guard lock(mutex_);
  const unsigned first = std::min(most_threads_, cores_ + 1);
  while (running_ < first) {
    const unsigned before = running_;
    spawn();
    if (running_ == before) break;
  }
  try {
    greeter_ = std::thread([this] { greet(); });
    watch_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
    throw no_more_threads(Failure::bind, "cannot create the server");
  }
}

/** Under the lock. */
void WorkerPool::spawn() {
  auto worker = std::make_unique<Worker>(*this);
  Worker* const raw = worker.get();
  workers_.push_back(std::move(worker));
  ++running_;
  try {
    raw->thread = std::thread([this, raw] { work(*raw); });
  } catch (const std::system_error&) {
    // Out of threads: the existing ones have to do.
    --running_;
    workers_.pop_back();
    if (workers_.empty()) throw no_more_threads(Failure::bind, "cannot create the server");
  }
}

bool WorkerPool::stop(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  stopping_ = true;
  const std::uint64_t one = 1;
  static_cast<void>(!::write(wake_.fd(), &one, sizeof one));
  work_.notify_all();
  watch_wake_.notify_all();
  greet_.notify_all();
  const bool all = ended_.wait_for(lock, patience, [this] { return running_ == 0; });
  lock.unlock();
  if (!all) return false;
  for (const auto& worker : workers_) {
    if (worker->thread.joinable()) worker->thread.join();
  }
  if (watch_.joinable()) watch_.join();
  if (greeter_.joinable()) greeter_.join();
  return true;
}

void WorkerPool::add(int fd, Pollable& what) {
  epoll_event event{};
  event.events = one_shot;
  event.data.ptr = &what;
  if (::epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, fd, &event) != 0) {
    throw std::system_error(errno, std::generic_category(), "epoll_ctl");
  }
}

void WorkerPool::arm(int fd, Pollable& what) {
  epoll_event event{};
  event.events = one_shot;
  event.data.ptr = &what;
  ::epoll_ctl(epoll_.fd(), EPOLL_CTL_MOD, fd, &event);
}

void WorkerPool::remove(int fd) {
  ::epoll_ctl(epoll_.fd(), EPOLL_CTL_DEL, fd, nullptr);
}

void WorkerPool::enqueue(Pollable& what, Clock::time_point since) {
  const std::lock_guard lock(mutex_);
  add_ready(what, since);
  if (idle_ > 0) {
    work_.notify_one();
  } else if (leader_) {
    // The only free worker sleeps in epoll: wake it.
    static_cast<void>(!::eventfd_write(wake_.fd(), 1));
  }
}

void WorkerPool::work(Worker& worker) {
  const Cancelling not_now(PTHREAD_CANCEL_DISABLE);  // enabled in methods: see RunningCall
  worker.enlist();
  prefer_short_slices();
  worker.id.store(::gettid(), std::memory_order_relaxed);
  CallsOfThread::here().is_of_runtime = true;
  const auto leave = [&](bool was_busy) {
    const std::lock_guard lock(mutex_);
    if (was_busy) is_done(worker);
    --running_;
    worker.has_ended = true;
    ended_.notify_all();
    watch_wake_.notify_all();  // the watch thread replaces it if needed
  };
  for (Pollable* what = next(worker, false); what != nullptr; what = next(worker, true)) {
    if_thread_ends([&] { leave(true); }, [&] { what->serve(worker); });
  }
  leave(false);
}

/**
 * Greets strangers: what that costs, with TLS a millisecond each, must not hold up those who have
 * proved who they are. Others help where there are cores to spare.
 */
void WorkerPool::greet() {
  constexpr int lower = 10, lowest = 19;
  // Of this thread alone, as Linux has it.
  const int own = ::getpriority(PRIO_PROCESS, 0);
  static_cast<void>(::setpriority(PRIO_PROCESS, 0, std::min(own + lower, lowest)));
  CallsOfThread::here().is_of_runtime = true;
  Worker worker(*this);
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (greetings_.empty()) {
      greet_.wait(lock);
      continue;
    }
    const Ready ready = greetings_.take(*strangers_);
    const auto begin = Clock::now();
    lock.unlock();
    ready.what->serve(worker);
    lock.lock();
    greetings_.done(*ready.line, work_of(begin));
  }
}

/** Under the lock. */
void WorkerPool::add_ready(Pollable& what, Clock::time_point since) {
  if (what.is_greeting()) {
    greetings_.add({&what, since, strangers_});
    greet_.notify_one();
    return;
  }
  auto line = what.line();
  ready_.add({&what, since, line == nullptr ? common_ : std::move(line)});
  waits_.store(true, std::memory_order_relaxed);
}

/** Waits for and takes the next ready entry; NULL when the thread shall end. */
Pollable* WorkerPool::next(Worker& worker, bool was_busy) {
  worker.tenant = nullptr;
  std::unique_lock lock(mutex_);
  if (was_busy) is_done(worker);
  while (!stopping_) {
    if (!ready_.empty()) look_for_others(lock);
    if (ReadyLine* const line = next_line()) {
      Pollable* const what = begin_serving(worker, ready_, *line);
      waits_.store(!ready_.empty(), std::memory_order_relaxed);
      const bool lacks_leader = !leader_ && worker.line->takes_long();
      if (idle_ > 0 && (lacks_leader || next_line() != nullptr)) work_.notify_one();
      return what;
    }
    if (!greetings_.empty() && leader_ && busy_ + 1 < cores_) {
      return begin_serving(worker, greetings_, *strangers_);
    }
    if (!leader_ && ready_.empty()) {
      lead(lock, -1);
    } else if (running_ > most_running()) {
      return nullptr;  // the workers it replaced have stopped waiting
    } else {
      rest(lock);
    }
  }
  return nullptr;
}

/** What takes longer counts among what its tenant has of the threads. */
std::chrono::nanoseconds WorkerPool::work_of(Clock::time_point begin) {
  constexpr std::chrono::milliseconds most(20);
  return std::min<std::chrono::nanoseconds>(Clock::now() - begin, most);
}

/** Under the lock. */
Pollable* WorkerPool::begin_serving(Worker& worker, ReadyQueue& queue, ReadyLine& line) {
  ++busy_;
  Ready ready = queue.take(line);
  worker.queue = &queue;
  worker.ready = ready.since;
  worker.line = std::move(ready.line);
  worker.taken = Clock::now();
  return ready.what;
}

/** Under the lock. */
void WorkerPool::is_done(Worker& worker) {
  --busy_;
  worker.queue->done(*worker.line, work_of(worker.taken));
  worker.line = nullptr;
}

/**
 * The line whose turn it is, NULL if there is nothing to do, or as many are at work as the cores
 * can take. For a line for which nobody works some more may be: it may ask for little. Under the
 * lock.
 */
ReadyLine* WorkerPool::next_line() const {
  if (ready_.empty() || busy_ >= most_busy() + cores_) return nullptr;
  const bool has_cores = busy_ < most_busy();
  return ready_.next(
      [&](const ReadyLine& line) { return line.served() == 0 || (has_cores && has_share(line)); });
}

bool WorkerPool::has_unserved_line() const {
  return ready_.next([](const ReadyLine& line) { return line.served() == 0; }) != nullptr;
}

/** True if one more worker may work for it, whether or not what they do takes long. */
bool WorkerPool::has_share(const ReadyLine& line) const {
  const unsigned served = line.served();
  if (served == 0 || spare_threads_ == 0 || &line == common_.get()) return true;
  const unsigned all = all_threads() + waiting();
  const unsigned free = busy_ + 1 < all ? all - busy_ - 1 : 0;
  return served + 1 <= Tenant::times_of_one * line.weight.load(std::memory_order_relaxed) * free;
}

/**
 * Nothing that this worker may do. If nobody is in epoll, as all who work find work, one of those
 * who rest looks who else is ready, as the others may be long in coming; the less often, the less
 * it finds that may be done. Under the lock.
 */
void WorkerPool::rest(std::unique_lock<PoolMutex>& lock) {
  constexpr std::chrono::microseconds least(10), most(200);
  if (leader_ || is_scouting_) {
    ++idle_;
    work_.wait(lock);
    --idle_;
    return;
  }
  if (nap_.count() != 0) {
    is_scouting_ = true;
    ++idle_;
    work_.wait_for(lock, nap_);
    --idle_;
    is_scouting_ = false;
    if (leader_ || ready_.empty() || next_line() != nullptr || stopping_) return;
  }
  lead(lock, -1);
  nap_ = next_line() != nullptr ? std::chrono::microseconds(0) : std::clamp(2 * nap_, least, most);
}

void WorkerPool::lead(std::unique_lock<PoolMutex>& lock, int timeout_ms) {
  leader_ = true;
  collect(lock, timeout_ms);
  leader_ = false;
}

/** Others, whose turn may come first, may be ready unseen. Under the lock. */
void WorkerPool::look_for_others(std::unique_lock<PoolMutex>& lock) {
  constexpr std::chrono::microseconds interval(50);
  if (leader_ || Clock::now() - collected_ < interval) return;
  lead(lock, 0);
}

/** Queues what epoll reports. */
void WorkerPool::collect(std::unique_lock<PoolMutex>& lock, int timeout_ms) {
  constexpr int most = 256;
  epoll_event events[most];
  lock.unlock();
  const int count = ::epoll_wait(epoll_.fd(), events, most, timeout_ms);
  const auto now = Clock::now();
  lock.lock();
  collected_ = now;
  for (int i = 0; i < count; ++i) {
    auto* const what = static_cast<Pollable*>(events[i].data.ptr);
    if (what != nullptr) {
      add_ready(*what, now);
    } else if (!stopping_) {
      eventfd_t ignored = 0;
      static_cast<void>(!::eventfd_read(wake_.fd(), &ignored));
    }
  }
  if (ready_.size() > 1) {
    // Several clients at once: taking turns is faster than parking a thread at each.
    crowded_until_.store(tick_.load(std::memory_order_relaxed) + crowd_ticks,
                         std::memory_order_relaxed);
  }
}

void WorkerPool::begin(Worker& worker, Pollable& what) {
  worker.what = &what;
  worker.since.store(tick_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  worker.state.store(Worker::State::executing, std::memory_order_release);
  if (!active_.load(std::memory_order_relaxed)) active_.store(true, std::memory_order_relaxed);
  if (watch_asleep_.load(std::memory_order_relaxed)) {
    const std::lock_guard lock(mutex_);
    watch_wake_.notify_one();
  }
}

bool WorkerPool::end(Worker& worker) {
  auto expected = Worker::State::executing;
  if (worker.state.compare_exchange_strong(expected, Worker::State::idle)) return true;
  // The watch thread is releasing this work right now: wait, as it must not be destroyed meanwhile.
  while (worker.state.load() != Worker::State::released) std::this_thread::yield();
  worker.take_mark(Worker::takes_long);
  worker.state.store(Worker::State::idle);
  return false;
}

void WorkerPool::resume(Worker& worker, Pollable& what, bool ours) {
  if (ours) {
    begin(worker, what);
  } else {
    worker.tenant = what.tenant();
    worker.add_mark(Worker::takes_long);  // or may do so, and nobody will notice
    worker.state.store(Worker::State::released);
  }
}

void WorkerPool::begin_task(Worker& worker, Tenant& tenant) {
  worker.tenant = &tenant;
  worker.add_mark(Worker::takes_long);
}

void WorkerPool::end_task(Worker& worker) {
  worker.take_mark(Worker::takes_long);
  worker.tenant = nullptr;
}

void Worker::wait_begins() {
  pool_.waiting_.fetch_add(1, std::memory_order_relaxed);
  if (tenant != nullptr) {
    tenant->take(Resource::waiting, 1);
    tenant->line->waiting.fetch_add(1, std::memory_order_relaxed);
  }
  add_mark(waits);
}

void Worker::wait_ends() {
  take_mark(waits);
  if (tenant != nullptr) {
    tenant->line->waiting.fetch_sub(1, std::memory_order_relaxed);
    tenant->give_back(Resource::waiting, 1);
  }
  pool_.waiting_.fetch_sub(1, std::memory_order_relaxed);
}

void Worker::check_capacity() const {
  if (pool_.waiting() >= most_waiting_threads) throw Limits::too_many_waiting();
  if (tenant != nullptr && pool_.is_short_of_waiting(*tenant)) {
    throw Limits::too_many_waiting_beside_others(tenant->used(Resource::waiting));
  }
}

unsigned Worker::most_errands() const {
  return std::max(1u, pool_.most_threads_ / 4);
}

/** This thread, or the watch thread. */
void Worker::add_mark(unsigned mark) {
  const unsigned before = marks.fetch_or(mark);
  if (before == mark || tenant == nullptr) return;
  if (before == 0 && mark == takes_long) pool_.note_long(*tenant);
  if (before == takes_long && mark == waits) pool_.note_over(*tenant);
}

void Worker::take_mark(unsigned mark) {
  const unsigned before = marks.fetch_and(~mark);
  if (tenant == nullptr) return;
  if (before == takes_long && mark == takes_long) pool_.note_over(*tenant);
  if (before == (takes_long | waits) && mark == waits) pool_.note_long(*tenant);
}

void WorkerPool::note_long(Tenant& tenant) {
  long_.fetch_add(1, std::memory_order_relaxed);
  tenant.take(Resource::threads, 1);
}

void WorkerPool::note_over(Tenant& tenant) {
  tenant.give_back(Resource::threads, 1);
  long_.fetch_sub(1, std::memory_order_relaxed);
  tenant.let_one_go_on();
}

bool WorkerPool::is_short_of_threads(const Tenant& tenant) const {
  constexpr std::uint64_t floor = 1;
  if (spare_threads_ == 0 || tenant.used(Resource::threads) < floor) return false;
  const unsigned taken = long_.load(std::memory_order_relaxed);
  const unsigned all = all_threads();
  return !tenant.may_take(Resource::threads, 1, taken + 1 < all ? all - taken - 1 : 0, floor);
}

bool WorkerPool::is_short_of_waiting(const Tenant& tenant) const {
  constexpr std::uint64_t floor = 16;
  const unsigned waiting = this->waiting();
  const unsigned free = waiting < most_waiting_threads ? most_waiting_threads - waiting : 0;
  return !tenant.may_take(Resource::waiting, 1, free, floor);
}

bool WorkerPool::park() {
  if (crowded_until_.load(std::memory_order_relaxed) > tick_.load(std::memory_order_relaxed)) {
    return false;
  }
  if (!leader_.load(std::memory_order_relaxed)) {
    if (idle_.load(std::memory_order_relaxed) == 0) return false;
    const std::lock_guard lock(mutex_);
    work_.notify_one();
  }
  if (parked_.fetch_add(1, std::memory_order_relaxed) < cores_) return true;
  unpark();
  return false;
}

bool WorkerPool::has_idle_worker() const {
  return leader_.load(std::memory_order_relaxed) || idle_.load(std::memory_order_relaxed) > 0;
}

void WorkerPool::watch() {
  int quiet = 0;
  std::unique_lock lock(mutex_);
  while (!stopping_ || running_ > 0) {
    const bool asleep = quiet > ticks_before_sleep;
    watch_asleep_.store(asleep);
    watch_wake_.wait_for(lock, asleep ? sleep_length : tick_length);
    watch_asleep_.store(false);
    tick_.fetch_add(1, std::memory_order_relaxed);
    const bool calm = scale();
    reap(lock);
    lock.unlock();
    release_long_work();
    owner_.chores(Clock::now());
    lock.lock();
    quiet = active_.exchange(false) || !calm ? 0 : quiet + 1;
  }
}

/**
 * Ensures that there is a leader and that ready entries are taken; true if nothing was missing.
 * Under the lock.
 */
bool WorkerPool::scale() {
  if (stopping_) return true;
  if (ready_.empty()) {
    if (extra_ > 0) --extra_;
    if (leader_) return true;
  } else if (busy_ >= most_busy() + cores_ && has_unserved_line()) {
    ++extra_;
  } else if (is_contended()) {
    if (extra_ > 0) --extra_;
  } else if (busy_ >= most_busy()) {
    ++extra_;
  }
  if (idle_ > 0) {
    work_.notify_one();
  } else if (running_ < most_running()) {
    spawn();
  } else if (!leader_) {
    // All workers are busy: at least find the waiting connections, so that chores can send them
    // keepalives.
    std::unique_lock<PoolMutex> lock(mutex_, std::adopt_lock);
    collect(lock, 0);
    lock.release();
  }
  return false;
}

/**
 * True if threads of this process have had to give up a core that they could have used: more of
 * them would be of no use.
 */
bool WorkerPool::is_contended() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return std::exchange(preempted_, usage.ru_nivcsw) != usage.ru_nivcsw;
}

/** Joins the workers that have ended. Under the lock. */
void WorkerPool::reap(std::unique_lock<PoolMutex>& lock) {
  if (stopping_) return;
  const auto gone = std::partition(workers_.begin(), workers_.end(),
                                   [](const auto& each) { return !each->has_ended; });
  if (gone == workers_.end()) return;
  std::vector<std::unique_ptr<Worker>> ended(std::make_move_iterator(gone),
                                             std::make_move_iterator(workers_.end()));
  workers_.erase(gone, workers_.end());
  lock.unlock();
  for (const auto& each : ended) each->thread.join();
  lock.lock();
}

/** Threads whose calls take long leave their cores to others, unless they compute. */
void WorkerPool::look_at_long_work(const std::vector<Worker*>& workers) {
  const auto now = Clock::now();
  unsigned blocked = 0;
  for (Worker* const worker : workers) {
    if (worker->marks.load(std::memory_order_relaxed) != Worker::takes_long) {
      worker->demand.forget();
    } else if (!worker->demand.computes(worker->id.load(std::memory_order_relaxed), now)) {
      ++blocked;
    }
  }
  blocked_.store(blocked, std::memory_order_relaxed);
}

void WorkerPool::release_long_work() {
  const std::uint64_t now = tick_.load(std::memory_order_relaxed);
  std::vector<Worker*> workers;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& worker : workers_) workers.push_back(worker.get());
  }
  for (Worker* const worker : workers) {
    if (worker->state.load(std::memory_order_acquire) != Worker::State::executing ||
        now - worker->since.load(std::memory_order_relaxed) < patience_ticks) {
      continue;
    }
    auto expected = Worker::State::executing;
    if (!worker->state.compare_exchange_strong(expected, Worker::State::releasing)) continue;
    worker->add_mark(Worker::takes_long);
    worker->what->release();
    worker->state.store(Worker::State::released);
  }
  look_at_long_work(workers);
}

}  // namespace shinar::wire
