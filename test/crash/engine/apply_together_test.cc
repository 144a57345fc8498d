// One plan, applied by many processes at the same moment: one applies it, the others get to know
// what came of that.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

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

std::string told(const io::ProcessResult& result) {
  const json answer = json::parse(result.output, nullptr, false);
  if (result.exit_code != 0 || answer.is_discarded()) {
    return "exit code " + std::to_string(result.exit_code) + ": " + result.output +
           result.error_output;
  }
  const json& data = answer["data"];
  return data.value("state", "") + " " + data.value("digest", "") + " " + data.value("commit", "");
}

Answers apply_together(const Book& book, const std::filesystem::path& home,
                       const std::string& digest, std::size_t count) {
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
        const auto result = io::run_process(
            book.agents(home, {"plan", "apply", "--digest", digest, "--format", "json"}));
        const std::string answer = result.ok() ? told(*result) : result.error().sentence();
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
  const Answers answers = apply_together(book, home, digest, count);

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

}  // namespace
}  // namespace clever::engine::crash
