// A question, its answer, and a client that interrupts or goes away at any moment.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "explore/explore.h"
#include "server/client_command.h"

namespace clever::server {
namespace {

constexpr explore::Options kRandom{.strategy = explore::Strategy::kRandom, .schedules = 300};
constexpr explore::Options kPct{
    .strategy = explore::Strategy::kPct, .schedules = 300, .preemptions = 4};

/// A command that asks once; what came of it.
struct Asking {
  base::SystemClock clock;
  base::ThreadPool pool{{.name = "commands", .threads = 1}};
  base::TimerQueue timers{clock};
  std::shared_ptr<ClientCommand> command = std::make_shared<ClientCommand>(
      ClientCommand::Parts{.pool = pool, .timers = timers, .on_forgotten = [] {}}, "ada");
  std::optional<base::Result<std::optional<std::string>>> asked;

  void ask() {
    asked = command->ask("line", command->interruption());
    command->end(model::Document::map().set("report", model::Document()));
  }
};

template <class Body>
void explore_all(Body body) {
  EXPECT_NO_FAILURE(explore::explore(kRandom, body));
  EXPECT_NO_FAILURE(explore::explore(kPct, body));
}

TEST(ClientCommandExplore, AnAnswerThatIsTakenIsRead) {
  explore_all([](explore::Run& run) {
    Asking asking;
    int taken = 0;
    run.thread("command", [&] { asking.ask(); });
    run.thread("client", [&] {
      for (const char* text : {"a", "a", "b"}) {
        if (asking.command->answer(1, std::optional<std::string>(text))) ++taken;
      }
      asking.command->abandon();
    });
    run.join();
    run.require(taken <= 1, "a question took two answers");
    run.require(asking.asked->ok(), "it failed");
    run.require(asking.asked->value().has_value() == (taken == 1), "an answer was lost");
  });
}

TEST(ClientCommandExplore, NoQuestionOutlivesItsClient) {
  explore_all([](explore::Run& run) {
    Asking asking;
    run.thread("command", [&] { asking.ask(); });
    run.thread("gone", [&] { asking.command->abandon(); });
    run.join();
    run.require(asking.asked->ok() && !asking.asked->value(), "there was no one to answer");
  });
}

TEST(ClientCommandExplore, AnInterruptWithdrawsTheQuestionOrComesBehindTheAnswer) {
  explore_all([](explore::Run& run) {
    Asking asking;
    bool taken = false;
    run.thread("command", [&] { asking.ask(); });
    run.thread("interrupt", [&] { asking.command->interrupt(); });
    run.thread("answer",
               [&] { taken = asking.command->answer(1, std::optional<std::string>("a")); });
    run.join();
    run.require(asking.asked->ok() == taken, "an answer was taken and not read");
    run.require(asking.command->interruption().stop_requested(), "the interrupt was lost");
  });
}

TEST(ClientCommandExplore, AViewReadsEachKeyOnceAndSeesTheEnd) {
  explore_all([](explore::Run& run) {
    Asking asking;
    std::string read;
    run.thread("view", [&] {
      io::TerminalInput input;
      while (!input.ended) {
        input = asking.command->wait_for_typing(base::Deadline::never()).value();
        read += input.bytes;
      }
    });
    run.thread("news", [&] { asking.command->wake_terminal(); });
    run.thread("client", [&] {
      const io::TerminalSize size{.columns = 100, .rows = 30};
      // The second message is repeated: its answer was lost.
      asking.command->typed(1, {.bytes = "a"}, size);
      asking.command->typed(2, {.bytes = "b", .resized = true}, size);
      asking.command->typed(2, {.bytes = "b", .resized = true}, size);
      asking.command->abandon();
    });
    run.join();
    run.require(read == "ab", "a key was lost or came twice");
    run.require(asking.command->terminal_size().columns == 100, "the size was lost");
  });
}

}  // namespace
}  // namespace clever::server
