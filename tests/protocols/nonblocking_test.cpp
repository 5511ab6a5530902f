/** Calls that nobody waits for: one-way, pending, cancelled, too late. */
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <thread>

#include "raw_connection.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;

namespace {

/** The failure and fate a call ended with. */
Error error_of(PendingCall& call) {
  try {
    call.answer();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error(Failure::protocol, "");
}

int result(PendingCall& call) {
  return Decoder(call.answer()).get<std::int32_t>();
}

std::vector<int> counting(int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/** A one-way call of caller strand 5; the connection has named the method first. */
void note(RawConnection& raw, int number) {
  Encoder body;
  body.put_string("public");
  body.put(std::int32_t{0});
  body.put(std::int32_t{number});
  raw.send(FrameType::oneway, body, 1, 5);
}

/** Returns when all calls of the caller strand have run that were read; the second method is
 * "hold". */
void await_strand(RawConnection& raw) {
  Encoder last;
  last.put_string("public");
  raw.send(FrameType::request, last, 2, 5, 1);
  raw.await(FrameType::reply, 1);
}

}  // namespace

TEST(Nonblocking, OneWayCallsRunInOrderWithThoseThatFollow) {
  TestServer server;
  const auto peer = server.peer();
  constexpr int count = 40;
  for (int i = 0; i + 1 < count; ++i) {
    // The slow ones are let go by their worker: another reads what follows.
    Call("public", "note").with(std::int32_t{i % 8 == 0 ? 12 : 0}).with(i).send(*peer);
  }
  Call("public", "note").with(std::int32_t{0}).with(count - 1).run(*peer);
  EXPECT_EQ(server.host.notes(), counting(count));
}

TEST(Nonblocking, OrderOutlivesAConnection) {
  TestServer server;
  const Id128 session = random_id();
  RawConnection broken(server, session, 1);
  RawConnection next(server, session, 2);
  for (RawConnection* const raw : {&broken, &next}) {
    raw->name("note");
    raw->name("hold");
  }
  Encoder hold;
  hold.put_string("public");
  broken.send(FrameType::oneway, hold, 2, 5);
  note(broken, 0);  // has been read, and waits
  broken.settle();
  Encoder numbers;
  numbers.put(std::uint64_t{1});
  next.send(FrameType::abandon, numbers);
  note(next, 1);
  next.settle();
  note(broken, 7);  // comes too late
  broken.settle();
  EXPECT_EQ(server.host.notes(), counting(0));
  server.host.release_holds();
  await_strand(next);
  EXPECT_EQ(server.host.notes(), counting(2));
}

/**
 * The server reads of the broken connection first over the next one, and so did not know it: the
 * test above had named methods there. (A proxy that cut connections young saw it, now and then.)
 */
TEST(Nonblocking, OrderOutlivesAConnectionThatHasNotBeenRead) {
  TestServer server;
  const Id128 session = random_id();
  RawConnection broken(server, session, 1);
  RawConnection next(server, session, 2);
  const auto first_note = [](RawConnection& raw, int number) {
    raw.name("note");
    note(raw, number);
    raw.settle();
  };
  Encoder numbers;
  numbers.put(std::uint64_t{1});
  next.send(FrameType::abandon, numbers);
  first_note(next, 0);
  first_note(broken, 7);  // comes too late
  next.name("hold");
  server.host.release_holds();
  await_strand(next);
  EXPECT_EQ(server.host.notes(), counting(1));
}

TEST(Nonblocking, OneWayFailsOnlyIfItCannotBeSent) {
  TestServer server;
  const auto peer = server.peer();
  Call failing("public", "fail");
  failing.encoder.put_string("nobody hears this");
  EXPECT_NO_THROW(failing.send(*peer));
  EXPECT_TRUE(eventually([&] {
    return server.host.logged("the one-way call of 'fail' by 127.0.0.1:") &&
           server.host.logged(" on an object failed: nobody hears this");
  }));
  EXPECT_NO_THROW(Call("public", "noop").run(*peer));
  server.server.stop(milliseconds(1000));
  EXPECT_TRUE(eventually([&] {
    try {
      Call("public", "noop").send(*peer);
      return false;
    } catch (const Error& error) {
      return error.fate() == Fate::not_sent;
    }
  }));
}

TEST(Nonblocking, ManyAreOutstandingOnOneConnection) {
  TestServer server;
  const auto peer = server.peer(one_connection());
  std::vector<std::unique_ptr<PendingCall>> calls;
  for (int i = 0; i < 1000; ++i) {
    calls.push_back(Call("public", "add").with(std::int32_t{i}).with(std::int32_t{1}).begin(*peer));
  }
  for (int i = 999; i >= 0; i -= 2) EXPECT_EQ(result(*calls[static_cast<std::size_t>(i)]), i + 1);
  calls.resize(500);  // the others are dropped, read or not
  EXPECT_EQ(result(*calls[498]), 499);
  // The one by which it came to shared memory may not have ended yet.
  EXPECT_TRUE(eventually([&] { return server.server.connection_count() == 1u; }));
}

TEST(Nonblocking, BigMessagesBothWaysDoNotBlockEachOther) {
  TestServer server;
  const auto peer = server.peer(one_connection());
  const std::vector<double> values(std::size_t{1} << 19, 2.5);  // 4 MiB
  std::vector<std::unique_ptr<PendingCall>> calls;
  for (int i = 0; i < 12; ++i) {
    Call call("public", "echo");
    put_doubles(call.encoder, values);
    calls.push_back(call.begin(*peer));
  }
  for (auto& call : calls) EXPECT_EQ(get_doubles(call->answer()), values);
}

TEST(Nonblocking, TestingMakesProgressWithoutWaiting) {
  TestServer server;
  const auto peer = server.peer();
  const auto call = Call("public", "hold").begin(*peer);
  EXPECT_TRUE(eventually([&] { return server.host.holding == 1; }));
  EXPECT_FALSE(call->is_over());
  server.host.release_holds();
  EXPECT_TRUE(eventually([&] { return call->is_over(); }));
  EXPECT_NO_THROW(call->answer());
  EXPECT_FALSE(call->cancel());
}

TEST(Nonblocking, ThreadsMayWaitForOneCallTogether) {
  TestServer server;
  const auto peer = server.peer();
  const auto call = Call("public", "sleep").with(std::int32_t{30}).begin(*peer);
  std::atomic<int> served{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] { served += call->answer().type() == FrameType::reply; });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(served, 4);
}

TEST(Nonblocking, CancelledWhileItWaitsItIsNotRun) {
  TestServer server;
  const auto peer = server.peer(one_connection());
  const auto first = Call("public", "hold").begin(*peer);
  const auto second = Call("public", "note").with(std::int32_t{0}).with(7).begin(*peer);
  EXPECT_TRUE(second->cancel());
  EXPECT_FALSE(second->cancel());
  EXPECT_TRUE(second->is_over());
  const Error error = error_of(*second);
  EXPECT_EQ(error.failure(), Failure::cancelled);
  EXPECT_EQ(error.fate(), Fate::may_have_executed);
  // What another thread sends is not held up, and read after the cancellation.
  std::thread([&] { EXPECT_NO_THROW(Call("public", "noop").run(*peer)); }).join();
  server.host.release_holds();
  EXPECT_NO_THROW(first->answer());
  EXPECT_NO_THROW(Call("public", "noop").run(*peer));  // in order, so that it is past the second
  EXPECT_TRUE(server.host.notes().empty());
}

TEST(Nonblocking, CancellingWakesTheThreadThatWaits) {
  TestServer server;
  const auto peer = server.peer();
  const auto call = Call("public", "hold").begin(*peer);
  std::thread waiting([&] { EXPECT_EQ(error_of(*call).failure(), Failure::cancelled); });
  EXPECT_TRUE(eventually([&] { return server.host.holding == 1; }));
  EXPECT_TRUE(call->cancel());
  waiting.join();
  server.host.release_holds();
  EXPECT_NO_THROW(Call("public", "noop").run(*peer));
}

TEST(Nonblocking, DeadlinesTravelAndEndTheCall) {
  TestServer server;
  const auto peer = server.peer();
  Message none = Call("public", "left").run(*peer);
  EXPECT_EQ(Decoder(none).get<std::int64_t>(), -1);
  Call call("public", "left");
  call.deadline = milliseconds(5000);
  Message some = call.run(*peer);
  const auto left = Decoder(some).get<std::int64_t>();
  EXPECT_TRUE(left > 0 && left <= 5000) << left;
  Call late("public", "hold");
  late.deadline = milliseconds(30);
  const auto pending = late.begin(*peer);
  const Error error = error_of(*pending);
  EXPECT_EQ(error.failure(), Failure::time_out);
  EXPECT_EQ(error.fate(), Fate::may_have_executed);
  server.host.release_holds();
}

TEST(Nonblocking, ACallWhoseDeadlinePassedInTheQueueIsNotRun) {
  TestServer server;
  const auto peer = server.peer();
  const auto first = Call("public", "hold").begin(*peer);
  Call queued("public", "note");
  queued.with(std::int32_t{0}).with(7).deadline = milliseconds(30);
  const auto second = queued.begin(*peer);
  EXPECT_EQ(error_of(*second).failure(), Failure::time_out);
  std::this_thread::sleep_for(milliseconds(10));
  server.host.release_holds();
  EXPECT_NO_THROW(first->answer());
  EXPECT_NO_THROW(Call("public", "noop").run(*peer));
  EXPECT_TRUE(server.host.notes().empty());
}

TEST(Nonblocking, ABusyServerDoesNotRunWhatIsTooLate) {
  ServerOptions options;
  options.threads = 2;
  options.spare_threads = 0;
  TestServer server(options);
  const auto peer = server.peer();
  Call("public", "noop").run(*peer);
  const auto first = Call("public", "hold").begin(*server.peer());
  const auto second = Call("public", "hold").begin(*server.peer());
  EXPECT_TRUE(eventually([&] { return server.host.holding == 2; }));
  Call late("public", "note");
  late.with(std::int32_t{0}).with(7).deadline = milliseconds(60);
  EXPECT_EQ(error_of(*late.begin(*peer)).failure(), Failure::time_out);
  // The server counts from when it has noticed the call, which its watch may do late under load.
  EXPECT_TRUE(eventually([&] { return server.server.unread_count() == 1; }));
  std::this_thread::sleep_for(late.deadline);
  // Others are greeted, but their calls end in time, too.
  Call later("public", "noop");
  later.deadline = milliseconds(60);
  const auto stranger = server.peer();
  try {
    later.run(*stranger);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::time_out) << error.what();
    EXPECT_EQ(error.fate(), Fate::may_have_executed);
  }
  server.host.release_holds();
  EXPECT_NO_THROW(Call("public", "noop").run(*peer));
  EXPECT_TRUE(server.host.notes().empty());
}

TEST(Nonblocking, ABrokenConnectionEndsAllPendingCalls) {
  auto server = std::make_unique<TestServer>();
  const auto peer = server->peer();
  std::vector<std::unique_ptr<PendingCall>> calls;
  for (int i = 0; i < 20; ++i) calls.push_back(Call("public", "hold").begin(*peer));
  EXPECT_TRUE(eventually([&] { return server->host.holding != 0; }));
  const int begun = server->host.holding;
  server->server.stop(milliseconds(0));
  int may_have_run = 0;
  for (auto& call : calls) {
    const Error error = error_of(*call);
    EXPECT_EQ(error.failure(), Failure::unexpected_close) << error.what();
    // What the server reads when it ends is refused before it is run.
    if (error.fate() != Fate::not_sent) ++may_have_run;
  }
  EXPECT_GE(may_have_run, begun);
  server->host.release_holds();
  EXPECT_TRUE(eventually([&] { return server->host.holding == 0; }));
}

TEST(Nonblocking, CallsInWorkAreLimitedUntilTheyEnd) {
  ServerOptions options;
  options.limits.calls_in_work = 4;
  TestServer server(options);
  const auto peer = server.peer(one_connection());
  std::vector<std::unique_ptr<PendingCall>> calls;
  calls.push_back(Call("public", "hold").begin(*peer));
  EXPECT_TRUE(eventually([&] { return server.host.holding == 1; }));
  for (int i = 0; i < 8; ++i) calls.push_back(Call("public", "note").with(0).with(i).begin(*peer));
  // Cancelled by the client, the first is still in work at the server.
  EXPECT_TRUE(calls[0]->cancel());
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(server.server.counters().calls, 4u);
  server.host.release_holds();
  for (std::size_t i = 1; i < calls.size(); ++i) EXPECT_NO_THROW(calls[i]->answer());
  EXPECT_EQ(server.host.notes(), counting(8));
}
