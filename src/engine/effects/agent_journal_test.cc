#include "engine/effects/internal/agent_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::engine::internal {
namespace {

using testing::HasSubstr;

class AgentJournals : public ::testing::Test {
 protected:
  AgentJournals() {
    order_.said = [this](std::vector<plan::AgentTurn> turns) {
      for (plan::AgentTurn& turn : turns) {
        said_.push_back(std::move(turn.answer));
        if (!turn.calls.empty()) said_.push_back(std::move(turn.results));
        std::ranges::move(turn.calls, std::back_inserter(notes_));
      }
    };
    secrets_.add("hunter2hunter2");
  }
  [[nodiscard]] std::string shown() const { return model::to_json(said_); }

  EffectOrder order_{};
  base::Secrets secrets_{};
  base::SimulatedClock clock_{};
  std::vector<model::Message> said_;
  std::vector<model::ToolNote> notes_;
  AgentJournal journal_{order_, clock_, &secrets_};
};

TEST_F(AgentJournals, AnAnswerAndItsResultsAreRecordedOnceTheyAreWhole) {
  journal_.on_text("I ");
  journal_.on_text("look.");
  journal_.on_tool({.id = "1", .title = "Bash ls", .name = "Bash", .input = R"({"command":"ls"})"});
  journal_.flush();
  EXPECT_TRUE(said_.empty());
  journal_.on_tool_end({.id = "1", .output = "a.txt"});
  journal_.flush();
  ASSERT_EQ(said_.size(), 2U);
  const model::Message answer{
      .role = model::Role::kAssistant,
      .parts = {model::Text{"I look."},
                model::ToolCall{.id = "1", .name = "Bash", .arguments = R"({"command":"ls"})"}}};
  EXPECT_EQ(said_[0], answer);
  EXPECT_EQ(said_[1].parts.size(), 1U);
  journal_.on_text("Done.");
  journal_.finish();
  EXPECT_EQ(said_.size(), 3U);
}

TEST_F(AgentJournals, EachCallHasOneResultWhateverTheAgentSays) {
  journal_.on_tool({.id = "1", .title = "first", .name = "Bash"});
  journal_.on_tool({.id = "1", .title = "second", .name = "Bash"});
  journal_.on_tool_end({.id = "1", .failed = true, .output = "no"});
  journal_.on_tool_end({.id = "1", .output = "again"});
  journal_.on_tool_end({.id = "7", .output = "unknown"});
  journal_.finish();
  ASSERT_EQ(said_.size(), 2U);
  EXPECT_EQ(said_[1].parts.size(), 2U);
  EXPECT_THAT(shown(), HasSubstr(R"({\"title\":\"first\"})"));
}

TEST_F(AgentJournals, CallsAreNotedLikeThoseOfAModel) {
  journal_.on_tool({.id = "1", .name = "Bash", .input = R"({"command":"make\ntest"})"});
  journal_.on_tool({.id = "2", .title = "rm -f a.txt", .name = "execute"});
  clock_.advance(std::chrono::seconds{2});
  journal_.on_tool_end({.id = "2", .failed = true, .output = "no\nway"});
  journal_.flush();
  EXPECT_TRUE(notes_.empty());
  journal_.on_tool_end({.id = "1", .output = "ok"});
  journal_.flush();
  ASSERT_EQ(notes_.size(), 2U);
  EXPECT_EQ(notes_[0].shown, "Bash make");
  EXPECT_EQ(notes_[0].took, std::chrono::seconds{2});
  EXPECT_FALSE(notes_[0].failed);
  EXPECT_EQ(notes_[1].shown, "execute rm -f a.txt");
  EXPECT_EQ(notes_[1].problem, "no");
  EXPECT_NE(notes_[0].fingerprint, notes_[1].fingerprint);
}

TEST_F(AgentJournals, SecretsAreMaskedAndLongTextsCut) {
  journal_.on_text("hunter2hunter2 ");
  journal_.on_tool({.id = "1", .name = "Bash", .input = R"({"command":"echo hunter2hunter2"})"});
  journal_.on_tool_end({.id = "1", .output = std::string(100'000, 'x') + "hunter2hunter2"});
  journal_.finish();
  EXPECT_THAT(shown(), testing::Not(HasSubstr("hunter2")));
  EXPECT_LT(shown().size(), 20'000U);
}

TEST_F(AgentJournals, AnEndlessTalkIsRecordedInPart) {
  for (int i = 0; i < 10'000; ++i) {
    journal_.on_text("x");
    journal_.on_tool({.title = "t", .name = "n"});
  }
  journal_.finish();
  EXPECT_LE(notes_.size(), AgentJournal::kMostTurns);
}

}  // namespace
}  // namespace clever::engine::internal
