// `agents server` asked over sockets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "server/routes.h"
#include "support/repository.h"
#include "support/server_run.h"

namespace clever::server {
namespace {

using test::RawClient;
using test::ServerAnswer;
using test::ServerRun;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// A path of the route, with an id that no plan has.
std::string path_of(const Route& route) {
  std::string path(route.path);
  const std::size_t at = path.find('{');
  if (at != std::string::npos) {
    path.replace(at, path.find('}') + 1 - at, "01JD0000000000000000000000");
  }
  return path;
}

std::string text_of(const model::Document& document, std::string_view key) {
  const auto* found = document.find(key);
  return found == nullptr ? "" : std::get<std::string>(found->value());
}

model::Document json_of(const ServerAnswer& answer) {
  auto document = model::parse_document(answer.body);
  EXPECT_TRUE(document.ok()) << answer.body;
  return std::move(document).value();
}

const model::Document::List& items(const model::Document& document, std::string_view key) {
  return std::get<model::Document::List>(document.find(key)->value());
}

TEST(ServerRoutes, TakeTheTokenUnlessTheyAreOpen) {
  const ServerRun server;
  for (const Route& route : routes()) {
    // A login without a code cannot be read.
    const bool is_oidc = route.path.contains("oidc");
    const int expected = route.path == "/v1/login" ? 400 : is_oidc ? 404 : route.open ? 200 : 401;
    // Failures are counted: one address of loopback for each route would be one too many.
    const ServerAnswer nobody = server.ask_as("", route.method, path_of(route));
    EXPECT_THAT(nobody.status, ::testing::AnyOf(expected, route.open ? expected : 429))
        << route.path;
    const ServerAnswer wrong =
        server.ask_as("Authorization: Bearer 00\r\n", route.method, path_of(route));
    EXPECT_THAT(wrong.status, ::testing::AnyOf(expected, route.open ? expected : 429))
        << route.path;
  }
}

TEST(ServerRoutes, TakeTheirRight) {
  const ServerRun server({"--read-only"});
  for (const Route& route : routes()) {
    const ServerAnswer answer = server.ask(route.method, path_of(route));
    // What stands for logins has tests of its own.
    if (route.path.starts_with("/v1/login") || route.any_right) continue;
    if (route.open || right_of(route) == service::Right::kRead) {
      // A command names itself by its key.
      const int unnamed = route.own == Own::kNewCommand ? 400 : 404;
      EXPECT_THAT(answer.status, ::testing::AnyOf(200, unnamed)) << route.path << answer.body;
    } else {
      EXPECT_EQ(answer.status, 403) << route.method << route.path;
      EXPECT_THAT(text_of(json_of(answer), "detail"),
                  HasSubstr("`" + std::string(to_string(right_of(route))) + "`"));
    }
  }
}

TEST(ServerRoutes, AnswerUnknownPlansWith404) {
  const ServerRun server;
  const std::map<std::string_view, std::string> bodies{
      {"prompt", R"({"text":"a"})"},
      {"apply", R"({"digest":"0123456789"})"},
      {"choose", R"({"digest":"0123456789","hunks":["a"]})"},
      {"correct", R"({"decision":"4","guidance":"a"})"}};
  for (const Route& route : routes()) {
    if (!route.path.contains("{plan}")) continue;
    const auto body = bodies.find(segments_of(route).back());
    const ServerAnswer answer =
        server.ask(route.method, path_of(route), body == bodies.end() ? "" : body->second);
    EXPECT_EQ(answer.status, 404) << route.path << answer.body;
    EXPECT_EQ(text_of(json_of(answer), "code"), "not_found");
  }
  EXPECT_EQ(server.ask("GET", "/v1/plans/nonsense").status, 404);
}

TEST(Server, TheFirstLineSaysWhereItListens) {
  const ServerRun server;
  const auto line = model::parse_document(server.first_line()).value();
  EXPECT_EQ(text_of(line, "token_file"), (server.home() / "server.token").string());
  EXPECT_THAT(server.first_line(), HasSubstr("unix:" + (server.home() / "server.sock").string()));
  EXPECT_THAT(server.first_line(), Not(HasSubstr(server.token())));
  struct stat facts{};
  ASSERT_EQ(::stat((server.home() / "server.sock").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 07777U, 0600U);
}

TEST(Server, TheSocketTakesTheTokenToo) {
  const ServerRun server;
  RawClient nobody(server.home() / "server.sock");
  nobody.send(ServerRun::request("GET", "/v1/me", ""));
  EXPECT_THAT(nobody.read_all(), StartsWith("HTTP/1.1 401"));
  RawClient somebody(server.home() / "server.sock");
  somebody.send(
      ServerRun::request("GET", "/v1/me", "Authorization: Bearer " + server.token() + "\r\n"));
  EXPECT_THAT(somebody.read_all(), AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("approve")));
}

TEST(Server, ForeignHostsAndPagesAreRefusedEvenWithTheToken) {
  const ServerRun server;
  RawClient rebound(server.port());
  rebound.send(
      "GET /v1/me HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\nAuthorization: "
      "Bearer " +
      server.token() + "\r\n\r\n");
  EXPECT_THAT(rebound.read_all(), StartsWith("HTTP/1.1 403"));
  EXPECT_EQ(server.ask("GET", "/v1/me", "", "Origin: http://evil.example\r\n").status, 403);
  const ServerAnswer plain = server.ask("GET", "/v1/me");
  EXPECT_THAT(plain.head, Not(HasSubstr("Access-Control")));
}

TEST(Server, RefusesToListenBeyondThisMachineInTheClear) {
  test::CliRun run;
  EXPECT_EQ(run.run({"server", "--listen", "0.0.0.0:0"}), 1);
  EXPECT_THAT(run.error_output, HasSubstr("--insecure-listen-everywhere"));
  EXPECT_EQ(run.run({"server", "--listen", "example.org:80"}), 2);
}

TEST(Server, MethodsAreAnsweredForWhatThePathIs) {
  const ServerRun server;
  const ServerAnswer options = server.ask_as("", "OPTIONS", "/v1/plans");
  EXPECT_EQ(options.status, 204);
  EXPECT_THAT(options.head, HasSubstr("Allow: GET, HEAD, POST, OPTIONS"));
  EXPECT_EQ(server.ask("DELETE", "/v1/plans").status, 405);
  EXPECT_EQ(server.ask("GET", "/v1/nothing").status, 404);
  const ServerAnswer head = server.ask("HEAD", "/v1/plans");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.body, "");
}

TEST(Server, TheInterfaceIsDescribed) {
  const ServerRun server;
  const auto document = json_of(server.ask_as("", "GET", "/v1/openapi.json"));
  EXPECT_EQ(text_of(document, "openapi"), "3.1.0");
  const auto* paths = document.find("paths");
  ASSERT_NE(paths, nullptr);
  for (const Route& route : routes()) EXPECT_NE(paths->find(route.path), nullptr) << route.path;
}

TEST(Server, SettingsAreChangedTogetherOrNotAtAll) {
  const ServerRun server;
  EXPECT_EQ(
      server.ask("PATCH", "/v1/settings", R"({"plan.profile":"auto","log.level":"loud"})").status,
      422);
  EXPECT_THAT(server.ask("GET", "/v1/settings").body, Not(HasSubstr("\"layer\":\"user\"")));
  EXPECT_EQ(server.ask("PATCH", "/v1/settings", R"({"no.such":1})").status, 422);
  EXPECT_EQ(
      server.ask("PATCH", "/v1/settings", R"({"plan.profile":"auto","log.level":"info"})").status,
      200);
  EXPECT_THAT(io::read_file(server.home() / "config.toml").value(),
              AllOf(HasSubstr("auto"), HasSubstr("info")));
  EXPECT_EQ(server.ask("PATCH", "/v1/settings", R"({"plan.profile":null})").status, 200);
  EXPECT_THAT(io::read_file(server.home() / "config.toml").value(), Not(HasSubstr("auto")));
}

TEST(Server, RequestsAreCountedAndLogged) {
  const ServerRun server;
  EXPECT_EQ(server.ask("GET", "/v1/me?secret=hidden").status, 400);
  EXPECT_EQ(server.ask("DELETE", "/v1/me").status, 405);
  EXPECT_EQ(server.ask_as("", "GET", "/v1/plans").status, 401);
  const ServerAnswer metrics = server.ask("GET", "/metrics");
  EXPECT_EQ(metrics.status, 200);
  EXPECT_THAT(metrics.head, HasSubstr("text/plain; version=0.0.4"));
  for (const char* line :
       {R"(agents_http_requests_total{method="GET",route="/v1/me",status="400"} 1)",
        R"(agents_http_requests_total{method="DELETE",route="none",status="405"} 1)",
        R"(agents_http_requests_total{method="GET",route="none",status="401"} 1)",
        "agents_http_request_seconds_bucket{le=\"+Inf\"} 3", "agents_http_request_seconds_count 3",
        "agents_event_streams 0", R"(agents_queue_jobs{state="running"} 0)"}) {
    EXPECT_THAT(metrics.body, HasSubstr(std::string(line) + "\n"));
  }
  const std::string log = io::read_file(server.home() / "logs" / "access.log").value();
  EXPECT_THAT(log, AllOf(HasSubstr(R"("path":"/v1/me")"), HasSubstr(R"("status":401)"),
                         HasSubstr(R"("caller":"the server's token")")));
  EXPECT_THAT(log, Not(HasSubstr("hidden")));
  EXPECT_THAT(log, Not(HasSubstr(server.token())));
}

std::string header_of(const ServerAnswer& answer, const std::string& name) {
  const std::size_t at = answer.head.find("\r\n" + name + ": ");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + name.size() + 4;
  return answer.head.substr(begin, answer.head.find("\r\n", begin) - begin);
}

TEST(Server, SettingsAreChangedOnlyAsTheyWereSeen) {
  const ServerRun server;
  const std::string seen = header_of(server.ask("GET", "/v1/settings"), "ETag");
  EXPECT_EQ(server.ask("GET", "/v1/settings", "", "If-None-Match: " + seen + "\r\n").status, 304);
  const auto change = [&](const std::string& value) {
    return server
        .ask("PATCH", "/v1/settings", R"({"log.level":")" + value + "\"}",
             "If-Match: " + seen + "\r\n")
        .status;
  };
  EXPECT_EQ(change("debug"), 200);
  EXPECT_EQ(change("error"), 412);
  EXPECT_THAT(io::read_file(server.home() / "config.toml").value(), HasSubstr("debug"));
}

TEST(Server, LargeAnswersAreCompressed) {
  const ServerRun server;
  const ServerAnswer plain = server.ask("GET", "/v1/openapi.json");
  const ServerAnswer packed =
      server.ask("GET", "/v1/openapi.json", "", "Accept-Encoding: gzip\r\n");
  EXPECT_THAT(packed.head, HasSubstr("Content-Encoding: gzip"));
  EXPECT_LT(packed.body.size() * 3, plain.body.size());
}

TEST(Server, EndsWithByeForStreamsAndExitCode0) {
  ServerRun server;
  EXPECT_EQ(server.ask_as("", "GET", "/readyz").status, 200);
  EXPECT_EQ(server.stop(), 0);
}

// A project with a file, and a model that does nothing.
class ServerPlans : public ::testing::Test {
 protected:
  explicit ServerPlans(std::vector<std::string> options = {}) : server_(std::move(options)) {
    project_.write("a.txt", "a\n");
    project_.commit();
    server_.folder().write("script.yaml", "rules:\n- reply: It is done.\n");
    const ServerAnswer set = server_.ask(
        "PATCH", "/v1/settings",
        R"({"provider.script":")" + (server_.folder() / "script.yaml").string() + "\"}");
    EXPECT_EQ(set.status, 200) << set.body;
    const ServerAnswer project =
        server_.ask("POST", "/v1/projects", R"({"path":")" + project_.path().string() + "\"}");
    EXPECT_EQ(project.status, 201) << project.body;
    EXPECT_EQ(text_of(json_of(project), "id"), "project");
  }

  std::string create() {
    const ServerAnswer made = server_.ask("POST", "/v1/plans", R"({"task":"Do it","direct":true})");
    EXPECT_EQ(made.status, 201) << made.body;
    return text_of(json_of(made), "plan_id");
  }

  void wait_for_queue() {
    while (server_.ask("GET", "/v1/queue").body != "{\"jobs\":[]}\n") {
    }
  }

  // Before the server's threads.
  test::Repository project_;
  ServerRun server_;
};

class ServerWithoutWorker : public ServerPlans {
 protected:
  ServerWithoutWorker() : ServerPlans({"--concurrency", "0"}) {}
};

// Each prompt holds a thread until a worker has read it, and there is none.
TEST_F(ServerWithoutWorker, ARevokedTokensStreamEndsWhileAllRequestsWait) {
  const std::string plan = create();
  const std::string token = text_of(
      json_of(server_.ask("POST", "/v1/tokens", R"({"person":"ada","scopes":["read"]})")), "token");
  RawClient watcher(server_.port());
  watcher.send(
      ServerRun::request("GET", "/v1/plans/" + plan + "/events",
                         "Accept: text/event-stream\r\nAuthorization: Bearer " + token + "\r\n"));
  watcher.read_until("event: hello");
  std::vector<RawClient> waiting;
  for (int i = 0; i < 8; ++i) {
    waiting.emplace_back(server_.port());
    waiting.back().send(ServerRun::request("POST", "/v1/plans/" + plan + "/prompt",
                                           "Authorization: Bearer " + server_.token() + "\r\n",
                                           R"({"text":"Go on"})"));
  }
  EXPECT_EQ(server_.command({"token", "revoke", token.substr(7, 26)}), 0);
  EXPECT_THAT(watcher.read_all(), HasSubstr("event: bye"));
  EXPECT_EQ(server_.command({"plan", "drive", plan}), 0);
  for (RawClient& client : waiting) EXPECT_THAT(client.read_all(), StartsWith("HTTP/1.1 200"));
}

TEST_F(ServerPlans, ACreatedPlanIsThereAndDrivenByTheServer) {
  const ServerAnswer made =
      server_.ask("POST", "/v1/plans", R"({"task":"Do it","projects":["project"]})");
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string plan = text_of(json_of(made), "plan_id");
  EXPECT_THAT(made.head, HasSubstr("Location: /v1/plans/" + plan));
  EXPECT_EQ(text_of(json_of(made), "task"), "Do it");
  EXPECT_EQ(server_.ask("GET", "/v1/plans/" + plan).status, 200);
  EXPECT_THAT(server_.ask("GET", "/v1/plans").body, HasSubstr(plan));
  EXPECT_THAT(server_.ask("GET", "/v1/plans?project=project").body, HasSubstr(plan));
  EXPECT_EQ(server_.ask("GET", "/v1/plans?project=other").status, 404);
  EXPECT_TRUE(server_.background().empty()) << "no process of its own";
  for (const char* part : {"tree", "hunks", "errors", "cost", "events", "audit"}) {
    const ServerAnswer answer = server_.ask("GET", "/v1/plans/" + plan + "/" + part);
    EXPECT_THAT(answer.status, ::testing::AnyOf(200, 409)) << part << answer.body;
  }
}

TEST_F(ServerPlans, AnActorThatIsAddedCountsForTheNextPlan) {
  const auto ask = [&] {
    return server_.ask("POST", "/v1/plans", R"({"task":"a","actor":"local/mine"})").status;
  };
  EXPECT_EQ(create().size(), 26U);
  EXPECT_EQ(ask(), 404);
  std::filesystem::create_directories(server_.home() / "actors");
  server_.folder().write("home/actors/mine.yaml",
                         "name: local/mine\ntype: llm\ndescription: Does it\n");
  EXPECT_EQ(ask(), 201);
}

TEST_F(ServerPlans, TheQueueAndItsWorkersAreShown) {
  const std::string plan = create();
  const auto workers = json_of(server_.ask("GET", "/v1/workers"));
  EXPECT_EQ(std::get<model::Document::List>(workers.find("workers")->value()).size(), 1U);
  // A job until the plan is at rest.
  wait_for_queue();
  EXPECT_EQ(text_of(json_of(server_.ask("GET", "/v1/plans/" + plan)), "state"), "complete");
  EXPECT_EQ(server_.ask("GET", "/v1/queue?queue=other").body, "{\"jobs\":[]}\n");
  EXPECT_THAT(server_.ask("GET", "/v1/queue/stats").body, HasSubstr(R"("running":0)"));
  EXPECT_EQ(server_.ask("POST", "/v1/workers/drain", "{}").body, "{\"draining\":1}\n");
}

TEST_F(ServerPlans, TheSameKeyMakesOnePlan) {
  const auto ask = [&](const char* task) {
    return server_.ask("POST", "/v1/plans", R"({"task":")" + std::string(task) + "\"}",
                       "Idempotency-Key: k1\r\n");
  };
  const ServerAnswer first = ask("a");
  ASSERT_EQ(first.status, 201) << first.body;
  EXPECT_EQ(ask("a").body, first.body);
  EXPECT_EQ(ask("b").status, 409);
  EXPECT_EQ(std::get<model::Document::List>(
                json_of(server_.ask("GET", "/v1/plans")).find("plans")->value())
                .size(),
            1U);
}

TEST_F(ServerPlans, ABodyOfAnotherKindIsRefused) {
  RawClient client(server_.port());
  client.send(ServerRun::request("POST", "/v1/plans",
                                 "Authorization: Bearer " + server_.token() +
                                     "\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n") +
              "{}");
  EXPECT_THAT(client.read_all(), StartsWith("HTTP/1.1 415"));
  EXPECT_EQ(server_.ask("POST", "/v1/plans", "{\"task\":\"a\",\"x\":1}").status, 400);
}

TEST_F(ServerPlans, EventsAreStreamedFromTheOneThatWasSeen) {
  const std::string plan = create();
  RawClient client(server_.port());
  client.send(ServerRun::request(
      "GET", "/v1/plans/" + plan + "/events",
      "Accept: text/event-stream\r\nAuthorization: Bearer " + server_.token() + "\r\n"));
  const std::string begin = client.read_until("event: hello\n");
  EXPECT_THAT(begin, AllOf(HasSubstr("text/event-stream"), HasSubstr("X-Accel-Buffering: no")));
  EXPECT_THAT(client.read_until("\n\n"), HasSubstr("\"heartbeat_ms\":"));
  EXPECT_THAT(client.read_until("\n\n"), HasSubstr("id: 1\nevent: event\n"));
  client.read_until("id: 2\n");

  RawClient again(server_.port());
  again.send(ServerRun::request("GET", "/v1/plans/" + plan + "/events",
                                "Accept: text/event-stream\r\nLast-Event-ID: 1\r\nAuthorization: "
                                "Bearer " +
                                    server_.token() + "\r\n"));
  again.read_until("\n\n");  // the head's line end is CR LF: this is hello
  EXPECT_THAT(again.read_until("\nevent: event"), HasSubstr("id: 2\n"));

  EXPECT_EQ(server_
                .ask("GET", "/v1/plans/" + plan + "/events", "",
                     "Accept: text/event-stream\r\nLast-Event-ID: x\r\n")
                .status,
            400);
  EXPECT_EQ(server_.stop(), 0);
  EXPECT_THAT(client.read_all(), HasSubstr("event: bye\n"));
}

// "data: …" of the next event of this kind, and the id before it.
std::pair<std::string, std::string> next_event(RawClient& client, std::string_view kind) {
  while (true) {
    const std::string text = client.read_until("\n\n");
    if (!text.contains("event: " + std::string(kind) + "\n")) continue;
    const std::size_t id = text.find("id: ");
    return {id == std::string::npos ? "" : text.substr(id + 4, text.find('\n', id) - id - 4),
            text.substr(text.find("data: ") + 6)};
  }
}

TEST_F(ServerPlans, AStreamOverAllPlansResumesWhereItWas) {
  const auto open = [&](const std::string& last) {
    RawClient client(server_.port());
    client.send(ServerRun::request("GET", "/v1/events",
                                   "Accept: text/event-stream\r\n" +
                                       (last.empty() ? "" : "Last-Event-ID: " + last + "\r\n") +
                                       "Authorization: Bearer " + server_.token() + "\r\n"));
    EXPECT_THAT(client.read_until("heartbeat_ms"), HasSubstr("event: hello"));
    client.read_until("\n\n");
    return client;
  };
  const std::string before = create();
  wait_for_queue();
  RawClient client = open("");
  const std::string plan = create();
  const auto first = next_event(client, "event");
  EXPECT_THAT(first.second, AllOf(HasSubstr(plan), HasSubstr("\"sequence\":1")));
  const auto second = next_event(client, "event");
  EXPECT_THAT(second.second, AllOf(HasSubstr(plan), HasSubstr("\"sequence\":2")));

  RawClient again = open(first.first);
  const auto resumed = next_event(again, "event");
  EXPECT_EQ(resumed.first, second.first);
  EXPECT_EQ(resumed.second, second.second);

  RawClient strange = open("999999999");
  const auto reset = next_event(strange, "reset");
  EXPECT_THAT(reset.second, AllOf(HasSubstr(plan), HasSubstr(before), HasSubstr("\"phase\"")));

  EXPECT_EQ(server_.ask("GET", "/v1/events?after=x").status, 400);
  EXPECT_EQ(server_.ask("GET", "/v1/events?limit=0").status, 400);
}

TEST_F(ServerPlans, ASessionHoldsWhatWasSaidAndItsPlans) {
  const std::string other = create();
  const ServerAnswer made = server_.ask("POST", "/v1/sessions", R"({"name":"parser"})");
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string id = text_of(json_of(made), "id");
  const std::string path = "/v1/sessions/" + id;
  EXPECT_EQ(header_of(made, "Location"), path);
  EXPECT_EQ(text_of(json_of(made), "person"), "the server's token");

  const ServerAnswer first = server_.ask("POST", path + "/messages", R"({"text":"Do it"})");
  ASSERT_EQ(first.status, 200) << first.body;
  const std::string plan = text_of(json_of(first), "plan_id");
  wait_for_queue();
  // The plan has not ended: it gets what is said next.
  const ServerAnswer second = server_.ask("POST", path + "/messages", R"({"text":"And that"})");
  ASSERT_EQ(second.status, 200) << second.body;
  EXPECT_EQ(text_of(json_of(second), "plan_id"), plan);
  const auto session = json_of(server_.ask("GET", path));
  const auto& said = std::get<model::Document::List>(session.find("said")->value());
  ASSERT_EQ(said.size(), 2U);
  EXPECT_EQ(text_of(said[0], "text"), "Do it");
  EXPECT_EQ(text_of(said[1], "person"), "the server's token");

  const ServerAnswer events = server_.ask("GET", path + "/events");
  EXPECT_THAT(events.body, AllOf(HasSubstr(plan), Not(HasSubstr(other))));

  const ServerAnswer fork = server_.ask("POST", path + "/fork", R"({"name":"other way"})");
  ASSERT_EQ(fork.status, 201) << fork.body;
  EXPECT_EQ(text_of(json_of(fork), "parent_id"), id);
  EXPECT_EQ(server_.ask("PATCH", path, R"({"name":"renamed"})").status, 200);
  EXPECT_THAT(server_.ask("GET", "/v1/sessions").body,
              AllOf(HasSubstr("renamed"), HasSubstr("other way")));
  EXPECT_EQ(server_.ask("DELETE", path).status, 200);
  EXPECT_EQ(server_.ask("GET", path).status, 404);
  EXPECT_EQ(server_.ask("POST", path + "/messages", R"({"text":"a"})").status, 404);
  EXPECT_EQ(server_.ask("GET", "/v1/plans/" + plan).status, 200) << "its plans stay";
  EXPECT_EQ(server_.ask("POST", "/v1/sessions", R"({"name":" "})").status, 422);
}

TEST_F(ServerPlans, ChosenHunksGetADigestOfTheirOwn) {
  project_.write("b.txt", "a\n");
  const ServerAnswer made = server_.ask(
      "POST", "/v1/plans",
      R"({"task":"Replace","actor":"local/codemod","arguments":["find=a","replace=b"]})");
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string path = "/v1/plans/" + text_of(json_of(made), "plan_id");
  wait_for_queue();
  const auto before = json_of(server_.ask("GET", path + "/hunks"));
  ASSERT_EQ(items(before, "hunks").size(), 2U);
  const std::string digest = text_of(before, "digest");
  const std::string choice = R"({"hunks":["b.txt"],"digest":")" + digest + "\"}";
  const ServerAnswer chosen = server_.ask("POST", path + "/choose", choice);
  ASSERT_EQ(chosen.status, 200) << chosen.body;
  EXPECT_NE(text_of(json_of(chosen), "digest"), digest);
  EXPECT_EQ(text_of(json_of(server_.ask("POST", path + "/choose", choice)), "digest"),
            text_of(json_of(chosen), "digest"))
      << "said twice";
  EXPECT_EQ(
      server_.ask("POST", path + "/choose", R"({"hunks":["a.txt"],"digest":"12345678"})").status,
      409);
  EXPECT_EQ(server_
                .ask("POST", path + "/apply",
                     R"({"digest":")" + text_of(json_of(chosen), "digest") + "\"}")
                .status,
            200);
  EXPECT_EQ(project_.read("a.txt"), "a\n");
  EXPECT_EQ(project_.read("b.txt"), "b\n");
}

TEST_F(ServerPlans, SeveralProjectsMakeOnePlan) {
  const std::filesystem::path other = project_.beside("other");
  project_.git({"clone", "--quiet", ".", other.string()});
  ASSERT_EQ(server_.ask("POST", "/v1/projects", R"({"path":")" + other.string() + "\"}").status,
            201);
  const ServerAnswer made =
      server_.ask("POST", "/v1/plans", R"({"task":"Do it","projects":["project","other"]})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_THAT(text_of(json_of(made), "project"), HasSubstr("/groups/other+project-"));
  const std::string path = "/v1/plans/" + text_of(json_of(made), "plan_id");
  EXPECT_EQ(server_.ask("GET", path + "/tree").status, 200);
  EXPECT_EQ(server_.ask("POST", "/v1/sessions", R"({"projects":["project","other"]})").status, 422);
}

TEST_F(ServerPlans, APlanCanJoinASession) {
  const std::string id =
      text_of(json_of(server_.ask("POST", "/v1/sessions", R"({"name":"parser"})")), "id");
  const ServerAnswer made =
      server_.ask("POST", "/v1/plans", R"({"task":"Do it","direct":true,"session":")" + id + "\"}");
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string plan = text_of(json_of(made), "plan_id");
  const auto session = json_of(server_.ask("GET", "/v1/sessions/" + id));
  ASSERT_EQ(items(session, "said").size(), 1U);
  EXPECT_EQ(text_of(items(session, "said")[0], "plan_id"), plan);
  EXPECT_THAT(server_.ask("GET", "/v1/sessions/" + id + "/events").body, HasSubstr(plan));
  EXPECT_EQ(
      server_.ask("POST", "/v1/plans", R"({"task":"a","session":"01JD0000000000000000000000"})")
          .status,
      404);
}

TEST_F(ServerPlans, ListsComeInPages) {
  for (int i = 0; i < 3; ++i) create();
  const auto first = json_of(server_.ask("GET", "/v1/plans?limit=2"));
  EXPECT_EQ(items(first, "plans").size(), 2U);
  const auto rest =
      json_of(server_.ask("GET", "/v1/plans?limit=2&after=" + text_of(first, "next")));
  EXPECT_EQ(items(rest, "plans").size(), 1U);
  EXPECT_TRUE(rest.find("next")->is_null());
  EXPECT_EQ(std::get<std::int64_t>(rest.find("total")->value()), 3);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(server_.ask("POST", "/v1/sessions", "{}").status, 201);
  }
  const auto sessions = json_of(server_.ask("GET", "/v1/sessions?limit=2"));
  EXPECT_EQ(items(sessions, "sessions").size(), 2U);
  const auto more =
      json_of(server_.ask("GET", "/v1/sessions?limit=2&after=" + text_of(sessions, "next")));
  EXPECT_EQ(items(more, "sessions").size(), 1U);
  EXPECT_TRUE(more.find("next")->is_null());
  EXPECT_EQ(server_.ask("GET", "/v1/plans?after=x").status, 422);
}

TEST_F(ServerPlans, TheEventsOfAllPlansComeInPages) {
  const std::string plan = create();
  wait_for_queue();
  std::size_t count = 0;
  std::string after = "0";
  for (bool more = true; more;) {
    const auto page = json_of(server_.ask("GET", "/v1/events?limit=3&after=" + after));
    count += std::get<model::Document::List>(page.find("events")->value()).size();
    after = text_of(page, "after");
    more = std::get<bool>(page.find("has_more")->value());
  }
  const auto all = json_of(server_.ask("GET", "/v1/plans/" + plan + "/events"));
  EXPECT_EQ(count, std::get<model::Document::List>(all.find("events")->value()).size());
}

}  // namespace
}  // namespace clever::server
