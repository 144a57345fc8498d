// Where does a commit's message lead? Measures how well files are found.
//
//   localise_bench CLONE SCRATCH COMMITS OUTPUT [--lists]
//
// For each of so many commits (evenly spread over the newest 2,000 that are no merges, have a
// message of at least three words and change 1 to 10 files that their parent has) the message is
// the question, the parent's tree is what is searched, only the parent's own history is read, and
// the files that the commit changed are the truth. OUTPUT gets a line of JSON per commit: the
// places of the truth in each list; with --lists the lists too. Standard output gets the table.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/clock.h"
#include "base/random.h"
#include "context/history.h"
#include "context/pipeline.h"
#include "context/query.h"
#include "context/strategies/strategies.h"
#include "git/object_store.h"
#include "git/project.h"
#include "index/code_index.h"
#include "index/local_embedder.h"
#include "io/process.h"

namespace clever::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::size_t kNewest = 2000;
constexpr std::size_t kLongestList = 200;

struct Past {
  std::string id;
  std::string parent;
  std::string message;
  std::set<std::string> changed{};
};

/// Paths, best first, with what speaks for them.
using List = std::vector<std::pair<std::string, double>>;

io::ProcessResult run(const fs::path& folder, std::vector<std::string> argv) {
  return io::run_process({.argv = std::move(argv),
                          .working_directory = folder,
                          .output_limit = std::size_t{1} << 30U})
      .value();
}

/// "M\0path\0" pairs after a commit's own fields.
std::vector<Past> commits_of(const fs::path& clone) {
  const auto log = run(clone, {"git", "log", "--no-merges", "--no-renames", "--name-status", "-z",
                               "-n", "12000", "--format=%x01%H%x02%P%x02%B%x02"});
  std::vector<Past> commits;
  std::istringstream in(log.output);
  for (std::string block; std::getline(in, block, '\x01');) {
    std::vector<std::string> fields;
    std::istringstream parts(block);
    for (std::string field; std::getline(parts, field, '\x02');) fields.push_back(field);
    if (fields.size() < 4) continue;
    Past past{.id = fields[0], .parent = fields[1], .message = fields[2]};
    std::istringstream names(fields[3]);
    for (std::string status; std::getline(names, status, '\0');) {
      while (status.starts_with('\n')) status.erase(0, 1);
      std::string path;
      if (status.empty() || !std::getline(names, path, '\0')) continue;
      if (status != "A") past.changed.insert(path);
    }
    commits.push_back(std::move(past));
  }
  return commits;
}

bool asks_something(const Past& past) {
  std::istringstream in(past.message);
  std::size_t words = 0;
  for (std::string word; in >> word;) ++words;
  return words >= 3 && !past.parent.empty() && !past.changed.empty() && past.changed.size() <= 10;
}

/// Evenly spread, oldest first: what is indexed and read for one is there for the next.
std::vector<Past> sample(std::vector<Past> commits, std::size_t count) {
  std::erase_if(commits, [](const Past& past) { return !asks_something(past); });
  if (commits.size() > kNewest) commits.erase(commits.begin() + kNewest, commits.end());
  std::vector<Past> chosen;
  const std::size_t wanted = std::min(count, commits.size());
  for (std::size_t i = 0; i < wanted; ++i) chosen.push_back(commits[i * commits.size() / wanted]);
  std::ranges::reverse(chosen);
  return chosen;
}

/// Of a list of candidates its files, each at its first place.
List files_of(const std::vector<context::Candidate>& candidates, const index::View& view) {
  List list;
  std::set<std::string> seen;
  for (const auto& candidate : candidates) {
    if (view.find(candidate.path) && seen.insert(candidate.path).second) {
      list.emplace_back(candidate.path, candidate.relevance);
    }
  }
  return list;
}

List files_of(const std::vector<index::Hit>& hits, const index::View& view) {
  List list;
  for (const auto& hit : hits) list.emplace_back(view.path(hit.file), hit.score);
  return list;
}

class Bench {
 public:
  Bench(const fs::path& clone, const fs::path& scratch)
      : clone_(clone),
        scratch_(scratch),
        project_(git::Project::find(clone).value()),
        store_(git::ObjectStore::open({.folder = scratch / "store",
                                       .borrowed = project_.object_folders,
                                       .keep_packs = false})
                   .value()),
        index_(
            index::CodeIndex::open({.folder = scratch / "index", .embedder = &embedder_}).value()),
        executor_(context::ParallelStrategyExecutor::make(clock_, random_,
                                                          {.deadline = std::chrono::minutes(10)})),
        strategies_(context::default_strategies(&embedder_)),
        assembler_(*executor_, strategies_, context::default_parts()) {}

  /// Nothing if the repository lacks some of the parent's files.
  std::vector<std::pair<std::string, List>> lists(const Past& past) {
    if (!run(clone_, {"git", "checkout", "-q", "-f", "--detach", past.parent}).succeeded())
      return {};
    const auto question = question_of(past);
    if (!question) return {};
    const auto& view = *question->view;
    std::vector<std::pair<std::string, List>> lists;
    lists.emplace_back("ripgrep", ripgrep(question->text));
    lists.emplace_back("plain BM25",
                       files_of(view.search_plainly(question->text, kLongestList), view));
    for (const auto& strategy : strategies_) {
      if (!(strategy->confidence(*question) > 0) && question->decisions.empty() &&
          strategy->name() == context::kPlanDecisionContext) {
        continue;
      }
      auto found = strategy->propose(*question, 8000, {}, base::Deadline::never());
      lists.emplace_back(strategy->name(), found.ok() ? files_of(*found, view) : List{});
    }
    lists.emplace_back("fused", fused(*question));
    return lists;
  }

  void describe(const Past& past, ordered_json& line) {
    line["commit"] = past.id;
    line["message"] = past.message;
    line["truth"] = past.changed;
  }

 private:
  std::optional<context::Question> question_of(const Past& past) {
    std::string tree = run(clone_, {"git", "rev-parse", past.parent + "^{tree}"}).output;
    while (tree.ends_with('\n')) tree.pop_back();
    const auto id = git::ObjectId::from_hex(tree);
    if (!id) return std::nullopt;
    auto view = index_->view(index::tree_corpus(store_, *id));
    auto history = context::History::read(
        project_,
        {.folder = scratch_ / "history", .commit = git::ObjectId::from_hex(past.parent).value()});
    if (!view || !history) return std::nullopt;
    return context::Question{.text = past.message, .view = *view, .history = *history};
  }

  List ripgrep(const std::string& text) const {
    std::vector<std::string> argv = {
        "rg",       "--count-matches", "--ignore-case", "--fixed-strings",
        "--hidden", "--glob",          "!.git",         "--no-messages"};
    std::size_t words = 0;
    for (const auto& word : context::parse_query(text).words) {
      if (word.size() < 3) continue;
      argv.insert(argv.end(), {"-e", word});
      ++words;
    }
    if (words == 0) return {};
    argv.emplace_back(".");
    List list;
    std::istringstream in(run(clone_, std::move(argv)).output);
    for (std::string line; std::getline(in, line);) {
      const std::size_t colon = line.rfind(':');
      double count = 0;
      std::from_chars(line.data() + colon + 1, line.data() + line.size(), count);
      list.emplace_back(line.substr(2, colon - 2), count);
    }
    std::ranges::sort(list, [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    list.resize(std::min(list.size(), kLongestList));
    return list;
  }

  List fused(const context::Question& question) const {
    List list;
    std::set<std::string> seen;
    for (const auto& scored : assembler_.rank(question)) {
      const auto& path = scored.resolved.merged.candidate.path;
      if (question.view->find(path) && seen.insert(path).second)
        list.emplace_back(path, scored.score);
    }
    return list;
  }

  const fs::path clone_;
  const fs::path scratch_;
  base::SystemClock clock_;
  base::SystemRandom random_;
  index::LocalEmbedder embedder_;
  const git::Project project_;
  const std::shared_ptr<git::ObjectStore> store_;
  const std::unique_ptr<index::CodeIndex> index_;
  const std::unique_ptr<context::ParallelStrategyExecutor> executor_;
  const std::vector<std::shared_ptr<context::Strategy>> strategies_;
  const context::Assembler assembler_;
};

struct Sums {
  double recall[3] = {0, 0, 0};
  double reciprocal = 0;
};

/// Places of the truth in the list, from 0; those that it has.
std::vector<std::size_t> places(const List& list, const std::set<std::string>& truth) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (truth.contains(list[i].first)) found.push_back(i);
  }
  return found;
}

void add(const std::vector<std::size_t>& found, std::size_t truth, Sums& sums) {
  constexpr std::size_t kAt[3] = {5, 10, 20};
  for (int i = 0; i < 3; ++i) {
    const auto within = std::ranges::count_if(found, [&](std::size_t at) { return at < kAt[i]; });
    sums.recall[i] += static_cast<double>(within) / static_cast<double>(truth);
  }
  if (!found.empty()) sums.reciprocal += 1.0 / static_cast<double>(found.front() + 1);
}

void print(const std::vector<std::string>& order, const std::map<std::string, Sums>& sums,
           std::size_t asked) {
  const double count = std::max(1.0, static_cast<double>(asked));
  std::printf("| %zu commits | recall@5 | recall@10 | recall@20 | MRR |\n|---|---|---|---|---|\n",
              asked);
  double best_recall = 0;
  double best_reciprocal = 0;
  for (const auto& name : order) {
    const Sums& sum = sums.at(name);
    std::printf("| %s | %.3f | %.3f | %.3f | %.3f |\n", name.c_str(), sum.recall[0] / count,
                sum.recall[1] / count, sum.recall[2] / count, sum.reciprocal / count);
    if (name == "fused") continue;
    best_recall = std::max(best_recall, sum.recall[1]);
    best_reciprocal = std::max(best_reciprocal, sum.reciprocal);
  }
  const Sums& fused = sums.at("fused");
  std::printf("| fused over the best other | | %+.1f %% | | %+.1f %% |\n",
              100 * (fused.recall[1] / best_recall - 1),
              100 * (fused.reciprocal / best_reciprocal - 1));
}

int main_of(const std::vector<std::string>& arguments) {
  if (arguments.size() < 4) {
    std::fprintf(stderr, "usage: localise_bench CLONE SCRATCH COMMITS OUTPUT [--lists]\n");
    return 2;
  }
  const bool with_lists = arguments.size() > 4 && arguments[4] == "--lists";
  Bench bench(arguments[0], arguments[1]);
  std::ofstream output(arguments[3]);
  std::vector<std::string> order;
  std::map<std::string, Sums> sums;
  std::size_t asked = 0;
  for (const auto& past : sample(commits_of(arguments[0]), std::stoul(arguments[2]))) {
    const auto lists = bench.lists(past);
    if (lists.empty()) continue;
    ++asked;
    ordered_json line;
    bench.describe(past, line);
    for (const auto& [name, list] : lists) {
      if (std::ranges::find(order, name) == order.end()) order.push_back(name);
      const auto found = places(list, past.changed);
      add(found, past.changed.size(), sums[name]);
      line["places"][name] = found;
      if (with_lists) line["lists"][name] = list;
    }
    output << line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n'
           << std::flush;
  }
  if (asked > 0) print(order, sums, asked);
  return asked > 0 ? 0 : 1;
}

}  // namespace
}  // namespace clever::bench

int main(int argc, char** argv) { return clever::bench::main_of({argv + 1, argv + argc}); }
