/**
 * A server for the unit tests: one class of objects, a handful of methods, no SIDL.
 *
 *     noop()            add(int, int) → int          echo(array<double>) → the same
 *     sleep(int ms)     fail(string)  → Error        grow(long n) → array of n doubles
 *     hold()            returns when release_holds() was called
 */
#ifndef TEST_HOST_HPP
#define TEST_HOST_HPP

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/decoder.hpp"
#include "core/host.hpp"
#include "core/peer.hpp"
#include "core/server.hpp"

class TestHost : public simhandle::Host {
 public:
  simhandle::Instance create(std::string_view type, simhandle::Answer& answer) override;
  simhandle::Instance find(std::string_view object) override;
  void call(std::string_view object, const simhandle::Method& method, simhandle::Message& arguments,
            simhandle::Answer& answer) override;
  std::shared_ptr<void> forget(const std::string& id) override;
  void log(const std::string& line) override;

  std::size_t object_count();
  bool logged(const std::string& part);
  void release_holds();
  std::atomic<int> holding{0};

 private:
  std::mutex mutex_;
  std::condition_variable released_;
  bool release_ = false;
  std::set<std::string> objects_;
  std::vector<std::string> lines_;
  int next_ = 1;
};

/** A running server with its host; stops at the end of the test. */
struct TestServer {
  explicit TestServer(simhandle::ServerOptions options = {}) : server(host, options) {
    server.start();
  }
  ~TestServer() {
    host.release_holds();
    server.stop(std::chrono::seconds(20));
  }

  std::shared_ptr<simhandle::Peer> peer(simhandle::Limits limits = {}) {
    return std::make_shared<simhandle::Peer>(server.endpoint(), limits);
  }

  TestHost host;
  simhandle::Server server;
};

/** A call as generated code makes it. */
class Call {
 public:
  Call(std::string_view object, std::string method) : method_(std::move(method)) {
    encoder.put_string(object);
  }
  simhandle::Message run(simhandle::Peer& peer) {
    simhandle::Request request;
    request.method = method_;
    request.digest = 0x1234;
    request.encoder = &encoder;
    simhandle::Message answer;
    peer.call(request, answer);
    return answer;
  }
  simhandle::Encoder encoder;

 private:
  std::string method_;
};

/** A vector of doubles as an argument. */
void put_doubles(simhandle::Encoder& encoder, const std::vector<double>& values);
std::vector<double> get_doubles(simhandle::Message& message);

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
