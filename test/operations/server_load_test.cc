// Many sessions at once at one server, while its settings change and tokens are revoked: nothing of
// one namespace shows in the other, no client sees a plan go back, no journal has a gap.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "base/thread.h"
#include "support/campaign.h"
#include "support/repository.h"
#include "support/server_run.h"

namespace clever::server {
namespace {

using model::Document;
using test::ServerAnswer;
using test::ServerRun;

std::string load_text(const Document& document, std::string_view key) {
  const auto* found = document.find(key);
  const auto* text = found == nullptr ? nullptr : std::get_if<std::string>(&found->value());
  return text == nullptr ? "" : *text;
}

std::int64_t load_number(const Document& document, std::string_view key) {
  const auto* found = document.find(key);
  const auto* number = found == nullptr ? nullptr : std::get_if<std::int64_t>(&found->value());
  return number == nullptr ? 0 : *number;
}

/// What one namespace has: a project, a token, and the session of the client before.
struct LoadSpace {
  std::string project{};
  std::string token{};
};

class ServerLoad : public ::testing::Test {
 protected:
  ServerLoad() {
    for (const test::Repository* repository : {&web_, &ops_}) {
      repository->write("a.txt", "a\n");
      repository->commit();
    }
    server_.folder().write("script.yaml", "rules:\n- reply: It is done.\n");
    admin("PATCH", "/v1/settings",
          R"({"provider.script":")" + (server_.folder() / "script.yaml").string() + "\"}", 200);
    spaces_ = {space("web", web_), space("ops", ops_)};
  }

  Document admin(std::string_view method, const std::string& path, const std::string& body,
                 int status) {
    return checked(server_.ask(method, path, body), status, path);
  }
  Document as(const std::string& token, std::string_view method, const std::string& path,
              int status, const std::string& body = "") {
    return checked(server_.ask_as("Authorization: Bearer " + token + "\r\n", method, path, body),
                   status, path);
  }

  LoadSpace space(const std::string& name, const test::Repository& repository) {
    LoadSpace made;
    made.project = load_text(
        admin("POST", "/v1/projects",
              R"({"path":")" + repository.path().string() + R"(","namespace":")" + name + "\"}",
              201),
        "id");
    made.token = new_token(name);
    return made;
  }
  std::string new_token(const std::string& name) {
    return load_text(
        admin("POST", "/v1/tokens",
              R"({"person":"ada","scopes":["read","run"],"namespaces":[")" + name + "\"]}", 201),
        "token");
  }

  // One client: a session, two messages, and what it sees of them.
  void work(std::size_t number) {
    const LoadSpace& own = spaces_[number % 2];
    const LoadSpace& foreign = spaces_[1 - number % 2];
    const std::string session = load_text(
        as(own.token, "POST", "/v1/sessions", 201, R"({"projects":[")" + own.project + "\"]}"),
        "id");
    const std::string path = "/v1/sessions/" + session;
    as(foreign.token, "GET", path, 404);
    std::string plan;
    for (const char* text : {"one", "two"}) {
      plan = load_text(as(own.token, "POST", path + "/messages", 200,
                          R"({"text":")" + std::string(text) + "\"}"),
                       "plan_id");
      wait_for_rest(own, plan);
    }
    as(foreign.token, "GET", "/v1/plans/" + plan, 404);
    check_journal(own, plan);
    const Document plans = as(own.token, "GET", "/v1/plans?limit=1000", 200);
    for (const Document& one : std::get<Document::List>(plans.find("plans")->value())) {
      EXPECT_EQ(load_text(one, "project"), load_text(as(own.token, "GET", path, 200), "project"));
    }
  }

  void wait_for_rest(const LoadSpace& own, const std::string& plan) {
    std::int64_t seen = 0;
    while (true) {
      const Document status = as(own.token, "GET", "/v1/plans/" + plan, 200);
      EXPECT_GE(load_number(status, "sequence"), seen) << "the plan went back";
      seen = load_number(status, "sequence");
      const std::string state = load_text(status, "state");
      EXPECT_NE(state, "errored") << load_text(status, "reason");
      if (state == "complete" || state == "errored") return;
    }
  }

  void check_journal(const LoadSpace& own, const std::string& plan) {
    const Document page = as(own.token, "GET", "/v1/plans/" + plan + "/events", 200);
    std::int64_t last = 0;
    for (const Document& event : std::get<Document::List>(page.find("events")->value())) {
      EXPECT_EQ(load_number(event, "sequence"), ++last);
      EXPECT_EQ(load_text(event, "plan_id"), plan);
    }
  }

  // Before the server's threads.
  const test::Repository web_;
  const test::Repository ops_;
  ServerRun server_;
  std::vector<LoadSpace> spaces_;

 private:
  static Document checked(const ServerAnswer& answer, int status, const std::string& path) {
    EXPECT_EQ(answer.status, status) << path << answer.body;
    return model::parse_document(answer.body).value_or(Document());
  }
};

TEST_F(ServerLoad, SessionsKeepApartWhileSettingsChangeAndTokensEnd) {
  std::vector<std::unique_ptr<base::Thread>> threads;
  for (std::size_t i = 0; i < test::campaign(4, 200); ++i) {
    threads.push_back(
        std::make_unique<base::Thread>("client", [this, i](const base::StopToken&) { work(i); }));
  }
  threads.push_back(std::make_unique<base::Thread>("settings", [this](const base::StopToken&) {
    for (std::size_t i = 0; i < test::campaign(10, 1000); ++i) {
      const std::string limit = std::to_string(10 + i);
      admin("PATCH", "/v1/settings", R"({"provider.openai.max_concurrency":)" + limit + "}", 200);
    }
  }));
  threads.push_back(std::make_unique<base::Thread>("tokens", [this](const base::StopToken&) {
    for (std::size_t i = 0; i < test::campaign(3, 100); ++i) {
      const std::string token = new_token("web");
      as(token, "GET", "/v1/me", 200);
      admin("DELETE", "/v1/tokens/" + token.substr(7, 26), "", 200);
      // 429: too many wrong ones came from here.
      EXPECT_THAT(server_.ask_as("Authorization: Bearer " + token + "\r\n", "GET", "/v1/me").status,
                  ::testing::AnyOf(401, 429));
    }
  }));
  threads.clear();
  EXPECT_EQ(server_.stop(), 0);
}

}  // namespace
}  // namespace clever::server
