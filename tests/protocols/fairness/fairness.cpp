// One hostile client beside honest ones: what test_fairness.py and bench/fairness.py run. The
// process proves who it is as any other, by its environment.
//
//   protocols_fairness serve URL              prints the URL of a server with the tests' objects;
//                                             ends when its input does
//   protocols_fairness honest URL CLIENTS MS  clients that connect, and then call noop() about a
//                                             thousand times a second each, at least ten times;
//                                             prints a line of JSON: median and 99th percentile in
//                                             microseconds, calls, and failures
//   protocols_fairness hostile URL ATTACK     takes as much as it can until its input ends
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "core/url.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

namespace {

void await_end_of_input() {
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) > 0) {
  }
}

int serve(const std::string& url) {
  TestHost host;
  ServerOptions options;
  options.listen = parse_url(url).endpoint;
  options.authenticator = Authenticator::of_process();
  Server server(host, options);
  server.start();
  std::printf("%s\n", make_url(server.endpoint(), "").c_str());
  std::fflush(stdout);
  await_end_of_input();
  std::_Exit(0);  // hostile calls still run
}

// ---- honest clients -----------------------------------------------------------------------------

struct Measured {
  std::vector<double> microseconds;
  std::vector<std::string> failures;
};

void call_once(Peer& peer, Measured& measured) {
  try {
    Call("public", "noop").run(peer);
  } catch (const std::exception& error) {
    measured.failures.emplace_back(error.what());
  }
}

void call_for(milliseconds time, const Endpoint& endpoint, Measured& measured) {
  constexpr auto pause = std::chrono::microseconds(1000);
  constexpr std::size_t least = 10;
  Peer peer(endpoint);
  call_once(peer, measured);
  const auto end = Clock::now() + time;
  while (Clock::now() < end || measured.microseconds.size() < least) {
    const auto begin = Clock::now();
    call_once(peer, measured);
    if (measured.failures.size() > 20) return;
    measured.microseconds.push_back(
        std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    std::this_thread::sleep_for(pause);
  }
  say_goodbye(peer);
}

int be_honest(const Endpoint& endpoint, int clients, milliseconds time) {
  std::vector<Measured> measured(static_cast<std::size_t>(clients));
  std::vector<std::thread> threads;
  for (Measured& each : measured) {
    threads.emplace_back([&] { call_for(time, endpoint, each); });
  }
  for (std::thread& each : threads) each.join();
  Measured all;
  for (const Measured& each : measured) {
    all.microseconds.insert(all.microseconds.end(), each.microseconds.begin(),
                            each.microseconds.end());
    all.failures.insert(all.failures.end(), each.failures.begin(), each.failures.end());
  }
  std::ranges::sort(all.microseconds);
  const auto at = [&](double part) {
    const auto last = static_cast<double>(all.microseconds.size() - 1);
    return all.microseconds.empty() ? -1 : all.microseconds[static_cast<std::size_t>(part * last)];
  };
  std::printf(
      "{\"median\": %.1f, \"p99\": %.1f, \"most\": %.1f, \"calls\": %zu, \"failed\": %zu}\n",
      at(0.5), at(0.99), at(1), all.microseconds.size(), all.failures.size());
  for (const std::string& each : all.failures) std::fprintf(stderr, "failed: %s\n", each.c_str());
  return all.failures.empty() ? 0 : 1;
}

// ---- a hostile one ------------------------------------------------------------------------------

/** Runs it on so many threads, again and again, whatever it throws. */
void for_ever(unsigned threads, const std::function<void(unsigned)>& attack) {
  for (unsigned i = 0; i < threads; ++i) {
    std::thread([=] {
      for (;;) {
        try {
          attack(i);
        } catch (const std::exception&) {
          std::this_thread::sleep_for(milliseconds(1));
        }
      }
    }).detach();
  }
}

Limits many_connections() {
  Limits limits = Limits::from_environment();
  limits.pool_connections = 1024;
  return limits;
}

/** Connections that have said nothing but hello. */
void connections(const Endpoint& endpoint) {
  for_ever(4, [&endpoint](unsigned) {
    thread_local std::vector<std::unique_ptr<Peer>> held;
    auto peer = std::make_unique<Peer>(endpoint);
    Call("public", "noop").run(*peer);
    held.push_back(std::move(peer));
  });
}

/** Slow calls, of many sessions. */
void slow_calls(const Endpoint& endpoint) {
  for_ever(300, [&endpoint](unsigned) {
    Peer peer(endpoint);
    std::vector<std::unique_ptr<PendingCall>> begun;
    for (int i = 0; i < 16; ++i) begun.push_back(Call("public", "sleep").with(2000).begin(peer));
    for (const auto& each : begun) each->wait();
  });
}

/** The same of one session, over many connections. */
void slow_calls_of_one(const Endpoint& endpoint) {
  const auto peer = std::make_shared<Peer>(endpoint, many_connections());
  for_ever(300, [peer](unsigned) { Call("public", "sleep").with(2000).run(*peer); });
}

/** Short calls without a pause, over many connections; their answers are read. */
void short_calls(const Endpoint& endpoint) {
  const auto peer = std::make_shared<Peer>(endpoint, many_connections());
  for_ever(200, [peer](unsigned) { Call("public", "noop").run(*peer); });
}

/** One-way calls without a pause. */
void one_way_calls(const Endpoint& endpoint) {
  for_ever(8, [&endpoint](unsigned) {
    Peer peer(endpoint);
    for (;;) Call("public", "noop").send(peer);
  });
}

/** Calls that call a client back which never answers. */
void silent_callbacks(const Endpoint& endpoint) {
  struct Silent {
    TestHost host;
    Exports exports{host, 1000};
  };
  for_ever(300, [&endpoint](unsigned) {
    static Silent silent;
    Peer peer(endpoint, Limits::from_environment(), &silent.exports);
    Call("public", "slowly_back_to_hold").run(peer);
  });
}

/** As many objects as there may be. */
void objects(const Endpoint& endpoint) {
  for_ever(4, [&endpoint](unsigned) {
    Peer peer(endpoint);
    for (;;) static_cast<void>(peer.create("test.Thing"));
  });
}

/** Large arrays without a pause. */
void bytes(const Endpoint& endpoint) {
  for_ever(16, [&endpoint](unsigned) {
    thread_local const std::vector<double> values(std::size_t{1} << 20);
    Peer peer(endpoint);
    for (;;) {
      Call call("public", "echo");
      put_doubles(call.encoder, values);
      call.run(peer);
    }
  });
}

using Attack = void (*)(const Endpoint&);
const std::map<std::string, Attack> attacks = {
    {"connections", connections},
    {"slow-calls", slow_calls},
    {"slow-calls-of-one", slow_calls_of_one},
    {"short-calls", short_calls},
    {"one-way-calls", one_way_calls},
    {"silent-callbacks", silent_callbacks},
    {"objects", objects},
    {"bytes", bytes},
};

int attack(const Endpoint& endpoint, const std::string& which) {
  if (which == "everything") {
    for (const auto& each : attacks) each.second(endpoint);
  } else {
    attacks.at(which)(endpoint);
  }
  std::printf("begun\n");
  std::fflush(stdout);
  await_end_of_input();
  std::_Exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 2) return 2;
  const std::string& what = arguments[0];
  try {
    if (what == "serve") return serve(arguments[1]);
    const Endpoint endpoint = parse_url(arguments[1]).endpoint;
    if (what == "hostile") return attack(endpoint, arguments.at(2));
    return be_honest(endpoint, std::atoi(arguments.at(2).c_str()),
                     milliseconds(std::atoi(arguments.at(3).c_str())));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "protocols_fairness: %s\n", error.what());
    return 2;
  }
}
