/**
 * sidl_connection.hxx: building blocks for connections of protocols written in C++: pending
 * answers, calls run in order, objects that the peer holds.
 *
 * A protocol whose two ends may call each other is free of deadlocks if each connection has a
 * reader thread that never waits: it completes an `answer`, passes calls to `strands` and continues
 * to read.
 */
#ifndef included_sidl_connection_hxx
#define included_sidl_connection_hxx

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "sidl_protocol.hxx"
#include "sidl_rmi_TimeOutException.hxx"
#include "sidl_rmi_UnexpectedCloseException.hxx"

namespace sidl {
namespace protocol {

/** The exception that `fail` would throw, to be thrown later. */
template <class Exception>
::std::exception_ptr failure(const ::std::string& note, ::sidl::rmi::RequestFate fate) {
  try {
    fail<Exception>(note, fate);
  } catch (...) {
    return ::std::current_exception();
  }
}

/** The pending answer to a call. May be used from any thread. */
template <class Message>
class answer {
 public:
  /** `milliseconds`: deadline; 0: none. */
  explicit answer(int64_t milliseconds) {
    if (milliseconds <= 0) return;
    d_deadline = ::std::chrono::steady_clock::now() + ::std::chrono::milliseconds(milliseconds);
  }

  /** Ends the wait. False, with `message` unchanged, if it was over. */
  bool complete(Message& message) {
    const ::std::lock_guard<::std::mutex> lock(d_mutex);
    if (look()) return false;
    d_message = ::std::move(message);
    end(nullptr);
    return true;
  }
  bool fail(::std::exception_ptr why) {
    const ::std::lock_guard<::std::mutex> lock(d_mutex);
    if (look()) return false;
    end(::std::move(why));
    return true;
  }

  bool is_over() {
    const ::std::lock_guard<::std::mutex> lock(d_mutex);
    return look();
  }

  void wait() {
    ::std::unique_lock<::std::mutex> lock(d_mutex);
    const auto is_over = [this] { return d_over; };
    if (!d_deadline) return d_changed.wait(lock, is_over);
    while (!look()) d_changed.wait_until(lock, *d_deadline, is_over);
  }

  /** Waits; throws if the call has no answer. For one thread, which may move from it. */
  Message& get() {
    wait();
    if (d_failure) ::std::rethrow_exception(d_failure);
    return *d_message;
  }

 private:
  /** Under the lock: checks the deadline; true if the call is over. */
  bool look() {
    if (!d_over && d_deadline && *d_deadline <= ::std::chrono::steady_clock::now()) {
      end(failure<::sidl::rmi::TimeOutException>("the deadline passed before the answer came",
                                                 ::sidl::rmi::RequestFate_mayHaveExecuted));
    }
    return d_over;
  }

  void end(::std::exception_ptr why) {
    d_over = true;
    d_failure = ::std::move(why);
    d_changed.notify_all();
  }

  ::std::optional<::std::chrono::steady_clock::time_point> d_deadline;
  ::std::mutex d_mutex;
  ::std::condition_variable d_changed;
  bool d_over = false;
  ::std::optional<Message> d_message;
  ::std::exception_ptr d_failure;
};

/** The pending answers of a connection, by the numbers of their calls. */
template <class Message>
class answers {
 public:
  typedef ::std::pair<int64_t, ::std::shared_ptr<answer<Message>>> asked;

  /** A new number and its pending answer. Throws if the connection has ended. */
  asked ask(int64_t deadline_ms) {
    const ::std::lock_guard<::std::mutex> lock(d_mutex);
    if (d_ended) fail<::sidl::rmi::UnexpectedCloseException>("the connection has ended");
    const auto made = ::std::make_shared<answer<Message>>(deadline_ms);
    d_waiting[++d_last] = made;
    return {d_last, made};
  }

  /** Stops waiting: a late answer is dropped. */
  void forget(int64_t number) { take(number); }

  /** False, with `message` unchanged, if it is not waited for any more. */
  bool complete(int64_t number, Message& message) {
    const auto found = take(number);
    return found && found->complete(message);
  }

  /** The connection has ended: fails all pending answers. */
  void end(const ::std::string& why) {
    ::std::map<int64_t, ::std::shared_ptr<answer<Message>>> waiting;
    {
      const ::std::lock_guard<::std::mutex> lock(d_mutex);
      d_ended = true;
      waiting.swap(d_waiting);
    }
    for (const auto& each : waiting) {
      each.second->fail(failure<::sidl::rmi::UnexpectedCloseException>(
          why, ::sidl::rmi::RequestFate_mayHaveExecuted));
    }
  }

  bool has_ended() {
    const ::std::lock_guard<::std::mutex> lock(d_mutex);
    return d_ended;
  }

 private:
  ::std::shared_ptr<answer<Message>> take(int64_t number) {
    const ::std::lock_guard<::std::mutex> lock(d_mutex);
    const auto found = d_waiting.find(number);
    if (found == d_waiting.end()) return nullptr;
    const auto result = ::std::move(found->second);
    d_waiting.erase(found);
    return result;
  }

  ::std::mutex d_mutex;
  bool d_ended = false;
  int64_t d_last = 0;
  ::std::map<int64_t, ::std::shared_ptr<answer<Message>>> d_waiting;
};

/**
 * Runs jobs of a peer: in order within a strand, concurrently in different strands. A strand has a
 * thread as long as it has jobs.
 */
class strands {
 public:
  strands() = default;
  strands(const strands&) = delete;
  strands& operator=(const strands&) = delete;
  /** All jobs must have run: wait() first, not from within a job. */
  ~strands() = default;

  /** `job` must not throw. Jobs with a number above 0 can be cancelled. */
  void run(const ::std::string& strand, ::std::function<void()> job, int64_t number = 0) {
    const ::std::lock_guard<::std::mutex> lock(d_mutex);
    jobs& queue = d_strands[strand];
    queue.push_back({number, ::std::move(job)});
    if (queue.size() == 1) ::std::thread([this, strand] { work(strand); }).detach();
  }

  /** Drops the job if it has not begun. */
  void cancel(int64_t number) {
    ::std::function<void()> dropped;  // destroyed without the lock
    const ::std::lock_guard<::std::mutex> lock(d_mutex);
    for (auto& strand : d_strands) {
      for (auto job = ::std::next(strand.second.begin()); job != strand.second.end(); ++job) {
        if (job->first == number) dropped.swap(job->second);
      }
    }
  }

  /** False if a job still runs after `patience`. */
  bool wait(::std::optional<::std::chrono::duration<double>> patience) {
    ::std::unique_lock<::std::mutex> lock(d_mutex);
    const auto is_idle = [this] { return d_strands.empty(); };
    if (patience) return d_changed.wait_for(lock, *patience, is_idle);
    d_changed.wait(lock, is_idle);
    return true;
  }

 private:
  typedef ::std::deque<::std::pair<int64_t, ::std::function<void()>>> jobs;

  void work(const ::std::string& strand) {
    for (bool is_more = true; is_more;) {
      ::std::function<void()> job;  // destroyed without the lock
      {
        const ::std::lock_guard<::std::mutex> lock(d_mutex);
        job.swap(d_strands[strand].front().second);
      }
      if (job) job();
      job = nullptr;
      const ::std::lock_guard<::std::mutex> lock(d_mutex);
      d_strands[strand].pop_front();
      is_more = !d_strands[strand].empty();
      if (is_more) continue;
      d_strands.erase(strand);
      d_changed.notify_all();  // under the lock: the waiting thread may destroy us
    }
  }

  ::std::mutex d_mutex;
  ::std::condition_variable d_changed;
  ::std::map<::std::string, jobs> d_strands;  ///< the first of each is running
};

/** The objects of this process that the peer of a connection holds, and how often. */
class loans {
 public:
  loans() = default;
  loans(const loans&) = delete;
  loans& operator=(const loans&) = delete;
  ~loans() { end(); }

  /** Adds a count for the peer; returns the object's id. */
  ::std::string lend(const StubBase& object) {
    const ::std::string id = protocol::lend(object);
    {
      const ::std::lock_guard<::std::mutex> lock(d_mutex);
      if (!d_ended) {
        ++d_counts[id];
        return id;
      }
    }
    sidl_rmi_take_back(id.c_str(), 1);
    fail<::sidl::rmi::UnexpectedCloseException>("the connection has ended");
  }

  /** Drops a count of the peer, if it has one. May destroy the object. */
  void take_back(const ::std::string& id) {
    {
      const ::std::lock_guard<::std::mutex> lock(d_mutex);
      const auto found = d_counts.find(id);
      if (found == d_counts.end()) return;
      if (--found->second == 0) d_counts.erase(found);
    }
    sidl_rmi_take_back(id.c_str(), 1);
  }

  /** The peer is gone: drops all its counts. */
  void end() {
    ::std::map<::std::string, int64_t> counts;
    {
      const ::std::lock_guard<::std::mutex> lock(d_mutex);
      d_ended = true;
      counts.swap(d_counts);
    }
    for (const auto& each : counts) sidl_rmi_take_back(each.first.c_str(), each.second);
  }

 private:
  ::std::mutex d_mutex;
  bool d_ended = false;
  ::std::map<::std::string, int64_t> d_counts;
};

/** Limits calls of this thread to the deadline of the call that it runs, for a scope. */
class inherited_deadline {
 public:
  /** Below 0: the call has no deadline. */
  explicit inherited_deadline(int64_t milliseconds_left)
      : d_previous(sidl_deadline_inherit(milliseconds_left)) {}
  inherited_deadline(const inherited_deadline&) = delete;
  inherited_deadline& operator=(const inherited_deadline&) = delete;
  ~inherited_deadline() { sidl_deadline_restore(d_previous); }

 private:
  int64_t d_previous;
};

/** A number unique to the calling thread, to tell a peer which calls are ordered. */
inline int64_t thread_number() {
  static ::std::atomic<int64_t> last{0};
  static thread_local const int64_t number = ++last;
  return number;
}

}  // namespace protocol
}  // namespace sidl

#endif
