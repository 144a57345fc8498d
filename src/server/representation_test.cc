#include "server/representation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>

namespace clever::server {
namespace {

http::Request get(std::vector<http::Header> headers) {
  return {.method = "GET", .headers = std::move(headers)};
}
http::Response shown(const http::Request& request, std::string body) {
  http::Response response{.body = std::move(body)};
  represent(request, response);
  return response;
}
std::string header(const http::Response& response, std::string_view name) {
  const auto found = std::ranges::find(response.headers, name, &http::Header::name);
  return found == response.headers.end() ? "" : found->value;
}

TEST(Representation, AClientThatHasItGetsNothing) {
  const http::Response first = shown(get({}), "{}");
  const std::string etag = header(first, "ETag");
  EXPECT_EQ(etag, etag_of("{}"));
  const http::Response again = shown(get({{"if-none-match", "\"x\", W/" + etag}}), "{}");
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.body, "");
  EXPECT_EQ(header(again, "ETag"), etag);
  EXPECT_EQ(shown(get({{"if-none-match", etag}}), "{\"a\":1}").status, 200);
}

TEST(Representation, IsCompressedForThoseWhoTakeIt) {
  const std::string body(5000, 'a');
  const http::Response packed = shown(get({{"accept-encoding", "br, GZIP;q=0.8"}}), body);
  EXPECT_EQ(header(packed, "Content-Encoding"), "gzip");
  EXPECT_LT(packed.body.size(), 200U);
  z_stream stream{};
  ASSERT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string plain(body.size() + 1, '\0');
  std::string input = packed.body;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_out = static_cast<uInt>(plain.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  plain.resize(stream.total_out);
  inflateEnd(&stream);
  EXPECT_EQ(plain, body);
  // Its tag is its own, and names the same document.
  EXPECT_NE(header(packed, "ETag"), etag_of(body));
  EXPECT_TRUE(names_etag(header(packed, "ETag"), etag_of(body)));
}

TEST(Representation, IsPlainOtherwise) {
  const std::string body(5000, 'a');
  for (const char* accepts : {"", "gzip;q=0", "gzip; q=0.0", "br", "identity", "xgzip"}) {
    EXPECT_EQ(shown(get({{"accept-encoding", accepts}}), body).body, body) << accepts;
  }
  EXPECT_EQ(shown(get({{"accept-encoding", "gzip"}}), "small").body, "small");
  http::Response problem{.status = 404, .body = body};
  represent(get({{"accept-encoding", "gzip"}}), problem);
  EXPECT_EQ(problem.body, body);
  http::Response made{.body = body};
  represent({.method = "POST", .headers = {{"accept-encoding", "gzip"}}}, made);
  EXPECT_TRUE(made.headers.empty());
}

TEST(Representation, AnyTagIsNamedByAStar) {
  EXPECT_TRUE(names_etag("*", etag_of("a")));
  EXPECT_FALSE(names_etag("", etag_of("a")));
  EXPECT_FALSE(names_etag("\"", etag_of("a")));
}

}  // namespace
}  // namespace clever::server
