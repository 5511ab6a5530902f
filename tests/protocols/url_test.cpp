#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/url.hpp"

using namespace shinar::wire;

TEST(Url, ServerAndObject) {
  const Url server = parse_url("simhandle://127.0.0.1:4711");
  EXPECT_EQ(server.endpoint.host, "127.0.0.1");
  EXPECT_EQ(server.endpoint.port, 4711);
  EXPECT_EQ(server.object, "");
  const Url object = parse_url("simhandle://node7.cluster:1/solver");
  EXPECT_EQ(object.endpoint.text(), "node7.cluster:1");
  EXPECT_EQ(object.object, "solver");
  EXPECT_EQ(make_url(object.endpoint, object.object), "simhandle://node7.cluster:1/solver");
}

TEST(Url, Ipv6NeedsBrackets) {
  const Url url = parse_url("simhandle://[::1]:65535/x");
  EXPECT_EQ(url.endpoint.host, "::1");
  EXPECT_EQ(url.endpoint.port, 65535);
  EXPECT_EQ(make_url(url.endpoint, "x"), "simhandle://[::1]:65535/x");
}

/** By another spelling, clients went round exceptions of policies. */
TEST(Url, OnePlaceHasOneSpelling) {
  const auto spelled = [](const char* url) { return make_url(plain(parse_url(url).endpoint), {}); };
  for (const char* const host :
       {"127.1", "2130706433", "0x7f000001", "0177.0.0.1", "[::ffff:127.0.0.1]", "127.0.0.1",
        "[::ffff:7f00:1%1]", "0", "0.0.0.0", "[::ffff:0:0]"}) {
    EXPECT_EQ(spelled(("simhandle://" + std::string(host) + ":4711").c_str()),
              "simhandle://127.0.0.1:4711");
  }
  for (const char* const host : {"[::0001]", "[::1%1]", "[::1%0]", "[::1%lo]", "[::]"}) {
    EXPECT_EQ(spelled(("simhandle://" + std::string(host) + ":4711").c_str()),
              "simhandle://[::1]:4711");
  }
  EXPECT_EQ(spelled("simhandle://[fe80::0001%eth0]:4711"), "simhandle://[fe80::1%eth0]:4711");
  EXPECT_EQ(spelled("simhandle+tls://Node7.Example.:4711"), "simhandle+tls://node7.example:4711");
  EXPECT_EQ(spelled("simhandle+unix:///run/ok/../evil"), "simhandle+unix:///run/evil");
}

TEST(Url, UnixDomainSockets) {
  const Url server = parse_url("simhandle+unix:///run/pl\xc3\xa4ne/acceptor");
  EXPECT_EQ(server.endpoint.path, "/run/pl\xc3\xa4ne/acceptor");
  EXPECT_EQ(server.endpoint.text(), "/run/pl\xc3\xa4ne/acceptor");
  EXPECT_EQ(server.object, "");
  const Url object = parse_url("simhandle+unix:///run/acceptor#solver");
  EXPECT_EQ(object.endpoint.path, "/run/acceptor");
  EXPECT_EQ(object.object, "solver");
  EXPECT_EQ(make_url(object.endpoint, "solver"), "simhandle+unix:///run/acceptor#solver");
  EXPECT_EQ(make_url(object.endpoint, ""), "simhandle+unix:///run/acceptor");
}

TEST(Url, OtherTransportsHaveHostsOrPaths) {
  const Url host = parse_url("simhandle+shm://name:0/solver");
  EXPECT_EQ(host.endpoint, (Endpoint{.host = "name", .via = "shm"}));
  EXPECT_EQ(make_url(host.endpoint, host.object), "simhandle+shm://name:0/solver");
  const Url path = parse_url("simhandle+pipes:///run/pl\xc3\xa4ne/pipes#solver");
  EXPECT_EQ(path.endpoint, (Endpoint{.path = "/run/pl\xc3\xa4ne/pipes", .via = "pipes"}));
  EXPECT_EQ(path.endpoint.transport(), "pipes");
  EXPECT_EQ(path.object, "solver");
  EXPECT_EQ(make_url(path.endpoint, ""), "simhandle+pipes:///run/pl\xc3\xa4ne/pipes");
  EXPECT_EQ(make_url(path.endpoint, "solver"), "simhandle+pipes:///run/pl\xc3\xa4ne/pipes#solver");
}

class MalformedUrl : public testing::TestWithParam<const char*> {};

TEST_P(MalformedUrl, IsRefusedAndQuoted) {
  try {
    parse_url(GetParam());
    FAIL() << "accepted: " << GetParam();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::malformed_url);
    EXPECT_NE(std::string(error.what()).find("malformed URL"), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, MalformedUrl,
    testing::Values("", "simhandle", "simhandle:/", "simhandle://", "http://host:80",
                    "simhandle://host", "simhandle://:80", "simhandle://host:", "simhandle://h:x",
                    "simhandle://h:65536", "simhandle://h:-1", "simhandle://h:1 /x",
                    "simhandle://::1:80", "simhandle://[::1]", "simhandle://[::1:80",
                    "simhandle://h:1/a/b", "simhandle://h:1/\xc3\xa4", "simhandle+unix://",
                    "simhandle+unix:///a b", "simhandle+unix:///a/", "simhandle+unix://a",
                    "simhandle+unix:///a#b c", "simhandle+tcp:///a", "simhandle+shm:///a",
                    "simhandle+pipes://h:1", "simhandle+pipes:///", "simhandle+pipes:///a b",
                    "simhandle+p\xc3\xa4:///a", "simhandle+../x://h:1",
                    "simhandle+unix:///0123456789012345678901234567890123456"
                    "7890123456789012345678901234567890123456789012345678901"
                    "23456789012345678901"));
