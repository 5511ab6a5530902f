/** Sessions, counts, leases. */
#include <gtest/gtest.h>

#include "core/back_channel.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;

namespace {

/** A session whose peer gives back one reference, and names connections that have to be read. */
class Releasing {
 public:
  explicit Releasing(std::size_t connections = 1) {
    for (std::size_t i = 0; i < connections; ++i) {
      streams.push_back(std::make_shared<Stream>());
      streams.back()->number = i + 1;
      session->streams->add(streams.back());
    }
  }
  void release(const std::string& object, const std::vector<Streams::Position>& after) {
    Encoder body;
    body.put_string(object);
    body.put(std::uint32_t{1});
    for (const auto& [number, position] : after) {
      body.put(number);
      body.put(position);
    }
    Message message;
    std::memcpy(message.body.extend(body.body_size()), body.body(), body.body_size());
    static_cast<void>(ledger.release(*session, message));
  }
  void read(Stream& stream) {
    if (stream.count_read()) static_cast<void>(ledger.go_on(*session, stream));
  }
  void end(Stream& stream) {
    if (stream.end()) static_cast<void>(ledger.go_on(*session, stream));
  }
  /** What the error says of the release that is one too many; that is the `most`-th. */
  std::string too_many(const std::string& object, int most) {
    for (int i = 1; i <= most; ++i) {
      try {
        release(object, {{1, std::uint64_t{1} << 62}});
      } catch (const Error& error) {
        return std::to_string(i) + ". " + error.what();
      }
    }
    return "no error";
  }

  TestHost host;
  Ledger ledger{host, 10};
  std::shared_ptr<Session> session = ledger.open(random_id(), milliseconds(1000));
  std::vector<std::shared_ptr<Stream>> streams;
};

}  // namespace

TEST(Ledger, CountsAndForgets) {
  TestHost host;
  Encoder body;
  Answer answer{body};
  const std::string object = host.create("test.Thing", answer).id;
  Ledger ledger(host, 10);
  const auto session = ledger.open(random_id(), milliseconds(1000));
  ledger.book(*session, object, 2);
  ledger.release(*session, object, 1);
  EXPECT_EQ(host.object_count(), 1u);
  ledger.release(*session, object, 5);  // more than it has
  EXPECT_EQ(host.object_count(), 0u);
  ledger.release(*session, object, 1);
  EXPECT_EQ(ledger.reference_count(), 0u);
}

TEST(Ledger, TwoSessionsShareAnObject) {
  TestHost host;
  Encoder body;
  Answer answer{body};
  const std::string object = host.create("test.Thing", answer).id;
  Ledger ledger(host, 10);
  const auto first = ledger.open(random_id(), milliseconds(1000));
  const auto second = ledger.open(random_id(), milliseconds(1000));
  ledger.book(*first, object, 1);
  ledger.book(*second, object, 1);
  ledger.say_goodbye(*first);
  static_cast<void>(ledger.close(first));
  EXPECT_EQ(host.object_count(), 1u);
  ledger.say_goodbye(*second);
  EXPECT_EQ(host.object_count(), 1u);  // what its connection brought may still be read
  static_cast<void>(ledger.close(second));
  EXPECT_EQ(host.object_count(), 0u);
}

TEST(Ledger, LeaseRunsFromTheLastConnection) {
  TestHost host;
  Encoder body;
  Answer answer{body};
  const std::string object = host.create("test.Thing", answer).id;
  Ledger ledger(host, 10);
  PeerLog log([&](const std::string& line) { host.log(line); });
  const Id128 id = random_id();
  auto session = ledger.open(id, milliseconds(1000));
  EXPECT_EQ(ledger.open(id, milliseconds(1000)), session);
  ledger.book(*session, object, 1);
  const auto later = Ledger::Clock::now() + milliseconds(5000);
  static_cast<void>(ledger.close(session));
  static_cast<void>(ledger.expire(later, log));
  EXPECT_EQ(host.object_count(), 1u);  // one connection is left
  static_cast<void>(ledger.close(session));
  static_cast<void>(ledger.expire(Ledger::Clock::now(), log));
  EXPECT_EQ(host.object_count(), 1u);
  EXPECT_EQ(ledger.open(id, milliseconds(1000)), session);  // came back in time
  static_cast<void>(ledger.expire(later, log));
  EXPECT_EQ(host.object_count(), 1u);
  static_cast<void>(ledger.close(session));
  static_cast<void>(ledger.expire(later, log));
  EXPECT_EQ(host.object_count(), 0u);
  EXPECT_EQ(ledger.session_count(), 1u);
  // A call that was still running hands something out, which nobody will ever ask for.
  ledger.book(*session, host.create("test.Thing", answer).id, 1);
  session.reset();
  static_cast<void>(ledger.expire(later, log));
  EXPECT_EQ(host.object_count(), 0u);
  EXPECT_EQ(ledger.session_count(), 0u);
  EXPECT_TRUE(host.logged("its lease of 1000 ms has expired, references to 1 objects dropped"));
}

TEST(Ledger, ObjectsOfASessionAreLimited) {
  TestHost host;
  Ledger ledger(host, 2);
  const auto session = ledger.open(random_id(), milliseconds(1000));
  ledger.book(*session, "a", 1);
  ledger.book(*session, "b", 1);
  ledger.book(*session, "b", 1);
  EXPECT_THROW(ledger.book(*session, "c", 1), Error);
}

TEST(Ledger, AFrameThatIsReadCostsOnlyWhatItLetsGo) {
  // If each looked at all that waits, this would take many minutes.
  constexpr std::uint64_t count = 60000;
  Releasing one;
  one.ledger.book(*one.session, "a", count);
  for (std::uint64_t i = count; i > 0; --i) one.release("a", {{1, i}});
  for (std::uint64_t left = count; left > 0; --left) {
    ASSERT_EQ(one.ledger.reference_count(), left);
    one.read(*one.streams[0]);
  }
  EXPECT_EQ(one.ledger.reference_count(), 0u);
}

TEST(Ledger, AReleaseWaitsForAllThatItNames) {
  Releasing one(3);
  one.ledger.book(*one.session, "a", 2);
  // The same one twice: the greater position. One that is not known: it has ended.
  one.release("a", {{2, 1}, {1, 2}, {1, 1}, {9, 5}, {3, ~std::uint64_t{0}}});
  one.read(*one.streams[0]);
  one.read(*one.streams[0]);
  one.end(*one.streams[2]);
  EXPECT_EQ(one.ledger.reference_count(), 2u);
  one.read(*one.streams[1]);
  EXPECT_EQ(one.ledger.reference_count(), 1u);
  one.release("a", {{2, 1}, {1, 2}});
  EXPECT_EQ(one.ledger.reference_count(), 0u);
}

TEST(Ledger, WaitingReleasesAreLimited) {
  Releasing one(2);
  one.ledger.book(*one.session, "a", 1);
  const std::string text = one.too_many("a", 70000);
  EXPECT_EQ(text,
            "65537. releases of a session that wait for its other connections: 65537 is above the "
            "limit of 65536 (setting: SIDL_RMI_MAX_REFERENCES)");
  one.release("a", {{2, 0}});  // need not wait
  EXPECT_EQ(one.ledger.reference_count(), 0u);
  one.end(*one.streams[0]);
  EXPECT_NO_THROW(one.release("a", {{2, 5}}));
}

TEST(Ledger, BytesOfWaitingReleasesAreLimited) {
  Releasing one;
  const std::string text = one.too_many(std::string(4072, 'a'), 70000);
  EXPECT_EQ(text,
            "2049. bytes of releases of a session that wait for its other connections: 8392704 is "
            "above the limit of 8388608 (setting: SIDL_RMI_MAX_REFERENCES, times 128)");
}

TEST(Ledger, WhatWaitsIsDiscarded) {
  Releasing one;
  one.ledger.book(*one.session, "a", 1);
  one.release("a", {{1, 5}});
  const auto discarded = one.ledger.discard_waiting();
  one.end(*one.streams[0]);
  EXPECT_EQ(one.ledger.reference_count(), 1u);
  static_cast<void>(one.ledger.drop_all());
  EXPECT_EQ(one.ledger.reference_count(), 0u);
}

namespace {

/** Sends `count` messages, each with so many references. */
void lend(Stream& stream, int count, std::size_t references, bool is_confirmed) {
  for (int i = 0; i < count; ++i) {
    Entry entry;
    entry.lent.assign(references, "a");
    ASSERT_TRUE(stream.note(stream.count_sent(), entry));
    if (stream.wants_confirmation() && is_confirmed) stream.confirm(stream.sent());
  }
}

}  // namespace

TEST(Unconfirmed, APeerThatNeverConfirmsIsLimited) {
  Stream stream;
  lend(stream, 1000129, 1, false);
  Entry entry;
  entry.lent.emplace_back("a");
  try {
    stream.note(stream.count_sent(), entry);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "references of a connection that its peer does not confirm: 1000001 is above the "
                 "limit of 1000000");
  }
  EXPECT_EQ(entry.lent.size(), 1u);  // it may be taken back
}

TEST(Unconfirmed, OneThatConfirmsWhenAskedIsNot) {
  Stream stream;
  lend(stream, 1100000, 1, true);
  lend(stream, 60, 20000, true);
}

TEST(Unconfirmed, AMessageMayHoldAny) {
  Stream stream;
  lend(stream, 1, 1100000, false);
  lend(stream, 128, 10, false);
  stream.confirm(stream.sent());
  lend(stream, 1000, 10, false);
}

/** Each connection had a limit, and a client as many connections as it likes. */
TEST(Unconfirmed, ASessionPaysForItUntilItIsSettled) {
  TestHost host;
  Ledger ledger(host, 1000);
  const auto session = ledger.open(random_id(), milliseconds(1000));
  const std::uint64_t before = session->account->used();
  std::vector<std::unique_ptr<Stream>> streams;
  const auto lend_all = [&](int count) {
    for (int i = 0; i < 4; ++i) {
      streams.push_back(std::make_unique<Stream>());
      streams.back()->account = session->account;
      lend(*streams.back(), count, 1, false);
    }
  };
  lend_all(50000);
  EXPECT_GT(session->account->used(), before + 4 * 50000 * 64);
  EXPECT_THROW(lend_all(50000), Error);
  streams[0]->confirm(streams[0]->sent());
  static_cast<void>(streams[1]->settle(0));
  static_cast<void>(streams[2]->settle(25000));
  EXPECT_NO_THROW(lend(*streams[0], 50000, 1, false));
  static_cast<void>(streams[0]->withdraw());
  streams.clear();
  EXPECT_EQ(session->account->used(), before);
}

/** They were charged alike, whatever the names that a client gives to its objects. */
TEST(Unconfirmed, ReleasesArePaidForWithTheirNames) {
  TestHost host;
  Ledger ledger(host, 1000);
  const auto session = ledger.open(random_id(), milliseconds(1000));
  const std::uint64_t before = session->account->used();
  const auto back = std::make_shared<BackChannel>(ledger, session, "a client", 1000);
  const std::string name(4000, 'n');
  back->hold(name);
  const std::uint64_t held = session->account->used();
  back->release(name, 1);  // there is no connection
  const std::uint64_t waiting = session->account->used();
  EXPECT_GT(waiting, before + name.size());
  EXPECT_LT(waiting, held) << "it takes no more than the reference did, so it cannot fail";
  int count = 1;
  try {
    for (; count < 100000; ++count) {
      back->hold(name);
      back->release(name, 1);
    }
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("bytes that are kept for one session"));
  }
  EXPECT_LT(count, 17000);
  EXPECT_THROW(back->hold(name), Error);
}

/** From when it is sent until it has arrived, over whichever connections. */
TEST(Unconfirmed, ALostReleaseIsPaidForUntilItHasArrived) {
  TestHost host;
  Ledger ledger(host, 1000);
  const auto session = ledger.open(random_id(), milliseconds(1000));
  const std::uint64_t before = session->account->used();
  Stream first, second;
  first.account = second.account = session->account;
  const auto note = [](Stream& stream, Notice notice) {
    Entry entry;
    entry.given_back.push_back({notice.object, 1, std::move(notice.paid)});
    EXPECT_TRUE(stream.note(stream.count_sent(), entry));
    EXPECT_TRUE(stream.commit(entry));
  };
  for (int i = 0; i < 10; ++i) {
    note(first, Notice::release("gone", 1, Charge::take(session->account, 500)));
  }
  EXPECT_EQ(session->account->used(), before + 5000);
  first.confirm(3);
  EXPECT_EQ(session->account->used(), before + 3500);
  Entry lost = first.settle(6);
  EXPECT_EQ(session->account->used(), before + 2000);
  for (Notice& each : Notice::again(lost)) note(second, std::move(each));
  lost = {};
  EXPECT_EQ(session->account->used(), before + 2000);
  second.confirm(4);
  EXPECT_EQ(session->account->used(), before);
}

/** Where nobody pays for them. */
TEST(Unconfirmed, NamesInReleasesAreLimited) {
  Stream stream;
  int count = 0;
  try {
    for (; count < 100000; ++count) {
      Entry entry;
      entry.given_back.push_back({std::string(4096, 'n'), 1});
      ASSERT_TRUE(stream.note(stream.count_sent(), entry));
      if (count == 10000) stream.confirm(stream.sent());
    }
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "bytes of names in releases of a connection that its peer does not confirm: "
                 "67112960 is above the limit of 67108864");
  }
  EXPECT_EQ(count, 10001 + 16384);
  Stream others;
  for (int i = 0; i < 1000000; ++i) {
    Entry entry;
    entry.given_back.push_back({"0123456789abcdef0123456789abcdef", 1});
    ASSERT_TRUE(others.note(others.count_sent(), entry));
  }
}

namespace {

/** Books references to objects of such names until that is too much; what the error says. */
std::string too_many_names(Ledger& ledger, Session& session, std::size_t length, int& booked) {
  for (booked = 0; booked < 1000000; ++booked) {
    std::string name = std::to_string(booked);
    name.resize(length, '-');
    try {
      ledger.book(session, name, 1);
    } catch (const Error& error) {
      return error.what();
    }
  }
  return "no error";
}

}  // namespace

/** One identity's made 150 MB in twelve seconds, each for its lease. */
TEST(Ledger, SessionsOfOneIdentityThatHoldNothingAreFew) {
  TestHost host;
  Ledger ledger(host, 1000000);
  PeerLog log{[](const std::string&) {}};
  const auto party = std::make_shared<Party>(Identity{"alice", "tls"});
  for (int i = 0; i < 40000; ++i) {
    const auto session = ledger.open(random_id(), std::chrono::hours(1), nullptr, party);
    static_cast<void>(ledger.close(session));
    if (i % 1000 == 0) static_cast<void>(ledger.expire(std::chrono::steady_clock::now(), log));
  }
  EXPECT_LT(ledger.session_count(), 12000u);
}

/** Logs are read by others, and whoever knows the id may join the session. */
TEST(Ledger, ASessionsNameInLogsSaysNothingOfItsId) {
  TestHost host;
  Ledger ledger(host, 1000);
  const Id128 id = random_id();
  const auto session = ledger.open(id, milliseconds(1000));
  EXPECT_EQ(session->short_name().size(), 8u);
  EXPECT_EQ(digits_of(id).find(session->short_name()), std::string::npos);
  EXPECT_EQ(ledger.open(id, milliseconds(1000))->short_name(), session->short_name());
}

/** The number of objects was limited, but not how long their names are. */
TEST(Ledger, WhatIsKeptForASessionIsLimited) {
  TestHost host;
  Ledger ledger(host, 100000);
  const auto session = ledger.open(random_id(), milliseconds(1000));
  int booked = 0;
  const std::string text = too_many_names(ledger, *session, 4096, booked);
  EXPECT_NE(text.find("bytes that are kept for one session: "), std::string::npos) << text;
  EXPECT_NE(text.find("above the limit of 67108864 (setting: SIDL_RMI_MAX_REFERENCES, times 256)"),
            std::string::npos)
      << text;
  EXPECT_LT(booked * 2 * 4096, 64 << 20);
  static_cast<void>(ledger.drop_all());
  EXPECT_NO_THROW(ledger.book(*session, "a", 1));
  ledger.release(*session, "a", 1);
  EXPECT_LT(ledger.kept().used(), 4096u);
}

/** Sessions cost a peer nothing, so that a limit for each is none. */
TEST(Ledger, WhatIsKeptForAllSessionsIsLimited) {
  TestHost host;
  Ledger ledger(host, 100000);
  std::vector<std::shared_ptr<Session>> sessions;
  std::string text;
  for (int i = 0; i < 6; ++i) {
    try {
      sessions.push_back(ledger.open(random_id(), milliseconds(100000)));
    } catch (const Error& error) {
      text = error.what();
      break;
    }
    int booked = 0;
    text = too_many_names(ledger, *sessions.back(), 4096, booked);
  }
  EXPECT_NE(text.find("bytes that are kept for all sessions: "), std::string::npos) << text;
  EXPECT_NE(text.find("above the limit of 268435456 (setting: SIDL_RMI_MAX_REFERENCES, times "
                      "1024)"),
            std::string::npos)
      << text;
  EXPECT_LE(ledger.kept().used(), ledger.kept().limit());
  // What one gives back is there for others.
  static_cast<void>(ledger.give_up(*sessions.front()));
  EXPECT_NO_THROW(ledger.book(*sessions.back(), "a", 1));
}

/** Clients that come, say nothing and go: their sessions would stay for the lease. */
TEST(Ledger, SessionsWithoutReferencesMakeRoom) {
  TestHost host;
  Ledger ledger(host, 100000);
  PeerLog log([&](const std::string& line) { host.log(line); });
  for (int i = 0; i < 300000; ++i) {
    if (!ledger.why_full().empty()) break;
    const auto session = ledger.open(random_id(), milliseconds(3600000));
    static_cast<void>(ledger.close(session));
    if (i % 1000 == 0) static_cast<void>(ledger.expire(Ledger::Clock::now(), log));
  }
  EXPECT_EQ(ledger.why_full(), "");
  EXPECT_LT(ledger.session_count(), 70000u);
}
