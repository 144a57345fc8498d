#include "context/strategies/internal/graph.h"

#include <cmath>

#include "context/internal/text_of.h"

namespace clever::context::internal {
namespace {

constexpr double kFocus = 3;
constexpr double kNamedPath = 2;
constexpr std::size_t kMostDefinitions = 24;
constexpr std::size_t kMostWords = 24;

class Seeding {
 public:
  Seeding(const Question& question, const Query& query, const base::StopToken& stop)
      : view_(*question.view), stop_(stop), seeds_{.files = Tally(view_)} {
    for (const auto& path : question.focus) {
      for (const auto file : files_meant(view_, path, 4))
        seeds_.files.add(file, kFocus, "in focus");
    }
    for (const auto& named : query.paths) path(named);
    for (const auto& name : query.identifiers) define(name, 1);
    words(query);
  }
  Seeds take() { return std::move(seeds_); }

 private:
  void path(const NamedPath& named) {
    if (stop_.stop_requested()) return;
    const auto files = files_meant(view_, named.path, 4);
    for (const auto file : files) {
      const double score = kNamedPath / static_cast<double>(files.size());
      seeds_.files.add(file, score, text_of("the task names ", named.path));
      if (named.line != 0) place(file, named.line);
    }
  }

  /// Adds what holds a line of a stack trace.
  void place(index::FileNumber file, std::uint32_t line) {
    const auto syntax = view_.syntax(file);
    if (!syntax) return;
    const syntax::Symbol* innermost = nullptr;
    for (const auto& symbol : syntax->symbols) {
      if (symbol.range.first_line <= line && line <= symbol.range.last_line) innermost = &symbol;
    }
    if (innermost == nullptr) return;
    seeds_.definitions.push_back(
        {.path = view_.path(file),
         .range = innermost->range,
         .relevance = kNamedPath,
         .why = text_of("line ", line, " lies in `", innermost->name, "`")});
  }

  void define(const std::string& name, double strength) {
    if (stop_.stop_requested()) return;
    const auto definitions = view_.definitions(name, kMostDefinitions);
    if (definitions.empty()) return;
    // A name with many definitions says little about its place.
    const double score = strength / std::sqrt(static_cast<double>(definitions.size()));
    for (const auto& hit : definitions) {
      const std::string why = text_of("defines `", hit.symbol.name, "`, which the task names");
      seeds_.files.add(hit.file, score, why);
      seeds_.definitions.push_back({.path = view_.path(hit.file),
                                    .range = hit.symbol.range,
                                    .relevance = score,
                                    .why = why});
    }
  }

  /// Plain words may be names too: "bind fails" names `bind`.
  void words(const Query& query) {
    std::size_t tried = 0;
    for (const auto& word : query.words) {
      if (word.size() < 4 || tried++ >= kMostWords) continue;
      define(word, 0.4);
    }
  }

  const index::View& view_;
  const base::StopToken& stop_;
  Seeds seeds_;
};

}  // namespace

Seeds seeds_of(const Question& question, const Query& query, const base::StopToken& stop) {
  return Seeding(question, query, stop).take();
}

void spread(const index::View& view, const Tally& from, Tally& into, const base::StopToken& stop) {
  constexpr std::size_t kSeeds = 12;
  constexpr std::size_t kNeighbours = 16;
  constexpr double kDecay = 0.35;
  const Tally* ring = &from;
  Tally next(view);
  double decay = kDecay;
  for (int step = 0; step < 2; ++step, decay *= kDecay) {
    Tally found(view);
    for (const auto& hit : ring->best(kSeeds)) {
      if (stop.stop_requested()) return;
      for (const auto& edge : view.edges(hit.file, kNeighbours)) {
        const double score = hit.score * std::min(1.0, edge.weight);
        const std::string why = text_of("next to ", view.path(hit.file));
        found.add(edge.to, score, why);
        into.add(edge.to, score * decay, why);
      }
    }
    next = std::move(found);
    ring = &next;
  }
}

}  // namespace clever::context::internal
