#pragma once
// A plan as reports show it to programs and people: the same keys in `run`, `plan status` and `plan
// apply`. Pure functions, but for reading the trees. Private to the module.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "engine/effects/workspaces.h"
#include "engine/sensitive_changes.h"
#include "model/document.h"
#include "plan/state.h"
#include "service/exit_code.h"
#include "service/view.h"

namespace clever::service {

using model::Document;

/// One file that a plan changed. A value.
struct ChangedFile {
  std::string path{};
  /// Of a renamed one; else empty.
  std::string from{};
  /// "added", "modified", "deleted", "renamed", "mode"
  std::string_view status = "modified";
  std::uint64_t insertions = 0;
  std::uint64_t deletions = 0;
  bool binary = false;
  /// Why a person should look at it.
  std::vector<engine::SensitiveChange> sensitive{};

  friend bool operator==(const ChangedFile&, const ChangedFile&) = default;
};

/// Between what the plan began with and what it has now, by path.
[[nodiscard]] base::Result<std::vector<ChangedFile>> changed_files(
    const engine::PlanFiles& files, const base::StopToken& stop = {});

/// The facts that a report on one plan shows.
struct PlanFacts {
  const plan::State& plan;
  std::vector<ChangedFile> files{};
  /// Of the plan and all plans below it; State::usage is of the plan alone.
  plan::Usage usage{};
  /// It is not at rest and no process drives it: its driver was interrupted.
  bool left = false;
};

/// {plan_id, phase, state, summary, reason?, files[{path, status, insertions, deletions, from?}],
/// sensitive?[{path, kind, reason, line?}], digest, commit?, projects?[{project, folder, branch,
/// commit}], subplans{total, complete, failed},
/// conflicts?[{path, kind, step}], validation?{passed, tree, results[{name, required, passed,
/// outcome, took_ms, output}]}, usage{calls, input_tokens, output_tokens, cost_usd},
/// error?{category, message, hint}, next_steps[]}. The digest is null before there is one.
[[nodiscard]] Document plan_document(const PlanFacts& facts);

/// The same for people: what it came to, the files, what it cost, what to type next.
[[nodiscard]] View plan_view(const PlanFacts& facts);

/// Of a plan that spans several projects: each of them, with the commit that applied it or null.
[[nodiscard]] Document projects_document(const plan::State& plan);
/// "api 0123456789ab, web (no commit)"
[[nodiscard]] std::string commits_text(const std::vector<model::ProjectHead>& projects);

/// Of all files, in their order.
[[nodiscard]] std::vector<engine::SensitiveChange> sensitive_in(
    const std::vector<ChangedFile>& files);
[[nodiscard]] Document files_document(const std::vector<ChangedFile>& files);
/// "3 files changed, 12 insertions, 4 deletions"
[[nodiscard]] std::string files_total(const std::vector<ChangedFile>& files);
/// A row per file.
[[nodiscard]] Table files_table(const std::vector<ChangedFile>& files);
[[nodiscard]] Document usage_document(const plan::Usage& usage);
/// "12,345 tokens in, 678 out, $0.04"
[[nodiscard]] std::string usage_text(const plan::Usage& usage);

/// The last words about the work, else its strategy, else its title.
[[nodiscard]] std::string plan_summary(const plan::State& plan);
/// Why it is where it is; of a plan that only waits for a subplan, what that one waits for.
[[nodiscard]] std::string reason_of(const plan::State& plan);
/// Lines to type, the most likely first.
[[nodiscard]] std::vector<std::string> next_steps(const plan::State& plan);
[[nodiscard]] std::vector<std::string> next_steps(const PlanFacts& facts);

/// What a command that waited for this plan to come to rest exits with: 0 ready to apply, applied
/// or nothing to do; 5 waiting for a person, money or approval, constrained; 1 errored, cancelled.
[[nodiscard]] ExitCode exit_code_of(const plan::State& plan) noexcept;
/// "execute/complete"
[[nodiscard]] std::string place_of(const plan::State& plan);
[[nodiscard]] Tone tone_of(const plan::State& plan) noexcept;

}  // namespace clever::service
