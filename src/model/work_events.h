#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sha256.h"
#include "model/change.h"
#include "model/event.h"
#include "model/message.h"
#include "model/phase.h"
#include "model/plan_settings.h"
#include "model/strategy.h"

// The events of a plan's work. Values; each has to_event() and a total parse(), whose
// `invalid_argument` names the key. Trees are git tree ids in hexadecimal, durable before the event
// that names them.
namespace clever::model {

/// Follows PlanCreated: how to work on it.
struct PlanConfigured {
  static constexpr std::string_view kKind = "plan.configured";
  PlanSettings settings{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<PlanConfigured> parse(std::string_view data);
  friend bool operator==(const PlanConfigured&, const PlanConfigured&) = default;
};

/// A person's words: the task first, then guidance. The body with that hash is a list of one
/// Message (model::to_json).
struct PlanPrompted {
  static constexpr std::string_view kKind = "plan.prompted";
  base::Sha256Digest body{};
  std::int64_t bytes = 0;
  /// The model from here on, if it was switched.
  std::optional<ModelTerms> terms{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<PlanPrompted> parse(std::string_view data);
  friend bool operator==(const PlanPrompted&, const PlanPrompted&) = default;
};

/// One project of a plan that spans several: its name in paths, and its branch. A value.
struct ProjectHead {
  std::string project{};
  /// "refs/heads/main"; empty if detached, or if only the commit counts.
  std::string branch{};
  std::string commit{};
  friend bool operator==(const ProjectHead&, const ProjectHead&) = default;
};

/// The base of the work.
struct BaseTaken {
  static constexpr std::string_view kKind = "base.taken";
  std::string tree{};
  /// "refs/heads/main"; empty if HEAD is detached, or without a repository.
  std::string branch{};
  std::string commit{};
  /// The uncommitted files, and the read-only ones: paths, bytes.
  std::vector<std::string> uncommitted{};
  std::vector<std::string> submodules{};
  std::vector<std::string> filtered{};
  /// The project's files that the tree lacks, because such files usually hold secrets: paths,
  /// bytes.
  std::vector<std::string> hidden{};
  std::vector<std::string> remarks{};
  /// Of a plan that spans several projects, each of them; `branch` and `commit` are empty then.
  std::vector<ProjectHead> projects{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<BaseTaken> parse(std::string_view data);
  friend bool operator==(const BaseTaken&, const BaseTaken&) = default;
};

/// Why a message joined the conversation.
enum class MessageWhy : std::uint8_t {
  kStep,      // what to do now
  kPrompt,    // a person's words
  kAnswer,    // the model's
  kResults,   // the results of all tool calls of the previous answer
  kReminder,  // what an answer should have been
  kSummary,   // replaces older messages: the first of the conversation
};
[[nodiscard]] std::string_view to_string(MessageWhy why) noexcept;

/// A message joined the conversation of the present phase; the body with that hash is its JSON
/// (model::to_json of a list of one).
struct MessageAdded {
  static constexpr std::string_view kKind = "message.added";
  Role role = Role::kUser;
  base::Sha256Digest body{};
  std::int64_t bytes = 0;
  MessageWhy why = MessageWhy::kStep;
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<MessageAdded> parse(std::string_view data);
  friend bool operator==(const MessageAdded&, const MessageAdded&) = default;
};

/// The conversation starts over (a phase, a step) or continues without its oldest messages, which
/// the following MessageAdded summarises.
struct TranscriptCut {
  static constexpr std::string_view kKind = "transcript.cut";
  /// How many of the oldest messages were dropped.
  std::int64_t messages = 0;
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<TranscriptCut> parse(std::string_view data);
  friend bool operator==(const TranscriptCut&, const TranscriptCut&) = default;
};

/// A model answered; the accompanying MessageAdded has the words.
struct ModelAnswered {
  static constexpr std::string_view kKind = "model.answered";
  EffectId effect{};
  std::string model{};
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  Microdollars cost = 0;
  /// What it was shown of the project, if that differs from the last time: the body with that hash
  /// is a ContextSnapshot.
  std::optional<base::Sha256Digest> context{};
  /// How many parts of the answer had a known secret masked, or were dropped because of one.
  std::int64_t withheld = 0;
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<ModelAnswered> parse(std::string_view data);
  friend bool operator==(const ModelAnswered&, const ModelAnswered&) = default;
};

/// The result of one tool call.
struct ToolNote {
  std::string tool{};
  bool failed = false;
  /// SHA-256 over tool, arguments and result, to detect loops.
  base::Sha256Digest fingerprint{};
  /// The call in one line for people: "run_command make test".
  std::string shown{};
  /// The first line of what a failed call answered: "exit code 7".
  std::string problem{};
  std::chrono::milliseconds took{};
  /// Of a command that ended.
  std::optional<std::int64_t> exit_code{};
  friend bool operator==(const ToolNote&, const ToolNote&) = default;
};

/// The tool calls of an answer ran; the accompanying MessageAdded has their results.
struct ToolsRecorded {
  static constexpr std::string_view kKind = "tools.ran";
  EffectId effect{};
  std::vector<ToolNote> calls{};
  /// Paths that were read for the first time.
  std::vector<std::string> reads{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<ToolsRecorded> parse(std::string_view data);
  friend bool operator==(const ToolsRecorded&, const ToolsRecorded&) = default;
};

/// The plan's strategy, with all dependencies spelled out. Replaces an earlier one; steps begin as
/// pending.
struct StrategyAccepted {
  static constexpr std::string_view kKind = "strategy.accepted";
  Strategy strategy{};
  DecisionId decision{};
  /// One per step, in order; or none at all.
  std::vector<DecisionId> step_decisions{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<StrategyAccepted> parse(std::string_view data);
  friend bool operator==(const StrategyAccepted&, const StrategyAccepted&) = default;
};

/// One more step, after all others: what a person asked for beyond the strategy.
struct StepAdded {
  static constexpr std::string_view kKind = "step.added";
  StrategyStep step{};
  DecisionId decision{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<StepAdded> parse(std::string_view data);
  friend bool operator==(const StepAdded&, const StepAdded&) = default;
};

enum class StepState : std::uint8_t { kPending, kRunning, kDone, kFailed, kSkipped };
[[nodiscard]] std::string_view to_string(StepState state) noexcept;

/// A step changed its state. A running subplan step has `child` and `base`, a finished one `tree`;
/// `attempt` counts from 1.
struct StepMoved {
  static constexpr std::string_view kKind = "step.moved";
  std::string step{};
  StepState state = StepState::kPending;
  PlanId child{};
  std::int64_t attempt = 0;
  std::string base{};
  std::string tree{};
  /// The paths it read, to find stale reads at the merge.
  std::vector<std::string> reads{};
  std::string summary{};
  /// What its child waits for, in words: an approval, money, a person; empty if it does not wait.
  std::string waits{};
  /// How many changes of files a subplan recorded.
  std::int64_t files = 0;
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<StepMoved> parse(std::string_view data);
  friend bool operator==(const StepMoved&, const StepMoved&) = default;
};

/// The work is at this tree: after tool calls, a merge of children, a restored checkpoint.
struct WorkMoved {
  static constexpr std::string_view kKind = "work.moved";
  std::string tree{};
  /// "tools", "merge", "actor", "revert", "correct", "remerge", "review"; "rollback" in journals
  /// from before WorkRestored.
  std::string why{};
  /// For a rollback: the sequence of the event with the tree; later ones no longer count. For a
  /// correction: what was merged later must be merged again.
  std::int64_t to_sequence = 0;
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<WorkMoved> parse(std::string_view data);
  friend bool operator==(const WorkMoved&, const WorkMoved&) = default;
};

/// Changes from here on are recorded in this changeset.
struct WorkBegan {
  static constexpr std::string_view kKind = "work.began";
  ChangesetId changeset{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<WorkBegan> parse(std::string_view data);
  friend bool operator==(const WorkBegan&, const WorkBegan&) = default;
};

/// Both sides of a conflict between children, until it is resolved.
struct OpenConflict {
  std::string path{};
  /// The name of a diff::ConflictKind.
  std::string kind{};
  /// The step whose merge caused it.
  std::string step{};
  /// The object with markers, if it is text: resolved once the tree has another one there.
  std::string marked{};
  friend bool operator==(const OpenConflict&, const OpenConflict&) = default;
};

struct ChildrenMerged {
  static constexpr std::string_view kKind = "children.merged";
  /// In the order of merging.
  std::vector<std::string> steps{};
  /// All open conflicts, earlier ones included.
  std::vector<OpenConflict> conflicts{};
  /// For display: "STEP read PATH, which STEP changed".
  std::vector<std::string> stale_reads{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<ChildrenMerged> parse(std::string_view data);
  friend bool operator==(const ChildrenMerged&, const ChildrenMerged&) = default;
};

/// Conflicts that are no longer open.
struct ConflictsResolved {
  static constexpr std::string_view kKind = "conflicts.resolved";
  std::vector<std::string> paths{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<ConflictsResolved> parse(std::string_view data);
  friend bool operator==(const ConflictsResolved&, const ConflictsResolved&) = default;
};

enum class ErrorCategory : std::uint8_t {
  kTransientProvider,
  kRateLimit,
  kAuthentication,
  kBudget,
  kToolFailure,
  kToolTimeout,
  kValidation,
  kMergeConflict,
  kResource,
  kInvariant,
  kModelMisbehaviour,
  kInternal,
  kCredit,
  kConfiguration,
  kContextOverflow,
  kRefusal,
};
inline constexpr std::size_t kErrorCategories = 16;
[[nodiscard]] std::string_view to_string(ErrorCategory category) noexcept;
[[nodiscard]] base::Result<ErrorCategory> error_category_from_string(std::string_view name);

enum class Recovery : std::uint8_t { kRetry, kFallback, kAsk, kRevert, kGiveUp };
[[nodiscard]] std::string_view to_string(Recovery recovery) noexcept;
[[nodiscard]] base::Result<Recovery> recovery_from_string(std::string_view name);

/// An error and the decision about it: a retry granted here is used up.
struct ErrorRecorded {
  static constexpr std::string_view kKind = "error.recorded";
  /// 1, 2, 3, … within the plan.
  std::int64_t number = 0;
  ErrorCategory category = ErrorCategory::kInternal;
  std::string message{};
  /// The failed effect, if it was one.
  EffectId effect{};
  Recovery recovery = Recovery::kGiveUp;
  /// For kRetry.
  std::chrono::milliseconds after{};
  /// Which retry of its category this grants: 1, 2, …; 0 if none.
  std::int64_t retry = 0;
  /// Names the next command to type.
  std::string hint{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<ErrorRecorded> parse(std::string_view data);
  friend bool operator==(const ErrorRecorded&, const ErrorRecorded&) = default;
};

/// A person wants the reviewed digest applied.
struct ApplyRequested {
  static constexpr std::string_view kKind = "apply.requested";
  base::Sha256Digest digest{};
  /// "commit", "working_tree", "branch"
  std::string mode = "commit";
  std::string branch{};
  std::string message{};
  bool verify = true;
  /// Merge again if files changed since, and land that.
  bool remerge = false;
  /// Required validations that a person overrides.
  std::vector<std::string> without{};
  /// Who asked; empty: no person did.
  std::string by{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<ApplyRequested> parse(std::string_view data);
  friend bool operator==(const ApplyRequested&, const ApplyRequested&) = default;
};

/// It landed, or why it did not; then nothing was changed.
struct ApplyEnded {
  static constexpr std::string_view kKind = "apply.ended";
  base::Sha256Digest digest{};
  bool applied = false;
  std::string commit{};
  std::string reason{};
  std::vector<std::string> files{};
  /// "PATH changed since"
  std::vector<std::string> moved_on{};
  /// Of a plan that spans several projects, the commit in each; `commit` is empty then.
  std::vector<ProjectHead> projects{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<ApplyEnded> parse(std::string_view data);
  friend bool operator==(const ApplyEnded&, const ApplyEnded&) = default;
};

/// The applied changes were undone by a new commit; the plan is as before the apply.
struct ApplyUndone {
  static constexpr std::string_view kKind = "apply.undone";
  base::Sha256Digest digest{};
  std::string commit{};
  std::vector<ProjectHead> projects{};
  /// Who asked.
  std::string by{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<ApplyUndone> parse(std::string_view data);
  friend bool operator==(const ApplyUndone&, const ApplyUndone&) = default;
};

/// A command was consumed and changed nothing.
struct CommandRefused {
  static constexpr std::string_view kKind = "command.refused";
  std::string command{};
  /// The name of a base::ErrorCode.
  std::string code{};
  std::string reason{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<CommandRefused> parse(std::string_view data);
  friend bool operator==(const CommandRefused&, const CommandRefused&) = default;
};

}  // namespace clever::model
