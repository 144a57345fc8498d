// Who may do what at a server: every route, by every scope, in the own namespace and in another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/routes.h"
#include "support/repository.h"
#include "support/server_run.h"

namespace clever::server {
namespace {

using service::Right;
using test::RawClient;
using test::ServerAnswer;
using test::ServerRun;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string text_of(const model::Document& document, std::string_view key) {
  const auto* found = document.find(key);
  const auto* text = found == nullptr ? nullptr : std::get_if<std::string>(&found->value());
  return text == nullptr ? "" : *text;
}

model::Document json_of(const ServerAnswer& answer) {
  auto document = model::parse_document(answer.body);
  EXPECT_TRUE(document.ok()) << answer.body;
  return std::move(document).value();
}

std::string bearer(const std::string& token) {
  return token.empty() ? "" : "Authorization: Bearer " + token + "\r\n";
}

// Two projects in two namespaces, and a plan in each.
class ServerAccess : public ::testing::Test {
 protected:
  ServerAccess() {
    for (const test::Repository* repository : {&web_, &ops_}) {
      repository->write("a.txt", "a\n");
      repository->commit();
    }
    server_.folder().write("script.yaml", "rules:\n- reply: It is done.\n");
    ask("PATCH", "/v1/settings",
        R"({"provider.script":")" + (server_.folder() / "script.yaml").string() + "\"}", 200);
    own_ = plan_in(web_, "web");
    foreign_ = plan_in(ops_, "ops");
  }

  model::Document ask(std::string_view method, std::string_view path, const std::string& body,
                      int status) {
    const ServerAnswer answer = server_.ask(method, path, body);
    EXPECT_EQ(answer.status, status) << path << answer.body;
    return json_of(answer);
  }

  std::string token(const std::string& scopes, const std::string& namespaces = "") {
    const std::string bound = namespaces.empty() ? "" : R"(,"namespaces":[")" + namespaces + "\"]";
    return text_of(ask("POST", "/v1/tokens",
                       R"({"person":"ada","scopes":[)" + scopes + "]" + bound + "}", 201),
                   "token");
  }

  ServerAnswer as(const std::string& token, std::string_view method, std::string_view path,
                  const std::string& body = "", const std::string& headers = "") {
    return server_.ask_as(bearer(token) + headers, method, path, body);
  }

  std::string plan_in(const test::Repository& repository) {
    const std::string project = projects_[&repository == &web_ ? "web" : "ops"];
    return text_of(ask("POST", "/v1/plans",
                       R"({"task":"Do it","direct":true,"projects":[")" + project + "\"]}", 201),
                   "plan_id");
  }

  // The id of the token in "agents_ID_SECRET".
  static std::string id_of(const std::string& token) { return token.substr(7, 26); }

  // Before the server's threads.
  const test::Repository web_;
  const test::Repository ops_;
  ServerRun server_;
  std::map<std::string, std::string> projects_;
  std::map<std::string, std::string> sessions_;
  std::string own_;
  std::string foreign_;

 private:
  std::string plan_in(const test::Repository& repository, const std::string& space) {
    const auto project = ask(
        "POST", "/v1/projects",
        R"({"path":")" + repository.path().string() + R"(","namespace":")" + space + "\"}", 201);
    projects_[space] = text_of(project, "id");
    sessions_[space] = text_of(
        ask("POST", "/v1/sessions", R"({"projects":[")" + projects_[space] + "\"]}", 201), "id");
    return plan_in(repository);
  }
};

std::string filled(const Route& route, const std::string& plan, const std::string& session) {
  std::string path(route.path);
  const std::map<std::string, std::string> values{{"{plan}", plan},
                                                  {"{approval}", plan + ".1"},
                                                  {"{session}", session},
                                                  {"{code}", "ABCD-EFGH-JKMN"},
                                                  {"{token}", "01JD0000000000000000000000"},
                                                  {"{person}", "nobody"}};
  for (const auto& [name, value] : values) {
    const std::size_t at = path.find(name);
    if (at != std::string::npos) path.replace(at, name.size(), value);
  }
  return path;
}

// One that the route can read.
std::string body_of(const Route& route) {
  const std::map<std::string_view, std::string> bodies{
      {"prompt", R"({"text":"a"})"},
      {"apply", R"({"digest":"0123456789"})"},
      {"choose", R"({"digest":"0123456789","hunks":["a"]})"},
      {"correct", R"({"decision":"4","guidance":"a"})"},
      {"messages", R"({"text":"a"})"},
      {"drain", R"({"worker":"01JD0000000000000000000000"})"},
      {"{approval}", R"({"answer":"approve","digest":"0123456789ab"})"}};
  if (route.method == "PATCH" && route.path.contains("{session}")) return R"({"name":"a"})";
  const auto body = bodies.find(segments_of(route).back());
  return body == bodies.end() ? "" : body->second;
}

struct Scope {
  std::string_view name;
  std::optional<Right> right;  // none: no token
};

// The one table: what a route answers to whom.
void expect_answer(const Route& route, const Scope& scope, bool is_own, int status) {
  const std::string what = std::string(route.method) + " " + std::string(route.path) + " as " +
                           std::string(scope.name) + (is_own ? ", own" : ", foreign");
  if (route.path == "/v1/login") {
    EXPECT_EQ(status, 400) << what;
  } else if (route.path.starts_with("/v1/login/oidc")) {
    EXPECT_EQ(status, 404) << what;
  } else if (route.open) {
    EXPECT_EQ(status, 200) << what;
  } else if (!scope.right) {
    EXPECT_THAT(status, AnyOf(401, 429)) << what;
  } else if (route.any_right) {
    EXPECT_EQ(status, 200) << what;
  } else if (*scope.right != right_of(route)) {
    EXPECT_EQ(status, 403) << what;
  } else if ((route.path.contains("{plan}") || route.path.contains("{approval}") ||
              route.path.contains("{session}")) &&
             !is_own) {
    EXPECT_EQ(status, 404) << what;
  } else if (route.path.contains("{session}")) {
    // One of them deletes it.
    EXPECT_THAT(status, AnyOf(200, 201, 400, 404)) << what;
  } else if (route.path.contains("{token}") || route.path.contains("{command}") ||
             route.path.contains("{person}") || route.path.ends_with("/drain")) {
    EXPECT_EQ(status, 404) << what;
  } else {
    EXPECT_THAT(status, AnyOf(200, 201, 400, 409, 422)) << what;
  }
}

TEST_F(ServerAccess, EveryRouteByEveryScopeInOwnAndForeignNamespaces) {
  const std::vector<Scope> scopes{{"nobody", {}},
                                  {"read", Right::kRead},
                                  {"run", Right::kRun},
                                  {"approve", Right::kApprove},
                                  {"admin", Right::kAdmin}};
  std::size_t walked = 0;
  for (const Scope& scope : scopes) {
    const bool is_admin = scope.right == Right::kAdmin;
    const std::string quoted = "\"" + std::string(scope.name) + "\"";
    const auto sign_in = [&] {
      return scope.right ? token(quoted, is_admin ? "" : "web") : std::string();
    };
    std::string mine = sign_in();
    for (const Route& route : routes()) {
      for (const bool is_own : {true, false}) {
        const std::string path =
            filled(route, is_own ? own_ : foreign_, sessions_[is_own ? "web" : "ops"]);
        if (route.path == "/v1/logout") mine = sign_in();
        const bool is_told = is_own && route.path.ends_with("/prompt");
        const ServerAnswer answer = as(mine, route.method, path, is_told ? "{}" : body_of(route));
        expect_answer(route, scope, is_own, answer.status);
        if (route.path == "/v1/logout") mine = sign_in();
        if (!is_admin) EXPECT_THAT(answer.body, Not(HasSubstr(ops_.path().string()))) << path;
        ++walked;
      }
    }
  }
  EXPECT_EQ(walked, routes().size() * scopes.size() * 2);
}

TEST_F(ServerAccess, ListsShowTheOwnNamespaceAlone) {
  const std::string mine = token(R"("read","run")", "web");
  EXPECT_THAT(as(mine, "GET", "/v1/plans").body, AllOf(HasSubstr(own_), Not(HasSubstr(foreign_))));
  EXPECT_THAT(as(mine, "GET", "/v1/projects").body,
              AllOf(HasSubstr(web_.path().string()), Not(HasSubstr(ops_.path().string()))));
  EXPECT_THAT(as(mine, "GET", "/v1/budgets").body, Not(HasSubstr(foreign_)));
  EXPECT_THAT(as(mine, "GET", "/v1/sessions").body,
              AllOf(HasSubstr(sessions_["web"]), Not(HasSubstr(sessions_["ops"]))));
  EXPECT_EQ(as(mine, "GET", "/v1/plans?project=" + projects_["ops"]).status, 404);
  const std::string body = R"({"task":"a","projects":[")";
  EXPECT_EQ(as(mine, "POST", "/v1/plans", body + projects_["ops"] + "\"]}").status, 404);
  EXPECT_EQ(as(mine, "POST", "/v1/plans", body + projects_["web"] + "\"]}").status, 201);
  // The only project is the only one that they see.
  EXPECT_EQ(as(mine, "POST", "/v1/plans", R"({"task":"a"})").status, 201);
  EXPECT_THAT(server_.ask("GET", "/v1/plans").body, AllOf(HasSubstr(own_), HasSubstr(foreign_)));
}

TEST_F(ServerAccess, LandingUnaskedTakesTheScopeApprove) {
  const std::string runs = token(R"("run")", "web");
  const std::string body = R"({"task":"a","apply":true})";
  EXPECT_EQ(as(runs, "POST", "/v1/plans", body).status, 403);
  EXPECT_EQ(as(token(R"("run","approve")", "web"), "POST", "/v1/plans", body).status, 201);
}

TEST_F(ServerAccess, ToResumeWhatAsksTakesTheScopeApprove) {
  server_.folder().write(
      "writes.yaml",
      "rules:\n- match: {turn: 1}\n"
      "  tool_calls: {name: write_file, arguments: {path: b.txt, content: b}}\n- reply: Done.\n");
  ask("PATCH", "/v1/settings",
      R"({"provider.script":")" + (server_.folder() / "writes.yaml").string() + "\"}", 200);
  const std::string runner = token(R"("read","run")", "web");
  const ServerAnswer made =
      as(runner, "POST", "/v1/plans", R"({"task":"a","direct":true,"profile":"manual"})");
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string path = "/v1/plans/" + text_of(json_of(made), "plan_id");
  while (text_of(json_of(as(runner, "GET", path)), "state") != "waiting") {
  }
  EXPECT_EQ(as(runner, "POST", path + "/resume").status, 403);
  EXPECT_EQ(as(token(R"("run","approve")", "web"), "POST", path + "/resume").status, 200);
}

TEST_F(ServerAccess, SoDoesAProfileOfTheSettingsThatLandsUnasked) {
  const std::string runs = token(R"("run")", "web");
  ask("PATCH", "/v1/settings", R"({"plan.profile":"full-auto"})", 200);
  EXPECT_EQ(as(runs, "POST", "/v1/plans", R"({"task":"a"})").status, 403);
  EXPECT_EQ(as(runs, "POST", "/v1/plans", R"({"task":"a","profile":"supervised"})").status, 201);
  const std::string messages = "/v1/sessions/" + sessions_["web"] + "/messages";
  EXPECT_EQ(as(runs, "POST", messages, R"({"text":"a"})").status, 403);
}

TEST_F(ServerAccess, MeSaysWhoAsks) {
  const std::string mine = token(R"("read")", "web");
  const ServerAnswer me = as(mine, "GET", "/v1/me");
  EXPECT_THAT(me.body, AllOf(HasSubstr(R"("caller":"ada")"), HasSubstr(R"("rights":["read"])"),
                             HasSubstr(R"("namespaces":["web"])"), HasSubstr(id_of(mine))));
}

TEST_F(ServerAccess, ATokenCountsUntilItIsRevoked) {
  const std::string mine = token(R"("read")");
  EXPECT_EQ(as(mine, "GET", "/v1/me").status, 200);
  std::string other = mine;
  other.back() = other.back() == '0' ? '1' : '0';
  EXPECT_EQ(as(other, "GET", "/v1/me").status, 401);
  EXPECT_EQ(text_of(ask("DELETE", "/v1/tokens/" + id_of(mine), "", 200), "state"), "revoked");
  EXPECT_EQ(as(mine, "GET", "/v1/me").status, 401);
  EXPECT_THAT(server_.ask("GET", "/v1/tokens").body,
              AllOf(HasSubstr(id_of(mine)), Not(HasSubstr(mine))));
}

TEST_F(ServerAccess, TokensAreListedInPages) {
  const std::string one = id_of(token(R"("read")"));
  const std::string two = id_of(token(R"("read")"));
  const std::string page = server_.ask("GET", "/v1/tokens?limit=1").body;
  const bool begins_with_one = page.contains(one);
  const std::string& first = begins_with_one ? one : two;
  const std::string& last = begins_with_one ? two : one;
  EXPECT_THAT(page, AllOf(HasSubstr(R"("next":")" + first), Not(HasSubstr(last))));
  const std::string rest = server_.ask("GET", "/v1/tokens?limit=1&after=" + first).body;
  EXPECT_THAT(rest, AllOf(HasSubstr(last), Not(HasSubstr(first)), HasSubstr(R"("next":null)")));
  ask("GET", "/v1/tokens?limit=0", "", 400);
}

TEST_F(ServerAccess, APersonWhoIsRemovedHasNoTokensAndDoesNotComeBack) {
  const std::string mine = token(R"("read")");
  ask("DELETE", "/v1/people/ada", "", 200);
  EXPECT_EQ(as(mine, "GET", "/v1/me").status, 401);
  ask("POST", "/v1/people", R"({"name":"ada"})", 409);
  ask("POST", "/v1/tokens", R"({"person":"ada","scopes":["read"]})", 409);
  ask("POST", "/v1/people", R"({"name":"bob"})", 201);
  EXPECT_THAT(server_.ask("GET", "/v1/people").body, AllOf(HasSubstr("ada"), HasSubstr("bob")));
}

TEST_F(ServerAccess, WrongTokensAreRefusedWithTheReason) {
  for (const char* body :
       {R"({"person":"a b","scopes":["read"]})", R"({"person":"a","scopes":["fly"]})",
        R"({"person":"a","scopes":[]})", R"({"person":"a","scopes":["read"],"days":0})",
        R"({"person":"a","scopes":["admin"],"namespaces":["web"]})",
        R"({"person":"a","scopes":["read"],"namespaces":["../x"]})"}) {
    EXPECT_EQ(server_.ask("POST", "/v1/tokens", body).status, 422) << body;
  }
  EXPECT_EQ(server_.ask("POST", "/v1/tokens", R"({"person":"a"})").status, 400);
}

TEST_F(ServerAccess, ARevokedTokensStreamsEnd) {
  const std::string mine = token(R"("read")", "web");
  const std::string others = token(R"("read")", "web");
  const auto open = [&](const std::string& token) {
    RawClient client(server_.port());
    client.send(ServerRun::request("GET", "/v1/plans/" + own_ + "/events",
                                   "Accept: text/event-stream\r\n" + bearer(token)));
    client.read_until("event: hello\n");
    return client;
  };
  RawClient revoked = open(mine);
  RawClient other = open(others);
  ask("DELETE", "/v1/tokens/" + id_of(mine), "", 200);
  EXPECT_THAT(revoked.read_all(), HasSubstr("event: bye\ndata: {\"reason\":\"the token"));
  // The other one goes on until the server ends.
  EXPECT_EQ(server_.stop(), 0);
  EXPECT_THAT(other.read_all(), HasSubstr("event: bye\ndata: {\"reason\":\"the server stops"));
}

TEST_F(ServerAccess, AStreamOverAllPlansShowsTheOwnNamespaceAlone) {
  const std::string mine = token(R"("read","run")", "web");
  RawClient client(server_.port());
  client.send(ServerRun::request(
      "GET", "/v1/events", "Accept: text/event-stream\r\nLast-Event-ID: 0\r\n" + bearer(mine)));
  EXPECT_THAT(client.read_until("\"heartbeat_ms\""), HasSubstr("event: hello"));
  client.read_until(own_);
  // One that is made now comes too, and none of the other namespace.
  plan_in(ops_);
  const std::string later = plan_in(web_);
  const std::string seen = client.read_until(later);
  EXPECT_THAT(seen, Not(HasSubstr(foreign_)));
  EXPECT_THAT(seen, Not(HasSubstr(ops_.path().string())));
  EXPECT_EQ(as(mine, "GET", "/v1/events?project=" + projects_["ops"]).status, 404);
  ask("DELETE", "/v1/tokens/" + id_of(mine), "", 200);
  EXPECT_THAT(client.read_all(), HasSubstr("event: bye\ndata: {\"reason\":\"the token"));
}

TEST_F(ServerAccess, AForeignStreamDoesNotExist) {
  const std::string mine = token(R"("read")", "web");
  EXPECT_EQ(
      as(mine, "GET", "/v1/plans/" + foreign_ + "/events", "", "Accept: text/event-stream\r\n")
          .status,
      404);
}

TEST_F(ServerAccess, DenialsAndChangesOfRightsAreInTheAuditLog) {
  const std::string mine = token(R"("read")", "web");
  as(mine, "POST", "/v1/plans", R"({"task":"a"})");
  as(mine, "GET", "/v1/plans/" + foreign_);
  as("", "GET", "/v1/plans");
  const ServerAnswer log = server_.ask("GET", "/v1/audit");
  EXPECT_THAT(
      log.body,
      AllOf(HasSubstr(R"("action":"project.register")"), HasSubstr(R"("action":"person.add")"),
            HasSubstr(R"("action":"token.create","target":")" + id_of(mine)),
            HasSubstr(R"("caller":"ada","action":"POST","target":"/v1/plans","outcome":"denied")"),
            HasSubstr(R"("target":"/v1/plans/)" + foreign_),
            HasSubstr(R"("caller":"","action":"GET","target":"/v1/plans","outcome":"denied")")));
  EXPECT_THAT(log.body, Not(HasSubstr(mine)));
  const auto page = json_of(server_.ask("GET", "/v1/audit?after=1&limit=1"));
  EXPECT_EQ(*page.find("last"), model::Document(2));
  EXPECT_EQ(server_.ask("GET", "/v1/audit?limit=0").status, 400);
}

TEST_F(ServerAccess, StrangersCannotFillTheAuditLog) {
  for (int i = 0; i < 30; ++i) as("", "GET", "/v1/me");
  const auto page = json_of(server_.ask("GET", "/v1/audit"));
  const auto& entries = std::get<model::Document::List>(page.find("entries")->value());
  std::size_t denied = 0;
  for (const auto& entry : entries) denied += text_of(entry, "outcome") == "denied" ? 1U : 0U;
  EXPECT_EQ(denied, 10U);
}

TEST_F(ServerAccess, AnIdempotencyKeyDoesNotKeepTheTextOfAToken) {
  const std::string body = R"({"person":"ada","scopes":["read"]})";
  const std::string key = "Idempotency-Key: k\r\n";
  const ServerAnswer made = server_.ask("POST", "/v1/tokens", body, key);
  EXPECT_EQ(made.status, 201);
  const ServerAnswer again = server_.ask("POST", "/v1/tokens", body, key);
  EXPECT_EQ(again.status, 409);
  EXPECT_THAT(again.body, HasSubstr("shown then"));
  // Of another caller the same key is another key.
  const std::string mine = token(R"("run")", "web");
  EXPECT_EQ(as(mine, "POST", "/v1/plans", R"({"task":"a"})", key).status, 201);
}

}  // namespace
}  // namespace clever::server
