#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "plan/state.h"

namespace clever::plan {

/// The steps of a plan and their dependencies. A view of the state it was made from; make a new one
/// if steps are added.
///
/// The next step does not depend on the order in which children end: the plan's own steps run in
/// the order of the strategy (as their dependencies allow), and before each exactly the children it
/// depends on are merged.
class Graph {
 public:
  explicit Graph(const State& state);

  /// Pending steps with a failed dependency, direct or not.
  [[nodiscard]] std::vector<std::size_t> hopeless() const;
  /// Pending steps that have a condition, or whose dependencies were all skipped: whether they run
  /// is still open.
  [[nodiscard]] std::vector<std::size_t> undecided() const;
  /// It has dependencies, and all of them were skipped.
  [[nodiscard]] bool has_no_way(std::size_t index) const;
  /// Pending subplan steps whose dependencies are all done.
  [[nodiscard]] std::vector<std::size_t> ready_subplans() const;
  /// The next pending inline step: the first that depends on no other unfinished inline step.
  [[nodiscard]] std::optional<std::size_t> next_inline() const;
  /// Done, or skipped because of a condition.
  [[nodiscard]] bool dependencies_are_done(std::size_t index) const;
  /// The dependencies of `index`, direct or not, that are done and not merged.
  [[nodiscard]] std::vector<std::size_t> unmerged_before(std::size_t index) const;
  /// All steps that are done and not merged.
  [[nodiscard]] std::vector<std::size_t> unmerged() const;

 private:
  [[nodiscard]] std::vector<bool> ancestors(std::size_t index) const;

  const State& state_;
  /// Indices of the dependencies of each step.
  std::vector<std::vector<std::size_t>> needs_;
};

}  // namespace clever::plan
