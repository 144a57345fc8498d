#include "context/command_strategy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/random.h"
#include "context/parallel_strategy_executor.h"
#include "support/confine_launcher.h"

namespace clever::context {
namespace {

using How = StrategyOutcome::How;
using std::chrono::seconds;

CommandStrategyOptions options_of(std::vector<std::string> argv) {
  return {
      .name = "own",
      .argv = std::move(argv),
      .deadline = seconds(30),
      .project_root = std::filesystem::temp_directory_path(),
      .launcher = test::confine_launcher(),
      .world = {
          .home = "/nobody", .own_home = {}, .environment = {"PATH=/usr/local/bin:/usr/bin:/bin"}}};
}

CommandStrategyOptions shell_script(const std::string& text) {
  return options_of({"sh", "-c", text});
}

/// What the command would print.
CommandStrategyOptions printing(const std::string& output, int exit_code = 0,
                                const std::string& error_output = "") {
  auto options = options_of({"never-run"});
  options.run = [=](const confine::Command&, std::string_view, std::size_t, const base::StopToken&,
                    base::Deadline) {
    return confine::Output{
        .ending = {.exit_code = exit_code}, .output = output, .error_output = error_output};
  };
  return options;
}

std::shared_ptr<Strategy> made(CommandStrategyOptions options) {
  auto strategy = make_command_strategy(std::move(options));
  EXPECT_TRUE(strategy.ok()) << strategy.error().to_string();
  return std::move(strategy).value();
}

base::Result<std::vector<Candidate>> ask_command(CommandStrategyOptions options,
                                                 const Question& question = {.text = "what"}) {
  return made(std::move(options))->propose(question, 500, {}, base::Deadline::never());
}

/// A view of one file.
class OneFile final : public index::View {
 public:
  explicit OneFile(std::optional<std::string> content) : content_(std::move(content)) {}
  [[nodiscard]] std::size_t size() const override { return 1; }
  [[nodiscard]] const std::string& path(index::FileNumber) const override { return path_; }
  [[nodiscard]] std::optional<index::FileNumber> find(std::string_view path) const override {
    if (path != path_) return std::nullopt;
    return 0;
  }
  [[nodiscard]] index::FileKind kind(index::FileNumber) const override {
    return index::FileKind::kSource;
  }
  [[nodiscard]] syntax::Language language(index::FileNumber) const override {
    return syntax::Language::kText;
  }
  [[nodiscard]] const git::ObjectId& blob(index::FileNumber) const override { return blob_; }
  [[nodiscard]] index::ViewStats stats() const override { return {}; }
  [[nodiscard]] std::vector<index::Hit> search(std::string_view, std::size_t,
                                               const base::StopToken&) const override {
    return {};
  }
  [[nodiscard]] std::vector<index::Hit> search_plainly(std::string_view,
                                                       std::size_t) const override {
    return {};
  }
  [[nodiscard]] std::vector<index::Hit> grep(std::string_view, std::size_t,
                                             const base::StopToken&) const override {
    return {};
  }
  [[nodiscard]] std::vector<index::SymbolHit> definitions(std::string_view,
                                                          std::size_t) const override {
    return {};
  }
  [[nodiscard]] std::vector<index::Hit> uses(std::string_view, std::size_t) const override {
    return {};
  }
  [[nodiscard]] std::vector<index::Edge> edges(index::FileNumber, std::size_t) const override {
    return {};
  }
  [[nodiscard]] std::vector<index::ChunkHit> nearest(const index::Vector&,
                                                     std::size_t) const override {
    return {};
  }
  [[nodiscard]] base::Result<syntax::Syntax> syntax(index::FileNumber) const override {
    return syntax::Syntax{};
  }
  [[nodiscard]] base::Result<std::string> content(index::FileNumber) const override {
    if (!content_) return base::corruption("unreadable");
    return *content_;
  }

 private:
  const std::string path_ = "a.txt";
  const std::optional<std::string> content_;
  const git::ObjectId blob_{};
};

TEST(CommandStrategy, SaysOfItselfWhatTheConfigurationSays) {
  auto options = printing("");
  options.quality = 0.7;
  const auto strategy = made(options);
  EXPECT_EQ(strategy->name(), "own");
  EXPECT_EQ(strategy->quality(), 0.7);
  EXPECT_EQ(strategy->time_limit(), seconds(30));
  EXPECT_EQ(strategy->confidence({.text = "what"}), 1);
  EXPECT_EQ(strategy->confidence({.focus = {"a"}}), 1);
  EXPECT_EQ(strategy->confidence({}), 0);
}

void expect_refused(const CommandStrategyOptions& options, const std::string& message) {
  const auto strategy = make_command_strategy(options);
  ASSERT_FALSE(strategy.ok());
  EXPECT_EQ(strategy.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_EQ(strategy.error().message(), message);
}

TEST(CommandStrategy, RefusesWhatCannotBeRun) {
  auto options = printing("");
  options.name = "Two words";
  expect_refused(options,
                 "context.strategy \"Two words\": name must have 1 to 64 of the characters a to z, "
                 "0 to 9, _ and -");
  options = printing("");
  options.argv = {};
  expect_refused(options, "context.strategy \"own\": command must name a program");
  for (const double quality : {-0.1, 1.1, std::nan("")}) {
    options = printing("");
    options.quality = quality;
    expect_refused(options, "context.strategy \"own\": quality must be a number from 0 to 1");
  }
  for (const base::Duration deadline : {base::Duration::zero(), base::Duration::max()}) {
    options = printing("");
    options.deadline = deadline;
    expect_refused(options, "context.strategy \"own\": deadline_ms must be from 1 to 600000");
  }
  options = printing("");
  options.project_root = "relative";
  expect_refused(options, "context.strategy \"own\": the project's folder must be absolute");
}

TEST(CommandStrategy, TellsTheCommandTheQuestion) {
  auto options = printing("");
  std::string reported;
  options.run = [&](const confine::Command& command, std::string_view input, std::size_t,
                    const base::StopToken&, base::Deadline) {
    EXPECT_EQ(command.network, confine::Network::kOff);
    EXPECT_EQ(command.mounts.back().kind, confine::Mount::Kind::kReadOnly);
    reported = input;
    return confine::Output{};
  };
  const Question question{
      .phase = model::Phase::kExecute, .text = "why\xff \"it\"", .focus = {"a.cc"}};
  EXPECT_TRUE(ask_command(options, question).ok());
  EXPECT_TRUE(reported.ends_with("\n"));
  const auto json = nlohmann::json::parse(reported);
  EXPECT_EQ(json["plan"], "");
  EXPECT_EQ(json["phase"], "execute");
  EXPECT_EQ(json["query"], "why\xef\xbf\xbd \"it\"");
  EXPECT_EQ(json["focus"], nlohmann::json::array({"a.cc"}));
  EXPECT_EQ(json["budget"], 500);
}

TEST(CommandStrategy, TurnsLinesIntoBytes) {
  const std::string output = R"({"path":"a.txt","first_line":2,"last_line":2})"
                             "\n"
                             R"({"path":"a.txt","first_line":2})"
                             "\n"
                             R"({"path":"missing","first_line":2})";
  const Question question{.text = "what", .view = std::make_shared<OneFile>("one\ntwo\nthree\n")};
  const auto candidates = ask_command(printing(output), question);
  ASSERT_TRUE(candidates.ok());
  EXPECT_EQ(candidates->at(0).range, (syntax::Range{4, 8, 2, 2}));
  EXPECT_EQ(candidates->at(1).range, (syntax::Range{4, 14, 2, 3}));
  EXPECT_EQ(candidates->at(2).range, syntax::Range{});
}

TEST(CommandStrategy, ProposesAFileThatCannotBeReadAsAWhole) {
  const Question question{.text = "what", .view = std::make_shared<OneFile>(std::nullopt)};
  const auto candidates = ask_command(printing(R"({"path":"a.txt","first_line":2})"), question);
  ASSERT_TRUE(candidates.ok());
  EXPECT_EQ(candidates->at(0).range, syntax::Range{});
}

TEST(CommandStrategy, NothingIsAnAnswer) { EXPECT_TRUE(ask_command(printing(""))->empty()); }

TEST(CommandStrategy, NothingButRubbishIsAFailure) {
  const auto answer = ask_command(printing("Traceback: oh\nno\n"));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(
      answer.error().message(),
      "it must print one JSON object with a \"path\" on each line, but printed: Traceback: oh");
}

TEST(CommandStrategy, RubbishBetweenCandidatesIsLeftOut) {
  EXPECT_EQ(ask_command(printing("loading…\n{\"path\":\"a\"}\n"))->size(), 1U);
}

TEST(CommandStrategy, AnExitCodeIsAFailure) {
  const auto answer = ask_command(printing("{\"path\":\"a\"}\n", 3, "no such module"));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().message(), "it ended with exit code 3; it wrote: no such module");
}

TEST(CommandStrategy, SaysWhyConfinementStoppedIt) {
  auto options = printing("");
  options.run = [](const confine::Command&, std::string_view, std::size_t, const base::StopToken&,
                   base::Deadline) {
    return confine::Output{.ending = {.exit_code = 137, .remark = "used up its memory limit"}};
  };
  EXPECT_EQ(ask_command(options).error().message(),
            "it ended with exit code 137: it used up its memory limit");
}

TEST(CommandStrategy, StopsReadingAnAbandonedAnswer) {
  base::StopSource stop;
  stop.request_stop();
  const auto answer = made(printing("{\"path\":\"a\"}\n"))
                          ->propose({.text = "what"}, 5, stop.token(), base::Deadline::never());
  EXPECT_EQ(answer.error().code(), base::ErrorCode::kCancelled);
}

// --- real commands, in the executor ---

class CommandStrategyInExecutor : public testing::Test {
 protected:
  StrategyOutcome run(CommandStrategyOptions options) {
    return executor_->run({.text = "what"}, {{made(std::move(options)), 500}}).at(0);
  }

  base::SystemClock clock_;
  base::SeededRandom random_{1};
  std::unique_ptr<ParallelStrategyExecutor> executor_ =
      ParallelStrategyExecutor::make(clock_, random_);
};

TEST_F(CommandStrategyInExecutor, AnswersTheQuestion) {
  const auto outcome = run(shell_script(
      R"(read -r question; case "$question" in *'"query":"what"'*) echo '{"path":"src/a.cc"}';; esac)"));
  EXPECT_EQ(outcome.how, How::kProposed) << outcome.remark;
  ASSERT_EQ(outcome.candidates.size(), 1U);
  EXPECT_EQ(outcome.candidates[0].path, "src/a.cc");
}

TEST_F(CommandStrategyInExecutor, NeedNotReadTheQuestion) {
  EXPECT_EQ(run(shell_script("exec <&-; echo '{\"path\":\"a\"}'")).how, How::kProposed);
}

TEST_F(CommandStrategyInExecutor, CannotWriteWhereTheProjectIs) {
  const auto outcome = run(shell_script("touch here && echo '{\"path\":\"written\"}'"));
  EXPECT_EQ(outcome.how, How::kFailed);
}

TEST_F(CommandStrategyInExecutor, ACrashIsAFailure) {
  const auto outcome = run(shell_script("kill -SEGV $$"));
  EXPECT_EQ(outcome.how, How::kFailed);
  EXPECT_NE(outcome.remark.find("exit code 139"), std::string::npos) << outcome.remark;
}

TEST_F(CommandStrategyInExecutor, AFloodIsCut) {
  const auto outcome =
      run(shell_script("yes '{\"path\":\"src/a_file_of_some_length.cc\"}' | head -n 200000"));
  EXPECT_EQ(outcome.how, How::kProposed) << outcome.remark;
  EXPECT_EQ(outcome.candidates.size(), ExecutorOptions{}.most_candidates);
  EXPECT_NE(outcome.remark, "");
}

TEST_F(CommandStrategyInExecutor, RubbishIsAFailure) {
  EXPECT_EQ(run(shell_script("head -c 100000 /dev/urandom")).how, How::kFailed);
}

TEST_F(CommandStrategyInExecutor, KillsAHangingCommandAtItsDeadline) {
  auto options = shell_script("sleep 1000 & sleep 1000");
  options.deadline = std::chrono::milliseconds(300);
  EXPECT_EQ(run(options).how, How::kLate);
  // It has returned, or is about to: it was killed.
  auto next = shell_script("echo '{\"path\":\"a\"}'");
  while (run(next).how == How::kSkipped) std::this_thread::yield();
}

TEST_F(CommandStrategyInExecutor, AnEndlessFloodIsKilledAtItsDeadline) {
  auto options = shell_script("yes '{\"path\":\"a\"}'");
  options.deadline = std::chrono::milliseconds(300);
  EXPECT_EQ(run(options).how, How::kLate);
}

TEST_F(CommandStrategyInExecutor, AProgramThatIsNotThereIsAFailure) {
  const auto outcome = run(options_of({"no-such-program-anywhere"}));
  EXPECT_EQ(outcome.how, How::kFailed);
  EXPECT_NE(outcome.remark.find("no-such-program-anywhere"), std::string::npos) << outcome.remark;
}

}  // namespace
}  // namespace clever::context
