#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sha256.h"
#include "model/event.h"
#include "model/id.h"
#include "model/time.h"

// How people and checks steer a plan. Values; each has to_event() and a total parse(), whose
// `invalid_argument` names the key.
namespace clever::model {

enum class CorrectionMode : std::uint8_t { kRevert, kAppend };
[[nodiscard]] std::string_view to_string(CorrectionMode mode) noexcept;  // "revert", "append"
[[nodiscard]] base::Result<CorrectionMode> parse_correction_mode(std::string_view text);

/// A person corrected a decision. The accompanying decision.superseded lists what it superseded,
/// the following step.moved the steps that start over.
struct PlanCorrected {
  static constexpr std::string_view kKind = "plan.corrected";
  /// The user_intervention with the guidance, which names the correction.
  DecisionId id{};
  /// The corrected decision.
  DecisionId decision{};
  CorrectionMode mode = CorrectionMode::kRevert;
  /// The hash of the words, as in plan.prompted.
  base::Sha256Digest guidance{};
  std::int64_t bytes = 0;
  /// The tree before the correction, for comparison; it is kept.
  std::string tree_before{};
  /// Steps that start over, the corrected one first; or the added one. None: the whole plan begins
  /// anew.
  std::vector<std::string> steps{};
  /// The decisions in force about them from now on, one per step.
  std::vector<DecisionId> decisions{};
  /// The plan's own work that it stops; may be none.
  EffectId effect{};
  /// 1, 2, 3, … within the plan.
  std::int64_t number = 0;
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<PlanCorrected> parse(std::string_view data);
  friend bool operator==(const PlanCorrected&, const PlanCorrected&) = default;
};

struct ValidationResult {
  std::string name{};
  bool required = true;
  bool passed = false;
  /// False: the result says nothing about the work.
  bool ran = true;
  /// "exit code 1", "timed out after 600 s", "could not be run: …"; empty if it passed.
  std::string outcome{};
  /// The end of its output, for people and models; at most 4,000 bytes.
  std::string output{};
  std::chrono::milliseconds took{};
  friend bool operator==(const ValidationResult&, const ValidationResult&) = default;
};

/// The validations of the work ran.
struct ValidationsRan {
  static constexpr std::string_view kKind = "validations.ran";
  EffectId effect{};
  /// The validated tree.
  std::string tree{};
  /// In the order of the settings.
  std::vector<ValidationResult> results{};
  /// Whether no required validation failed.
  [[nodiscard]] bool passed() const noexcept;
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<ValidationsRan> parse(std::string_view data);
  friend bool operator==(const ValidationsRan&, const ValidationsRan&) = default;
};

struct ApprovalItem {
  /// For a tool call: its id. Unique within the request.
  std::string id{};
  /// "run_command git push origin main"
  std::string what{};
  /// "the settings of the project ask before run_command(git push *)"
  std::string why{};
  friend bool operator==(const ApprovalItem&, const ApprovalItem&) = default;
};

/// The plan waits for a person's approval.
struct ApprovalRequested {
  static constexpr std::string_view kKind = "approval.requested";
  /// 1, 2, 3, … within the plan.
  std::int64_t number = 0;
  /// "tools", "strategy", "reversion", "apply"
  std::string subject{};
  std::vector<ApprovalItem> items{};
  /// From then on an answer counts for nothing; none: it waits forever.
  std::optional<Timestamp> expires{};
  [[nodiscard]] bool is_expired(Timestamp now) const { return expires && now >= *expires; }
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<ApprovalRequested> parse(std::string_view data);
  friend bool operator==(const ApprovalRequested&, const ApprovalRequested&) = default;
};

/// The person's answer.
struct ApprovalGiven {
  static constexpr std::string_view kKind = "approval.given";
  std::int64_t number = 0;
  /// The rejected items; the others were approved.
  std::vector<std::string> rejected{};
  std::string reason{};
  /// Who answered.
  std::string by{};
  /// Rules that allow such calls from here on.
  std::vector<std::string> remembered{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<ApprovalGiven> parse(std::string_view data);
  friend bool operator==(const ApprovalGiven&, const ApprovalGiven&) = default;
};

/// A person kept only a part of the reviewed changes, or edited them; the accompanying work.moved
/// has the tree, and the following seal its digest.
struct ChangesChosen {
  static constexpr std::string_view kKind = "changes.chosen";
  /// The digest that was reviewed.
  base::Sha256Digest reviewed{};
  std::int64_t kept = 0;
  std::int64_t dropped = 0;
  /// Files that the person wrote.
  std::vector<std::string> edited{};
  [[nodiscard]] Event to_event() const;
  [[nodiscard]] static base::Result<ChangesChosen> parse(std::string_view data);
  friend bool operator==(const ChangesChosen&, const ChangesChosen&) = default;
};

}  // namespace clever::model
