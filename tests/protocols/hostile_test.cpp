/** What a server does with peers that mean harm or nonsense: it closes them and serves the rest. */
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <fstream>
#include <random>

#include "raw_connection.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;

namespace {

/** A client that sends whatever it likes. */
class Raw {
 public:
  explicit Raw(const Endpoint& endpoint) : socket_(connect_to(endpoint, milliseconds(5000))) {
    prepare_connection(socket_.fd(), milliseconds(5000), milliseconds(5000));
  }
  Welcome greet() {
    Hello hello;
    hello.session = random_id();
    hello.inline_bytes = 1u << 20;
    hello.message_bytes = 1u << 30;
    return perform_handshake(socket_.fd(), hello, 5000);
  }
  void send(const void* data, std::size_t size) { ::send(socket_.fd(), data, size, MSG_NOSIGNAL); }
  void send_header(FrameType type, std::uint32_t body, std::uint16_t segments, std::uint64_t bulk) {
    FrameHeader header;
    header.type = static_cast<std::uint8_t>(type);
    header.request = 1;
    header.body = body;
    header.segments = segments;
    header.bulk = bulk;
    send(&header, sizeof header);
  }
  /** Everything the server says until it closes. */
  std::string rest() {
    std::string all;
    char part[4096];
    for (ssize_t got = 0; (got = ::recv(socket_.fd(), part, sizeof part, 0)) > 0;) {
      all.append(part, static_cast<std::size_t>(got));
    }
    return all;
  }

 private:
  Socket socket_;
};

/** Resident memory of this process in KiB. */
long resident_kib() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word == "VmRSS:") {
      long value = 0;
      status >> value;
      return value;
    }
  }
  return 0;
}

void expect_still_serving(TestServer& server) {
  const auto peer = server.peer();
  EXPECT_EQ(peer->create("test.Thing").type, "test.Thing");
}

}  // namespace

TEST(Hostile, AnotherProtocol) {
  TestServer server;
  Raw raw(server.server.endpoint());
  const std::string request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  raw.send(request.data(), request.size());
  const std::string answer = raw.rest();
  ASSERT_GE(answer.size(), hello_bytes);
  EXPECT_EQ(answer.substr(0, 6), "SHINAR");
  EXPECT_NE(answer.find("this is a simhandle server"), std::string::npos);
  EXPECT_TRUE(server.host.logged("the handshake is not simhandle's"));
  expect_still_serving(server);
}

TEST(Hostile, AnotherVersion) {
  TestServer server;
  Raw raw(server.server.endpoint());
  Hello hello;
  hello.lowest = 7;
  hello.highest = 9;
  const auto bytes = encode(hello);
  raw.send(bytes.data(), bytes.size());
  const std::string answer = raw.rest();
  EXPECT_NE(answer.find("speaks simhandle versions 2 to 2, the client 7 to 9"), std::string::npos);
  expect_still_serving(server);
}

TEST(Hostile, ClientRefusesAnotherProtocol) {
  Endpoint endpoint{"127.0.0.1", 0};
  Socket listener = listen_on(endpoint);
  std::thread other([&] {
    int fd = -1;
    while (fd < 0) fd = ::accept(listener.fd(), nullptr, nullptr);
    Socket socket(fd);
    const std::string text =
        "220 mail.example.org ESMTP ready, how can I help you today? Really?\n";
    ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    char part[100];
    static_cast<void>(::recv(fd, part, sizeof part, 0));
  });
  Peer peer(endpoint, Limits());
  try {
    peer.create("x.Y");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::no_server);
    EXPECT_EQ(error.fate(), Fate::not_sent);
    EXPECT_NE(std::string(error.what()).find("another protocol"), std::string::npos);
  }
  other.join();
}

TEST(Hostile, SilentPeersAreLetGo) {
  ServerOptions options;
  options.limits.connect_ms = 200;
  TestServer server(options);
  Raw raw(server.server.endpoint());
  raw.send("SHIN", 4);
  EXPECT_EQ(raw.rest(), "");
  EXPECT_TRUE(eventually([&] { return server.server.connection_count() == 0; }));
}

TEST(Hostile, HugeClaimsCostNothing) {
  ServerOptions options;
  options.limits.message_bytes = std::uint64_t{1} << 45;
  options.limits.memory_bytes = std::uint64_t{1} << 45;
  TestServer server(options);
  expect_still_serving(server);
  const long before = resident_kib();
  for (const std::uint64_t claim :
       {std::uint64_t{1} << 31, std::uint64_t{1} << 40, std::uint64_t{1} << 63}) {
    Raw raw(server.server.endpoint());
    raw.greet();
    raw.send_header(FrameType::request, 16, 1, claim);
    raw.send(&claim, 8);
    raw.send("0123456789abcdef0123456789abcdef", 32);
    std::this_thread::sleep_for(milliseconds(50));
  }
  EXPECT_LT(resident_kib() - before, 16384);  // of 2 GiB and more; sanitizers keep some for a while
  expect_still_serving(server);
}

TEST(Hostile, MalformedFramesCloseTheirConnectionOnly) {
  TestServer server;
  const auto good = server.peer();
  const auto object = good->create("test.Thing").id;
  struct Case {
    FrameType type;
    std::uint32_t body;
    std::uint16_t segments;
    std::uint64_t bulk;
  };
  const Case cases[] = {
      {static_cast<FrameType>(0), 0, 0, 0},   {static_cast<FrameType>(99), 0, 0, 0},
      {FrameType::request, 0xffffffff, 0, 0}, {FrameType::request, 0, 0, 1},
      {FrameType::request, 0, 2000, 1},       {FrameType::method, 0, 0, 0},
      {FrameType::release, 0, 0, 0},          {FrameType::request, 0, 1, ~std::uint64_t{0}},
  };
  for (const Case& each : cases) {
    Raw raw(server.server.endpoint());
    raw.greet();
    raw.send_header(each.type, each.body, each.segments, each.bulk);
    const std::string rest = raw.rest();
    ASSERT_GE(rest.size(), header_bytes) << static_cast<int>(each.type);
    EXPECT_EQ(static_cast<FrameType>(rest[0]), FrameType::goodbye);
    Call call(object, "noop");
    EXPECT_NO_THROW(call.run(*good));
  }
}

TEST(Hostile, BadArgumentsEndTheCallOnly) {
  TestServer server;
  const auto peer = server.peer();
  const auto object = peer->create("test.Thing").id;
  Call call(object, "echo");
  call.encoder.put(std::uint64_t{0x0102030405060708});
  EXPECT_THROW(call.run(*peer), Error);
  Call cut(object, "add");
  EXPECT_THROW(cut.run(*peer), Error);
  EXPECT_NO_THROW(Call(object, "noop").run(*peer));
  EXPECT_EQ(server.server.connection_count(), 1u);
}

/** Releases of which none will ever be due: the connection ends, and says why. */
TEST(Hostile, AFloodOfWaitingReleases) {
  ServerOptions options;
  options.limits.session_references = 10;
  TestServer server(options);
  const Id128 session = random_id();
  RawConnection flood(server, session, 1);
  RawConnection other(server, session, 2);
  other.settle();
  Encoder body;
  body.put_string("public");
  body.put(std::uint32_t{1});
  body.put(std::uint64_t{2});
  body.put(std::uint64_t{1} << 62);
  try {
    for (int i = 0; i <= 65536; ++i) flood.send(FrameType::release, body);
  } catch (const Error&) {
    // The server has had enough before.
  }
  std::string said;
  char part[4096];
  for (ssize_t got = 0; (got = ::recv(flood.fd(), part, sizeof part, 0)) > 0;) {
    said.append(part, static_cast<std::size_t>(got));
  }
  EXPECT_NE(said.find("releases of a session that wait for its other connections: 65537 is above "
                      "the limit of 65536 (setting: SIDL_RMI_MAX_REFERENCES)"),
            std::string::npos)
      << said;
  expect_still_serving(server);
}

TEST(Hostile, RandomBytes) {
  TestServer server;
  std::mt19937 random(4711);
  for (int round = 0; round < 60; ++round) {
    Raw raw(server.server.endpoint());
    if (round % 2 == 0) raw.greet();
    std::vector<std::uint8_t> bytes(random() % 3000);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    if (round % 4 == 0 && !bytes.empty()) bytes[0] = static_cast<std::uint8_t>(1 + random() % 14);
    raw.send(bytes.data(), bytes.size());
  }
  expect_still_serving(server);
  EXPECT_TRUE(eventually([&] { return server.server.connection_count() <= 1; }));
}

TEST(Hostile, HalfAFrameHoldsNobodyUp) {
  TestServer server;
  std::vector<std::unique_ptr<Raw>> slow;
  for (int i = 0; i < 50; ++i) {
    slow.push_back(std::make_unique<Raw>(server.server.endpoint()));
    slow.back()->greet();
    slow.back()->send_header(FrameType::request, 8000, 0, 0);
    slow.back()->send("half a body", 11);
  }
  const auto start = std::chrono::steady_clock::now();
  expect_still_serving(server);
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(2000));
}

/** All threads of the server wait for a client, which has sent more and gone: nobody reads it. */
TEST(Hostile, AClientThatVanishesFreesTheThreads) {
  ServerOptions options;
  options.threads = 2;
  options.spare_threads = 0;
  TestServer server(options);
  {
    Raw raw(server.server.endpoint());
    raw.greet();
    Encoder method;
    method.put(std::uint64_t{0x1234});
    method.put_string("slowly_back");
    FrameHeader header;
    header.type = static_cast<std::uint8_t>(FrameType::method);
    header.method = 1;
    header.body = static_cast<std::uint32_t>(method.body_size());
    raw.send(method.with_header(header).data(), header_bytes + method.body_size());
    Encoder call;
    call.put_string("public");
    call.put(std::int32_t{60000});
    header.type = static_cast<std::uint8_t>(FrameType::request);
    header.body = static_cast<std::uint32_t>(call.body_size());
    for (header.request = 1; header.request <= 2 * options.threads; ++header.request) {
      raw.send(call.with_header(header).data(), header_bytes + call.body_size());
    }
    EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() >= 2; }));
    std::this_thread::sleep_for(milliseconds(100));
  }
  Call noop("public", "noop");
  noop.deadline = milliseconds(10000);
  const auto peer = server.peer();
  EXPECT_NO_THROW(noop.run(*peer));
}

TEST(Hostile, AServerThatVanishesEndsTheCall) {
  Endpoint endpoint{"127.0.0.1", 0};
  Socket listener = listen_on(endpoint);
  std::thread server([&] {
    const Socket socket = greet_client(listener);
    char part[100];
    static_cast<void>(::recv(socket.fd(), part, 32, MSG_WAITALL));
  });
  Peer peer(endpoint, Limits());
  try {
    peer.create("x.Y");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::unexpected_close);
    EXPECT_EQ(error.fate(), Fate::may_have_executed);
  }
  server.join();
}

/** The caller reads while the server takes no data: it has its answer before it waits for it. */
TEST(Hostile, AnAnswerMayComeBeforeAllOfTheCallIsSent) {
  Endpoint endpoint{"127.0.0.1", 0};
  Socket listener = listen_on(endpoint);
  FrameHeader header;
  std::thread server([&] {
    const Socket socket = greet_client(listener, 200);
    std::vector<char> body;
    const auto read_header = [&] {
      return ::recv(socket.fd(), &header, sizeof header, MSG_WAITALL) == sizeof header;
    };
    const auto read_body = [&](std::uint32_t size) {
      body.resize(size);
      static_cast<void>(::recv(socket.fd(), body.data(), size, MSG_WAITALL));
    };
    while (read_header() && static_cast<FrameType>(header.type) != FrameType::request) {
      read_body(header.body);
    }
    FrameHeader reply;
    reply.type = static_cast<std::uint8_t>(FrameType::reply);
    reply.request = header.request;
    Encoder nothing;
    send_frame(socket.fd(), {}, reply, nothing);
    std::this_thread::sleep_for(milliseconds(100));
    read_body(header.body);
    header = {};
    static_cast<void>(read_header());
  });
  {
    Peer peer(endpoint, Limits());
    const std::vector<std::byte> much(std::size_t{12} << 20);
    Call call("public", "noop");
    call.encoder.put_bytes(much.data(), much.size());
    EXPECT_NO_THROW(call.run(peer));
    peer.say_goodbye();
  }
  server.join();
  EXPECT_EQ(static_cast<FrameType>(header.type), FrameType::goodbye) << "else it waited in vain";
}

/** `keepalive_ms` is what the server says of the interval. */
void expect_end_of_frozen_server(std::optional<std::uint32_t> keepalive_ms) {
  Endpoint endpoint{"127.0.0.1", 0};
  Socket listener = listen_on(endpoint);
  std::atomic<bool> over{false};
  std::thread server([&] {
    const Socket socket = greet_client(listener, keepalive_ms);
    while (!over) std::this_thread::sleep_for(milliseconds(10));
  });
  Limits limits;
  limits.keepalive_ms = 100;
  Peer peer(endpoint, limits);
  const auto start = std::chrono::steady_clock::now();
  try {
    peer.create("x.Y");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::unexpected_close);
    EXPECT_NE(std::string(error.what()).find("keepalives"), std::string::npos) << error.what();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(3000));
  over = true;
  server.join();
}

/** Also if it would have the client wait longer than that likes, or not look at all. */
TEST(Hostile, AFrozenServerEndsTheCall) {
  for (const std::optional<std::uint32_t> welcome :
       {std::optional<std::uint32_t>(), std::optional<std::uint32_t>(0),
        std::optional<std::uint32_t>(3600000), std::optional<std::uint32_t>(UINT32_MAX)}) {
    expect_end_of_frozen_server(welcome);
  }
}

/** It was asked whether unpackObj was right, which has nothing to do with these. */
TEST(Hostile, DamagedFramesAreNoFaultOfUsersCode) {
  for (const FrameType type : {FrameType::release, FrameType::settle}) {
    TestServer server;
    RawConnection raw(server);
    Encoder nothing;
    raw.send(type, nothing);
    EXPECT_TRUE(
        eventually([&] { return server.host.logged("a value extends beyond its message"); }));
    EXPECT_FALSE(server.host.logged("unpackObj")) << static_cast<int>(type);
  }
}

/** It was said that the method may have been run. */
TEST(Hostile, AMethodThatWasNotNamedIsNotRun) {
  TestServer server;
  RawConnection raw(server);
  Encoder body;
  body.put_string("public");
  raw.send(FrameType::request, body, 7, 0, 1);
  FrameHeader header;
  ASSERT_EQ(::recv(raw.fd(), &header, sizeof header, MSG_WAITALL), ssize_t{sizeof header});
  ASSERT_EQ(header.type, static_cast<std::uint8_t>(FrameType::error));
  Message message;
  message.header = header;
  std::byte* const to = message.body.extend(header.body);
  ASSERT_EQ(::recv(raw.fd(), to, header.body, MSG_WAITALL), ssize_t{header.body});
  const Error error = decode_error(message);
  EXPECT_EQ(error.fate(), Fate::not_sent);
  EXPECT_EQ(std::string(error.what()), "malformed message: method 7 was not named");
  EXPECT_NO_THROW(raw.settle());
}
