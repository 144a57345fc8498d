// kill -9 at a random moment of `agents run` and of each `agents plan approve` and `reject` after
// it: what was approved is done once, what was rejected never, and nobody is asked twice about what
// was answered.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>

#include "base/random.h"
#include "crash/engine/book.h"
#include "crash/engine/journals.h"
#include "crash/engine/victim.h"
#include "crash/seeds.h"

namespace clever::engine::crash {
namespace {

using storage::crash::replay;
using Words = std::vector<std::string>;

// More than any life has answers and deaths: who needs more is in a loop.
constexpr int kMostProcesses = 40;

constexpr const char* kLedgerScript =
    "defaults: {delay: 5ms, usage: {input: 900, output: 40}}\n"
    "rules:\n"
    "- match: {turn: 1}\n"
    "  tool_calls:\n"
    "  - {name: run_command, arguments: {command: 'sleep 0.05; echo paid >> ledger.txt'}}\n"
    "  - {name: run_command, arguments: {command: 'echo never >> ledger.txt'}}\n"
    "- match: {turn: 2}\n"
    "  tool_calls:\n"
    "  - {name: run_command, arguments: {command: 'sleep 0.05; echo again >> ledger.txt'}}\n"
    "- reply: It is paid.\n";

bool is_done(const Journals& journals) {
  return journals.root && journals.root->is_at_rest() && !journals.root->approval;
}

// What is to be typed next: there may be no plan yet, or one that nobody drives.
Words next_words(const Journals& kept) {
  if (!kept.root) return {"run", "--direct", "Pay the bill.", "--format", "json"};
  const std::string plan = kept.root->id.to_string();
  // To resume what asks would be a yes.
  if (!kept.root->approval) return {"plan", "resume", plan, "--format", "json"};
  for (const model::ApprovalItem& item : kept.root->approval->items) {
    if (item.what.contains("never")) return {"plan", "reject", plan, item.id, "--reason", "no"};
  }
  return {"plan", "approve", plan, "--format", "json"};
}

class KillApprovalsTest : public ::testing::Test {
 protected:
  KillApprovalsTest() {
    const auto began = std::chrono::steady_clock::now();
    calm_ = live("calm", nullptr);
    calm_took_ = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - began);
  }

  std::filesystem::path home_of(const std::string& name) {
    const auto home = book_.repository().beside(name);
    if (std::filesystem::exists(home)) return home;
    static_cast<void>(book_.new_home(name));
    std::ofstream(home / "config.toml", std::ios::app)
        << "[permissions]\nask = [\"run_command(echo *)\"]\n";
    return home;
  }

  // A plan's life from the first word to the last answer; with a seed, of people whose processes
  // die.
  Journals live(const std::string& home, base::Random* random) {
    Journals kept;
    for (int process = 0; process < kMostProcesses && !is_done(kept); ++process) {
      auto options = book_.agents(home_of(home), next_words(kept));
      // In the end they are left in peace.
      const bool dies = random != nullptr && process < kMostProcesses / 2 && random->below(2) == 0;
      if (dies) {
        die(options, kept, *random);
      } else {
        options.deadline = base::Deadline::after(clock_, kPatience);
        const auto result = io::run_process(options);
        EXPECT_TRUE(result.ok()) << result.error().sentence();
      }
      kept = journals_of(home_of(home));
    }
    return kept;
  }

  void die(const io::ProcessOptions& options, const Journals& before, base::Random& random) {
    Victim victim(options);
    const auto most = static_cast<std::uint64_t>(calm_took_.count()) / 3;
    if (victim.work(std::chrono::microseconds(random.below(most)))) return;
    victim.kill();
    ++kills_;
    if (before.root && before.root->approval) ++kills_of_answers_;
  }

  static std::size_t count_of(const Journals& journals, const std::string& kind) {
    const auto found = journals.kinds.find(kind);
    return found == journals.kinds.end() ? 0 : found->second;
  }

  void expect_as_undisturbed(const Journals& found) {
    ASSERT_TRUE(found.root.has_value());
    EXPECT_TRUE(found.root->is_ready_to_apply()) << found.root->reason;
    EXPECT_EQ(found.root->tree, calm_.root->tree) << "something was done twice, or not at all";
    EXPECT_EQ(found.root->changeset.digest, calm_.root->changeset.digest);
    for (const char* kind : {"approval.requested", "approval.given", "tools.ran"}) {
      EXPECT_EQ(count_of(found, kind), count_of(calm_, kind)) << kind;
    }
    EXPECT_EQ(found.answers, calm_.answers);
  }

  base::SystemClock clock_;
  Book book_{kLedgerScript};
  Journals calm_;
  std::chrono::microseconds calm_took_{};
  std::size_t kills_ = 0;
  std::size_t kills_of_answers_ = 0;
};

TEST_F(KillApprovalsTest, WhatIsApprovedIsDoneOnceAndWhatIsRejectedNever) {
  ASSERT_TRUE(calm_.root.has_value());
  ASSERT_TRUE(calm_.root->is_ready_to_apply()) << calm_.root->reason;
  const auto diff = io::run_process(book_.agents(home_of("calm"), {"plan", "diff"})).value();
  EXPECT_TRUE(diff.output.contains("+paid\n+again\n")) << diff.output << diff.error_output;
  EXPECT_FALSE(diff.output.contains("never")) << diff.output;
  for (const std::uint64_t seed : storage::crash::Seeds(8, 200)) {
    SCOPED_TRACE(replay(seed));
    base::SeededRandom random(seed);
    const std::string home = "home" + std::to_string(seed);
    expect_as_undisturbed(live(home, &random));
    std::filesystem::remove_all(home_of(home));
    if (HasFailure()) break;
  }
  std::cout << kills_ << " kills, " << kills_of_answers_ << " of them of answers\n";
  // One seed alone may well kill none.
  if (kills_ > 4) {
    EXPECT_GT(kills_of_answers_, 0U);
  }
}

}  // namespace
}  // namespace clever::engine::crash
