#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sha256.h"
#include "model/decision_kind.h"
#include "model/event.h"

namespace clever::model {

/// A decision of a plan: a node of its tree. A value.
struct DecisionRecorded {
  static constexpr std::string_view kKind = "decision.recorded";

  DecisionId id{};
  /// None for the root.
  DecisionId parent{};
  DecisionKind kind = DecisionKind::kPromptDefinition;
  std::string question{};
  std::string chosen{};
  std::vector<std::string> alternatives{};
  /// 0 to 1, if the decider stated it.
  std::optional<double> confidence{};
  std::string rationale{};
  /// What the decider was shown: the body with that hash is a ContextSnapshot. None for a person,
  /// or if unknown.
  std::optional<base::Sha256Digest> context{};

  [[nodiscard]] Event to_event() const;
  /// `invalid_argument` names the wrong key.
  [[nodiscard]] static base::Result<DecisionRecorded> parse(std::string_view data);
  friend bool operator==(const DecisionRecorded&, const DecisionRecorded&) = default;
};

/// Decisions that a correction or a reversion superseded. They stay visible. A value.
struct DecisionSuperseded {
  static constexpr std::string_view kKind = "decision.superseded";

  std::vector<DecisionId> ids{};

  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<DecisionSuperseded> parse(std::string_view data);
  friend bool operator==(const DecisionSuperseded&, const DecisionSuperseded&) = default;
};

}  // namespace clever::model
