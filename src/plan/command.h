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

// Whatever can be asked of a plan: by a person or another plan (through the inbox, as JSON), or by
// the engine when an effect came to its end. Values.
namespace clever::plan {

// ---- From people and other plans.

/// Makes the plan: the first command, and only that.
struct Create {
  std::string title{};
  std::string action = "local/task";
  std::string project{};
  model::PlanId parent{};
  model::PlanSettings settings{};
  /// The task, of the user's role.
  model::Message prompt{};
};

/// Guidance: a plan that works takes it up with its next turn; one that is complete, errored,
/// constrained or waiting goes on (execute/processing) with it.
struct Prompt {
  model::Message message{};
  /// "provider/model" or an alias to go on with; empty: as before.
  std::string model{};
  /// Of that model: filled in by whoever drives the plan.
  std::optional<model::ModelTerms> terms{};
};

/// Go on: a person approves what a waiting plan asks for, or has an errored or constrained plan try
/// again.
struct Resume {};

struct Cancel {
  std::string reason{};
};

/// Land the reviewed digest. In apply/applied with the same digest it is answered with what came of
/// the first; another digest is `conflict` with the present one.
struct Apply {
  model::ApplyRequested request{};
};

/// Take back what was applied.
struct Undo {
  /// Who asked; the same of Approve and Reject.
  std::string by{};
};

/// To the checkpoint of that sequence: tree, strategy, steps and conversation are those that it was
/// made with, later decisions are superseded, the plan is left in execute/queued. Needs
/// Circumstances::past.
struct Rollback {
  std::int64_t to_sequence = 0;
};

/// What a plan that was rolled back holds is sealed as it is, whatever is left to do.
struct Seal {};

/// A decision is corrected (DOMAIN: revert or append). `not_found` for an unknown decision,
/// `conflict` for one that is superseded.
struct Correct {
  model::DecisionId decision{};
  model::CorrectionMode mode = model::CorrectionMode::kRevert;
  /// Of the user's role.
  model::Message guidance{};
};

/// A person's word on what the plan asked for: all of it, or the items named. `conflict` if another
/// request is awaited by now (0: whichever is).
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

/// Leave only these hunks of the reviewed changes (diff::Hunk::id; a file that is no text is one,
/// named by its path), with files that the person wrote instead. `conflict` if the digest is not
/// the present one.
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

/// A child came to rest; sent by its last event's transaction. `effect` is the parent's.
struct ChildEnded {
  model::EffectId effect{};
  model::PlanId child{};
  /// Of the child: complete, errored, cancelled, …
  model::PlanState state = model::PlanState::kComplete;
  /// What it started from (settings.base_tree), for the merge: StepMoved::base when it is done.
  std::string base{};
  std::string tree{};
  std::vector<std::string> reads{};
  std::string summary{};
  std::string error{};
  /// How many changes of files it recorded.
  std::int64_t files = 0;
};

/// A child stands still until somebody does something, or goes on again; sent by the transaction in
/// which it began to wait, or ceased to.
struct ChildWaits {
  model::EffectId effect{};
  model::PlanId child{};
  /// What it waits for, in words; empty: it goes on.
  std::string reason{};
};

// ---- From the engine: what became of effects.

/// Somebody new drives the plan, or the same one begins again: effects that were open when the last
/// owner ended are resumed as their kind says. The first command of every owner.
struct TakenOver {};

struct BaseIsTaken {
  model::EffectId effect{};
  model::BaseTaken base{};
};

/// How a tool call of an answer is resumed if nobody knows whether it ran to its end.
enum class CallClass : std::uint8_t {
  kRead,     // repeat
  kWrite,    // restore, then repeat
  kOutside,  // effects outside of the sandbox, not idempotent: ask
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
  /// What the plan's permissions say of each; none at all: all are allowed.
  std::vector<CallVerdict> verdicts{};
  std::string model{};
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  model::Cost spent{};
  /// The answer was cut at max_output, or the model declined.
  bool cut = false;
  std::string refusal{};
  /// How many of the message's parts had a known secret masked, or were dropped for one.
  std::int64_t withheld = 0;
  /// A strategy that the answer submitted, parsed; or why it could not be.
  std::optional<base::Result<model::Strategy>> strategy{};
  /// What it was shown of the project: ContextSnapshot::to_json(), or empty.
  std::string context{};
};

struct ToolsRan {
  model::EffectId effect{};
  /// The results, as one message of the user's role with one ToolResult per call.
  model::Message results{};
  /// One per call, in order.
  std::vector<model::ToolNote> outcomes{};
  /// The tree now, durable; empty if nothing was written.
  std::string tree{};
  /// The files that still hold a conflict's markers object: those not named are resolved.
  std::vector<std::string> open_conflicts{};
  /// Paths that the workspace has read so far (those of earlier turns may be missing): for
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

/// What an external agent said and did since it was recorded last: answers of the assistant's role,
/// each followed by the results of its calls.
struct AgentSaid {
  model::EffectId effect{};
  std::vector<model::Message> messages{};
};

/// An external agent used so much since it was charged last, and goes on: its reservation is
/// settled, and a new one made. If there is no room for that, nothing happens; the reservation
/// stays the one it was, and the agent has to stop.
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

/// The digest of all net changes between base and tree, whatever work led there. `missing` are the
/// entries that the plan's own changeset lacks: the net of all others.
struct Sealed {
  model::EffectId effect{};
  base::Sha256Digest digest{};
  std::int64_t entries = 0;
  std::vector<model::ChangeEntry> missing{};
  /// Why it does not land without a person, whatever the profile says; empty: it may.
  std::string held{};
};

/// The work was checked.
struct Validated {
  model::EffectId effect{};
  std::string tree{};
  std::vector<model::ValidationResult> results{};
};

/// What is left of the reviewed changes, as a tree.
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
  /// Files moved on and were merged anew: the tree that would land instead, to be sealed and, if
  /// that was agreed to, applied.
  std::string remerged_tree{};
  /// What it was merged with, the project as it is now: the new base (an event base.taken), from
  /// which the changes are sealed. There whenever remerged_tree is.
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

/// There may be room in the budget again.
struct BudgetFreed {};

/// What went wrong; `effect`, if one failed, is settled by it. The answer is the receipt: a
/// RecoveryDecision.
struct RecordError {
  model::EffectId effect{};
  model::ErrorCategory category = model::ErrorCategory::kInternal;
  std::string message{};
  /// It goes wrong again until somebody changes something: no retry is spent on it.
  bool lasts = false;
  /// What the other side asked us to wait.
  std::optional<std::chrono::milliseconds> retry_after{};
  /// What a call cost that failed.
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
  /// Which decision the work carries out.
  model::DecisionId decision{};
  std::vector<model::ChangeEntry> entries{};
};

/// Something an actor decided, for the tree.
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

/// Those from people and other plans, as they travel through the inbox; the others have no JSON
/// (CHECK).
[[nodiscard]] std::string to_json(const Command& command);
/// Total; `invalid_argument` names the key. Only what may come through an inbox (not Create).
[[nodiscard]] base::Result<Command> command_from_json(std::string_view text);

}  // namespace clever::plan
