/** Clients that do not read the answers to their calls. */
#include <gtest/gtest.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <deque>
#include <future>
#include <set>
#include <thread>
#include <vector>

#include "raw_connection.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;

namespace {

constexpr int calls = 12;
constexpr std::uint16_t grow = 1;
constexpr std::int64_t big = std::int64_t{1} << 20;  // doubles: more than sockets take

ServerOptions options(unsigned threads) {
  ServerOptions made;
  made.threads = threads;
  made.spare_threads = 0;
  made.limits.unsent_bytes = 1 << 20;
  return made;
}

/** A connection that has asked for a big array `count` times, and reads nothing yet. */
class SlowReader : public RawConnection {
 public:
  SlowReader(TestServer& server, int count, std::uint16_t strand = 0) : RawConnection(server) {
    name("grow");
    for (int id = 1; id <= count; ++id) {
      Encoder body;
      body.put_string("public");
      body.put(big);
      send(FrameType::request, body, grow, strand, static_cast<std::uint64_t>(id));
    }
  }
  /** Reads the answers, in whatever order they come. */
  void reads(int count) {
    std::set<std::uint64_t> answered;
    for (int i = 0; i < count; ++i) {
      const FrameHeader header = next_answer();
      ASSERT_EQ(header.type, static_cast<std::uint8_t>(FrameType::reply));
      ASSERT_GT(header.bulk, static_cast<std::uint64_t>(big));
      answered.insert(header.request);
    }
    EXPECT_EQ(answered.size(), static_cast<std::size_t>(count));
  }
};

/** Calls its caller back when the test lets it. */
class CallsLater : public TestHost {
 public:
  void call(IncomingCall& call, Answer& answer) override {
    if (call.method->name != "later") {
      TestHost::call(call, answer);
      return;
    }
    ++waiting;
    may_go_on.wait();
    Call("public", "noop").run(*answer.caller);
  }
  std::atomic<int> waiting{0};
  std::promise<void> go_on;
  std::shared_future<void> may_go_on{go_on.get_future()};
};

/** A connection whose client calls methods with one argument, or none. */
class Caller : public RawConnection {
 public:
  using RawConnection::RawConnection;
  void call(std::uint16_t method, std::uint64_t id, auto... argument) {
    Encoder body;
    body.put_string("public");
    (body.put(argument), ...);
    send(FrameType::request, body, method, 0, id);
  }
  void cancel(std::uint64_t id) {
    Encoder nothing;
    send(FrameType::cancel, nothing, 0, 0, id);
  }
  /** Reads whole frames until so many calls have been answered; returns how many calls came. */
  int read_answers(int count) {
    int called = 0;
    while (count > 0 && !testing::Test::HasFailure()) {
      const auto type = static_cast<FrameType>(next_answer().type);
      called += type == FrameType::request;
      count -= type == FrameType::reply || type == FrameType::error;
    }
    return called;
  }
};

void add(Peer& peer, int i) {
  Message answer = Call("public", "add").with(std::int32_t{i}).with(std::int32_t{1}).run(peer);
  EXPECT_EQ(Decoder(answer).get<std::int32_t>(), i + 1);
}

}  // namespace

class SlowReaders : public testing::TestWithParam<std::uint16_t> {};

/** With calls that keep their order, and others. */
TEST_P(SlowReaders, CostNoThreadAndLittleMemory) {
  constexpr unsigned threads = 2, crowd = 8;
  TestServer server(options(threads));
  const auto quick = server.peer();
  add(*quick, 0);
  std::deque<SlowReader> slow;
  for (unsigned i = 0; i < crowd; ++i) slow.emplace_back(server, calls, GetParam());
  EXPECT_TRUE(eventually([&] { return server.host.grown >= crowd; }));
  constexpr int quick_calls = 300;
  for (int i = 0; i < quick_calls; ++i) add(*quick, i);
  // Each has got some of its first answer: it fills the outbox, and nothing more was run. (What the
  // sockets took at once may have been one answer more.)
  const std::uint64_t run = server.host.grown;
  EXPECT_LE(run, std::uint64_t{2} * crowd);
  for (SlowReader& each : slow) each.reads(calls);
  EXPECT_EQ(server.host.grown, std::uint64_t{calls} * crowd);
  add(*quick, 1);
}

INSTANTIATE_TEST_SUITE_P(All, SlowReaders, testing::Values(0, 5));

/** The thread that calls it waits for it, and no other does. */
TEST(SlowReader, CostsNoThreadWhileItIsCalled) {
  TestServer server(options(2));
  const auto quick = server.peer();
  RawConnection slow(server);
  slow.name("slowly_back");
  slow.name("grow");
  const auto call = [&](std::uint16_t method, std::uint64_t id, auto argument) {
    Encoder body;
    body.put_string("public");
    body.put(argument);
    slow.send(FrameType::request, body, method, 0, id);
  };
  call(1, 100, std::int32_t{0});
  slow.await_first_byte();
  for (int id = 1; id <= calls; ++id) call(grow + 1, static_cast<std::uint64_t>(id), big);
  EXPECT_TRUE(eventually([&] { return server.host.grown != 0; }));
  for (int i = 0; i < 300; ++i) add(*quick, i);
  EXPECT_LE(server.host.grown, 2u);
  int answers = 0;
  while (answers < calls) {
    const FrameHeader header = slow.next_answer();
    answers += header.type == static_cast<std::uint8_t>(FrameType::reply) && header.request < 100;
    if (HasFailure()) break;
  }
  EXPECT_EQ(server.host.grown, static_cast<std::uint64_t>(calls));
}

/**
 * Calls to the client are not sent into the midst of an answer that it has not taken, nor does
 * anybody hold a thread for that. Those before had been sent when the client ceased to read.
 */
TEST(SlowReader, CostsNoThreadWhileItIsCalledAgain) {
  constexpr int many = 40;
  ServerOptions patient = options(2);
  patient.limits.unsent_bytes = std::uint64_t{64} << 20;  // it is read on
  TestServer server(patient);
  Caller slow(server);
  slow.name("slowly_back");
  slow.name("grow");
  slow.call(2, 1, big);
  slow.await_first_byte();
  for (int i = 0; i < many; ++i) slow.call(1, 100 + static_cast<std::uint64_t>(i), std::int32_t{0});
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() > many; }));
  const auto others = std::async(std::launch::async, [&] {
    for (int i = 0; i < 300; ++i) add(*server.peer(), i);
  });
  EXPECT_EQ(others.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  for (int i = 0; i < many; ++i) slow.cancel(100 + static_cast<std::uint64_t>(i));
  EXPECT_EQ(slow.read_answers(1 + many), many);
}

/** What gives a call to the client up says so, but not in the midst of an answer either. */
TEST(SlowReader, IsToldBehindItsAnswersThatACallIsGivenUp) {
  ServerOptions patient = options(2);
  patient.limits.unsent_bytes = std::uint64_t{64} << 20;
  TestServer server(patient);
  const Id128 session = random_id();
  Caller slow(server, session);
  slow.name("slowly_back");
  slow.name("grow");
  slow.call(1, 100, std::int32_t{0});
  slow.await_first_byte();
  slow.call(2, 1, big);
  EXPECT_TRUE(eventually([&] { return server.host.grown == 1; }));
  slow.cancel(100);
  const auto same = server.server.ledger().open(session, milliseconds(1000));
  EXPECT_TRUE(eventually([&] { return same->waiting == 0; }));
  EXPECT_EQ(slow.read_answers(2), 1);
  server.server.ledger().say_goodbye(*same);
  static_cast<void>(server.server.ledger().close(same));
}

/** More than the limit is not kept for it: threads that call it wait, until they are given up. */
TEST(SlowReader, IsCalledByThreadsThatWaitForRoom) {
  constexpr int many = 8;
  ServerOptions all_at_once = options(2 * many);
  CallsLater host;
  Server server(host, all_at_once);
  server.start();
  {
    Caller slow(server.endpoint());
    slow.name("later");
    slow.name("grow");
    for (int i = 0; i < many; ++i) slow.call(1, 100 + static_cast<std::uint64_t>(i));
    EXPECT_TRUE(eventually([&] { return host.waiting == many; }));
    slow.call(2, 1, big);
    slow.await_first_byte();
    std::this_thread::sleep_for(milliseconds(50));  // what the socket did not take is put by
    host.go_on.set_value();
    int called = slow.read_answers(1);
    while (called < many && !HasFailure()) {
      called += static_cast<FrameType>(slow.next_answer().type) == FrameType::request;
    }
  }
  EXPECT_TRUE(eventually([&] { return server.calls_in_work() == 0; }));
  EXPECT_TRUE(server.stop(milliseconds(20000)));
}

/**
 * What calls do not take over is given back, by the threads that ran them, to a client that reads
 * nothing. That needs many calls with long names; tests of crowds passed numbers and arrays.
 */
TEST(SlowReader, CostsNoThreadWhileItsObjectsAreGivenBack) {
  constexpr int crowd = 3000;
  TestServer server(options(2));
  RawConnection slow(server);
  slow.name("add");
  std::atomic<bool> over{false};
  std::thread sends([&] {
    try {
      for (int id = 1; id <= crowd && !over; ++id) {
        Encoder body;
        body.put_string("public");
        body.put(std::int32_t{1});
        body.put(std::int32_t{1});
        body.note_reference();
        body.put(static_cast<std::uint8_t>(ObjectTag::at_sender));
        body.put_string(std::to_string(id) + std::string(4000, 'x'));
        body.put_string("a.b");
        body.put_references();
        slow.send(FrameType::request, body, 1, 0, static_cast<std::uint64_t>(id), flag_references);
      }
    } catch (const Error&) {
      // The connection has ended with the test.
    }
  });
  EXPECT_TRUE(eventually([&] { return server.server.counters().calls > 100; }));
  // Its answers fill the sockets, and the server reads it no more.
  std::uint64_t before = 0;
  EXPECT_TRUE(eventually([&] {
    std::this_thread::sleep_for(milliseconds(100));
    return std::exchange(before, server.server.counters().calls.load()) == before;
  }));
  const auto others = std::async(std::launch::async, [&] {
    for (int i = 0; i < 300; ++i) add(*server.peer(), i);
  });
  // A thread gives a client up after a minute.
  EXPECT_EQ(others.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  over = true;
  slow.shut();
  sends.join();
}

TEST(SlowReader, IsGivenUpAfterThreeIntervals) {
  ServerOptions impatient = options(2);
  impatient.limits.keepalive_ms = 100;
  TestServer server(impatient);
  SlowReader slow(server, calls, 5);
  EXPECT_TRUE(eventually([&] { return server.host.logged("the peer does not accept data"); }));
  EXPECT_TRUE(eventually([&] { return server.server.connection_count() == 0; }));
  EXPECT_TRUE(server.server.stop(milliseconds(20000))) << "no call counts as being in work";
}

TEST(SlowReader, GetsItsAnswersAfterItHasSentAll) {
  TestServer server(options(2));
  SlowReader slow(server, 1);
  slow.await_first_byte();
  slow.shut();
  slow.reads(1);
  EXPECT_TRUE(eventually([&] { return server.server.connection_count() == 0; }));
}

TEST(SlowReader, IsServedByABusyServer) {
  ServerOptions impatient = options(2);
  impatient.limits.keepalive_ms = 100;
  TestServer server(impatient);
  SlowReader slow(server, 1);
  slow.await_first_byte();
  const auto first = Call("public", "hold").begin(*server.peer());
  const auto second = Call("public", "hold").begin(*server.peer());
  ASSERT_TRUE(eventually([&] { return server.host.holding == 2; }));
  slow.reads(1);
}

/** What the server's machine has not got rid of was lost: a frame of the client met a reset. */
TEST(SlowReader, IsAnsweredThoughItGoesOnSendingAtTheEnd) {
  TestServer server(two_threads());
  RawConnection slow(server);
  slow.name("grow");
  constexpr std::uint64_t count = 40;
  for (std::uint64_t id = 1; id <= count; ++id) {
    Encoder body;
    body.put_string("public");
    body.put(std::int64_t{2048});  // doubles
    slow.send(FrameType::request, body, grow, 0, id);
  }
  ASSERT_TRUE(eventually([&] { return server.host.grown == count; }));
  auto end =
      std::async(std::launch::async, [&] { return server.server.stop(milliseconds(20000)); });
  FrameHeader ping;
  ping.type = static_cast<std::uint8_t>(FrameType::ping);
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(milliseconds(20));
    static_cast<void>(!::send(slow.fd(), &ping, sizeof ping, MSG_NOSIGNAL));
  }
  std::set<std::uint64_t> answered;
  for (std::uint64_t i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    const FrameHeader header = slow.next_answer();
    EXPECT_EQ(header.type, static_cast<std::uint8_t>(FrameType::reply));
    answered.insert(header.request);
  }
  EXPECT_EQ(answered.size(), count);
  EXPECT_EQ(slow.next_answer().type, static_cast<std::uint8_t>(FrameType::goodbye));
  EXPECT_TRUE(end.get());
}

/** Each refusal made the backlog last, and the calls that were answered before it with it. */
TEST(SlowReader, DoesNotDelayTheEndByCallsThatAreRefused) {
  TestServer server(two_threads());
  std::atomic<bool> stops{false};
  std::vector<std::thread> floods;
  for (int i = 0; i < 4; ++i) {
    floods.emplace_back([&] {
      RawConnection flood(server);
      flood.name("noop");
      std::vector<std::byte> dropped(1 << 16);
      for (std::uint64_t id = 1; !stops; ++id) {
        Encoder body;
        body.put_string("public");
        FrameHeader header;
        header.type = static_cast<std::uint8_t>(FrameType::request);
        header.request = id;
        header.method = 1;
        header.body = static_cast<std::uint32_t>(body.body_size());
        const auto frame = body.with_header(header);
        pollfd room{flood.fd(), POLLOUT, 0};  // for a frame and more, or none
        if (::poll(&room, 1, 100) == 0) {
          ::recv(flood.fd(), dropped.data(), dropped.size(), MSG_DONTWAIT);
          continue;
        }
        if (::send(flood.fd(), frame.data(), frame.size(), MSG_NOSIGNAL) < 0) return;
        // It reads, but no faster than it asks for more.
        if (id % 64 == 0) ::recv(flood.fd(), dropped.data(), dropped.size(), MSG_DONTWAIT);
      }
    });
  }
  EXPECT_TRUE(eventually([&] { return server.server.counters().calls > 20000; }));
  EXPECT_TRUE(server.server.stop(milliseconds(20000)));
  EXPECT_FALSE(server.server.has_cut());
  stops = true;
  for (std::thread& each : floods) each.join();
}

TEST(SlowReader, IsWaitedForAtTheEnd) {
  auto server = std::make_unique<TestServer>(options(2));
  SlowReader slow(*server, 1);
  slow.await_first_byte();
  std::thread ends([&] { EXPECT_TRUE(server->server.stop(milliseconds(20000))); });
  slow.reads(1);
  ends.join();
}

namespace {

/** The socket at the other end, which is this process's, too. */
int other_end(int fd) {
  sockaddr_storage mine{}, theirs{};
  socklen_t size = sizeof mine;
  EXPECT_EQ(::getsockname(fd, reinterpret_cast<sockaddr*>(&mine), &size), 0);
  for (int each = 0; each < 1024; ++each) {
    socklen_t other_size = sizeof theirs;
    if (::getpeername(each, reinterpret_cast<sockaddr*>(&theirs), &other_size) == 0 &&
        other_size == size && std::memcmp(&mine, &theirs, size) == 0) {
      return each;
    }
  }
  ADD_FAILURE() << "the server's socket is not there";
  return -1;
}

/** What the sockets hold between a server and a client. */
std::uint64_t held_by_sockets(int client, int server) {
  int received = 0, sent = 0;
  EXPECT_EQ(::ioctl(client, FIONREAD, &received), 0);
  EXPECT_EQ(::ioctl(server, SIOCOUTQ, &sent), 0);
  return static_cast<std::uint64_t>(received) + static_cast<std::uint64_t>(sent);
}

/** The same when it has settled: the client does not read. */
std::uint64_t held_in_the_end(int client, int server) {
  std::uint64_t before = 0;
  for (int unchanged = 0; unchanged < 20;) {
    const std::uint64_t now = held_by_sockets(client, server);
    unchanged = now == before ? unchanged + 1 : 0;
    before = now;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return before;
}

}  // namespace

class UnsentAnswers : public testing::TestWithParam<int> {};

/** Calls of a connection are run while its unsent answers hold the limit, and not one byte more. */
TEST_P(UnsentAnswers, OneBelowAtAndOneAboveTheLimit) {
  constexpr std::uint64_t limit = std::uint64_t{64} << 20;
  ServerOptions exact = options(2);
  exact.limits.unsent_bytes = limit;
  TestServer server(exact);
  const auto sent = [&] { return server.server.counters().bytes_sent.load(); };
  RawConnection slow(server);
  for (const char* each : {"grow", "fail", "note"}) slow.name(each);
  constexpr std::uint16_t fail = 2, note = 3, strand = 5;
  const auto call = [&](std::uint16_t method, std::uint64_t id, const auto& put) {
    Encoder body;
    body.put_string("public");
    put(body);
    slow.send(FrameType::request, body, method, strand, id);
  };
  const auto failing = [](std::size_t length) {
    return [length](Encoder& body) { body.put_string(std::string(length, 'x')); };
  };
  const auto growing = [](std::uint64_t doubles) {
    return [doubles](Encoder& body) { body.put(static_cast<std::int64_t>(doubles)); };
  };

  // How long answers are beside what the call says.
  call(fail, 1, failing(1));
  ASSERT_TRUE(eventually([&] { return sent() != 0; }));
  const std::uint64_t around_text = sent() - 1;
  static_cast<void>(slow.next_answer());
  // More than sockets take, and then just enough.
  std::uint64_t before = sent();
  call(grow, 2, growing(big << 1));
  ASSERT_TRUE(eventually([&] { return sent() != before; }));
  const std::uint64_t around_array = sent() - before - (big << 4);
  const int other = other_end(slow.fd());
  const std::uint64_t held = held_in_the_end(slow.fd(), other);
  std::uint64_t unsent = sent() - before - held;
  ASSERT_GT(unsent, 0u);
  ASSERT_LT(unsent, limit / 2);
  const std::uint64_t wanted = limit + static_cast<std::uint64_t>(GetParam()) - unsent;
  const std::uint64_t doubles = (wanted - around_array - around_text - 8) / 8;
  call(grow, 3, growing(doubles));
  call(fail, 4, failing(wanted - around_array - 8 * doubles - around_text));
  before += unsent + held;
  ASSERT_TRUE(eventually([&] { return sent() == before + wanted; })) << sent() - before - wanted;

  call(note, 5, [](Encoder& body) { body.put(std::int32_t{0}), body.put(std::int32_t{7}); });
  if (GetParam() <= 0) {
    EXPECT_TRUE(eventually([&] { return server.host.notes().size() == 1; }));
    EXPECT_EQ(held_by_sockets(slow.fd(), other), held) << "it was run when there was more room";
  } else {
    const auto quick = server.peer();
    for (int i = 0; i < 300; ++i) add(*quick, i);
    // After seconds the kernel may take some more.
    const bool was_run = !server.host.notes().empty();
    EXPECT_FALSE(was_run && held_by_sockets(slow.fd(), other) == held);
  }
  for (int id = 2; id <= 5; ++id) static_cast<void>(slow.next_answer());
  EXPECT_EQ(server.host.notes().size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(All, UnsentAnswers, testing::Values(-1, 0, 1));
