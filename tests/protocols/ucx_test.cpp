/**
 * What a sender over UCX says of a peer that has gone: an error means that nothing has arrived, so
 * that the call may be made once more elsewhere.
 */
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "test_host.hpp"
#include "ucx/ucx_stream.hpp"

using namespace shinar::wire;

namespace {

std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

/** Two ends in one process. */
class UcxStreams : public testing::Test {
 protected:
  UcxStreams() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    leaving_ = Socket(::dup(ends[1]));
    near = std::make_unique<ucx::UcxStream>(Socket(ends[0]), "far", true);
    far = std::make_unique<ucx::UcxStream>(Socket(ends[1]), "near", false);
    std::string_view left = "hello";
    EXPECT_TRUE(eventually([&] {
      has_nothing(*far);
      const ssize_t sent = near->send(bytes(left), false);
      if (sent > 0) left.remove_prefix(static_cast<std::size_t>(sent));
      return left.empty();
    }));
    EXPECT_TRUE(eventually([&] { return far->receive(text.data(), 5, false) == 5; }));
  }

  bool has_nothing(ucx::UcxStream& stream) {
    return stream.receive(text.data(), text.size(), false) == -1 && errno == EAGAIN;
  }
  /** To the near end, the far one has gone, which still tells what it gets. */
  void leave() { ::shutdown(leaving_.fd(), SHUT_WR); }

  std::unique_ptr<ucx::UcxStream> near, far;
  std::array<char, 64> text{};

 private:
  Socket leaving_;
};

TEST_F(UcxStreams, WhatIsNotSentDoesNotArrive) {
  leave();
  std::size_t sent = 0;
  for (ssize_t got = 0; got >= 0; sent += static_cast<std::size_t>(got)) {
    ASSERT_LT(sent, 1000u);
    got = near->send(bytes("a"), false);
    if (got < 0) break;
  }
  EXPECT_EQ(errno, EPIPE);
  std::size_t arrived = 0;
  for (int i = 0; i < 100; ++i) {
    const ssize_t got = far->receive(text.data(), text.size(), false);
    if (got > 0) arrived += static_cast<std::size_t>(got);
  }
  EXPECT_EQ(arrived, sent);
}

TEST_F(UcxStreams, WhatHasBegunIsNotReportedAsUnsent) {
  // Until UCX has taken more than it can pass on to one who does not look.
  std::vector<std::byte> many(4096);
  ssize_t sent = 0;
  while ((sent = near->send(many, false)) == 4096) continue;
  ASSERT_EQ(sent, 1);
  EXPECT_EQ(near->send(std::span(many).subspan(1), false), -1);
  EXPECT_EQ(errno, EAGAIN);
  leave();
  EXPECT_EQ(near->send(std::span(many).subspan(1), false), 4095);
  // Now and then it looks whether anybody is there.
  for (int i = 0; i < 1000 && sent > 0; ++i) sent = near->send(bytes("a"), false);
  EXPECT_EQ(sent, -1);
  EXPECT_EQ(errno, EPIPE);
}

/** UCX ended the program when it was given up while it copied from the peer's memory. */
TEST_F(UcxStreams, OneEndGoesInTheMidstOfATransfer) {
  std::vector<std::byte> much(std::size_t{1} << 20), there(much.size());
  for (int round = 0; round < 60; ++round) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    auto one = std::make_unique<ucx::UcxStream>(Socket(ends[0]), "far", true);
    auto other = std::make_unique<ucx::UcxStream>(Socket(ends[1]), "near", false);
    std::size_t sent = 0, got = 0;
    for (int i = 0; i < 10 + round && sent < much.size() && got < much.size(); ++i) {
      const iovec left{much.data() + sent, much.size() - sent};
      const ssize_t more = one->send_kept(std::span(&left, 1), false);
      if (more > 0) sent += static_cast<std::size_t>(more);
      const ssize_t come = other->receive_kept(there.data() + got, there.size() - got, false);
      if (come > 0) got += static_cast<std::size_t>(come);
    }
    (round % 2 == 0 ? one : other).reset();
  }
}

}  // namespace
