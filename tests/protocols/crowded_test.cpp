/**
 * Servers whose threads are all taken: by clients that do not answer, or by long calls.
 *
 * Others go on. Until now no test had a client that took more threads than there were and kept
 * them: those that did not answer were one at a time, or went away at once.
 */
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "raw_connection.hpp"
#include "test_host.hpp"

using namespace simhandle;
using std::chrono::milliseconds;

namespace {

ServerOptions two_threads() {
  ServerOptions options;
  options.threads = 2;
  return options;
}

/** A client that is called back, several times over, and does not answer. */
class Silent : public RawConnection {
 public:
  explicit Silent(TestServer& server, int calls) : RawConnection(server) {
    name("slowly_back");
    for (int id = 1; id <= calls; ++id) {
      Encoder body;
      body.put_string("public");
      body.put(std::int32_t{0});
      send(FrameType::request, body, 1, 0, static_cast<std::uint64_t>(id));
    }
  }
};

std::size_t threads_of_process() {
  using Each = std::filesystem::directory_iterator;
  return static_cast<std::size_t>(std::distance(Each("/proc/self/task"), Each()));
}

}  // namespace

TEST(Crowded, AClientThatDoesNotAnswerHoldsUpNobodyElse) {
  TestServer server(two_threads());
  const std::size_t before = threads_of_process();
  {
    constexpr int calls = 40;
    Silent silent(server, calls);
    EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == calls; }));
    for (int i = 0; i < 4; ++i) {
      const auto peer = server.peer();
      Call noop("public", "noop");
      noop.deadline = milliseconds(10000);
      EXPECT_NO_THROW(noop.run(*peer));
    }
  }
  // The threads that took the place of others are not kept.
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
  EXPECT_TRUE(eventually([&] { return threads_of_process() <= before + 1; }));
}

TEST(Crowded, LongCallsDoNotKeepNewClientsFromBeingGreeted) {
  TestServer server(two_threads());
  const auto peer = server.peer();
  std::vector<std::thread> callers;
  for (int i = 0; i < 2; ++i) {
    callers.emplace_back([&] { Call("public", "hold").run(*peer); });
  }
  EXPECT_TRUE(eventually([&] { return server.host.holding == 2; }));
  RawConnection late(server);  // throws if it is not greeted
  late.settle();               // its ping is answered
  late.name("noop");
  Encoder body;
  body.put_string("public");
  late.send(FrameType::request, body, 1, 0, 1);
  server.host.release_holds();
  EXPECT_EQ(late.next_answer().request, 1u);
  for (std::thread& each : callers) each.join();
}

/** What a client says of a server that was stopped (SIGSTOP): it accepts, as the kernel does. */
TEST(Crowded, AServerThatDoesNotGreetIsNotTakenForAnotherProgram) {
  Endpoint endpoint{"127.0.0.1", 0};
  const Socket listener = listen_on(endpoint);
  Limits limits;
  limits.connect_ms = 100;
  try {
    Call("public", "noop").run(*std::make_shared<Peer>(endpoint, limits));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::no_server);
    const std::string text = error.what();
    EXPECT_NE(text.find("accepted the connection but has not answered the greeting"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("within the limit of 100 ms (setting: SIDL_RMI_CONNECT_MS)"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("no simhandle server"), std::string::npos) << text;
  }
}
