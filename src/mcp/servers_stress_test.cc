#include <gtest/gtest.h>

#include <deque>
#include <thread>

#include "base/thread.h"
#include "mcp/internal/message.h"
#include "mcp/servers.h"
#include "mcp/stdio_transport.h"
#include "mcp/testing/fake_process.h"
#include "mcp/testing/scripted_server.h"
#include "support/together.h"

// Many threads call one server over one pipe. It answers in an order of its own, keeps some answers
// back until others have come, sends some twice and some without a call, and dies now and then.
// Every call gets the answer to its own question, or an error; none waits for ever.
namespace clever::mcp {
namespace {

using internal::FakeProcess;
using internal::FakeProgram;
using internal::Json;

constexpr int kCallers = 32;
constexpr int kCallsEach = 40;

/// The program at the other end of the pipe.
class Unruly {
 public:
  Unruly(std::shared_ptr<FakeProgram> program, std::uint64_t seed, int lifetime)
      : program_(std::move(program)), random_(seed), lifetime_(lifetime) {}

  void run() {
    while (const auto line = program_->read_line()) {
      if (!take(Json::parse(*line))) break;
      // Answers are kept back as long as there is more to read.
      if (program_->has_more() && kept_.size() < 8) continue;
      while (!kept_.empty()) release(random_.below(kept_.size()));
    }
    program_->complain("unruly: enough\n");
    program_->exit(7);
  }

 private:
  // False when its time has come.
  bool take(const Json& message) {
    if (!message.contains("id")) return true;
    if (message["method"] == "server/discover") {
      answer(message, {{"supportedVersions", {"2026-07-28"}}});
      return true;
    }
    kept_.push_back(message);
    return --lifetime_ != 0;
  }
  void release(std::size_t at) {
    const Json request = kept_[at];
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(at));
    const Json result = internal::text_result(request["params"]["arguments"].dump());
    if (random_.below(8) == 0) {
      program_->say_line(
          R"({"jsonrpc":"2.0","method":"notifications/message","params":{"data":"busy"}})");
      program_->say_line(internal::result_text(1'000'000, internal::text_result("for nobody")));
    }
    answer(request, result);
    if (random_.below(8) == 0) answer(request, internal::text_result("again"));
  }
  void answer(const Json& request, const Json& result) {
    program_->say_line(internal::result_text(request["id"], result));
  }

  const std::shared_ptr<FakeProgram> program_;
  base::SeededRandom random_;
  int lifetime_;
  std::deque<Json> kept_{};
};

struct StressedServers {
  explicit StressedServers(int lifetime) {
    servers =
        Servers::create(
            {.clock = clock,
             .random = random,
             .open = [this, lifetime](const ServerOptions&) { return start(lifetime); },
             .circuit = {.failure_threshold = 1'000'000}},
            {{.name = "unruly", .command = confine::Command{.argv = {"x"}}, .calls_at_once = 16}})
            .value();
  }
  ~StressedServers() { servers.reset(); }

  base::Result<std::unique_ptr<Transport>> start(int lifetime) {
    auto program = std::make_shared<FakeProgram>();
    programs.with([&](auto& threads) {
      threads.push_back(std::make_unique<base::Thread>(
          "program", [program, lifetime, seed = threads.size()](const base::StopToken&) {
            Unruly(program, seed, lifetime).run();
          }));
    });
    return make_stdio_transport(std::make_unique<FakeProcess>(program), clock,
                                {.server_name = "unruly"});
  }

  base::SystemClock clock;
  base::SystemRandom random;
  // Joined last: they end when no server holds the other ends of their pipes.
  base::Guarded<std::vector<std::unique_ptr<base::Thread>>> programs;
  std::unique_ptr<Servers> servers;
};

// How many calls were answered.
int storm(StressedServers& world) {
  std::atomic<int> answered{0};
  test::together(kCallers, [&](int thread) {
    for (int n = 0; n < kCallsEach; ++n) {
      const std::string question = "{\"q\":" + std::to_string(thread * 1000 + n) + "}";
      base::StopSource stop;
      if (n % 10 == 9) stop.request_stop();
      const auto result = world.servers->call("unruly", "echo", question, {.stop = stop.token()});
      if (!result.ok()) continue;
      EXPECT_EQ(result->text, question);
      ++answered;
    }
  });
  return answered;
}

TEST(ServersStress, EveryCallGetsItsOwnAnswer) {
  StressedServers world(0);
  EXPECT_GE(storm(world), kCallers * kCallsEach * 9 / 10);
  EXPECT_EQ(world.servers->health()[0].starts, 1U);
}

TEST(ServersStress, AServerThatDiesIsStartedAgainAndAgain) {
  StressedServers world(50);
  EXPECT_GT(storm(world), 0);
  const ServerHealth health = world.servers->health()[0];
  EXPECT_GT(health.starts, 5U);
  EXPECT_EQ(health.open_calls, 0U);
}

}  // namespace
}  // namespace clever::mcp
