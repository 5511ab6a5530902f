/**
 * Connections that a server makes because a client has named the place, and what they cost others.
 *
 * The servers in other tests to which references led answered, or the objects that were called took
 * any number of calls at a time.
 */
#include "core/errands.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "raw_frames.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

const auto time_zero = Errands::Clock::now();

/** Why there can be no errand; empty: there can. */
std::string why_not(Errands& errands, const std::string& place, const std::string& host,
                    Errands::Clock::time_point now) {
  try {
    errands.check(place, host, now);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.fate(), Fate::not_sent);
    return error.what();
  }
}

/** Takes no connections: nobody accepts those that wait. */
struct SilentPort {
  SilentPort() {
    for (int i = 0; i < 4; ++i) {
      try {
        waiting.push_back(connect_to(endpoint, milliseconds(50)));
      } catch (const Error&) {
        break;  // it is full
      }
    }
  }
  Endpoint endpoint{"127.0.0.1", 0};
  Socket listener = [this] {
    Socket socket = listen_on(endpoint);
    ::listen(socket.fd(), 0);
    return socket;
  }();
  std::vector<Socket> waiting;
};

/** The median and the longest time of calls of an honest client. */
struct Times {
  microseconds median, longest;
  Times(Peer& peer, milliseconds length) {
    std::vector<microseconds> all;
    for (const auto end = Errands::Clock::now() + length; Errands::Clock::now() < end;) {
      const auto start = Errands::Clock::now();
      Call("public", "noop").run(peer);
      all.push_back(std::chrono::duration_cast<microseconds>(Errands::Clock::now() - start));
    }
    std::ranges::sort(all);
    median = all[all.size() / 2];
    longest = all.back();
  }
};

}  // namespace

TEST(Errands, WhatWasInVainIsRememberedForAWhile) {
  Errands errands;
  errands.note_in_vain("far:1", "bad", "nobody answers", time_zero, time_zero + milliseconds(500));
  const auto soon = time_zero + milliseconds(600);
  EXPECT_EQ(why_not(errands, "far:1", "good", soon),
            "nobody answers (it is not tried again for 1900 ms)");
  EXPECT_EQ(why_not(errands, "far:2", "bad", soon),
            "clients at bad have sent this process to far:1 in vain, so that it connects to no new "
            "places for them for 1900 ms");
  EXPECT_EQ(why_not(errands, "far:2", "good", soon), "");
  EXPECT_EQ(why_not(errands, "far:1", "bad", time_zero + milliseconds(2500)), "");
}

TEST(Errands, WhatFailsAtOnceIsHeldAgainstNobody) {
  Errands errands;
  errands.note_in_vain("far:1", "bad", "refused", time_zero, time_zero + milliseconds(10));
  EXPECT_EQ(why_not(errands, "far:1", "bad", time_zero + milliseconds(11)), "");
}

TEST(Errands, FewAreRememberedAndNoneForLong) {
  Errands errands;
  for (int i = 0; i < 1000; ++i) {
    errands.note_in_vain("far:" + std::to_string(i), "host" + std::to_string(i), "silent",
                         time_zero, time_zero + seconds(1000));
  }
  EXPECT_EQ(why_not(errands, "far:0", "good", time_zero + seconds(1001)), "");
  EXPECT_NE(why_not(errands, "far:999", "good", time_zero + seconds(1001)), "");
  EXPECT_EQ(why_not(errands, "far:999", "good", time_zero + seconds(1061)), "");
}

TEST(Errands, SomeAreUnderWayAtATime) {
  Errands errands;
  errands.begin(2, {});
  errands.begin(2, {});
  EXPECT_THROW(errands.begin(2, Errands::Clock::now() + milliseconds(20)), Error);
  std::thread other([&] {
    std::this_thread::sleep_for(milliseconds(20));
    errands.end();
  });
  EXPECT_NO_THROW(errands.begin(2, Errands::Clock::now() + seconds(10)));
  other.join();
}

/** Each of the calls had the object for as long as connecting may take, one after the other. */
TEST(Errands, CallsThatLeadNowhereLeaveTheirObjectToOthers) {
  constexpr int calls = 127;
  const SilentPort silent;
  TestServer server;
  server.host.serializes = true;
  Limits limits;
  limits.connect_ms = 5000;
  server.host.next = std::make_shared<Peer>(silent.endpoint, limits);
  const auto honest = server.peer();
  const Times idle(*honest, milliseconds(300));
  const auto hostile = server.peer(one_connection());
  const auto start = Errands::Clock::now();
  std::vector<std::unique_ptr<PendingCall>> all;
  for (int i = 0; i < calls; ++i) {
    all.push_back(Call("public", "circle").with(std::int32_t{1}).begin(*hostile));
  }
  const Times meanwhile(*honest, milliseconds(3000));
  for (const auto& each : all) EXPECT_THROW(static_cast<void>(each->answer()), Error);
  // One of them waits, for a fifth of the time; the others know.
  EXPECT_LT(Errands::Clock::now() - start, milliseconds(4500));
  EXPECT_LT(meanwhile.longest, milliseconds(2500));
  EXPECT_LT(meanwhile.median, std::max(10 * idle.median, microseconds(2000)));
  EXPECT_EQ(
      server.host.count_logged("cannot connect to " + silent.endpoint.text() + ", where 127.0.0.1"),
      1);
}
