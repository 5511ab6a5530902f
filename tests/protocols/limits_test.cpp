/** Every limit of section 9 of the document: just below, at, and just above. */
#include <gtest/gtest.h>

#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/stack_room.hpp"
#include "greedy_clients.hpp"
#include "raw_connection.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;

namespace {

/** `action` must fail and say: what was passed, what was seen, the limit, the setting. */
void expect_exceeded(const std::string& what, std::uint64_t seen, std::uint64_t limit,
                     const std::string& setting, const std::function<void()>& action) {
  try {
    action();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    std::string text =
        what + ": " + std::to_string(seen) + " is above the limit of " + std::to_string(limit);
    if (!setting.empty()) text += " (setting: " + setting + ")";
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

Message message_of(const Encoder& encoder) {
  Message message;
  std::memcpy(message.body.extend(encoder.body_size()), encoder.body(), encoder.body_size());
  return message;
}

ArrayShape chars(std::int32_t count) {
  ArrayShape shape;
  shape.kind = Kind::char_;
  shape.order = Order::row;
  shape.dimension = 1;
  shape.upper[0] = count - 1;
  return shape;
}

ServerOptions with(const std::function<void(Limits&)>& change) {
  ServerOptions options;
  change(options.limits);
  return options;
}

}  // namespace

TEST(Limit, BodyOfAFrame) {
  constexpr std::size_t limit = least_inline_bytes;
  TestServer server(with([](Limits& limits) { limits.inline_bytes = limit; }));
  const auto peer = server.peer();
  const auto call = [&](std::size_t bytes) {
    Call noop("public", "noop");
    while (noop.encoder.body_size() < bytes) noop.encoder.put(char{0});
    noop.run(*peer);
  };
  EXPECT_NO_THROW(call(limit - 1));
  EXPECT_NO_THROW(call(limit));
  expect_exceeded("bytes of the small arguments of a call", limit + 1, limit, "SIDL_RMI_MAX_INLINE",
                  [&] { call(limit + 1); });
  EXPECT_NO_THROW(call(limit));
}

TEST(Limit, SegmentsOfAFrame) {
  constexpr std::uint64_t limit = 8 * 1024;
  TestServer server(with([](Limits& limits) { limits.message_bytes = limit; }));
  const auto peer = server.peer();
  const auto call = [&](std::size_t doubles) {
    const std::vector<double> values(doubles);
    Call noop("public", "noop");
    put_doubles(noop.encoder, values);
    noop.run(*peer);
  };
  EXPECT_NO_THROW(call(1023));
  EXPECT_NO_THROW(call(1024));
  expect_exceeded("bytes of the arrays of a call", limit + 8, limit, "SIDL_RMI_MAX_MESSAGE",
                  [&] { call(1025); });
}

TEST(Limit, MemoryOfAConnection) {
  Call sample("public", "noop");
  const std::vector<double> values(1025);
  put_doubles(sample.encoder, values);
  const std::uint64_t limit = sample.encoder.body_size() + 8 * 1024;
  TestServer server(with([&](Limits& limits) { limits.memory_bytes = limit; }));
  const auto peer = server.peer();
  const auto call = [&](std::size_t doubles) {
    const std::vector<double> some(doubles);  // the encoder borrows it until the call is made
    Call noop("public", "noop");
    put_doubles(noop.encoder, some);
    noop.run(*peer);
  };
  EXPECT_NO_THROW(call(1023));
  EXPECT_NO_THROW(call(1024));
  expect_exceeded("bytes held by the messages of a connection", limit + 8, limit, "SIDL_RMI_MEMORY",
                  [&] { call(1025); });
  EXPECT_NO_THROW(call(1024));
  // The server closes while the client still sends: the reason arrives nevertheless.
  constexpr std::size_t long_to_send = 8 << 20;
  const std::uint64_t connections = server.server.counters().accepted;
  expect_exceeded("bytes held by the messages of a connection", limit - 8 * 1024 + 8 * long_to_send,
                  limit, "SIDL_RMI_MEMORY", [&] { call(long_to_send); });
  EXPECT_EQ(server.server.counters().accepted, connections) << "it is sent once";
  EXPECT_NO_THROW(call(1024));
}

/** What comes for a socket that is closed makes the system reset the connection, words and all. */
TEST(Limit, WhyIsHeardThoughMuchIsStillSent) {
  expect_reasons_heard({});
}

/** More than may linger: others have their places meanwhile, and none stays for long. */
TEST(Limit, WhoIsRefusedAndGoesOnSendingIsLeftSoon) {
  TestServer server(with([](Limits& limits) { limits.connections = 100; }));
  std::vector<Socket> refused;
  constexpr std::string_view no_greeting = "GET / HTTP/1.1 and what else there is to be said";
  for (int i = 0; i < 90; ++i) {
    refused.push_back(connect_to(server.server.endpoint(), std::chrono::seconds(5)));
    ASSERT_GT(::send(refused.back().fd(), no_greeting.data(), no_greeting.size(), MSG_NOSIGNAL), 0);
  }
  EXPECT_TRUE(eventually([&] { return server.server.counters().refused == refused.size(); }));
  const auto peer = server.peer();
  EXPECT_NO_THROW(Call("public", "noop").run(*peer));
  EXPECT_TRUE(eventually([&] {
    return std::ranges::all_of(refused, [&](const Socket& each) {
      const ssize_t sent = ::send(each.fd(), no_greeting.data(), 1, MSG_NOSIGNAL | MSG_DONTWAIT);
      return sent < 0 && errno != EAGAIN;
    });
  }));
}

/** Nothing is counted of it, so it is not to be much. */
TEST(Limit, OfWhoIsRefusedLittleIsReceived) {
  TestServer server;
  const Socket refused = connect_to(server.server.endpoint(), milliseconds(5000));
  const std::vector<char> much(std::size_t{1} << 20, 'x');
  std::size_t sent = 0;
  for (const auto until = std::chrono::steady_clock::now() + milliseconds(500);
       std::chrono::steady_clock::now() < until;) {
    const ssize_t some =
        ::send(refused.fd(), much.data(), much.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (some < 0 && errno != EAGAIN) break;
    if (some > 0) sent += static_cast<std::size_t>(some);
  }
  EXPECT_EQ(server.server.counters().refused, 1u);
  EXPECT_LE(sent, std::size_t{48} << 20) << "with what the sockets hold";
}

TEST(Limit, ConnectionsOfAServer) {
  TestServer server(with([](Limits& limits) { limits.connections = 2; }));
  const auto first = server.peer();
  const auto second = server.peer();
  EXPECT_NO_THROW(Call("public", "noop").run(*first));
  EXPECT_NO_THROW(Call("public", "noop").run(*second));
  const auto third = server.peer();
  expect_exceeded("connections of the server", 3, 2, "SIDL_RMI_MAX_CONNECTIONS",
                  [&] { Call("public", "noop").run(*third); });
  say_goodbye(*second);
  EXPECT_TRUE(eventually([&] { return server.server.connection_count() == 1; }));
  EXPECT_NO_THROW(Call("public", "noop").run(*third));
}

/** They kept everybody out until their time was over. */
TEST(Limit, ConnectionsOfStrangersAreLeftToOthers) {
  TestServer server(with([](Limits& limits) {
    limits.connections = 40;
    limits.connect_ms = 60000;
  }));
  const auto first = server.peer();
  EXPECT_NO_THROW(Call("public", "noop").run(*first));
  std::vector<Socket> silent;
  for (int i = 0; i < 100; ++i) {
    silent.push_back(connect_to(server.server.endpoint(), milliseconds(5000)));
  }
  std::this_thread::sleep_for(milliseconds(1100));
  std::vector<std::shared_ptr<Peer>> peers;
  for (int i = 0; i < 20; ++i) {
    peers.push_back(server.peer());
    EXPECT_NO_THROW(Call("public", "noop").run(*peers.back()));
  }
  EXPECT_NO_THROW(Call("public", "noop").run(*first));
  EXPECT_TRUE(server.host.logged("has not finished the handshake, and others need its place"));
}

/** The place of one that was told to go is free, and so is soon that of one that says nothing. */
TEST(Limit, StrangersThatAlwaysComeAgainLeavePlacesToOthers) {
  TestServer server(with([](Limits& limits) { limits.connections = 40; }));
  const SilentClients flood(server.server.endpoint(), milliseconds(5));
  EXPECT_TRUE(eventually([&] { return server.server.connection_count() >= 40; }));
  for (int i = 0; i < 30; ++i) EXPECT_NO_THROW(Call("public", "noop").run(*server.peer()));
  EXPECT_TRUE(server.host.logged("has not finished the handshake, and others need its place"));
}

/** Those beyond some that were being refused were reset, with what they had sent unread. */
TEST(Limit, ThoseWhoComeWithManyOthersHearWhy) {
  TestServer server(with([](Limits& limits) { limits.connections = 2; }));
  const auto first = server.peer();
  const auto second = server.peer();
  for (const auto& each : {first, second}) {
    EXPECT_TRUE(eventually([&] {  // one that moves to shared memory has two for a moment
      try {
        Call("public", "noop").run(*each);
        return true;
      } catch (const Error&) {
        return false;
      }
    }));
  }
  Hello hello;
  const HelloBytes bytes = encode(hello);
  std::vector<Socket> halves;
  for (int i = 0; i < 100; ++i) {
    halves.push_back(connect_to(server.server.endpoint(), milliseconds(5000)));
    ::send(halves.back().fd(), bytes.data(), bytes.size() - 1, MSG_NOSIGNAL);
  }
  int told = 0;
  for (int i = 0; i < 50; ++i) {
    const auto third = server.peer();
    try {
      Call("public", "noop").run(*third);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      told += std::string(error.what()).find("connections of the server: ") != std::string::npos;
    }
  }
  EXPECT_GE(told, 40) << "but for those who had said nothing while others came";
}

/** A client that wants more connections than it can have shares those that it has. */
TEST(Limit, ConnectionsThatCannotBeHad) {
  TestServer server(with([](Limits& limits) { limits.connections = 1; }));
  const auto peer = server.peer();
  std::thread held([&] { EXPECT_NO_THROW(Call("public", "hold").run(*peer)); });
  EXPECT_TRUE(eventually([&] { return server.host.holding == 1; }));
  for (int i = 0; i < 10; ++i) EXPECT_NO_THROW(Call("public", "noop").run(*peer));
  EXPECT_TRUE(eventually([&] { return server.server.counters().refused == 1u; }));
  server.host.release_holds();
  held.join();
}

/** However many threads begin at once. */
TEST(Limit, ConnectionsOfAClient) {
  TestServer server;
  Limits two;
  two.pool_connections = 2;
  const auto peer = server.peer(two);
  std::vector<std::thread> all;
  for (int i = 0; i < 16; ++i) {
    all.emplace_back([&] { EXPECT_NO_THROW(Call("public", "sleep").with(50).run(*peer)); });
  }
  for (std::thread& each : all) each.join();
  EXPECT_EQ(server.server.counters().accepted, 2u);
}

TEST(Limit, SegmentsInNumber) {
  TestServer server;
  const auto peer = server.peer();
  const std::vector<double> values(bulk_threshold / sizeof(double), 1.5);
  for (const std::size_t count : {max_segments - 1, max_segments, max_segments + 1}) {
    Call noop("public", "noop");
    for (std::size_t i = 0; i < count; ++i) put_doubles(noop.encoder, values);
    EXPECT_EQ(noop.encoder.segments().size(), std::min(count, max_segments));
    EXPECT_NO_THROW(noop.run(*peer)) << count;
  }
  // Who announces more of them has written no such client.
  const Socket socket = connect_to(server.server.endpoint(), milliseconds(5000));
  Hello hello;
  hello.session = random_id();
  perform_handshake(socket.fd(), hello, 5000);
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::request);
  header.segments = max_segments + 1;
  header.bulk = header.segments;
  channel_over(socket.fd())->try_send(header);
  EXPECT_TRUE(eventually(
      [&] { return server.host.logged("segments of a frame: 1001 is above the limit of 1000"); }));
}

/** Beyond the limit the server reads on only when a call has ended; nothing is lost. */
TEST(Limit, CallsInWork) {
  constexpr int limit = 3;
  Limits one;
  one.pool_connections = 1;
  ServerOptions options = with([](Limits& limits) { limits.calls_in_work = limit; });
  options.threads = 16;
  options.spare_threads = 0;
  TestServer server(options);
  const auto peer = server.peer(one);
  std::vector<std::thread> held;  // a thread each: those of one thread wait for one another
  const auto hold_one_more = [&] {
    held.emplace_back([&] { EXPECT_NO_THROW(Call("public", "hold").run(*peer)); });
  };
  for (int i = 0; i < limit; ++i) hold_one_more();
  EXPECT_TRUE(eventually([&] { return server.host.holding == limit; }));
  hold_one_more();
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_EQ(server.host.holding, limit);
  EXPECT_EQ(server.server.counters().calls, static_cast<std::uint64_t>(limit));
  server.host.release_holds();
  for (std::thread& each : held) each.join();
  EXPECT_EQ(server.server.counters().calls, static_cast<std::uint64_t>(limit) + 1);
}

/** While the server waits for its client it must read on; too much of that ends the connection. */
TEST(Limit, CallsInWorkWhileTheClientIsAwaited) {
  constexpr int limit = 2, most = 8 * limit;
  Limits one;
  one.pool_connections = 1;
  ServerOptions options = with([](Limits& limits) { limits.calls_in_work = limit; });
  options.threads = 2 * most;
  options.spare_threads = 0;
  TestServer server(options);
  TestClient client(server, one);
  std::vector<std::thread> all;
  all.emplace_back(
      [&] { EXPECT_THROW(Call("public", "slowly_back").with(2000).run(*client.peer), Error); });
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 1; }));
  for (int i = 1; i < most; ++i) {
    all.emplace_back([&] { EXPECT_THROW(Call("public", "hold").run(*client.peer), Error); });
  }
  EXPECT_TRUE(eventually([&] { return server.host.holding == most - 1; }));
  EXPECT_EQ(server.server.connection_count(), 1u);
  expect_exceeded("calls in progress on a connection", most + 1, most, "",
                  [&] { Call("public", "hold").run(*client.peer); });
  for (std::thread& each : all) each.join();
}

TEST(Limit, ObjectsOfASession) {
  TestServer server(with([](Limits& limits) { limits.session_references = 3; }));
  const auto peer = server.peer();
  std::string last;
  for (int i = 0; i < 3; ++i) last = peer->create("test.Thing").id;
  expect_exceeded("objects that one session holds", 4, 3, "SIDL_RMI_MAX_REFERENCES",
                  [&] { peer->create("test.Thing"); });
  peer->release(last, 1);
  EXPECT_TRUE(eventually([&] { return server.server.ledger().reference_count() == 2; }));
  EXPECT_NO_THROW(peer->create("test.Thing"));
}

namespace {

/** A call that lends so many objects, which its method does not keep. */
void lend(RawConnection& client, int count, std::uint64_t id) {
  Encoder body;
  body.put_string("public");
  for (int i = 0; i < count; ++i) {
    body.note_reference();
    body.put(static_cast<std::uint8_t>(ObjectTag::at_sender));
    body.put_string(std::to_string(i));
    body.put_string("a.b");
  }
  body.put_references();
  client.send(FrameType::request, body, 1, 0, id, flag_references);
}

}  // namespace

/** Methods may keep what they are lent, whatever the client's own books say. */
TEST(Limit, ObjectsThatASessionLends) {
  ServerOptions options;
  options.limits.session_references = 1;  // at least 1024
  TestServer server(options);
  RawConnection client(server);
  client.name("noop");
  for (std::uint64_t id = 1; id <= 30; ++id) {  // they are given back, if not at once
    lend(client, 100, id);
    client.next_answer_to_call();
  }
  try {
    lend(client, 1025, 31);
  } catch (const Error&) {
    // The server may have closed the connection before it has read all.
  }
  EXPECT_TRUE(eventually([&] {
    return server.host.logged(
        "references to objects of one client: 1025 is above the limit of 1024 "
        "(setting: SIDL_RMI_MAX_REFERENCES)");
  }));
}

/** Whoever comes when all that sessions may keep is taken is told so. */
TEST(Limit, WhatIsKeptForAllSessionsWhenAnotherOneComes) {
  TestServer server;
  std::vector<std::unique_ptr<RawConnection>> clients;
  std::string why;
  while (why.empty() && clients.size() < 10) {
    const Id128 id = random_id();
    try {
      clients.push_back(std::make_unique<RawConnection>(server, id));
    } catch (const Error& error) {
      why = error.what();
      break;
    }
    const auto session = server.server.ledger().open(id, std::chrono::hours(1));
    for (const std::uint64_t bytes : {std::uint64_t{1} << 16, std::uint64_t{16}}) {
      try {
        for (;;) session->account->charge(bytes);
      } catch (const Error&) {
        continue;  // with smaller ones, to the last byte
      }
    }
  }
  EXPECT_NE(why.find("bytes that are kept for all sessions"), std::string::npos) << why;
  EXPECT_NE(why.find("SIDL_RMI_MAX_REFERENCES, times 1024"), std::string::npos) << why;
}

TEST(Limit, ElementsOfAnArray) {
  ValueLimits few;
  few.elements = 5;
  const char text[] = "abcdef";
  for (const std::int32_t count : {4, 5, 6}) {
    const auto pack = [&](const ValueLimits& limits) {
      Encoder encoder(limits);
      encoder.put_array(chars(count), Bulk::lent(text, static_cast<std::size_t>(count)));
      return message_of(encoder);
    };
    Message message = pack(ValueLimits());
    const auto unpack = [&] { Decoder(message, few).get_array(Kind::char_); };
    if (count <= 5) {
      EXPECT_NO_THROW(pack(few));
      EXPECT_NO_THROW(unpack());
    } else {
      expect_exceeded("elements of an array", 6, 5, "SIDL_RMI_MAX_ELEMENTS", [&] { pack(few); });
      expect_exceeded("elements of an array", 6, 5, "SIDL_RMI_MAX_ELEMENTS", unpack);
    }
  }
}

TEST(Limit, BytesOfAString) {
  ValueLimits few;
  few.string_bytes = 5;
  for (const std::size_t size : {4u, 5u, 6u}) {
    const std::string text(size, 'x');
    const auto pack = [&](const ValueLimits& limits) {
      Encoder encoder(limits);
      encoder.put_string(text);
      return message_of(encoder);
    };
    Message message = pack(ValueLimits());
    bool null = false;
    const auto unpack = [&] { EXPECT_EQ(Decoder(message, few).get_string(null), text); };
    const auto unpack_many = [&] {
      Decoder(message, few).get_strings(1, [&](std::string_view got, bool, std::size_t) {
        EXPECT_EQ(got, text);
      });
    };
    if (size <= 5) {
      EXPECT_NO_THROW(pack(few));
      EXPECT_NO_THROW(unpack());
      EXPECT_NO_THROW(unpack_many());
    } else {
      expect_exceeded("bytes of a string", 6, 5, "SIDL_RMI_MAX_STRING", [&] { pack(few); });
      expect_exceeded("bytes of a string", 6, 5, "SIDL_RMI_MAX_STRING", unpack);
      expect_exceeded("bytes of a string", 6, 5, "SIDL_RMI_MAX_STRING", unpack_many);
    }
  }
}

TEST(Limit, BytesOfAName) {
  for (const std::size_t size : {max_name - 1, max_name, max_name + 1}) {
    Encoder encoder;
    encoder.put_string(std::string(size, 'x'));
    Message message = message_of(encoder);
    if (size <= max_name) {
      EXPECT_EQ(Decoder(message).get_name().size(), size);
    } else {
      expect_exceeded("bytes of a name", size, max_name, "", [&] { Decoder(message).get_name(); });
    }
  }
}

TEST(Limit, NestingOfObjectsByValue) {
  for (const int depth : {max_nesting - 1, max_nesting, max_nesting + 1}) {
    Encoder encoder;
    std::vector<std::size_t> parts;
    for (int i = 0; i < depth; ++i) parts.push_back(encoder.begin_part());
    for (; !parts.empty(); parts.pop_back()) encoder.end_part(parts.back());
    Message message = message_of(encoder);
    Decoder decoder(message);
    const auto enter = [&] {
      for (int i = 0; i < depth; ++i) decoder.enter_part();
    };
    if (depth <= max_nesting) {
      EXPECT_NO_THROW(enter());
    } else {
      expect_exceeded("nesting of objects by value", max_nesting + 1, max_nesting, "", enter);
    }
  }
}

TEST(Limit, MethodsOfAConnection) {
  Limits one;
  one.pool_connections = 1;
  TestServer server(with([](Limits& limits) { limits.methods = 3; }));
  const auto peer = server.peer(one);
  for (const char* const name : {"noop", "first", "second"}) {
    EXPECT_NO_THROW(Call("public", name).run(*peer)) << name;
  }
  expect_exceeded("methods named on one connection", 4, 3, "",
                  [&] { Call("public", "third").run(*peer); });
  EXPECT_NO_THROW(Call("public", "noop").run(*peer));
}

// The names are kept as long as the connection, so that few long ones are as many short ones.
TEST(Limit, NamesOfTheMethodsOfAConnection) {
  Limits one;
  one.pool_connections = 1;
  TestServer server;
  const auto peer = server.peer(one);
  const auto named = [](std::uint64_t number) {
    std::string name(4096, 'x');
    return name.replace(0, 8, std::to_string(10000000 + number));
  };
  constexpr std::uint64_t most = most_name_bytes / 4096;
  for (std::uint64_t i = 0; i < most; ++i) {
    ASSERT_NO_THROW(Call("public", named(i)).run(*peer)) << i;
  }
  expect_exceeded("bytes of the names of methods on one connection", most_name_bytes + 4096,
                  most_name_bytes, "", [&] { Call("public", named(most)).run(*peer); });
}

TEST(Limit, TimeForTheHandshake) {
  Limits limits;
  limits.connect_ms = 60;
  Endpoint silent{"127.0.0.1", 0};
  const Socket listener = listen_on(silent);
  Peer peer(silent, limits);
  try {
    peer.create("test.Thing");
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("limit of 60 ms (setting: SIDL_RMI_CONNECT_MS)"),
              std::string::npos)
        << error.what();
  }
  TestServer server(with([](Limits& short_time) { short_time.connect_ms = 60; }));
  const Socket mute = connect_to(server.server.endpoint(), milliseconds(5000));
  EXPECT_TRUE(eventually([&] {
    return server.host.logged(
        "no handshake within the limit of 60 ms "
        "(setting: SIDL_RMI_CONNECT_MS)");
  }));
}

/** Each connection had a limit, and a client as many connections as it likes. */
TEST(Limit, NamesOfMethodsOfAllConnections) {
  TestServer server(with([](Limits& limits) { limits.session_references = 3; }));
  const std::uint64_t before = server.server.ledger().kept().used();
  const Id128 session = random_id();
  std::vector<std::unique_ptr<RawConnection>> all;
  const std::string name(4000, 'm');
  const auto is_refused = [&] { return server.host.logged("bytes that are kept for one session"); };
  while (all.size() < 40 && !is_refused()) {
    all.push_back(std::make_unique<RawConnection>(server, session, all.size() + 1));
    try {
      for (int i = 0; i < 500; ++i) all.back()->name(name.c_str());
      Encoder nothing;
      all.back()->send(FrameType::ping, nothing, 0, 0, 99);
      all.back()->await_first_byte();  // the pong, or the goodbye
    } catch (const Error&) {
      EXPECT_TRUE(eventually(is_refused));  // it was closed meanwhile
    }
  }
  EXPECT_TRUE(is_refused());
  EXPECT_EQ(all.size(), 33u);
  all.clear();
  EXPECT_TRUE(eventually([&] { return server.server.connection_count() == 0; }));
  // Those of one connection take two million; what the client has still to be told of the ends of
  // its connections, a few hundred bytes each, stays as long as the session.
  EXPECT_TRUE(eventually([&] { return server.server.ledger().kept().used() < before + 100000; }));
}

/** An object that was created and could not be booked stayed for ever. */
TEST(Limit, ObjectsBeyondThoseOfASessionAreNotKept) {
  TestServer server(with([](Limits& limits) { limits.session_references = 3; }));
  const auto peer = server.peer();
  for (int i = 0; i < 3; ++i) peer->create("test.Thing");
  for (int i = 0; i < 5; ++i) EXPECT_THROW(peer->create("test.Thing"), Error);
  EXPECT_TRUE(eventually([&] { return server.host.object_count() == 3; }));
}

/** On a thread with a stack of a mebibyte. */
TEST(Limit, StackOfLargeStructs) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 1 << 20), 0);
  pthread_t thread;
  const auto check = [](void*) -> void* {
    EXPECT_NO_THROW(check_stack_of_values(0));
    EXPECT_NO_THROW(check_stack_of_values(65536));
    try {
      check_stack_of_values(131072);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("a method's structs have 131072 bytes"),
                std::string::npos)
          << error.what();
    }
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, check, nullptr), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}
