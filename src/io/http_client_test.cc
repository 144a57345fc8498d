#include "io/http_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <zlib.h>

#include <functional>
#include <limits>

#include "support/child_process.h"
#include "support/http_exchange.h"
#include "support/http_recorder.h"
#include "support/http_server.h"
#include "support/temporary_directory.h"

namespace clever::io {
namespace {

using namespace std::chrono_literals;
using test::always;
using test::ask;
using test::Cut;
using test::Framing;
using test::HttpRecorder;
using test::HttpReply;
using test::HttpServer;
using test::SeenRequest;
using test::Send;
using test::SendRaw;
using test::Stall;
using test::Wait;
using test::WaitFor;
using test::whole_reply;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

HttpRecorder::Seen ask_server(const HttpServer& server, HttpRequest request = {}) {
  HttpClient client;
  if (request.url.empty()) request.url = server.url();
  return ask(client, std::move(request));
}

void expect_one_failure(const HttpRecorder::Seen& seen, HttpFailure failure,
                        const ::testing::Matcher<const std::string&>& message) {
  test::expect_failure(seen, failure, message);
  EXPECT_EQ(seen.ends, 1);
  EXPECT_FALSE(seen.after_end);
}

void expect_one_answer(const HttpRecorder::Seen& seen, const std::string& body) {
  test::expect_whole(seen, body);
  EXPECT_EQ(seen.heads, 1);
  EXPECT_EQ(seen.ends, 1);
}

// ---- requests and answers

TEST(HttpClient, SendsMethodTargetHeadersAndBody) {
  HttpServer server(always(whole_reply("")));
  ask_server(server,
             {.url = server.url("/v1/chat?x=1"),
              .headers = {{"Authorization", "Bearer k"}, {"Content-Type", "application/json"}},
              .body = R"({"a":1})"});
  const SeenRequest request = server.requests().at(0);
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.target, "/v1/chat?x=1");
  EXPECT_EQ(request.header("authorization"), "Bearer k");
  EXPECT_EQ(request.header("content-type"), "application/json");
  EXPECT_EQ(request.body, R"({"a":1})");
}

TEST(HttpClient, SaysNothingThatWasNotAsked) {
  HttpServer server(always(whole_reply("")));
  ask_server(
      server,
      {.url = server.url(), .headers = {{"X-Empty", ""}}, .body = std::string(2U << 20U, 'x')});
  const SeenRequest request = server.requests().at(0);
  EXPECT_EQ(request.body.size(), 2U << 20U);
  for (const auto& [name, value] : request.headers) {
    EXPECT_THAT(name, ::testing::AnyOf("host", "user-agent", "accept", "accept-encoding", "x-empty",
                                       "content-length"))
        << value;
  }
}

TEST(HttpClient, GivesStatusVersionAndHeaders) {
  HttpServer server(
      always({.status = 429, .headers = {{"Retry-After", "7"}}, .steps = {Send{"slow down"}}}));
  const auto seen = ask_server(server);
  expect_one_answer(seen, "slow down");
  EXPECT_EQ(seen.head->status, 429);
  EXPECT_EQ(seen.head->version, "1.1");
  EXPECT_EQ(seen.head->header("retry-after"), "7");
}

void check_method(const std::string& method, const std::string& body) {
  HttpServer server(always(whole_reply("done")));
  HttpClient client;
  // A handle is used again after a POST: nothing of it may be left.
  ask(client, {.url = server.url(), .body = "before"});
  const auto seen = ask(client, {.method = method, .url = server.url(), .body = body});
  expect_one_answer(seen, method == "HEAD" ? "" : "done");
  const SeenRequest request = server.requests().at(1);
  EXPECT_EQ(request.method, method);
  EXPECT_EQ(request.body, body);
}

TEST(HttpClient, Gets) { check_method("GET", ""); }
TEST(HttpClient, GetsWithABody) { check_method("GET", "query"); }
TEST(HttpClient, Puts) { check_method("PUT", "content"); }
TEST(HttpClient, Patches) { check_method("PATCH", "content"); }
TEST(HttpClient, Deletes) { check_method("DELETE", ""); }

TEST(HttpClient, AsksForTheHeadAlone) {
  HttpServer server(always({.framing = Framing::kNone, .keep_alive = false}));
  const auto seen = ask_server(server, {.method = "HEAD", .url = server.url()});
  expect_one_answer(seen, "");
  EXPECT_EQ(server.requests().at(0).method, "HEAD");
}

TEST(HttpClient, HandsPiecesOverAsTheyCome) {
  HttpServer server(
      always({.framing = Framing::kChunked, .steps = {Send{"one"}, WaitFor{"go"}, Send{"two"}}}));
  HttpClient client;
  const auto recorder = std::make_shared<HttpRecorder>();
  const auto exchange = client.start({.url = server.url()}, recorder);
  EXPECT_EQ(recorder->wait_for_body("one").ends, 0);
  server.open_gate("go");
  expect_one_answer(recorder->wait_for_end(), "onetwo");
}

TEST(HttpClient, ARedirectIsAnAnswer) {
  HttpServer server(always({.status = 302, .headers = {{"Location", "/elsewhere"}}}));
  const auto seen = ask_server(server);
  expect_one_answer(seen, "");
  EXPECT_EQ(seen.head->status, 302);
  EXPECT_EQ(server.request_count(), 1U);
}

TEST(HttpClient, KeepsNoCookies) {
  HttpServer server(always({.headers = {{"Set-Cookie", "a=b"}}}));
  HttpClient client;
  ask(client, {.url = server.url()});
  ask(client, {.url = server.url()});
  EXPECT_EQ(server.requests().at(1).header("cookie"), "");
}

TEST(HttpClient, DropsInterimAnswers) {
  HttpServer server(always({.before_head = {SendRaw{"HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n"}},
                            .steps = {Send{"real"}}}));
  const auto seen = ask_server(server);
  expect_one_answer(seen, "real");
  EXPECT_EQ(seen.head->status, 200);
  EXPECT_EQ(seen.head->header("x"), std::nullopt);
}

TEST(HttpClient, UnpacksCompressedAnswers) {
  // "compressed body" as gzip.
  static constexpr unsigned char kGzip[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02,
                                            0xff, 0x4b, 0xce, 0xcf, 0x2d, 0x28, 0x4a, 0x2d, 0x2e,
                                            0x4e, 0x4d, 0x51, 0x48, 0xca, 0x4f, 0xa9, 0x04, 0x00,
                                            0xb7, 0xb4, 0xfb, 0x38, 0x0f, 0x00, 0x00, 0x00};
  const std::string packed(reinterpret_cast<const char*>(kGzip), sizeof(kGzip));
  HttpServer server(always({.headers = {{"Content-Encoding", "gzip"}}, .steps = {Send{packed}}}));
  expect_one_answer(ask_server(server), "compressed body");
  EXPECT_THAT(server.requests().at(0).header("accept-encoding"), HasSubstr("gzip"));
}

TEST(HttpClient, ReadsAnAnswerThatEndsWithItsConnection) {
  HttpServer server(always({.framing = Framing::kUntilClose, .steps = {Send{"to the end"}}}));
  expect_one_answer(ask_server(server), "to the end");
}

// ---- connections

TEST(HttpClient, UsesAConnectionAgain) {
  HttpServer server(always(whole_reply("done")));
  HttpClient client;
  EXPECT_FALSE(ask(client, {.url = server.url()}).end->reused_connection);
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(ask(client, {.url = server.url()}).end->reused_connection);
  }
  EXPECT_EQ(server.connections_opened(), 1U);
}

TEST(HttpClient, OpensAnotherConnectionWhenTheServerClosedTheKeptOne) {
  HttpServer server(always(whole_reply("done")));
  HttpClient client;
  expect_one_answer(ask(client, {.url = server.url()}), "done");
  server.close_idle_connections();
  const auto seen = ask(client, {.url = server.url()});
  // The end of the old connection may come too late to be noticed: then it is a cut, never a loss.
  if (seen.end->whole()) {
    expect_one_answer(seen, "done");
  } else {
    expect_one_failure(seen, HttpFailure::kCut, HasSubstr("reused connection"));
    EXPECT_TRUE(seen.end->reused_connection);
  }
}

// The server reads the second request of a connection and closes without a byte.
HttpReply processes_and_cuts(const SeenRequest& request) {
  if (request.number_on_connection == 1) return whole_reply("done");
  return {.before_head = {Cut{.reset = request.number % 2 == 0}}};
}

TEST(HttpClient, NeverSendsAPostTwice) {
  HttpServer server(processes_and_cuts);
  HttpClient client;
  for (const std::string body : {"first", "second"}) {
    expect_one_answer(ask(client, {.url = server.url(), .body = body}), "done");
    const auto seen = ask(client, {.url = server.url(), .body = body + " cut"});
    expect_one_failure(seen, HttpFailure::kCut, HasSubstr("may have been processed"));
    EXPECT_TRUE(seen.end->reused_connection);
  }
  EXPECT_EQ(server.request_count(), 4U);
}

TEST(HttpClient, TriesAGetAgainOnAFreshConnection) {
  HttpServer server(processes_and_cuts);
  HttpClient client;
  expect_one_answer(ask(client, {.method = "GET", .url = server.url()}), "done");
  expect_one_answer(ask(client, {.method = "GET", .url = server.url()}), "done");
  EXPECT_EQ(server.request_count(), 3U);
}

TEST(HttpClient, RunsThousandsOfStreamsAtOnce) {
  constexpr std::size_t kStreams = 2000;
  test::allow_many_connections();
  HttpServer server(
      always({.framing = Framing::kChunked, .steps = {Send{"one"}, WaitFor{"go"}, Send{"two"}}}));
  HttpClient client;
  std::vector<std::shared_ptr<HttpRecorder>> recorders(kStreams);
  for (auto& recorder : recorders) {
    recorder = std::make_shared<HttpRecorder>();
    client.start({.url = server.url()}, recorder);
  }
  ASSERT_TRUE(server.wait_for_waiting("go", kStreams));
  server.open_gate("go");
  for (const auto& recorder : recorders) expect_one_answer(recorder->wait_for_end(), "onetwo");
}

// ---- what goes wrong

TEST(HttpClient, ARefusedConnectionNamesThePlace) {
  std::string url;
  {
    const HttpServer gone(always({}));
    url = gone.url("/secret?key=hidden");
  }
  HttpClient client;
  expect_one_failure(ask(client, {.url = url}), HttpFailure::kConnect,
                     AllOf(HasSubstr("cannot connect to 127.0.0.1:"), Not(HasSubstr("hidden"))));
}

TEST(HttpClient, GoesToPublicAddressesAloneIfThatIsAsked) {
  HttpServer server(always(whole_reply("a")));
  HttpClient client;
  // A kept connection does not help.
  expect_one_answer(ask(client, {.url = server.url("/")}), "a");
  expect_one_failure(ask(client, {.url = server.url("/"), .public_only = true}),
                     HttpFailure::kConnect, HasSubstr("its address is not public"));
  expect_one_failure(ask(client, {.url = "http://localhost:" + std::to_string(server.port()),
                                  .public_only = true}),
                     HttpFailure::kConnect, HasSubstr("its address is not public"));
  EXPECT_EQ(server.request_count(), 1U);
}

#if defined(__has_feature)
#define CLEVER_HAS_FEATURE(name) __has_feature(name)
#else
#define CLEVER_HAS_FEATURE(name) 0
#endif
// The undefined-behaviour sanitizer needs descriptors itself to look at objects.
#if !CLEVER_HAS_FEATURE(address_sanitizer)
TEST(HttpClient, SaysThatThereAreNoDescriptorsLeft) {
  HttpServer server(always(whole_reply("done")));
  const std::string url = server.url();
  EXPECT_EQ(test::in_child([&] {
              HttpClient client;
              // Loads the library.
              if (!ask(client, {.url = url}).end->whole()) return 1;
              const rlimit none{.rlim_cur = 0, .rlim_max = 0};
              if (::setrlimit(RLIMIT_NOFILE, &none) != 0) return 2;
              const auto seen = ask(client, {.url = "http://127.0.0.2:1/"});
              return seen.end->failure == HttpFailure::kConnect &&
                             seen.end->message.contains("Too many open files")
                         ? 0
                         : 3;
            }),
            0);
}
#endif

TEST(HttpClient, AnUnknownHostIsNamed) {
  HttpClient client;
  expect_one_failure(ask(client, {.url = "http://nowhere.invalid/"}), HttpFailure::kResolve,
                     HasSubstr("nowhere.invalid:80"));
}

void check_bad_url(const std::string& url, const std::string& shown) {
  HttpClient client;
  expect_one_failure(ask(client, {.url = url}), HttpFailure::kBadUrl, HasSubstr(shown));
}

TEST(HttpClient, RefusesAnInvalidUrl) {
  check_bad_url("", "''");
  check_bad_url("api.example.com", "'api.example.com'");
  check_bad_url("ftp://example.com/x", "'ftp://example.com/x'");
  check_bad_url("file:///etc/passwd", "http:// or https://");
  check_bad_url("http://", "'http://'");
  check_bad_url("http://host:port/", "'http://host:port/'");
  check_bad_url("http://a b/", "a b:80");
  check_bad_url("http://host/a\nb", "host:80");
}

TEST(HttpClient, NeverShowsCredentials) {
  HttpClient client;
  expect_one_failure(ask(client, {.url = "ftp://user:secret@example.com/x?key=hidden"}),
                     HttpFailure::kBadUrl,
                     AllOf(Not(HasSubstr("secret")), Not(HasSubstr("hidden"))));
}

TEST(HttpClient, RefusesAHeaderWithALineBreak) {
  HttpServer server(always({}));
  const auto seen = ask_server(
      server, {.url = server.url(), .headers = {{"Authorization", "Bearer secret\nX: y"}}});
  expect_one_failure(seen, HttpFailure::kBadUrl,
                     AllOf(HasSubstr("'Authorization'"), Not(HasSubstr("secret"))));
  EXPECT_EQ(server.request_count(), 0U);
}

TEST(HttpClient, RefusesAMethodThatIsInvalid) {
  HttpServer server(always({}));
  expect_one_failure(ask_server(server, {.method = "GET /x", .url = server.url()}),
                     HttpFailure::kBadUrl, HasSubstr("(method)"));
}

void check_cut(const HttpReply& reply, const std::string& received) {
  HttpServer server(always(reply));
  const auto seen = ask_server(server);
  expect_one_failure(seen, HttpFailure::kCut,
                     HasSubstr("127.0.0.1:" + std::to_string(server.port())));
  EXPECT_EQ(seen.body, received);
}

TEST(HttpClient, AnAnswerShorterThanItsLengthIsCut) {
  check_cut({.content_length = 10, .steps = {Send{"short"}, Cut{.reset = false}}}, "short");
}
TEST(HttpClient, AResetInTheMiddleIsACut) {
  check_cut(
      {
          .content_length = 10,
          .steps = {Send{"short"}, Cut{}},
      },
      "short");
}
TEST(HttpClient, ChunksWithoutAnEndAreCut) {
  check_cut({.framing = Framing::kChunked, .steps = {Send{"short"}, Cut{.reset = false}}}, "short");
}
TEST(HttpClient, AConnectionWithoutAnAnswerIsCut) {
  check_cut({.before_head = {Cut{.reset = false}}}, "");
}
TEST(HttpClient, ACutInTheHeadIsACut) {
  check_cut({.before_head = {SendRaw{"HTTP/1.1 200 OK\r\nConte"}, Cut{.reset = false}}}, "");
}

TEST(HttpClient, ReportsAServerThatDoesNotSpeakHttp) {
  HttpServer server(
      always({.framing = Framing::kNone, .keep_alive = false, .raw_head = "SSH-2.0-x\r\n"}));
  expect_one_failure(ask_server(server), HttpFailure::kProtocol, HasSubstr("not HTTP"));
}

TEST(HttpClient, ABodyThatIsNotPackedAsItSaysIsAnError) {
  HttpServer server(
      always({.headers = {{"Content-Encoding", "gzip"}}, .steps = {Send{"not gzip"}}}));
  expect_one_failure(ask_server(server), HttpFailure::kProtocol, HasSubstr("127.0.0.1"));
}

TEST(HttpClient, RefusesAnAnswerAboveTheLimit) {
  HttpServer server(always(whole_reply(std::string(100'000, 'x'))));
  const auto seen = ask_server(server, {.url = server.url(), .answer_limit = 50'000});
  expect_one_failure(seen, HttpFailure::kTooLarge, HasSubstr("50000 bytes"));
  EXPECT_LE(seen.body.size(), 50'000U);
}

// So many zeros as gzip, which makes a thousandth of them.
std::string packed_zeros(std::size_t count) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY),
            Z_OK);
  std::string zeros(count, '\0');
  std::string packed(deflateBound(&stream, count), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(zeros.data());
  stream.avail_in = static_cast<uInt>(zeros.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

void check_bomb(Framing framing) {
  HttpServer server(always({.headers = {{"Content-Encoding", "gzip"}},
                            .framing = framing,
                            .steps = {Send{packed_zeros(std::size_t{48} << 20U)}}}));
  constexpr auto kNoLimit = std::numeric_limits<std::size_t>::max();
  const auto seen = ask_server(server, {.url = server.url(), .answer_limit = kNoLimit});
  expect_one_failure(seen, HttpFailure::kBomb, HasSubstr("decompression bomb"));
  EXPECT_LE(seen.body.size(), std::size_t{12} << 20U);
}

TEST(HttpClient, StopsUnpackingABomb) { check_bomb(Framing::kContentLength); }
TEST(HttpClient, StopsUnpackingABombInChunks) { check_bomb(Framing::kChunked); }

TEST(HttpClient, UnpacksAWellPackedAnswer) {
  HttpServer server(always({.headers = {{"Content-Encoding", "gzip"}},
                            .steps = {Send{packed_zeros(std::size_t{3} << 20U)}}}));
  expect_one_answer(ask_server(server), std::string(std::size_t{3} << 20U, '\0'));
}

void check_coding(const std::string& name, const std::string& value, bool refused) {
  SCOPED_TRACE(name + ": " + value);
  HttpServer server(always({.headers = {{name, value}}, .steps = {Send{packed_zeros(1)}}}));
  const auto seen = ask_server(server);
  EXPECT_EQ(seen.end->failure == HttpFailure::kBomb, refused) << seen.end->message;
}

TEST(HttpClient, RefusesWhatIsPackedTwice) {
  check_coding("Content-Encoding", "gzip, gzip", true);
  check_coding("Content-Encoding", "gzip", false);
  check_coding("Content-Encoding", "identity, gzip", false);
}

TEST(HttpClient, RefusesAnEndlessHead) {
  HttpReply reply = whole_reply("");
  for (int i = 0; i < 40; ++i) reply.headers.push_back({"X-Long", std::string(10'000, 'x')});
  HttpServer server(always(reply));
  const auto seen = ask_server(server);
  ASSERT_TRUE(seen.end.has_value());
  EXPECT_FALSE(seen.end->whole());
  EXPECT_EQ(seen.heads, 0);
}

TEST(HttpClient, ManyHeadersArriveWhole) {
  HttpReply reply = whole_reply("");
  for (int i = 0; i < 10; ++i) reply.headers.push_back({"X-Long", std::string(10'000, 'x')});
  HttpServer server(always(reply));
  const auto seen = ask_server(server);
  expect_one_answer(seen, "");
  EXPECT_EQ(std::ranges::count(seen.head->headers, "x-long", &HttpHeader::name), 10);
}

TEST(HttpClient, SaysWhichLibraryIsMissing) {
  HttpClient client({.library = "libcurl-that-is-not-there.so.4"});
  for (int i = 0; i < 2; ++i) {
    expect_one_failure(ask(client, {.url = "http://127.0.0.1/"}), HttpFailure::kNoLibrary,
                       HasSubstr("libcurl4"));
  }
}

// ---- deadlines

TEST(HttpClient, AConnectionHasADeadline) {
  // Accepts and says nothing: the TLS handshake hangs.
  HttpServer mute(always({}), {.mute = true});
  HttpClient client;
  expect_one_failure(ask(client, {.url = "https://localhost:" + std::to_string(mute.port()) + "/",
                                  .deadlines = {.connect = 20ms}}),
                     HttpFailure::kTimeout, HasSubstr("no connection to localhost:"));
}

TEST(HttpClient, TheFirstByteHasADeadline) {
  HttpServer server(always({.before_head = {Stall{}}}));
  expect_one_failure(ask_server(server, {.url = server.url(), .deadlines = {.first_byte = 20ms}}),
                     HttpFailure::kTimeout, HasSubstr("did not begin to answer within 20 ms"));
  EXPECT_TRUE(server.wait_for_closed_by_peer(1));
}

TEST(HttpClient, APauseInTheAnswerHasADeadline) {
  HttpServer server(always({.framing = Framing::kChunked, .steps = {Send{"begun"}, Stall{}}}));
  const auto seen = ask_server(server, {.url = server.url(), .deadlines = {.idle = 20ms}});
  expect_one_failure(seen, HttpFailure::kTimeout,
                     AllOf(HasSubstr("nothing for 20 ms"), HasSubstr("after 5 bytes")));
  EXPECT_EQ(seen.body, "begun");
  EXPECT_TRUE(server.wait_for_closed_by_peer(1));
}

TEST(HttpClient, PiecesPutTheIdleDeadlineOff) {
  HttpReply reply{.framing = Framing::kChunked};
  for (int i = 0; i < 30; ++i) {
    reply.steps.emplace_back(Send{"x"});
    reply.steps.emplace_back(Wait{10ms});
  }
  HttpServer server(always(reply));
  expect_one_answer(ask_server(server, {.url = server.url(), .deadlines = {.idle = 200ms}}),
                    std::string(30, 'x'));
}

TEST(HttpClient, TheWholeHasADeadline) {
  HttpReply reply{.framing = Framing::kChunked};
  for (int i = 0; i < 1000; ++i) {
    reply.steps.emplace_back(Send{"x"});
    reply.steps.emplace_back(Wait{5ms});
  }
  HttpServer server(always(reply));
  expect_one_failure(ask_server(server, {.url = server.url(), .deadlines = {.total = 1000ms}}),
                     HttpFailure::kTimeout, HasSubstr("not complete within 1 s"));
}

TEST(HttpClient, WorksWithoutAnyDeadline) {
  HttpServer server(always(whole_reply("done")));
  expect_one_answer(
      ask_server(server, {.url = server.url(),
                          .deadlines = {.connect = 0ms, .first_byte = 0ms, .idle = 0ms}}),
      "done");
}

// ---- cancelling

TEST(HttpClient, CancellingClosesTheStreamAtOnce) {
  HttpServer server(always({.framing = Framing::kChunked, .steps = {Send{"begun"}, Stall{}}}));
  HttpClient client;
  const auto recorder = std::make_shared<HttpRecorder>();
  const auto exchange = client.start({.url = server.url()}, recorder);
  recorder->wait_for_body("begun");
  exchange->cancel();
  exchange->cancel();
  EXPECT_TRUE(server.wait_for_closed_by_peer(1));
  expect_one_failure(recorder->wait_for_end(), HttpFailure::kCancelled, HasSubstr("was cancelled"));
}

TEST(HttpClient, CancellingRightAfterTheStartEndsIt) {
  HttpServer server(always({.before_head = {Stall{}}}));
  HttpClient client;
  const auto recorder = std::make_shared<HttpRecorder>();
  client.start({.url = server.url()}, recorder)->cancel();
  expect_one_failure(recorder->wait_for_end(), HttpFailure::kCancelled, HasSubstr("127.0.0.1:"));
}

TEST(HttpClient, CancellingWhatHasEndedDoesNothing) {
  HttpServer server(always(whole_reply("done")));
  HttpClient client;
  const auto recorder = std::make_shared<HttpRecorder>();
  const auto exchange = client.start({.url = server.url()}, recorder);
  recorder->wait_for_end();
  exchange->cancel();
  // The connection lives on.
  expect_one_answer(ask(client, {.url = server.url()}), "done");
  EXPECT_EQ(recorder->seen().ends, 1);
  EXPECT_EQ(server.connections_opened(), 1U);
}

TEST(HttpClient, AHandleMayOutliveTheClient) {
  HttpServer server(always({.before_head = {Stall{}}}));
  const auto recorder = std::make_shared<HttpRecorder>();
  std::unique_ptr<HttpExchange> exchange;
  {
    HttpClient client;
    exchange = client.start({.url = server.url()}, recorder);
  }
  exchange->cancel();
  EXPECT_EQ(recorder->seen().ends, 1);
}

TEST(HttpClient, DestroyingEndsEverythingInFlight) {
  constexpr std::size_t kStreams = 1000;
  test::allow_many_connections();
  HttpServer server(always({.framing = Framing::kChunked, .steps = {Send{"x"}, WaitFor{"never"}}}));
  std::vector<std::shared_ptr<HttpRecorder>> recorders(kStreams);
  {
    HttpClient client;
    for (std::size_t i = 0; i < kStreams; ++i) {
      recorders[i] = std::make_shared<HttpRecorder>();
      client.start({.url = server.url()}, recorders[i]);
      // Half of them are established, the rest anywhere between.
      if (i == kStreams / 2) {
        ASSERT_TRUE(server.wait_for_waiting("never", kStreams / 2));
      }
    }
  }
  for (const auto& recorder : recorders) {
    EXPECT_EQ(recorder->seen().ends, 1);
    EXPECT_EQ(recorder->seen().end->failure, HttpFailure::kCancelled);
  }
  EXPECT_TRUE(server.wait_for_closed_by_peer(kStreams / 2));
}

// ---- sinks that do more than listen

class Reaction final : public HttpSink {
 public:
  explicit Reaction(std::function<void()> on_end) : on_end_(std::move(on_end)) {}
  void on_head(const HttpHead& /*head*/) override {}
  void on_data(std::string_view /*bytes*/) override {}
  void on_end(const HttpEnd& /*end*/) override { on_end_(); }

 private:
  std::function<void()> on_end_;
};

TEST(HttpClient, ASinkMayStartAnother) {
  HttpServer server(always(whole_reply("done")));
  HttpClient client;
  const auto second = std::make_shared<HttpRecorder>();
  client.start({.url = server.url()}, std::make_shared<Reaction>([&] {
                 client.start({.url = server.url("/second")}, second);
               }));
  expect_one_answer(second->wait_for_end(), "done");
}

TEST(HttpClient, ASinkThatStartsAnotherDuringTheEndGetsACancelledOne) {
  HttpServer server(always({.before_head = {Stall{}}}));
  const auto second = std::make_shared<HttpRecorder>();
  {
    HttpClient client;
    client.start({.url = server.url()}, std::make_shared<Reaction>([&] {
                   client.start({.url = server.url("/second")}, second);
                 }));
    ASSERT_TRUE(server.wait_for_requests(1));
  }
  expect_one_failure(second->seen(), HttpFailure::kCancelled, HasSubstr("127.0.0.1"));
}

}  // namespace
}  // namespace clever::io
