/** What a policy allows: its patterns, its roles, its file, and that a server keeps to it. */
#include <gtest/gtest.h>
#include <unistd.h>

#include <random>
#include <regex>
#include <utility>

#include "core/policy.hpp"
#include "core/policy_reader.hpp"
#include "temporary.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
namespace policy_test {  // all suites may be compiled as one file
namespace {

using Texts = std::vector<std::string>;

// ---- patterns
// ------------------------------------------------------------------------------------------

/** The same by what everybody knows. */
std::regex regex_of(const std::string& pattern) {
  std::string text;
  for (const char c : pattern) {
    if (c == '*') {
      text += ".*";
    } else {
      text += std::string(1, '[') + c + "]";
    }
  }
  return std::regex(text);
}

std::string random_text(std::mt19937& random, const std::string& letters, std::size_t most) {
  std::string text(random() % (most + 1), ' ');
  for (char& each : text) each = letters[random() % letters.size()];
  return text;
}

TEST(Policy, PatternsFitAsRegularExpressionsDo) {
  std::mt19937 random(20261126);
  int fitting = 0;
  for (int i = 0; i < 1500; ++i) {
    const std::string pattern = random_text(random, "ab.*", 8);
    const std::string name = random_text(random, "ab.", 10);
    if (pattern.empty()) continue;
    const bool expected = std::regex_match(name, regex_of(pattern));
    const auto found = Patterns({pattern}).decide(name);
    ASSERT_EQ(found.is_allowed, expected) << "'" << pattern << "' and '" << name << "'";
    ASSERT_EQ(found.pattern, expected ? pattern : "");
    fitting += expected ? 1 : 0;
  }
  EXPECT_GT(fitting, 80);
}

TEST(Policy, ExceptionsWinWhereverTheyStand) {
  std::mt19937 random(7);
  for (int i = 0; i < 400; ++i) {
    Texts all;
    bool is_allowed = false;
    bool is_excepted = false;
    const std::string name = random_text(random, "ab", 4);
    for (int k = 0; k < 4; ++k) {
      const std::string pattern = random_text(random, "ab*", 3) + "a";
      const bool is_exception = random() % 3 == 0;
      const bool fits = std::regex_match(name, regex_of(pattern));
      (is_exception ? is_excepted : is_allowed) |= fits;
      all.push_back((is_exception ? "!" : "") + pattern);
    }
    ASSERT_EQ(Patterns(all).decide(name).is_allowed, is_allowed && !is_excepted);
  }
}

TEST(Policy, AStarCostsNoExponentialTime) {
  std::string pattern;
  for (int i = 0; i < 1000; ++i) pattern += "a*";
  EXPECT_FALSE(Patterns({pattern + "b"}).decide(std::string(5000, 'a')).is_allowed);
}

TEST(Policy, OneOfSeveralNamesMustFitAndNoneBeExcepted) {
  const Patterns patterns({"demo.Board.*", "!demo.Base.reset"});
  EXPECT_TRUE(patterns.decide(Texts{"demo.My.set", "demo.Board.set"}).is_allowed);
  EXPECT_FALSE(patterns.decide(Texts{"demo.Board.reset", "demo.Base.reset"}).is_allowed);
  EXPECT_EQ(patterns.decide(Texts{"demo.Board.reset", "demo.Base.reset"}).pattern,
            "!demo.Base.reset");
  EXPECT_FALSE(patterns.decide(Texts{"demo.My.set"}).is_allowed);
}

// ---- roles
// ---------------------------------------------------------------------------------------------

std::shared_ptr<const Role> role_for(const std::string& name, const Texts& who) {
  Role role;
  role.name = name;
  role.who = Patterns(who);
  return std::make_shared<const Role>(std::move(role));
}

std::string role_of(const Policy& policy, const std::string& proof, const std::string& name) {
  const auto role = policy.role_of({.name = name, .proof = proof});
  return role == nullptr ? "none" : role->name;
}

TEST(Policy, TheFirstRoleThatFitsCounts) {
  const Policy policy({role_for("a", {"tls:alice", "uid:1000"}), role_for("b", {"tls:*"}),
                       role_for("c", {"anyone", "!tls:mallory", "!munge:*"})});
  EXPECT_EQ(role_of(policy, "tls", "alice"), "a");
  EXPECT_EQ(role_of(policy, "uid", "1000"), "a");
  EXPECT_EQ(role_of(policy, "uid", "10001"), "c");
  EXPECT_EQ(role_of(policy, "tls", "bob"), "b");
  EXPECT_EQ(role_of(policy, "secret", "alice"), "c");
  EXPECT_EQ(role_of(policy, "munge", "alice"), "none");
  EXPECT_EQ(role_of(policy, "", ""), "c");
}

TEST(Policy, AnExceptionWinsOverAnyone) {
  const Policy policy({role_for("all", {"anyone", "!tls:mallory"})});
  EXPECT_EQ(role_of(policy, "tls", "mallory"), "none");
  EXPECT_EQ(role_of(policy, "tls", "alice"), "all");
  EXPECT_EQ(role_of(policy, "", ""), "all");
}

TEST(Policy, WhoHasProvedNothingIsNoStar) {
  const Policy policy({role_for("proved", {"*:*"})});
  EXPECT_EQ(role_of(policy, "", ""), "none");
  EXPECT_EQ(role_of(policy, "uid", "0"), "proved");
}

// ---- servers
// -------------------------------------------------------------------------------------------

/** A server without SIDL whose policy can be changed. */
struct RuledServer {
  explicit RuledServer(Role role) { set(std::move(role)); }

  void set(Role role) {
    role.name = "tests";
    role.who = Patterns({"anyone"});
    current =
        std::make_shared<const Policy>(std::vector{std::make_shared<const Role>(std::move(role))});
    ::sidl_trust_reload();
  }
  ServerOptions options() {
    ServerOptions made;
    made.policy = [this] {
      if (!wrong.empty()) throw Error(Failure::protocol, wrong);
      return current;
    };
    return made;
  }

  std::shared_ptr<const Policy> current;
  std::string wrong{};  ///< with the file
  TestServer it{options()};
};

Role allowing(const Texts& create, const Texts& attach, const Texts& call) {
  Role role;
  role.create = Patterns(create);
  role.attach = Patterns(attach);
  role.call = Patterns(call);
  return role;
}

template <class Action>
std::string refusal(Action action) {
  try {
    action();
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::not_allowed) << error.what();
    EXPECT_EQ(error.fate(), Fate::not_sent);
    return error.what();
  }
}

TEST(Policy, ObjectsOfClassesThatARoleHas) {
  RuledServer server(allowing({"test.*", "!test.Other"}, {}, {"*"}));
  const auto peer = server.it.peer();
  EXPECT_EQ(refusal([&] { peer->create("test.Thing"); }), "");
  EXPECT_NE(refusal([&] { peer->create("test.Other"); })
                .find("may not create objects of 'test.Other': role 'tests' of the server's policy "
                      "has the exception '!test.Other'"),
            std::string::npos);
  EXPECT_NE(
      refusal([&] { peer->create("demo.Thing"); }).find("no pattern of 'create' in role 'tests'"),
      std::string::npos);
}

TEST(Policy, APublishedNameIsNotCalledWithoutAttaching) {
  RuledServer server(allowing({}, {"open"}, {"*"}));
  const auto peer = server.it.peer();
  const auto call = [&](const char* object) {
    return refusal([&] { Call(object, "noop").run(*peer); });
  };
  EXPECT_NE(call("public").find("may not attach to 'public'"), std::string::npos);
  EXPECT_NE(call("nothing").find("may not attach to 'nothing'"), std::string::npos)
      << "whether there is such an object is not said";
}

TEST(Policy, IsInForceAtOnce) {
  RuledServer server(allowing({}, {"public"}, {"*"}));
  const auto peer = server.it.peer(one_connection());
  const auto call = [&] { return refusal([&] { Call("public", "noop").run(*peer); }); };
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(call(), "");
    server.set(allowing({}, {"public"}, {"*", "!*.noop"}));
    EXPECT_NE(call().find("may not call"), std::string::npos);
    server.set(allowing({}, {"public"}, {"*"}));
  }
}

TEST(Policy, AFileThatIsNoGoodLeavesThePolicyBefore) {
  RuledServer server(allowing({}, {"public"}, {"*"}));
  const auto peer = server.it.peer();
  const auto call = [&] { return refusal([&] { Call("public", "noop").run(*peer); }); };
  EXPECT_EQ(call(), "");
  server.wrong = "board.toml:3: no";
  server.set(allowing({}, {}, {}));
  EXPECT_EQ(call(), "");
  server.wrong = "";
  server.current = nullptr;
  ::sidl_trust_reload();
  EXPECT_EQ(call(), "");
  EXPECT_NE(refusal([&] { peer->create("test.Thing"); }), "");
}

#if SHINAR_HAS_POLICY
// ---- files
// ---------------------------------------------------------------------------------------------

struct PolicyText : TemporaryFile {
  using TemporaryFile::TemporaryFile;
  /** What is wrong with it, without the path; empty: nothing. */
  std::string wrong() const {
    try {
      read_policy(path());
      return "";
    } catch (const Error& error) {
      const std::string text = error.what();
      const std::size_t at = text.find(path());
      EXPECT_NE(at, std::string::npos) << text;
      return text.substr(at + path().size());
    }
  }
};

TEST(PolicyFile, WhatItSays) {
  const PolicyText file(R"(
[[role]]
name = "operators"
who = ["tls:alice@lab.example", "!munge:mallory"]
create = ["demo.*"]
attach = ["board"]
call = ["demo.Board.*", "!demo.Board.reset"]
refer = ["simhandle+tls://*.lab.example:*"]
[role.quota]
connections = 4
objects = 1000
calls-in-work = 8
calls-per-second = 0.5
bytes-per-second = "10M"
weight = 2
[[role]]
name = "others"
who = ["anyone"]
)");
  const auto policy = read_policy(file.path());
  ASSERT_EQ(policy->roles().size(), 2u);
  const Role& role = *policy->roles().front();
  EXPECT_EQ(role.name, "operators");
  EXPECT_EQ(role.call.texts(), (Texts{"demo.Board.*", "!demo.Board.reset"}));
  EXPECT_EQ(role.refer.texts(), (Texts{"simhandle+tls://*.lab.example:*"}));
  EXPECT_EQ(role.quota.connections, 4u);
  EXPECT_EQ(role.quota.objects, 1000u);
  EXPECT_EQ(role.quota.calls_in_work, 8u);
  EXPECT_EQ(role.quota.calls_per_second, 0.5);
  EXPECT_EQ(role.quota.bytes_per_second, 10.0 * 1024 * 1024);
  EXPECT_EQ(role.quota.weight, 2u);
  EXPECT_EQ(policy->roles().back()->quota.connections, 0u);
  EXPECT_EQ(policy->roles().back()->quota.weight, 1u);
}

const std::string begin = "[[role]]\nname = \"a\"\nwho = [\"anyone\"]\n";

std::string repeated(int count, const std::string& text) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

/** A key of so many parts. */
std::string parts(int count) {
  return repeated(count - 1, "a.") + "a";
}

TEST(PolicyFile, WhatIsWrongIsSaidWithItsLine) {
  const std::string deep = ":2: this is no TOML: tables and lists are nested more than 256 deep";
  const std::pair<std::string, std::string> table[] = {
      {"", ": there is no role, so that nobody could do anything: add [[role]] with name and who"},
      {"[[role]\n", ":1: this is no TOML"},
      {"\n[" + parts(500000) + "]\n", deep},
      {"\n[[" + parts(500000) + "]]\n", deep},
      {"\n" + parts(500000) + " = 1\n", deep},
      {"\n" + repeated(15, parts(20) + " = { ") + "a = 1" + repeated(15, " }"), deep},
      {"role = \"\"\"a\\\"\"\"\"\"\n[" + parts(300) + "]\n", deep},
      {"#'\n[" + parts(300) + "]\n", deep},
      {"who = ['" + parts(300) + "', \"" + parts(300) + "\"]\n", ":1: unknown key 'who'"},
      {"who = '''\n" + parts(300) + "''' # " + parts(300), ":1: unknown key 'who'"},
      {"[[group]]\nname = \"a\"\n", ":1: unknown key 'group' in the policy: the keys are role"},
      {"[[roles]]\n", ":1: unknown key 'roles' in the policy (did you mean 'role'?)"},
      {"role = 3\n", ":1: 'role' must be a list of tables: [[role]]"},
      {"role = [3]\n", ":1: each 'role' must be a table: [[role]]"},
      {"role = []\n", ":1: there is no role"},
      {begin + "atach = [\"x\"]\n", ":4: unknown key 'atach' in a role (did you mean 'attach'?)"},
      {begin + "attach = \"x\"\n", ":4: 'attach' must be a list of texts"},
      {begin + "attach = [\"x\",\n 3]\n", ":5: each entry of 'attach' must be a text"},
      {begin + "attach = [\"\"]\n", ":4: each entry of 'attach' must be a text"},
      {begin + "attach = [\"a\\u001bb\"]\n", ":4: each entry of 'attach' has characters"},
      {begin + "attach = [\"!\"]\n", ":4: nothing follows the '!'"},
      {begin + "call = [\"!x\"]\n", ":4: 'call' has exceptions alone"},
      {"[[role]]\nname = \"a\"\n", ":1: role 'a' does not say whom it is for"},
      {"[[role]]\nname = \"a\"\nwho = []\n", ":3: 'who' of role 'a' is empty"},
      {"[[role]]\nname = \"a\"\nwho = [\"alice\"]\n", ":3: 'alice' in 'who' does not say how"},
      {"[[role]]\nname = \"a\"\nwho = [\"*\"]\n", ":3: '*' in 'who' does not say how"},
      {"[[role]]\nname = \"a\"\nwho = [\"tls:\"]\n", ":3: 'tls:' in 'who' names nobody"},
      {"[[role]]\nname = \"a\"\nwho = [\"tls:a\", \"!anyone\"]\n", ":3: '!anyone' in 'who'"},
      {"[[role]]\nname = \"a\"\nwho = [\"tls:a\", \"!tls:*\"]\n", ":3: nobody ever has role 'a'"},
      {"[[role]]\nname = \"a\"\nwho = [\"!tls:a\"]\n",
       ":3: 'who' has exceptions alone, to which there is no rule: it allows nothing. "
       "Add a pattern, such as \"tls:*\""},
      {"[[role]]\nname = \"a\"\nwho = [\"uid:abc\"]\n", ":3: 'uid:abc' in 'who' names nobody"},
      {"[[role]]\nwho = [\"anyone\"]\n", ":1: a role without a name"},
      {"[[role]]\nname = 3\nwho = [\"anyone\"]\n", ":2: 'name' must be a text"},
      {"[[role]]\nname = \"a\"\nwho = [\"tls:x\"]\n" + begin, ":4: there are two roles 'a'"},
      {begin + "[[role]]\nname = \"b\"\nwho = [\"tls:x\"]\n",
       ":4: nobody ever has role 'b', as role 'a' before it is for anyone"},
      {begin + "quota = 3\n", ":4: 'quota' must be a table"},
      {begin + "[role.quota]\nconections = 3\n",
       ":5: unknown key 'conections' in the quota of role "
       "'a' (did you mean 'connections'?)"},
      {begin + "[role.quota]\nconnections = 0\n", ":5: 'connections' must be a number above 0"},
      {begin + "[role.quota]\nconnections = -1\n", ":5: 'connections' must be a number above 0"},
      {begin + "[role.quota]\nconnections = 1.5\n", ":5: 'connections' must be a number above 0"},
      {begin + "[role.quota]\ncalls-per-second = nan\n", ":5: 'calls-per-second' must be"},
      {begin + "[role.quota]\ncalls-per-second = inf\n", ":5: 'calls-per-second' is more"},
      {begin + "[role.quota]\nbytes-per-second = \"10X\"\n", ":5: 'bytes-per-second' must be"},
      {begin + "[role.quota]\nbytes-per-second = \"M\"\n", ":5: 'bytes-per-second' must be"},
      {begin + "[role.quota]\nbytes-per-second = \"\"\n", ":5: 'bytes-per-second' must be"},
      {begin + "[role.quota]\nbytes-per-second = \"10MB\"\n", ":5: 'bytes-per-second' must be"},
      {begin + "[role.quota]\nweight = 0\n", ":5: 'weight' must be a number from 1 to 1000"},
      {begin + "[role.quota]\nweight = \"2\"\n", ":5: 'weight' must be a number from 1 to 1000"},
  };
  for (const auto& [text, expected] : table) {
    const std::string said = PolicyText(text).wrong();
    EXPECT_TRUE(said.starts_with(expected)) << text << "\n" << said << "\nnot " << expected;
  }
  EXPECT_EQ(PolicyText(begin).wrong(), "");
}

TEST(PolicyFile, OthersMustNotChangeIt) {
  EXPECT_EQ(PolicyText(begin, 0644).wrong(), "");
  for (const mode_t mode : {0620, 0602}) {
    EXPECT_NE(PolicyText(begin, mode).wrong().find("so that others may change it: chmod go-w"),
              std::string::npos);
  }
}

TEST(PolicyFile, IsAFile) {
  const auto wrong = [](const std::string& path) {
    try {
      read_policy(path);
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(wrong("/"), "the policy '/' is not a regular file");
  EXPECT_EQ(wrong("/dev/null"), "the policy '/dev/null' is not a regular file");
  EXPECT_EQ(wrong("/nowhere.toml"),
            "the policy '/nowhere.toml' cannot be opened: No such file or directory");
}
#endif

}  // namespace
}  // namespace policy_test
