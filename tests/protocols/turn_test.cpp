/**
 * Nested calls that have to wait for others on the same object, and whose turn comes while the
 * thread that has to run them is asleep on the socket.
 *
 * The tests of strands had callers that waited for nothing but an answer, and those of callbacks
 * had objects that anybody may call at any time: so nobody gave a nested call to a thread that was
 * reading, which did not hear of it before the next ping.
 */
#include <gtest/gtest.h>

#include <future>

#include "core/strands.hpp"
#include "test_host.hpp"

using namespace simhandle;
using std::chrono::milliseconds;
using std::chrono::seconds;

/** What becomes of the call in the course of which the object is held. */
enum class TurnHolder { waits, is_cancelled, is_dropped, has_no_time, is_one_way };

namespace {

constexpr std::uint32_t no_ping_ms = 60000;  ///< much longer than a test lasts
constexpr seconds patience{15};

Limits without_pings(Limits limits = {}) {
  limits.keepalive_ms = no_ping_ms;
  return limits;
}

ServerOptions options_without_pings() {
  ServerOptions options;
  options.limits = without_pings();
  return options;
}

/** Of its methods those that a test lets wait run one at a time. */
class HostWithTurns : public TestHost {
 public:
  const void* strand(IncomingCall& call) override {
    const bool is_alone =
        call.method != nullptr && (call.method->name == "hold" || call.method->name == "sleep");
    return is_alone ? this : nullptr;
  }
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
  Ends() : peer(std::make_shared<Peer>(server.server.endpoint(), limits(), &exports)) {
    Call("public", "noop").run(*peer);
    peer->lender();
  }
  ~Ends() {
    client.release_holds();
    peer->say_goodbye();
  }
  static Limits limits() { return without_pings(one_connection()); }

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

  TestServer server{options_without_pings()};
  HostWithTurns client;
  Exports exports{client, 1000};
  std::shared_ptr<Peer> peer;
};

bool ends_in_time(const std::future<void>& action) {
  return action.wait_for(patience) == std::future_status::ready;
}

bool one_call_waits() {
  return eventually([] { return Strands::of_process().report().waiting == 1; });
}

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
  ends.peer->say_goodbye();  // which ends it if it has not ended
}

INSTANTIATE_TEST_SUITE_P(All, Turns,
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
  EXPECT_TRUE(eventually([] { return Strands::of_process().report().waiting == many; }));
  let_it_fall_asleep();
  ends.client.release_holds();
  for (const auto& each : all) EXPECT_TRUE(ends_in_time(each));
  ends.peer->say_goodbye();
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
  auto waits = std::async(std::launch::async, [&] {
    Call("public", "slowly_back").with(std::int32_t{0}).run(*peer);
  });
  EXPECT_TRUE(one_call_waits());
  let_it_fall_asleep();
  host.release_holds();
  EXPECT_TRUE(ends_in_time(waits));
  holds->answer();
  other->say_goodbye();
  peer->say_goodbye();
  EXPECT_TRUE(server.stop(patience));
}
