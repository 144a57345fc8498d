#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/thread.h"
#include "confine/confined_process.h"
#include "support/campaign.h"
#include "support/confine_launcher.h"
#include "support/http_server.h"
#include "support/temporary_directory.h"
#include "support/together.h"

namespace clever::confine {
namespace {

using base::Deadline;
using test::confined_shell;
using test::run_confined;

constexpr int kStarters = 16;

// Commands that end, that are killed, stopped, dropped or overdue, from many threads: each gets its
// own output, and none holds another's descriptors (a `cat` whose input another command held would
// never end).
TEST(ConfineStress, CommandsOfManyThreadsDoNotDisturbEachOther) {
  const test::TemporaryDirectory folder;
  base::SystemClock clock;
  const auto rounds = static_cast<int>(test::campaign(4, 100));
  test::together(kStarters, [&](int worker) {
    for (int round = 0; round < rounds; ++round) {
      const std::string text = std::to_string(worker) + "/" + std::to_string(round);
      switch ((worker + round) % 4) {
        case 0: {
          auto command = confined_shell(
              "cat; cat /workspace/$$ 2>/dev/null; echo x > /workspace/f" + std::to_string(worker));
          command.mounts = {
              {.kind = Mount::Kind::kWritable, .target = "/workspace", .source = folder.path()}};
          EXPECT_EQ(run_confined(command, text).value().output, text);
          break;
        }
        case 1: {
          const auto process =
              ConfinedProcess::start(test::confine_launcher(), confined_shell("sleep 1000 & wait"))
                  .value();
          base::Thread killer("killer", [&](const base::StopToken&) { process->kill(); });
          EXPECT_EQ(process->wait().value().exit_code, 137);
          break;
        }
        case 2: {
          base::StopSource stop;
          base::Thread stopper("stopper", [&](const base::StopToken&) { stop.request_stop(); });
          const auto stopped = run(test::confine_launcher(), confined_shell("sleep 1000"), "", 1000,
                                   stop.token(), Deadline::never());
          EXPECT_EQ(stopped.error().code(), base::ErrorCode::kCancelled);
          break;
        }
        default: {
          const auto dropped =
              ConfinedProcess::start(test::confine_launcher(), confined_shell("sleep 1000"));
          EXPECT_TRUE(dropped.ok());
        }
      }
    }
  });
}

TEST(ConfineStress, ProxiesOfManyCommands) {
  test::HttpServer server(
      [](const test::SeenRequest& request) { return test::whole_reply(request.target); });
  const std::string host = "localhost:" + std::to_string(server.port());
  const auto rounds = static_cast<int>(test::campaign(1, 20));
  test::together(4, [&](int worker) {
    for (int round = 0; round < rounds; ++round) {
      const std::string path = "/" + std::to_string(worker) + "/" + std::to_string(round);
      auto command = confined_shell("for i in 1 2 3; do curl -sS http://" + host + path +
                                    " & done; wait; curl -s http://other.example/ > /dev/null");
      command.network = Network::kHosts;
      command.hosts = {host};
      EXPECT_EQ(run_confined(command).value().output, path + path + path);
    }
  });
}

TEST(ConfineStress, HundredsAtOnce) {
  const auto count = test::campaign(60, 400);
  std::vector<std::unique_ptr<ConfinedProcess>> processes;
  for (std::size_t i = 0; i < count; ++i) {
    processes.push_back(
        ConfinedProcess::start(test::confine_launcher(), confined_shell("read line")).value());
  }
  for (auto& process : processes) process->pipes().input.reset();
  for (auto& process : processes) EXPECT_EQ(process->wait().value().exit_code, 1);
}

}  // namespace
}  // namespace clever::confine
