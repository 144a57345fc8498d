// Plans in the queue: `agents worker`, `agents run --detach` beside one, and what shows them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "base/thread.h"
#include "support/cli_run.h"
#include "support/repository.h"

namespace clever::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class WorkerTest : public testing::Test {
 protected:
  WorkerTest() {
    repository_.write("a.txt", "Foo and Foo\n");
    repository_.commit();
    worker_.set("CLEVERAGENTS_HOME", cli_.home().string());
  }
  ~WorkerTest() override {
    worker_.stop.request_stop();
    if (thread_) thread_->join();
  }

  // Another process of the same home; returns once it is on the roster.
  void start_worker(std::vector<std::string> options = {}) {
    options.insert(options.begin(), "worker");
    thread_.emplace("worker",
                    [this, options](const base::StopToken&) { exit_code_ = worker_.run(options); });
    while (ask({"worker", "list"})["workers"].empty()) {
    }
  }
  // Waits for its end.
  int worker_ends() {
    thread_->join();
    thread_.reset();
    return exit_code_;
  }

  json ask(std::vector<std::string> words) {
    words.emplace_back("--format=json");
    EXPECT_EQ(cli_.run(words), 0) << cli_.output << cli_.error_output;
    return json::parse(cli_.output, nullptr, false)["data"];
  }
  json detach(std::vector<std::string> more = {}) {
    std::vector<std::string> words{"-C",      repository_.path().string(),
                                   "run",     "--detach",
                                   "--actor", "local/codemod",
                                   "--arg",   "find=Foo",
                                   "--arg",   "replace=Bar"};
    words.insert(words.end(), more.begin(), more.end());
    return ask(std::move(words));
  }
  // As soon as it is at rest.
  json watched(const std::string& plan) {
    return ask({"-C", repository_.path().string(), "watch", plan});
  }
  json stats() { return ask({"queue", "stats"}); }

  test::Repository repository_;
  test::CliRun cli_;
  test::CliRun worker_;
  int exit_code_ = -1;
  std::optional<base::Thread> thread_;
};

TEST_F(WorkerTest, TakesWhatIsLeftToTheBackground) {
  start_worker({"--concurrency", "2"});
  const json workers = ask({"worker", "list"})["workers"];
  ASSERT_EQ(workers.size(), 1U);
  EXPECT_EQ(workers[0]["concurrency"], 2);
  EXPECT_EQ(workers[0]["queue"], "default");

  const json made = detach();
  EXPECT_TRUE(made["job"].is_number()) << made;
  EXPECT_FALSE(made.contains("process"));
  const json plan = watched(made["plan_id"]);
  EXPECT_EQ(plan["phase"], "execute");
  EXPECT_EQ(plan["state"], "complete");
  EXPECT_EQ(repository_.read("a.txt"), "Foo and Foo\n");
}

TEST_F(WorkerTest, LandsWhatIsToLand) {
  start_worker();
  const json made = detach({"--apply", "-m", "Rename Foo"});
  while (stats()["running"] != 0 || stats()["waiting"] != 0) {
  }
  EXPECT_EQ(watched(made["plan_id"])["state"], "applied");
  EXPECT_EQ(repository_.read("a.txt"), "Bar and Bar\n");
  EXPECT_THAT(repository_.git({"log", "-1", "--format=%B"}), HasSubstr("Rename Foo"));
}

TEST_F(WorkerTest, DrainsWhenItIsAsked) {
  start_worker();
  const json made = detach();
  EXPECT_EQ(ask({"worker", "drain"})["draining"], 1);
  EXPECT_EQ(worker_ends(), 0) << worker_.error_output;
  EXPECT_EQ(ask({"worker", "list"})["workers"], json::array());
  // It ended what it had taken, or left it for the next one; nothing is lost.
  start_worker();
  EXPECT_EQ(watched(made["plan_id"])["state"], "complete");
  EXPECT_EQ(cli_.run({"worker", "drain", "01JD0000000000000000000000"}), 3);
  EXPECT_EQ(cli_.run({"worker", "drain", "nonsense"}), 3);
}

TEST_F(WorkerTest, AWorkerOfAnotherQueueLeavesItWaiting) {
  start_worker({"--queue", "other"});
  cli_.background = [](const auto&, const auto&, const auto&) -> base::Result<std::int64_t> {
    return 42;
  };
  EXPECT_EQ(detach()["process"], 42) << "no worker serves the queue of plans";
  EXPECT_EQ(stats()["waiting"], 0);
}

TEST_F(WorkerTest, AWorkerWithOtherSettingsIsNotHandedPlans) {
  worker_.set("CLEVERAGENTS_PLAN_CONCURRENCY", "7");
  start_worker();
  cli_.background = [](const auto&, const auto&, const auto&) -> base::Result<std::int64_t> {
    return 42;
  };
  EXPECT_EQ(detach()["process"], 42);
}

TEST_F(WorkerTest, OptionsAreChecked) {
  EXPECT_EQ(cli_.run({"worker", "--concurrency", "0"}), 2);
  EXPECT_EQ(cli_.run({"worker", "--concurrency", "many"}), 2);
  EXPECT_EQ(cli_.run({"worker", "--database", "sqlite::memory:"}), 2);
}

}  // namespace
}  // namespace clever::cli
