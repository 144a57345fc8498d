#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "plan/state.h"

namespace clever::plan {

/// The steps of a plan and what they wait for. Looks at the state it was made of, as its events
/// leave it; make another one if steps are added.
///
/// What comes next does not depend on who of several children ended first: the plan's own steps are
/// worked on in the order of the strategy (as far as their dependencies allow), and before each
/// exactly those children are merged that it depends on.
class Graph {
 public:
  explicit Graph(const State& state);

  /// Pending steps one of whose dependencies, direct or not, has failed.
  [[nodiscard]] std::vector<std::size_t> hopeless() const;
  /// Pending steps that are about to run, or not: they have a condition, or all they depend on was
  /// skipped.
  [[nodiscard]] std::vector<std::size_t> undecided() const;
  /// It depends on others, and all of them were skipped.
  [[nodiscard]] bool has_no_way(std::size_t index) const;
  /// Pending subplan steps all of whose dependencies are done.
  [[nodiscard]] std::vector<std::size_t> ready_subplans() const;
  /// The pending inline step whose turn it is: the first that depends on no other one that is still
  /// to be done.
  [[nodiscard]] std::optional<std::size_t> next_inline() const;
  /// Or were skipped because of a condition.
  [[nodiscard]] bool dependencies_are_done(std::size_t index) const;
  /// Of the steps that `index` depends on, directly or not, those that are done and not merged.
  [[nodiscard]] std::vector<std::size_t> unmerged_before(std::size_t index) const;
  /// All that are done and not merged.
  [[nodiscard]] std::vector<std::size_t> unmerged() const;

 private:
  [[nodiscard]] std::vector<bool> ancestors(std::size_t index) const;

  const State& state_;
  /// Indices of the dependencies of each step.
  std::vector<std::vector<std::size_t>> needs_;
};

}  // namespace clever::plan
