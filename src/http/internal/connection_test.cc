#include "http/internal/connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace clever::http::internal {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

Limits small_limits() {
  Limits limits;
  limits.target_bytes = 100;
  limits.header_bytes = 500;
  limits.header_count = 5;
  limits.body_bytes = 1000;
  limits.pipelined_bytes = 200;
  return limits;
}

// A connection, and what came out of it.
class ConnectionTest : public ::testing::Test {
 protected:
  ConnectionTest() { date_.update(base::WallTime(seconds(1'700'000'000))); }

  void receive(std::string_view bytes) { connection_.receive(bytes, now_); }
  void pass(base::Duration time) {
    now_ += time;
    if (connection_.due() <= now_) connection_.expire(now_);
  }
  // Takes everything that is to be sent.
  std::string sent() {
    std::string all;
    while (!connection_.output().empty()) {
      const std::size_t size = connection_.output().size();
      all += connection_.output();
      connection_.sent(size, now_);
    }
    return all;
  }
  Request request() {
    auto parsed = connection_.take_request();
    EXPECT_TRUE(parsed.has_value());
    facts_ = parsed ? parsed->facts : RequestFacts{};
    return parsed ? std::move(parsed->request) : Request{};
  }
  void answer(Response response) {
    connection_.answer(encode_answer(std::move(response), facts_), now_);
  }
  void begin_stream() { connection_.begin_stream(encode_stream_head({}), now_); }

  // The connection refuses what it gets, and ends.
  void expect_refused(std::string_view bytes, int status) {
    receive(bytes);
    EXPECT_FALSE(connection_.take_request().has_value()) << bytes;
    EXPECT_THAT(sent(), AllOf(StartsWith("HTTP/1.1 " + std::to_string(status) + " "),
                              HasSubstr("Connection: close\r\n")))
        << bytes;
    EXPECT_TRUE(connection_.wants_shutdown()) << bytes;
    connection_.receive_end(now_);
    EXPECT_TRUE(connection_.is_over()) << bytes;
  }

  const Limits limits_ = small_limits();
  DateLine date_;
  base::TimePoint now_{};
  RequestFacts facts_;
  Connection connection_{limits_, date_, now_};
};

TEST_F(ConnectionTest, AnswersARequest) {
  receive("GET /v1/plans?limit=2 HTTP/1.1\r\nHost: a:1\r\nX-Name:  v \r\n\r\n");
  const Request got = request();
  EXPECT_EQ(got.method, "GET");
  EXPECT_THAT(got.path, ElementsAre("v1", "plans"));
  EXPECT_EQ(got.query_value("limit"), "2");
  EXPECT_EQ(got.host, "a:1");
  EXPECT_EQ(got.header("x-name"), "v");
  answer({.headers = {{"X-Answer", "1"}}, .body = "hello"});
  EXPECT_EQ(sent(),
            "HTTP/1.1 200 OK\r\nX-Answer: 1\r\nContent-Length: 5\r\n"
            "Date: Tue, 14 Nov 2023 22:13:20 GMT\r\n\r\nhello");
  EXPECT_FALSE(connection_.is_over());
}

TEST_F(ConnectionTest, ARequestMayComeByteByByte) {
  const std::string bytes =
      "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
      "chunked\r\n\r\n5\r\nhello\r\n1\r\n!\r\n0\r\nT: "
      "x\r\n\r\n";
  for (const char c : bytes) receive({&c, 1});
  const Request got = request();
  EXPECT_EQ(got.body, "hello!");
  EXPECT_EQ(got.header("t"), std::nullopt);
}

TEST_F(ConnectionTest, BlankLinesBeforeARequestAreSkipped) {
  receive("\r\n\r\n" + std::string(kGet));
  static_cast<void>(request());
}

TEST_F(ConnectionTest, PipelinedRequestsAreAnsweredInOrder) {
  receive(
      "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.1\r\n");
  for (const std::string name : {"1", "2"}) {
    EXPECT_THAT(request().path, ElementsAre(name));
    EXPECT_FALSE(connection_.take_request().has_value());
    answer({.body = name});
  }
  EXPECT_THAT(sent(), EndsWith("\r\n\r\n2"));
  EXPECT_FALSE(connection_.take_request().has_value());
  receive("Host: a\r\n\r\n");
  EXPECT_THAT(request().path, ElementsAre("3"));
}

TEST_F(ConnectionTest, MuchPipelinedInputIsLeftUnread) {
  receive(kGet);
  EXPECT_TRUE(connection_.wants_input());
  receive(std::string(limits_.pipelined_bytes, 'x'));
  EXPECT_FALSE(connection_.wants_input());
}

TEST_F(ConnectionTest, ANextRequestWaitsUntilThePeerHasTakenTheAnswer) {
  receive(std::string(kGet) + std::string(kGet));
  static_cast<void>(request());
  answer({.body = std::string(100'000, 'x')});
  EXPECT_FALSE(connection_.take_request().has_value());
  static_cast<void>(sent());
  EXPECT_TRUE(connection_.take_request().has_value());
}

TEST_F(ConnectionTest, ClosesWhenEitherSideWants) {
  receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  static_cast<void>(request());
  answer({.body = "x"});
  EXPECT_THAT(sent(), HasSubstr("Connection: close\r\n"));
  EXPECT_TRUE(connection_.is_over());

  Connection other(limits_, date_, now_);
  other.receive(kGet, now_);
  other.answer(encode_answer({.close = true}, {}), now_);
  other.sent(other.output().size(), now_);
  EXPECT_TRUE(other.is_over());
}

TEST_F(ConnectionTest, Http10ClosesUnlessAskedToStay) {
  receive("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  static_cast<void>(request());
  answer({});
  EXPECT_THAT(sent(), HasSubstr("Connection: keep-alive\r\n"));
  receive("GET / HTTP/1.0\r\n\r\n");
  static_cast<void>(request());
  answer({});
  EXPECT_THAT(sent(), HasSubstr("Connection: close\r\n"));
  EXPECT_TRUE(connection_.is_over());
}

TEST_F(ConnectionTest, ClosesAfterSoManyRequests) {
  Limits limits = limits_;
  limits.requests_per_connection = 2;
  Connection connection(limits, date_, now_);
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(connection.is_over());
    connection.receive(kGet, now_);
    connection.answer(encode_answer({}, {}), now_);
    connection.sent(connection.output().size(), now_);
  }
  EXPECT_TRUE(connection.is_over());
}

TEST_F(ConnectionTest, HeadHasLengthButNoBody) {
  receive("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
  static_cast<void>(request());
  answer({.body = "hello"});
  EXPECT_THAT(sent(), AllOf(HasSubstr("Content-Length: 5\r\n"), EndsWith("\r\n\r\n")));
}

TEST_F(ConnectionTest, NoContentHasNoLength) {
  receive(kGet);
  static_cast<void>(request());
  answer({.status = 204, .body = "dropped"});
  EXPECT_THAT(sent(), AllOf(Not(HasSubstr("Length")), EndsWith("\r\n\r\n")));
}

TEST_F(ConnectionTest, TellsAClientThatWaitsToContinue) {
  receive("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(sent(), "HTTP/1.1 100 Continue\r\n\r\n");
  receive("hi");
  EXPECT_EQ(request().body, "hi");
  answer({});
  // A client that does not wait gets none.
  receive("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi");
  EXPECT_THAT(sent(), Not(HasSubstr("100 Continue")));
}

TEST_F(ConnectionTest, WithoutABodyThereIsNothingToWaitFor) {
  receive("GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_THAT(sent(), IsEmpty());
  static_cast<void>(request());
}

// ---- streams

TEST_F(ConnectionTest, StreamsInChunks) {
  receive(kGet);
  static_cast<void>(request());
  begin_stream();
  EXPECT_THAT(sent(), AllOf(HasSubstr("Transfer-Encoding: chunked\r\n"), Not(HasSubstr("Length"))));
  connection_.send_piece("0123456789abcdef", now_);
  connection_.send_piece("", now_);
  EXPECT_EQ(sent(), "10\r\n0123456789abcdef\r\n");
  connection_.end_stream(now_);
  EXPECT_EQ(sent(), "0\r\n\r\n");
  receive(kGet);
  static_cast<void>(request());
}

TEST_F(ConnectionTest, AStreamOfHttp10EndsWithItsConnection) {
  receive("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  static_cast<void>(request());
  begin_stream();
  EXPECT_THAT(sent(), AllOf(HasSubstr("Connection: close\r\n"), Not(HasSubstr("chunked"))));
  connection_.send_piece("plain", now_);
  connection_.end_stream(now_);
  EXPECT_EQ(sent(), "plain");
  EXPECT_TRUE(connection_.is_over());
}

TEST_F(ConnectionTest, AStreamEndsWithItsPeer) {
  receive(kGet);
  static_cast<void>(request());
  begin_stream();
  connection_.receive_end(now_);
  EXPECT_TRUE(connection_.is_over());
  EXPECT_EQ(connection_.reason(), StreamEnd::kPeerGone);
}

TEST_F(ConnectionTest, HeadOfAStreamIsWholeAtOnce) {
  receive("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
  static_cast<void>(request());
  begin_stream();
  EXPECT_FALSE(connection_.is_streaming());
  EXPECT_THAT(sent(), EndsWith("\r\n\r\n"));
  receive(kGet);
  static_cast<void>(request());
}

TEST_F(ConnectionTest, ClosesAfterSoManyStreams) {
  Limits limits = limits_;
  limits.streams_per_connection = 1;
  Connection connection(limits, date_, now_);
  connection.receive(kGet, now_);
  connection.begin_stream(encode_stream_head({}), now_);
  EXPECT_THAT(std::string(connection.output()), HasSubstr("Connection: close\r\n"));
}

// ---- what is refused

TEST_F(ConnectionTest, TwoLengthsAreRefused) {
  expect_refused(
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: "
      "chunked\r\n\r\n0\r\n\r\n",
      400);
}

struct Refused {
  const char* name;
  const char* bytes;
  int status;
};
void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.name; }

class RefusedRequestTest : public ConnectionTest, public ::testing::WithParamInterface<Refused> {};

TEST_P(RefusedRequestTest, EndsTheConnection) {
  expect_refused(GetParam().bytes, GetParam().status);
}

#define CLEVER_POST "POST / HTTP/1.1\r\nHost: a\r\n"
#define CLEVER_CHUNKED CLEVER_POST "Transfer-Encoding: chunked\r\n\r\n"
INSTANTIATE_TEST_SUITE_P(
    Http, RefusedRequestTest,
    ::testing::Values(
        Refused{"TwoContentLengths", CLEVER_POST "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx",
                400},
        Refused{"ListOfLengths", CLEVER_POST "Content-Length: 1, 1\r\n\r\nx", 400},
        Refused{"SignedLength", CLEVER_POST "Content-Length: +1\r\n\r\nx", 400},
        Refused{"HugeLength", CLEVER_POST "Content-Length: 99999999999999999999\r\n\r\n", 400},
        Refused{"BareLineFeeds", "GET / HTTP/1.1\nHost: a\n\n", 400},
        Refused{"BareLineFeedInFront", "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        Refused{"BareLineFeedInHeader", "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", 400},
        Refused{"BareCarriageReturn", "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", 400},
        Refused{"FoldedLine", "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", 400},
        Refused{"FoldedFirstLine", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400},
        Refused{"BlankBeforeColon", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
        Refused{"ChunkExtension", CLEVER_CHUNKED "1;a=b\r\nx\r\n0\r\n\r\n", 400},
        Refused{"EmptyChunkExtension", CLEVER_CHUNKED "1;\r\nx\r\n0\r\n\r\n", 400},
        Refused{"ExtensionOfTheLastChunk", CLEVER_CHUNKED "1\r\nx\r\n0;a\r\n\r\n", 400},
        Refused{"BlankAfterChunkSize", CLEVER_CHUNKED "1 \r\nx\r\n0\r\n\r\n", 400},
        Refused{"HugeChunk", CLEVER_CHUNKED "fffffffffffffffff\r\nx", 400},
        Refused{"ChunkBeyondTheLimit", CLEVER_CHUNKED "3e9\r\n", 413},
        Refused{"ChunkLongerThanItsSize", CLEVER_CHUNKED "1\r\nxy\r\n0\r\n\r\n", 400},
        Refused{"LengthInTrailer", CLEVER_CHUNKED "0\r\nContent-Length: 4\r\n\r\n", 400},
        Refused{"OtherCoding", CLEVER_POST "Transfer-Encoding: gzip, chunked\r\n\r\n", 501},
        Refused{"CodingTwice",
                CLEVER_POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
                400},
        Refused{"UnknownCoding", CLEVER_POST "Transfer-Encoding: xchunked\r\n\r\n", 501},
        Refused{"ChunksInHttp10", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                400},
        Refused{"NoHost", "GET / HTTP/1.1\r\n\r\n", 400},
        Refused{"TwoHosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400},
        Refused{"BadHost", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400},
        Refused{"EmptyHost", "GET / HTTP/1.1\r\nHost:\r\n\r\n", 400},
        Refused{"BadPort", "GET / HTTP/1.1\r\nHost: a:99999\r\n\r\n", 400},
        Refused{"NoVersion", "GET /\r\n\r\n", 400},
        Refused{"Http09", "GET / HTTP/0.9\r\n\r\n", 505},
        Refused{"Http2", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505},
        Refused{"Http2Preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400},
        Refused{"Rtsp", "GET / RTSP/1.0\r\n\r\n", 400},
        Refused{"BlanksInRequestLine", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        Refused{"BlanksBeforeVersion", "GET /  HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        Refused{"Connect", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 501},
        Refused{"UnknownMethod", "FETCH / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        Refused{"LowerCaseMethod", "get / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        Refused{"TlsHello", "\x16\x03\x01\x02", 400},
        Refused{"Fragment", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        Refused{"BadEscape", "GET /%4 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        Refused{"NulInTarget", "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        Refused{"BadUtf8", "GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        Refused{"RawUtf8", "GET /\xC3\xA4 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        Refused{"DotSegments", "GET /a/%2e%2e/b HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        Refused{"ControlInValue", "GET / HTTP/1.1\r\nHost: a\r\nX: \x01\r\n\r\n", 400},
        Refused{"NamelessHeader", "GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", 400},
        Refused{"EndOfHeadWithoutLineFeed", "GET / HTTP/1.1\r\nHost: a\r\n\rX", 400},
        Refused{"PackedBody", CLEVER_POST "Content-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx",
                415},
        Refused{"OtherExpectation", CLEVER_POST "Expect: more\r\nContent-Length: 1\r\n\r\nx", 417},
        Refused{"BodyTooLong", CLEVER_POST "Content-Length: 1001\r\n\r\n", 413}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_F(ConnectionTest, AChunkedBodyHasTheSameLimit) {
  std::string bytes = CLEVER_CHUNKED;
  for (int i = 0; i < 101; ++i) bytes += "a\r\n0123456789\r\n";
  expect_refused(bytes, 413);
}

TEST_F(ConnectionTest, EndlessChunkSizesAreRefused) {
  expect_refused(CLEVER_CHUNKED + std::string(100'000, '0'), 413);
}

TEST_F(ConnectionTest, ABodyUpToTheLimitIsFine) {
  receive(CLEVER_POST "Content-Length: 1000\r\n\r\n" + std::string(1000, 'x'));
  EXPECT_EQ(request().body.size(), 1000U);
}
#undef CLEVER_CHUNKED
#undef CLEVER_POST

TEST_F(ConnectionTest, ALongTargetIsRefused) {
  expect_refused("GET /" + std::string(100, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n", 414);
}

TEST_F(ConnectionTest, LongHeadersAreRefused) {
  expect_refused("GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(600, 'a'), 431);
}

TEST_F(ConnectionTest, ManyHeadersAreRefused) {
  expect_refused("GET / HTTP/1.1\r\nHost: a\r\na:\r\na:\r\na:\r\na:\r\na:\r\n\r\n", 431);
}

TEST_F(ConnectionTest, EndlessBlankLinesAreRefused) {
  std::string lines;
  for (int i = 0; i < 300; ++i) lines += "\r\n";
  expect_refused(lines, 414);
}

TEST_F(ConnectionTest, ACutRequestIsRefused) {
  receive("GET / HTTP/1.1\r\nHo");
  connection_.receive_end(now_);
  EXPECT_THAT(sent(), StartsWith("HTTP/1.1 400 "));
  EXPECT_TRUE(connection_.is_over());
}

TEST_F(ConnectionTest, GarbageAfterARequestEndsTheConnectionAfterItsAnswer) {
  receive(std::string(kGet) + "garbage\r\n\r\n");
  static_cast<void>(request());
  answer({.body = "first"});
  EXPECT_THAT(sent(), AllOf(StartsWith("HTTP/1.1 200 "), HasSubstr("firstHTTP/1.1 400 ")));
  EXPECT_TRUE(connection_.wants_shutdown());
}

TEST_F(ConnectionTest, AnUpgradeIsNotTakenUp) {
  receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n" +
          std::string(kGet));
  static_cast<void>(request());
  answer({});
  static_cast<void>(request());
}

TEST_F(ConnectionTest, AnAbsoluteTargetNamesTheHost) {
  receive("GET http://b:2/x?y=1 HTTP/1.1\r\nHost: a\r\n\r\n");
  const Request got = request();
  EXPECT_EQ(got.host, "b:2");
  EXPECT_THAT(got.path, ElementsAre("x"));
}

// ---- ends and time

TEST_F(ConnectionTest, AClientThatSendsNothingIsClosedWithoutAWord) {
  pass(limits_.read_head - milliseconds(1));
  EXPECT_FALSE(connection_.is_over());
  pass(milliseconds(1));
  EXPECT_TRUE(connection_.is_over());
  EXPECT_THAT(sent(), IsEmpty());
}

TEST_F(ConnectionTest, ASlowHeadTimesOut) {
  for (const char c : std::string_view("GET / HTTP")) {
    receive({&c, 1});
    pass(limits_.read_head / 10);
  }
  EXPECT_THAT(sent(), StartsWith("HTTP/1.1 408 "));
}

TEST_F(ConnectionTest, ASlowBodyTimesOut) {
  receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n");
  for (int i = 0; i < 10; ++i) {
    receive("x");
    pass(limits_.read_body / 10);
  }
  EXPECT_THAT(sent(), StartsWith("HTTP/1.1 408 "));
  EXPECT_TRUE(connection_.wants_shutdown());
  receive("more");
  pass(limits_.linger);
  EXPECT_TRUE(connection_.is_over());
}

TEST_F(ConnectionTest, AHandlerMayTakeItsTime) {
  receive(kGet);
  static_cast<void>(request());
  EXPECT_EQ(connection_.due(), base::TimePoint::max());
  answer({});
  static_cast<void>(sent());
  pass(limits_.idle - milliseconds(1));
  EXPECT_FALSE(connection_.is_over());
  pass(milliseconds(1));
  EXPECT_TRUE(connection_.is_over());
}

TEST_F(ConnectionTest, APeerThatTakesNothingTimesOut) {
  receive(kGet);
  static_cast<void>(request());
  begin_stream();
  pass(limits_.write - milliseconds(1));
  connection_.sent(1, now_);
  pass(limits_.write - milliseconds(1));
  EXPECT_FALSE(connection_.is_over());
  pass(milliseconds(1));
  EXPECT_TRUE(connection_.is_over());
  EXPECT_EQ(connection_.reason(), StreamEnd::kTimedOut);
}

TEST_F(ConnectionTest, APeerThatHasSentEverythingStillGetsItsAnswers) {
  receive("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n");
  connection_.receive_end(now_);
  EXPECT_FALSE(connection_.wants_input());
  static_cast<void>(request());
  answer({.body = "1"});
  static_cast<void>(request());
  answer({.body = "2"});
  EXPECT_THAT(sent(), EndsWith("2"));
  EXPECT_TRUE(connection_.is_over());
}

TEST_F(ConnectionTest, AnAnswerThatComesLateChangesNothing) {
  receive(kGet);
  static_cast<void>(request());
  connection_.abandon(StreamEnd::kPeerGone);
  answer({});
  begin_stream();
  EXPECT_THAT(sent(), IsEmpty());
}

TEST_F(ConnectionTest, DrainingEndsAnIdleConnectionAtOnce) {
  connection_.drain(now_);
  EXPECT_TRUE(connection_.is_over());
}

TEST_F(ConnectionTest, DrainingLetsARequestEnd) {
  receive(kGet);
  static_cast<void>(request());
  connection_.drain(now_);
  EXPECT_FALSE(connection_.is_over());
  answer({.body = "x"});
  EXPECT_THAT(sent(), HasSubstr("Connection: close\r\n"));
  EXPECT_TRUE(connection_.is_over());
}

TEST_F(ConnectionTest, DrainingLetsAStreamEnd) {
  receive(kGet);
  static_cast<void>(request());
  begin_stream();
  connection_.drain(now_);
  connection_.send_piece("bye", now_);
  connection_.end_stream(now_);
  EXPECT_THAT(sent(), EndsWith("3\r\nbye\r\n0\r\n\r\n"));
  EXPECT_TRUE(connection_.is_over());
}

TEST_F(ConnectionTest, InvalidHttpBecomesAnError) {
  receive(kGet);
  static_cast<void>(request());
  answer({.headers = {{"Location", "/\r\nSet-Cookie: stolen"}}});
  EXPECT_THAT(sent(), AllOf(StartsWith("HTTP/1.1 500 "), Not(HasSubstr("stolen"))));
}

TEST_F(ConnectionTest, TheServersOwnHeadersCannotBeSet) {
  receive(kGet);
  static_cast<void>(request());
  answer({.headers = {{"content-length", "9"}, {"Transfer-Encoding", "chunked"}}, .body = "x"});
  EXPECT_THAT(sent(), AllOf(Not(HasSubstr("9")), Not(HasSubstr("chunked"))));
}

}  // namespace
}  // namespace clever::http::internal
