/**
 * Shared memory: rings whose other end does what it wants, and what is no memory of a connection.
 * That it carries frames and calls: channel_test.cpp, the tests over all protocols.
 */
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "transports/shm_segment.hpp"

using namespace shinar::wire;
using namespace shinar::wire::shm;

namespace {

/** Both ends of the memory of a connection, and the socket between them. */
struct BothEnds {
  BothEnds() {
    std::array<int, 2> fds{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()), 0);
    near = Socket(fds[0]);
    far = Socket(fds[1]);
    client = Segment::make(near);
    server = Segment::receive(far);
    EXPECT_NE(server, nullptr);
  }
  Socket near, far;
  std::unique_ptr<Segment> client, server;
};

std::byte byte_at(std::uint64_t position) {
  return static_cast<std::byte>(position * 2654435761u >> 13);
}

TEST(Shm, BytesArriveInOrder) {
  BothEnds ends;
  constexpr std::uint64_t total = 40u << 20;
  std::thread writer([&] {
    std::mt19937 random(1);
    std::vector<std::byte> bytes(200000);
    for (std::uint64_t sent = 0; sent < total;) {
      const std::size_t most = random() % 4 == 0 ? bytes.size() : 100;
      const std::size_t size = std::min<std::uint64_t>(1 + random() % most, total - sent);
      for (std::size_t i = 0; i < size; ++i) bytes[i] = byte_at(sent + i);
      std::size_t done = 0;
      while (done < size) {
        const std::size_t put = ends.client->out.put(std::span(bytes).subspan(done, size - done));
        ends.client->out.publish();
        if (put == 0) std::this_thread::yield();
        done += put;
      }
      sent += size;
    }
  });
  std::mt19937 random(2);
  std::vector<std::byte> bytes(200000);
  for (std::uint64_t got = 0; got < total;) {
    const std::size_t most = random() % 4 == 0 ? bytes.size() : 100;
    const auto count = ends.server->in.take(std::span(bytes).first(1 + random() % most));
    ASSERT_GE(count, 0);
    if (count == 0) std::this_thread::yield();
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      ASSERT_EQ(bytes[static_cast<std::size_t>(i)], byte_at(got + static_cast<std::uint64_t>(i)));
    }
    got += static_cast<std::uint64_t>(count);
  }
  writer.join();
  EXPECT_FALSE(ends.server->in.has_bytes());
}

TEST(Shm, AFullRingTakesNothingAndAnEmptyOneAll) {
  BothEnds ends;
  const std::vector<std::byte> bytes(3 * ring_bytes / 2, std::byte{7});
  std::vector<std::byte> out(bytes.size());
  RingWriter& writer = ends.client->out;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(writer.put(bytes), ring_bytes);
    writer.publish();
    EXPECT_EQ(writer.put(bytes), 0u);
    EXPECT_FALSE(writer.has_space(1));
    std::size_t got = 0;
    while (got < ring_bytes) {
      const auto count = ends.server->in.take(out);
      ASSERT_GT(count, 0);
      got += static_cast<std::size_t>(count);
    }
    EXPECT_EQ(ends.server->in.take(out), 0);
    EXPECT_TRUE(writer.is_read());
    EXPECT_TRUE(writer.has_space(ring_bytes));
    EXPECT_EQ(writer.put(std::span(bytes).first(100)), 100u);  // the next is not at a ring's start
    writer.publish();
    EXPECT_EQ(ends.server->in.take(out), 100);
  }
}

/** Pages of the mapping that exist, of both ends' together. */
std::size_t pages_of(const Segment& segment) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto control = reinterpret_cast<std::uintptr_t>(&segment.out_control) / page * page;
  std::vector<unsigned char> there((2048 + 2 * ring_bytes + page - 1) / page);
  auto* const begin = reinterpret_cast<void*>(control - ring_bytes / page * page);
  EXPECT_EQ(::mincore(begin, there.size() * page, there.data()), 0);
  return static_cast<std::size_t>(std::ranges::count(there, 1));
}

TEST(Shm, SmallMessagesTakeOnePageAndBigOnesGiveTheirsBack) {
  BothEnds ends;
  std::vector<std::byte> bytes(1500, std::byte{1});
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(ends.client->out.put(bytes), bytes.size());
    ends.client->out.publish();
    ASSERT_EQ(ends.server->in.take(bytes), std::ssize(bytes));
    ASSERT_EQ(ends.server->out.put(bytes), bytes.size());
    ends.server->out.publish();
    ASSERT_EQ(ends.client->in.take(bytes), std::ssize(bytes));
  }
  EXPECT_EQ(pages_of(*ends.client), 1u);
  bytes.assign(ring_bytes, std::byte{1});
  ASSERT_EQ(ends.client->out.put(bytes), bytes.size());
  ends.client->out.publish();
  ends.client->out.trim();  // not while there is something to read
  std::size_t got = 0;
  while (got < ring_bytes) {
    const auto count = ends.server->in.take(bytes);
    ASSERT_GT(count, 0);
    for (std::ptrdiff_t i = 0; i < count; ++i)
      ASSERT_EQ(bytes[static_cast<std::size_t>(i)], std::byte{1});
    got += static_cast<std::size_t>(count);
  }
  EXPECT_GT(pages_of(*ends.client), 100u);
  ends.client->out.trim();
  EXPECT_LE(pages_of(*ends.client), 2u);
}

/** The peer writes where and when it wants: nothing is read or written outside, nothing hangs. */
TEST(Shm, WhatIsScribbledHarmsNobody) {
  BothEnds ends;
  std::atomic<bool> is_over{false};
  std::thread scribbler([&] {
    std::mt19937_64 random(3);
    RingControl* const controls[] = {&ends.server->in_control, &ends.server->out_control};
    while (!is_over) {
      RingControl& control = *controls[random() % 2];
      const std::uint64_t value = random() >> random() % 64;
      switch (random() % 6) {
        case 0:
          control.start = value;
          break;
        case 1:
          control.end = value;
          break;
        case 2:
          control.read = value;
          break;
        case 3:
          control.end += value % ring_bytes;
          break;
        case 4:
          control.reader.on_futex = static_cast<std::uint32_t>(value);
          control.writer.wants_signal = static_cast<std::uint32_t>(value);
          break;
        default:
          control.read += value % ring_bytes;
          break;
      }
    }
  });
  std::vector<std::byte> bytes(100000), guarded(100000 + 64, std::byte{0x5a});
  std::mt19937 random(4);
  for (int i = 0; i < 200000; ++i) {
    const std::size_t size = 1 + random() % bytes.size();
    EXPECT_LE(ends.client->out.space(), ring_bytes);
    EXPECT_LE(ends.client->out.put(std::span(bytes).first(std::min<std::size_t>(size, 300))), 300u);
    ends.client->out.publish();
    const auto count = ends.client->in.take(std::span(guarded).first(size));
    EXPECT_LE(count, static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(guarded.back(), std::byte{0x5a});
    ends.client->in.wake_writer();
    if (i % 1000 == 0) ends.client->out.trim();
  }
  is_over = true;
  scribbler.join();
}

TEST(Shm, APositionThatIsTooFarAheadIsRefused) {
  BothEnds ends;
  std::array<std::byte, 16> bytes{};
  ends.server->out_control.end = ring_bytes + 1;
  EXPECT_EQ(ends.client->in.take(bytes), -1);
  EXPECT_EQ(errno, EPROTO);
}

/** What a client may send instead. */
class NoSegment : public testing::Test {
 protected:
  NoSegment() {
    std::array<int, 2> fds{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()), 0);
    near_ = Socket(fds[0]);
    far_ = Socket(fds[1]);
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()), 0);
    space_ = Socket(fds[0]);
    other_ = Socket(fds[1]);
  }

  void send(const std::vector<int>& fds, std::size_t size = 16) {
    std::array<char, 16> note = {'S', 'H', 'I', 'N', 'S', 'H', 'M', '\n', 1, 0, 0, 0, 0, 0, 8, 0};
    iovec piece{note.data(), size};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(20 * sizeof(int))> control{};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    if (!fds.empty()) {
      message.msg_control = control.data();
      message.msg_controllen = CMSG_SPACE(fds.size() * sizeof(int));
      cmsghdr* const rights = CMSG_FIRSTHDR(&message);
      rights->cmsg_level = SOL_SOCKET;
      rights->cmsg_type = SCM_RIGHTS;
      rights->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
      std::memcpy(CMSG_DATA(rights), fds.data(), fds.size() * sizeof(int));
    }
    ASSERT_EQ(::sendmsg(near_.fd(), &message, 0), static_cast<ssize_t>(size));
  }
  void expect_refused() {
    errno = 0;
    EXPECT_EQ(Segment::receive(far_), nullptr);
    EXPECT_EQ(errno, EPROTO);
  }
  static Socket memory(std::size_t size, int seals, unsigned flags = 0) {
    Socket made(::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING | flags));
    EXPECT_EQ(::ftruncate(made.fd(), static_cast<off_t>(size)), 0);
    EXPECT_TRUE(seals == 0 || ::fcntl(made.fd(), F_ADD_SEALS, seals) == 0);
    return made;
  }
  static constexpr std::size_t whole = 2048 + 2 * ring_bytes;

  Socket near_, far_, space_, other_;
};

TEST_F(NoSegment, WithoutDescriptors) {
  send({});
  expect_refused();
}

TEST_F(NoSegment, Truncated) {
  const Socket good = memory(whole, F_SEAL_SHRINK);
  send({good.fd(), space_.fd()}, 15);
  expect_refused();
}

TEST_F(NoSegment, MemoryThatMayShrink) {
  const Socket bad = memory(whole, 0);
  send({bad.fd(), space_.fd()});
  expect_refused();
}

TEST_F(NoSegment, MemoryOfAnotherSize) {
  const Socket bad = memory(whole - 1, F_SEAL_SHRINK);
  send({bad.fd(), space_.fd()});
  expect_refused();
}

TEST_F(NoSegment, MemoryThatCannotBeWritten) {
  const Socket bad = memory(whole, F_SEAL_SHRINK | F_SEAL_WRITE);
  send({bad.fd(), space_.fd()});
  errno = 0;
  EXPECT_EQ(Segment::receive(far_), nullptr);
  EXPECT_NE(errno, 0);
}

TEST_F(NoSegment, HugePages) {
  const Socket bad(::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_HUGETLB));
  if (!bad.is_open()) GTEST_SKIP() << "this system has no huge pages";
  ASSERT_EQ(::fcntl(bad.fd(), F_ADD_SEALS, F_SEAL_SHRINK), 0);
  send({bad.fd(), space_.fd()});
  expect_refused();
}

TEST_F(NoSegment, AFile) {
  const std::string path = testing::TempDir() + "shm" + std::to_string(::getpid());
  std::ofstream(path) << std::string(whole, 'x');
  const Socket bad(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  send({bad.fd(), space_.fd()});
  expect_refused();
  ::unlink(path.c_str());
}

TEST_F(NoSegment, NoSocketForSpace) {
  const Socket good = memory(whole, F_SEAL_SHRINK);
  send({good.fd(), good.fd()});
  expect_refused();
}

/** The server would hold both ends of a connection, which then never ended. */
TEST_F(NoSegment, TheClientsOwnEndForSpace) {
  const Socket listening(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  const std::string text = "shinar-test-" + std::to_string(::getpid());
  text.copy(name.sun_path + 1, sizeof name.sun_path - 1);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  ASSERT_EQ(::bind(listening.fd(), reinterpret_cast<const sockaddr*>(&name), size), 0);
  ASSERT_EQ(::listen(listening.fd(), 1), 0);
  near_ = Socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::connect(near_.fd(), reinterpret_cast<const sockaddr*>(&name), size), 0);
  far_ = Socket(::accept(listening.fd(), nullptr, nullptr));
  const Socket good = memory(whole, F_SEAL_SHRINK);
  send({good.fd(), near_.fd()});
  expect_refused();
  send({good.fd(), space_.fd()});
  EXPECT_NE(Segment::receive(far_), nullptr);
}

TEST_F(NoSegment, OtherSocketsForSpace) {
  const Socket good = memory(whole, F_SEAL_SHRINK);
  for (const int type : {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET}) {
    const Socket unconnected(::socket(AF_UNIX, type | SOCK_CLOEXEC, 0));
    send({good.fd(), unconnected.fd()});
    expect_refused();
  }
  const Socket inet(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::listen(inet.fd(), 1), 0);
  send({good.fd(), inet.fd()});
  expect_refused();
}

/** They would be lost for ever. */
TEST_F(NoSegment, MoreDescriptorsThanWantedAreClosed) {
  const Socket good = memory(whole, F_SEAL_SHRINK);
  const int before = ::dup(good.fd());
  ::close(before);
  for (int i = 0; i < 50; ++i) {
    send({good.fd(), space_.fd(), good.fd(), good.fd(), good.fd(), good.fd()}, 15);
    expect_refused();
  }
  const int after = ::dup(good.fd());
  ::close(after);
  EXPECT_EQ(before, after);
}

}  // namespace
