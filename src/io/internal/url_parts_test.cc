#include "io/internal/url_parts.h"

#include <gtest/gtest.h>

namespace clever::io::internal {
namespace {

void check_parts(std::string_view url, const std::string& origin, const std::string& host) {
  const auto parts = split_url(url);
  ASSERT_TRUE(parts.has_value()) << url;
  EXPECT_EQ(parts->origin, origin);
  EXPECT_EQ(parts->host, host);
}

TEST(UrlParts, OfUsualUrls) {
  check_parts("https://api.example.com/v1?x=1#y", "https://api.example.com:443", "api.example.com");
  check_parts("http://api.example.com", "http://api.example.com:80", "api.example.com");
  check_parts("HTTP://API.Example.com:8080?x", "http://api.example.com:8080", "api.example.com");
  check_parts("http://host:/", "http://host:80", "host");
}

TEST(UrlParts, LeaveOutUserAndPassword) {
  check_parts("https://user:pass@host:1/@x", "https://host:1", "host");
}

TEST(UrlParts, OfASocket) {
  check_parts("http+unix://%2Frun%2Fa%20b.sock/v1?x", "unix:/run/a b.sock", "localhost");
  const auto parts = split_url("http+unix://%2Frun%2Fa.sock/v1?x");
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts->socket, "/run/a.sock");
  EXPECT_EQ(parts->target, "http://localhost/v1?x");
  for (const std::string_view url : {"http+unix://", "http+unix://a/b", "http+unix://%2",
                                     "http+unix://%2Fa%00/b", "http+unix://%2Fa%2/b"}) {
    EXPECT_FALSE(split_url(url).has_value()) << url;
  }
}

TEST(UrlParts, OfAnAddressInBrackets) {
  check_parts("http://[::1]:8080/", "http://::1:8080", "::1");
}

TEST(UrlParts, OfAnInvalidUrl) {
  for (const std::string_view url :
       {"", "host", "/path", "ftp://host", "http:/host", "http://", "http:///path", "http://:80",
        "http://user@", "http://host:x", "http://host:123456", "http://[::1", "http://[::1]x",
        "httpx://host", "://host"}) {
    // An address that does not close its bracket is left to libcurl, which refuses it.
    EXPECT_EQ(split_url(url).has_value(), url == "http://[::1") << url;
  }
}

TEST(UrlParts, KnowThisMachine) {
  for (const std::string_view url :
       {"http://localhost", "http://x.localhost:1", "http://127.0.0.9", "http://[::1]"}) {
    EXPECT_TRUE(split_url(url)->is_loopback()) << url;
  }
  for (const std::string_view url : {"http://localhost.example", "http://12.7.0.1"}) {
    EXPECT_FALSE(split_url(url)->is_loopback()) << url;
  }
}

TEST(UrlWithoutSecrets, ShowsWhereItLeads) {
  EXPECT_EQ(without_secrets("https://user:pass@host:1/v1?key=x#y"), "https://host:1/v1");
  EXPECT_EQ(without_secrets("user:pass@host:1"), "host:1");
  EXPECT_EQ(without_secrets("host"), "host");
  EXPECT_EQ(without_secrets(""), "");
}

}  // namespace
}  // namespace clever::io::internal
