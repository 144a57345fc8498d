#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "base/result.h"
#include "base/ulid.h"
#include "model/change.h"
#include "model/id.h"
#include "plan/command.h"

namespace clever::engine {

/// Where one piece of work of a plan (the calls of a turn, a step, a merge) writes down what it
/// changed. Changes are recorded through the handle alone: there is no "current" changeset that
/// other work could have replaced, so a change cannot end up in the wrong place.
///
/// Belongs to the work that started it; moves, never copied. Thread-safe: the tools of one piece of
/// work may record at once, and their entries are numbered 1, 2, 3, … without a gap.
class Changeset {
 public:
  using Done = std::move_only_function<void(base::Result<void>)>;
  /// Brings the changes into the plan's journal, in the order of the calls.
  using Write = std::function<void(plan::RecordChanges, Done)>;

  Changeset(const model::ChangesetId& id, const model::DecisionId& decision, Write write)
      : id_(id), decision_(decision), write_(std::move(write)) {}
  Changeset(Changeset&&) noexcept = default;
  Changeset& operator=(Changeset&&) noexcept = default;
  Changeset(const Changeset&) = delete;
  Changeset& operator=(const Changeset&) = delete;
  ~Changeset() = default;

  [[nodiscard]] const model::ChangesetId& id() const { return id_; }

  /// All of them or none, one after another. Does not block; calls `done` once, when they are
  /// durable or refused: `conflict` once the plan's work was sealed with what this one had, or the
  /// lease is lost. What the caller adds to the journal later follows them there.
  void record(std::vector<model::ChangeEntry> entries, Done done) const;
  /// The same; a refusal is recorded as an error of the plan.
  void record(std::vector<model::ChangeEntry> entries) const;

 private:
  model::ChangesetId id_;
  model::DecisionId decision_;
  Write write_;
};

/// Shared by the pieces of work that one plan does at the same time under one lease: the way to its
/// journal. Each changeset gets a handle of its own. The plan is sealed with the net of all of
/// them.
///
/// Made by the driver of the plan, shared with its effects. Thread-safe.
class PlanExecutionContext {
 public:
  PlanExecutionContext(base::UlidGenerator& ids, Changeset::Write write);

  /// Writes nothing yet: a changeset is in the journal with its first change, in one transaction,
  /// so that no crash leaves half of it. `decision`: the one that the work carries out.
  [[nodiscard]] Changeset start_changeset(const model::DecisionId& decision);

 private:
  base::UlidGenerator& ids_;
  const Changeset::Write write_;
};

}  // namespace clever::engine
