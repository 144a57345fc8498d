#include "http/internal/wire.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "http/internal/gzip.h"

namespace clever::http::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr RequestFacts kGzip{.accepts_gzip = true};

std::string unpacked(const std::string& packed) {
  std::string result(1 << 20, '\0');
  z_stream stream{};
  EXPECT_EQ(::inflateInit2(&stream, 15 + 16), Z_OK);
  std::string input = packed;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<unsigned>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<unsigned>(result.size());
  EXPECT_EQ(::inflate(&stream, Z_FINISH), Z_STREAM_END);
  result.resize(stream.total_out);
  ::inflateEnd(&stream);
  return result;
}

Response json(std::string body) {
  return {.headers = {{"Content-Type", "application/json; charset=utf-8"}},
          .body = std::move(body)};
}

TEST(WireTest, PacksWhatIsWorthIt) {
  const std::string body(2000, 'x');
  const WireAnswer answer = encode_answer(json(body), kGzip);
  EXPECT_THAT(answer.head,
              AllOf(HasSubstr("Content-Encoding: gzip\r\n"), HasSubstr("Vary: Accept-Encoding\r\n"),
                    HasSubstr("Content-Length: " + std::to_string(answer.body.size()))));
  EXPECT_EQ(unpacked(answer.body), body);
}

TEST(WireTest, LeavesTheRestAsItIs) {
  const std::string body(2000, 'x');
  const auto is_plain = [](const WireAnswer& answer) {
    return !answer.head.contains("Content-Encoding: gzip");
  };
  EXPECT_TRUE(is_plain(encode_answer(json(body), {})));
  EXPECT_TRUE(is_plain(encode_answer(json("short"), kGzip)));
  EXPECT_TRUE(is_plain(encode_answer({.body = body}, kGzip)));
  EXPECT_TRUE(
      is_plain(encode_answer({.headers = {{"Content-Type", "image/png"}}, .body = body}, kGzip)));
  Response packed = json(body);
  packed.headers.push_back({"content-encoding", "br"});
  EXPECT_TRUE(is_plain(encode_answer(packed, kGzip)));
  EXPECT_THAT(encode_answer(json(body), {}).head, HasSubstr("Vary: Accept-Encoding"));
}

TEST(WireTest, HeadHasTheLengthOfWhatGetWouldSend) {
  const std::string body(2000, 'x');
  const WireAnswer get = encode_answer(json(body), kGzip);
  const WireAnswer head = encode_answer(json(body), {.is_head = true, .accepts_gzip = true});
  EXPECT_EQ(head.head, get.head);
  EXPECT_EQ(head.body, "");
}

TEST(WireTest, DoesNotPackIncompressibleData) {
  std::string noise;
  std::uint32_t state = 1;
  for (int i = 0; i < 2000; ++i) {
    state = state * 1'664'525U + 1'013'904'223U;
    noise += static_cast<char>(state >> 24U);
  }
  EXPECT_FALSE(gzip(noise).has_value());
}

TEST(WireTest, ProblemsAreJson) {
  const Response response = problem(400, "a \"quoted\" \\ word\n\xFF");
  EXPECT_EQ(response.body,
            "{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,"
            "\"detail\":\"a \\\"quoted\\\" \\\\ word??\"}\n");
  EXPECT_THAT(problem(418, "").body, HasSubstr("\"title\":\"Status\""));
}

TEST(WireTest, UnknownAndInformationalStatusesBecomeErrors) {
  EXPECT_THAT(encode_answer({.status = 100}, {}).head, StartsWith("HTTP/1.1 500 "));
  EXPECT_THAT(encode_answer({.status = 1000}, {}).head, StartsWith("HTTP/1.1 500 "));
  EXPECT_THAT(encode_answer({.status = 299}, {}).head, StartsWith("HTTP/1.1 299 Status\r\n"));
  EXPECT_THAT(encode_answer({.headers = {{"Bad Name", "x"}}}, {}).head,
              AllOf(StartsWith("HTTP/1.1 500 "), Not(HasSubstr("Bad Name"))));
}

}  // namespace
}  // namespace clever::http::internal
