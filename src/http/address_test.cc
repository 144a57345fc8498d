#include "http/address.h"

#include <gtest/gtest.h>

namespace clever::http {
namespace {

void expect_same(std::string_view text) {
  const auto address = parse_address(text);
  ASSERT_TRUE(address.ok()) << text;
  EXPECT_EQ(address.value().text(), text);
}

TEST(AddressTest, IsReadAndWritten) {
  expect_same("127.0.0.1:7777");
  expect_same("0.0.0.0:0");
  expect_same("[::1]:65535");
  expect_same("unix:/run/agents.sock");
  EXPECT_EQ(parse_address("localhost:1").value().text(), "127.0.0.1:1");
}

TEST(AddressTest, OthersAreRefused) {
  for (const char* bad :
       {"", "7777", "127.0.0.1", "127.0.0.1:", ":7777", "host:1", "1.2.3:1", "::1:1", "[::1]",
        "[::g]:1", "127.0.0.1:65536", "unix:", "unix:relative"}) {
    EXPECT_FALSE(parse_address(bad).ok()) << bad;
  }
  EXPECT_FALSE(parse_address(std::string_view("127.0.0.1\0x:1", 13)).ok());
}

TEST(AddressTest, KnowsWhatStaysOnTheMachine) {
  for (const char* near : {"127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "unix:/s"}) {
    EXPECT_TRUE(parse_address(near).value().is_loopback()) << near;
  }
  for (const char* far : {"0.0.0.0:1", "[::]:1", "10.0.0.1:1", "[::127.0.0.1]:1"}) {
    EXPECT_FALSE(parse_address(far).value().is_loopback()) << far;
  }
}

}  // namespace
}  // namespace clever::http
