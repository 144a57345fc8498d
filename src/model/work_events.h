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

// What happens to a plan while it is worked on. Values; each has to_event() and a total parse(),
// whose `invalid_argument` names the key. Trees are git tree ids in hexadecimal, durable before the
// event that names them.
namespace clever::model {

/// Follows PlanCreated: how it is to be worked on.
struct PlanConfigured {
  static constexpr std::string_view kKind = "plan.configured";
  PlanSettings settings{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<PlanConfigured> parse(std::string_view data);
  friend bool operator==(const PlanConfigured&, const PlanConfigured&) = default;
};

/// A person said something: the task first, then whatever guides it on. The words (a list of one
/// Message, model::to_json) are the body of that hash.
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

/// One project of a plan that spans several: its name in paths, and where its branch is. A value.
struct ProjectHead {
  std::string project{};
  /// "refs/heads/main"; empty if detached, or where only the commit counts.
  std::string branch{};
  std::string commit{};
  friend bool operator==(const ProjectHead&, const ProjectHead&) = default;
};

/// What the work begins with.
struct BaseTaken {
  static constexpr std::string_view kKind = "base.taken";
  std::string tree{};
  /// "refs/heads/main"; empty if detached or no repository.
  std::string branch{};
  std::string commit{};
  /// What was uncommitted, and what is read-only: paths, bytes.
  std::vector<std::string> uncommitted{};
  std::vector<std::string> submodules{};
  std::vector<std::string> filtered{};
  /// Files of the project that the tree has not, as secrets usually lie in them: paths, bytes.
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
  kStep,      // what is to be done now
  kPrompt,    // a person's words
  kAnswer,    // the model's
  kResults,   // of all tool calls of the answer before it
  kReminder,  // of what an answer should have been
  kSummary,   // stands for older messages: the first of the conversation
};
[[nodiscard]] std::string_view to_string(MessageWhy why) noexcept;

/// A message joined the conversation of the present phase; its JSON (model::to_json of a list of
/// one) is the body of that hash.
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

/// The conversation begins anew (a phase, a step) or goes on without its oldest messages, whose
/// place a summary takes (the MessageAdded that follows).
struct TranscriptCut {
  static constexpr std::string_view kKind = "transcript.cut";
  /// How many of the oldest messages are gone.
  std::int64_t messages = 0;
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<TranscriptCut> parse(std::string_view data);
  friend bool operator==(const TranscriptCut&, const TranscriptCut&) = default;
};

/// A model answered; the words are the MessageAdded beside it.
struct ModelAnswered {
  static constexpr std::string_view kKind = "model.answered";
  EffectId effect{};
  std::string model{};
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  Microdollars cost = 0;
  /// What it was shown of the project, if that is not what it was shown before: the body of that
  /// hash is a ContextSnapshot.
  std::optional<base::Sha256Digest> context{};
  /// How many parts of the answer had a known secret masked, or were dropped for one.
  std::int64_t withheld = 0;
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<ModelAnswered> parse(std::string_view data);
  friend bool operator==(const ModelAnswered&, const ModelAnswered&) = default;
};

/// What one tool call came to.
struct ToolNote {
  std::string tool{};
  bool failed = false;
  /// SHA-256 over tool, arguments and result: for noticing loops.
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

/// The tool calls of an answer were run; what they said is the MessageAdded beside it.
struct ToolsRecorded {
  static constexpr std::string_view kKind = "tools.ran";
  EffectId effect{};
  std::vector<ToolNote> calls{};
  /// Paths that were read and that no earlier one of these names.
  std::vector<std::string> reads{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<ToolsRecorded> parse(std::string_view data);
  friend bool operator==(const ToolsRecorded&, const ToolsRecorded&) = default;
};

/// The plan's strategy, with all dependencies spelled out. Replaces an earlier one; steps begin
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

/// A step moved on. Of a subplan step `child` and `base` are there once it runs, `tree` once it is
/// done; `attempt` counts from 1.
struct StepMoved {
  static constexpr std::string_view kKind = "step.moved";
  std::string step{};
  StepState state = StepState::kPending;
  PlanId child{};
  std::int64_t attempt = 0;
  std::string base{};
  std::string tree{};
  /// What it read, for stale reads at the merge.
  std::vector<std::string> reads{};
  std::string summary{};
  /// What its child waits for, in words: an approval, money, a person; empty: it does not.
  std::string waits{};
  /// How many changes of files a subplan recorded.
  std::int64_t files = 0;
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<StepMoved> parse(std::string_view data);
  friend bool operator==(const StepMoved&, const StepMoved&) = default;
};

/// The work is at this tree: after tools ran, children were merged, a checkpoint was restored.
struct WorkMoved {
  static constexpr std::string_view kKind = "work.moved";
  std::string tree{};
  /// "tools", "merge", "actor", "revert", "correct", "remerge", "review"; "rollback" before there
  /// was WorkRestored.
  std::string why{};
  /// Of a rollback: the sequence of the event whose tree it is; what came later is forgotten. Of a
  /// correction: what was merged later is to be merged again.
  std::int64_t to_sequence = 0;
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<WorkMoved> parse(std::string_view data);
  friend bool operator==(const WorkMoved&, const WorkMoved&) = default;
};

/// What is changed from here on is recorded in this changeset.
struct WorkBegan {
  static constexpr std::string_view kKind = "work.began";
  ChangesetId changeset{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<WorkBegan> parse(std::string_view data);
  friend bool operator==(const WorkBegan&, const WorkBegan&) = default;
};

/// Both sides of a disagreement between children, until somebody resolves it.
struct OpenConflict {
  std::string path{};
  /// diff::ConflictKind by name.
  std::string kind{};
  /// The step whose merge it came from.
  std::string step{};
  /// The object with markers, if it is text: resolved once the tree has another there.
  std::string marked{};
  friend bool operator==(const OpenConflict&, const OpenConflict&) = default;
};

struct ChildrenMerged {
  static constexpr std::string_view kKind = "children.merged";
  /// In the order in which they were merged.
  std::vector<std::string> steps{};
  /// All that are open now, earlier ones included.
  std::vector<OpenConflict> conflicts{};
  /// For showing: "STEP read PATH, which STEP changed".
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

/// An error and what was decided about it, in one step: a retry that is granted here is spent.
struct ErrorRecorded {
  static constexpr std::string_view kKind = "error.recorded";
  /// 1, 2, 3, … within the plan.
  std::int64_t number = 0;
  ErrorCategory category = ErrorCategory::kInternal;
  std::string message{};
  /// What went wrong, if it was one.
  EffectId effect{};
  Recovery recovery = Recovery::kGiveUp;
  /// Of kRetry.
  std::chrono::milliseconds after{};
  /// Which retry of its category this grants: 1, 2, …; 0 if none.
  std::int64_t retry = 0;
  /// Names the next command to type.
  std::string hint{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<ErrorRecorded> parse(std::string_view data);
  friend bool operator==(const ErrorRecorded&, const ErrorRecorded&) = default;
};

/// Somebody wants the reviewed digest to land.
struct ApplyRequested {
  static constexpr std::string_view kKind = "apply.requested";
  base::Sha256Digest digest{};
  /// "commit", "working_tree", "branch"
  std::string mode = "commit";
  std::string branch{};
  std::string message{};
  bool verify = true;
  /// Merge anew if files moved on, and land that.
  bool remerge = false;
  /// Required validations that a person lets it land without.
  std::vector<std::string> without{};
  /// Who asked; empty: no person did.
  std::string by{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<ApplyRequested> parse(std::string_view data);
  friend bool operator==(const ApplyRequested&, const ApplyRequested&) = default;
};

/// It landed, or why it did not; nothing was touched then.
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

/// What was applied was taken back as a new commit; the plan is as before it landed.
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
  /// base::ErrorCode by name.
  std::string code{};
  std::string reason{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<CommandRefused> parse(std::string_view data);
  friend bool operator==(const CommandRefused&, const CommandRefused&) = default;
};

}  // namespace clever::model
