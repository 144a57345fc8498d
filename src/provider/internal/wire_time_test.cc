#include "provider/internal/wire_time.h"

#include <gtest/gtest.h>

#include "provider/internal/wire_rates.h"

namespace clever::provider::internal {
namespace {

using std::chrono::milliseconds;

TEST(WireTime, ReadsDurations) {
  EXPECT_EQ(parse_duration("120ms"), milliseconds(120));
  EXPECT_EQ(parse_duration("6m0s"), milliseconds(360'000));
  EXPECT_EQ(parse_duration("1h2m3.5s"), milliseconds(3'723'500));
  EXPECT_EQ(parse_duration("22s"), milliseconds(22'000));
  EXPECT_EQ(parse_duration("8.941621227s"), milliseconds(8942));
  EXPECT_EQ(parse_duration("1d"), milliseconds(86'400'000));
  EXPECT_EQ(parse_duration("30"), milliseconds(30'000));
  EXPECT_EQ(parse_duration("0.5"), milliseconds(500));
  EXPECT_EQ(parse_duration("500us"), milliseconds(1));
}

TEST(WireTime, ADurationIsAtMostAMonth) {
  EXPECT_EQ(parse_duration("1e9"), std::nullopt);
  EXPECT_EQ(parse_duration("99999999999999"), std::chrono::hours(24 * 30));
}

TEST(WireTime, RefusesAnInvalidDuration) {
  for (const std::string_view text : {"", "s", "5x", "5s6", "-3", "nan", "inf", "soon", "5 s"}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  }
}

TEST(WireTime, ReadsDatesOfHttp) {
  EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"),
            Seconds(std::chrono::seconds(784'111'777)));
  for (const std::string_view text :
       {"", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Xyz 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
        "Sun, 06 anF 1994 08:49:37 GMT"}) {
    EXPECT_EQ(parse_http_date(text), std::nullopt) << text;
  }
}

TEST(WireTime, ReadsDatesOfRfc3339) {
  const Seconds moment(std::chrono::seconds(784'111'777));
  EXPECT_EQ(parse_rfc3339("1994-11-06T08:49:37Z"), moment);
  EXPECT_EQ(parse_rfc3339("1994-11-06T08:49:37.123456Z"), moment);
  EXPECT_EQ(parse_rfc3339("1994-11-06T10:49:37+02:00"), moment);
  EXPECT_EQ(parse_rfc3339("1994-11-06T06:49:37-02:00"), moment);
  for (const std::string_view text :
       {"", "1994-11-06", "1994-xx-06T08:49:37Z", "1994-11-06T08:49:37?", "1994-13-06T08:49:37Z",
        "1994-11-06T08:49:37+2"}) {
    EXPECT_EQ(parse_rfc3339(text), std::nullopt) << text;
  }
}

io::HttpHead head(std::vector<io::HttpHeader> headers) {
  return {.status = 429, .version = "2", .headers = std::move(headers)};
}

TEST(RetryAfter, IsSecondsOrADateOrMilliseconds) {
  EXPECT_EQ(retry_after(head({{"retry-after", "7"}})), milliseconds(7000));
  EXPECT_EQ(retry_after(head({{"retry-after", "0.25"}})), milliseconds(250));
  EXPECT_EQ(retry_after(head({{"retry-after", "7"}, {"retry-after-ms", "120"}})),
            milliseconds(120));
  EXPECT_EQ(retry_after(head({{"date", "Sun, 06 Nov 1994 08:49:37 GMT"},
                              {"retry-after", "Sun, 06 Nov 1994 08:50:07 GMT"}})),
            milliseconds(30'000));
}

TEST(RetryAfter, ADateIsMeasuredFromTheAnswersOwn) {
  EXPECT_EQ(retry_after(head({{"retry-after", "Sun, 06 Nov 1994 08:50:07 GMT"}})), std::nullopt);
  EXPECT_EQ(retry_after(head({{"date", "Sun, 06 Nov 1994 08:49:37 GMT"},
                              {"retry-after", "Sun, 06 Nov 1994 08:00:00 GMT"}})),
            milliseconds(0));
}

TEST(RetryAfter, NonsenseIsIgnored) {
  EXPECT_EQ(retry_after(head({{"retry-after", "later"}, {"retry-after-ms", "x"}})), std::nullopt);
  EXPECT_EQ(retry_after(head({})), std::nullopt);
}

TEST(WireRates, ReadsOpenAisHeaders) {
  const RateObservation rates = read_rates(head({{"x-ratelimit-limit-requests", "60"},
                                                 {"x-ratelimit-remaining-requests", "59"},
                                                 {"x-ratelimit-reset-requests", "1s"},
                                                 {"x-ratelimit-limit-tokens", "150000"},
                                                 {"x-ratelimit-remaining-tokens", "149984"},
                                                 {"x-ratelimit-reset-tokens", "6m0s"}}));
  EXPECT_EQ(rates.requests,
            (RateHeader{.limit = 60, .remaining = 59, .reset = milliseconds(1000)}));
  EXPECT_EQ(rates.tokens,
            (RateHeader{.limit = 150'000, .remaining = 149'984, .reset = milliseconds(360'000)}));
  EXPECT_EQ(rates.input_tokens, RateHeader{});
}

TEST(WireRates, ReadsAnthropicsHeaders) {
  const RateObservation rates =
      read_rates(head({{"date", "Sun, 06 Nov 1994 08:49:37 GMT"},
                       {"anthropic-ratelimit-requests-limit", "50"},
                       {"anthropic-ratelimit-requests-remaining", "49"},
                       {"anthropic-ratelimit-requests-reset", "1994-11-06T08:49:40Z"},
                       {"anthropic-ratelimit-input-tokens-limit", "40000"},
                       {"anthropic-ratelimit-output-tokens-remaining", "8000"},
                       {"anthropic-ratelimit-tokens-reset", "1994-11-06T08:50:37Z"}}));
  EXPECT_EQ(rates.requests,
            (RateHeader{.limit = 50, .remaining = 49, .reset = milliseconds(3000)}));
  EXPECT_EQ(rates.input_tokens.limit, 40'000);
  EXPECT_EQ(rates.output_tokens.remaining, 8000);
  EXPECT_EQ(rates.tokens.reset, milliseconds(60'000));
}

TEST(WireRates, GroqCountsRequestsByTheDay) {
  const RateObservation rates =
      read_rates(head({{"x-groq-region", "us"}, {"x-ratelimit-limit-requests", "14400"}}));
  EXPECT_EQ(rates.requests.window, std::chrono::hours(24));
  EXPECT_EQ(rates.tokens.window, std::chrono::minutes(1));
}

TEST(WireRates, MomentsMayBeNumbers) {
  const io::HttpHeader date{"date", "Sun, 06 Nov 1994 08:49:37 GMT"};
  const io::HttpHeader now{"date", "Tue, 14 Nov 2023 22:13:20 GMT"};  // 1'700'000'000
  EXPECT_EQ(read_rates(head({now, {"x-ratelimit-reset", "1700000030000"}})).requests.reset,
            milliseconds(30'000));
  EXPECT_EQ(read_rates(head({now, {"x-ratelimit-reset", "1700000005"}})).requests.reset,
            milliseconds(5000));
  EXPECT_EQ(read_rates(head({date, {"x-ratelimit-reset", "12"}})).requests.reset,
            milliseconds(12'000));
}

TEST(WireRates, ReadsMistralsHeaders) {
  const RateObservation rates = read_rates(head(
      {{"x-ratelimit-limit-req-minute", "60"}, {"x-ratelimit-remaining-tokens-minute", "499000"}}));
  EXPECT_EQ(rates.requests.limit, 60);
  EXPECT_EQ(rates.tokens.remaining, 499'000);
}

TEST(WireRates, ALimitOverAnUnknownTimeIsNotTaken) {
  EXPECT_EQ(
      read_rates(head({{"x-ratelimit-limit", "20"}, {"x-ratelimit-remaining", "3"}})).requests,
      (RateHeader{.limit = {}, .remaining = 3, .reset = {}}));
}

TEST(WireRates, NonsenseIsIgnored) {
  EXPECT_EQ(read_rates(head({{"x-ratelimit-limit-requests", "-5"},
                             {"x-ratelimit-remaining-requests", "many"},
                             {"x-ratelimit-reset-requests", "soon"}})),
            RateObservation{});
}

}  // namespace
}  // namespace clever::provider::internal
