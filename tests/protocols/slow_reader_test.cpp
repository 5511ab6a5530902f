/** Clients that do not read the answers to their calls. */
#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "raw_connection.hpp"

using namespace simhandle;
using std::chrono::milliseconds;

namespace {

constexpr int calls = 12;
constexpr std::uint16_t grow = 1;
constexpr std::int64_t big = std::int64_t{1} << 20;  // doubles: more than sockets take

ServerOptions options(unsigned threads) {
  ServerOptions made;
  made.threads = threads;
  made.limits.unsent_bytes = 1 << 20;
  return made;
}

/** A connection that has asked for a big array `count` times, and reads nothing yet. */
class SlowReader : public RawConnection {
 public:
  SlowReader(TestServer& server, int count, std::uint16_t lane = 0) : RawConnection(server) {
    name("grow");
    for (int id = 1; id <= count; ++id) {
      Encoder body;
      body.put_string("public");
      body.put(big);
      send(FrameType::request, body, grow, lane, static_cast<std::uint64_t>(id));
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
  EXPECT_TRUE(eventually([&] { return server.server.counters().calls >= crowd; }));
  constexpr int quick_calls = 300;
  for (int i = 0; i < quick_calls; ++i) add(*quick, i);
  // Each has got some of its first answer: it fills the outbox, and nothing more was run. (What the
  // sockets took at once may have been one answer more.)
  const std::uint64_t run = server.host.grown;
  EXPECT_LE(run, std::uint64_t{2} * crowd);
  EXPECT_GE(run, crowd);
  for (SlowReader& each : slow) each.reads(calls);
  EXPECT_EQ(server.host.grown, std::uint64_t{calls} * crowd);
  add(*quick, 1);
}

INSTANTIATE_TEST_SUITE_P(All, SlowReaders, testing::Values(0, 5));

TEST(SlowReader, IsGivenUpAfterThreeIntervals) {
  ServerOptions impatient = options(2);
  impatient.limits.keepalive_ms = 100;
  TestServer server(impatient);
  SlowReader slow(server, calls, 5);
  EXPECT_TRUE(eventually([&] { return server.host.logged("the peer takes no data"); }));
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

TEST(SlowReader, IsWaitedForAtTheEnd) {
  auto server = std::make_unique<TestServer>(options(2));
  SlowReader slow(*server, 1);
  slow.await_first_byte();
  std::thread ends([&] { EXPECT_TRUE(server->server.stop(milliseconds(20000))); });
  slow.reads(1);
  ends.join();
}
