/**
 * Calls that wait in a connection because all threads of the server are at work: what the client
 * sends behind them is heard before they begin.
 *
 * The tests of cancelled and late calls had one call at a time wait, for an object, behind which
 * the server read on. Calls that no thread was free for lay in the socket, and with them the word
 * that they were given up.
 */
#include <gtest/gtest.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <thread>

#include "raw_connection.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;

namespace {

constexpr int many = 60;

/** Two threads, which others hold until the test lets them go. */
struct HeldServer : TestServer {
  explicit HeldServer(const Limits& limits = {}) : TestServer(options_of(limits)) {
    for (int i = 0; i < 2; ++i) {
      holders_.emplace_back([this] { Call("public", "hold").run(*peer()); });
    }
    EXPECT_TRUE(eventually([&] { return host.holding == 2; }));
  }
  ~HeldServer() { let_go(); }

  void let_go() {
    host.release_holds();
    for (std::thread& each : holders_) each.join();
    holders_.clear();
  }
  void let_go_and_rest() {
    let_go();
    EXPECT_TRUE(eventually([&] { return server.calls_in_work() == 0; }));
  }
  /** True when so many calls were read besides those that hold the threads. */
  bool has_read(int calls) {
    return eventually([&] { return server.calls_in_work() == 2 + calls; });
  }

 private:
  static ServerOptions options_of(const Limits& limits) {
    ServerOptions options = two_threads();
    options.limits = limits;
    return options;
  }
  std::vector<std::thread> holders_;
};

/** Asks for note(0, number): a request if `id` is not 0. */
void send_note(RawConnection& raw, int number, std::uint64_t id, std::uint16_t strand = 0) {
  Encoder body;
  body.put_string("public");
  body.put(std::int32_t{0});
  body.put(std::int32_t{number});
  raw.send(id == 0 ? FrameType::oneway : FrameType::request, body, 1, strand, id);
}

void send_cancel(RawConnection& raw, std::uint64_t id) {
  Encoder nothing;
  raw.send(FrameType::cancel, nothing, 0, 0, id);
}

std::vector<int> every_second(int count) {
  std::vector<int> numbers;
  for (int i = 1; i < count; i += 2) numbers.push_back(i);
  return numbers;
}

Call note(int number) {
  Call call("public", "note");
  call.with(std::int32_t{0}).with(number);
  return call;
}

}  // namespace

TEST(Ahead, CallsThatAreCancelledWhileAllThreadsAreBusyAreNotRun) {
  HeldServer server;
  const auto peer = server.peer(one_connection());
  std::vector<std::unique_ptr<PendingCall>> calls;
  for (int i = 0; i < many; ++i) calls.push_back(note(i).begin(*peer));
  EXPECT_TRUE(server.has_read(many));
  for (const auto& each : calls) EXPECT_TRUE(each->cancel());
  // They are answered at once, but for one that may have been handed over to a thread.
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() <= 2 + 1; }));
  server.let_go_and_rest();
  EXPECT_TRUE(server.host.notes().empty());
}

/**
 * More calls than may be in work, which wait for a thread, or for the one before them in their
 * caller strand, that runs: they were all read, and the connection closed, as if the client had not
 * been told to wait. The tests above had fewer.
 */
TEST(Ahead, CallsBeyondTheLimitWaitInTheSocket) {
  for (const std::uint16_t strand : {std::uint16_t{0}, std::uint16_t{5}}) {
    TestServer server(two_threads());
    RawConnection raw(server);
    raw.name("note");
    raw.name("hold");
    Encoder hold;
    hold.put_string("public");
    raw.send(FrameType::oneway, hold, 2, strand);
    std::thread other([&] { Call("public", "hold").run(*server.peer()); });
    EXPECT_TRUE(eventually([&] { return server.host.holding == 2; }));
    constexpr int very_many = 1500;
    for (int i = 0; i < very_many; ++i) send_note(raw, i, 0, strand);
    const auto most = static_cast<int>(Limits().calls_in_work);
    EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() >= most; }));
    std::this_thread::sleep_for(milliseconds(100));
    EXPECT_LE(server.server.calls_in_work(), most + 3);
    server.host.release_holds();
    other.join();
    EXPECT_TRUE(eventually([&] { return server.host.notes().size() == very_many; }));
    if (strand != 0) {
      EXPECT_TRUE(std::ranges::is_sorted(server.host.notes()));
    }
  }
}

/**
 * While calls wait for their peers more is read, which they may be waiting for; but of this client
 * nobody waits for anything. When a thread was free at last it read one more than is allowed.
 */
TEST(Ahead, CallsBeyondTheHigherLimitWaitInTheSocket) {
  TestServer server(two_threads());
  TestClient waited_for(server);
  waited_for.peer->lender();
  Call("public", "slowly_back_to_hold").send(*waited_for.peer);
  EXPECT_TRUE(eventually([&] { return waited_for.host.holding == 1; }));
  RawConnection raw(server);
  raw.name("note");
  raw.name("hold");
  Encoder hold;
  hold.put_string("public");
  raw.send(FrameType::oneway, hold, 2, 5);
  std::thread other([&] { Call("public", "hold").run(*server.peer()); });
  EXPECT_TRUE(eventually([&] { return server.host.holding == 2; }));
  constexpr int very_many = 1500;
  for (int i = 0; i < very_many; ++i) send_note(raw, i, 0, 5);
  const auto most = static_cast<int>(Limits().calls_in_work * calls_in_work_while_waiting);
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() >= most; }));
  server.host.release_holds();
  other.join();
  EXPECT_TRUE(eventually([&] { return server.host.notes().size() == very_many; }));
  waited_for.host.release_holds();
}

namespace {

/** True if this process has a socket with what a server at the port does not take. */
bool has_unsent(std::uint16_t port) {
  for (int fd = 0; fd < 1024; ++fd) {
    sockaddr_in to{};
    socklen_t size = sizeof to;
    int bytes = 0;
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&to), &size) == 0 &&
        to.sin_family == AF_INET && ntohs(to.sin_port) == port &&
        ::ioctl(fd, SIOCOUTQ, &bytes) == 0 && bytes > 0) {
      return true;
    }
  }
  return false;
}

bool keeps_unsent(std::uint16_t port) {
  for (int i = 0; i < 20; ++i) {
    if (!has_unsent(port)) return false;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return true;
}

}  // namespace

/**
 * A client in good order ends when the server has taken all that it was sent, which the system does
 * not keep for ever: one-way calls were lost, tens of thousands behind each other.
 */
TEST(Ahead, AClientEndsWhenAllHasBeenTaken) {
  HeldServer server;
  const auto peer = server.peer(one_connection());
  int count = 0;
  const auto send_some = [&] {
    for (int i = 0; i < 50; ++i) {
      Call call = note(count++);
      call.encoder.put_string(std::string(8000, 'x'));
      call.send(*peer);
    }
  };
  while (!keeps_unsent(server.server.endpoint().port)) send_some();
  send_some();
  std::atomic<bool> has_ended{false};
  std::thread ends([&] {
    say_goodbye(*peer);
    has_ended = true;
  });
  std::this_thread::sleep_for(milliseconds(1000));
  EXPECT_FALSE(has_ended);
  server.let_go();
  ends.join();
  EXPECT_TRUE(
      eventually([&] { return server.host.notes().size() == static_cast<std::size_t>(count); }));
}

/** Whoever is to run them looks first: the watch thread has no part in it. */
TEST(Ahead, ACallIsNotBegunBeforeTheCancelBehindItIsRead) {
  HeldServer server;
  RawConnection raw(server);
  raw.name("note");
  for (int i = 0; i < many; ++i) send_note(raw, i, static_cast<std::uint64_t>(i) + 1);
  EXPECT_TRUE(server.has_read(many));
  std::vector<int> expected;
  for (int i = 0; i < many; ++i) {
    if (i % 3 != 0) {
      send_cancel(raw, static_cast<std::uint64_t>(i) + 1);
    } else {
      expected.push_back(i);
    }
  }
  server.let_go_and_rest();
  std::vector<int> notes = server.host.notes();
  std::ranges::sort(notes);
  EXPECT_EQ(notes, expected);
}

/** One thread runs them one after the other, each for a moment. */
TEST(Ahead, CallsThatAreCancelledBehindShortOnesAreNotRun) {
  TestServer server(two_threads());
  RawConnection raw(server);
  raw.name("note");
  for (std::uint64_t id = 1; id <= 200; ++id) {
    Encoder body;
    body.put_string("public");
    body.put(std::int32_t{3});
    body.put(std::int32_t{1});
    raw.send(FrameType::request, body, 1, 0, id);
  }
  for (std::uint64_t id = 200; id >= 1; --id) send_cancel(raw, id);
  EXPECT_TRUE(eventually([&] { return server.server.counters().calls == 200; }));
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
  EXPECT_LT(server.host.notes().size(), 150u);
}

TEST(Ahead, CallsWhoseDeadlinePassesWhileAllThreadsAreBusyAreNotRun) {
  HeldServer server;
  const auto peer = server.peer(one_connection());
  // Not all at once: the server has looked at the connection already.
  for (int i = 0; i < 4; ++i) {
    Call late = note(i);
    late.deadline = milliseconds(50);
    EXPECT_THROW(late.run(*peer), Error);
  }
  EXPECT_TRUE(server.has_read(4));
  Call in_time = note(7);
  in_time.deadline = milliseconds(20000);
  const auto pending = in_time.begin(*peer);
  EXPECT_TRUE(server.has_read(5));
  std::this_thread::sleep_for(milliseconds(60));
  server.let_go_and_rest();
  EXPECT_EQ(server.host.notes(), std::vector<int>{7});
  EXPECT_NO_THROW(pending->answer());
}

/** Time that passed before it was sent was taken for the call's if another one had been read. */
TEST(Ahead, ADeadlineDoesNotCountFromWhenEarlierCallsWereRead) {
  HeldServer server;
  RawConnection raw(server);
  raw.name("note");
  send_note(raw, 1, 1);
  EXPECT_TRUE(server.has_read(1));
  std::this_thread::sleep_for(milliseconds(300));
  FrameHeader header;
  Encoder body;
  body.put_string("public");
  body.put(std::int32_t{0});
  body.put(std::int32_t{2});
  header.type = static_cast<std::uint8_t>(FrameType::request);
  header.request = 2;
  header.body = static_cast<std::uint32_t>(body.body_size());
  header.method = 1;
  header.deadline = 200;
  send_frame(raw.fd(), {}, header, body);
  server.let_go_and_rest();
  EXPECT_EQ(server.host.notes().size(), 2u);
}

/** One-way calls are another matter: they were accepted. */
TEST(Ahead, CallsOfAClientThatIsGoneAreNotRun) {
  HeldServer server;
  {
    RawConnection raw(server);
    raw.name("note");
    for (int i = 0; i < many; ++i) {
      send_note(raw, i, i % 2 == 0 ? static_cast<std::uint64_t>(i) + 1 : 0, 3);
    }
    EXPECT_TRUE(server.has_read(many));
  }
  server.let_go_and_rest();
  EXPECT_EQ(server.host.notes(), every_second(many));
}

namespace {

/**
 * A client sends more calls than may be in work, and is gone. `says_goodbye`: in good order.
 * Returns when the server knows.
 */
void call_and_go(TestServer& server, int calls, bool says_goodbye) {
  RawConnection raw(server);
  raw.name("note");
  for (int i = 0; i < calls; ++i) send_note(raw, i, static_cast<std::uint64_t>(i) + 1);
  EXPECT_TRUE(eventually([&] { return server.server.counters().calls >= 128; }));
  if (!says_goodbye) return;
  Encoder body;
  body.put<std::uint32_t>(0);
  body.put_string("");
  raw.send(FrameType::goodbye, body);
}

}  // namespace

/** The end of a client lay behind calls that were not read, as too many were in work. */
TEST(Ahead, CallsBeyondTheLimitOfAClientThatIsGoneAreNotRun) {
  constexpr int calls = 500;
  HeldServer server;
  call_and_go(server, calls, false);
  EXPECT_TRUE(eventually([&] { return server.server.counters().calls == 2 + calls; }));
  server.let_go_and_rest();
  EXPECT_TRUE(server.host.notes().empty()) << server.host.notes().size();
  EXPECT_TRUE(eventually([&] { return server.server.connection_count() <= 2; }));
}

TEST(Ahead, CallsBeyondTheLimitBeforeAGoodbyeAreRun) {
  constexpr int calls = 500;
  HeldServer server;
  call_and_go(server, calls, true);
  // Before it is answered: a socket that is closed resets the connection then.
  EXPECT_TRUE(eventually([&] { return server.server.counters().calls == 2 + calls; }));
  server.let_go_and_rest();
  EXPECT_TRUE(eventually([&] { return server.host.notes().size() == calls; }));
}

/** The same for calls that wait for an object, while threads are free. */
TEST(Ahead, CallsBeyondTheLimitOfAClientThatIsGoneDoNotWaitForTheirObject) {
  TestServer server;
  server.host.serializes = true;
  std::thread holds([&] { Call("public", "hold").run(*server.peer()); });
  EXPECT_TRUE(eventually([&] { return server.host.holding == 1; }));
  call_and_go(server, 500, false);
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 1; }))
      << server.server.calls_in_work();
  server.host.release_holds();
  holds.join();
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
  EXPECT_TRUE(server.host.notes().empty()) << server.host.notes().size();
}

TEST(Ahead, CallsOfAClientThatIsGoneDoNotWaitForTheirObjectAnyMore) {
  TestServer server;
  server.host.serializes = true;
  std::thread holds([&] { Call("public", "hold").run(*server.peer()); });
  EXPECT_TRUE(eventually([&] { return server.host.holding == 1; }));
  {
    RawConnection raw(server);
    raw.name("note");
    for (int i = 0; i < 4; ++i) {
      send_note(raw, i, i % 2 == 0 ? static_cast<std::uint64_t>(i) + 1 : 0);
    }
    raw.settle();
  }
  EXPECT_TRUE(eventually([&] { return server.server.connection_count() == 1; }));
  server.host.release_holds();
  holds.join();
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
  EXPECT_EQ(server.host.notes(), every_second(4));
}

namespace {

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

}  // namespace

/** How a client ends whose call waits for an object. */
enum class End { lost, lost_one_way, goodbye, lost_in_order, lost_one_way_in_order };

class EndedConnections : public testing::TestWithParam<End> {};

/** As many as may be open at a time, and no other client was let in until the object was free. */
TEST_P(EndedConnections, GiveTheirDescriptorsBackWhileTheirCallsWait) {
  constexpr int clients = 40, calls = 3;
  const bool is_one_way =
      GetParam() == End::lost_one_way || GetParam() == End::lost_one_way_in_order;
  const bool in_order =
      GetParam() == End::lost_in_order || GetParam() == End::lost_one_way_in_order;
  const bool is_run = is_one_way || GetParam() == End::goodbye;
  TestServer server;
  server.host.serializes = true;
  std::thread holds([&] { Call("public", "hold").run(*server.peer()); });
  EXPECT_TRUE(eventually([&] { return server.host.holding == 1; }));
  const std::size_t before = open_descriptors();
  for (int i = 0; i < clients; ++i) {
    RawConnection raw(server);
    raw.name("note");
    const std::uint16_t strand = in_order ? 5 : 0;
    for (int k = 1; k <= calls; ++k) {
      const auto id = static_cast<std::uint64_t>(is_one_way ? 0 : k);
      send_note(raw, i * calls + k, id, strand);
    }
    raw.settle();
    Encoder body;
    body.put<std::uint32_t>(0);
    body.put_string("");
    if (GetParam() == End::goodbye) raw.send(FrameType::goodbye, body);
  }
  EXPECT_TRUE(eventually([&] { return open_descriptors() <= before; }))
      << open_descriptors() - before;
  const int waiting = is_run ? clients * calls : 0;
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 1 + waiting; }));
  server.host.release_holds();
  holds.join();
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
  std::vector<int> expected(static_cast<std::size_t>(waiting));
  std::iota(expected.begin(), expected.end(), 1);
  auto notes = server.host.notes();
  if (in_order) {  // those of one client
    std::ranges::stable_sort(notes, {}, [](int note) { return (note - 1) / calls; });
  } else {
    std::ranges::sort(notes);
  }
  EXPECT_EQ(notes, expected);
}

INSTANTIATE_TEST_SUITE_P(All, EndedConnections,
                         testing::Values(End::lost, End::lost_one_way, End::goodbye,
                                         End::lost_in_order, End::lost_one_way_in_order));

/** Answers that nobody hears may be bigger than none: the limits of the client still hold. */
TEST(Ahead, CallsOfAnEndedConnectionMayFail) {
  TestServer server;
  server.host.serializes = true;
  std::thread holds([&] { Call("public", "hold").run(*server.peer()); });
  EXPECT_TRUE(eventually([&] { return server.host.holding == 1; }));
  {
    RawConnection raw(server);
    raw.name("fail");
    Encoder call, body;
    call.put_string("public");
    raw.send(FrameType::request, call, 1, 0, 1);
    body.put<std::uint32_t>(0);
    body.put_string("");
    raw.settle();
    raw.send(FrameType::goodbye, body);
  }
  EXPECT_TRUE(eventually([&] { return server.server.connection_count() <= 1; }));
  server.host.release_holds();
  holds.join();
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
  EXPECT_NO_THROW(Call("public", "noop").run(*server.peer()));
}

/** Who ends in good order has all it asked for before, though nobody hears the answers. */
TEST(Ahead, WhatAClientAskedForBeforeItsGoodbyeIsRun) {
  HeldServer server;
  std::vector<int> expected(many);
  std::iota(expected.begin(), expected.end(), 0);
  {
    const auto peer = server.peer(one_connection());
    std::vector<std::unique_ptr<PendingCall>> calls;
    for (const int i : expected) {
      if (i % 2 == 0) {
        calls.push_back(note(i).begin(*peer));
      } else {
        note(i).send(*peer);
      }
    }
    EXPECT_TRUE(server.has_read(many));
    calls.clear();
    say_goodbye(*peer);
  }
  server.let_go_and_rest();
  EXPECT_EQ(server.host.notes(), expected);
  EXPECT_TRUE(eventually([&] { return server.server.connection_count() == 0; }));
}

/** As many as may be in work have been read by one thread; others run them, too. */
TEST(Ahead, WhatOneThreadHasReadOthersRunAsWell) {
  ServerOptions options;
  options.threads = 6;
  options.spare_threads = 0;
  options.limits.calls_in_work = 8;
  TestServer server(options);
  RawConnection raw(server);
  raw.name("hold");
  for (std::uint64_t id = 1; id <= 20; ++id) {
    Encoder body;
    body.put_string("public");
    raw.send(FrameType::request, body, 1, 0, id);
  }
  EXPECT_TRUE(eventually([&] { return server.host.holding == 6; }));
  EXPECT_LE(server.server.calls_in_work(), 8);
  server.host.release_holds();
  for (int i = 0; i < 20; ++i) raw.next_answer();
}

TEST(Ahead, WhatIsReadAheadKeepsTheLimitOfMemory) {
  Limits limits;
  limits.message_bytes = 400 << 10;
  limits.inline_bytes = 100 << 10;
  limits.memory_bytes = 1 << 20;
  HeldServer server(limits);
  const auto peer = server.peer(one_connection());
  const std::vector<double> values(45000, 1.5);
  std::vector<std::unique_ptr<PendingCall>> calls;
  std::thread sends([&] {
    for (int i = 0; i < 12; ++i) {
      Call echo("public", "echo");
      put_doubles(echo.encoder, values);
      calls.push_back(echo.begin(*peer));
    }
  });
  EXPECT_TRUE(server.has_read(2));
  std::this_thread::sleep_for(milliseconds(100));
  server.let_go();
  sends.join();
  for (const auto& each : calls) EXPECT_NO_THROW(each->answer());
}

/** Each fits, and three of them do not: the third is read when one of the others has ended. */
TEST(Ahead, ACallThatFindsNoRoomWaitsForTheOthers) {
  Limits limits;
  limits.message_bytes = 400 << 10;
  limits.inline_bytes = 100 << 10;
  limits.memory_bytes = 1 << 20;
  ServerOptions options;
  options.limits = limits;
  TestServer server(options);
  const auto peer = server.peer(one_connection());
  const std::vector<double> values(45000, 1.5);
  std::vector<std::thread> callers;
  for (int i = 0; i < 6; ++i) {
    callers.emplace_back([&] {
      Call sleep("public", "sleep");
      sleep.with(100);
      put_doubles(sleep.encoder, values);
      EXPECT_NO_THROW(sleep.run(*peer));
    });
  }
  for (std::thread& each : callers) each.join();
}
