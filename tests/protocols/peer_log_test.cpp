/** Lines about what peers do: what is logged of them, and what is counted. */
#include "core/peer_log.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <thread>
#include <vector>

#include "raw_connection.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

struct Lines {
  std::vector<std::string> all;
  PeerLog log{[this](const std::string& line) { all.push_back(line); }};
};

constexpr auto refused = PeerLog::Kind::refused;
constexpr auto lease = PeerLog::Kind::lease;

}  // namespace

TEST(PeerLog, TellsTheFirstOnesAtOnceAndCountsTheOthers) {
  Lines lines;
  const auto begin = PeerLog::Clock::now();
  for (int i = 0; i < 20000; ++i) lines.log.add(refused, std::to_string(i), begin);
  ASSERT_EQ(lines.all.size(), 10u);
  EXPECT_EQ(lines.all.front(), "0");
  EXPECT_EQ(lines.all.back(), "9");
  lines.log.tick(begin + seconds(9));
  EXPECT_EQ(lines.all.size(), 10u);
  lines.log.tick(begin + seconds(10));
  ASSERT_EQ(lines.all.size(), 11u);
  EXPECT_EQ(lines.all.back(), "refused connections: and 19990 more like these in the last 10 s");
  lines.log.tick(begin + seconds(30));
  EXPECT_EQ(lines.all.size(), 11u);
  lines.log.add(refused, "later", begin + seconds(31));
  EXPECT_EQ(lines.all.back(), "later");
}

TEST(PeerLog, KindsAreCountedByThemselves) {
  Lines lines;
  for (int i = 0; i < 11; ++i) lines.log.add(refused, "refused");
  lines.log.add(lease, "lease");
  EXPECT_EQ(lines.all.size(), 11u);
  EXPECT_EQ(lines.all.back(), "lease");
}

TEST(PeerLog, AnIntervalThatIsOverIsToldBeforeTheNextOne) {
  Lines lines;
  const auto begin = PeerLog::Clock::now();
  for (int i = 0; i < 12; ++i) lines.log.add(refused, "a", begin);
  lines.log.add(refused, "b", begin + seconds(12));
  ASSERT_EQ(lines.all.size(), 12u);
  EXPECT_EQ(lines.all[10], "refused connections: and 2 more like these in the last 12 s");
  EXPECT_EQ(lines.all[11], "b");
}

TEST(PeerLog, TheEndLosesNothing) {
  Lines lines;
  const auto begin = PeerLog::Clock::now();
  for (int i = 0; i < 15; ++i) lines.log.add(lease, "a", begin);
  lines.log.finish(begin + seconds(2));
  ASSERT_EQ(lines.all.size(), 11u);
  EXPECT_EQ(lines.all.back(), "clients that are gone: and 5 more like these in the last 2 s");
  lines.log.finish(begin + seconds(3));
  EXPECT_EQ(lines.all.size(), 11u);
}

/** Each of them wrote a line. */
TEST(PeerLog, OfAServerCountsBadGreetings) {
  constexpr int greetings = 200;
  TestHost host;
  Server server(host, ServerOptions());
  server.start();
  for (int i = 0; i < greetings; ++i) {
    const Socket socket = connect_to(server.endpoint(), milliseconds(5000));
    ::send(socket.fd(), "GET / HTTP/1.1\r\n\r\n", 18, MSG_NOSIGNAL);
    char all[4096];
    while (::recv(socket.fd(), all, sizeof all, 0) > 0) continue;
  }
  EXPECT_EQ(host.count_logged("refusing 127.0.0.1"), 10);
  EXPECT_TRUE(server.stop(seconds(10)));
  EXPECT_EQ(host.count_logged("refusing 127.0.0.1"), 10);
  EXPECT_EQ(host.count_logged("refused connections: and 190 more like these in the last "), 1);
}
