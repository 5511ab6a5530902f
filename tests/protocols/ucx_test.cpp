/**
 * UCX: what a sender says of a peer that has gone (an error means that nothing has arrived, so that
 * the call may be made once more elsewhere), ends in the midst of transfers, and peers that lie.
 */
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "raw_frames.hpp"
#include "test_host.hpp"
#include "ucx/ucx_context.hpp"
#include "ucx/ucx_line.hpp"
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
    giving_up_ = Socket(::dup(ends[0]));
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
  /** To the far end, the near one has, whose memory is still there. */
  void give_up() { ::shutdown(giving_up_.fd(), SHUT_WR); }

  std::unique_ptr<ucx::UcxStream> near, far;
  std::array<char, 64> text{};

 private:
  Socket leaving_, giving_up_;
};

TEST_F(UcxStreams, TheNetworksAreKnown) {
  const std::string known = near->carriers();
  EXPECT_NE(known.find('/'), std::string::npos) << known;
  EXPECT_EQ(known.find_first_of(":[\n"), std::string::npos) << known;
  EXPECT_EQ(far->carriers(), known);
}

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

/** Over shared memory, threads called UCX without end, and kept the lock. */
TEST_F(UcxStreams, OneWhoDoesNotLookIsWaitedForWithPatience) {
  near->set_patience(std::chrono::milliseconds(50), std::chrono::milliseconds(50));
  std::vector<std::byte> many(512);
  while (near->send(many, true) > 0) continue;
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_EQ(near->receive(text.data(), text.size(), true), -1);
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_FALSE(near->has_buffered());
  // Nobody is told when there is room; one who waits finds out nevertheless.
  std::vector<std::byte> there(std::size_t{1} << 20);
  while (far->receive(there.data(), there.size(), false) > 0) continue;
  pollfd room = near->writable_event();
  EXPECT_EQ(::poll(&room, 1, 5000), 1);
}

/** Calls whose arrays had been fetched when their connection was shut down were made once more. */
TEST_F(UcxStreams, WhatHasBegunMayHaveArrivedThoughItIsShutDown) {
  const std::vector<std::byte> much(std::size_t{1} << 20);
  const iovec all{const_cast<std::byte*>(much.data()), much.size()};
  ASSERT_EQ(near->send_kept(std::span(&all, 1), false), -1);
  ASSERT_EQ(errno, EAGAIN);
  near->shut_down();
  try {
    near->send_kept(std::span(&all, 1), false);
    ADD_FAILURE() << "as if nothing had been sent";
  } catch (const Error& error) {
    EXPECT_EQ(error.fate(), Fate::may_have_executed);
  }
  EXPECT_EQ(near->send(bytes("again"), false), -1);  // another one's
  EXPECT_EQ(errno, EPIPE);
}

/** A client that was held up took what the server's memory was used for since for its answer. */
TEST_F(UcxStreams, WhatIsFetchedFromOneWhoHasGivenUpDoesNotCount) {
  const std::vector<std::byte> much(std::size_t{1} << 20);
  const iovec all{const_cast<std::byte*>(much.data()), much.size()};
  EXPECT_TRUE(eventually([&] {
    EXPECT_EQ(near->send_kept(std::span(&all, 1), false), -1);
    return far->has_buffered();
  }));
  give_up();
  std::vector<std::byte> there(much.size());
  for (int i = 0; i < 100; ++i) {
    static_cast<void>(near->send_kept(std::span(&all, 1), false));  // it does what it has to
    EXPECT_LE(far->receive_kept(there.data(), there.size(), false), 0);
  }
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

/** Exit status of a child that does something. */
template <class What>
int in_child(What what) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(what());
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

/** UCX found none when it took leave, and ended the server. */
TEST(Ucx, TooFewDescriptorsAreSaidBefore) {
  const Socket life(::eventfd(0, EFD_CLOEXEC));
  EXPECT_EQ(in_child([&] {
              const auto few = static_cast<rlim_t>(life.fd()) + 8;
              const rlimit limit{few, few};
              if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
              try {
                const ucx::Line line(life.fd());
              } catch (const Error& error) {
                return error.err() == EMFILE ? 0 : 2;
              }
              return 3;
            }),
            0);
}

/** Its calls waited for what a thread that it does not have was to do. */
TEST(Ucx, AChildSaysThatItHasNoTcp) {
  const char* const networks = std::getenv("UCX_TLS");
  const bool is_tcp = networks != nullptr && networks == std::string_view("tcp");
  const Socket life(::eventfd(0, EFD_CLOEXEC));
  const ucx::Line parents(life.fd());
  EXPECT_EQ(in_child([&] {
              try {
                const ucx::Line line(life.fd());
              } catch (const Error& error) {
                const std::string_view text(error.what());
                return is_tcp && text.find("child") != text.npos ? 0 : 1;
              }
              return is_tcp ? 2 : 0;
            }),
            0);
}

/** Who is sending all the time, until it is killed. */
void send_for_ever(Socket socket) {
  ucx::UcxStream stream(std::move(socket), "parent", true);
  std::array<char, 64> text{};
  for (;;) {
    static_cast<void>(stream.send(bytes("some"), false));
    static_cast<void>(stream.receive(text.data(), text.size(), false));
  }
}

/** UCX wanted to be called again, for what never came: its thread did nothing else, with the lock.
 */
TEST(Ucx, WhoIsKilledWhileItSendsHoldsNobodyUp) {
  const char* const networks = std::getenv("UCX_TLS");
  if (networks != nullptr && networks == std::string_view("tcp")) {
    GTEST_SKIP() << "a child needs shared memory";
  }
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(ends[1]);
      send_for_ever(Socket(ends[0]));
    }
    ::close(ends[0]);
    ucx::UcxStream stream(Socket(ends[1]), "child", false);
    stream.set_patience(std::chrono::milliseconds(2), std::chrono::milliseconds(2));
    std::array<char, 64> text{};
    const auto until =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(15 + random() % 9);
    bool is_killed = false;
    for (ssize_t got = -1; got != 0;) {
      try {
        static_cast<void>(stream.send(bytes("much"), true));
      } catch (const Error& error) {  // once
        EXPECT_EQ(error.fate(), Fate::may_have_executed);
      }
      got = stream.receive(text.data(), text.size(), true);
      if (got < 0 && errno != EAGAIN) break;
      if (!is_killed && std::chrono::steady_clock::now() > until) {
        is_killed = true;
        EXPECT_EQ(::kill(child, SIGKILL), 0);
      }
    }
    EXPECT_TRUE(is_killed);
    EXPECT_EQ(::waitpid(child, nullptr, 0), child);
  }
}

/**
 * Shared memory was found by the number of a descriptor: who came late wrote into the memory of
 * another connection, or into a file.
 */
TEST(Ucx, WhoComesLateFindsNobodyElse) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  const Socket life(ends[0]), other_end(ends[1]);
  std::vector<std::byte> address;
  {
    ucx::Line gone(life.fd());
    address = gone.address();
    ucx::Line peer(life.fd());
    peer.connect(address);
    if (peer.carriers().find("tcp") != std::string::npos) GTEST_SKIP() << "no shared memory";
  }
  const ucx::Line other(life.fd());
  // In a child, since UCX leaks what it has made for a peer that it does not find.
  EXPECT_EQ(in_child([&] {
              ucx::Line late(life.fd());
              try {
                late.connect(address);
              } catch (const Error&) {
                return 0;
              }
              return 1;
            }),
            0);
}

/** A peer that sends what it likes, by UCX itself. */
class Liar {
 public:
  explicit Liar(Socket socket) : socket_(std::move(socket)) {
    ucp_worker_params_t params{};
    params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
    params.thread_mode = UCS_THREAD_MODE_SERIALIZED;
    EXPECT_EQ(::ucp_worker_create(ucx::context(), &params, &worker_), UCS_OK);
    for (const unsigned id : {1u, 2u, 3u, 9u}) {
      ucp_am_handler_param_t handler{};
      handler.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB;
      handler.id = id;
      handler.cb = [](void*, const void*, std::size_t, void*, std::size_t,
                      const ucp_am_recv_param_t*) { return UCS_OK; };
      EXPECT_EQ(::ucp_worker_set_am_recv_handler(worker_, &handler), UCS_OK);
    }
  }
  Liar(const Liar&) = delete;
  Liar& operator=(const Liar&) = delete;
  ~Liar() {
    for (int i = 0; i < 100; ++i) ::ucp_worker_progress(worker_);
    ::ucp_worker_destroy(worker_);
  }

  /** Up to the hello of the other end, which answers in its own time. */
  void meet(const std::function<void()>& meanwhile) {
    ucp_address_t* address = nullptr;
    std::size_t size = 0;
    EXPECT_EQ(::ucp_worker_get_address(worker_, &address, &size), UCS_OK);
    send_note(1, ucx::release(), 0, {reinterpret_cast<const char*>(address), size});
    ::ucp_worker_release_address(worker_, address);
    std::vector<char> note(24 + 8192);
    ssize_t got = 0;
    EXPECT_TRUE(eventually([&] {
      meanwhile();
      got = ::recv(socket_.fd(), note.data(), note.size(), MSG_DONTWAIT);
      return got > 24;
    }));
    ucp_ep_params_t params{};
    params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
    params.address = reinterpret_cast<const ucp_address_t*>(note.data() + 24);
    EXPECT_EQ(::ucp_ep_create(worker_, &params, &endpoint_), UCS_OK);
    say(3, 1, 0, 0);
  }

  void send_note(std::uint32_t version, std::uint32_t release, std::uint32_t refused,
                 std::string_view rest, std::uint32_t claim = 0) {
    std::string note = "SHINUCX\n";
    for (const std::uint32_t each :
         {version, release, refused,
          claim != 0 ? claim : static_cast<std::uint32_t>(rest.size())}) {
      note.append(reinterpret_cast<const char*>(&each), sizeof each);
    }
    note += rest;
    EXPECT_EQ(::send(socket_.fd(), note.data(), note.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(note.size()));
  }

  void say(unsigned id, std::uint64_t position, std::uint64_t read, std::size_t size,
           std::size_t header_size = 16) {
    // Kept: UCX needs them until it has sent.
    headers_.push_back({position, read, 0, 0});
    bytes_.resize(std::max(bytes_.size(), size));
    ucp_request_param_t param{};
    void* const request = ::ucp_am_send_nbx(endpoint_, id, headers_.back().data(), header_size,
                                            bytes_.data(), size, &param);
    EXPECT_FALSE(UCS_PTR_IS_ERR(request));
    if (UCS_PTR_IS_PTR(request)) ::ucp_request_free(request);  // when it is done
    progress();
  }
  void progress() {
    for (int i = 0; i < 10; ++i) ::ucp_worker_progress(worker_);
  }

 private:
  const Socket socket_;
  ucp_worker_h worker_ = nullptr;
  ucp_ep_h endpoint_ = nullptr;
  std::deque<std::array<std::uint64_t, 4>> headers_;
  std::vector<std::byte> bytes_;
};

/** Each lie ends the connection, and nothing else. */
TEST(Ucx, PeersThatLie) {
  const std::function<void(Liar&)> lies[] = {
      [](Liar& liar) { liar.say(1, 0, 1, 10); },                  // has read what was not sent
      [](Liar& liar) { liar.say(1, 0, 0, 10, 8); },               // no whole header
      [](Liar& liar) { liar.say(1, 0, 0, 10, 0); },               // none
      [](Liar& liar) { liar.say(2, 0, 0, 0, 8); },                // the same of an end
      [](Liar& liar) { liar.say(3, 0, 0, 0, 8); },                // and of a hello
      [](Liar& liar) { liar.say(1, ucx::window, 0, 10); },        // beyond the window
      [](Liar& liar) { liar.say(1, ~std::uint64_t{0}, 0, 10); },  // beyond all
      [](Liar& liar) { liar.say(1, ~std::uint64_t{0} - 4, 0, 10); },
      [](Liar& liar) { liar.say(1, 100, 0, ucx::longest + 1); },  // too long
      [](Liar& liar) {
        liar.say(1, 100, 0, 10);
        liar.say(1, 105, 0, 10);  // overlaps
      },
      [](Liar& liar) {
        liar.say(1, 0, 0, 100);
        liar.say(1, 50, 0, 10);  // of what was there before
      },
      [](Liar& liar) {
        liar.say(1, 0, 0, 100);
        liar.say(2, 50, 0, 0);  // the end, before that
      },
      [](Liar& liar) {
        for (std::uint64_t i = 0; i < 5000; ++i) liar.say(1, 100 + 2 * i, 0, 1);  // never the first
      },
  };
  int number = 0;
  for (const auto& lie : lies) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    Liar liar{Socket(ends[0])};
    ucx::UcxStream stream(Socket(ends[1]), "a liar", false);
    std::array<char, 64> text{};
    ssize_t got = -1;
    int err = EAGAIN;
    const auto look = [&] {
      got = stream.receive(text.data(), text.size(), false);
      err = errno;
    };
    liar.meet(look);
    lie(liar);
    EXPECT_TRUE(eventually([&] {
      liar.progress();
      look();
      return got < 0 && err == ECONNRESET;
    })) << "lie "
        << number << ": " << got << ", " << err;
    ++number;
  }
}

/** As one that was stopped: the kernel accepts. It took three seconds, whatever the limit. */
/** What it waits for may happen while it prepares to sleep. */
TEST(Ucx, WhoConnectsDoesNotSleepThroughTheAnswer) {
  for (int i = 0; i < 400; ++i) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    ucx::UcxStream near(Socket{ends[0]}, "far", true);
    ucx::UcxStream far(Socket{ends[1]}, "near", false);
    const std::jthread server([&far](const std::stop_token& stop) {
      char none = 0;
      while (!stop.stop_requested()) far.receive(&none, 0, false);
    });
    ASSERT_NO_THROW(near.shake_hands(std::chrono::steady_clock::now() + std::chrono::seconds(2)))
        << "connection " << i;
  }
}

TEST(Ucx, AServerThatDoesNotAnswerIsWaitedForAsLongAsTheLimitSays) {
  Endpoint endpoint{"127.0.0.1", 0};
  const Socket listener = listen_on(endpoint);
  endpoint.via = "ucx";
  const auto failure = [&](unsigned connect_ms, std::chrono::milliseconds deadline) {
    Limits limits;
    limits.connect_ms = connect_ms;
    Call noop("public", "noop");
    noop.deadline = deadline;
    try {
      noop.run(*std::make_shared<Peer>(endpoint, limits));
    } catch (const Error& error) {
      return std::pair(error.failure(), std::string(error.what()));
    }
    return std::pair(Failure::protocol, std::string("no error"));
  };
  const auto [limited, text] = failure(100, std::chrono::seconds(60));
  EXPECT_EQ(limited, Failure::no_server);
  EXPECT_NE(text.find("accepted the connection but did not answer the handshake"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("within the limit of 100 ms (setting: SIDL_RMI_CONNECT_MS)"),
            std::string::npos)
      << text;
  EXPECT_EQ(failure(10000, std::chrono::milliseconds(3500)).first, Failure::time_out);
}

/** Notes that are no good: those who send them are told, and others are served. */
TEST(Ucx, NotesThatAreNoGood) {
  ServerOptions options;
  options.listen = {.host = "127.0.0.1", .via = "ucx"};
  options.limits.connect_ms = 300;
  TestServer server(options);
  const Endpoint at{.host = "127.0.0.1", .port = server.server.endpoint().port};
  struct {
    std::uint32_t version, release, claim;
    std::string_view said;
  } const notes[] = {
      {2, ucx::release(), 0, "versions of the protocol ucx differ"},
      {1, 7, 0, "releases of UCX differ"},
      {1, ucx::release(), 100000, "too long"},
      {1, ucx::release(), 8000, ""},  // which never come
      {1, ucx::release(), 0xffffffff, "too long"},
  };
  for (const auto& each : notes) {
    Socket socket = connect_to(at, std::chrono::seconds(5));
    const int fd = socket.fd();
    Liar liar{std::move(socket)};
    liar.send_note(each.version, each.release, 0, "abc", each.claim);
    std::string text(8192, ' ');
    std::size_t size = 0;
    for (ssize_t got = 1; got > 0;) {
      got = ::recv(fd, text.data() + size, text.size() - size, 0);
      if (got > 0) size += static_cast<std::size_t>(got);
    }
    EXPECT_NE(text.substr(0, size).find(each.said), std::string::npos) << text.substr(0, size);
  }
  std::mt19937 random(4711);
  for (int i = 0; i < 50; ++i) {
    const Socket socket = connect_to(at, std::chrono::seconds(5));
    std::string junk(random() % 100, ' ');
    for (char& each : junk) each = static_cast<char>(random());
    if (i % 2 == 0) junk.insert(0, "SHINUCX\n");
    static_cast<void>(::send(socket.fd(), junk.data(), junk.size(), MSG_NOSIGNAL));
  }
  const auto peer = server.peer();
  EXPECT_NO_THROW(Call("public", "noop").run(*peer));
  say_goodbye(*peer);
}

}  // namespace
