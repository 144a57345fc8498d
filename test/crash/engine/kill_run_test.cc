// kill -9 at a random moment of `agents run` with sixteen subplans, and of the `agents plan resume`
// after it: it finishes, with nothing lost, nothing done twice and nothing paid beyond the cap.
#include <gtest/gtest.h>

#include <iostream>

#include "base/random.h"
#include "crash/engine/book.h"
#include "crash/engine/journals.h"
#include "crash/engine/victim.h"
#include "crash/seeds.h"

namespace clever::engine::crash {
namespace {

using storage::crash::replay;

class KillRunTest : public ::testing::Test {
 protected:
  KillRunTest() {
    const auto began = std::chrono::steady_clock::now();
    calm_ = finish("calm", Book::run_arguments());
    calm_took_ = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - began);
  }

  // Runs to the end, and says what the journals hold then.
  Journals finish(const std::string& home, std::vector<std::string> arguments) {
    auto options = book_.agents(home_of(home), std::move(arguments));
    options.deadline = base::Deadline::after(clock_, kPatience);
    const auto result = io::run_process(options);
    EXPECT_TRUE(result.ok()) << result.error().sentence();
    if (!result.ok()) return {};
    EXPECT_EQ(result->exit_code, 0) << result->output << result->error_output;
    return journals_of(home_of(home));
  }

  std::filesystem::path home_of(const std::string& name) {
    const auto home = book_.repository().beside(name);
    return std::filesystem::exists(home) ? home : book_.new_home(name);
  }

  // A process dies at a moment that the seed chose. False if it ended first.
  bool kill_at(const std::string& home, std::vector<std::string> arguments, base::Random& random) {
    const std::size_t asked = book_.server().counts().answered;
    Victim victim(book_.agents(home_of(home), std::move(arguments)));
    const bool ended = random.below(4) == 0 ? work_for_a_time(victim, random)
                                            : work_for_some_answers(victim, asked, random);
    if (ended) return false;
    victim.kill();
    return true;
  }
  // Any moment from the start of the process on.
  bool work_for_a_time(Victim& victim, base::Random& random) const {
    return victim.work(
        std::chrono::microseconds(random.below(static_cast<std::uint64_t>(calm_took_.count()))));
  }
  // In the midst of the work: so many answers were given, and a little more time has passed.
  bool work_for_some_answers(Victim& victim, std::size_t before, base::Random& random) {
    const std::size_t enough = before + random.below(3 * Book::kPages);
    while (book_.server().counts().answered < enough) {
      if (victim.work(std::chrono::milliseconds{1})) return true;
    }
    return victim.work(std::chrono::microseconds(random.below(30'000)));
  }

  // Nothing is asked for that was answered, and the answer kept, before.
  void expect_nothing_asked_again(std::size_t first_request, const Journals& kept) {
    const auto requests = book_.server().understood();
    for (std::size_t i = first_request; i < requests.size(); ++i) {
      const Question question = question_of(requests[i]);
      const auto answers = kept.answers.find(question.page);
      const std::size_t recorded = answers == kept.answers.end() ? 0 : answers->second;
      EXPECT_GT(question.turn, recorded)
          << "page " << question.page << ": answer " << question.turn << " was asked for again";
    }
  }

  void expect_as_undisturbed(const Journals& found) {
    ASSERT_TRUE(found.root.has_value());
    ASSERT_TRUE(calm_.root.has_value());
    EXPECT_TRUE(found.root->is_ready_to_apply()) << found.root->reason;
    EXPECT_EQ(found.root->tree, calm_.root->tree);
    ASSERT_TRUE(found.root->validation.has_value());
    EXPECT_TRUE(found.root->validation->passed());
    EXPECT_EQ(found.root->validation->tree, found.root->tree);
    EXPECT_EQ(found.root->changeset.digest, calm_.root->changeset.digest);
    EXPECT_EQ(found.answers, calm_.answers);
    EXPECT_EQ(kinds_of(found, "tools.ran"), kinds_of(calm_, "tools.ran"));
    EXPECT_LE(found.budget.spent.money + found.budget.reserved.money, found.budget.cap.money);
    EXPECT_EQ(found.budget.overruns, 0);
    EXPECT_GT(found.budget.spent.money, 0);
  }

  static std::size_t kinds_of(const Journals& journals, const std::string& kind) {
    const auto found = journals.kinds.find(kind);
    return found == journals.kinds.end() ? 0 : found->second;
  }

  // What is to be typed after a death: there may be no plan yet.
  static std::vector<std::string> go_on(const Journals& kept) {
    if (!kept.root) return Book::run_arguments();
    return {"plan", "resume", kept.root->id.to_string(), "--format", "json"};
  }

  // Most die once; some again while they are being resumed.
  Journals die(const std::string& home, base::Random& random) {
    Journals kept;
    std::vector<std::string> arguments = Book::run_arguments();
    const std::uint64_t deaths = 1 + random.below(4) / 2;
    for (std::uint64_t death = 0; death < deaths; ++death) {
      const bool died = kill_at(home, arguments, random);
      kept = journals_of(home_of(home));
      if (!died) break;
      ++kills_;
      if (kept.root && !kept.root->is_at_rest()) ++kills_at_work_;
      arguments = go_on(kept);
    }
    return kept;
  }

  void die_and_go_on(std::uint64_t seed) {
    SCOPED_TRACE(replay(seed));
    base::SeededRandom random(seed);
    const std::string home = "home" + std::to_string(seed);
    const Journals kept = die(home, random);
    const std::size_t before = book_.server().understood().size();
    const bool finished = kept.root && kept.root->is_at_rest();
    const Journals found = finished ? kept : finish(home, go_on(kept));
    expect_nothing_asked_again(before, kept);
    expect_as_undisturbed(found);
    std::filesystem::remove_all(home_of(home));
  }

  base::SystemClock clock_;
  Book book_;
  Journals calm_;
  std::chrono::microseconds calm_took_{};
  std::size_t kills_ = 0;
  /// Those that left a plan in the midst of its work.
  std::size_t kills_at_work_ = 0;
};

TEST_F(KillRunTest, ItFinishesAsIfNobodyHadKilledIt) {
  ASSERT_TRUE(calm_.root.has_value());
  EXPECT_EQ(calm_.answers.size(), Book::kPages + 1);
  for (const std::uint64_t seed : storage::crash::Seeds(8, 200)) {
    die_and_go_on(seed);
    if (HasFailure()) break;
  }
  std::cout << kills_ << " kills, " << kills_at_work_ << " of them at work; undisturbed it takes "
            << calm_took_.count() / 1000 << " ms\n";
  RecordProperty("kills", std::to_string(kills_));
  // One seed alone may well be a moment before there is a plan.
  if (kills_ > 4) {
    EXPECT_GT(kills_at_work_, 0U);
  }
  EXPECT_EQ(book_.server().counts().rejected, 0U) << book_.server().counts().last_rejection;
}

}  // namespace
}  // namespace clever::engine::crash
