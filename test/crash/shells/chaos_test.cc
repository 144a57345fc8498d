// Several shells run, apply, undo and look at plans, now and then with kill -9, while a person
// commits, rebases and collects garbage in the same repository: no journal event, no landed change
// and no edit of the person's is lost.
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "base/random.h"
#include "base/thread.h"
#include "crash/seeds.h"
#include "crash/shells/site.h"
#include "support/campaign.h"

namespace clever::crash {
namespace {

using nlohmann::json;

/// What was acknowledged: what must be there afterwards.
struct Acknowledged {
  std::set<std::string> plans;
  /// Commits of each plan, one for its apply and one for its undo.
  std::map<std::string, std::size_t> landed;
  std::string lines;
  std::size_t commits = 0;
  std::size_t commands = 0;
  std::size_t kills = 0;
};
using Book = base::Guarded<Acknowledged>;

std::string file_of(std::size_t shell) { return "shell-" + std::to_string(shell) + ".txt"; }

/// One shell with a file of its own: a plan replaces the word that is in it by another one.
class Shell {
 public:
  Shell(const Site& site, Book& book, std::size_t number, std::uint64_t seed)
      : site_(site), book_(book), number_(number), random_(seed * 1000 + number) {}

  void work(std::size_t steps) {
    for (std::size_t step = 0; step < steps; ++step) {
      run_plan(step);
      if (plan_.empty()) continue;
      look();
      land("apply --yes " + plan_);
      look();
      if (random_.below(3) == 0) land("undo " + plan_);
    }
  }

 private:
  void run_plan(std::size_t step) {
    const std::string word = "s" + std::to_string(number_) + "n" + std::to_string(step) + "e";
    const json answer = agents("run --actor local/codemod --arg find=\"$(cat " + file_of(number_) +
                               ")\" --arg replace=" + word);
    plan_ = answer.is_object() ? answer["data"].value("plan_id", "") : "";
    if (!plan_.empty()) book_.with([&](Acknowledged& all) { all.plans.insert(plan_); });
  }

  // Whether it was killed or not: what it says has landed, has.
  void land(const std::string& words) {
    const json answer = agents(words);
    if (!answer.is_object() || answer["data"].value("commit", "").empty()) return;
    book_.with([&](Acknowledged& all) { ++all.landed[plan_]; });
  }

  void look() {
    const auto commands =
        std::to_array<std::string>({"plan diff " + plan_, "plan status " + plan_, "cleanup",
                                    "plan list", "plan resume " + plan_});
    static_cast<void>(agents(commands.at(random_.below(commands.size()))));
  }

  // What it says in JSON if it ended well; every fifth is killed at some moment.
  json agents(const std::string& words) {
    const bool dies = random_.below(5) == 0;
    const std::string limit =
        dies ? "timeout --signal=KILL 0." + std::to_string(100 + random_.below(800)) + " " : "";
    const auto result = site_.run(limit + "\"$AGENTS\" " + words + " --format json");
    book_.with([&](Acknowledged& all) {
      ++all.commands;
      if (result.exit_code == 128 + 9) ++all.kills;
    });
    if (result.exit_code != 0) return {};
    return json::parse(result.output, nullptr, /*allow_exceptions=*/false);
  }

  const Site& site_;
  Book& book_;
  const std::size_t number_;
  base::SeededRandom random_;
  std::string plan_;
};

/// Edits a file of their own, commits it, and looks after the repository.
class Person {
 public:
  Person(const Site& site, Book& book, std::uint64_t seed)
      : site_(site), book_(book), random_(seed) {}

  void work(const base::StopToken& stop) {
    for (std::size_t line = 0; !stop.stop_requested(); ++line) {
      write_and_commit("line " + std::to_string(line));
      if (random_.below(4) == 0) {
        // A lock may stop it in the middle, and its abort as well: what is written before that has
        // come to its end, it would throw away.
        tend(
            "git rebase --quiet --force-rebase HEAD~2; "
            "while test -d .git/rebase-merge; do git rebase --abort || \"$AGENTS\" cleanup; done");
      }
      if (random_.below(6) == 0) tend("git gc --quiet");
    }
  }

 private:
  // Git may refuse it while an apply holds its lock.
  void tend(const std::string& script) { static_cast<void>(site_.run(script)); }

  void write_and_commit(const std::string& line) {
    site_.expect("echo '" + line + "' >> person.txt");
    const auto committed = site_.run("git commit --quiet -m '" + line + "' person.txt");
    book_.with([&](Acknowledged& all) {
      all.lines += line + "\n";
      if (committed.succeeded()) ++all.commits;
    });
    // Refused while the index is locked: it goes with the next one.
  }

  const Site& site_;
  Book& book_;
  base::SeededRandom random_;
};

class ChaosTest : public ::testing::Test {
 protected:
  void make(std::size_t shells) {
    site_.expect("echo begin > person.txt");
    for (std::size_t i = 0; i < shells; ++i) {
      site_.expect("echo s" + std::to_string(i) + "begin > " + file_of(i));
    }
    site_.expect(
        "git add . && git commit --quiet -m first && git commit --quiet --allow-empty -m "
        "second && git commit --quiet --allow-empty -m third");
  }

  void run(std::size_t shells, std::size_t steps, std::uint64_t seed) {
    base::Thread person(
        "person", [&](const base::StopToken& stop) { Person(site_, book_, seed).work(stop); });
    std::deque<base::Thread> threads;
    for (std::size_t i = 0; i < shells; ++i) {
      threads.emplace_back(
          "shell", [&, i](const base::StopToken&) { Shell(site_, book_, i, seed).work(steps); });
    }
    for (base::Thread& thread : threads) thread.join();
    person.request_stop();
    person.join();
  }

  void expect_nothing_lost() {
    // Whatever was killed last is ended by this.
    site_.expect("\"$AGENTS\" plan list");
    const auto verified = site_.run("\"$AGENTS\" db verify");
    EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.error_output;
    site_.expect("git fsck --no-dangling --no-progress");
    site_.expect(
        "test -z \"$(find . -name '*cleveragents*' -o -name '*.lock' -o -name '*.saved-*')\"");
    site_.expect("git add person.txt && git commit --quiet --allow-empty -m last");
    const Acknowledged all = book_.with([](Acknowledged& book) { return book; });
    EXPECT_EQ(site_.expect("cat person.txt"), "begin\n" + all.lines);
    expect_plans(all);
    expect_landed(all);
    EXPECT_GT(all.commits, 0U);
    // And plans still land.
    site_.expect("\"$AGENTS\" run --apply --actor local/codemod --arg find=\"$(cat " + file_of(0) +
                 ")\" --arg replace=at-last");
    EXPECT_EQ(site_.expect("cat " + file_of(0)), "at-last\n");
    RecordProperty("commands", std::to_string(all.commands));
    RecordProperty("kills", std::to_string(all.kills));
    RecordProperty("landed", std::to_string(all.landed.size()));
  }

  void expect_plans(const Acknowledged& all) {
    for (const std::string& plan : all.plans) {
      const auto verified = site_.run("\"$AGENTS\" plan verify " + plan);
      EXPECT_EQ(verified.exit_code, 0) << plan << verified.output << verified.error_output;
    }
  }

  // A rebase writes commits anew, with their messages.
  void expect_landed(const Acknowledged& all) {
    const std::string log = site_.expect("git log --format=%B");
    for (const auto& [plan, commits] : all.landed) {
      std::size_t found = 0;
      for (std::size_t at = log.find("Plan-Id: " + plan); at != std::string::npos;
           at = log.find("Plan-Id: " + plan, at + 1)) {
        ++found;
      }
      EXPECT_GE(found, commits) << plan;
    }
  }

  Site site_;
  Book book_;
};

TEST_F(ChaosTest, NothingIsLost) {
  const std::size_t shells = test::campaign(4, 30);
  make(shells);
  const std::uint64_t seed = *storage::crash::Seeds(1, 1).begin();
  SCOPED_TRACE(storage::crash::replay(seed));
  run(shells, test::campaign(3, 25), seed);
  expect_nothing_lost();
}

}  // namespace
}  // namespace clever::crash
