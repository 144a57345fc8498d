#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sha256.h"
#include "model/decision_kind.h"
#include "model/event.h"
#include "model/id.h"
#include "model/work_events.h"

// The event of a rollback. Values, as in work_events.h.
namespace clever::model {

/// Guidance, and the correction that gave it.
struct RestoredWords {
  MessageAdded message{};
  DecisionId correction{};
  friend bool operator==(const RestoredWords&, const RestoredWords&) = default;
};

/// A step as it was at the checkpoint.
struct RestoredStep {
  StepAdded added{};
  StepMoved moved{};
  /// Sequences of the events that last moved it, and that merged it; 0: none did.
  std::int64_t moved_at = 0;
  std::int64_t merged_at = 0;
  std::vector<RestoredWords> guidance{};
  friend bool operator==(const RestoredStep&, const RestoredStep&) = default;
};

/// A decision that is in force again.
struct RestoredDecision {
  DecisionId id{};
  DecisionId parent{};
  DecisionKind kind = DecisionKind::kImplementationChoice;
  std::int64_t sequence = 0;
  friend bool operator==(const RestoredDecision&, const RestoredDecision&) = default;
};

/// A rollback: the work is what it was at a checkpoint, with the strategy, the steps and the
/// conversation that led to the checkpoint's tree.
struct WorkRestored {
  static constexpr std::string_view kKind = "work.restored";
  std::string tree{};
  /// The checkpoint: the sequence of the event with its tree.
  std::int64_t to_sequence = 0;
  std::string summary{};
  DecisionId strategy{};
  /// The decision that the work serves.
  DecisionId decision{};
  std::vector<RestoredStep> steps{};
  /// Decisions that were superseded after the checkpoint.
  std::vector<RestoredDecision> decisions{};
  /// The conversation of the active step.
  std::vector<MessageAdded> messages{};
  std::int64_t turns = 0;
  std::int64_t calls = 0;
  std::vector<base::Sha256Digest> prompts{};
  std::vector<MessageAdded> pending_prompts{};
  std::vector<RestoredWords> guidance{};
  std::vector<OpenConflict> conflicts{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<WorkRestored> parse(std::string_view data);
  friend bool operator==(const WorkRestored&, const WorkRestored&) = default;
};

}  // namespace clever::model
