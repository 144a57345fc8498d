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

// A plan, folded from its events. Values without secrets; small, because ten thousand are in memory
// at once: large content (words, outputs) is a body, named by its hash.
namespace clever::plan {

/// The effects of a plan outside its journal, and how a new owner resumes them.
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
/// Classes of calls are "read", "write" and "outside". All except subplan.run are the plan's own
/// work: at most one of them is open at a time.
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
/// When a timer fires; the epoch if the data is not a timer's.
[[nodiscard]] model::Timestamp due_of(std::string_view timer_data);

struct OpenEffect {
  EffectKind kind = EffectKind::kBase;
  std::string data{};
  /// For a model call: the sequence of its reservation, its scopes and amount; 0 once settled, or
  /// if nothing was reserved.
  std::int64_t reservation = 0;
  model::Cost reserved{};
  std::vector<std::string> scopes{};
  /// A correction made its result useless: it was asked to stop, and the plan waits for its end.
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

/// A person's words in a correction; in force until that correction is corrected.
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
  /// Its changes are in the plan's tree (for a subplan, after the merge).
  bool merged = false;
  /// What its child waits for, in words; empty if it does not wait.
  std::string waits{};
  /// How many changes of files a subplan recorded.
  std::int64_t files = 0;
  model::DecisionId decision{};
  /// Sequences of the events that last moved it, and that merged it.
  std::int64_t moved_at = 0;
  std::int64_t merged_at = 0;
  /// Corrections of this step alone; its conversation, or its child's task, includes them.
  std::vector<Guidance> guidance{};
  friend bool operator==(const Step&, const Step&) = default;
};

/// A decision in force, as far as later decisions need it.
struct HeldDecision {
  model::DecisionId id{};
  /// The sequence of its event.
  std::int64_t sequence = 0;
  model::DecisionId parent{};
  model::DecisionKind kind = model::DecisionKind::kPromptDefinition;
  friend bool operator==(const HeldDecision&, const HeldDecision&) = default;
};

struct CurrentChangeset {
  model::ChangesetId id{};
  std::int64_t entries = 0;
  std::optional<base::Sha256Digest> digest{};
  /// The plan was sealed with its content: nothing more is recorded into it.
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
  /// The sequence of the last event folded; 0: the plan does not exist yet.
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
  /// With kBudget: there may be room again without anyone's action.
  bool room_may_come = false;
  /// Cancelled, or a cancel is pending.
  bool cancel_requested = false;

  model::DecisionId root_decision{};
  /// The decision that the present work serves.
  model::DecisionId decision{};
  /// All in force, in the order of their events.
  std::vector<HeldDecision> decisions{};
  /// The superseded ones, in the order of supersession.
  std::vector<model::DecisionId> superseded{};

  std::vector<base::Sha256Digest> prompts{};
  /// The prompts that were corrections of the whole plan.
  std::vector<Guidance> guidance{};
  std::optional<model::BaseTaken> base{};
  /// The tree of the work; the base's before any work.
  std::string tree{};
  /// Trees for a rollback: sequence of their event, tree, reason.
  struct Checkpoint {
    std::int64_t sequence = 0;
    std::string tree{};
    std::string why{};
    friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
  };
  /// The first, and at most the latest 255.
  std::vector<Checkpoint> checkpoints{};
  /// Earlier bases, from before a remerge: returning to a tree means returning to its base, or
  /// others' changes in between would count as this plan's.
  struct EarlierBase {
    /// The sequence of the event that replaced it.
    std::int64_t until = 0;
    model::BaseTaken base{};
    friend bool operator==(const EarlierBase&, const EarlierBase&) = default;
  };
  std::vector<EarlierBase> earlier_bases{};

  /// What the model was last shown of the project; none if nothing yet.
  std::optional<base::Sha256Digest> context{};
  std::vector<TranscriptEntry> transcript{};
  std::int64_t transcript_bytes = 0;
  /// Prompts that came during other work, not yet in the transcript.
  std::vector<TranscriptEntry> pending_prompts{};

  std::string strategy_summary{};
  model::DecisionId strategy_decision{};
  std::vector<Step> steps{};
  /// The active inline step: index into steps.
  std::optional<std::size_t> active{};
  std::int64_t turns_in_step = 0;
  /// Reminders given since the last useful answer.
  std::int64_t reminders = 0;
  /// How often each recent call gave the same result, to detect loops; at most 64 entries, the
  /// oldest are dropped first.
  std::vector<std::pair<base::Sha256Digest, std::int64_t>> recent_calls{};

  std::map<model::EffectId, OpenEffect> effects{};
  /// A reservation whose effect the next event requests.
  std::map<model::EffectId, OpenEffect> reserved{};
  /// Tool calls with an unknown outcome: a person is asked.
  std::optional<OpenEffect> unknown{};
  /// The sealed and reviewed net changes of the plan's work.
  CurrentChangeset changeset{};
  /// Changesets of its pieces of work, including abandoned ones.
  std::map<model::ChangesetId, CurrentChangeset> changesets{};
  std::vector<model::OpenConflict> conflicts{};
  /// The paths a subplan read, sorted, at most 2,000: for stale reads at its merge.
  std::vector<std::string> reads{};

  std::int64_t errors = 0;
  std::array<std::int64_t, model::kErrorCategories> retries{};
  /// Consecutive errors of any category since the last success.
  std::int64_t consecutive_errors = 0;
  std::optional<model::ErrorRecorded> last_error{};
  std::int64_t reversions = 0;

  /// How often a person corrected it.
  std::int64_t corrections = 0;
  /// The result of the last validation, and its tree.
  std::optional<model::ValidationsRan> validation{};
  /// How often failed validations were handed back since the last prompt, or the last revision of
  /// the strategy.
  std::int64_t fixes = 0;
  /// The number of approvals requested so far; the pending one, and what follows it.
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
  /// Its last apply was undone.
  bool undone = false;

  [[nodiscard]] bool exists() const noexcept { return sequence > 0; }
  /// applied or cancelled.
  [[nodiscard]] bool is_final() const noexcept;
  /// Nothing happens by itself: final, complete (in execute), errored, constrained, queued after a
  /// rollback, waiting for a person, an approval or money; and only effects of children that wait
  /// themselves are open. During a cancel it waits for those, too.
  [[nodiscard]] bool is_at_rest() const noexcept;
  /// Complete, sealed, with changes and without open conflicts; a subplan never is.
  [[nodiscard]] bool is_ready_to_apply() const noexcept;
  /// Rolled back, and neither resumed nor sealed since.
  [[nodiscard]] bool waits_after_rollback() const noexcept;
  /// A step is pending or running.
  [[nodiscard]] bool has_unfinished_steps() const noexcept;
  /// How many recorded changes of files no seal covers yet.
  [[nodiscard]] std::int64_t open_changes() const noexcept;
  /// The step that a child works on; null if there is none.
  [[nodiscard]] const Step* step_of(const model::PlanId& child) const noexcept;
  friend bool operator==(const State&, const State&) = default;
};

/// The child that an effect spawns; deterministic.
[[nodiscard]] model::PlanId child_of(const model::EffectId& effect);

}  // namespace clever::plan
