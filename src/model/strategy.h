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
  /// Ids of steps that must be done before. None: the rule of the place applies (see normalised()).
  std::optional<std::vector<std::string>> depends_on{};
  /// What it is about; a hint for context, not a limit.
  std::vector<std::string> paths{};
  // Of a node of a graph actor; a model's strategy has none of it.
  /// Who works on it; empty: the plan's actor.
  std::string actor{};
  std::map<std::string, std::string> arguments{};
  /// An expression (plan/expression.h) over what was done before: if it is false, the step is
  /// skipped, and so is what depends on it alone. Empty: always.
  std::string when{};

  friend bool operator==(const StrategyStep&, const StrategyStep&) = default;
};

/// How a plan is to be carried out: what `submit_strategy` takes. A value.
struct Strategy {
  std::string summary{};
  std::string rationale{};
  /// 0 to 1, if whoever decided said so.
  std::optional<double> confidence{};
  std::vector<std::string> alternatives{};
  std::vector<StrategyStep> steps{};

  /// The arguments of the tool (who works, and when, is not a model's to say): total;
  /// `invalid_argument` says what is wrong, where, and what would be right (an unknown step in
  /// depends_on, a cycle, an id twice, more than 10,000 steps, …), as a sentence that a model can
  /// act on. `text` may be anything.
  [[nodiscard]] static base::Result<Strategy> parse(std::string_view text);
  [[nodiscard]] std::string to_json() const;
  /// What parse() refuses, of a strategy that was made otherwise.
  [[nodiscard]] base::Result<void> check() const;

  /// With depends_on of every step spelled out. A step without it depends on what stands before it:
  /// an inline step on all steps before, a subplan step on the inline steps before; so neighbouring
  /// subplans run beside each other, and all else in the order written. What a dependency depends
  /// on already is not repeated, so that a long list stays small.
  [[nodiscard]] Strategy normalised() const;

  friend bool operator==(const Strategy&, const Strategy&) = default;
};

/// JSON Schema (draft 7) of submit_strategy's arguments, as text.
[[nodiscard]] std::string_view strategy_schema() noexcept;

}  // namespace clever::model
