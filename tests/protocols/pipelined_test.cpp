/** Requests that arrive in one piece: their answers may leave in one piece, but none is kept back.
 */
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <set>

#include "raw_frames.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;

namespace {

/** A client that puts many frames into one send. Method n is methods[n - 1]. */
class Pipeline {
 public:
  Pipeline(TestServer& server, const std::vector<std::string>& methods)
      : socket_(connect_to(server.server.endpoint(), milliseconds(5000))) {
    prepare_connection(socket_.fd(), milliseconds(5000), milliseconds(5000));
    Hello hello;
    hello.session = random_id();
    hello.inline_bytes = 1u << 20;
    hello.message_bytes = 1u << 30;
    perform_handshake(socket_.fd(), hello, 5000);
    for (std::uint32_t i = 0; i < methods.size(); ++i) {
      Encoder body;
      body.put(std::uint64_t{0x1234});
      body.put_string(methods[i]);
      add(FrameType::method, 0, i + 1, body);
    }
  }

  void request(std::uint64_t id, std::uint32_t method) {
    Encoder body;
    body.put_string("public");
    add(FrameType::request, id, method, body);
  }

  void add(FrameType type, std::uint64_t id, std::uint32_t method, Encoder& body) {
    FrameHeader header;
    header.type = static_cast<std::uint8_t>(type);
    header.request = id;
    header.method = method;
    header.body = static_cast<std::uint32_t>(body.body_size());
    const auto frame = body.with_header(header);
    bytes_.insert(bytes_.end(), frame.begin(), frame.end());
  }

  void send() {
    ::send(socket_.fd(), bytes_.data(), bytes_.size(), MSG_NOSIGNAL);
    bytes_.clear();
  }

  /** The next frame that is no sign of life; its type is 0 if none comes. */
  FrameHeader next() {
    for (;;) {
      FrameHeader header;
      header.type = 0;
      if (::recv(socket_.fd(), &header, sizeof header, MSG_WAITALL) != sizeof header) return {};
      std::string body(header.body, '\0');
      if (!body.empty()) ::recv(socket_.fd(), body.data(), body.size(), MSG_WAITALL);
      if (header.type != static_cast<std::uint8_t>(FrameType::pong)) return header;
    }
  }

 private:
  Socket socket_;
  std::vector<std::byte> bytes_;
};

constexpr auto reply = static_cast<std::uint8_t>(FrameType::reply);

}  // namespace

TEST(Pipelined, EveryRequestIsAnswered) {
  TestServer server;
  Pipeline pipeline(server, {"noop"});
  constexpr std::uint64_t count = 1000;
  for (std::uint64_t id = 1; id <= count; ++id) pipeline.request(id, 1);
  pipeline.send();
  // In any order: a worker that loses the processor for some ticks is overtaken.
  std::set<std::uint64_t> answered;
  for (std::uint64_t id = 1; id <= count; ++id) {
    const FrameHeader answer = pipeline.next();
    ASSERT_EQ(answer.type, reply);
    ASSERT_TRUE(answered.insert(answer.request).second) << answer.request;
  }
  EXPECT_EQ(*answered.rbegin(), count);
}

TEST(Pipelined, AnAnswerDoesNotWaitForALongCallBehindIt) {
  TestServer server;
  Pipeline pipeline(server, {"noop", "hold"});
  pipeline.request(1, 1);
  pipeline.request(2, 2);
  pipeline.send();
  EXPECT_EQ(pipeline.next().request, 1u) << "nothing else is at hand while call 2 runs";
  pipeline.request(3, 1);
  pipeline.request(4, 1);
  pipeline.send();
  EXPECT_EQ(pipeline.next().request, 3u);
  EXPECT_EQ(pipeline.next().request, 4u);
  server.host.release_holds();
  EXPECT_EQ(pipeline.next().request, 2u);
}

TEST(Pipelined, AnswersLeaveBeforeTheConnectionIsClosed) {
  TestServer server;
  Pipeline pipeline(server, {"noop"});
  Encoder nothing;
  pipeline.request(1, 1);
  pipeline.request(2, 1);
  pipeline.add(static_cast<FrameType>(99), 3, 0, nothing);
  pipeline.send();
  EXPECT_EQ(pipeline.next().request, 1u);
  EXPECT_EQ(pipeline.next().request, 2u);
  EXPECT_EQ(pipeline.next().type, static_cast<std::uint8_t>(FrameType::goodbye));
  EXPECT_TRUE(server.server.stop(milliseconds(20000))) << "no call counts as being in work";
}
