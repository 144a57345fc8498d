#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clever::model {

enum class StepMode : std::uint8_t { kInline, kSubplan };
[[nodiscard]] std::string_view to_string(StepMode mode) noexcept;  // "inline", "subplan"

/// One step of a strategy. A value.
struct StrategyStep {
  /// Unique within the strategy; letters, digits, `_`, `-` and `.`, at most 64.
  std::string id{};
  std::string title{};
  std::string detail{};
  StepMode mode = StepMode::kInline;
  /// Ids of steps that must be done before. None: the default of its place applies (see
  /// normalised()).
  std::optional<std::vector<std::string>> depends_on{};
  /// The files it is about; a hint for context, not a limit.
  std::vector<std::string> paths{};
  // Of a node of a graph actor; a model's strategy has none of it.
  /// The actor that works on it; empty: the plan's actor.
  std::string actor{};
  std::map<std::string, std::string> arguments{};
  /// An expression (plan/expression.h) over the earlier work: if it is false, the step is skipped,
  /// and so are steps that depend on it alone. Empty: always true.
  std::string when{};

  friend bool operator==(const StrategyStep&, const StrategyStep&) = default;
};

/// How to carry out a plan: the argument of `submit_strategy`. A value.
struct Strategy {
  std::string summary{};
  std::string rationale{};
  /// 0 to 1, if the decider stated it.
  std::optional<double> confidence{};
  std::vector<std::string> alternatives{};
  std::vector<StrategyStep> steps{};

  /// Parses the arguments of the tool (actors and conditions are not a model's to set). Total;
  /// `invalid_argument` says what is wrong, where, and what would be right (an unknown step in
  /// depends_on, a cycle, a duplicate id, more than 10,000 steps, …), as a sentence that a model
  /// can act on. `text` may be anything.
  [[nodiscard]] static base::Result<Strategy> parse(std::string_view text);
  [[nodiscard]] std::string to_json() const;
  /// The checks of parse(), for a strategy from another source.
  [[nodiscard]] base::Result<void> check() const;

  /// Spells out depends_on of every step. A step without it depends on earlier steps: an inline
  /// step on all of them, a subplan step on the inline ones; so neighbouring subplans run in
  /// parallel, and everything else in the written order. Leaves out indirect dependencies, so that
  /// a long list stays small.
  [[nodiscard]] Strategy normalised() const;

  friend bool operator==(const Strategy&, const Strategy&) = default;
};

/// JSON Schema (draft 7) of submit_strategy's arguments, as text.
[[nodiscard]] std::string_view strategy_schema() noexcept;

}  // namespace clever::model
