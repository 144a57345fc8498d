#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/sha256.h"
#include "model/change.h"
#include "model/control_events.h"
#include "model/control_settings.h"
#include "model/decision_kind.h"
#include "model/id.h"
#include "model/message.h"
#include "model/plan_settings.h"
#include "model/strategy.h"
#include "model/work_events.h"

// The commands of a plan: from a person or another plan (through the inbox, as JSON), or from the
// engine when an effect ended. Values.
namespace clever::plan {

// ---- From people and other plans.

/// Creates the plan: the first command, and only that.
struct Create {
  std::string title{};
  std::string action = "local/task";
  std::string project{};
  model::PlanId parent{};
  model::PlanSettings settings{};
  /// The task, a message with the user's role.
  model::Message prompt{};
};

/// Guidance: a working plan takes it with its next turn; a complete, errored, constrained or
/// waiting one continues with it (execute/processing).
struct Prompt {
  model::Message message{};
  /// "provider/model" or an alias to continue with; empty: unchanged.
  std::string model{};
  /// The terms of that model: the driver fills them in.
  std::optional<model::ModelTerms> terms{};
};

/// Resumes the plan: a person approves what a waiting plan asks for, or lets an errored or
/// constrained plan try again.
struct Resume {};

struct Cancel {
  std::string reason{};
};

/// Lands the reviewed digest. In apply/applied the same digest gets the first apply's answer again;
/// another digest is `conflict`, which names the present one.
struct Apply {
  model::ApplyRequested request{};
};

/// Undoes the apply.
struct Undo {
  /// The person who asked; the same in Approve and Reject.
  std::string by{};
};

/// Rolls back to the checkpoint of that sequence: restores its tree, strategy, steps and
/// conversation, supersedes later decisions, and leaves the plan in execute/queued. Needs
/// Circumstances::past.
struct Rollback {
  std::int64_t to_sequence = 0;
};

/// Seals the work of a plan that was rolled back as it is, even with unfinished steps.
struct Seal {};

/// Corrects a decision (revert or append). `not_found` for an unknown decision, `conflict` for a
/// superseded one.
struct Correct {
  model::DecisionId decision{};
  model::CorrectionMode mode = model::CorrectionMode::kRevert;
  /// A message with the user's role.
  model::Message guidance{};
};

/// A person's approval of the whole request, or of the named items. `conflict` if the plan asks
/// about another request by now (0: any request).
struct Approve {
  std::int64_t number = 0;
  std::vector<std::string> items{};
  std::string by{};
  /// Rules such as "run_command(make *)": calls that they cover are not asked about again.
  std::vector<std::string> remember{};
};
struct Reject {
  std::int64_t number = 0;
  std::vector<std::string> items{};
  std::string reason{};
  std::string by{};
};

/// Keeps only these hunks of the reviewed changes (diff::Hunk::id; a file that is not text is one
/// hunk, named by its path), and replaces files that the person edited. `conflict` if the digest is
/// not the present one.
struct Choose {
  base::Sha256Digest reviewed{};
  std::vector<std::string> keep{};
  struct Edit {
    std::string path{};
    std::string content{};
    friend bool operator==(const Edit&, const Edit&) = default;
  };
  std::vector<Edit> edits{};
};

/// A child came to rest; the transaction of its last event sends it. `effect` is the parent's.
struct ChildEnded {
  model::EffectId effect{};
  model::PlanId child{};
  /// The child's state: complete, errored, cancelled, …
  model::PlanState state = model::PlanState::kComplete;
  /// The child's base (settings.base_tree), for the merge: StepMoved::base once it is done.
  std::string base{};
  std::string tree{};
  std::vector<std::string> reads{};
  std::string summary{};
  std::string error{};
  /// How many changes of files it recorded.
  std::int64_t files = 0;
};

/// A child waits for a person, or no longer does; the transaction in which that changed sends it.
struct ChildWaits {
  model::EffectId effect{};
  model::PlanId child{};
  /// What it waits for, in words; empty: it continues.
  std::string reason{};
};

// ---- From the engine: what became of effects.

/// An owner starts or restarts driving the plan: effects that were open when the last owner ended
/// are resumed according to their kind. The first command of every owner.
struct TakenOver {};

struct BaseIsTaken {
  model::EffectId effect{};
  model::BaseTaken base{};
  /// The work of settings.from_plan, on that base, with its open conflicts.
  std::string tree{};
  std::vector<model::OpenConflict> conflicts{};
};

/// How to resume a tool call of an answer if it is unknown whether it completed.
enum class CallClass : std::uint8_t {
  kRead,     // repeat
  kWrite,    // restore, then repeat
  kOutside,  // effects outside the sandbox, not idempotent: ask
};

/// Whether a call may run.
struct CallVerdict {
  model::Verdict verdict = model::Verdict::kAllow;
  /// For people: "run_command git push origin main".
  std::string shown{};
  std::string why{};
  friend bool operator==(const CallVerdict&, const CallVerdict&) = default;
};

struct Answered {
  model::EffectId effect{};
  model::Message message{};
  /// One per ToolCall part of the message, in order.
  std::vector<CallClass> calls{};
  /// The permissions' verdict on each; empty: all are allowed.
  std::vector<CallVerdict> verdicts{};
  std::string model{};
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  model::Cost spent{};
  /// The answer was cut at max_output, or the model declined.
  bool cut = false;
  std::string refusal{};
  /// How many of the message's parts had a known secret masked, or were dropped because of one.
  std::int64_t withheld = 0;
  /// The submitted strategy, parsed; or the parse error.
  std::optional<base::Result<model::Strategy>> strategy{};
  /// What it was shown of the project: ContextSnapshot::to_json(), or empty.
  std::string context{};
};

struct ToolsRan {
  model::EffectId effect{};
  /// The results, as one message with the user's role and one ToolResult per call.
  model::Message results{};
  /// One per call, in order.
  std::vector<model::ToolNote> outcomes{};
  /// The tree now, durable; empty if nothing was written.
  std::string tree{};
  /// Files that still contain a conflict's markers object; others are resolved.
  std::vector<std::string> open_conflicts{};
  /// The paths that the workspace has read so far (those of earlier turns may be missing): for
  /// StepMoved::reads and ChildEnded::reads.
  std::vector<std::string> reads{};
};

/// An actor without a model made its strategy, or worked.
struct ActorStrategized {
  model::EffectId effect{};
  model::Strategy strategy{};
  // Of an external agent: what it used since it was charged last.
  std::string model{};
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  model::Cost spent{};
};
struct ActorWorked {
  model::EffectId effect{};
  std::string summary{};
  std::string tree{};
  // Of an external agent: what it used since it was charged last.
  std::string model{};
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  model::Cost spent{};
  /// It was stopped in the middle of its step because the budget had no room for more.
  bool cut_for_budget = false;
  /// Calls of an external agent that a person must decide before it continues.
  std::vector<model::ApprovalItem> waiting{};
};

/// An answer of an external agent with the calls it made. `results` has one part per call.
struct AgentTurn {
  model::Message answer{.role = model::Role::kAssistant};
  std::vector<model::ToolNote> calls{};
  model::Message results{};
};

/// What an external agent said and did since the last record.
struct AgentSaid {
  model::EffectId effect{};
  std::vector<AgentTurn> turns{};
};

/// An external agent reports its usage since the last charge, and continues: settles its
/// reservation and makes a new one. Without room for that, nothing happens; the reservation stays,
/// and the agent must stop.
struct AgentCharged {
  model::EffectId effect{};
  std::string model{};
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  model::Cost spent{};
};

struct Merged {
  model::EffectId effect{};
  std::string tree{};
  std::vector<std::string> steps{};
  std::vector<model::OpenConflict> conflicts{};
  std::vector<std::string> stale_reads{};
};

/// The digest of all net changes between base and tree, from any source. `missing` are the entries
/// that the plan's own changeset lacks: the net of all others.
struct Sealed {
  model::EffectId effect{};
  base::Sha256Digest digest{};
  std::int64_t entries = 0;
  std::vector<model::ChangeEntry> missing{};
  /// Why it must not land without a person, regardless of the profile; empty: it may.
  std::string held{};
};

/// The validations ran.
struct Validated {
  model::EffectId effect{};
  std::string tree{};
  std::vector<model::ValidationResult> results{};
};

/// The rest of the reviewed changes, as a tree.
struct Chosen {
  model::EffectId effect{};
  std::string tree{};
  std::int64_t kept = 0;
  std::int64_t dropped = 0;
  std::vector<std::string> edited{};
  /// As ToolsRan::open_conflicts.
  std::vector<std::string> open_conflicts{};
};

struct ApplyCame {
  model::EffectId effect{};
  model::ApplyEnded outcome{};
  /// Files changed and were merged again: the new tree, to be sealed and, if that was agreed to,
  /// applied.
  std::string remerged_tree{};
  /// The other side of that merge, the project as it is now: the new base (an event base.taken),
  /// from which the changes are sealed. Set whenever remerged_tree is.
  std::optional<model::BaseTaken> remerged_base{};
};
struct UndoCame {
  model::EffectId effect{};
  bool undone = false;
  std::string commit{};
  std::string reason{};
  std::vector<model::ProjectHead> projects{};
};

struct TimerFired {
  model::EffectId effect{};
};

/// The budget may have room again.
struct BudgetFreed {};

/// An error; settles `effect`, if one failed. The receipt is the answer: a RecoveryDecision.
struct RecordError {
  model::EffectId effect{};
  model::ErrorCategory category = model::ErrorCategory::kInternal;
  std::string message{};
  /// It will fail again until a person changes something: no retry is used.
  bool lasts = false;
  /// The wait that the other side asked for.
  std::optional<std::chrono::milliseconds> retry_after{};
  /// The cost of a failed call.
  model::Cost spent{};
};

/// An effect ended because it was asked to stop.
struct EffectStopped {
  model::EffectId effect{};
  model::Cost spent{};
};

/// Changes of one piece of work, by the handle of its changeset (engine::PlanExecutionContext),
/// which begins with the first of them.
struct RecordChanges {
  model::ChangesetId id{};
  /// The decision that the work carries out.
  model::DecisionId decision{};
  std::vector<model::ChangeEntry> entries{};
};

/// An actor's decision, for the tree.
struct RecordDecision {
  model::DecisionKind kind = model::DecisionKind::kImplementationChoice;
  model::DecisionId parent{};
  std::string question{};
  std::string chosen{};
  std::vector<std::string> alternatives{};
  std::optional<double> confidence{};
  std::string rationale{};
};

using Command =
    std::variant<Create, Prompt, Resume, Cancel, Apply, Undo, Rollback, Seal, Correct, Approve,
                 Reject, Choose, ChildEnded, ChildWaits, TakenOver, BaseIsTaken, Answered, ToolsRan,
                 ActorStrategized, ActorWorked, AgentCharged, AgentSaid, Merged, Validated, Chosen,
                 Sealed, ApplyCame, UndoCame, TimerFired, BudgetFreed, RecordError, EffectStopped,
                 RecordChanges, RecordDecision>;

/// "create", "prompt", "child_ended", …
[[nodiscard]] std::string_view name_of(const Command& command) noexcept;

/// The JSON of commands from people and other plans, as it travels through the inbox; the others
/// have none (CHECK).
[[nodiscard]] std::string to_json(const Command& command);
/// Total; `invalid_argument` names the key. Only commands that may come through an inbox (not
/// Create).
[[nodiscard]] base::Result<Command> command_from_json(std::string_view text);

}  // namespace clever::plan
