// kill -9 of `agents server` again and again, at random moments and between any two steps, while
// clients create plans, send messages, approve and prompt, and send again what was not answered:
// what was acknowledged is done, once, and nothing else is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/random.h"
#include "base/thread.h"
#include "crash/crash_points.h"
#include "crash/seeds.h"
#include "crash/server/ledger.h"
#include "crash/server/ledger_client.h"
#include "crash/server/server_victim.h"
#include "model/document_json.h"
#include "support/campaign.h"
#include "support/http_server.h"

namespace clever::server::crash {
namespace {

using model::Document;
using ::testing::IsEmpty;

constexpr std::size_t kClients = 4;
constexpr std::uint64_t kMostAcknowledged = 5;
constexpr std::uint64_t kLongestRest = 100'000;  // microseconds
constexpr std::chrono::milliseconds kGlance{2};
constexpr std::chrono::seconds kLongestLife{15};
// So often a crash point is passed at most before it kills.
constexpr std::uint64_t kMostPasses = 30;

class KillServerTest : public ::testing::Test {
 protected:
  void register_project() {
    const auto project = server_.ask("POST", "/v1/projects", "",
                                     R"({"path":")" + server_.project().string() + "\"}");
    ASSERT_TRUE(project && project->status == 201);
  }

  // Lives until a few things more are acknowledged and a random moment after that, or until it
  // passes its crash point.
  void live_and_die(base::Random& random) {
    const std::size_t goal = ledger_.read().size() + random.below(kMostAcknowledged);
    const base::Deadline end = base::Deadline::after(clock_, kLongestLife);
    bool died = false;
    while (!died && !end.passed() && ledger_.read().size() < goal) died = server_.work(kGlance);
    if (!died) died = server_.work(std::chrono::microseconds(random.below(kLongestRest)));
    ++deaths_[died ? point_.substr(0, point_.find(':')) : "kill -9"];
    server_.kill();
    start(random);
  }
  void start(base::Random& random) {
    do {
      point_ = points_[random.below(points_.size())] + ":" +
               std::to_string(1 + random.below(kMostPasses));
    } while (!server_.start(point_));
  }

  // A server that passes its crash point meanwhile is started again, and asked again.
  std::vector<std::string> missing_after_all(const Entries& entries, base::Random& random) {
    while (true) {
      std::vector<std::string> missing = missing_in(server_, entries);
      if (missing.empty() || server_.ask("GET", "/readyz")) return missing;
      while (!server_.work(kGlance)) continue;
      ++deaths_[point_.substr(0, point_.find(':'))];
      start(random);
    }
  }

  void let_jobs_end() {
    while (server_.ask("GET", "/v1/queue").value().body != "{\"jobs\":[]}\n") {
      ASSERT_FALSE(server_.work(std::chrono::milliseconds{20}));
    }
  }
  void print(const Entries& entries) const {
    std::size_t kills = 0;
    Document deaths = Document::map();
    for (const auto& [point, count] : deaths_) {
      deaths.set(point, static_cast<std::int64_t>(count));
      kills += count;
    }
    std::cout << "kills: "
              << model::to_json(
                     Document::map()
                         .set("kills", static_cast<std::int64_t>(kills))
                         .set("by", std::move(deaths))
                         .set("acknowledged", static_cast<std::int64_t>(entries.size()))
                         .set("plans", static_cast<std::int64_t>(entries.plans.size()))
                         .set("approvals", static_cast<std::int64_t>(entries.approvals.size()))
                         .set("unknown", static_cast<std::int64_t>(entries.unknown)))
              << "\n";
  }

  base::SystemClock clock_;
  ServerVictim server_;
  Ledger ledger_;
  const std::vector<std::string> points_ =
      storage::crash::crash_points({"engine", "server", "storage", "worker"});
  std::string point_;
  std::map<std::string, std::size_t> deaths_;
};

TEST_F(KillServerTest, WhatWasAcknowledgedIsDoneOnce) {
  base::SeededRandom random(storage::crash::first_seed());
  ASSERT_TRUE(server_.start());
  register_project();
  {
    std::vector<std::unique_ptr<base::Thread>> clients;
    for (std::size_t i = 0; i < kClients; ++i) {
      clients.push_back(std::make_unique<base::Thread>("client", [this, i](base::StopToken stop) {
        LedgerClient(server_, ledger_, i, std::move(stop)).run();
      }));
    }
    const std::size_t kills = test::campaign(4, 100);
    for (std::size_t i = 0; i < kills; ++i) {
      const Entries before = ledger_.read();
      live_and_die(random);
      ASSERT_THAT(missing_after_all(before, random), IsEmpty()) << "after kill " << i;
    }
    for (const auto& client : clients) client->request_stop();
  }
  // The last life has a crash point too.
  server_.kill();
  ASSERT_TRUE(server_.start());
  let_jobs_end();
  const Entries entries = ledger_.read();
  print(entries);
  EXPECT_GT(entries.size(), 0U);
  EXPECT_THAT(entries.strange, IsEmpty());
  EXPECT_THAT(missing_in(server_, entries), IsEmpty());
  EXPECT_THAT(undone_in(server_, entries), IsEmpty());
}

// The receiver has the notice but has not answered when the server dies: it gets it once more.
TEST_F(KillServerTest, ANoticeThatWasNotAnsweredIsDeliveredAgain) {
  test::HttpServer receiver([](const test::SeenRequest&) {
    return test::HttpReply{.before_head = {test::WaitFor{"answer"}}};
  });
  server_.configure("[[notify]]\nname = \"room\"\nurl = \"" + receiver.url("/room") +
                    "\"\nallow_private = true\nevents = [\"plan.complete\"]\n");
  ASSERT_TRUE(server_.start());
  register_project();
  const auto made = server_.ask("POST", "/v1/plans", "", R"({"task":"write one","direct":true})");
  ASSERT_TRUE(made && made->status == 201);
  ASSERT_TRUE(receiver.wait_for_requests(1));
  server_.kill();
  ASSERT_TRUE(server_.start());
  ASSERT_TRUE(receiver.wait_for_requests(2));
  receiver.open_gate("answer");
  while (server_.ask("GET", "/v1/notices").value().body != "{\"notices\":[]}\n") {
    ASSERT_FALSE(server_.work(std::chrono::milliseconds{20}));
  }
  const auto seen = receiver.requests();
  EXPECT_EQ(seen[0].header("cleveragents-delivery"), seen[1].header("cleveragents-delivery"));
  EXPECT_EQ(seen[0].header("cleveragents-event"), "plan.complete");
  EXPECT_EQ(seen[0].body, seen[1].body);
}

}  // namespace
}  // namespace clever::server::crash
