// One plan, applied by many processes at the same moment: one applies it, the others get to know
// what came of that.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "base/thread.h"
#include "crash/engine/book.h"
#include "crash/engine/journals.h"
#include "support/campaign.h"

namespace clever::engine::crash {
namespace {

using nlohmann::json;

// As many as the machine's memory takes well; the next begins when one ends.
constexpr std::size_t kAtOnce = 40;

// What became of all the answers, each told once with how many said so.
using Answers = std::map<std::string, std::size_t>;

std::string reported(const io::ProcessResult& result) {
  const json answer = json::parse(result.output, nullptr, false);
  if (result.exit_code != 0 || answer.is_discarded()) {
    return "exit code " + std::to_string(result.exit_code) + ": " + result.output +
           result.error_output;
  }
  const json& data = answer["data"];
  return data.value("state", "") + " " + data.value("digest", "") + " " + data.value("commit", "");
}

Answers apply_together(const Book& book, const std::filesystem::path& home,
                       const std::vector<std::string>& arguments, std::size_t count) {
  struct Progress {
    std::size_t started = 0;
    Answers answers;
  };
  base::Guarded<Progress> progress;
  const auto next = [&] { return progress.with([&](Progress& p) { return p.started++ < count; }); };
  std::vector<std::unique_ptr<base::Thread>> threads;
  for (std::size_t i = 0; i < std::min(kAtOnce, count); ++i) {
    threads.push_back(std::make_unique<base::Thread>("apply", [&](const base::StopToken&) {
      while (next()) {
        const auto result = io::run_process(book.agents(home, arguments));
        const std::string answer = result.ok() ? reported(*result) : result.error().sentence();
        progress.with([&](Progress& p) { ++p.answers[answer]; });
      }
    }));
  }
  for (const auto& thread : threads) thread->join();
  return progress.with([](Progress& p) { return p.answers; });
}

TEST(ApplyTogetherTest, OneAppliesAndTheOthersGetTheSameReceipt) {
  Book book;
  const auto home = book.new_home("home");
  const auto run = io::run_process(book.agents(home, Book::run_arguments())).value();
  ASSERT_EQ(run.exit_code, 0) << run.output << run.error_output;
  const std::string digest = json::parse(run.output)["data"]["digest"];
  const std::string before = book.repository().line({"rev-parse", "HEAD"});

  const std::size_t count = test::campaign(40, 1000);
  const Answers answers =
      apply_together(book, home, {"plan", "apply", "--digest", digest, "--format", "json"}, count);

  ASSERT_EQ(answers.size(), 1U) << ::testing::PrintToString(answers);
  EXPECT_TRUE(answers.begin()->first.starts_with("applied " + digest)) << answers.begin()->first;
  EXPECT_EQ(answers.begin()->second, count);
  EXPECT_EQ(book.repository().line({"rev-list", "--count", before + "..HEAD"}), "1");
  EXPECT_EQ(book.repository().git({"status", "--porcelain"}), "");
  for (std::size_t page = 1; page <= Book::kPages; ++page) {
    const std::string number = std::to_string(page);
    EXPECT_EQ(book.repository().read("pages/" + number + ".txt"), "page " + number + "\nsigned\n");
  }
}

// Everybody chooses the same part of it: one seals that and lands it, once.
TEST(ApplyTogetherTest, OneChoosesAPartAndTheOthersGetTheSameReceipt) {
  Book book;
  const auto home = book.new_home("home");
  // What is left is validated again: it must hold of a part too.
  std::vector<std::string> arguments = Book::run_arguments();
  *std::next(std::ranges::find(arguments, "--validate")) = "grep -q signed pages/1.txt";
  const auto run = io::run_process(book.agents(home, arguments)).value();
  ASSERT_EQ(run.exit_code, 0) << run.output << run.error_output;
  const std::string digest = json::parse(run.output)["data"]["digest"];
  const std::string before = book.repository().line({"rev-parse", "HEAD"});
  const std::string untouched = book.repository().read("pages/3.txt");

  const std::size_t count = test::campaign(40, 1000);
  const Answers answers = apply_together(book, home,
                                         {"plan", "apply", "--hunks", "pages/1.txt,pages/2.txt",
                                          "--digest", digest, "--format", "json"},
                                         count);

  ASSERT_EQ(answers.size(), 1U) << ::testing::PrintToString(answers);
  EXPECT_TRUE(answers.begin()->first.starts_with("applied ")) << answers.begin()->first;
  EXPECT_FALSE(answers.begin()->first.contains(digest)) << answers.begin()->first;
  EXPECT_EQ(answers.begin()->second, count);
  EXPECT_EQ(book.repository().line({"rev-list", "--count", before + "..HEAD"}), "1");
  EXPECT_EQ(book.repository().git({"status", "--porcelain"}), "");
  EXPECT_EQ(book.repository().read("pages/1.txt"), "page 1\nsigned\n");
  EXPECT_EQ(book.repository().read("pages/2.txt"), "page 2\nsigned\n");
  EXPECT_EQ(book.repository().read("pages/3.txt"), untouched);
}

}  // namespace
}  // namespace clever::engine::crash
