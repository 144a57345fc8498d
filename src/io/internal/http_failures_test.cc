#include "io/internal/http_failures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::io::internal {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

void check_end(CURLcode code, const TransferFacts& facts, HttpFailure failure,
               const ::testing::Matcher<const std::string&>& message) {
  const HttpEnd end = end_of(code, facts);
  EXPECT_EQ(end.failure, failure) << end.message;
  EXPECT_THAT(end.message, message);
}

const TransferFacts kBefore{.place = "host:1", .detail = "the detail"};
const TransferFacts kAfter{.place = "host:1", .detail = "the detail", .sent = true, .received = 7};

TEST(HttpFailures, AWholeAnswerIsNotAFailure) {
  const HttpEnd end = end_of(CURLE_OK, {.place = "host:1", .reused_connection = true});
  EXPECT_TRUE(end.whole());
  EXPECT_TRUE(end.reused_connection);
  EXPECT_EQ(end.message, "");
}

TEST(HttpFailures, BeforeTheRequestThereIsNoConnection) {
  check_end(CURLE_COULDNT_CONNECT, kBefore, HttpFailure::kConnect,
            "cannot connect to host:1 (the detail); check that the server runs there and that no "
            "firewall is between");
  check_end(CURLE_SEND_ERROR, kBefore, HttpFailure::kConnect, HasSubstr("host:1"));
}

TEST(HttpFailures, AfterTheRequestTheAnswerIsCut) {
  for (const CURLcode code : {CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR,
                              CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM}) {
    check_end(code, kAfter, HttpFailure::kCut,
              "the connection to host:1 ended before the answer was whole: 7 bytes of it had "
              "arrived (the "
              "detail)");
  }
}

TEST(HttpFailures, OfTls) {
  for (const CURLcode code : {CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE}) {
    check_end(code, {.place = "host:1", .authorities = "/certs"}, HttpFailure::kTls,
              AllOf(HasSubstr("host:1"), HasSubstr("/certs"), HasSubstr("SSL_CERT_FILE")));
  }
  check_end(CURLE_SSL_CONNECT_ERROR, kBefore, HttpFailure::kTls, HasSubstr("speaks https"));
}

TEST(HttpFailures, AnUnknownSchemeIsOfTheUrlOrOfTheAnswer) {
  check_end(CURLE_UNSUPPORTED_PROTOCOL, kBefore, HttpFailure::kBadUrl, HasSubstr("host:1"));
  check_end(CURLE_UNSUPPORTED_PROTOCOL, kAfter, HttpFailure::kProtocol, HasSubstr("not HTTP"));
  check_end(CURLE_URL_MALFORMAT, kBefore, HttpFailure::kBadUrl, HasSubstr("http://"));
}

TEST(HttpFailures, NameTheProxy) {
  const TransferFacts facts{.place = "host:1", .proxy_place = "proxy:2"};
  check_end(CURLE_COULDNT_RESOLVE_PROXY, facts, HttpFailure::kResolve, HasSubstr("proxy:2"));
  check_end(CURLE_COULDNT_CONNECT, facts, HttpFailure::kConnect,
            HasSubstr("through the proxy proxy:2"));
}

TEST(HttpFailures, OfAProxyThatRefused) {
  TransferFacts facts{.place = "host:1", .proxy_place = "proxy:2", .proxy_status = 403};
  check_end(CURLE_RECV_ERROR, facts, HttpFailure::kConnect, HasSubstr("NO_PROXY"));
  facts.proxy_status = 407;
  check_end(CURLE_RECV_ERROR, facts, HttpFailure::kConnect, HasSubstr("user and password"));
}

TEST(HttpFailures, NeverShowCredentials) {
  check_end(CURLE_COULDNT_RESOLVE_PROXY,
            {.place = "host:1", .detail = "syntax in http://me:pw@x", .secrets = "me:pw"},
            HttpFailure::kResolve, AllOf(HasSubstr("host:1"), Not(HasSubstr("pw"))));
}

TEST(HttpFailures, OfLibcurlsOwnTimeout) {
  check_end(CURLE_OPERATION_TIMEDOUT, kBefore, HttpFailure::kTimeout, HasSubstr("no connection"));
}

TEST(HttpFailures, OfEachDeadline) {
  const auto message = [](HttpLimit limit, std::chrono::milliseconds time) {
    return timed_out(limit, time, kAfter).message;
  };
  EXPECT_THAT(message(HttpLimit::kConnect, 10s), HasSubstr("no connection to host:1 within 10 s"));
  EXPECT_EQ(message(HttpLimit::kFirstByte, 1500ms),
            "host:1 did not begin to answer within 1500 ms");
  EXPECT_THAT(message(HttpLimit::kIdle, 2s), HasSubstr("sent nothing for 2 s"));
  EXPECT_EQ(message(HttpLimit::kTotal, 60s), "the answer of host:1 was not complete within 60 s");
}

TEST(HttpFailures, OfAnAnswerThatIsTooLong) {
  check_end(CURLE_WRITE_ERROR,
            {.place = "host:1", .sent = true, .too_large = true, .answer_limit = 5},
            HttpFailure::kTooLarge, HasSubstr("5 bytes"));
}

TEST(HttpFailures, OfADecompressionBomb) {
  check_end(CURLE_WRITE_ERROR, {.place = "host:1", .sent = true, .bomb = true, .received = 7},
            HttpFailure::kBomb, AllOf(HasSubstr("decompression bomb"), HasSubstr("7 bytes")));
}

}  // namespace
}  // namespace clever::io::internal
