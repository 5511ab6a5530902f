/**
 * The test vectors of docs/simhandle-protocol.md: what the document shows is what is sent.
 *
 * The document's blocks ```hex NAME … ``` hold bytes in hex; ';' begins a remark.
 */
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <sstream>

#include "core/authentication.hpp"
#include "core/notice.hpp"
#include "raw_frames.hpp"
#include "temporary.hpp"
#include "test_host.hpp"

using namespace shinar::wire;

namespace {

std::string hex(const void* data, std::size_t size) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    const unsigned byte = static_cast<const unsigned char*>(data)[i];
    text += digits[byte >> 4];
    text += digits[byte & 15];
    text += (i % 16 == 15 || i + 1 == size) ? '\n' : ' ';
  }
  return text;
}

/** The document's blocks by name, in the form of hex(). */
std::map<std::string, std::string> documented() {
  std::ifstream file(SHINAR_PROTOCOL_PAGE);
  std::map<std::string, std::string> blocks;
  std::string line;
  std::string name;
  std::string bytes;
  while (std::getline(file, line)) {
    if (line.starts_with("```hex ")) {
      name = line.substr(7);
      bytes.clear();
    } else if (line == "```" && !name.empty()) {
      blocks[name] = hex(bytes.data(), bytes.size());
      name.clear();
    } else if (!name.empty()) {
      std::istringstream words(line.substr(0, line.find(';')));
      for (std::string word; words >> word;) {
        bytes += static_cast<char>(std::stoi(word, nullptr, 16));
      }
    }
  }
  return blocks;
}

void expect_documented(const std::string& name, const std::string& sent) {
  EXPECT_EQ(documented()[name], sent) << name;
}

Id128 counting_id(int first) {
  Id128 id;
  for (std::size_t i = 0; i < id.size(); ++i) {
    id[i] = static_cast<std::byte>(first + static_cast<int>(i));
  }
  return id;
}

FrameHeader header_of(FrameType type, std::uint64_t request = 0, std::uint16_t method = 0) {
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(type);
  header.request = request;
  header.method = method;
  return header;
}

/** The bytes of a frame on a socket, at most `most` of them. */
std::string sent(FrameHeader header, Encoder& encoder, std::size_t most = 4000) {
  complete_header(header, encoder, 1u << 20, 1u << 20);
  int ends[2];
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const Socket from(ends[0]);
  const Socket to(ends[1]);
  send_frame(from.fd(), {}, header, encoder);
  std::vector<char> bytes(most);
  const ssize_t got = ::recv(to.fd(), bytes.data(), bytes.size(), 0);
  return hex(bytes.data(), static_cast<std::size_t>(got));
}

const std::string object = "0123456789abcdef0123456789abcdef";

Hello documented_hello() {
  Hello hello;
  hello.session = counting_id(0x10);
  hello.inline_bytes = 16u << 20;
  hello.keepalive_ms = 20000;
  hello.message_bytes = std::uint64_t{8} << 30;
  hello.number = 1;
  return hello;
}

/** A secret of the documented bytes, as a process has it. */
std::shared_ptr<const Authenticator> documented_secret() {
  const TemporaryFile file("0123456789abcdef0123456789abcdef");
  ::setenv("SIDL_SECRET_FILE", file.path().c_str(), 1);
  const auto secret = Authenticator::of_process();
  ::unsetenv("SIDL_SECRET_FILE");
  return secret;
}

Nonce counting_nonce(int first) {
  Nonce nonce;
  for (std::size_t i = 0; i < nonce.size(); ++i) {
    nonce[i] = static_cast<std::byte>(first + static_cast<int>(i));
  }
  return nonce;
}

}  // namespace

TEST(Vector, Handshake) {
  Hello hello = documented_hello();
  const auto hello_sent = encode(hello);
  expect_documented("hello", hex(hello_sent.data(), hello_sent.size()));

  std::string text;
  const auto welcome = encode(answer(hello, Limits(), counting_id(0xe0), text));
  expect_documented("welcome", hex(welcome.data(), welcome.size()));

  hello.lowest = 3;
  hello.highest = 4;
  const auto refusal = encode(answer(hello, Limits(), counting_id(0xe0), text));
  std::string both(reinterpret_cast<const char*>(refusal.data()), refusal.size());
  both += text;
  expect_documented("refusal", hex(both.data(), both.size()));
}

TEST(Vector, Authentication) {
  if (!documented().contains("authenticated-hello")) GTEST_FAIL();
  if (!SHINAR_HAS_SECRET) GTEST_SKIP() << "built without OpenSSL";
  const auto secret = documented_secret();
  Hello hello = documented_hello();
  const ClientAuthentication client(*secret, hello, counting_nonce(0x40));
  ServerAuthentication server(*secret, counting_nonce(0x80));
  const auto in_hex = [](const HelloBytes& greeting, const std::vector<std::byte>& more) {
    std::vector<std::byte> all(greeting.begin(), greeting.end());
    all.insert(all.end(), more.begin(), more.end());
    return hex(all.data(), all.size());
  };
  const HelloBytes hello_sent = encode(hello);
  expect_documented("authenticated-hello", in_hex(hello_sent, client.offer()));
  server.take_offer(client.offer());
  std::string text;
  Welcome welcome = answer(hello, Limits(), counting_id(0xe0), text);
  welcome.features = feature_authentication;
  welcome.extension = static_cast<std::uint32_t>(server.challenge_bytes());
  const HelloBytes welcome_sent = encode(welcome);
  const auto challenge = server.challenge(hello_sent, welcome_sent, {});
  expect_documented("authenticated-welcome", in_hex(welcome_sent, challenge));
  const Statement statement{"secret", counting_nonce(0x40), counting_nonce(0x80), hello_sent,
                            welcome_sent};
  const auto stated = statement.by(Side::client);
  expect_documented("statement", hex(stated.data(), stated.size()));
  const auto proof = client.answer(hello_sent, welcome_sent, challenge, {}).proof;
  expect_documented("proof", hex(proof.data(), proof.size()));
  const auto verdict = encode_verdict(Refusal::none, "");
  expect_documented("verdict", hex(verdict.data(), verdict.size()));
}

TEST(Vector, MethodAndRequest) {
  Encoder method;
  method.put(std::uint64_t{0x1122334455667788});
  method.put_string("solve");
  expect_documented("method", sent(header_of(FrameType::method, 0, 1), method));

  Encoder request;
  request.put_string(object);
  request.put(std::int32_t{7});
  request.put_bool(true);
  request.put_string("ab");
  const double values[] = {1.0, 2.0, 3.0};
  ArrayShape shape;
  shape.kind = Kind::double_;
  shape.order = Order::row;
  shape.dimension = 1;
  shape.upper[0] = 2;
  request.put_array(shape, Bulk::lent(values, sizeof values));
  expect_documented("request", sent(header_of(FrameType::request, 5, 1), request));
}

TEST(Vector, BulkRequest) {
  Encoder request;
  request.put_string(object);
  const std::vector<double> values(512, 1.0);
  put_doubles(request, values);
  expect_documented("bulk-request", sent(header_of(FrameType::request, 6, 1), request, 120));
}

TEST(Vector, NestedOneWayCancel) {
  Encoder nested;
  nested.put_string("me");
  nested.put(std::uint64_t{5});
  FrameHeader header = header_of(FrameType::request, 1, 1);
  header.flags = flag_nested;
  expect_documented("nested-request", sent(header, nested));

  Encoder chained;
  chained.put_string("me");
  chained.put(std::uint64_t{0x1716151413121110});
  chained.put(std::uint64_t{0x1f1e1d1c1b1a1918});
  header.flags = flag_chained;
  expect_documented("chained-request", sent(header, chained));

  Encoder references;
  references.put_string("me");
  references.note_reference();
  references.put(static_cast<std::uint8_t>(ObjectTag::at_sender));
  references.put_string("it");
  references.put_string("a.b");
  references.note_reference();
  references.put(static_cast<std::uint8_t>(ObjectTag::at_receiver));
  references.put_string("me");
  references.put_references();
  header = header_of(FrameType::request, 7, 1);
  header.flags = flag_references;
  expect_documented("references", sent(header, references));

  Encoder oneway;
  oneway.put_string("solver");
  header = header_of(FrameType::oneway, 0, 1);
  header.strand = 3;
  expect_documented("one-way", sent(header, oneway));

  Encoder nothing;
  expect_documented("cancel", sent(header_of(FrameType::cancel, 5), nothing));
}

TEST(Vector, Answers) {
  Encoder reply;
  reply.put(std::int32_t{42});
  expect_documented("reply", sent(header_of(FrameType::reply, 5), reply));

  Encoder exception;
  exception.put(std::uint32_t{2});
  exception.put_string("demo.Sorry");
  exception.put_string("sidl.SIDLException");
  const std::size_t part = exception.begin_part();
  exception.put_string("note");
  exception.end_part(part);
  expect_documented("exception", sent(header_of(FrameType::exception, 5), exception));

  Encoder error;
  error.put(static_cast<std::uint32_t>(Failure::object_does_not_exist));
  error.put(static_cast<std::uint32_t>(Fate::not_sent));
  error.put_string("gone");
  expect_documented("error", sent(header_of(FrameType::error, 5), error));
}

TEST(Vector, TheRest) {
  Encoder create;
  create.put_string("demo.Solver");
  expect_documented("create", sent(header_of(FrameType::create, 1), create));

  Encoder attach;
  attach.put_string("solver");
  FrameHeader header = header_of(FrameType::attach, 2);
  header.flags = flag_add_reference;
  expect_documented("attach", sent(header, attach));

  Encoder release;
  release.put_string(object);
  release.put(std::uint32_t{1});
  expect_documented("release", sent(header_of(FrameType::release), release));

  Streams streams;
  for (const std::uint64_t number : {1, 2, 3, 4}) {
    const auto stream = std::make_shared<Stream>();
    stream->number = number;
    streams.add(stream);
  }
  for (int i = 0; i < 57; ++i) streams.find(2)->count_sent();
  streams.find(4)->count_sent();
  Encoder after;
  Notice::release("me", 1, {}).encode(after, streams, streams.find(1).get());
  expect_documented("release-after", sent(header_of(FrameType::release), after));

  Stream ended;
  ended.number = 2;
  for (int i = 0; i < 56; ++i) ended.count_read();
  Encoder settle;
  Notice::settle(ended).encode(settle, streams, nullptr);
  expect_documented("settle", sent(header_of(FrameType::settle), settle));

  Encoder nothing;
  expect_documented("ping", sent(header_of(FrameType::ping, 9), nothing));

  Encoder goodbye;
  goodbye.put(std::uint32_t{0});
  goodbye.put_string("done");
  expect_documented("goodbye", sent(header_of(FrameType::goodbye), goodbye));

  Encoder abandon;
  abandon.put(std::uint64_t{3});
  abandon.put(std::uint64_t{4});
  expect_documented("abandon", sent(header_of(FrameType::abandon), abandon));
}
