/** The books of both ends when connections break: what was on its way is settled, once. */
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "core/stream.hpp"
#include "raw_connection.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;

namespace {

/** The client end of a fake server's connection, as the server sees it. */
class ToClient {
 public:
  explicit ToClient(Socket socket) : socket_(std::move(socket)) {}

  void send(FrameType type, Encoder& body, std::uint64_t id = 0, std::uint8_t flags = 0) {
    FrameHeader header;
    header.type = static_cast<std::uint8_t>(type);
    header.flags = flags;
    header.request = id;
    header.body = static_cast<std::uint32_t>(body.body_size());
    send_frame(socket_.fd(), {}, header, body);
  }
  void goodbye() {
    Encoder body;
    body.put(std::uint32_t{0});
    body.put_string("no more calls");
    send(FrameType::goodbye, body);
  }
  void settle(std::uint64_t number, std::uint64_t position) {
    Encoder body;
    body.put(number);
    body.put(position);
    send(FrameType::settle, body);
  }
  /** Gives one reference back, when so much of another connection was read. */
  void release(const std::string& object, std::uint64_t number, std::uint64_t position) {
    Encoder body;
    body.put_string(object);
    body.put(std::uint32_t{1});
    body.put(number);
    body.put(position);
    send(FrameType::release, body);
  }
  /** Returns when the client has read all that was sent. */
  void await_client() {
    Encoder nothing;
    send(FrameType::ping, nothing, 77);
    EXPECT_EQ(next(FrameType::pong).request, 77u);
  }
  /** The next frame of this type; its body is in `body`. */
  FrameHeader next(FrameType type) {
    for (;;) {
      FrameHeader header;
      if (!wait_for(socket_.fd(), POLLIN, Clock::now() + std::chrono::seconds(20)) ||
          ::recv(socket_.fd(), &header, sizeof header, MSG_WAITALL) != ssize_t{sizeof header}) {
        ADD_FAILURE() << "no frame of type " << static_cast<int>(type);
        return header;
      }
      body.assign(frame_bytes(header) - sizeof header, std::byte{});
      if (!body.empty()) ::recv(socket_.fd(), body.data(), body.size(), MSG_WAITALL);
      if (header.type == static_cast<std::uint8_t>(type)) return header;
    }
  }
  /** Answers the client's next request. */
  void answer() {
    Encoder nothing;
    send(FrameType::reply, nothing, next(FrameType::request).request);
  }
  void close() { socket_ = Socket(); }

  std::vector<std::byte> body;

 private:
  using Clock = std::chrono::steady_clock;
  Socket socket_;
};

/** A client of a server that the test plays. */
struct Played {
  ToClient accept() { return ToClient(greet_client(listener, {}, id)); }
  /** A call of the client, in a thread of its own. */
  std::future<std::string> call() {
    return std::async(std::launch::async, [this] {
      try {
        Call("public", "noop").run(*peer);
        return std::string();
      } catch (const Error& error) {
        return std::string(error.what());
      }
    });
  }
  const Id128 id = random_id();
  Endpoint endpoint{"127.0.0.1", 0};
  Socket listener = listen_on(endpoint);
  TestHost host;
  Exports exports{host, 1000};
  std::shared_ptr<Peer> peer = std::make_shared<Peer>(endpoint, Limits(), &exports);
};

/** A call waits over a connection that has said goodbye; then an object is lent over another. */
struct GoodbyeThenLent {
  explicit GoodbyeThenLent(std::uint64_t references) {
    books.ledger->book(*books.session, "lent", references);
  }
  std::uint64_t left() const { return books.ledger->reference_count(); }

  Played server;
  std::future<std::string> first_call = server.call();
  ToClient first = [this] {
    ToClient connection = server.accept();
    connection.next(FrameType::request);
    connection.goodbye();
    connection.await_client();
    return connection;
  }();
  std::future<Callee::Lender> lender =
      std::async(std::launch::async, [this] { return server.peer->lender(); });
  ToClient second = server.accept();
  const Callee::Lender books = lender.get();
};

/** Hands out references, which follow each other in the body, and lists them at its end. */
void hand_out(Encoder& body, int count, std::size_t name) {
  std::vector<std::uint64_t> places;
  for (int i = 0; i < count; ++i) {
    std::string id = std::to_string(i);
    id.resize(name, '-');
    places.push_back(body.body_size());
    body.put(std::uint8_t{2});
    body.put_string(id);
    body.put_string("a.b");
  }
  for (const std::uint64_t each : places) body.put(each);
  body.put(static_cast<std::uint64_t>(count));
}

Entry lending(const std::string& object) {
  Entry entry;
  entry.lent.push_back(object);
  return entry;
}

}  // namespace

TEST(Books, WhatIsBeingSentIsItsSendersBusiness) {
  Stream stream;
  Entry arrived = lending("arrived"), lost = lending("lost"), sending = lending("being sent");
  for (Entry* const each : {&arrived, &lost}) {
    EXPECT_TRUE(stream.note(stream.count_sent(), *each));
    EXPECT_TRUE(stream.commit(*each));
  }
  EXPECT_TRUE(stream.note(stream.count_sent(), sending));
  EXPECT_EQ(stream.settle(1).lent, lending("lost").lent);
  // It could not be sent, and is sent over another connection, where it is noted once.
  EXPECT_EQ(stream.withdraw().lent, lending("being sent").lent);
  EXPECT_TRUE(stream.is_clear());
  EXPECT_FALSE(stream.note(stream.count_sent(), sending));
}

TEST(Books, WhatWasSentTooLateIsTheSendersAgain) {
  Stream stream;
  Entry entry = lending("late");
  EXPECT_TRUE(stream.note(stream.count_sent(), entry));
  EXPECT_TRUE(stream.settle(0).empty());
  EXPECT_FALSE(stream.commit(entry));
  EXPECT_EQ(entry.lent, lending("late").lent);
}

TEST(Books, WhatHasArrivedIsNotTheSendersAnyMore) {
  for (const bool is_over : {false, true}) {
    Stream stream;
    Entry entry = lending("there");
    EXPECT_TRUE(stream.note(stream.count_sent(), entry));
    if (is_over) {
      EXPECT_TRUE(stream.settle(1).empty());
    } else {
      stream.confirm(1);
    }
    EXPECT_TRUE(stream.commit(entry));
    EXPECT_TRUE(entry.empty());
    EXPECT_TRUE(stream.withdraw().empty());
  }
}

/** An answer that is ready long after its client has left: nobody would ever settle it. */
TEST(Books, ConnectionsThatAreForgottenTakeNothing) {
  Streams streams;
  std::vector<std::shared_ptr<Stream>> all;
  for (std::uint64_t number = 1; number <= 300; ++number) {
    all.push_back(std::make_shared<Stream>());
    all.back()->number = number;
    streams.add(all.back());
    all.back()->end();
  }
  ASSERT_EQ(streams.find(1), nullptr);
  Entry late = lending("late");
  EXPECT_FALSE(all.front()->note(1, late));
  EXPECT_EQ(late.lent, lending("late").lent);
}

/**
 * A connection that is as good as over when the first object is lent over another one was read to
 * its end without anybody who had waited for that being told.
 */
TEST(Books, ReleasesWaitForConnectionsThatWereOverBeforeAnythingWasLent) {
  GoodbyeThenLent now(2);
  now.second.release("lent", 1, 1);
  now.second.await_client();
  EXPECT_EQ(now.left(), 2u);
  now.first.settle(99, 0);  // which counts, as any would
  EXPECT_TRUE(eventually([&] { return now.left() == 1; }));
  now.second.release("lent", 1, 2);
  now.second.await_client();
  now.first.close();
  EXPECT_TRUE(eventually([&] { return now.left() == 0; }));
  EXPECT_NE(now.first_call.get(), "");
}

/** The same of what had come over such a connection before it ended. */
TEST(Books, ReleasesOverConnectionsThatWereOverBeforeAnythingWasLent) {
  GoodbyeThenLent now(1);
  now.first.release("lent", 99, 0);
  EXPECT_TRUE(eventually([&] { return now.left() == 0; }));
  now.first.close();
  EXPECT_NE(now.first_call.get(), "");
}

/**
 * A server that has greeted finds that the connection has ended, and says so over another one,
 * before the client has come to read the greeting: it did not know the connection then, and waited
 * for ever to hear of what it sent over it.
 */
TEST(Books, AConnectionThatHasEndedBeforeItHasBegun) {
  Played server;
  auto waits = server.call();
  ToClient first = server.accept();
  const FrameHeader waiting = first.next(FrameType::request);
  const Callee::Lender books = server.peer->lender();
  books.ledger->book(*books.session, "lent", 1);
  Entry entry = lending("lent");
  auto second_call = std::async(std::launch::async, [&] {
    Call call("public", "noop");
    Request request;
    request.method = "noop";
    request.encoder = &call.encoder;
    request.entry = &entry;
    Message answer;
    try {
      server.peer->call(request, answer);
    } catch (const Error& error) {
      return error.fate();
    }
    return Fate::executed;
  });
  ToClient second(greet_client(server.listener, {}, server.id, [&] {
    first.settle(2, 0);
    first.await_client();
  }));
  EXPECT_EQ(second_call.get(), Fate::not_sent);
  EXPECT_EQ(entry.lent, lending("lent").lent) << "it goes over another connection, or is undone";
  Encoder nothing;
  first.send(FrameType::reply, nothing, waiting.request);
  EXPECT_EQ(waits.get(), "");
}

/** A client that calls no more tells all the same how far it has read what has ended. */
TEST(Books, AnIdleClientSettles) {
  Played server;
  auto first_call = server.call();
  ToClient first = server.accept();
  auto second_call = server.call();
  ToClient second = server.accept();
  first.answer();
  second.answer();
  EXPECT_EQ(first_call.get() + second_call.get(), "");
  server.peer->lender();
  second.close();
  first.next(FrameType::settle);
  const std::vector<std::byte> expected{std::byte{2}, {}, {}, {}, {}, {}, {}, {},
                                        std::byte{1}, {}, {}, {}, {}, {}, {}, {}};
  EXPECT_EQ(first.body, expected) << "the second connection, of which one frame was read";
}

/** A cut in the handshake was said to be a peer that is no simhandle server, which it had been. */
TEST(Books, AServerThatBreaksOffIsAServerAllTheSame) {
  Played server;
  auto call = server.call();
  {
    ToClient first = server.accept();
    first.answer();
    EXPECT_EQ(call.get(), "");
  }
  std::thread breaks_off([&] {
    wait_for(server.listener.fd(), POLLIN,
             std::chrono::steady_clock::now() + std::chrono::seconds(10));
    const Socket closed(::accept(server.listener.fd(), nullptr, nullptr));
  });
  try {
    while (true) Call("public", "noop").run(*server.peer);  // which may find that the first ended
  } catch (const Error& error) {
    if (error.failure() == Failure::unexpected_close) {
      EXPECT_NE(server.call().get().find("was lost during the handshake"), std::string::npos);
    } else {
      EXPECT_EQ(error.failure(), Failure::connect) << error.what();
    }
  }
  breaks_off.join();
}

/** The answer to the ping of a cancelled call confirmed frames that had not been sent yet. */
TEST(Books, CancellingConfirmsNothing) {
  Played server;
  auto pending =
      std::async(std::launch::async, [&] { return Call("public", "noop").begin(*server.peer); });
  ToClient connection = server.accept();
  const auto call = pending.get();
  connection.next(FrameType::request);
  call->cancel();
  connection.next(FrameType::cancel);
  EXPECT_EQ(connection.next(FrameType::ping).request, 0u);
}

/** The client gave them all back, and remembered each until the server confirmed that. */
TEST(Books, WhatNobodyWaitsForIsLimited) {
  Limits few;
  few.session_references = 1000;
  Played server;
  server.peer = std::make_shared<Peer>(server.endpoint, few, &server.exports);
  auto call = server.call();
  ToClient connection = server.accept();
  connection.next(FrameType::request);
  Encoder body;
  hand_out(body, 100, 4000);
  int count = 0;
  try {
    for (; count < 1000; ++count) connection.send(FrameType::reply, body, 1000, flag_references);
  } catch (const Error&) {
    // The client has closed the connection.
  }
  EXPECT_LT(count, 1000);
  const std::string why = call.get();
  EXPECT_NE(why.find("bytes that are kept for one session: "), std::string::npos) << why;
}

/** What the receiver refuses its sender takes back: it was given back, too, if there was room. */
TEST(Books, WhatIsRefusedIsNotGivenBack) {
  ServerOptions options;
  options.limits.session_references = 1024;
  TestServer server(options);
  const Id128 session = random_id();
  RawConnection refused(server, session, 1), other(server, session, 2);
  other.settle();
  Encoder call;
  call.put_string("public");
  other.name("noop");
  other.send(FrameType::request, call, 1, 0, 1);
  other.next_answer();
  Encoder body;
  body.put_string("public");
  hand_out(body, 1100, 10);
  refused.name("noop");
  refused.send(FrameType::request, body, 1, 0, 1, flag_references);
  EXPECT_EQ(other.next_answer().type, static_cast<std::uint8_t>(FrameType::settle));
  Encoder again;
  again.put_string("public");
  other.send(FrameType::request, again, 1, 0, 2);
  EXPECT_EQ(other.next_answer().type, static_cast<std::uint8_t>(FrameType::reply));
}
