/** The audit log: what its lines have, what they never have, and how many there are. */
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "core/audit.hpp"
#include "core/error.hpp"
#include "temporary.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
namespace audit_test {  // all suites may be compiled as one file
namespace {

using Clock = Audit::Clock;

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::string after_time(const std::string& line) {
  return line.substr(line.find("\"event\""));
}

const AuditSubject alice{"127.0.0.1:4711", {"alice", "tls"}, "0a1b2c3d"};

struct Complaints {
  std::vector<std::string> all;
  Audit::Writer writer() {
    return [this](const std::string& line) { all.push_back(line); };
  }
};

TEST(Audit, ItsLines) {
  const TemporaryFolder folder;
  Complaints complaints;
  Audit audit(folder.file("a"), complaints.writer());
  audit.connected(alice);
  audit.refused(alice, "call", "demo.Board.reset", "role 'guests': no pattern");
  audit.disconnected(alice);
  const auto lines = lines_of(folder.file("a"));
  ASSERT_EQ(lines.size(), 3u);
  const std::string who =
      R"("peer":"127.0.0.1:4711","identity":"alice","proof":"tls","session":"0a1b2c3d")";
  EXPECT_EQ(after_time(lines[0]), R"("event":"connected",)" + who + "}");
  EXPECT_EQ(
      after_time(lines[1]),
      R"("event":"refused",)" + who +
          R"(,"action":"call","what":"demo.Board.reset","rule":"role 'guests': no pattern"})");
  EXPECT_EQ(after_time(lines[2]), R"("event":"disconnected",)" + who + "}");
  EXPECT_EQ(lines[0].find("{\"time\":\"20"), 0u);
  EXPECT_EQ(lines[0].at(lines[0].find("Z\"") - 4), '.') << "milliseconds: " << lines[0];
  EXPECT_EQ(complaints.all.size(), 0u);
}

TEST(Audit, OthersCannotReadIt) {
  const TemporaryFolder folder;
  const Audit audit(folder.file("a"), {});
  struct stat found {};
  ASSERT_EQ(::stat(folder.file("a").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777u, 0600u);
}

TEST(Audit, WhatPeersSayIsEscapedAndCut) {
  const TemporaryFolder folder;
  Audit audit(folder.file("a"), {});
  audit.refused({"x\n\"y\\\x1b[2J\xff\xe2\x80\xae", {}, {}}, "call", std::string(10000, 'n'), "r");
  const auto lines = lines_of(folder.file("a"));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find(R"("peer":"x\u000a\"y\\\u001b[2J\ufffd\u202e")"), std::string::npos)
      << lines[0];
  EXPECT_LT(lines[0].size(), 1000u);
}

TEST(Audit, RefusalsBeyondTheLimitAreCounted) {
  const TemporaryFolder folder;
  Audit audit(folder.file("a"), {});
  const auto begin = Clock::now();
  for (int i = 0; i < 100000; ++i) audit.refused(alice, "call", "x", "no pattern", begin);
  EXPECT_EQ(lines_of(folder.file("a")).size(), Audit::most_refused);
  audit.connected(alice, begin);
  EXPECT_EQ(lines_of(folder.file("a")).size(), Audit::most_refused + 1)
      << "others are not left out for them";
  audit.tick(begin + Audit::interval / 2);
  EXPECT_EQ(lines_of(folder.file("a")).size(), Audit::most_refused + 1);
  audit.tick(begin + Audit::interval);
  const auto lines = lines_of(folder.file("a"));
  ASSERT_EQ(lines.size(), Audit::most_refused + 2);
  EXPECT_EQ(after_time(lines.back()),
            R"("event":"left out","of":"refused","identity":"alice","proof":"tls","count":99900,)"
            R"("seconds":10})");
  audit.refused(alice, "call", "x", "no pattern", begin + Audit::interval);
  EXPECT_EQ(lines_of(folder.file("a")).size(), Audit::most_refused + 3);
}

/** One identity's refusals left out those of all others. */
TEST(Audit, RefusalsOfOneLeaveRoomForThoseOfOthers) {
  const TemporaryFolder folder;
  Audit audit(folder.file("a"), {});
  for (int i = 0; i < 1000; ++i) audit.refused(alice, "call", "x", "no pattern");
  AuditSubject bob = alice;
  bob.identity.name = "bob";
  audit.refused(bob, "call", "x", "no pattern");
  EXPECT_EQ(lines_of(folder.file("a")).size(), Audit::most_refused + 1);
  for (int i = 0; i < 5000; ++i) {
    bob.identity.name = std::to_string(i);
    audit.refused(bob, "call", "x", "no pattern");
  }
  EXPECT_EQ(lines_of(folder.file("a")).size(), Audit::most_refused_of_all);
}

TEST(Audit, IsOpenedAgainByItsName) {
  const TemporaryFolder folder;
  Audit audit(folder.file("a"), {});
  audit.connected(alice);
  std::filesystem::rename(folder.file("a"), folder.file("a.1"));
  audit.connected(alice);
  audit.reopen();
  audit.connected(alice);
  EXPECT_EQ(lines_of(folder.file("a.1")).size(), 2u);
  EXPECT_EQ(lines_of(folder.file("a")).size(), 1u);
}

TEST(Audit, AFullDiskIsToldOnce) {
  Complaints complaints;
  Audit audit("/dev/full", complaints.writer());
  for (int i = 0; i < 10; ++i) audit.connected(alice);
  ASSERT_EQ(complaints.all.size(), 1u);
  EXPECT_EQ(complaints.all[0],
            "the audit log '/dev/full' cannot be written: No space left on device; the server goes "
            "on without");
}

TEST(Audit, AFileThatCannotBeOpenedIsAnError) {
  try {
    const Audit audit("/nowhere/a", {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "the audit log '/nowhere/a' (--audit, SIDL_AUDIT_FILE) cannot be opened: No such file "
        "or directory");
  }
}

TEST(Audit, ItsOldFileIsKeptIfTheNewOneCannotBeOpened) {
  const TemporaryFolder folder;
  Complaints complaints;
  Audit audit(folder.file("a"), complaints.writer());
  std::filesystem::rename(folder.file("a"), folder.file("b"));
  std::filesystem::create_directory(folder.file("a"));
  audit.reopen();
  audit.connected(alice);
  EXPECT_EQ(lines_of(folder.file("b")).size(), 1u);
  ASSERT_EQ(complaints.all.size(), 1u);
  EXPECT_NE(complaints.all[0].find("the old file is written on"), std::string::npos);
}

TEST(Audit, LinesOfSeveralThreadsStayWhole) {
  const TemporaryFolder folder;
  Audit audit(folder.file("a"), {});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 500; ++k) audit.connected(alice);
    });
  }
  for (std::thread& each : threads) each.join();
  const auto lines = lines_of(folder.file("a"));
  EXPECT_EQ(lines.size(), 2000u);
  for (const std::string& each : lines) {
    ASSERT_EQ(each.front(), '{');
    ASSERT_EQ(each.back(), '}');
  }
}

TEST(Audit, WhatAQuotaRefuses) {
  const TemporaryFolder folder;
  ServerOptions options;
  options.audit_file = folder.file("a");
  options.policy = [] {
    Role role;
    role.name = "guests";
    role.who = Patterns({"anyone"});
    role.create = Patterns({"*"});
    role.quota.objects = 1;
    return std::make_shared<const Policy>(std::vector{std::make_shared<const Role>(role)});
  };
  TestServer server(options);
  const auto peer = server.peer(one_connection());
  const auto kept = peer->create("test.Thing");
  EXPECT_THROW(static_cast<void>(peer->create("test.Thing")), Error);
  const auto lines = lines_of(folder.file("a"));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NE(lines[1].find(R"("action":"hold","what":"","rule":"role 'guests': quota 'objects'")"),
            std::string::npos)
      << lines[1];
}

TEST(Audit, AServerTellsWhoComesAndGoes) {
  const TemporaryFolder folder;
  ServerOptions options;
  options.audit_file = folder.file("a");
  TestServer server(options);
  {
    const auto peer = server.peer(one_connection());
    Call("public", "noop").run(*peer);
    say_goodbye(*peer);
  }
  EXPECT_TRUE(eventually([&] { return lines_of(folder.file("a")).size() == 2; }));
  const auto lines = lines_of(folder.file("a"));
  EXPECT_NE(lines[0].find(R"("event":"connected")"), std::string::npos);
  EXPECT_NE(lines[1].find(R"("event":"disconnected")"), std::string::npos);
}

}  // namespace
}  // namespace audit_test
