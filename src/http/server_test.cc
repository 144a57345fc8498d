#include "http/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <deque>
#include <optional>
#include <string>

#include "base/monitor.h"
#include "io/http_client.h"
#include "support/certificate.h"
#include "support/http_exchange.h"
#include "support/raw_client.h"
#include "support/temporary_directory.h"
#include "support/together.h"

namespace clever::http {
namespace {

using std::chrono::seconds;
using test::RawClient;
using test::TemporaryDirectory;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// Takes what a handler gets, so that the test can act as one.
template <class T>
class Slot {
 public:
  void put(T value) {
    held_.update([&](auto& held) { held.push_back(std::move(value)); });
  }
  T take() {
    return held_
        .update_when(
            {}, base::Deadline::never(), [](const auto& held) { return !held.empty(); },
            [](auto& held) {
              T value = std::move(held.front());
              held.pop_front();
              return value;
            })
        .value();
  }

 private:
  base::Monitor<std::deque<T>> held_;
};

class ServerTest : public ::testing::Test {
 protected:
  static Options on_loopback(Limits limits = {}) {
    return {.listen = {{.host = "127.0.0.1"}}, .limits = limits};
  }
  std::unique_ptr<Server> open(Options options, Handler handler) {
    auto server = Server::open(std::move(options), std::move(handler), pool_, clock_);
    EXPECT_TRUE(server.ok()) << server.error().to_string();
    return std::move(server).value();
  }
  // Hands requests over to the test.
  std::unique_ptr<Server> open(Options options) {
    return open(std::move(options),
                [this](std::shared_ptr<const Request> request, Responder responder) {
                  requests_.put(std::move(request));
                  responders_.put(std::move(responder));
                });
  }
  static std::unique_ptr<Server> checked(base::Result<std::unique_ptr<Server>> server) {
    return std::move(server).value();
  }
  Responder::OnClose note_end() {
    return [this](StreamEnd end) { ends_.put(end); };
  }

  Slot<std::shared_ptr<const Request>> requests_;
  Slot<Responder> responders_;
  Slot<StreamEnd> ends_;
  base::SimulatedClock clock_;
  base::ThreadPool pool_{{.name = "handlers", .threads = 2}};
};

Handler echo() {
  return [](std::shared_ptr<const Request> request, Responder responder) {
    responder.answer({.body = request->method + " " + request->target + " " + request->body});
  };
}

// After this the server has seen everything that was sent to it before.
void settle(const Server& server) {
  RawClient client(server.addresses()[0].port);
  client.ask("/settle");
  client.read_until("GET /settle ");
}

TEST_F(ServerTest, AnswersOverTcp) {
  const auto server = open(on_loopback(), echo());
  EXPECT_NE(server->addresses()[0].port, 0);
  RawClient client(server->addresses()[0].port);
  client.ask("/a");
  EXPECT_THAT(client.read_until("GET /a "), StartsWith("HTTP/1.1 200 OK\r\n"));
  client.send("POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
  EXPECT_THAT(client.read_until("hello"), EndsWith("POST /b hello"));
}

TEST_F(ServerTest, AnswersAtOnceWhatNeedsNoHandler) {
  Options options = on_loopback();
  options.at_once = [](const Request& request) {
    return request.target == "/fast" ? std::optional(Response{.body = "fast"}) : std::nullopt;
  };
  const auto server = open(std::move(options), echo());
  RawClient client(server->addresses()[0].port);
  client.send(
      "GET /fast HTTP/1.1\r\nHost: x\r\n\r\nHEAD /fast HTTP/1.1\r\nHost: x\r\n\r\n"
      "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
  const std::string all = client.read_until("GET /slow ");
  EXPECT_THAT(all, HasSubstr("\r\n\r\nfastHTTP/1.1 200 OK\r\n"));
  EXPECT_EQ(all.find("fast"), all.rfind("fast")) << "the answer to HEAD has no body";
  EXPECT_EQ(server->counts().requests, 3U);
}

TEST_F(ServerTest, AnswersOnAUnixSocket) {
  const TemporaryDirectory folder;
  const auto server = open({.listen = {{.socket = folder / "s"}}});
  struct stat file{};
  ASSERT_EQ(::stat((folder / "s").c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 07777U, 0600U);
  RawClient client(folder / "s");
  client.ask("/a");
  const auto request = requests_.take();
  EXPECT_TRUE(request->peer.unix_socket);
  EXPECT_THAT(request->peer.address, IsEmpty());
  responders_.take().answer({.body = "through a file"});
  EXPECT_THAT(client.read_until("file"), EndsWith("through a file"));
}

TEST_F(ServerTest, RemovesItsSocketAtTheEnd) {
  const TemporaryDirectory folder;
  {
    const auto server = open({.listen = {{.socket = folder / "s"}}});
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "s"));
}

TEST_F(ServerTest, ReplacesASocketWithoutAListener) {
  const TemporaryDirectory folder;
  {
    const auto server = open({.listen = {{.socket = folder / "s"}}});
    std::filesystem::rename(folder / "s", folder / "left");
  }
  std::filesystem::rename(folder / "left", folder / "s");
  const auto server = open({.listen = {{.socket = folder / "s"}}}, echo());
  RawClient client(folder / "s");
  client.ask("/a");
  EXPECT_THAT(client.read_until("GET /a "), StartsWith("HTTP/1.1 200"));
}

TEST_F(ServerTest, LeavesTheSocketOfAnotherServerAlone) {
  const TemporaryDirectory folder;
  const auto first = open({.listen = {{.socket = folder / "s"}}}, echo());
  const auto second = Server::open({.listen = {{.socket = folder / "s"}}}, echo(), pool_, clock_);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code(), base::ErrorCode::kAlreadyExists);
  RawClient client(folder / "s");
  client.ask("/a");
  EXPECT_THAT(client.read_until("GET /a "), StartsWith("HTTP/1.1 200"));
}

TEST_F(ServerTest, NeverReplacesAFile) {
  const TemporaryDirectory folder;
  folder.write("s", "mine");
  const auto server = Server::open({.listen = {{.socket = folder / "s"}}}, echo(), pool_, clock_);
  ASSERT_FALSE(server.ok());
  EXPECT_THAT(server.error().message(), HasSubstr("not a socket"));
  EXPECT_EQ(folder.read("s"), "mine");
}

TEST_F(ServerTest, SaysWhichAddressItCannotHave) {
  const auto first = open(on_loopback(), echo());
  const auto second = Server::open({.listen = {first->addresses()[0]}}, echo(), pool_, clock_);
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(second.error().message(), HasSubstr(first->addresses()[0].text()));
  EXPECT_FALSE(Server::open({.listen = {{.host = "example.org"}}}, echo(), pool_, clock_).ok());
}

TEST_F(ServerTest, AnAnswerMayComeLaterFromAnyThread) {
  const auto server = open(on_loopback());
  RawClient client(server->addresses()[0].port);
  client.ask("/a");
  Responder responder = responders_.take();
  EXPECT_EQ(requests_.take()->peer.address, "127.0.0.1");
  test::together(2,
                 [&](int worker) { responder.answer({.body = "from " + std::to_string(worker)}); });
  EXPECT_THAT(client.read_until("from "), StartsWith("HTTP/1.1 200"));
  EXPECT_FALSE(responder.answer({}));
}

TEST_F(ServerTest, ARequestThatIsNotAnsweredIsAnError) {
  const auto server = open(on_loopback(), [](std::shared_ptr<const Request>, Responder) {});
  RawClient client(server->addresses()[0].port);
  client.ask("/a");
  EXPECT_THAT(client.read_until("}\n"),
              AllOf(StartsWith("HTTP/1.1 500 Internal Server Error\r\n"),
                    HasSubstr("application/problem+json"), HasSubstr("\"status\":500")));
}

TEST_F(ServerTest, PipelinedRequestsAreAnsweredInOrder) {
  const auto server = open(on_loopback(), echo());
  RawClient client(server->addresses()[0].port);
  std::string all;
  for (int i = 0; i < 50; ++i) {
    all += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: a\r\n\r\n";
  }
  client.send(all);
  for (int i = 0; i < 50; ++i) {
    EXPECT_THAT(client.read_until("GET /" + std::to_string(i) + " "), StartsWith("HTTP/1.1 200"));
  }
}

TEST_F(ServerTest, PipelinedGarbageIsRefusedInItsTurn) {
  const auto server = open(on_loopback(), echo());
  RawClient client(server->addresses()[0].port);
  client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n\x01\x02garbage\r\n\r\n");
  EXPECT_THAT(client.read_all(), AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("HTTP/1.1 400")));
  EXPECT_FALSE(client.was_reset());
}

TEST_F(ServerTest, ARefusalIsSeenByAClientThatStillSends) {
  Limits limits;
  limits.body_bytes = 10;
  const auto server = open(on_loopback(limits), echo());
  RawClient client(server->addresses()[0].port);
  client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
  client.try_send(std::string(100'000, 'x'));
  EXPECT_THAT(client.read_all(), StartsWith("HTTP/1.1 413"));
  EXPECT_FALSE(client.was_reset());
}

TEST_F(ServerTest, AClientThatHasSentEverythingGetsItsAnswer) {
  const auto server = open(on_loopback());
  RawClient client(server->addresses()[0].port);
  client.ask("/a");
  client.shut();
  responders_.take().answer({.body = "late"});
  EXPECT_THAT(client.read_all(), EndsWith("late"));
}

TEST_F(ServerTest, ALongAnswerArrivesWhole) {
  const std::string body(5'000'000, 'x');
  const auto server = open(on_loopback(), [&](std::shared_ptr<const Request>, Responder responder) {
    responder.answer({.body = body, .close = true});
  });
  RawClient client(server->addresses()[0].port);
  client.ask("/");
  const std::string all = client.read_all();
  EXPECT_EQ(all.substr(all.find("\r\n\r\n") + 4), body);
}

// ---- streams

TEST_F(ServerTest, StreamsEvents) {
  const auto server = open(on_loopback());
  RawClient client(server->addresses()[0].port);
  client.ask("/events");
  Stream stream =
      responders_.take().stream({.headers = {{"Content-Type", "text/event-stream"}}}, note_end());
  EXPECT_THAT(client.read_until("\r\n\r\n"),
              AllOf(HasSubstr("text/event-stream"), HasSubstr("Transfer-Encoding: chunked")));
  EXPECT_EQ(stream.send("data: 1\n\n"), Stream::Sent::kAccepted);
  EXPECT_EQ(client.read_until("\n\n\r\n"), "9\r\ndata: 1\n\n\r\n");
  EXPECT_EQ(server->counts().streams, 1U);
  stream.close();
  EXPECT_EQ(client.read_until("0\r\n\r\n"), "0\r\n\r\n");
  EXPECT_EQ(ends_.take(), StreamEnd::kClosed);
  EXPECT_EQ(stream.send("late"), Stream::Sent::kClosed);
  EXPECT_EQ(server->counts().streams, 0U);
  client.ask("/again");
  responders_.take().answer({.body = "kept"});
  EXPECT_THAT(client.read_until("kept"), StartsWith("HTTP/1.1 200"));
}

TEST_F(ServerTest, TellsWhenAWatcherHasGone) {
  const auto server = open(on_loopback());
  std::optional<RawClient> client(server->addresses()[0].port);
  client->ask("/events");
  const Stream closed = responders_.take().stream({}, note_end());
  client.reset();
  EXPECT_EQ(ends_.take(), StreamEnd::kPeerGone);

  RawClient other(server->addresses()[0].port);
  other.ask("/events");
  const Stream reset = responders_.take().stream({}, note_end());
  other.reset();
  EXPECT_EQ(ends_.take(), StreamEnd::kPeerGone);
}

TEST_F(ServerTest, CutsOffASlowReader) {
  const auto server = open(on_loopback());
  RawClient client(server->addresses()[0].port);
  client.ask("/events");
  Stream stream = responders_.take().stream({}, note_end());
  const std::string piece(100'000, 'x');
  Stream::Sent sent = Stream::Sent::kAccepted;
  while (sent == Stream::Sent::kAccepted) sent = stream.send(piece);
  EXPECT_EQ(sent, Stream::Sent::kFull);
  EXPECT_EQ(ends_.take(), StreamEnd::kSlowReader);
  EXPECT_EQ(stream.send(piece), Stream::Sent::kClosed);
}

TEST_F(ServerTest, ThereAreOnlySoManyStreams) {
  Limits limits;
  limits.streams = 1;
  const auto server = open(on_loopback(limits));
  RawClient first(server->addresses()[0].port);
  first.ask("/events");
  const Stream stream = responders_.take().stream({}, note_end());
  RawClient second(server->addresses()[0].port);
  second.ask("/events");
  Stream refused = responders_.take().stream({}, note_end());
  EXPECT_EQ(ends_.take(), StreamEnd::kRefused);
  EXPECT_EQ(refused.send("x"), Stream::Sent::kClosed);
  EXPECT_THAT(second.read_until("}\n"), StartsWith("HTTP/1.1 503"));
}

TEST_F(ServerTest, StoppingEndsStreams) {
  auto server = open(on_loopback());
  RawClient client(server->addresses()[0].port);
  client.ask("/events");
  Responder responder = responders_.take();
  Stream stream = responder.stream({}, note_end());
  server.reset();
  EXPECT_EQ(ends_.take(), StreamEnd::kStopped);
  EXPECT_EQ(stream.send("x"), Stream::Sent::kClosed);
  EXPECT_TRUE(responder.is_over());
  client.read_all();
}

TEST_F(ServerTest, HandlesMayOutliveTheServer) {
  std::optional<Responder> responder;
  {
    const auto server = open(on_loopback());
    RawClient client(server->addresses()[0].port);
    client.ask("/a");
    responder.emplace(responders_.take());
  }
  EXPECT_FALSE(responder->answer({}));
  EXPECT_TRUE(responder->is_over());
}

// ---- limits

TEST_F(ServerTest, ThereAreOnlySoManyConnections) {
  Limits limits;
  limits.connections_per_address = 2;
  const auto server = open(on_loopback(limits), echo());
  std::optional<RawClient> first(server->addresses()[0].port);
  settle(*server);
  RawClient second(server->addresses()[0].port);
  second.ask("/a");
  second.read_until("/a ");
  EXPECT_THAT(RawClient(server->addresses()[0].port).read_all(), StartsWith("HTTP/1.1 503"));
  first.reset();
  second.ask("/b");
  second.read_until("/b ");
  settle(*server);
}

TEST_F(ServerTest, ABusyPoolIsSaidAtOnce) {
  base::ThreadPool full({.name = "full", .threads = 1, .queue_limit = 0});
  const auto server = checked(Server::open(on_loopback(), echo(), full, clock_));
  RawClient client(server->addresses()[0].port);
  client.ask("/a");
  EXPECT_THAT(client.read_until("}\n"), StartsWith("HTTP/1.1 503"));
  client.ask("/b");
  EXPECT_THAT(client.read_until("}\n"), StartsWith("HTTP/1.1 503"));
}

TEST_F(ServerTest, RequestsAreHeldUpToALimit) {
  Limits limits;
  limits.held_bytes = 100'000;
  const auto server = open(on_loopback(limits));
  const int port = server->addresses()[0].port;
  RawClient first(port);
  first.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n" +
             std::string(70'000, 'x'));
  auto request = requests_.take();
  Responder responder = responders_.take();
  // The handler holds the first body: there is no room for another.
  RawClient second(port);
  second.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n" +
              std::string(50'000, 'x'));
  EXPECT_THAT(second.read_all(), StartsWith("HTTP/1.1 503"));
  EXPECT_EQ(server->counts().requests, 1U);
  EXPECT_EQ(server->counts().refused, 1U);
  request.reset();
  responder.answer({.body = "held"});
  EXPECT_THAT(first.read_until("held"), StartsWith("HTTP/1.1 200"));
  RawClient third(port);
  third.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n" +
             std::string(70'000, 'x'));
  responders_.take().answer({.body = "room"});
  EXPECT_THAT(third.read_until("room"), StartsWith("HTTP/1.1 200"));
}

TEST_F(ServerTest, ThousandsOfIdleConnectionsAreServed) {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  const std::size_t count = std::min<std::size_t>(2'000, files.rlim_max / 2 - 50);
  Limits limits;
  limits.connections_per_address = count;
  const auto server = open(on_loopback(limits), echo());
  std::deque<RawClient> clients;
  for (std::size_t i = 0; i < count; ++i) clients.emplace_back(server->addresses()[0].port);
  for (const RawClient& client : clients) client.ask("/a");
  for (RawClient& client : clients)
    EXPECT_THAT(client.read_until("/a "), StartsWith("HTTP/1.1 200"));
  EXPECT_EQ(server->counts().connections, count);
}

// ---- time

TEST_F(ServerTest, RefusesAndClosesASlowClient) {
  const auto server = open(on_loopback(), echo());
  RawClient slow(server->addresses()[0].port);
  slow.send("GET / HTTP/1.1\r\nHo");
  settle(*server);
  clock_.advance(Limits{}.read_head);
  settle(*server);
  EXPECT_THAT(slow.read_all(), StartsWith("HTTP/1.1 408"));
}

TEST_F(ServerTest, AnIdleConnectionIsClosed) {
  const auto server = open(on_loopback(), echo());
  RawClient idle(server->addresses()[0].port);
  idle.ask("/a");
  idle.read_until("/a ");
  clock_.advance(Limits{}.idle);
  settle(*server);
  EXPECT_THAT(idle.read_all(), IsEmpty());
}

TEST_F(ServerTest, AReaderThatTakesNothingIsClosed) {
  Limits limits;
  limits.stream_buffer_bytes = std::size_t{64} << 20U;
  const auto server = open(on_loopback(limits));
  RawClient client(server->addresses()[0].port);
  client.ask("/events");
  Stream stream = responders_.take().stream({}, note_end());
  requests_.take();
  stream.send(std::string(std::size_t{40} << 20U, 'x'));
  const auto poke = [&] {
    RawClient other(server->addresses()[0].port);
    other.ask("/poke");
    responders_.take().answer({.body = "poked"});
    other.read_until("poked");
  };
  poke();
  clock_.advance(limits.write);
  poke();
  EXPECT_EQ(ends_.take(), StreamEnd::kTimedOut);
}

// ---- TLS, with curl's client

class TlsServerTest : public ServerTest {
 protected:
  TlsServerTest() { issue(); }
  void issue() {
    const test::Certificate certificate = authority_.issue();
    folder_.write("certificate.pem", certificate.certificate);
    folder_.write("key.pem", certificate.key);
  }
  Options options() {
    Options options = on_loopback();
    options.tls = TlsFiles{.certificate = folder_ / "certificate.pem", .key = folder_ / "key.pem"};
    return options;
  }
  test::HttpRecorder::Seen get(const Server& server, const std::string& path) {
    return test::ask(
        client_, {.method = "GET",
                  .url = "https://localhost:" + std::to_string(server.addresses()[0].port) + path});
  }

  const TemporaryDirectory folder_;
  const test::CertificateAuthority authority_;
  io::HttpClient client_{{.extra_authorities = folder_.write("authority.pem", authority_.pem())}};
};

TEST_F(TlsServerTest, AnswersOverTls) {
  const std::string body(3'000'000, 'x');
  const auto server =
      open(options(), [&](std::shared_ptr<const Request> request, Responder responder) {
        EXPECT_TRUE(request->peer.tls);
        responder.answer({.body = body});
      });
  for (int i = 0; i < 3; ++i) test::expect_whole(get(*server, "/a"), body);
}

TEST_F(TlsServerTest, StreamsOverTls) {
  const auto server = open(options(), [](std::shared_ptr<const Request>, Responder responder) {
    Stream stream = responder.stream({});
    for (int i = 0; i < 100; ++i) stream.send("piece " + std::to_string(i) + "\n");
  });
  const auto seen = get(*server, "/events");
  EXPECT_TRUE(seen.end->whole());
  EXPECT_THAT(seen.body, AllOf(StartsWith("piece 0\n"), EndsWith("piece 99\n")));
}

TEST_F(TlsServerTest, ClosesInOrder) {
  const auto server = open(options(), [](std::shared_ptr<const Request>, Responder responder) {
    responder.answer({.body = std::string(100'000, 'x'), .close = true});
  });
  test::expect_whole(get(*server, "/a"), std::string(100'000, 'x'));
}

TEST_F(TlsServerTest, TakesANewCertificateWithoutARestart) {
  const auto server = open(options(), echo());
  test::expect_whole(get(*server, "/a"), "GET /a ");
  issue();
  EXPECT_TRUE(server->reload_certificate().ok());
  test::expect_whole(get(*server, "/b"), "GET /b ");
  folder_.write("key.pem", "");
  EXPECT_FALSE(server->reload_certificate().ok());
  test::expect_whole(get(*server, "/c"), "GET /c ");
}

TEST_F(TlsServerTest, PlainHttpIsNotAnswered) {
  const auto server = open(options(), echo());
  RawClient client(server->addresses()[0].port);
  client.ask("/a");
  EXPECT_THAT(client.read_all(), ::testing::Not(HasSubstr("HTTP")));
}

TEST_F(TlsServerTest, AHandshakeThatStallsTimesOut) {
  const auto server = open(options(), echo());
  RawClient client(server->addresses()[0].port);
  client.send("\x16\x03\x01");
  get(*server, "/settle");
  clock_.advance(Limits{}.read_head);
  get(*server, "/settle");
  EXPECT_THAT(client.read_all(), IsEmpty());
}

TEST_F(TlsServerTest, NeedsItsFiles) {
  folder_.write("certificate.pem", "");
  EXPECT_FALSE(Server::open(options(), echo(), pool_, clock_).ok());
  const auto plain = open(on_loopback(), echo());
  EXPECT_FALSE(plain->reload_certificate().ok());
}

// ---- the end

TEST_F(ServerTest, DrainsInOrder) {
  const auto server = open(on_loopback());
  const int port = server->addresses()[0].port;
  RawClient idle(port);
  RawClient busy(port);
  busy.ask("/busy");
  Responder responder = responders_.take();
  RawClient watching(port);
  watching.ask("/events");
  Stream stream = responders_.take().stream({});
  base::SystemClock system;
  const auto now = base::Deadline::after(system, std::chrono::milliseconds(0));
  EXPECT_EQ(server->drain({}, now).error().code(), base::ErrorCode::kDeadlineExceeded);
  EXPECT_THAT(idle.read_all(), IsEmpty());
  responder.answer({.body = "done"});
  EXPECT_THAT(busy.read_all(), AllOf(HasSubstr("Connection: close"), EndsWith("done")));
  stream.send("bye");
  stream.close();
  EXPECT_THAT(watching.read_all(), EndsWith("3\r\nbye\r\n0\r\n\r\n"));
  EXPECT_TRUE(server->drain({}, base::Deadline::never()).ok());
  EXPECT_EQ(server->counts().connections, 0U);
}

}  // namespace
}  // namespace clever::http
