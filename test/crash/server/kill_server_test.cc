// kill -9 of `agents server` at random moments, while clients create plans and send again what was
// not answered: what was acknowledged is done, once, and nothing else is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "base/random.h"
#include "base/thread.h"
#include "crash/engine/victim.h"
#include "io/file_descriptor.h"
#include "model/document_json.h"
#include "support/built_paths.h"
#include "support/campaign.h"
#include "support/http_server.h"
#include "support/repository.h"

namespace clever::server::crash {
namespace {

using engine::crash::Victim;
using model::Document;

constexpr std::size_t kClients = 4;

std::string text_of(const Document& document, std::string_view key) {
  const auto* found = document.find(key);
  const auto* text = found == nullptr ? nullptr : std::get_if<std::string>(&found->value());
  return text == nullptr ? "" : *text;
}

/// The status and the body; none: the connection ended before the answer did.
struct Reply {
  int status = 0;
  std::string body{};
};

std::optional<Reply> ask(const std::filesystem::path& home, std::string_view method,
                         const std::string& target, const std::string& headers = "",
                         const std::string& body = "") {
  std::ifstream file(home / "server.token");
  std::string token;
  std::getline(file, token);
  const io::FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::ranges::copy((home / "server.sock").native(), static_cast<char*>(address.sun_path));
  if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
    return std::nullopt;
  const std::string request =
      std::string(method) + " " + target +
      " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: "
      "Bearer " +
      token + "\r\n" + headers +
      "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
      "\r\n\r\n" + body;
  static_cast<void>(::send(socket.number(), request.data(), request.size(), MSG_NOSIGNAL));
  std::string text;
  std::array<char, 65'536> buffer;
  for (ssize_t got = 0; (got = ::recv(socket.number(), buffer.data(), buffer.size(), 0)) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  const std::size_t end = text.find("\r\n\r\n");
  if (end == std::string::npos || text.size() < 12) return std::nullopt;
  Reply reply{std::stoi(text.substr(9, 3)), text.substr(end + 4)};
  // A body that was cut off is no answer.
  if (!model::parse_document(reply.body).ok()) return std::nullopt;
  return reply;
}

class KillServerTest : public ::testing::Test {
 protected:
  KillServerTest() : home_(repository_.beside("home")) {
    repository_.write("a.txt", "a\n");
    repository_.commit();
    std::filesystem::create_directories(home_);
    const auto script = repository_.beside("script.yaml");
    std::ofstream(script) << R"(
defaults: {delay: 20ms}
rules:
- match: {result: write_file}
  reply: It is written.
- match: {user_regex: 'write (\w+)'}
  tool_calls: {name: write_file, arguments: {path: '{1}.txt', content: "{1}\n"}}
)";
    std::ofstream(home_ / "config.toml") << "[provider]\nscript = \"" << script.string() << "\"\n";
  }

  void start() {
    server_ = std::make_unique<Victim>(io::ProcessOptions{
        .argv = {test::agents_program(), "server", "--listen", "127.0.0.1:0"},
        .working_directory = repository_.path(),
        .environment = std::vector<std::string>{
            "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + home_.string(),
            "CLEVERAGENTS_HOME=" + home_.string(), "GIT_CONFIG_GLOBAL=/dev/null"}});
    while (!is_ready()) {
      ASSERT_FALSE(server_->work(std::chrono::milliseconds{5})) << "the server ended by itself";
    }
  }
  [[nodiscard]] bool is_ready() const {
    const auto reply = ask(home_, "GET", "/readyz");
    return reply && reply->status == 200;
  }
  void kill_and_start() {
    server_->kill();
    start();
  }

  // One client: creates plans one after another until the stop, each until it is answered.
  void create_plans(std::size_t client, const base::StopToken& stop) {
    for (std::size_t i = 0; !stop.stop_requested(); ++i) {
      const std::string name = "c" + std::to_string(client) + "n" + std::to_string(i);
      const std::string body =
          R"({"task":"write )" + name + R"(","projects":["project"],"direct":true})";
      std::optional<Reply> reply;
      while (!reply && !stop.stop_requested()) {
        reply = ask(home_, "POST", "/v1/plans", "Idempotency-Key: " + name + "\r\n", body);
      }
      if (!reply) return;
      book_.with([&](Book& book) {
        // 409: it was begun before the server died, and its answer is not known.
        if (reply->status == 201) {
          const auto plan = model::parse_document(reply->body).value();
          book.acknowledged[text_of(plan, "plan_id")] = "write " + name;
        } else if (reply->status != 409) {
          book.strange.push_back(reply->body);
        }
      });
    }
  }

  [[nodiscard]] Document plan(const std::string& id) const {
    return model::parse_document(ask(home_, "GET", "/v1/plans/" + id).value().body).value();
  }
  // How often its one tool call ran.
  [[nodiscard]] std::size_t tool_runs(const std::string& id) const {
    const auto page =
        model::parse_document(ask(home_, "GET", "/v1/plans/" + id + "/events").value().body)
            .value();
    std::size_t count = 0;
    for (const Document& event : std::get<Document::List>(page.find("events")->value())) {
      if (text_of(event, "kind") == "tools.ran") ++count;
    }
    return count;
  }

  struct Book {
    std::map<std::string, std::string> acknowledged{};  // id → task
    std::vector<std::string> strange{};
  };

  test::Repository repository_;
  const std::filesystem::path home_;
  base::Guarded<Book> book_;
  std::unique_ptr<Victim> server_;
};

TEST_F(KillServerTest, WhatWasAcknowledgedIsDoneOnce) {
  start();
  const auto project =
      ask(home_, "POST", "/v1/projects", "", R"({"path":")" + repository_.path().string() + "\"}");
  ASSERT_TRUE(project && project->status == 201);
  {
    std::vector<std::unique_ptr<base::Thread>> clients;
    for (std::size_t i = 0; i < kClients; ++i) {
      clients.push_back(std::make_unique<base::Thread>(
          "client", [this, i](const base::StopToken& stop) { create_plans(i, stop); }));
    }
    base::SeededRandom random(1);
    const std::size_t kills = test::campaign(4, 100);
    for (std::size_t i = 0; i < kills; ++i) {
      static_cast<void>(server_->work(std::chrono::microseconds(random.below(400'000))));
      kill_and_start();
    }
    for (const auto& client : clients) client->request_stop();
  }
  const Book book = book_.with([](const Book& now) { return now; });
  EXPECT_TRUE(book.strange.empty()) << book.strange.front();
  ASSERT_FALSE(book.acknowledged.empty());

  // All jobs end, those of the dead servers too.
  while (ask(home_, "GET", "/v1/queue").value().body != "{\"jobs\":[]}\n") {
    ASSERT_FALSE(server_->work(std::chrono::milliseconds{20}));
  }
  std::set<std::string> tasks;
  for (const auto& [id, task] : book.acknowledged) {
    const Document found = plan(id);
    EXPECT_EQ(text_of(found, "task"), task);
    EXPECT_TRUE(tasks.insert(task).second) << task << " was made twice";
    EXPECT_EQ(text_of(found, "state"), "complete") << id << " " << text_of(found, "reason");
    EXPECT_EQ(tool_runs(id), 1U) << id;
  }
  std::cout << book.acknowledged.size() << " plans were acknowledged\n";
}

// The receiver has the notice but has not answered when the server dies: it gets it once more.
TEST_F(KillServerTest, ANoticeThatWasNotAnsweredIsDeliveredAgain) {
  test::HttpServer receiver([](const test::SeenRequest&) {
    return test::HttpReply{.before_head = {test::WaitFor{"answer"}}};
  });
  std::ofstream(home_ / "config.toml", std::ios::app)
      << "[[notify]]\nname = \"room\"\nurl = \"" << receiver.url("/room")
      << "\"\nallow_private = true\nevents = [\"plan.complete\"]\n";
  start();
  ASSERT_TRUE(
      ask(home_, "POST", "/v1/projects", "", R"({"path":")" + repository_.path().string() + "\"}"));
  const auto made = ask(home_, "POST", "/v1/plans", "", R"({"task":"write one","direct":true})");
  ASSERT_TRUE(made && made->status == 201);
  ASSERT_TRUE(receiver.wait_for_requests(1));
  kill_and_start();
  ASSERT_TRUE(receiver.wait_for_requests(2));
  receiver.open_gate("answer");
  while (ask(home_, "GET", "/v1/notices").value().body != "{\"notices\":[]}\n") {
    ASSERT_FALSE(server_->work(std::chrono::milliseconds{20}));
  }
  const auto seen = receiver.requests();
  EXPECT_EQ(seen[0].header("cleveragents-delivery"), seen[1].header("cleveragents-delivery"));
  EXPECT_EQ(seen[0].header("cleveragents-event"), "plan.complete");
  EXPECT_EQ(seen[0].body, seen[1].body);
}

}  // namespace
}  // namespace clever::server::crash
