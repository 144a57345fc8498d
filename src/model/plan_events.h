#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/event.h"
#include "model/phase.h"

namespace clever::model {

/// The first event of every plan. A value.
struct PlanCreated {
  static constexpr std::string_view kKind = "plan.created";

  /// None unless it is a subplan.
  PlanId parent{};
  std::string title{};
  /// The action it uses: "local/task".
  std::string action{};
  /// The folder or name of its project.
  std::string project{};
  Phase phase = Phase::kAction;
  PlanState state = PlanState::kQueued;

  [[nodiscard]] Event to_event() const;
  /// `invalid_argument` names the wrong key.
  [[nodiscard]] static base::Result<PlanCreated> parse(std::string_view data);
  friend bool operator==(const PlanCreated&, const PlanCreated&) = default;
};

/// A plan entered a phase or a state. A value.
struct PlanMoved {
  static constexpr std::string_view kKind = "plan.moved";

  Phase phase = Phase::kAction;
  PlanState state = PlanState::kQueued;
  /// The reason, for a person: what a waiting plan waits for, what constrains it, what went wrong.
  std::string reason{};
  /// For a waiting plan: "approval", "budget", "room" (in the budget, once other calls need less)
  /// or "person".
  std::string waits_for{};

  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<PlanMoved> parse(std::string_view data);
  friend bool operator==(const PlanMoved&, const PlanMoved&) = default;
};

}  // namespace clever::model
