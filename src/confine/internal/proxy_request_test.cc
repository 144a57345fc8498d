#include "confine/internal/proxy_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::confine::internal {
namespace {

using ::testing::HasSubstr;

TEST(ProxyRequest, ATunnel) {
  const auto request =
      parse_proxy_request("CONNECT Example.org:8443 HTTP/1.1\r\nHost: x\r\n").value();
  EXPECT_TRUE(request.tunnel);
  EXPECT_EQ(request.destination.host, "example.org");
  EXPECT_EQ(request.destination.port, 8443);
}

TEST(ProxyRequest, AWholeUrl) {
  const auto request = parse_proxy_request(
                           "POST http://example.org:81/a/b?c=d HTTP/1.1\r\nHost: example.org\r\n"
                           "Proxy-Connection: keep-alive\r\nproxy-authorization: Basic x\r\n"
                           "Connection: keep-alive\r\nContent-Length: 3\r\n")
                           .value();
  EXPECT_FALSE(request.tunnel);
  EXPECT_EQ(request.destination.host, "example.org");
  EXPECT_EQ(request.destination.port, 81);
  EXPECT_EQ(request.head,
            "POST /a/b?c=d HTTP/1.1\r\nHost: example.org\r\nContent-Length: 3\r\n"
            "Connection: close\r\n\r\n");
}

TEST(ProxyRequest, AUrlWithoutAPath) {
  EXPECT_THAT(parse_proxy_request("GET http://[::1] HTTP/1.0\r\n").value().head,
              ::testing::StartsWith("GET / HTTP/1.1\r\n"));
  const auto query = parse_proxy_request("GET HTTP://a?b HTTP/1.1\r\n").value();
  EXPECT_THAT(query.head, ::testing::StartsWith("GET /?b HTTP/1.1\r\n"));
  EXPECT_EQ(query.destination.port, 80);
}

TEST(ProxyRequest, RefusesEverythingElse) {
  for (const char* head :
       {"", "\r\n", "GET\r\n", "GET /\r\n", "GET / HTTP/1.1\r\n", "GET / HTTP/2\r\n",
        "GET https://a/ HTTP/1.1\r\n", "GET http:///x HTTP/1.1\r\n", "CONNECT / HTTP/1.1\r\n",
        "CONNECT a:b HTTP/1.1\r\n", "GET http://u:p@a/ HTTP/1.1\r\n",
        "GET http://a/ b HTTP/1.1\r\n", " http://a/ HTTP/1.1\r\n", "GET http://a/ HTTP/1.1"}) {
    EXPECT_EQ(parse_proxy_request(head).error().code(), base::ErrorCode::kInvalidArgument) << head;
  }
}

TEST(ProxyRequest, ARefusalIsAWholeAnswer) {
  const std::string answer = proxy_refusal("403 Forbidden", "no");
  EXPECT_THAT(answer, ::testing::StartsWith("HTTP/1.1 403 Forbidden\r\n"));
  EXPECT_THAT(answer, HasSubstr("Content-Length: 3\r\n"));
  EXPECT_THAT(answer, ::testing::EndsWith("\r\n\r\nno\n"));
}

}  // namespace
}  // namespace clever::confine::internal
