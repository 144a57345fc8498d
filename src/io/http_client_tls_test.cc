// TLS, HTTP/2 and proxies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/http_client.h"
#include "support/http2_front.h"
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
using test::expect_failure;
using test::expect_whole;
using test::Framing;
using test::HttpRecorder;
using test::HttpReply;
using test::HttpServer;
using test::SeenRequest;
using test::Send;
using test::Stall;
using test::Tunnel;
using test::WaitFor;
using test::whole_reply;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::shared_ptr<HttpRecorder>> start_many(Http& http, const std::string& url,
                                                      std::size_t count) {
  std::vector<std::shared_ptr<HttpRecorder>> recorders;
  for (std::size_t i = 0; i < count; ++i) {
    recorders.push_back(std::make_shared<HttpRecorder>());
    http.start({.url = url}, recorders.back());
  }
  return recorders;
}

class HttpClientTls : public ::testing::Test {
 protected:
  [[nodiscard]] HttpClientOptions trusting() const { return {.extra_authorities = file_}; }

  test::TemporaryDirectory folder_;
  test::CertificateAuthority authority_;
  std::filesystem::path file_ = folder_.write("authority.pem", authority_.pem());
};

TEST_F(HttpClientTls, AcceptsAnAddedAuthority) {
  HttpServer server(always(whole_reply("trusted")), {.certificate = authority_.issue()});
  HttpClient client(trusting());
  expect_whole(ask(client, {.url = server.url()}), "trusted");
}

TEST_F(HttpClientTls, AcceptsTheAuthoritiesThatTheEnvironmentNames) {
  HttpServer server(always(whole_reply("trusted")), {.certificate = authority_.issue()});
  HttpClient client({.environment = Environment({{"SSL_CERT_FILE", file_.string()}})});
  expect_whole(ask(client, {.url = server.url()}), "trusted");
}

TEST_F(HttpClientTls, RefusesAnUnknownAuthority) {
  HttpServer server(always(whole_reply("x")), {.certificate = authority_.issue()});
  HttpClient client;
  expect_failure(ask(client, {.url = server.url()}), HttpFailure::kTls,
                 AllOf(HasSubstr("localhost:"), HasSubstr("issuer"), HasSubstr("SSL_CERT_FILE")));
  EXPECT_EQ(server.request_count(), 0U);
}

TEST_F(HttpClientTls, RefusesACertificateSignedByItself) {
  HttpServer server(always(whole_reply("x")), {.certificate = test::self_signed()});
  HttpClient client(trusting());
  expect_failure(ask(client, {.url = server.url()}), HttpFailure::kTls, HasSubstr("self"));
}

TEST_F(HttpClientTls, RefusesAnExpiredCertificate) {
  HttpServer server(always(whole_reply("x")),
                    {.certificate = authority_.issue({.from = -2h, .until = -1h})});
  HttpClient client(trusting());
  expect_failure(ask(client, {.url = server.url()}), HttpFailure::kTls, HasSubstr("expired"));
}

TEST_F(HttpClientTls, RefusesACertificateForAnotherHost) {
  HttpServer server(always(whole_reply("x")),
                    {.certificate = authority_.issue({.host = "elsewhere.example"})});
  HttpClient client(trusting());
  expect_failure(ask(client, {.url = server.url()}), HttpFailure::kTls, HasSubstr("localhost"));
}

TEST_F(HttpClientTls, SaysThatAServerSpeaksNoTls) {
  HttpServer server(always(whole_reply("x")));
  HttpClient client(trusting());
  expect_failure(ask(client, {.url = "https://localhost:" + std::to_string(server.port())}),
                 HttpFailure::kTls, HasSubstr("speaks https"));
}

TEST_F(HttpClientTls, NamesAFileOfAuthoritiesThatIsMissing) {
  HttpClient added({.extra_authorities = folder_ / "missing.pem"});
  expect_failure(ask(added, {.url = "https://localhost/"}), HttpFailure::kTls,
                 HasSubstr("missing.pem"));
  HttpServer server(always(whole_reply("x")), {.certificate = authority_.issue()});
  HttpClient named(
      {.environment = Environment({{"SSL_CERT_FILE", (folder_ / "none.pem").string()}})});
  expect_failure(ask(named, {.url = server.url()}), HttpFailure::kTls, HasSubstr("none.pem"));
}

TEST_F(HttpClientTls, ManyConnectionsComeUpAtOnceWhereNoneCanBeShared) {
  constexpr std::size_t kStreams = 100;
  HttpServer server(always({.framing = Framing::kChunked, .steps = {Send{"x"}, WaitFor{"go"}}}),
                    {.certificate = authority_.issue()});
  HttpClient client(trusting());
  const auto recorders = start_many(client, server.url(), kStreams);
  ASSERT_TRUE(server.wait_for_waiting("go", kStreams));
  server.open_gate("go");
  for (const auto& recorder : recorders) expect_whole(recorder->wait_for_end(), "x");
}

// ---- HTTP/2

class HttpClientHttp2 : public HttpClientTls {
 protected:
  void serve(test::HttpHandler handler) {
    server_.emplace(std::move(handler));
    front_.emplace(server_->port(), authority_.issue());
  }

  std::optional<HttpServer> server_;
  std::optional<test::Http2Front> front_;
};

TEST_F(HttpClientHttp2, IsSpokenWhereItCanBe) {
  serve([](const SeenRequest& request) { return whole_reply("got " + request.body); });
  HttpClient client(trusting());
  const auto seen = ask(client, {.url = front_->url("/v1"), .body = "this"});
  expect_whole(seen, "got this");
  EXPECT_EQ(seen.head->version, "2");
  EXPECT_EQ(seen.head->header("content-type"), "text/plain");
}

TEST_F(HttpClientHttp2, ManyStreamsShareAConnection) {
  serve(always({.framing = Framing::kChunked, .steps = {Send{"one"}, WaitFor{"go"}, Send{"two"}}}));
  HttpClient client(trusting());
  const auto recorders = start_many(client, front_->url(), 50);
  ASSERT_TRUE(server_->wait_for_waiting("go", 50));
  server_->open_gate("go");
  int connections = 0;
  for (const auto& recorder : recorders) {
    const auto seen = recorder->wait_for_end();
    expect_whole(seen, "onetwo");
    if (!seen.end->reused_connection) ++connections;
  }
  EXPECT_EQ(connections, 1);
}

TEST_F(HttpClientHttp2, FurtherConnectionsAreOpenedWhenOneIsFull) {
  serve(always({.framing = Framing::kChunked, .steps = {Send{"one"}, WaitFor{"go"}, Send{"two"}}}));
  HttpClient client(trusting());
  const auto recorders = start_many(client, front_->url(), 450);
  ASSERT_TRUE(server_->wait_for_waiting("go", 450));
  server_->open_gate("go");
  int connections = 0;
  for (const auto& recorder : recorders) {
    const auto seen = recorder->wait_for_end();
    expect_whole(seen, "onetwo");
    if (!seen.end->reused_connection) ++connections;
  }
  EXPECT_GE(connections, 5);
  EXPECT_LE(connections, 10);
}

TEST_F(HttpClientHttp2, AStreamThatIsResetIsCut) {
  serve(always({.framing = Framing::kChunked, .steps = {Send{"short"}, WaitFor{"go"}, Cut{}}}));
  HttpClient client(trusting());
  const auto recorder = std::make_shared<HttpRecorder>();
  client.start({.url = front_->url()}, recorder);
  recorder->wait_for_body("short");
  server_->open_gate("go");
  expect_failure(recorder->wait_for_end(), HttpFailure::kCut,
                 AllOf(HasSubstr("localhost:"), HasSubstr("5 bytes")));
}

TEST_F(HttpClientHttp2, CancellingTheOnlyStreamClosesItAtOnce) {
  serve([](const SeenRequest& request) -> HttpReply {
    if (request.target == "/quick") return whole_reply("done");
    return {.framing = Framing::kChunked, .steps = {Send{"begun"}, Stall{}}};
  });
  HttpClient client(trusting());
  const auto recorder = std::make_shared<HttpRecorder>();
  const auto exchange = client.start({.url = front_->url("/slow")}, recorder);
  recorder->wait_for_body("begun");
  exchange->cancel();
  EXPECT_TRUE(server_->wait_for_closed_by_peer(1));
  expect_whole(ask(client, {.url = front_->url("/quick")}), "done");
}

TEST_F(HttpClientHttp2, CancellingOneOfManyReachesTheServerWhileTheOthersAreQuiet) {
  serve(
      always({.framing = Framing::kChunked, .steps = {Send{"begun"}, WaitFor{"go"}, Send{"end"}}}));
  HttpClient client(trusting());
  const auto quiet = start_many(client, front_->url(), 3);
  const auto recorder = std::make_shared<HttpRecorder>();
  const auto exchange = client.start({.url = front_->url()}, recorder);
  ASSERT_TRUE(server_->wait_for_waiting("go", 4));
  for (const auto& other : quiet) other->wait_for_body("begun");
  recorder->wait_for_body("begun");
  exchange->cancel();
  EXPECT_TRUE(server_->wait_for_closed_by_peer(1));
  server_->open_gate("go");
  for (const auto& other : quiet) expect_whole(other->wait_for_end(), "begunend");
}

// ---- proxies

HttpClientOptions with_proxy(Environment::Entries entries) {
  return {.environment = Environment(std::move(entries))};
}

std::string proxy_url(const HttpServer& proxy, const std::string& credentials = "") {
  return "http://" + credentials + "127.0.0.1:" + std::to_string(proxy.port());
}

TEST(HttpClientProxy, IsAskedForTheWholeUrl) {
  HttpServer proxy(always(whole_reply("by proxy")));
  HttpClient client(with_proxy({{"http_proxy", proxy_url(proxy, "user:secret@")}}));
  expect_whole(ask(client, {.url = "http://api.example.invalid/v1"}), "by proxy");
  const SeenRequest request = proxy.requests().at(0);
  EXPECT_EQ(request.target, "http://api.example.invalid/v1");
  EXPECT_EQ(request.header("proxy-authorization"), "Basic dXNlcjpzZWNyZXQ=");
}

TEST(HttpClientProxy, IsNotAskedForHostsThatTheEnvironmentExcludes) {
  HttpServer proxy(always(whole_reply("by proxy")));
  HttpClient client(
      with_proxy({{"HTTP_PROXY", proxy_url(proxy)}, {"NO_PROXY", "other.invalid,.invalid"}}));
  expect_failure(ask(client, {.url = "http://api.example.invalid/v1"}), HttpFailure::kResolve,
                 HasSubstr("api.example.invalid"));
  EXPECT_EQ(proxy.request_count(), 0U);
}

TEST(HttpClientProxy, IsNotAskedForThisMachine) {
  HttpServer proxy(always(whole_reply("by proxy")));
  HttpServer server(always(whole_reply("direct")));
  HttpClient client(with_proxy({{"all_proxy", proxy_url(proxy)}}));
  expect_whole(ask(client, {.url = server.url()}), "direct");
}

TEST_F(HttpClientTls, GoesThroughAProxysTunnel) {
  HttpServer server(always(whole_reply("through")),
                    {.certificate = authority_.issue({.host = "api.example.invalid"})});
  HttpServer proxy(always({.framing = Framing::kNone, .steps = {Tunnel{.port = server.port()}}}));
  HttpClientOptions options = with_proxy({{"HTTPS_PROXY", proxy_url(proxy)}});
  options.extra_authorities = file_;
  HttpClient client(options);
  const auto seen = ask(client, {.url = "https://api.example.invalid/v1"});
  expect_whole(seen, "through");
  EXPECT_EQ(seen.heads, 1);
  EXPECT_EQ(proxy.requests().at(0).method, "CONNECT");
  EXPECT_EQ(proxy.requests().at(0).target, "api.example.invalid:443");
  EXPECT_EQ(server.requests().at(0).header("proxy-authorization"), "");
}

TEST(HttpClientProxy, ThatRefusesIsNamedWithoutItsPassword) {
  HttpServer proxy(always({.status = 407, .steps = {Send{"no"}}}));
  HttpClient client(with_proxy({{"https_proxy", proxy_url(proxy, "user:secret@")}}));
  expect_failure(ask(client, {.url = "https://api.example.invalid/v1"}), HttpFailure::kConnect,
                 AllOf(HasSubstr("127.0.0.1:" + std::to_string(proxy.port())), HasSubstr("407"),
                       HasSubstr("api.example.invalid:443"), Not(HasSubstr("secret"))));
}

TEST(HttpClientProxy, ThatIsNotThereIsNamed) {
  std::string gone;
  {
    const HttpServer proxy(always({}));
    gone = proxy_url(proxy, "user:secret@");
  }
  HttpClient client(with_proxy({{"https_proxy", gone}}));
  expect_failure(ask(client, {.url = "https://api.example.invalid/v1"}), HttpFailure::kConnect,
                 AllOf(HasSubstr("through the proxy 127.0.0.1:"), Not(HasSubstr("secret"))));
}

TEST(HttpClientProxy, ABrokenUrlDoesNotRevealItsPassword) {
  HttpClient client(with_proxy({{"http_proxy", "http://user:secret@host name:1/"}}));
  const auto seen = ask(client, {.url = "http://api.example.invalid/v1"});
  ASSERT_TRUE(seen.end.has_value());
  EXPECT_FALSE(seen.end->whole());
  EXPECT_THAT(seen.end->message, Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace clever::io
