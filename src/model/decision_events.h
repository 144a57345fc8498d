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
  /// 0 to 1, if whoever decided said so.
  std::optional<double> confidence{};
  std::string rationale{};
  /// What whoever decided was shown: the body of that hash is a ContextSnapshot. None: a person, or
  /// nobody knows.
  std::optional<base::Sha256Digest> context{};

  [[nodiscard]] Event to_event() const;
  /// `invalid_argument` names the key that is wrong.
  [[nodiscard]] static base::Result<DecisionRecorded> parse(std::string_view data);
  friend bool operator==(const DecisionRecorded&, const DecisionRecorded&) = default;
};

/// Decisions that a correction or a reversion took out of force. They stay to be looked at. A
/// value.
struct DecisionSuperseded {
  static constexpr std::string_view kKind = "decision.superseded";

  std::vector<DecisionId> ids{};

  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<DecisionSuperseded> parse(std::string_view data);
  friend bool operator==(const DecisionSuperseded&, const DecisionSuperseded&) = default;
};

}  // namespace clever::model
