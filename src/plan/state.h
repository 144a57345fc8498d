#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "model/change.h"
#include "model/control_events.h"
#include "model/decision_kind.h"
#include "model/effect_events.h"
#include "model/id.h"
#include "model/phase.h"
#include "model/work_events.h"

// A plan as its events made it. Values without secrets; small, because ten thousand are in memory
// at once: whatever is large (words, outputs) is a body that is named by its hash.
namespace clever::plan {

/// What a plan can have done outside of its journal, and how it is resumed when its owner died.
///
///   kind              data (JSON)                               resumed by
///   base.take         {}                                        repeating
///   model.call        {"turn":n}; where a budget allows less     repeating, newly reserved
///                      "max_output":n, "overhead_bytes":n
///   tools.run         {"calls":[{"id","name","class"}],         restoring, then repeating;
///                      "answer":HASH of the assistant's body}   asking, if a class is "outside"
///   actor.strategize  {}                                        repeating
///   actor.work        {"step":ID}                               restoring, then repeating
///   subplan.run       {"step":ID,"attempt":n,"child":PLAN}      driving the child on
///   children.merge    {"steps":[ID…]}                           repeating
///   validations.run   {"tree":TREE,"then":"seal"|"apply"}        repeating
///   changes.choose    {"reviewed":DIGEST,"keep":[HUNK…],        repeating
///                      "edits":HASH of a body or ""}
///   changes.seal      {"changeset":ID}                          repeating
///   apply.run         {}                                        repeating (idempotent by digest)
///   apply.undo        {}                                        repeating (idempotent)
///   timer             {"due_us":n,"then":KIND,"data":…}         waiting for what is left
///
/// Classes of calls are "read", "write" and "outside". All but subplan.run are the plan's own work:
/// at most one of them is open at a time.
enum class EffectKind : std::uint8_t {
  kBase,
  kModel,
  kTools,
  kActorStrategize,
  kActorWork,
  kSubplan,
  kMerge,
  kSeal,
  kApply,
  kUndo,
  kTimer,
  kValidate,
  kChoose,
};
[[nodiscard]] std::string_view to_string(EffectKind kind) noexcept;
[[nodiscard]] std::optional<EffectKind> effect_kind_from_string(std::string_view name) noexcept;

enum class ResumeRule : std::uint8_t { kRepeat, kRestoreThenRepeat, kAsk };
[[nodiscard]] ResumeRule resume_rule(EffectKind kind, std::string_view data);
/// When a timer fires; the epoch if the data is none of a timer.
[[nodiscard]] model::Timestamp due_of(std::string_view timer_data);

struct OpenEffect {
  EffectKind kind = EffectKind::kBase;
  std::string data{};
  /// Of a model call: sequence of its reservation, its scopes and amount; 0 once settled or if
  /// nothing was reserved.
  std::int64_t reservation = 0;
  model::Cost reserved{};
  std::vector<std::string> scopes{};
  /// A correction has no use for what it does: it is asked to stop, and what follows waits until it
  /// has.
  bool stopping = false;
  friend bool operator==(const OpenEffect&, const OpenEffect&) = default;
};

struct TranscriptEntry {
  model::Role role = model::Role::kUser;
  base::Sha256Digest body{};
  std::int64_t bytes = 0;
  model::MessageWhy why = model::MessageWhy::kStep;
  friend bool operator==(const TranscriptEntry&, const TranscriptEntry&) = default;
};

/// What a person said when they corrected something; in force until that correction is corrected.
struct Guidance : TranscriptEntry {
  model::DecisionId correction{};
  friend bool operator==(const Guidance&, const Guidance&) = default;
};

struct Step {
  model::StrategyStep definition{};
  model::StepState state = model::StepState::kPending;
  model::PlanId child{};
  std::int64_t attempt = 0;
  std::string base{};
  std::string tree{};
  std::vector<std::string> reads{};
  std::string summary{};
  /// Its changes are in the plan's tree (a subplan's, after the merge).
  bool merged = false;
  /// What its child waits for, in words; empty: it does not.
  std::string waits{};
  /// How many changes of files a subplan recorded.
  std::int64_t files = 0;
  model::DecisionId decision{};
  /// Sequences of the events that moved it last, and that merged it.
  std::int64_t moved_at = 0;
  std::int64_t merged_at = 0;
  /// What people said about this step alone when they corrected it; its conversation, or its
  /// child's task, has it.
  std::vector<Guidance> guidance{};
  friend bool operator==(const Step&, const Step&) = default;
};

/// A decision in force, as far as it matters to what may follow.
struct HeldDecision {
  model::DecisionId id{};
  /// Of its event.
  std::int64_t sequence = 0;
  model::DecisionId parent{};
  model::DecisionKind kind = model::DecisionKind::kPromptDefinition;
  friend bool operator==(const HeldDecision&, const HeldDecision&) = default;
};

struct CurrentChangeset {
  model::ChangesetId id{};
  std::int64_t entries = 0;
  std::optional<base::Sha256Digest> digest{};
  /// The plan was sealed with what it had: nothing more is recorded into it.
  bool closed = false;
  friend bool operator==(const CurrentChangeset&, const CurrentChangeset&) = default;
};

struct Usage {
  std::int64_t calls = 0;
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  model::Microdollars cost = 0;
  friend bool operator==(const Usage&, const Usage&) = default;
};

/// A person's word on a call that an external agent asked for. A value.
struct AgentAnswer {
  /// Of the call: ApprovalItem::id.
  std::string id{};
  std::string what{};
  bool allowed = false;
  std::string reason{};
  friend bool operator==(const AgentAnswer&, const AgentAnswer&) = default;
};

/// What a waiting plan waits for.
enum class Waiting : std::uint8_t { kNothing, kApproval, kBudget, kPerson, kAnswer };

struct State {
  model::PlanId id{};
  /// Of the last event folded; 0: there is no plan yet.
  std::int64_t sequence = 0;
  model::PlanId parent{};
  std::string title{};
  std::string action{};
  std::string project{};
  model::PlanSettings settings{};
  model::Timestamp created{};

  model::Phase phase = model::Phase::kAction;
  model::PlanState state = model::PlanState::kQueued;
  std::string reason{};
  Waiting waiting = Waiting::kNothing;
  /// Of kBudget: there may be room again without anybody doing anything.
  bool room_may_come = false;
  /// Cancelled, or about to be.
  bool cancel_requested = false;

  model::DecisionId root_decision{};
  /// The one that what is done now serves.
  model::DecisionId decision{};
  /// All in force, in the order of their events.
  std::vector<HeldDecision> decisions{};
  /// Those that no longer are, in the order in which they ceased to be.
  std::vector<model::DecisionId> superseded{};

  std::vector<base::Sha256Digest> prompts{};
  /// Those of the prompts that were corrections of the whole plan.
  std::vector<Guidance> guidance{};
  std::optional<model::BaseTaken> base{};
  /// The tree that the work is at; the base's before anything was done.
  std::string tree{};
  /// Trees to which one can return: sequence of their event, tree, why.
  struct Checkpoint {
    std::int64_t sequence = 0;
    std::string tree{};
    std::string why{};
    friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
  };
  /// The first, and at most the latest 255.
  std::vector<Checkpoint> checkpoints{};
  /// What the work began with before it was merged anew: to return to a tree is to return to what
  /// that tree was made from, or the changes of others in between would count as this plan's.
  struct EarlierBase {
    /// The sequence of the event that put another in its place.
    std::int64_t until = 0;
    model::BaseTaken base{};
    friend bool operator==(const EarlierBase&, const EarlierBase&) = default;
  };
  std::vector<EarlierBase> earlier_bases{};

  /// What the model was shown of the project when it answered last; none: it has not, or nothing.
  std::optional<base::Sha256Digest> context{};
  std::vector<TranscriptEntry> transcript{};
  std::int64_t transcript_bytes = 0;
  /// A prompt that came while something ran, not yet in the transcript.
  std::vector<TranscriptEntry> pending_prompts{};

  std::string strategy_summary{};
  model::DecisionId strategy_decision{};
  std::vector<Step> steps{};
  /// The inline step that is worked on: index into steps.
  std::optional<std::size_t> active{};
  std::int64_t turns_in_step = 0;
  /// Reminders given since the last useful answer.
  std::int64_t reminders = 0;
  /// How often each recent call with its result came, for noticing loops; at most 64 entries, the
  /// oldest go first.
  std::vector<std::pair<base::Sha256Digest, std::int64_t>> recent_calls{};

  std::map<model::EffectId, OpenEffect> effects{};
  /// A reservation whose effect is requested by the next event.
  std::map<model::EffectId, OpenEffect> reserved{};
  /// Tool calls of which nobody knows whether they ran: a person is asked.
  std::optional<OpenEffect> unknown{};
  /// What is sealed and reviewed: the net of the plan's work.
  CurrentChangeset changeset{};
  /// Those of its pieces of work, and what it left behind on a way back.
  std::map<model::ChangesetId, CurrentChangeset> changesets{};
  std::vector<model::OpenConflict> conflicts{};
  /// What a subplan read, sorted, at most 2,000 paths: for stale reads at its merge.
  std::vector<std::string> reads{};

  std::int64_t errors = 0;
  std::array<std::int64_t, model::kErrorCategories> retries{};
  /// In a row, of whatever category, since something succeeded.
  std::int64_t consecutive_errors = 0;
  std::optional<model::ErrorRecorded> last_error{};
  std::int64_t reversions = 0;

  /// How often somebody corrected it.
  std::int64_t corrections = 0;
  /// How the last validation ended, and of which tree.
  std::optional<model::ValidationsRan> validation{};
  /// How often failed validations were handed back since a person said anything, or the strategy
  /// was revised.
  std::int64_t fixes = 0;
  /// Approvals asked for so far; the one that is awaited, and what is to be done once it is there.
  std::int64_t approvals = 0;
  std::optional<model::ApprovalRequested> approval{};
  std::optional<OpenEffect> held{};
  /// What people decided on calls of external agents, in order; of two on one call the later
  /// counts.
  std::vector<AgentAnswer> agent_answers{};
  /// Tool calls of the present step, for the guard.
  std::int64_t calls_in_step = 0;

  Usage usage{};
  std::optional<model::ApplyRequested> apply{};
  std::optional<model::ApplyEnded> applied{};
  /// What it applied last was taken back.
  bool undone = false;

  [[nodiscard]] bool exists() const noexcept { return sequence > 0; }
  /// applied or cancelled.
  [[nodiscard]] bool is_final() const noexcept;
  /// Nothing will happen by itself: final, complete (in execute), errored, constrained, queued
  /// after a rollback, waiting for a person or an approval or money; and no effect is open but
  /// those of children that wait themselves. While it is cancelled it waits for those, too.
  [[nodiscard]] bool is_at_rest() const noexcept;
  /// Complete, sealed, with changes and without open conflicts; a subplan never is.
  [[nodiscard]] bool is_ready_to_apply() const noexcept;
  /// Rolled back, and neither resumed nor sealed since.
  [[nodiscard]] bool waits_after_rollback() const noexcept;
  /// A step is still to be done, or to be done to its end.
  [[nodiscard]] bool has_unfinished_steps() const noexcept;
  /// How many changes of files were recorded that no seal covers yet.
  [[nodiscard]] std::int64_t open_changes() const noexcept;
  /// The step that a child works on; null if there is none.
  [[nodiscard]] const Step* step_of(const model::PlanId& child) const noexcept;
  friend bool operator==(const State&, const State&) = default;
};

/// The child that an effect spawns: the same whenever it is asked.
[[nodiscard]] model::PlanId child_of(const model::EffectId& effect);

}  // namespace clever::plan
