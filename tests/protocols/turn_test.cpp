/**
 * Nested calls that have to wait for others on the same object, and whose turn comes while the
 * thread that has to run them is asleep on the socket.
 *
 * The tests of strands had callers that waited for nothing but an answer, and those of callbacks
 * had objects that anybody may call at any time: so nobody gave a nested call to a thread that was
 * reading, which did not hear of it before the next ping.
 */
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <future>
#include <random>

#include "core/object_strands.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;
using std::chrono::seconds;

/** What becomes of the call in the course of which the object is held. */
enum class TurnHolder { waits, is_cancelled, is_dropped, has_no_time, is_one_way };

namespace {

constexpr std::uint32_t no_ping_ms = 60000;  ///< much longer than a test lasts
constexpr seconds patience{15};

Limits without_pings(Limits limits = Limits()) {
  limits.keepalive_ms = no_ping_ms;
  return limits;
}

ServerOptions options_without_pings() {
  ServerOptions options;
  options.limits = without_pings();
  return options;
}

/** Of its methods those that a test lets wait run one at a time; stay(), which waits, too, does
 *  not, nor does insist(), which calls the caller's sleep(), but not for long, and its stay(). */
class HostWithTurns : public TestHost {
 public:
  void call(IncomingCall& call, Answer& answer) override {
    if (call.method->name == "stay") {
      ++staying;
      let_go.get_future().wait();
    } else if (call.method->name == "insist") {
      Call first("public", "sleep");
      first.with(std::int32_t{0}).deadline = milliseconds(50);
      EXPECT_THROW(first.run(*answer.caller), Error);
      Call("public", "stay").run(*answer.caller);
    } else {
      TestHost::call(call, answer);
    }
  }
  const void* strand(IncomingCall& call) override {
    const bool is_alone =
        call.method != nullptr && (call.method->name == "hold" || call.method->name == "sleep");
    return is_alone ? this : nullptr;
  }
  std::atomic<int> staying{0};
  std::promise<void> let_go;
};

/** Calls its caller back wherever it is called. */
class Returning : public TestHost {
 public:
  void call(IncomingCall&, Answer& answer) override {
    Call("public", "sleep").with(std::int32_t{0}).run(*answer.caller);
  }
};

/** A server, and a client of which it calls an object. */
struct Ends {
  explicit Ends(const Limits& limits = one_connection()) {
    server.start();
    peer = std::make_shared<Peer>(server.endpoint(), without_pings(limits), &exports);
    Call("public", "noop").run(*peer);
    peer->lender();
  }
  ~Ends() {
    client.release_holds();
    say_goodbye(*peer);
    server.stop(patience);
  }

  /** Holds the client's object on a thread of its own; returns what the caller keeps of the call.
   */
  std::unique_ptr<PendingCall> hold(TurnHolder how) {
    Call back("public", "slowly_back_to_hold");
    if (how == TurnHolder::has_no_time) back.deadline = milliseconds(50);
    std::unique_ptr<PendingCall> kept;
    if (how == TurnHolder::is_one_way) {
      back.send(*peer);
    } else {
      kept = back.begin(*peer);
    }
    EXPECT_TRUE(eventually([&] { return client.holding == 1; }));
    if (how == TurnHolder::is_cancelled) {
      EXPECT_TRUE(kept->cancel());
    } else if (how == TurnHolder::is_dropped) {
      kept.reset();
    } else if (how == TurnHolder::has_no_time) {
      EXPECT_THROW(kept->answer(), Error);
    }
    return kept;
  }

  HostWithTurns host, client;
  Server server{host, options_without_pings()};
  Exports exports{client, 1000};
  std::shared_ptr<Peer> peer;
};

bool ends_in_time(std::future<void>& action) {
  if (action.wait_for(patience) != std::future_status::ready) return false;
  action.get();  // throws what it has thrown
  return true;
}

/** Waits in the course of a call for others of its own, which it keeps. */
class Collecting : public TestHost {
 public:
  void call(IncomingCall&, Answer& answer) override {
    std::vector<std::unique_ptr<PendingCall>> kept;
    for (int i = 0; i < many; ++i) {
      kept.push_back(Call("public", "sleep").with(std::int32_t{2}).begin(*answer.caller));
    }
    const std::ptrdiff_t before = open_descriptors();
    for (const auto& each : kept) each->answer();
    opened = open_descriptors() - before;
  }
  static std::ptrdiff_t open_descriptors() {
    using std::filesystem::directory_iterator;
    return std::distance(directory_iterator("/proc/self/fd"), directory_iterator());
  }
  static constexpr int many = 50;
  std::atomic<std::ptrdiff_t> opened{many};
};

bool one_call_waits() {
  return eventually([] { return ObjectStrands::of_process().report().waiting == 1; });
}

/** Calls with which the client's object is called back, chosen at random, and what may become of
 *  them. */
class Mixture {
 public:
  Mixture(Callee& server, unsigned seed) : server_(server), random_(seed) {}
  void run(int steps) {
    for (int i = 0; i < steps; ++i) step();
  }

 private:
  int up_to(int most) { return std::uniform_int_distribution<int>(0, most)(random_); }
  Call back() {
    Call call("public", "slowly_back");
    call.with(std::int32_t{up_to(3) == 0});
    return call;
  }
  void step() {
    switch (up_to(6)) {
      case 0:
        back().begin(server_)->cancel();
        return;
      case 1:
        kept_.push_back(back().begin(server_));
        if (kept_.size() > 4) kept_.erase(kept_.begin());
        return;
      case 2:
        if (!kept_.empty()) kept_[static_cast<std::size_t>(up_to(1)) % kept_.size()]->cancel();
        return;
      case 3:
        back().send(server_);
        return;
      case 4: {
        Call hurried = back();
        hurried.deadline = milliseconds(1);
        try {
          hurried.run(server_);
        } catch (const Error& error) {
          EXPECT_EQ(error.failure(), Failure::time_out) << error.what();
        }
        return;
      }
      case 5:
        Call("public", "bounce").with(std::int32_t{up_to(5)}).run(server_);
        return;
      default:
        back().run(server_);
    }
  }

  Callee& server_;
  std::mt19937 random_;
  std::vector<std::unique_ptr<PendingCall>> kept_;
};

/** Who has found that its call must wait goes back to the socket: there it shall be. */
void let_it_fall_asleep() {
  std::this_thread::sleep_for(milliseconds(50));
}

}  // namespace

class Turns : public testing::TestWithParam<std::tuple<TurnHolder, bool>> {};

TEST_P(Turns, ComeWhileTheCallerReads) {
  const auto [how, has_deadline] = GetParam();
  Ends ends;
  const auto kept = ends.hold(how);
  auto waits = std::async(std::launch::async, [&ends, limited = has_deadline] {
    Call back("public", "slowly_back");
    if (limited) back.deadline = 4 * patience;
    back.with(std::int32_t{0}).run(*ends.peer);
  });
  EXPECT_TRUE(one_call_waits());
  let_it_fall_asleep();
  ends.client.release_holds();
  EXPECT_TRUE(ends_in_time(waits));
  say_goodbye(*ends.peer);  // which ends it if it has not ended
}

INSTANTIATE_TEST_SUITE_P(
    All, Turns,
    testing::Combine(testing::Values(TurnHolder::waits, TurnHolder::is_cancelled,
                                     TurnHolder::is_dropped, TurnHolder::has_no_time,
                                     TurnHolder::is_one_way),
                     testing::Bool()));

/** Each waits for its turn, and reads for all meanwhile, or has another one read. */
TEST(Turn, ComesForManyThreads) {
  Ends ends;
  constexpr std::int64_t many = 8;
  const auto kept = ends.hold(TurnHolder::is_cancelled);
  std::vector<std::future<void>> all;
  for (int i = 0; i < many; ++i) {
    all.push_back(std::async(std::launch::async, [&] {
      Call("public", "slowly_back").with(std::int32_t{0}).run(*ends.peer);
    }));
  }
  EXPECT_TRUE(eventually([] { return ObjectStrands::of_process().report().waiting == many; }));
  let_it_fall_asleep();
  ends.client.release_holds();
  for (auto& each : all) EXPECT_TRUE(ends_in_time(each));
  say_goodbye(*ends.peer);
}

/** Calls that are cancelled, dropped, late or one-way, and calls behind them, by several threads
 *  over one connection and over several; SHINAR_SEED repeats one. */
TEST(Turn, ComesInAnyMixture) {
  const char* const given = std::getenv("SHINAR_SEED");
  const unsigned seed = given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10))
                                         : std::random_device()();
  SCOPED_TRACE("SHINAR_SEED=" + std::to_string(seed));
  for (const Limits& limits : {one_connection(), Limits()}) {
    Ends ends(limits);
    std::vector<std::future<void>> all;
    for (unsigned i = 0; i < 3; ++i) {
      all.push_back(
          std::async(std::launch::async, [&, i] { Mixture(*ends.peer, seed + i).run(200); }));
    }
    for (auto& each : all) EXPECT_TRUE(ends_in_time(each));
    say_goodbye(*ends.peer);
  }
}

/**
 * A caller that has lost patience goes on, and has the thread do something else. What it has given
 * up is granted its turn meanwhile, for which others wait, too.
 */
TEST(Turn, IsNotKeptByAThreadThatIsBusy) {
  Ends ends;
  const auto kept = ends.hold(TurnHolder::is_cancelled);
  auto busy = std::async(std::launch::async, [&] { Call("public", "insist").run(*ends.peer); });
  EXPECT_TRUE(eventually([&] { return ends.client.staying == 1; }));
  EXPECT_EQ(ObjectStrands::of_process().report().waiting, 1);
  ends.client.release_holds();
  auto waits = std::async(std::launch::async, [&] {
    Call("public", "slowly_back").with(std::int32_t{0}).run(*ends.peer);
  });
  EXPECT_TRUE(ends_in_time(waits));
  ends.client.let_go.set_value();
  EXPECT_TRUE(ends_in_time(busy));
  say_goodbye(*ends.peer);
}

/** The turn of a call that the client nests in one of the server, whose thread reads. */
TEST(Turn, ComesWhileAThreadOfTheServerReads) {
  HostWithTurns host;
  Server server(host, options_without_pings());
  server.start();
  const auto other = std::make_shared<Peer>(server.endpoint(), without_pings());
  const auto holds = Call("public", "hold").begin(*other);
  EXPECT_TRUE(eventually([&] { return host.holding == 1; }));
  Returning client;
  Exports exports(client, 1000);
  const auto peer = std::make_shared<Peer>(server.endpoint(), without_pings(), &exports);
  auto waits = std::async(std::launch::async,
                          [&] { Call("public", "slowly_back").with(std::int32_t{0}).run(*peer); });
  EXPECT_TRUE(one_call_waits());
  let_it_fall_asleep();
  host.release_holds();
  EXPECT_TRUE(ends_in_time(waits));
  holds->answer();
  say_goodbye(*other);
  say_goodbye(*peer);
  EXPECT_TRUE(server.stop(patience));
}

/** What a thread polls beside the socket is its own while it waits, however long a ticket lives. */
TEST(Turn, IsWaitedForWithFewDescriptors) {
  Collecting host;
  Server server(host, options_without_pings());
  server.start();
  TestHost client;
  Exports exports(client, 1000);
  const auto peer = std::make_shared<Peer>(server.endpoint(), without_pings(), &exports);
  peer->lender();
  Call("public", "collect").run(*peer);
  EXPECT_LT(host.opened, Collecting::many / 2);
  say_goodbye(*peer);
  EXPECT_TRUE(server.stop(patience));
}
