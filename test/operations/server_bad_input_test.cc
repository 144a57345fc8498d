// What clients send that they should not, to `agents server` as it ships: each gets a clear status,
// or the end of its connection, at a bounded cost, and the server serves the next one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include "support/jumping_clock.h"
#include "support/repository.h"
#include "support/server_run.h"

namespace clever::server {
namespace {

using test::RawClient;
using test::ServerAnswer;
using test::ServerRun;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

int status_of(const std::string& answer) {
  return answer.size() < 12 ? 0 : std::stoi(answer.substr(9, 3));
}

void ask(const RawClient& client, const std::string& target) {
  client.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
}

// %A in a row: the headers of a client that may do everything.
std::string with_token(std::string text, const ServerRun& server) {
  const std::string headers = "Host: localhost\r\nAuthorization: Bearer " + server.token() + "\r\n";
  const std::size_t at = text.find("%A");
  return at == std::string::npos ? text : text.replace(at, 2, headers);
}

// ---- Bytes that no two readers should understand differently, and too many of them. ----

struct BadBytes {
  const char* name;
  std::string bytes;
  int status;
};

std::vector<BadBytes> bad_bytes() {
  const std::string post = "POST /v1/plans HTTP/1.1\r\n%AContent-Type: application/json\r\n";
  const std::string get = "GET /v1/me HTTP/1.1\r\n%A";
  const std::string chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
  const auto json = [&post](const std::string& body) {
    return post + "Connection: close\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
  };
  const std::string inner = "GET /v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n";
  return {
      // Smuggling.
      {"BothLengths",
       post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + inner, 400},
      {"TwoLengths", post + "Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}" + inner, 400},
      {"BareLineFeed", "GET /v1/me HTTP/1.1\n%A\r\n", 400},
      {"FoldedHeader", get + "X-A: a\r\n b\r\n\r\n", 400},
      {"ChunkExtension", chunked + "2;a=b\r\n{}\r\n0\r\n\r\n" + inner, 400},
      {"ChunkShorterThanItsSize", chunked + "1\r\n{}\r\n0\r\n\r\n" + inner, 400},
      {"OtherCoding", post + "Transfer-Encoding: gzip, chunked\r\n\r\n", 501},
      {"TwoHosts", get + "Host: evil.example\r\n\r\n", 400},
      // Too much.
      {"LongTarget", "GET /v1/plans?state=" + std::string(9'000, 'a') + " HTTP/1.1\r\n%A\r\n", 414},
      {"LongHeader", get + "X-A: " + std::string(40'000, 'a') + "\r\n\r\n", 431},
      {"ManyHeaders",
       get +
           [] {
             std::string all;
             for (int i = 0; i < 200; ++i) all += "X-" + std::to_string(i) + ": a\r\n";
             return all;
           }() +
           "\r\n",
       431},
      {"LongBody", post + "Content-Length: 9000000\r\n\r\n", 413},
      {"EndlessChunks", chunked + "ffffffff\r\n", 413},
      // Bombs: nothing that is packed is unpacked.
      {"PackedBody", post + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n\x1f\x8b", 415},
      {"PackedByZstd", post + "Content-Encoding: zstd\r\nContent-Length: 1\r\n\r\n(", 415},
      // JSON.
      {"DeepLists", json(std::string(100'000, '[')), 400},
      {"DeepMaps", json([] {
         std::string all;
         for (int i = 0; i < 50'000; ++i) all += R"({"a":)";
         return all;
       }()),
       400},
      {"CutJson", json(R"({"task":)"), 400},
      {"TwoKeys", json(R"({"task":"a","task":"b"})"), 400},
      {"JsonOfAnotherShape", json(R"({"task":[{"a":1}]})"), 400},
      {"HugeNumber", json(R"({"task":"a","budget_usd":1e999})"), 400},
      {"NoUtf8InJson", json("{\"task\":\"\xff\xfe\"}"), 400},
      {"HalfASurrogate", json(R"({"task":"\ud800"})"), 400},
      {"NulInJson", json(std::string("{\"task\":\"a\0b\"}", 14)), 400},
      // Text.
      {"NoUtf8InTarget", "GET /v1/plans/%ff HTTP/1.1\r\n%A\r\n", 400},
      {"NoUtf8InQuery", "GET /v1/plans?state=%c3%28 HTTP/1.1\r\n%A\r\n", 400},
      {"NulInTarget", "GET /v1/plans/%00 HTTP/1.1\r\n%A\r\n", 400},
      {"UpwardsInTarget", "GET /v1/plans/%2e%2e/settings HTTP/1.1\r\n%A\r\n", 400},
      {"ControlInHeader", get + "X-A: a\x01\r\n\r\n", 400},
      {"Garbage", std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc", 9), 400},
  };
}

class BadBytesTest : public ::testing::Test {
 protected:
  const ServerRun server_;
};

// One server takes all of them, one after the other, and answers well in between.
TEST_F(BadBytesTest, GetAStatusAndTheEndOfTheConnection) {
  for (const BadBytes& bad : bad_bytes()) {
    SCOPED_TRACE(bad.name);
    RawClient client(server_.port());
    static_cast<void>(client.try_send(with_token(bad.bytes, server_)));
    const std::string answer = client.read_all();
    EXPECT_EQ(status_of(answer), bad.status) << answer.substr(0, 300);
    EXPECT_THAT(answer, HasSubstr("application/problem+json"));
    // What came behind it is not taken for a request.
    EXPECT_EQ(answer.find("HTTP/1.1", 1), std::string::npos) << answer;
    EXPECT_EQ(server_.ask("GET", "/v1/me").status, 200);
  }
  EXPECT_EQ(server_.ask("GET", "/v1/plans").body.find("plan_id"), std::string::npos);
}

TEST_F(BadBytesTest, ACutRequestIsNotDone) {
  for (const char* part :
       {"POST /v1/plans HTTP/1.1\r\nHost: local",
        "POST /v1/plans HTTP/1.1\r\n%AContent-Length: 20\r\n\r\n{\"task\":",
        "POST /v1/plans HTTP/1.1\r\n%ATransfer-Encoding: chunked\r\n\r\n5\r\n{\"ta"}) {
    RawClient cut(server_.port());
    cut.send(with_token(part, server_));
    cut.shut();
    EXPECT_EQ(status_of(cut.read_all()), 400) << part;
    RawClient gone(server_.port());
    gone.send(with_token(part, server_));
    gone.reset();
  }
  EXPECT_EQ(server_.ask("GET", "/v1/plans").body.find("plan_id"), std::string::npos);
}

TEST_F(BadBytesTest, GarbageBehindARequestIsRefusedInItsTurn) {
  RawClient client(server_.port());
  client.send(with_token("GET /v1/me HTTP/1.1\r\n%A\r\nnonsense \x01\r\n\r\n", server_));
  const std::string answers = client.read_all();
  EXPECT_THAT(answers, AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("HTTP/1.1 400")));
}

// ---- Peers that take their time, and those that have gone without a word. ----

TEST(SlowPeers, TimeOutAndCostTheOthersNothing) {
  const ServerRun server({}, {{"CLEVERAGENTS_SERVER_LIMITS_READ_HEAD", "300ms"},
                              {"CLEVERAGENTS_SERVER_LIMITS_READ_BODY", "300ms"},
                              {"CLEVERAGENTS_SERVER_LIMITS_IDLE", "300ms"}});
  RawClient slow_head(server.port());
  slow_head.send("GET /healthz HTTP/1.1\r\nHost: loc");
  RawClient slow_body(server.port());
  slow_body.send(with_token("POST /v1/plans HTTP/1.1\r\n%AContent-Length: 20\r\n\r\n{", server));
  RawClient silent(server.port());
  RawClient idle(server.port());
  ask(idle, "/healthz");
  EXPECT_EQ(server.ask("GET", "/v1/me").status, 200);
  EXPECT_EQ(status_of(slow_head.read_all()), 408);
  EXPECT_EQ(status_of(slow_body.read_all()), 408);
  EXPECT_EQ(silent.read_all(), "");
  EXPECT_EQ(status_of(idle.read_all()), 200);
}

// A peer that is gone without a FIN takes nothing more, as one that does not read.
TEST(SlowPeers, AReaderThatTakesNothingIsCutOff) {
  const ServerRun server({}, {{"CLEVERAGENTS_SERVER_LIMITS_WRITE", "300ms"},
                              {"CLEVERAGENTS_SERVER_LIMITS_IDLE", "900ms"}});
  constexpr std::size_t kRequests = 500;
  RawClient gone(server.port());
  for (std::size_t i = 0; i < kRequests; ++i) ask(gone, "/v1/openapi.json");
  // The end of an idle connection shows that the other one's time is over too.
  RawClient idle(server.port());
  ask(idle, "/healthz");
  EXPECT_EQ(status_of(idle.read_all()), 200);
  const std::string answers = gone.read_all();
  std::size_t count = 0;
  for (std::size_t at = 0; (at = answers.find("HTTP/1.1 200", at)) != std::string::npos; ++at) {
    ++count;
  }
  EXPECT_LT(count, kRequests);
}

TEST(TooMany, ConnectionsOfOneAddressAreRefusedAndOthersServed) {
  const ServerRun server({}, {{"CLEVERAGENTS_SERVER_LIMITS_PER_ADDRESS", "3"}});
  std::vector<RawClient> open;
  for (int i = 0; i < 3; ++i) {
    open.emplace_back(server.port());
    ask(open.back(), "/healthz");
    EXPECT_EQ(status_of(open.back().read_until("\r\n\r\n")), 200);
  }
  RawClient more(server.port());
  ask(more, "/healthz");
  EXPECT_EQ(status_of(more.read_all()), 503);
  RawClient local(server.home() / "server.sock");
  local.send(ServerRun::request("GET", "/healthz", ""));
  EXPECT_EQ(status_of(local.read_all()), 200);
}

TEST(Limits, OfZeroAreRefusedAtTheStart) {
  test::CliRun run;
  run.set("CLEVERAGENTS_SERVER_LIMITS_BODY", "50%");
  EXPECT_EQ(run.run({"server", "--listen", "127.0.0.1:0"}), 2);
  EXPECT_THAT(run.error_output, HasSubstr("server.limits.body: expected more than 0"));
}

// ---- The same once more, and times that change. ----

/// A server with a project on which its model has done everything at once.
class ServerAtWork : public ::testing::Test {
 protected:
  ServerAtWork() {
    repository_.write("a.txt", "a\n");
    repository_.commit();
    const auto script = server_.folder().write("script.yaml", "rules:\n- reply: Done.\n");
    EXPECT_EQ(
        server_.ask("PATCH", "/v1/settings", R"({"provider.script":")" + script.string() + "\"}")
            .status,
        200);
    EXPECT_EQ(
        server_.ask("POST", "/v1/projects", R"({"path":")" + repository_.path().string() + "\"}")
            .status,
        201);
  }

  // Before the server's threads.
  const test::Repository repository_;
  test::JumpingClock clock_;
  ServerRun server_{{}, {}, {.clock = &clock_}};
};

TEST_F(ServerAtWork, ARequestThatIsReplayedDoesNothingTwice) {
  const std::string body = R"({"task":"one","direct":true})";
  const ServerAnswer first = server_.ask("POST", "/v1/plans", body, "Idempotency-Key: a\r\n");
  EXPECT_EQ(first.status, 201);
  for (int i = 0; i < 3; ++i) {
    const ServerAnswer again = server_.ask("POST", "/v1/plans", body, "Idempotency-Key: a\r\n");
    EXPECT_EQ(again.status, 201);
    EXPECT_EQ(again.body, first.body);
  }
  EXPECT_EQ(server_.ask("POST", "/v1/plans", R"({"task":"two"})", "Idempotency-Key: a\r\n").status,
            409);
  EXPECT_EQ(server_.ask("POST", "/v1/plans", body, "Idempotency-Key: a b\r\n").status, 400);
  const std::string plans = server_.ask("GET", "/v1/plans").body;
  EXPECT_EQ(plans.find("plan_id"), plans.rfind("plan_id"));
}

// An administrator, or the first answer of a time server.
TEST_F(ServerAtWork, AClockThatJumpsStopsNothing) {
  using std::chrono::hours;
  const std::string token = server_.token();
  RawClient watcher(server_.port());
  watcher.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token +
               "\r\nAccept: text/event-stream\r\n\r\n");
  watcher.read_until("event: hello");
  for (const hours by : {hours(0), hours(-24), hours(48), hours(-1000), hours(1000)}) {
    SCOPED_TRACE(by.count());
    clock_.jump(by);
    const std::string task = "after " + std::to_string(by.count());
    const ServerAnswer made =
        server_.ask("POST", "/v1/plans", R"({"task":")" + task + R"(","direct":true})");
    ASSERT_EQ(made.status, 201) << made.body;
    const auto plan = model::parse_document(made.body).value();
    const std::string id = std::get<std::string>(plan.find("plan_id")->value());
    clock_.jump(hours(1));
    while (!server_.ask("GET", "/v1/plans/" + id).body.contains(R"("state":"complete")")) {
    }
    EXPECT_THAT(watcher.read_until(task), HasSubstr(task));
  }
}

}  // namespace
}  // namespace clever::server
