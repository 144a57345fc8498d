// Commands of other command lines at `agents server`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "service/wire/wire_document.h"
#include "service/wire/wire_request.h"
#include "support/repository.h"
#include "support/server_run.h"

namespace clever::server {
namespace {

using model::Document;
using test::RawClient;
using test::ServerAnswer;
using test::ServerRun;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// The events of a stream, without the lengths of its chunks.
std::vector<std::string> events(const std::string& body) {
  std::vector<std::string> lines;
  for (const std::string_view line : base::split(body, '\n')) {
    if (line.starts_with('{')) lines.emplace_back(line);
  }
  return lines;
}

std::string command_id(int number) {
  const std::string digits = std::to_string(number);
  return std::string(32 - digits.size(), '0') + digits;
}

class ServerCommands : public ::testing::Test {
 protected:
  ServerCommands() {
    project_.write("a.txt", "a\n");
    project_.commit();
    server_.folder().write("script.yaml", "rules:\n- reply: It is done.\n");
    EXPECT_EQ(
        server_
            .ask("PATCH", "/v1/settings",
                 R"({"provider.script":")" + (server_.folder() / "script.yaml").string() + "\"}")
            .status,
        200);
    EXPECT_EQ(server_.ask("POST", "/v1/projects", R"({"path":")" + project_.path().string() + "\"}")
                  .status,
              201);
  }

  std::string token(const std::string& scopes) {
    const ServerAnswer made =
        server_.ask("POST", "/v1/tokens", R"({"person":"ada","scopes":[)" + scopes + "]}");
    EXPECT_EQ(made.status, 201) << made.body;
    return service::text_at(model::parse_document(made.body).value(), "token");
  }

  static std::string headers(const std::string& token, int id) {
    return "Authorization: Bearer " + token + "\r\nIdempotency-Key: " + command_id(id) + "\r\n";
  }
  ServerAnswer as(const std::string& token, const service::WireRequest& request, int id = 1) {
    return server_.ask_as(headers(token, id), "POST", "/v1/commands",
                          model::to_json(service::request_document(request)));
  }
  ServerAnswer command(const service::WireRequest& request, int id = 1) {
    return as(server_.token(), request, id);
  }

  // Before the server's threads.
  const test::Repository project_;
  ServerRun server_;
};

service::WireRequest request(const std::string& operation,
                             const std::vector<std::string>& words = {}) {
  return {.operation = operation, .words = words, .place = {.project = "project"}};
}

TEST_F(ServerCommands, AnswerWithWhatTheCommandLineWouldShow) {
  service::WireRequest run = request("run", {"Do it"});
  run.options["direct"] = {""};
  const ServerAnswer answer = command(run);
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_THAT(answer.head, HasSubstr("application/x-ndjson"));
  EXPECT_THAT(answer.body,
              AllOf(HasSubstr(R"("error_output":"plan )"),
                    HasSubstr(R"("report":{"data":{"plan_id")"), HasSubstr(R"("exit_code":0)")));
  EXPECT_THAT(command(request("plan list"), 2).body, HasSubstr("Do it"));
}

TEST_F(ServerCommands, AreReadOnFromTheEventThatWasSeen) {
  const ServerAnswer whole = command(request("plan list"));
  const std::size_t last = events(whole.body).size();
  const ServerAnswer again = server_.ask("GET", "/v1/commands/" + command_id(1));
  EXPECT_EQ(again.status, 200);
  EXPECT_THAT(again.body, HasSubstr(R"("report")"));
  const ServerAnswer rest =
      server_.ask("GET", "/v1/commands/" + command_id(1) + "?after=" + std::to_string(last));
  EXPECT_THAT(rest.body, Not(HasSubstr("report")));
  // The same key is the same command: it is not done twice.
  EXPECT_EQ(events(command(request("nonsense")).body), events(whole.body));
  EXPECT_EQ(server_.ask("GET", "/v1/commands/" + command_id(2)).status, 404);
}

TEST_F(ServerCommands, AreTheirCallersOwn) {
  EXPECT_EQ(command(request("plan list")).status, 200);
  const std::string ada = token(R"("read","run")");
  const std::string path = "/v1/commands/" + command_id(1);
  for (const auto& [method, target] :
       {std::pair<std::string, std::string>("GET", path), {"POST", path + "/stop"}}) {
    EXPECT_EQ(server_.ask_as("Authorization: Bearer " + ada + "\r\n", method, target).status, 404);
  }
}

TEST_F(ServerCommands, TakeTheRightsOfTheirOperation) {
  const std::string reader = token(R"("read")");
  EXPECT_EQ(as(reader, request("plan list")).status, 200);
  const ServerAnswer refused = as(reader, request("run", {"Do it"}), 2);
  EXPECT_EQ(refused.status, 403);
  EXPECT_THAT(refused.body, HasSubstr("`run`"));
}

TEST_F(ServerCommands, NameNoFilesOfTheServerWithoutTheRightToItsMachine) {
  const std::string ada = token(R"("read","run","approve")");
  service::WireRequest script = request("run", {"Do it"});
  script.options["script"] = {"/etc/passwd"};
  service::WireRequest unconfined = request("run", {"Do it"});
  unconfined.options["unconfined"] = {""};
  service::WireRequest setting = request("run", {"Do it"});
  setting.settings = {{"sandbox.network", "on"}};
  int id = 1;
  for (const auto& refused : {script, unconfined, setting, request("run", {"@/etc/passwd"})}) {
    const ServerAnswer answer = as(ada, refused, ++id);
    EXPECT_EQ(answer.status, 403) << answer.body;
    EXPECT_THAT(answer.body, HasSubstr("`admin`"));
  }
  service::WireRequest place = request("plan list");
  place.place = {.directory = server_.folder().path().string(),
                 .host = service::this_host(),
                 .is_complete = true};
  const ServerAnswer elsewhere = as(ada, place, ++id);
  EXPECT_EQ(elsewhere.status, 409);
  EXPECT_THAT(elsewhere.body, AllOf(HasSubstr("which_project"), HasSubstr("there are project")));
}

TEST_F(ServerCommands, FindTheProjectOfTheSameRepository) {
  const std::string ada = token(R"("read","run")");
  service::WireRequest list = request("plan list");
  list.place = {.directory = "/home/ada/clone", .host = "elsewhere"};
  EXPECT_THAT(as(ada, list).body, HasSubstr("which_project"));
  list.place = service::completed(list.place);
  list.place.root_commits =
      service::completed({.directory = project_.path().string()}).root_commits;
  ASSERT_EQ(list.place.root_commits.size(), 1U);
  EXPECT_EQ(as(ada, list).status, 200);
}

TEST_F(ServerCommands, AskWhatAPersonIsAsked) {
  service::WireRequest run = request("run", {"-"});
  run.options["direct"] = {""};
  RawClient client(server_.port());
  client.send(ServerRun::request("POST", "/v1/commands", headers(server_.token(), 1),
                                 model::to_json(service::request_document(run))));
  EXPECT_THAT(client.read_until("}}"), HasSubstr(R"("kind":"input")"));
  const std::string path = "/v1/commands/" + command_id(1) + "/answer";
  EXPECT_EQ(server_.ask("POST", path, R"({"question":7,"text":"a"})").status, 409);
  EXPECT_EQ(server_.ask("POST", path, R"({"question":1,"text":"Read this"})").status, 200);
  EXPECT_EQ(server_.ask("POST", path, R"({"question":1,"text":"again"})").status, 409);
  EXPECT_THAT(client.read_all(), AllOf(HasSubstr("Read this"), HasSubstr(R"("report")")));
}

TEST_F(ServerCommands, AnInterruptIsPassedOn) {
  service::WireRequest run = request("run", {"-"});
  RawClient client(server_.port());
  client.send(ServerRun::request("POST", "/v1/commands", headers(server_.token(), 1),
                                 model::to_json(service::request_document(run))));
  client.read_until(R"("kind":"input")");
  EXPECT_EQ(server_.ask("POST", "/v1/commands/" + command_id(1) + "/stop", "{}").status, 200);
  EXPECT_THAT(client.read_all(), HasSubstr(R"("error":{"code":"cancelled")"));
}

TEST_F(ServerCommands, ATextIsEditedAtTheClient) {
  service::WireRequest edit = request("config edit");
  EXPECT_THAT(command(edit).body, HasSubstr("an editor needs a terminal"));
  edit.terminal.edits = true;
  RawClient client(server_.port());
  client.send(ServerRun::request("POST", "/v1/commands", headers(server_.token(), 2),
                                 model::to_json(service::request_document(edit))));
  EXPECT_THAT(client.read_until("}}"),
              AllOf(HasSubstr(R"("kind":"edit")"), HasSubstr(R"("name":"config.toml")"),
                    HasSubstr("script.yaml")));
  // Someone else is faster.
  ASSERT_EQ(server_.ask("PATCH", "/v1/settings", R"({"plan.profile":"manual"})").status, 200);
  const std::string path = "/v1/commands/" + command_id(2) + "/answer";
  EXPECT_EQ(server_.ask("POST", path, R"({"question":1,"text":"[plan]\n"})").status, 200);
  EXPECT_THAT(client.read_all(), HasSubstr("was changed while you edited it"));
  EXPECT_THAT(server_.ask("GET", "/v1/settings").body, HasSubstr("manual"));
}

TEST_F(ServerCommands, WhatIsNoCommandIsRefused) {
  EXPECT_EQ(command(request("plan melt")).status, 422);
  EXPECT_EQ(server_.ask("POST", "/v1/commands", "{}").status, 400);
  EXPECT_EQ(server_.ask("POST", "/v1/commands", "no json").status, 400);
  service::WireRequest elsewhere = request("plan list");
  elsewhere.place.project = "other";
  const ServerAnswer answer = command(elsewhere);
  EXPECT_EQ(answer.status, 404);
  EXPECT_THAT(answer.body, HasSubstr("there are project"));
}

}  // namespace
}  // namespace clever::server
