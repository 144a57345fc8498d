// What putting a context together costs: all strategies and all parts on a real repository, whose
// index `index_bench build … full` made. Prints one line of JSON: how long one assembly takes after
// another, what it costs the processors, and how many there are per second from one thread and from
// 64.
//
//   context_bench REPOSITORY INDEX SCRATCH [ASSEMBLIES]
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/thread.h"
#include "context/history.h"
#include "context/pipeline.h"
#include "context/strategies/strategies.h"
#include "git/project.h"
#include "index/code_index.h"
#include "index/corpus.h"
#include "index/local_embedder.h"
#include "measure.h"

namespace clever::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// What a turn of the engine gets (IndexedContext::Options::most_tokens).
constexpr context::Budget kBudget{.window = 16'000};

double at(const std::vector<double>& sorted, std::size_t percent) {
  return sorted[std::min(sorted.size() - 1, sorted.size() * percent / 100)];
}

class Bench {
 public:
  Bench(const fs::path& repository, const fs::path& index, const fs::path& scratch)
      : project_(git::Project::find(repository).value()),
        index_(index::CodeIndex::open({.folder = index, .embedder = &embedder_}).value()),
        view_(index_->view(index::folder_corpus(project_)).value()),
        history_(context::History::read(project_, {.folder = scratch / "history"}).value()),
        executor_(context::ParallelStrategyExecutor::make(clock_, random_)),
        assembler_(*executor_, context::default_strategies(&embedder_), context::default_parts()),
        counter_(context::token_counter_for("openai/gpt-5")) {}

  ordered_json measure(std::size_t count) {
    // What is read for the first time (pages of the index, the tokens' table) is read before.
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 20); ++i) (void)assemble(i * 7919);
    std::vector<double> all;
    std::size_t proposed = 0;
    std::size_t tokens = 0;
    const double cpu = cpu_microseconds();
    for (std::size_t i = 0; i < count; ++i) {
      const auto begin = SteadyClock::now();
      const context::Assembly assembly = assemble(i * 104'729);
      all.push_back(microseconds_since(begin) / 1000);
      tokens += assembly.tokens;
      proposed += static_cast<std::size_t>(
          std::ranges::count(assembly.outcomes, context::StrategyOutcome::How::kProposed,
                             &context::StrategyOutcome::how));
    }
    const double cpu_each = (cpu_microseconds() - cpu) / 1000 / static_cast<double>(count);
    std::ranges::sort(all);
    const double one = per_second(1, count * 2 / 3);
    const double many = per_second(64, count * 2 / 3);
    return {{"what", "assembly"},
            {"files", view_->stats().files},
            {"assemblies", all.size()},
            {"strategies_each", static_cast<double>(proposed) / static_cast<double>(all.size())},
            {"tokens_each", tokens / all.size()},
            {"p50_ms", at(all, 50)},
            {"p99_ms", at(all, 99)},
            {"largest_ms", all.back()},
            {"cpu_ms_each", cpu_each},
            {"per_second_1_thread", one},
            {"per_second_64_threads", many},
            {"scaling", many / one},
            {"processors", std::thread::hardware_concurrency()}};
  }

 private:
  // As people ask: a file's path has the words of what it is about.
  context::Question question(std::size_t number) const {
    const auto file = static_cast<index::FileNumber>(number % view_->size());
    std::string words = view_->path(file);
    std::ranges::replace_if(words, [](char c) { return c == '/' || c == '_' || c == '.'; }, ' ');
    return {.text = "Fix the error handling of " + words + " when the device is removed",
            .view = view_,
            .history = history_};
  }

  context::Assembly assemble(std::size_t number) const {
    return assembler_.assemble(question(number), kBudget, *counter_).value();
  }

  double per_second(unsigned threads, std::size_t in_all) const {
    const auto begin = SteadyClock::now();
    {
      std::vector<std::unique_ptr<base::Thread>> all;
      for (unsigned i = 0; i < threads; ++i) {
        all.push_back(std::make_unique<base::Thread>("assembly", [&, i](const base::StopToken&) {
          for (std::size_t n = i; n < in_all; n += threads) (void)assemble(n * 7919);
        }));
      }
    }
    return 1e6 * static_cast<double>(in_all) / microseconds_since(begin);
  }

  base::SystemClock clock_;
  base::SystemRandom random_;
  index::LocalEmbedder embedder_;
  const git::Project project_;
  const std::unique_ptr<index::CodeIndex> index_;
  const std::shared_ptr<const index::View> view_;
  const std::shared_ptr<const context::History> history_;
  const std::unique_ptr<context::ParallelStrategyExecutor> executor_;
  const context::Assembler assembler_;
  const std::shared_ptr<const context::TokenCounter> counter_;
};

}  // namespace
}  // namespace clever::bench

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: context_bench REPOSITORY INDEX SCRATCH [ASSEMBLIES]\n");
    return 2;
  }
  namespace fs = std::filesystem;
  clever::bench::Bench bench(fs::absolute(argv[1]), fs::absolute(argv[2]), fs::absolute(argv[3]));
  std::puts(bench.measure(argc > 4 ? std::stoul(argv[4]) : 300).dump().c_str());
  return 0;
}
