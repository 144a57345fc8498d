#include "support/http_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <deque>

#include "support/raw_client.h"

namespace clever::test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using Client = RawClient;

std::string answer_to_get(const HttpReply& reply) {
  HttpServer server(always(reply));
  Client client(server.port());
  client.ask("/");
  return client.read_all();
}

TEST(HttpServer, AnswersWithTheLengthOfTheBody) {
  HttpServer server(always(whole_reply("hello", "text/plain", 201)));
  Client client(server.port());
  client.ask("/path?x=1");
  EXPECT_EQ(client.read_until("hello"),
            "HTTP/1.1 201 Status\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello");
}

TEST(HttpServer, ShowsTheRequestToTheHandler) {
  HttpServer server([](const SeenRequest& request) {
    return whole_reply(request.method + " " + request.target + " " + request.header("x-name") +
                       " " + request.body + " " + request.header("absent") + ";");
  });
  Client client(server.port());
  client.send("POST /a?b HTTP/1.1\r\nX-Name:  Value \r\nContent-Length: 4\r\n\r\nbo");
  client.send("dy");
  EXPECT_THAT(client.read_until(";"), EndsWith("POST /a?b Value body ;"));
}

TEST(HttpServer, ReadsAChunkedRequest) {
  HttpServer server([](const SeenRequest& request) { return whole_reply(request.body + ";"); });
  Client client(server.port());
  client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n");
  client.send("a\r\n0123456789\r\n0\r\n\r\n");
  EXPECT_THAT(client.read_until(";"), EndsWith("\r\n\r\none0123456789;"));
}

TEST(HttpServer, TellsAClientThatAsksToContinue) {
  HttpServer server([](const SeenRequest& request) { return whole_reply(request.body + ";"); });
  Client client(server.port());
  client.send("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("ab");
  EXPECT_THAT(client.read_until(";"), EndsWith("ab;"));
}

TEST(HttpServer, ServesRequestsThatCameTogether) {
  HttpServer server([](const SeenRequest& request) { return whole_reply(request.target + ";"); });
  Client client(server.port());
  client.send("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n");
  EXPECT_THAT(client.read_until("/1;"), EndsWith("/1;"));
  EXPECT_THAT(client.read_until("/2;"), EndsWith("/2;"));
  const std::vector<SeenRequest> seen = server.requests();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[1].number, 2U);
  EXPECT_EQ(seen[1].connection, 1U);
  EXPECT_EQ(seen[1].number_on_connection, 2U);
}

TEST(HttpServer, ClosesOnWhatIsNotHttp) {
  HttpServer server(always({}));
  Client client(server.port());
  client.send("hello there\r\n\r\n");
  EXPECT_EQ(client.read_all(), "");
  EXPECT_EQ(server.request_count(), 0U);
}

TEST(HttpServer, ClosesOnChunksThatAreInvalid) {
  HttpServer server(always({}));
  Client client(server.port());
  client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
  EXPECT_EQ(client.read_all(), "");
}

TEST(HttpServer, FramesByChunks) {
  EXPECT_THAT(answer_to_get({.framing = Framing::kChunked,
                             .steps = {Send{std::string(26, 'x')}, Send{"y"}},
                             .keep_alive = false}),
              EndsWith("\r\n\r\n1a\r\n" + std::string(26, 'x') + "\r\n1\r\ny\r\n0\r\n\r\n"));
}

TEST(HttpServer, FramesByTheEndOfTheConnection) {
  const std::string answer =
      answer_to_get({.framing = Framing::kUntilClose, .steps = {Send{"all"}}});
  EXPECT_THAT(answer, EndsWith("Connection: close\r\n\r\nall"));
  EXPECT_THAT(answer, ::testing::Not(HasSubstr("Content-Length")));
}

TEST(HttpServer, CanLieAboutTheLength) {
  EXPECT_THAT(answer_to_get({.content_length = 10, .steps = {Send{"short"}}, .keep_alive = false}),
              HasSubstr("Content-Length: 10\r\n"));
}

TEST(HttpServer, SendsRawBytesInsteadOfAHead) {
  EXPECT_EQ(answer_to_get({.framing = Framing::kNone,
                           .steps = {SendRaw{"tail"}},
                           .keep_alive = false,
                           .raw_head = "head "}),
            "head tail");
}

TEST(HttpServer, SaysNothingOfABodyThatIsInvalid) {
  EXPECT_EQ(answer_to_get({.status = 204, .framing = Framing::kNone, .keep_alive = false}),
            "HTTP/1.1 204 Status\r\nConnection: close\r\n\r\n");
}

TEST(HttpServer, CutsByAReset) {
  HttpServer server(always({.content_length = 9, .steps = {Send{"half"}, Cut{}}}));
  Client client(server.port());
  client.ask("/");
  client.read_all();
  EXPECT_TRUE(client.was_reset());
  EXPECT_EQ(server.connections_closed_by_peer(), 0U);
}

TEST(HttpServer, CutsByTheEndOfTheStream) {
  HttpServer server(
      always({.content_length = 9, .steps = {Send{"half"}, Cut{.reset = false}, Send{"rest"}}}));
  Client client(server.port());
  client.ask("/");
  EXPECT_THAT(client.read_all(), EndsWith("half"));
  EXPECT_FALSE(client.was_reset());
}

TEST(HttpServer, SendsALargeBodyBeforeItCuts) {
  const std::string large(std::size_t{8} << 20U, 'x');
  HttpServer server(
      always({.framing = Framing::kUntilClose, .steps = {Send{large}, Cut{.reset = false}}}));
  Client client(server.port());
  client.ask("/");
  const std::string answer = client.read_all();
  EXPECT_EQ(answer.substr(answer.find("\r\n\r\n") + 4).size(), large.size());
}

TEST(HttpServer, SendsALargeBodyBeforeItCloses) {
  const std::string large(std::size_t{8} << 20U, 'x');
  const std::string answer = answer_to_get({.steps = {Send{large}}, .keep_alive = false});
  EXPECT_EQ(answer.substr(answer.find("\r\n\r\n") + 4).size(), large.size());
}

TEST(HttpServer, WaitsAtAGateUntilItIsOpened) {
  HttpServer server(
      always({.framing = Framing::kChunked, .steps = {Send{"one;"}, WaitFor{"go"}, Send{"two;"}}}));
  Client client(server.port());
  client.ask("/");
  EXPECT_THAT(client.read_until("one;"), EndsWith("one;"));
  ASSERT_TRUE(server.wait_for_waiting("go", 1));
  EXPECT_EQ(server.replies_finished(), 0U);
  server.open_gate("go");
  EXPECT_THAT(client.read_until("0\r\n\r\n"), HasSubstr("two;"));
  EXPECT_TRUE(server.wait_for_replies(1));
}

TEST(HttpServer, AnOpenGateStaysOpen) {
  HttpServer server(always({.steps = {WaitFor{"go"}, Send{"done;"}}}));
  server.open_gate("go");
  Client client(server.port());
  client.ask("/");
  EXPECT_THAT(client.read_until("done;"), EndsWith("done;"));
}

TEST(HttpServer, WaitsBeforeTheHead) {
  HttpServer server(always({.before_head = {WaitFor{"go"}}, .steps = {Send{"body;"}}}));
  Client client(server.port());
  client.ask("/");
  ASSERT_TRUE(server.wait_for_waiting("go", 1));
  server.open_gate("go");
  EXPECT_THAT(client.read_until("body;"), StartsWith("HTTP/1.1 200"));
}

TEST(HttpServer, WaitsForATime) {
  HttpServer server(always({.framing = Framing::kChunked,
                            .steps = {Send{"a"}, Wait{std::chrono::milliseconds(2)}, Send{"b"},
                                      Wait{std::chrono::milliseconds(1)}, Send{"c"}}}));
  Client client(server.port());
  client.ask("/");
  EXPECT_THAT(client.read_until("0\r\n\r\n"), EndsWith("1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n"));
}

TEST(HttpServer, SeesThatTheClientGaveUp) {
  HttpServer server(always({.framing = Framing::kChunked, .steps = {Send{"one;"}, Stall{}}}));
  {
    Client client(server.port());
    client.ask("/");
    client.read_until("one;");
  }
  EXPECT_TRUE(server.wait_for_closed_by_peer(1));
}

TEST(HttpServer, ClosesIdleConnectionsOnDemand) {
  HttpServer server(always(whole_reply("done;")));
  Client used(server.port());
  used.ask("/");
  used.read_until("done;");
  server.close_idle_connections();
  EXPECT_EQ(used.read_all(), "");
}

TEST(HttpServer, AWaitHasALimit) {
  HttpServer server(always({}));
  EXPECT_FALSE(server.wait_for_requests(1, std::chrono::seconds(0)));
  EXPECT_FALSE(server.wait_for_connections(1, std::chrono::seconds(0)));
  EXPECT_FALSE(server.wait_for_waiting("go", 1, std::chrono::seconds(0)));
}

TEST(HttpServer, CanRefuseEverybody) {
  HttpServer server(always({}), {.refuse = true});
  Client client(server.port());
  EXPECT_EQ(client.read_all(), "");
  EXPECT_TRUE(server.wait_for_connections(1));
}

TEST(HttpServer, CanSayNothingAtAll) {
  std::optional<HttpServer> server(std::in_place, always(whole_reply("x")),
                                   HttpServerOptions{.mute = true});
  Client client(server->port());
  client.ask("/");
  EXPECT_TRUE(server->wait_for_connections(1));
  EXPECT_EQ(server->request_count(), 0U);
  server.reset();
  EXPECT_EQ(client.read_all(), "");
}

TEST(HttpServer, ClosesOnWhatBeginsLikeTls) {
  HttpServer server(always({}));
  Client client(server.port());
  client.send("\x16\x03\x01");
  EXPECT_EQ(client.read_all(), "");
}

TEST(HttpServer, CountsRequestsThatItDoesNotKeep) {
  HttpServer server(always(whole_reply("done;")), {.keep_requests = false});
  Client client(server.port());
  client.ask("/");
  client.read_until("done;");
  EXPECT_TRUE(server.wait_for_requests(1));
  EXPECT_TRUE(server.requests().empty());
}

TEST(HttpServer, PassesBytesThroughATunnel) {
  HttpServer target(always(whole_reply("target;")));
  HttpServer proxy(always({.framing = Framing::kNone, .steps = {Tunnel{.port = target.port()}}}));
  Client client(proxy.port());
  client.send("CONNECT any:1 HTTP/1.1\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 200 Status\r\n\r\n");
  client.ask("/through");
  EXPECT_THAT(client.read_until("target;"), EndsWith("target;"));
  EXPECT_EQ(target.requests().at(0).target, "/through");
}

TEST(HttpServer, HoldsThousandsOfConnections) {
  constexpr std::size_t kClients = 2000;
  allow_many_connections();
  HttpServer server(
      always({.framing = Framing::kChunked, .steps = {Send{"one;"}, WaitFor{"go"}, Send{"two"}}}));
  std::deque<Client> clients;
  for (std::size_t i = 0; i < kClients; ++i) clients.emplace_back(server.port()).ask("/");
  ASSERT_TRUE(server.wait_for_waiting("go", kClients));
  EXPECT_EQ(server.connections_opened(), kClients);
  server.open_gate("go");
  for (Client& client : clients) EXPECT_THAT(client.read_until("0\r\n\r\n"), HasSubstr("two"));
}

TEST(HttpServer, EndsWithConnectionsOpen) {
  std::optional<HttpServer> server(std::in_place, always({.steps = {Send{"x"}, Stall{}}}));
  Client client(server->port());
  client.ask("/");
  client.read_until("x");
  server.reset();
  EXPECT_EQ(client.read_all(), "");
}

// What a TLS client that trusts `trusted` makes of the server's certificate.
long verification(const HttpServer& server, const std::string& trusted, const char* host,
                  std::string* answer = nullptr) {
  SSL_CTX* context = SSL_CTX_new(TLS_client_method());
  BIO* text = BIO_new_mem_buf(trusted.data(), static_cast<int>(trusted.size()));
  X509* authority = PEM_read_bio_X509(text, nullptr, nullptr, nullptr);
  X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority);
  Client client(server.port());
  SSL* tls = SSL_new(context);
  SSL_set_fd(tls, client.descriptor());
  SSL_set1_host(tls, host);
  SSL_connect(tls);
  if (answer != nullptr) {
    const std::string_view request = "GET / HTTP/1.1\r\n\r\n";
    SSL_write(tls, request.data(), static_cast<int>(request.size()));
    std::array<char, 1024> buffer{};
    for (int got = 0; (got = SSL_read(tls, buffer.data(), buffer.size())) > 0;) {
      answer->append(buffer.data(), static_cast<std::size_t>(got));
    }
  }
  const long result = SSL_get_verify_result(tls);
  SSL_free(tls);
  X509_free(authority);
  BIO_free(text);
  SSL_CTX_free(context);
  return result;
}

TEST(HttpServer, SpeaksTls) {
  const CertificateAuthority authority;
  HttpServer server(always({.steps = {Send{"secret"}}, .keep_alive = false}),
                    {.certificate = authority.issue()});
  EXPECT_THAT(server.url("/x"), StartsWith("https://localhost:"));
  std::string answer;
  EXPECT_EQ(verification(server, authority.pem(), "localhost", &answer), X509_V_OK);
  EXPECT_THAT(answer, EndsWith("secret"));
}

TEST(Certificate, OfAnotherAuthorityIsNotTrusted) {
  const CertificateAuthority authority;
  const CertificateAuthority other;
  HttpServer server(always({}), {.certificate = other.issue()});
  EXPECT_NE(verification(server, authority.pem(), "localhost"), X509_V_OK);
}

TEST(Certificate, CanBeSignedByItself) {
  const CertificateAuthority authority;
  HttpServer server(always({}), {.certificate = self_signed()});
  EXPECT_EQ(verification(server, authority.pem(), "localhost"),
            X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT);
}

TEST(Certificate, CanHaveExpired) {
  const CertificateAuthority authority;
  HttpServer server(always({}),
                    {.certificate = authority.issue(
                         {.from = std::chrono::hours(-2), .until = std::chrono::hours(-1)})});
  EXPECT_EQ(verification(server, authority.pem(), "localhost"), X509_V_ERR_CERT_HAS_EXPIRED);
}

TEST(Certificate, CanBeForAnotherHost) {
  const CertificateAuthority authority;
  HttpServer server(always({}), {.certificate = authority.issue({.host = "elsewhere.example"})});
  EXPECT_EQ(verification(server, authority.pem(), "localhost"), X509_V_ERR_HOSTNAME_MISMATCH);
}

}  // namespace
}  // namespace clever::test
