// What the code index costs on a real repository, beside what people use instead. Each call is one
// measurement in a process of its own, so that its memory is its own; prints one line of JSON.
// bench/index prepares the repository and the peers, runs all of it and adds the ratios.
//
//   index_bench build REPOSITORY INDEX text|full [THREADS]   from nothing, or what is missing
//   index_bench again REPOSITORY INDEX text|full             an unchanged folder, and one more edit
//                                                            in a workspace's tree
//   index_bench query REPOSITORY INDEX text|full             searches, one after the other and at
//                                                            once
//   index_bench peer NAME COMMAND…                           time and memory of another program
//   index_bench ratios LINES CINDEX                          of the lines of all of these
#include <sys/resource.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/thread.h"
#include "git/object_store.h"
#include "git/project.h"
#include "git/snapshot.h"
#include "git/tree.h"
#include "index/code_index.h"
#include "index/corpus.h"
#include "index/local_embedder.h"
#include "io/process.h"
#include "measure.h"

namespace clever::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

const std::vector<std::string> kQueries{
    "spin_lock_irqsave",
    "mutex_lock interruptible timeout",
    "fix null pointer dereference in usb probe error path",
    "ext4 journal checksum verification fails after power loss",
    "parse device tree interrupt map of the gpio controller",
    "tcp congestion window reduction on retransmit timeout",
    "amdgpu display plane scaling register",
    "scheduler wake up idle cpu load balancing",
};

double milliseconds(const std::function<void()>& work) {
  const auto begin = SteadyClock::now();
  work();
  return microseconds_since(begin) / 1000;
}

double median_of(int times, const std::function<void()>& work) {
  std::vector<double> all;
  for (int i = 0; i < times; ++i) all.push_back(milliseconds(work));
  return median(std::move(all));
}

double peak_mib(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

class Bench {
 public:
  Bench(const fs::path& repository, const fs::path& folder, bool full, unsigned threads)
      : project_(git::Project::find(repository).value()), folder_(folder) {
    index_ = index::CodeIndex::open({.folder = folder,
                                     .threads = threads,
                                     .embedder = full ? &embedder_ : nullptr,
                                     .text_only = !full})
                 .value();
  }

  ordered_json build() {
    const double took = milliseconds([&] { view_ = open_folder(); });
    const auto stats = index_->stats();
    const auto seen = view_->stats();
    return {{"what", "build"},
            {"ms", took},
            {"peak_mib", peak_mib(RUSAGE_SELF)},
            {"cpu_ms", cpu_microseconds() / 1000},
            {"files", seen.files},
            {"searched", seen.searched},
            {"source_bytes", seen.bytes},
            {"symbols", seen.symbols},
            {"segments", stats.segments},
            {"index_bytes", stats.bytes_on_disk},
            {"index_over_source",
             static_cast<double>(stats.bytes_on_disk) / static_cast<double>(seen.bytes)}};
  }

  ordered_json again() {
    const double first = milliseconds([&] { view_ = open_folder(); });
    const double unchanged = median_of(5, [&] { view_ = open_folder(); });
    return {{"what", "again"},
            {"first_view_ms", first},
            {"unchanged_folder_ms", unchanged},
            {"edit_ms", edits()},
            {"segments", index_->stats().segments}};
  }

  ordered_json query() {
    view_ = open_folder();
    ordered_json each = ordered_json::array();
    std::vector<double> all;
    for (const std::string& text : kQueries) {
      std::size_t found = 0;
      const double took = median_of(9, [&] { found = view_->search(text, 20).size(); });
      all.push_back(took);
      each.push_back({{"query", text}, {"ms", took}, {"found", found}});
    }
    const double grep = median_of(9, [&] { (void)view_->grep("spin_lock_irqsave nested", 1000); });
    const double one = searches_per_second(1);
    const double many = searches_per_second(64);
    return {{"what", "query"},
            {"median_ms", median(all)},
            {"largest_ms", *std::ranges::max_element(all)},
            {"grep_ms", grep},
            {"symbol_ms", symbols()},
            {"per_second_1_thread", one},
            {"per_second_64_threads", many},
            {"scaling", many / one},
            {"processors", std::thread::hardware_concurrency()},
            {"peak_mib", peak_mib(RUSAGE_SELF)},
            {"each", each}};
  }

 private:
  std::shared_ptr<const index::View> open_folder() {
    return index_->view(index::folder_corpus(project_)).value();
  }

  // One file after the other is edited in the tree of a workspace, and seen by a new view.
  ordered_json edits() {
    const auto store = git::ObjectStore::open({.folder = folder_.string() + "-store",
                                               .borrowed = project_.object_folders})
                           .value();
    git::ObjectId tree = git::head_state(project_).value().tree;
    const double whole =
        milliseconds([&] { view_ = index_->view(index::tree_corpus(store, tree)).value(); });
    std::vector<double> all;
    for (index::FileNumber file = 100; all.size() < 60 && file < view_->size(); file += 1000) {
      if (view_->kind(file) != index::FileKind::kSource) continue;
      const std::string content = view_->content(file).value() + "\n/* edited_once */\n";
      const auto blob = store->put(git::ObjectKind::kBlob, content).value();
      const auto path = git::TreePath::parse(view_->path(file)).value();
      tree = git::edit_tree(*store, tree, {{path, git::Node{git::FileMode::kFile, blob}}}).value();
      all.push_back(
          milliseconds([&] { view_ = index_->view(index::tree_corpus(store, tree)).value(); }));
    }
    if (view_->grep("edited_once", 1000).size() != all.size())
      std::fprintf(stderr, "edits are not seen\n");
    std::ranges::sort(all);
    if (all.empty()) return {};
    return {{"whole_tree_ms", whole},
            {"median", all[all.size() / 2]},
            {"p95", all[all.size() * 95 / 100]},
            {"largest", all.back()},
            {"edits", all.size()}};
  }

  double symbols() {
    return median_of(9, [&] {
      (void)view_->definitions("ext4_journal_start_sb", 10);
      (void)view_->uses("ext4_journal_start_sb", 10);
    });
  }

  double searches_per_second(unsigned threads) {
    constexpr int kRounds = 4;
    const double took = milliseconds([&] {
      std::vector<std::unique_ptr<base::Thread>> all;
      for (unsigned i = 0; i < threads; ++i) {
        all.push_back(std::make_unique<base::Thread>("search", [&](const base::StopToken&) {
          for (int round = 0; round < kRounds; ++round) {
            for (const std::string& text : kQueries) (void)view_->search(text, 20);
          }
        }));
      }
    });
    return 1000.0 * threads * kRounds * static_cast<double>(kQueries.size()) / took;
  }

  index::LocalEmbedder embedder_;
  const git::Project project_;
  const fs::path folder_;
  std::unique_ptr<index::CodeIndex> index_;
  std::shared_ptr<const index::View> view_;
};

ordered_json peer(const std::string& name, std::vector<std::string> argv) {
  int code = 0;
  std::size_t lines = 0;
  const double took = milliseconds([&] {
    const auto result =
        io::run_process({.argv = std::move(argv), .output_limit = std::size_t{1} << 30U}).value();
    code = result.exit_code;
    lines = static_cast<std::size_t>(std::ranges::count(result.output, '\n'));
  });
  return {{"what", name},
          {"ms", took},
          {"peak_mib", peak_mib(RUSAGE_CHILDREN)},
          {"exit_code", code},
          {"lines", lines}};
}

// What the lines of a run come to.
class Lines {
 public:
  explicit Lines(const fs::path& file) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) lines_.push_back(ordered_json::parse(line));
  }

  // Of all measurements of a kind (and of one index, if it is named).
  double median_of(const std::string& what, const char* key, const std::string& index = {}) const {
    std::vector<double> values;
    for (const ordered_json& line : lines_) {
      if (line["what"] != what || (!index.empty() && line["index"] != index)) continue;
      values.push_back(line[key].get<double>());
    }
    return median(std::move(values));
  }

  ordered_json ratios(const fs::path& cindex_file) const {
    const double text = median_of("build", "ms", "text");
    const double cindex = median_of("cindex", "ms");
    const double search = median_of("query", "median_ms", "text");
    const auto again =
        std::ranges::find(lines_, "again", [](const auto& line) { return line["what"]; });
    return {{"what", "ratios"},
            {"cindex_over_text_index", cindex / text},
            {"text_index_peak_mib", median_of("build", "peak_mib", "text")},
            {"cindex_peak_mib", median_of("cindex", "peak_mib")},
            {"full_over_cindex_and_ctags",
             median_of("build", "ms", "full") / (cindex + median_of("ctags", "ms"))},
            {"edit_ms", (*again)["edit_ms"]["median"]},
            {"ripgrep_over_search", median_of("ripgrep", "ms") / search},
            {"csearch_over_search", median_of("csearch", "ms") / search},
            {"index_over_source", median_of("build", "index_over_source", "full")},
            {"text_index_over_cindex_bytes", median_of("build", "index_bytes", "text") /
                                                 static_cast<double>(fs::file_size(cindex_file))},
            {"scaling_of_64_threads", median_of("query", "scaling", "text")},
            {"assembly_p50_ms", median_of("assembly", "p50_ms")},
            {"assembly_p99_ms", median_of("assembly", "p99_ms")},
            {"assembly_scaling_of_64_threads", median_of("assembly", "scaling")}};
  }

 private:
  std::vector<ordered_json> lines_;
};

ordered_json measure(const std::vector<std::string>& arguments) {
  if (arguments[0] == "peer") {
    return peer(arguments[1], {arguments.begin() + 2, arguments.end()});
  }
  if (arguments[0] == "ratios") return Lines(arguments[1]).ratios(arguments[2]);
  const unsigned threads =
      arguments.size() > 4 ? static_cast<unsigned>(std::stoul(arguments[4])) : 2;
  Bench bench(fs::absolute(arguments[1]), fs::absolute(arguments[2]), arguments[3] == "full",
              threads);
  ordered_json result = arguments[0] == "build"   ? bench.build()
                        : arguments[0] == "again" ? bench.again()
                                                  : bench.query();
  result["index"] = arguments[3];
  return result;
}

}  // namespace
}  // namespace clever::bench

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 3 ||
      (arguments[0] != "peer" && arguments[0] != "ratios" && arguments.size() < 4)) {
    std::fprintf(stderr,
                 "usage: index_bench build|again|query REPOSITORY INDEX text|full [THREADS]\n"
                 "       index_bench peer NAME COMMAND…\n"
                 "       index_bench ratios LINES CINDEX\n");
    return 2;
  }
  std::puts(clever::bench::measure(arguments).dump().c_str());
  return 0;
}
