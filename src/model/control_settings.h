#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// The controls of a plan's work, fixed when the plan was made: validations, approvals, invariants.
// Values; their JSON is part of PlanSettings'.
namespace clever::model {

/// A check of the work: a command or a tool that changes nothing and passes or fails.
struct Validation {
  /// Unique within the plan.
  std::string name{};
  /// A command and its arguments, run confined in a copy of the work; or a tool.
  std::vector<std::string> argv{};
  std::string tool{};
  /// The tool's arguments, as JSON.
  std::string arguments{};
  /// False: a failure is only reported.
  bool required = true;
  std::chrono::milliseconds timeout{std::chrono::minutes{10}};
  /// Its origin: "project", "action", "plan".
  std::string origin{};
  /// Set if a project's file defines it and no person had trusted it when the plan was made: the
  /// name and words for `agents trust`. It runs once it is trusted; empty: at once.
  std::vector<std::string> untrusted{};
  friend bool operator==(const Validation&, const Validation&) = default;
};

enum class Verdict : std::uint8_t { kAllow, kAsk, kDeny };
[[nodiscard]] std::string_view to_string(Verdict verdict) noexcept;  // "allow", "ask", "deny"
[[nodiscard]] base::Result<Verdict> parse_verdict(std::string_view text);

/// A rule about tool calls: "run_command(git push *)", "write_file(docs/**)", "mcp__*".
struct Permission {
  Verdict verdict = Verdict::kAsk;
  std::string pattern{};
  /// For messages: "the settings of the project".
  std::string origin{};
  friend bool operator==(const Permission&, const Permission&) = default;
};

/// A command that runs, confined, on an event of the plan or its tools.
struct Hook {
  std::string name{};
  /// "tool.before", "tool.after", "plan.complete", "plan.waiting", "plan.errored", "plan.applied",
  /// "apply.before"
  std::string event{};
  /// For tool events: a pattern as in permissions; empty: all.
  std::string match{};
  std::vector<std::string> argv{};
  std::chrono::milliseconds timeout{std::chrono::seconds{30}};
  friend bool operator==(const Hook&, const Hook&) = default;
};

enum class InvariantScope : std::uint8_t { kGlobal, kProject, kAction, kPlan };
[[nodiscard]] std::string_view to_string(InvariantScope scope) noexcept;
[[nodiscard]] base::Result<InvariantScope> parse_invariant_scope(std::string_view text);

/// A sentence that must hold.
struct Invariant {
  /// Of two with the same name the more specific one counts; empty: it stands alone.
  std::string name{};
  std::string text{};
  InvariantScope scope = InvariantScope::kPlan;
  /// A more specific one with its name is a conflict.
  bool non_overridable = false;
  friend bool operator==(const Invariant&, const Invariant&) = default;
};

/// The thresholds for asking a person: at 0 never, at 1 always; between them if the confidence is
/// lower. Profiles are named sets of such numbers.
struct Automation {
  double strategy = 0;
  double decision = 0;
  double write = 0;
  double deletion = 0;
  double reversion = 0;
  double apply = 1;
  friend bool operator==(const Automation&, const Automation&) = default;
};

/// Limits, checked in this order: tools that are never called, tools that alone are allowed (empty:
/// all), calls per step, then Automation's thresholds for writes and applying.
struct Guards {
  std::vector<std::string> denied_tools{};
  std::vector<std::string> allowed_tools{};
  /// 0: no limit of its own.
  std::int64_t calls_per_step = 0;
  friend bool operator==(const Guards&, const Guards&) = default;
};

struct Control {
  std::vector<Validation> validations{};
  /// How often failed validations are handed back to the actor.
  std::int64_t fixes = 3;
  std::vector<Permission> permissions{};
  std::vector<Hook> hooks{};
  std::vector<Invariant> invariants{};
  Automation automation{};
  Guards guards{};
  /// How long an approval waits for an answer; 0: forever.
  std::chrono::milliseconds answer_within{0};
  friend bool operator==(const Control&, const Control&) = default;
};

}  // namespace clever::model
