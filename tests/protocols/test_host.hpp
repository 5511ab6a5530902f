/**
 * A server for the unit tests: one class of objects, a handful of methods, no SIDL.
 *
 *     noop()            add(int, int) → int          echo(array<double>) → the same
 *     sleep(int ms)     fail(string)  → Error        grow(long n) → array of n doubles
 *     hold()            returns when release_holds() was called
 *     note(int ms, int n)     sleeps, then adds n to notes()
 *     bounce(int depth)       → 1 + the caller's public.bounce(depth - 1), at 0 → 0
 *     left()            → milliseconds that are left of the deadline, -1: none (long)
 *     slowly_back(int ms)     calls the caller's public.sleep(ms)
 *     slowly_back_to_hold()   calls the caller's public.hold()
 *     alone(int ms)   sleeps; counts in overlaps() if another one runs at the same time
 *     circle(int depth)       → 1 + public.circle(depth - 1) of `next`, at 0 → 0
 *     circle_to_hold(int depth)       the same, but at 0 → hold()
 */
#ifndef TEST_HOST_HPP
#define TEST_HOST_HPP

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/decoder.hpp"
#include "core/exports.hpp"
#include "core/host.hpp"
#include "core/peer.hpp"
#include "core/pending_call.hpp"
#include "core/server.hpp"

class TestHost : public shinar::wire::Host {
 public:
  shinar::wire::Instance create(std::string_view type, shinar::wire::Answer& answer) override;
  shinar::wire::Instance find(std::string_view object) override;
  /** An object that is pinned answers calls, however little is left of it. */
  shinar::wire::Pin pin(std::string_view object) override;
  void call(shinar::wire::IncomingCall& call, shinar::wire::Answer& answer) override;
  std::shared_ptr<void> forget(const std::string& id) override;
  void log(const std::string& line) override;
  const void* strand(shinar::wire::IncomingCall& call) override;

  /** Calls of an object run one at a time. */
  bool serializes = false;
  /** bounce() and circle() begin their calls, and wait for them then: so many at once. */
  int begins = 0;
  /** They poll for the answers then. */
  bool polls = false;
  /** Another server, for circle(). */
  std::shared_ptr<shinar::wire::Callee> next;
  std::atomic<int> overlaps{0};
  /** How many threads ran circle(). */
  std::size_t circlers();

  std::size_t object_count();
  bool logged(const std::string& part) { return count_logged(part) != 0; }
  /** How many lines contain it. */
  int count_logged(const std::string& part);
  void release_holds();
  std::atomic<int> holding{0};
  /** How many calls of sleep() ran at once, at most. */
  std::atomic<int> most_asleep{0};
  /** What note() was told, in that order. */
  std::vector<int> notes();
  /** How often grow() was run. */
  std::atomic<std::uint64_t> grown{0};
  /** How many threads ran bounce(). */
  std::size_t bouncers();

 protected:
  /** Where bounce() calls: the caller. */
  virtual shinar::wire::Callee& back(shinar::wire::Answer& answer) { return *answer.caller; }

 private:
  void bounce(shinar::wire::Decoder& decoder, shinar::wire::Answer& answer);
  std::int32_t go_on(shinar::wire::Callee& callee, const std::string& method, std::int32_t depth);
  void hold();
  void sleep(std::chrono::milliseconds time);
  void circle(shinar::wire::Decoder& decoder, const std::string& method,
              shinar::wire::Answer& answer);

  std::mutex mutex_;
  std::condition_variable released_;
  bool release_ = false;
  std::set<std::string> objects_;
  std::vector<std::string> lines_;
  std::vector<int> notes_;
  std::set<std::thread::id> bouncers_, circlers_;
  std::map<std::string, char, std::less<>> strands_;
  std::atomic<int> alone_{0};
  std::atomic<int> asleep_{0};
  int next_ = 1;
};

/** The way to the client that called `method` last, for a server that calls on its own account. */
class Remembering : public TestHost {
 public:
  void call(shinar::wire::IncomingCall& call, shinar::wire::Answer& answer) override {
    caller = answer.caller->shared_from_this();
    TestHost::call(call, answer);
  }
  std::shared_ptr<shinar::wire::Callee> caller;
};

/** A running server with its host; stops at the end of the test. */
struct TestServer {
  explicit TestServer(shinar::wire::ServerOptions options = {})
      : server(host, as_the_environment_has_it(options)) {
    server.start();
  }
  ~TestServer() {
    host.release_holds();
    server.stop(std::chrono::seconds(20));
  }

  std::shared_ptr<shinar::wire::Peer> peer(shinar::wire::Limits limits = {}) {
    return std::make_shared<shinar::wire::Peer>(server.endpoint(), limits);
  }

  TestHost host;
  shinar::wire::Server server;

 private:
  /** Whether clients move to shared memory, which no test decides. */
  static shinar::wire::ServerOptions as_the_environment_has_it(
      shinar::wire::ServerOptions options) {
    options.limits.local_doors = shinar::wire::Limits::from_environment().local_doors;
    return options;
  }
};

inline shinar::wire::ServerOptions two_threads() {
  shinar::wire::ServerOptions options;
  options.threads = 2;
  options.spare_threads = 0;
  return options;
}

/** What makes a peer send all its calls over the same connection. */
inline shinar::wire::Limits one_connection() {
  shinar::wire::Limits limits;
  limits.pool_connections = 1;
  return limits;
}

/** A call as generated code makes it. */
class Call {
 public:
  Call(std::string_view object, std::string method) : method_(std::move(method)) {
    encoder.put_string(object);
  }
  shinar::wire::Message run(shinar::wire::Callee& callee) {
    shinar::wire::Request request = make();
    shinar::wire::Message answer;
    callee.call(request, answer);
    return answer;
  }
  std::unique_ptr<shinar::wire::PendingCall> begin(shinar::wire::Callee& callee) {
    shinar::wire::Request request = make();
    return callee.begin(request);
  }
  void send(shinar::wire::Callee& callee) {
    shinar::wire::Request request = make();
    callee.send(request);
  }
  /** Appends an argument. */
  template <class T>
  Call& with(T value) {
    encoder.put(value);
    return *this;
  }
  shinar::wire::Encoder encoder;
  std::chrono::milliseconds deadline{0};  ///< 0: none
  std::shared_ptr<void> held;             ///< until it is answered

 private:
  shinar::wire::Request make() {
    shinar::wire::Request request;
    request.method = method_;
    request.digest = 0x1234;
    request.encoder = &encoder;
    request.held = held;
    if (deadline.count() != 0) request.deadline = std::chrono::steady_clock::now() + deadline;
    return request;
  }
  std::string method_;
};

/** A client whose objects servers may call back. */
struct TestClient {
  explicit TestClient(TestServer& server, shinar::wire::Limits limits = {})
      : peer(std::make_shared<shinar::wire::Peer>(server.server.endpoint(), limits, &exports)) {}

  TestHost host;
  shinar::wire::Exports exports{host, 1000};
  std::shared_ptr<shinar::wire::Peer> peer;
};

/** A vector of doubles as an argument, lent if it has no owner. */
void put_doubles(shinar::wire::Encoder& encoder, const std::vector<double>& values,
                 std::shared_ptr<const void> owner = nullptr);
std::vector<double> get_doubles(shinar::wire::Message& message);

/** As at the end of the client's process. */
inline void say_goodbye(shinar::wire::Peer& peer) {
  for (const auto& each : peer.say_goodbye()) each->close(std::chrono::steady_clock::now());
}

/** Waits until something is true, at most some seconds. */
template <class Condition>
bool eventually(Condition condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

#endif
