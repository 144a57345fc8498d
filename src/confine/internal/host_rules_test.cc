#include "confine/internal/host_rules.h"

#include <gtest/gtest.h>

#include "confine/internal/addresses.h"

namespace clever::confine::internal {
namespace {

using Verdict = HostRules::Verdict;

Verdict judge(const std::vector<std::string>& rules, std::string_view destination) {
  return HostRules::parse(rules).value().judge(parse_destination(destination, 443).value());
}

TEST(HostRules, AnExactNameOnItsUsualPorts) {
  EXPECT_EQ(judge({"example.org"}, "example.org"), Verdict::kAnywhere);
  EXPECT_EQ(judge({"example.org"}, "EXAMPLE.org:80"), Verdict::kAnywhere);
  EXPECT_EQ(judge({"Example.ORG"}, "example.org:443"), Verdict::kAnywhere);
  EXPECT_EQ(judge({"example.org"}, "example.org:22"), Verdict::kRefused);
  EXPECT_EQ(judge({"example.org"}, "a.example.org"), Verdict::kRefused);
  EXPECT_EQ(judge({"example.org"}, "example.org.evil.com"), Verdict::kRefused);
  EXPECT_EQ(judge({}, "example.org"), Verdict::kRefused);
}

TEST(HostRules, MatchSubdomains) {
  EXPECT_EQ(judge({"*.example.org"}, "a.example.org"), Verdict::kPublicOnly);
  EXPECT_EQ(judge({"*.example.org"}, "a.b.example.org:80"), Verdict::kPublicOnly);
  EXPECT_EQ(judge({"*.example.org"}, "example.org"), Verdict::kRefused);
  EXPECT_EQ(judge({"*.example.org"}, "evilexample.org"), Verdict::kRefused);
  EXPECT_EQ(judge({"*.example.org", "a.example.org"}, "a.example.org"), Verdict::kAnywhere);
}

TEST(HostRules, APort) {
  EXPECT_EQ(judge({"example.org:8080"}, "example.org:8080"), Verdict::kAnywhere);
  EXPECT_EQ(judge({"example.org:8080"}, "example.org:443"), Verdict::kRefused);
  EXPECT_EQ(judge({"*.example.org:8080"}, "a.example.org:8080"), Verdict::kPublicOnly);
}

TEST(HostRules, Addresses) {
  EXPECT_EQ(judge({"10.1.2.3:80"}, "10.1.2.3:80"), Verdict::kAnywhere);
  EXPECT_EQ(judge({"fd12::1"}, "[fd12::1]"), Verdict::kAnywhere);
  EXPECT_EQ(judge({"example.org"}, "127.0.0.1"), Verdict::kRefused);
}

TEST(HostRules, AServiceOfThisMachineByItsPort) {
  for (const char* rule :
       {"127.0.0.1:11434", "localhost:11434", "[::1]:11434", "LOCALHOST:11434"}) {
    for (const char* host : {"127.0.0.1", "localhost", "[::1]", "127.9.9.9", "0.0.0.0"}) {
      EXPECT_EQ(judge({rule}, std::string(host) + ":11434"), Verdict::kAnywhere) << rule << host;
      EXPECT_EQ(judge({rule}, std::string(host) + ":80"), Verdict::kRefused) << rule << host;
    }
    EXPECT_EQ(HostRules::parse({rule}).value().machine_ports(), std::set<std::uint16_t>{11434});
  }
  for (const char* rule :
       {"127.0.0.1", "localhost", "::1", "[::1]", "0.0.0.0", "::ffff:127.0.0.1"}) {
    const auto parsed = HostRules::parse({rule});
    ASSERT_FALSE(parsed.ok()) << rule;
    EXPECT_NE(parsed.error().message().find("by the port"), std::string::npos);
  }
}

TEST(HostRules, AllThatIsPublic) {
  EXPECT_EQ(judge({"*"}, "example.org"), Verdict::kPublicOnly);
  EXPECT_EQ(judge({"*"}, "example.org:22"), Verdict::kPublicOnly);
  EXPECT_EQ(judge({"*"}, "localhost:80"), Verdict::kRefused);
  EXPECT_EQ(judge({"*"}, "127.0.0.1:443"), Verdict::kRefused);
  EXPECT_EQ(judge({"*", "10.1.2.3"}, "10.1.2.3"), Verdict::kAnywhere);
  EXPECT_EQ(judge({"*", "localhost:80"}, "localhost:80"), Verdict::kAnywhere);
}

TEST(HostRules, RefuseAnInvalidHost) {
  for (const char* text : {"", "http://example.org", "example.org/x", "**", "*.", "a b", "a:0",
                           "a:65536", "a:x", "a:", "[::1", "[::1]x", "-a", ".a", "a@b"}) {
    EXPECT_EQ(HostRules::parse({text}).error().code(), base::ErrorCode::kInvalidArgument) << text;
  }
  EXPECT_FALSE(parse_destination(std::string(300, 'a'), 80).ok());
}

TEST(Addresses, ThoseOfThePublicInternet) {
  for (const char* text : {"1.1.1.1", "93.184.216.34", "172.32.0.1", "192.169.0.1", "100.128.0.1",
                           "2606:2800:220:1::1", "2a00:1450::1", "::ffff:8.8.8.8"}) {
    EXPECT_TRUE(is_public(parse_address(text, 80).value())) << text;
  }
}

TEST(Addresses, ThoseOfTheNeighbourhood) {
  for (const char* text :
       {"127.0.0.1",       "127.9.9.9",       "10.1.2.3",      "172.16.0.1",  "172.31.255.255",
        "192.168.1.1",     "169.254.169.254", "0.0.0.0",       "100.64.0.1",  "224.0.0.1",
        "255.255.255.255", "192.0.2.1",       "198.18.0.1",    "::1",         "::",
        "fe80::1",         "fc00::1",         "fd12::1",       "ff02::1",     "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1", "2001::1"}) {
    EXPECT_FALSE(is_public(parse_address(text, 80).value())) << text;
  }
}

TEST(Addresses, ANameIsNotAnAddress) { EXPECT_FALSE(parse_address("localhost", 80).ok()); }

}  // namespace
}  // namespace clever::confine::internal
