/** Both ends of a connection prove that they have the same secret, before anything else is said. */
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <random>

#include "core/authentication.hpp"
#include "core/policy.hpp"
#include "raw_connection.hpp"
#include "temporary.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;
namespace secret_test {  // all suites may be compiled as one file

using Bytes = std::vector<std::byte>;
using Shared = std::shared_ptr<const Authenticator>;

namespace {

/** As a process has it whose environment names the file. */
Shared authenticator_of(const std::string& path) {
  ::setenv("SIDL_SECRET_FILE", path.c_str(), 1);
  struct Unset {
    ~Unset() { ::unsetenv("SIDL_SECRET_FILE"); }
  } unset;
  return Authenticator::of_process();
}

Shared secret(const std::string& text) {
  return authenticator_of(TemporaryFile(text).path());
}

const std::string good = "correct horse battery staple";
const std::string bad = "correct horse battery stapler";

/** A host that keeps details as well. */
struct DetailHost : TestHost {
  bool logs_details() const override { return true; }
  void log_detail(const std::string& line) override { log(line); }
  void log(const std::string& line) override {
    ++lines;
    TestHost::log(line);
  }
  std::atomic<unsigned> lines{0};
};

struct SecretServer {
  explicit SecretServer(Shared mine, ServerOptions options = {})
      : server(host, with(std::move(options), std::move(mine))) {
    server.start();
  }
  ~SecretServer() { server.stop(std::chrono::seconds(20)); }

  Peer peer(Shared mine) const {
    return Peer(server.endpoint(), Limits(), nullptr, std::move(mine));
  }
  /** The error of a client with this secret, or none. */
  std::string refusal(Shared mine) const {
    try {
      peer(std::move(mine)).create("test.Thing");
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::protocol);
      EXPECT_EQ(error.fate(), Fate::not_sent);
      return error.what();
    }
  }
  void expect_serving() {
    EXPECT_EQ(refusal(secret(good)), "");
    EXPECT_EQ(host.object_count(), 1u) << "what others sent was run";
  }

  DetailHost host;
  Server server;

 private:
  static ServerOptions with(ServerOptions options, Shared mine) {
    options.limits.local_doors = false;
    options.authenticator = std::move(mine);
    return options;
  }
};

/** A client's end of a handshake over a socket, a step at a time. */
class Steps {
 public:
  Steps(const SecretServer& server, const Authenticator& mine)
      : socket_(connect_to(server.server.endpoint(), milliseconds(5000))),
        authentication_(mine, with_session(hello_)) {
    prepare_connection(socket_.fd(), milliseconds(5000), milliseconds(5000));
    const HelloBytes bytes = encode(hello_);
    greeting.assign(bytes.begin(), bytes.end());
    const Bytes offer = authentication_.offer();
    greeting.insert(greeting.end(), offer.begin(), offer.end());
  }
  int fd() const { return socket_.fd(); }
  void send(std::span<const std::byte> bytes) const {
    ::send(socket_.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }
  Bytes read(std::size_t size) const {
    Bytes bytes(size);
    const ssize_t got = size == 0 ? 0 : ::recv(fd(), bytes.data(), size, MSG_WAITALL);
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
  }
  /** Sends the greeting; gives the client's proof. */
  Bytes proof() {
    send(greeting);
    const Bytes got = read(hello_bytes);
    EXPECT_EQ(got.size(), hello_bytes);
    std::ranges::copy(got, welcome.begin());
    extension = read(decode_welcome(welcome).extension);
    HelloBytes hello;
    std::ranges::copy(std::span(greeting).first(hello_bytes), hello.begin());
    const auto challenge = std::span(extension).first(authentication_.challenge_bytes());
    return authentication_.answer(hello, welcome, challenge, {}).proof;
  }
  /** What the server says at last: empty if it believes the client, "…" if nothing. */
  std::string verdict() const {
    const Bytes bytes = read(verdict_bytes);
    if (bytes.size() < verdict_bytes) return "…";
    const Bytes text = read(decode_verdict(std::span(bytes).first<verdict_bytes>()).text);
    return {reinterpret_cast<const char*>(text.data()), text.size()};
  }

  Bytes greeting;
  HelloBytes welcome{};
  Bytes extension;

 private:
  static Hello& with_session(Hello& hello) {
    hello.session = random_id();
    return hello;
  }
  Hello hello_;
  Socket socket_;
  ClientAuthentication authentication_;
};

const std::string not_the_same = "the client does not have the same secret";

/** The two ends as they are, without a network. */
struct Ends {
  Shared mine = secret(good);
  Hello hello{};
  ClientAuthentication client{*mine, hello};
  ServerAuthentication server{*mine};
  HelloBytes hello_sent = encode(hello), welcome_sent{};
  Bytes challenge;

  void greet(Bytes binding = {}) {
    server.take_offer(client.offer());
    std::string text;
    welcome_sent = encode(answer(hello, Limits(), random_id(), text));
    challenge = server.challenge(hello_sent, welcome_sent, std::move(binding));
  }
  ClientAuthentication::Answer reply(Bytes binding = {}) const {
    return client.answer(hello_sent, welcome_sent, challenge, std::move(binding));
  }
  std::string take(const Bytes& proof) {
    std::ranges::copy(proof, server.missing().begin());
    server.came(proof.size());
    return server.check().wrong;
  }
};

/** What a server with the secret says to the client that comes, first changed. */
void serve_one(const Socket& listener, const Authenticator& mine,
               const std::function<void(Bytes&)>& change) {
  wait_for(listener.fd(), POLLIN, std::chrono::steady_clock::now() + std::chrono::seconds(10));
  const Socket socket(::accept(listener.fd(), nullptr, nullptr));
  HelloBytes hello{};
  static_cast<void>(::recv(socket.fd(), hello.data(), hello.size(), MSG_WAITALL));
  Bytes offer(decode_hello(hello).extension);
  static_cast<void>(::recv(socket.fd(), offer.data(), offer.size(), MSG_WAITALL));
  ServerAuthentication its(mine);
  its.take_offer(offer);
  std::string text;
  Welcome welcome = answer(decode_hello(hello), Limits(), random_id(), text);
  welcome.features |= feature_authentication;
  welcome.extension = static_cast<std::uint32_t>(its.challenge_bytes());
  const HelloBytes bytes = encode(welcome);
  Bytes said(bytes.begin(), bytes.end());
  for (const Bytes& each : {its.challenge(hello, bytes, {}), encode_verdict(Refusal::none, "")}) {
    said.insert(said.end(), each.begin(), each.end());
  }
  change(said);
  ::send(socket.fd(), said.data(), said.size(), MSG_NOSIGNAL);
  ::shutdown(socket.fd(), SHUT_WR);
  char rest[64];
  while (::recv(socket.fd(), rest, sizeof rest, 0) > 0) {
  }
}

/** What a client finds wrong with it: empty if nothing. */
std::string failure_with_server(const Socket& listener, const Endpoint& endpoint,
                                const Authenticator& mine,
                                const std::function<void(Bytes&)>& change) {
  std::thread server([&] { serve_one(listener, mine, change); });
  const Socket socket = connect_to(endpoint, milliseconds(5000));
  std::string failure;
  try {
    perform_handshake(*channel_over(socket.fd()), Hello(), 5000, &mine);
  } catch (const Error& error) {
    EXPECT_EQ(error.fate(), Fate::not_sent);
    failure = error.what();
  }
  ::shutdown(socket.fd(), SHUT_RDWR);
  server.join();
  return failure;
}

void mutate(Bytes& bytes, std::mt19937& random) {
  for (unsigned changes = 1 + random() % 4; changes != 0; --changes) {
    const std::size_t at = bytes.empty() ? 0 : random() % bytes.size();
    const auto byte = static_cast<std::byte>(random());
    switch (random() % 4) {
      case 0:
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), byte);
        break;
      case 1:
        bytes.resize(at);
        break;
      default:
        if (!bytes.empty()) bytes[at] ^= byte;
    }
  }
}

Bytes bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST(Secret, BothEndsProveIt) {
  const TemporaryFile file(good + "\n");
  SecretServer server(authenticator_of(file.path()));
  Peer peer = server.peer(secret(good));
  const auto made = peer.create("test.Thing");
  EXPECT_NO_THROW(Call(made.id, "noop").run(peer));
  const std::string name = file.path().substr(file.path().rfind('/') + 1);
  EXPECT_TRUE(server.host.logged(": " + name + ", by secret"));
  EXPECT_FALSE(server.host.logged("horse"));
}

TEST(Secret, WrongOnesAreRefusedAtBothEnds) {
  SecretServer server(secret(good));
  EXPECT_NE(server.refusal(secret(bad)).find("the server does not have the same secret"),
            std::string::npos);
  EXPECT_TRUE(eventually([&] { return server.host.logged(not_the_same); }));
  EXPECT_EQ(server.server.ledger().session_count(), 0u);
  server.expect_serving();
}

TEST(Secret, AClientWithoutIsToldWhatToDo) {
  SecretServer server(secret(good));
  const std::string wanted = "this server requires a shared secret: set SIDL_SECRET_FILE";
  EXPECT_NE(server.refusal(nullptr).find(wanted), std::string::npos);
  EXPECT_TRUE(eventually([&] { return server.host.logged(wanted); }));
  server.expect_serving();
}

TEST(Secret, AServerWithoutIsNotCalled) {
  SecretServer server(nullptr);
  const std::string text = server.refusal(secret(good));
  EXPECT_NE(text.find("the server does not ask for a shared secret"), std::string::npos) << text;
  EXPECT_NE(text.find("no call was sent to it"), std::string::npos) << text;
  EXPECT_EQ(server.host.object_count(), 0u);
}

TEST(Secret, NothingIsRunBeforeTheProof) {
  SecretServer server(secret(good));
  Encoder create;
  create.put_string("test.Thing");
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::create);
  header.request = 1;
  header.body = static_cast<std::uint32_t>(create.body_size());
  const auto frame = create.with_header(header);
  for (const bool with_greeting : {true, false}) {
    Steps steps(server, *secret(bad));
    if (with_greeting) {
      steps.greeting.insert(steps.greeting.end(), 32, std::byte{0});
      const auto* const bytes = reinterpret_cast<const std::byte*>(frame.data());
      steps.greeting.insert(steps.greeting.end(), bytes, bytes + frame.size());
    }
    const Bytes proof = steps.proof();
    steps.send(proof);
    steps.send(std::as_bytes(std::span(frame.data(), frame.size())));
    EXPECT_EQ(steps.verdict(), not_the_same);
  }
  server.expect_serving();
}

TEST(Secret, AReplayedHandshakeFails) {
  SecretServer server(secret(good));
  Steps recorded(server, *secret(good));
  const Bytes proof = recorded.proof();
  recorded.send(proof);
  EXPECT_EQ(recorded.verdict(), "");
  Steps again(server, *secret(good));
  again.greeting = recorded.greeting;
  static_cast<void>(again.proof());
  again.send(proof);
  EXPECT_EQ(again.verdict(), not_the_same);
  server.expect_serving();
}

TEST(Secret, AReflectedProofFails) {
  SecretServer server(secret(good));
  Steps steps(server, *secret(bad));
  static_cast<void>(steps.proof());
  steps.send(std::span(steps.extension).subspan(nonce_bytes, 32));
  EXPECT_EQ(steps.verdict(), not_the_same);
  server.expect_serving();
}

TEST(Secret, AServerCutOffAnywhereIsNoServer) {
  const Shared mine = secret(good);
  Endpoint endpoint{"127.0.0.1", 0};
  const Socket listener = listen_on(endpoint);
  constexpr std::size_t all = hello_bytes + nonce_bytes + 32 + verdict_bytes;
  for (std::size_t size = 0; size <= all; ++size) {
    const auto cut = [size](Bytes& said) { said.resize(size); };
    EXPECT_EQ(failure_with_server(listener, endpoint, *mine, cut).empty(), size == all) << size;
  }
}

TEST(Secret, AServerThatSaysAnythingElse) {
  const Shared mine = secret(good);
  Endpoint endpoint{"127.0.0.1", 0};
  const Socket listener = listen_on(endpoint);
  std::mt19937 random(4711);
  for (int round = 0; round < 300; ++round) {
    const auto change = [&](Bytes& said) { mutate(said, random); };
    static_cast<void>(failure_with_server(listener, endpoint, *mine, change));
  }
}

/** Whatever they say, it is not that they have the secret. */
TEST(Secret, ClientsThatSayAnythingElse) {
  SecretServer server(secret(good));
  const Shared wrong = secret(bad);
  std::mt19937 random(815);
  for (int round = 0; round < 300; ++round) {
    Steps steps(server, *wrong);
    Bytes all = steps.greeting;
    all.resize(all.size() + 100);
    mutate(all, random);
    steps.send(all);
    ::shutdown(steps.fd(), SHUT_WR);
    while (!steps.read(1).empty()) {
    }
  }
  EXPECT_TRUE(eventually([&] { return server.server.connection_count() == 0; }));
  EXPECT_EQ(server.server.ledger().session_count(), 0u);
  server.expect_serving();
}

TEST(Secret, AClientCutOffAnywhereIsLetGo) {
  SecretServer server(secret(good));
  const std::size_t greeting = Steps(server, *secret(good)).greeting.size();
  for (std::size_t size = 0; size < greeting + 32; ++size) {
    Steps steps(server, *secret(good));
    if (size < greeting) {
      steps.send(std::span(steps.greeting).first(size));
    } else {
      const Bytes proof = steps.proof();
      steps.send(std::span(proof).first(size - greeting));
    }
    ::shutdown(steps.fd(), SHUT_WR);
    EXPECT_EQ(steps.verdict(), "…");
  }
  EXPECT_TRUE(eventually([&] { return server.server.connection_count() == 0; }));
  EXPECT_EQ(server.server.ledger().session_count(), 0u);
  EXPECT_TRUE(server.host.logged("ended before its client had proved who it is"));
  server.expect_serving();
}

TEST(Secret, AClientThatProvesNothingIsLetGo) {
  ServerOptions options;
  options.limits.connect_ms = 200;
  SecretServer server(secret(good), options);
  Steps steps(server, *secret(good));
  static_cast<void>(steps.proof());
  EXPECT_EQ(steps.verdict(), "…");
  EXPECT_TRUE(server.host.logged("no handshake within the limit of 200 ms"));
  server.expect_serving();
}

TEST(Secret, OffersThatWillNotDo) {
  SecretServer server(secret(good));
  const std::string nonce(nonce_bytes, '\0');
  const std::string wanted = "this server requires a shared secret: set SIDL_SECRET_FILE";
  const std::pair<std::string, std::string> cases[] = {
      {"", wanted},
      {nonce.substr(1), wanted},
      {nonce, wanted + " (the client offers '')"},
      {nonce + "secrets", wanted + " (the client offers 'secrets')"},
      {nonce + "\x1b[2J", wanted + " (the client offers '\\x1b[2J')"},
      {nonce + std::string(4000, 'x'), wanted + " (the client offers '" + std::string(33, 'x')},
  };
  for (const auto& [offer, said] : cases) {
    Hello hello;
    hello.features = feature_authentication;
    hello.extension = static_cast<std::uint32_t>(offer.size());
    const HelloBytes bytes = encode(hello);
    Steps steps(server, *secret(good));
    steps.send(bytes);
    steps.send(bytes_of(offer));
    const Bytes got = steps.read(hello_bytes);
    ASSERT_EQ(got.size(), hello_bytes);
    std::ranges::copy(got, steps.welcome.begin());
    const Welcome welcome = decode_welcome(steps.welcome);
    EXPECT_EQ(welcome.version, 0);
    EXPECT_EQ(welcome.refusal, Refusal::authentication);
    const Bytes text = steps.read(welcome.extension);
    const std::string why(reinterpret_cast<const char*>(text.data()), text.size());
    EXPECT_EQ(why.substr(0, said.size()), said);
  }
  server.expect_serving();
}

/** Whoever relays between two channels that are bound, as by TLS, has none that is bound alike. */
TEST(Secret, ARelayBetweenBoundChannelsFails) {
  Ends same;
  same.greet(bytes_of("a channel"));
  EXPECT_EQ(same.reply(bytes_of("a channel")).wrong, "");
  EXPECT_EQ(same.take(same.reply(bytes_of("a channel")).proof), "");
  for (const char* other : {"", "another", "a channel "}) {
    Ends relayed;
    relayed.greet(bytes_of("a channel"));
    EXPECT_NE(relayed.reply(bytes_of(other)).wrong, "");
    // A client that is not careful gives a proof: the server does not take it.
    ServerAuthentication its(*relayed.mine);
    its.take_offer(relayed.client.offer());
    relayed.challenge = its.challenge(relayed.hello_sent, relayed.welcome_sent, bytes_of(other));
    EXPECT_EQ(relayed.take(relayed.reply(bytes_of(other)).proof), not_the_same);
  }
}

TEST(Secret, EveryBitCounts) {
  Ends ends;
  ends.greet();
  ASSERT_EQ(ends.reply().wrong, "");
  const auto expect_each_counts = [&](std::span<std::byte> bytes) {
    for (std::byte& each : bytes) {
      each ^= std::byte{0x10};
      const auto answer = ends.reply();
      EXPECT_NE(answer.wrong, "");
      EXPECT_EQ(answer.proof, Bytes(32)) << "it would learn something";
      each ^= std::byte{0x10};
    }
  };
  expect_each_counts(ends.challenge);
  expect_each_counts(ends.welcome_sent);
  expect_each_counts(ends.hello_sent);
  for (std::size_t i = 0; i < 32; ++i) {
    Ends other;
    other.greet();
    Bytes proof = other.reply().proof;
    proof[i] ^= std::byte{1};
    EXPECT_EQ(other.take(proof), not_the_same);
  }
}

TEST(Secret, NoncesOfZerosWillDo) {
  const Shared mine = secret(good);
  Ends ends;
  ClientAuthentication client(*mine, ends.hello, Nonce{});
  ServerAuthentication server(*mine, Nonce{});
  server.take_offer(client.offer());
  const auto challenge = server.challenge(ends.hello_sent, ends.welcome_sent, {});
  const auto answer = client.answer(ends.hello_sent, ends.welcome_sent, challenge, {});
  EXPECT_EQ(answer.wrong, "");
  std::ranges::copy(answer.proof, server.missing().begin());
  EXPECT_EQ(server.check().wrong, "");
}

/** `make soak` has 10⁵ of them. */
TEST(Secret, ManyWrongSecretsCostLittle) {
  SecretServer server(secret(good));
  const Shared wrong = secret(bad);
  const unsigned tries = std::getenv("SHINAR_SOAK") != nullptr ? 100000 : 2000;
  for (unsigned i = 0; i < tries; ++i) {
    Steps steps(server, *wrong);
    steps.send(steps.proof());
    ASSERT_EQ(steps.verdict(), not_the_same);
  }
  EXPECT_TRUE(eventually([&] { return server.server.connection_count() == 0; }));
  EXPECT_EQ(server.server.counters().refused.load(), tries);
  EXPECT_LT(server.host.lines, tries / 2) << "anybody can fill the log";
  EXPECT_EQ(server.server.ledger().session_count(), 0u);
  server.expect_serving();
}

/** A welcome has less room for them than one without a proof. */
TEST(Secret, WhoHasNoRoleIsNotAllowed) {
  ServerOptions options;
  options.policy = [] {
    Role role;
    role.name = "users";
    role.who = Patterns({"uid:*"});
    return std::make_shared<const Policy>(std::vector{std::make_shared<const Role>(role)});
  };
  for (const Shared& required : {secret(good), Shared()}) {
    const SecretServer server(required, options);
    try {
      server.peer(required).create("test.Thing");
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::not_allowed) << error.what();
      EXPECT_NE(std::string(error.what()).find("has no role"), std::string::npos) << error.what();
    }
  }
}

TEST(Secret, DoorsThatFit) {
  TestHost host;
  ServerOptions options;
  options.limits.local_doors = false;
  options.authenticator = secret(good);
  Server server(host, options);
  for (int i = 0; i < 160; ++i) server.listen(Endpoint{"127.0.0.1", 0});
  server.start();
  const Socket socket = connect_to(server.endpoint(), milliseconds(5000));
  Hello hello;
  hello.features = feature_doors;
  const Welcome welcome =
      perform_handshake(*channel_over(socket.fd()), hello, 5000, options.authenticator.get());
  EXPECT_LE(welcome.doors.size(), max_extension - nonce_bytes - 32);
  EXPECT_GT(welcome.doors.size(), max_extension / 2);
  EXPECT_TRUE(welcome.doors.ends_with("\n"));
  ::shutdown(socket.fd(), SHUT_RDWR);
  server.stop(std::chrono::seconds(20));
}

TEST(Secret, AnOldServerSkipsTheOffer) {
  SecretServer server(nullptr);
  Steps steps(server, *secret(good));
  steps.send(steps.greeting);
  const Bytes got = steps.read(hello_bytes);
  ASSERT_EQ(got.size(), hello_bytes);
  std::ranges::copy(got, steps.welcome.begin());
  EXPECT_EQ(decode_welcome(steps.welcome).version, highest_version);
  EXPECT_EQ(decode_welcome(steps.welcome).features, 0u);
}

TEST(Secret, FilesThatWillNotDo) {
  const auto complaint = [](const std::string& path) {
    try {
      static_cast<void>(authenticator_of(path));
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  const auto expect = [&](const std::string& path, const std::string& part) {
    EXPECT_NE(complaint(path).find(part), std::string::npos) << complaint(path);
    EXPECT_EQ(complaint(path).find("horse"), std::string::npos);
  };
  expect("/nowhere/secret", "cannot be opened: No such file");
  expect("/tmp", "is not a regular file");
  expect("/dev/zero", "is not a regular file");
  for (const mode_t mode : {0640u, 0604u, 0620u, 0601u, 0777u}) {
    const TemporaryFile open(good, mode);
    expect(open.path(), "chmod 600 '" + open.path() + "'");
  }
  const TemporaryFile empty("");
  expect(empty.path(), "has 0 bytes, at least 16 are needed");
  const TemporaryFile brief("fifteen bytes!!\n\n\n");
  expect(brief.path(), "has 15 bytes");
  const TemporaryFile much(std::string(4097, 'x'));
  expect(much.path(), "has more than 4096 bytes");
  const TemporaryFile enough("sixteen bytes!!!\r\n", 0400);
  EXPECT_EQ(complaint(enough.path()), "");
  const TemporaryFile most(std::string(4096, 'x') + "\n");
  EXPECT_EQ(complaint(most.path()), "");
}

}  // namespace secret_test
