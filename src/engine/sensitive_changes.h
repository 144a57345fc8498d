#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "diff/tree_diff.h"
#include "engine/effects/workspaces.h"
#include "git/tree_entry.h"
#include "model/control_settings.h"

// Changes that a person should look at because of what they do later: code that git, an editor, a
// build server or an agent runs by itself, and text that is not what it looks like. One table of
// kinds, in the source.
namespace clever::engine {

/// One change that is pointed out in a review. A value.
struct SensitiveChange {
  std::string path{};
  /// "ci", "git-hook", …: a kind of the table in sensitive_changes.cc.
  std::string_view kind{};
  /// One line for a person.
  std::string_view reason{};
  /// Of the new file; 0: the file as a whole.
  std::uint64_t line = 0;
  friend bool operator==(const SensitiveChange&, const SensitiveChange&) = default;
};

/// What the differences alone do not say. What `content` refers to outlives the call.
struct SensitiveContext {
  /// core.hooksPath of the project, from its root; empty: there is none inside it.
  std::string hooks_path{};
  /// The bytes of a file or the target of a link; an error counts as a change of all of it.
  std::function<base::Result<std::string>(const git::Node& node)> content{};
  /// Once it is requested, the files that are left are not looked at.
  base::StopToken stop{};
};

/// By path, each path and kind once. Pure but for `content`; total.
[[nodiscard]] std::vector<SensitiveChange> sensitive_changes(std::span<const diff::FileDiff> files,
                                                             const SensitiveContext& context);
/// The same of a plan's work. Asks git for the project's core.hooksPath.
[[nodiscard]] base::Result<std::vector<SensitiveChange>> sensitive_changes(
    const PlanFiles& files, const base::StopToken& stop);
[[nodiscard]] base::Result<std::vector<SensitiveChange>> sensitive_changes(
    const PlanFiles& files, std::span<const diff::FileDiff> diffs, const base::StopToken& stop);
[[nodiscard]] std::vector<SensitiveChange> sensitive_changes(const PlanFiles& files,
                                                             std::span<const diff::FileDiff> diffs);

/// What the rules about `sensitive(KIND)` and `sensitive(PATH)` say of changes: sentences, empty if
/// there is nothing to say. Without a rule a sensitive change is asked about.
struct SensitiveVerdict {
  /// Why it never lands.
  std::string denied{};
  /// Why it does not land without a person.
  std::string asked{};
};
[[nodiscard]] SensitiveVerdict judge_sensitive(const std::vector<SensitiveChange>& changes,
                                               const model::Control& control);

/// Empty, or why a rule about `sensitive(ARGUMENT)` can match nothing.
[[nodiscard]] std::string sensitive_complaint(std::string_view argument);

/// The name that rules about sensitive changes have in place of a tool's.
inline constexpr std::string_view kSensitiveRule = "sensitive";

}  // namespace clever::engine
