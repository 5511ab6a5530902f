/**
 * TLS: whom each end believes, what is said of a peer that is not believed, and what arrives.
 */
#include <gtest/gtest.h>
#include <malloc.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "greedy_clients.hpp"
#include "test_host.hpp"
#include "tls/tls_stream.hpp"
#include "tls_certificates.hpp"

#ifdef __SANITIZE_THREAD__
/** OpenSSL is not instrumented: its own synchronisation, by atomics, is not seen. */
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
  return "race:libcrypto.so\nrace:libssl.so\n";
}
#endif

using namespace shinar::wire;
using std::chrono::milliseconds;

namespace {

using Clock = std::chrono::steady_clock;

/** What a client of that host, and the server, say of each other; empty: nothing. */
struct Meeting {
  std::string at_client, at_server;
  std::string carriers;
  Identity client, server;
  bool is_bound = false;
};

class Tls : public testing::Test {
 protected:
  Tls() { Certificates::instance().use(); }
  ~Tls() override { Certificates::instance().use(); }

  static void choose(sidl_trust which, const std::string& name) {
    const std::string path = name.empty() ? name : Certificates::instance().path(name);
    ::sidl_trust_set_file(which, path.c_str());
  }
};

std::pair<Socket, Socket> two_sockets() {
  std::array<int, 2> ends{};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  return {Socket(ends[0]), Socket(ends[1])};
}

/** Both shake hands, and each sends a byte. */
Meeting meet(const std::string& host, const tls::Context& server_context) {
  auto [one, other] = two_sockets();
  Meeting result;
  tls::TlsStream server(std::move(other), "client", server_context);
  std::thread serves([&] {
    char byte = 0;
    try {
      for (ssize_t got = -1; got < 0;) {
        got = server.receive(&byte, 1, true);
        if (got < 0 && errno != EAGAIN) break;
      }
      server.send(std::as_bytes(std::span("a", 1)), true);
    } catch (const Error& error) {
      result.at_server = error.what();
    }
  });
  try {
    Socket near = std::move(one);
    tls::TlsStream client(std::move(near), "server", tls::client_context(), host);
    client.shake_hands(Clock::now() + milliseconds(5000));
    client.send(std::as_bytes(std::span("a", 1)), true);
    char byte = 0;
    while (client.receive(&byte, 1, true) < 0 && errno == EAGAIN) continue;
    serves.join();
    result.carriers = client.carriers();
    result.server = client.identity();
    result.client = server.identity();
    result.is_bound = !client.binding().empty() && client.binding() == server.binding();
    return result;
  } catch (const Error& error) {
    result.at_client = error.what();
  }
  serves.join();
  return result;
}

Meeting meet(const std::string& host = "127.0.0.1") {
  return meet(host, tls::server_context());
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Tls, AServerIsVerifiedAndAClientNeedsNoName) {
  const Meeting met = meet();
  EXPECT_EQ(met.at_client + met.at_server, "");
  EXPECT_EQ(met.server.name, "server");
  EXPECT_EQ(met.server.proof, "tls");
  EXPECT_EQ(met.client.name, "");
  EXPECT_TRUE(met.is_bound);
  EXPECT_TRUE(met.carriers.starts_with("TLSv1.3, ")) << met.carriers;
  EXPECT_EQ(meet("localhost").at_client, "");
}

TEST_F(Tls, AServerOfAnotherNameIsNotBelieved) {
  const Meeting met = meet("127.0.0.2");
  EXPECT_TRUE(has(met.at_client, "is that of 'server', and not for '127.0.0.2'")) << met.at_client;
  EXPECT_TRUE(has(met.at_server, "bad certificate") || has(met.at_server, "closed"))
      << met.at_server;
  EXPECT_TRUE(has(meet("example.org").at_client, "not for 'example.org'"));
}

/** What a subject is called, no authority has checked. */
TEST_F(Tls, ASubjectIsNoHost) {
  choose(sidl_trust_certificate, "localhost.pem");
  choose(sidl_trust_key, "localhost.key");
  EXPECT_TRUE(has(meet("localhost").at_client, "'localhost' as its common name alone"));
}

/** "alice" with a zero and more behind it, as no tool makes it; with alice's key. */
void sign_a_name_with_a_zero(const std::string& file) {
  const auto open = [](const std::string& name, const char* mode) {
    return std::unique_ptr<std::FILE, int (*)(std::FILE*)>(
        std::fopen(Certificates::instance().path(name).c_str(), mode), &std::fclose);
  };
  const auto key = [&](const std::string& name) {
    return std::unique_ptr<EVP_PKEY, decltype(&::EVP_PKEY_free)>(
        ::PEM_read_PrivateKey(open(name, "r").get(), nullptr, nullptr, nullptr), &::EVP_PKEY_free);
  };
  using Certificate = std::unique_ptr<X509, decltype(&::X509_free)>;
  const Certificate authority(::PEM_read_X509(open("ca.pem", "r").get(), nullptr, nullptr, nullptr),
                              &::X509_free);
  const Certificate made(::X509_new(), &::X509_free);
  ::X509_set_version(made.get(), 2);
  ::ASN1_INTEGER_set(::X509_get_serialNumber(made.get()), 4711);
  ::X509_gmtime_adj(::X509_getm_notBefore(made.get()), -60);
  ::X509_gmtime_adj(::X509_getm_notAfter(made.get()), 3600);
  ::X509_set_issuer_name(made.get(), ::X509_get_subject_name(authority.get()));
  const std::string_view name("alice\0 and another", 18);
  ::X509_NAME_add_entry_by_NID(::X509_get_subject_name(made.get()), NID_commonName, MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(name.data()),
                               static_cast<int>(name.size()), -1, 0);
  ::X509_set_pubkey(made.get(), key("alice.key").get());
  EXPECT_NE(::X509_sign(made.get(), key("ca.key").get(), ::EVP_sha256()), 0);
  EXPECT_EQ(::PEM_write_X509(open(file, "w").get(), made.get()), 1);
}

TEST_F(Tls, ANameIsNotCutAtAZero) {
  sign_a_name_with_a_zero("zero.pem");
  choose(sidl_trust_client_authorities, "ca.pem");
  const tls::Context server = tls::server_context();
  choose(sidl_trust_certificate, "zero.pem");
  choose(sidl_trust_key, "alice.key");
  const Meeting met = meet("127.0.0.1", server);
  EXPECT_EQ(met.at_client + met.at_server, "");
  EXPECT_EQ(met.client.name, "alice\uFFFD and another")
      << "nor is it cut by who takes it for a C string";
}

/** OpenSSL kept the beginning of a record behind one without data, and the rest made no sense. */
TEST_F(Tls, NewKeysInTheMidstOfPieces) {
  auto left = two_sockets();
  auto right = two_sockets();
  const Socket& other = left.second;
  const Socket& third = right.first;
  tls::TlsStream client(std::move(left.first), "server", tls::client_context(), "127.0.0.1");
  tls::TlsStream server(std::move(right.second), "client", tls::server_context());
  client.set_records_per_key(1);
  std::thread shakes([&] { client.shake_hands(Clock::now() + milliseconds(5000)); });
  std::array<char, 64> byte{};
  // What passes between them passes here, from the client in short pieces.
  const auto pass = [&](const Socket& from, const Socket& to, std::size_t most) {
    const ssize_t got = ::recv(from.fd(), byte.data(), most, MSG_DONTWAIT);
    return got > 0 && ::send(to.fd(), byte.data(), static_cast<std::size_t>(got), 0) == got;
  };
  EXPECT_TRUE(eventually([&] {
    while (pass(other, third, byte.size())) continue;
    static_cast<void>(server.has_buffered());
    while (pass(third, other, byte.size())) continue;
    return !client.carriers().empty() && !server.carriers().empty();
  }));
  shakes.join();
  int seen = 0;
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(client.send(std::as_bytes(std::span("a", 1)), false), 1);
    while (pass(other, third, 7)) {
      char got = 0;
      if (server.receive(&got, 1, false) == 1) ++seen;
    }
  }
  EXPECT_EQ(seen, 40);
}

TEST_F(Tls, AServerOfAStrangersIsNotBelieved) {
  choose(sidl_trust_certificate, "strange.pem");
  choose(sidl_trust_key, "strange.key");
  const Meeting met = meet();
  EXPECT_TRUE(has(met.at_client, "not to be believed")) << met.at_client;
  EXPECT_TRUE(has(met.at_client, "SIDL_TLS_CA")) << met.at_client;
}

TEST_F(Tls, ClientsShowWhoTheyAre) {
  const auto server = [] {
    choose(sidl_trust_client_authorities, "ca.pem");
    return tls::server_context();
  }();
  choose(sidl_trust_certificate, "");
  choose(sidl_trust_key, "");
  const Meeting nobody = meet("127.0.0.1", server);
  EXPECT_TRUE(has(nobody.at_client, "certificate required")) << nobody.at_client;
  EXPECT_TRUE(has(nobody.at_client, "SIDL_TLS_CERT")) << nobody.at_client;
  EXPECT_TRUE(has(nobody.at_server, "did not return a certificate")) << nobody.at_server;

  choose(sidl_trust_certificate, "alice.pem");
  choose(sidl_trust_key, "alice.key");
  const Meeting alice = meet("127.0.0.1", server);
  EXPECT_EQ(alice.at_client + alice.at_server, "");
  EXPECT_EQ(alice.client.name, "alice");
  EXPECT_EQ(alice.client.proof, "tls");

  choose(sidl_trust_certificate, "strange.pem");
  choose(sidl_trust_key, "strange.key");
  EXPECT_NE(meet("127.0.0.1", server).at_client, "");
}

TEST_F(Tls, FilesThatAreNoGoodAreNamed) {
  const auto why_not = [] {
    try {
      tls::client_context();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  ::setenv("SIDL_TLS_CRL", "", 1);
  ::sidl_trust_set_file(sidl_trust_revoked, nullptr);
  EXPECT_EQ(why_not(), "");  // the program's word counts
  ::unsetenv("SIDL_TLS_CRL");
  choose(sidl_trust_authorities, "none.pem");
  EXPECT_TRUE(has(why_not(), "none.pem' cannot be read")) << why_not();
  EXPECT_TRUE(has(why_not(), "No such file")) << why_not();
  choose(sidl_trust_authorities, "log");
  EXPECT_TRUE(has(why_not(), "certificates of authorities (PEM)")) << why_not();
  choose(sidl_trust_authorities, "ca.pem");
  choose(sidl_trust_key, "alice.key");
  EXPECT_TRUE(has(why_not(), "has not the key of the certificate")) << why_not();
  choose(sidl_trust_key, "server.key");
  const std::string key = Certificates::instance().path("server.key");
  ASSERT_EQ(::chmod(key.c_str(), 0640), 0);
  ::sidl_trust_reload();
  EXPECT_TRUE(has(why_not(), "can be used by others: chmod 600")) << why_not();
  ASSERT_EQ(::chmod(key.c_str(), 0600), 0);
  EXPECT_EQ(why_not(), "");
}

/** A reload that fails leaves what there was. */
TEST_F(Tls, AServerKeepsItsCertificateUntilThereIsAnother) {
  tls::server_context();
  choose(sidl_trust_certificate, "none.pem");
  const auto kept = tls::server_context();
  Certificates::instance().use();
  EXPECT_EQ(meet("127.0.0.1", kept).at_client, "");
  choose(sidl_trust_certificate, "elsewhere.pem");
  choose(sidl_trust_key, "elsewhere.key");
  const auto server = tls::server_context();
  Certificates::instance().use();
  EXPECT_TRUE(has(meet("127.0.0.1", server).at_client, "that of 'elsewhere'"));
}

/** Bytes whose record has not left as a whole are offered again, and arrive once. */
TEST_F(Tls, WhatTheSocketDoesNotTakeArrivesOnce) {
  auto [one, other] = two_sockets();
  tls::TlsStream client(std::move(one), "server", tls::client_context(), "127.0.0.1");
  tls::TlsStream server(std::move(other), "client", tls::server_context());
  std::thread shakes([&] { client.shake_hands(Clock::now() + milliseconds(5000)); });
  std::string got, sent;
  std::array<char, 4096> some{};
  EXPECT_TRUE(eventually([&] {
    static_cast<void>(server.has_buffered());
    return !client.carriers().empty();
  }));
  shakes.join();
  const auto take = [&] {
    const ssize_t more = server.receive(some.data(), some.size(), false);
    if (more > 0) got.append(some.data(), static_cast<std::size_t>(more));
    return more > 0;
  };
  int refused = 0;
  for (int i = 0; sent.size() < (std::size_t{4} << 20); ++i) {
    std::string next(1 + static_cast<std::size_t>(i * 37 % 40000), static_cast<char>('a' + i % 26));
    for (std::size_t done = 0; done < next.size();) {
      const ssize_t more = client.send(std::as_bytes(std::span(next)).subspan(done), false);
      if (more > 0) {
        sent.append(next, done, static_cast<std::size_t>(more));
        done += static_cast<std::size_t>(more);
        continue;
      }
      ASSERT_EQ(errno, EAGAIN);
      ++refused;
      if (done == 0) break;  // nothing of it: something else may come
      take();
    }
    if (i % 50 == 49) take();
  }
  EXPECT_GT(refused, 10);
  client.finish_sending();
  EXPECT_TRUE(eventually([&] {
    while (take()) continue;
    client.receive(some.data(), some.size(), false);  // it waits for the end
    return got.size() >= sent.size();
  }));
  EXPECT_TRUE(got == sent);
  EXPECT_EQ(server.receive(some.data(), some.size(), true), 0);
}

/** A stream that was cut is told from one that has ended. */
TEST_F(Tls, ACutIsNoEnd) {
  auto [one, other] = two_sockets();
  const Socket knife(::dup(one.fd()));
  tls::TlsStream client(std::move(one), "server", tls::client_context(), "127.0.0.1");
  tls::TlsStream server(std::move(other), "client", tls::server_context());
  std::thread shakes([&] { client.shake_hands(Clock::now() + milliseconds(5000)); });
  EXPECT_TRUE(eventually([&] {
    static_cast<void>(server.has_buffered());
    return !client.carriers().empty() && !server.carriers().empty();
  }));
  shakes.join();
  char byte = 0;
  EXPECT_EQ(server.receive(&byte, 1, false), -1);
  EXPECT_EQ(errno, EAGAIN);
  knife.shut_down();
  EXPECT_EQ(server.receive(&byte, 1, true), -1);
  EXPECT_EQ(errno, ECONNRESET);
}

/** Each end says that the other may have another kind of URL. */
TEST_F(Tls, WhoSpeaksSomethingElseIsTold) {
  auto [one, other] = two_sockets();
  tls::TlsStream server(std::move(other), "client", tls::server_context());
  const std::string_view hello = "SHINSIM\n and what comes after that";
  ASSERT_GT(::send(one.fd(), hello.data(), hello.size(), 0), 0);
  char byte = 0;
  try {
    server.receive(&byte, 1, true);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_TRUE(has(error.what(), "the client does not speak TLS")) << error.what();
  }
  std::array<unsigned char, 16> answer{};
  ASSERT_GE(::recv(one.fd(), answer.data(), answer.size(), 0), 2);
  EXPECT_EQ(answer[0], 21);  // an alert

  auto [third, fourth] = two_sockets();
  tls::TlsStream client(std::move(third), "server", tls::client_context(), "127.0.0.1");
  ASSERT_GT(::send(fourth.fd(), hello.data(), hello.size(), 0), 0);
  try {
    client.shake_hands(Clock::now() + milliseconds(5000));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_TRUE(has(error.what(), "the server does not speak TLS")) << error.what();
  }
}

/** A server that refuses a message goes on receiving it, so that no reset overtakes the reason. */
TEST_F(Tls, WhyIsHeardThoughMuchIsStillSent) {
  ServerOptions options;
  options.listen.via = "tls";
  expect_reasons_heard(options);
}

#ifndef SHINAR_SANITIZED
/** Bytes of the heap. */
std::uint64_t allocated() {
  const struct mallinfo2 now = ::mallinfo2();
  return now.uordblks + now.hblkhd;
}

/** What is charged is more than what is taken, in every state in which a client can leave it. */
TEST_F(Tls, WhatASessionTakesIsCharged) {
  choose(sidl_trust_client_authorities, "ca.pem");
  choose(sidl_trust_certificate, "alice.pem");
  choose(sidl_trust_key, "alice.key");
  const tls::Context at_client = tls::client_context();
  choose(sidl_trust_certificate, "server.pem");
  choose(sidl_trust_key, "server.key");
  const tls::Context at_server = tls::server_context();
  constexpr std::uint64_t count = 50;
  // A hello that is announced as long as can be, and a record of it.
  std::vector<unsigned char> part = {22, 3, 1, 0x40, 0, 1, 2, 1, 0x40};
  part.resize(5 + 0x4000);
  for (const bool is_finished : {false, true}) {
    std::vector<std::unique_ptr<tls::TlsStream>> servers;
    std::vector<Socket> ends;
    std::uint64_t before = 0, charged = 0;
    for (std::uint64_t i = 0; i <= count; ++i) {
      if (i == 1) before = allocated();  // the first one has things made that stay
      auto [one, other] = two_sockets();
      servers.push_back(std::make_unique<tls::TlsStream>(std::move(other), "client", at_server));
      tls::TlsStream& server = *servers.back();
      char byte = 0;
      if (is_finished) {
        tls::TlsStream client(std::move(one), "server", at_client, "127.0.0.1");
        std::thread serves([&] {
          while (server.receive(&byte, 1, true) < 0 && errno == EAGAIN) continue;
        });
        client.shake_hands(Clock::now() + milliseconds(5000));
        client.send(std::as_bytes(std::span("a", 1)), true);
        serves.join();
      } else {
        EXPECT_GT(::send(one.fd(), part.data(), part.size(), 0), 0);
        EXPECT_EQ(server.receive(&byte, 1, false), -1);
        ends.push_back(std::move(one));
      }
      if (i > 0) charged += server.own_memory();
    }
    const std::uint64_t taken = allocated() - before;
    EXPECT_GE(taken, count * 8000) << is_finished;
    EXPECT_GE(charged, taken) << is_finished;
  }
}
#endif

/** Lists in a hello are kept as long as the connection, and were never looked at by anybody. */
TEST_F(Tls, AHelloIsNotLong) {
  const tls::Context at_client = tls::client_context();
  std::string names;
  while (names.size() < 20000) names += "\x0anobody has";
  ::SSL_CTX_set_alpn_protos(at_client.get(), reinterpret_cast<const unsigned char*>(names.data()),
                            static_cast<unsigned>(names.size()));
  const Meeting met = meet();
  EXPECT_TRUE(has(met.at_server, "bytes, the limit is 16384")) << met.at_server;
}

/** What connections take was not counted, however many there were. */
TEST_F(Tls, ConnectionsTakeOfTheTotalMemory) {
  ServerOptions options;
  options.listen.via = "tls";
  options.limits.total_memory_bytes = std::uint64_t{4} << 20;
  TestServer server(options);
  std::vector<std::shared_ptr<Peer>> peers;
  std::string why;
  for (int i = 0; i < 100 && why.empty(); ++i) {
    try {
      peers.push_back(server.peer(one_connection()));
      Call("public", "noop").run(*peers.back());
    } catch (const Error& error) {
      why = error.what();
    }
  }
  EXPECT_TRUE(has(why, "bytes of memory for connections and messages")) << why;
  EXPECT_TRUE(has(why, "SIDL_RMI_TOTAL_MEMORY")) << why;
  EXPECT_GT(peers.size(), 8u);
  EXPECT_LT(peers.size(), 40u);
  Call("public", "noop").run(*peers.front());  // those that are there go on
  for (const auto& each : peers) say_goodbye(*each);
  EXPECT_TRUE(eventually([&] { return server.server.connection_count() == 0; }));
  EXPECT_NO_THROW(Call("public", "noop").run(*server.peer()));
}

/** Strangers leave their places to others, who wait that long in the backlog. */
TEST_F(Tls, StrangersTakeOfTheTotalMemory) {
  ServerOptions options;
  options.listen.via = "tls";
  options.limits.total_memory_bytes = std::uint64_t{4} << 20;
  TestServer server(options);
  Endpoint at = server.server.endpoint();
  at.via.clear();
  std::vector<Socket> strangers;
  for (int i = 0; i < 100; ++i) strangers.push_back(connect_to(at, milliseconds(5000)));
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_LE(server.server.connection_count(), 13u);
  strangers.resize(20);
  EXPECT_NO_THROW(Call("public", "noop").run(*server.peer()));
}

/** Theirs is the memory for a moment only, so that there is always some for others. */
TEST_F(Tls, StrangersThatAlwaysComeAgainLeavePlacesToOthers) {
  ServerOptions options;
  options.listen.via = "tls";
  options.limits.total_memory_bytes = std::uint64_t{6} << 20;
  TestServer server(options);
  Endpoint at = server.server.endpoint();
  at.via.clear();
  Limits impatient;
  impatient.connect_ms = 3000;
  const SilentClients flood(at, milliseconds(25));
  std::this_thread::sleep_for(milliseconds(2000));  // more come than there is room for in a second
  for (int i = 0; i < 5; ++i) {
    EXPECT_NO_THROW(Call("public", "noop").run(*server.peer(impatient)));
  }
}

}  // namespace
