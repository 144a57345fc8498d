#include "apply/apply.h"

#include "apply/internal/attempt.h"
#include "apply/internal/group.h"
#include "apply/internal/landing_marks.h"
#include "apply/internal/recovery.h"
#include "apply/internal/request_check.h"
#include "apply/internal/state_folder.h"

namespace clever::apply {
namespace {

bool is_group(const git::Project& project) { return !project.members.empty(); }

}  // namespace

base::Result<Outcome> apply(const Request& request, const base::StopToken& stop,
                            base::Deadline deadline) {
  CLEVER_TRY(internal::check_request(request));
  if (is_group(request.project)) return internal::apply_to_group(request, stop, deadline);
  CLEVER_TRY(recover(request.project, request.state_folder, stop, deadline));
  const internal::StateFolder state(request.state_folder, request.project);
  CLEVER_ASSIGN(const io::FileLock lock, state.lock(stop, deadline));
  CLEVER_TRY(internal::end_interrupted(request.project, state));
  CLEVER_ASSIGN(const auto mark, internal::standing_mark(state, request));
  if (mark) return internal::already(*mark);
  CLEVER_TRY(internal::forget_undone(state, request));
  CLEVER_TRY(internal::check_branch(request, stop, deadline));
  return internal::Attempt::run({.request = request, .state = state}, stop, deadline);
}

base::Result<std::optional<Outcome>> landed(const Request& request) {
  if (is_group(request.project)) return internal::landed_in_group(request);
  const internal::StateFolder state(request.state_folder, request.project);
  CLEVER_ASSIGN(const auto mark, internal::standing_mark(state, request));
  if (!mark) return std::optional<Outcome>();
  return std::optional(internal::already(*mark));
}

base::Result<Outcome> undo(const Request& applied, const base::StopToken& stop,
                           base::Deadline deadline) {
  CLEVER_TRY(internal::check_request(applied));
  if (is_group(applied.project)) return internal::undo_in_group(applied, stop, deadline);
  CLEVER_TRY(recover(applied.project, applied.state_folder, stop, deadline));
  const internal::StateFolder state(applied.state_folder, applied.project);
  CLEVER_ASSIGN(const io::FileLock lock, state.lock(stop, deadline));
  CLEVER_TRY(internal::end_interrupted(applied.project, state));
  CLEVER_ASSIGN(const internal::UndoOrder order, internal::undo_order(state, applied));
  if (order.undone) return internal::already(*order.undone);
  return internal::Attempt::run(
      {.request = order.request, .state = state, .branch = order.branch, .undo = true}, stop,
      deadline);
}

base::Result<std::string> recover(const git::Project& project,
                                  const std::filesystem::path& state_folder,
                                  const base::StopToken& stop, base::Deadline deadline) {
  const internal::StateFolder state(state_folder, project);
  const std::string root = project.root.string();
  if (!state.has_journal()) return std::string();
  if (is_group(project)) {
    return internal::end_interrupted_group(state, root, /*waits=*/true, stop, deadline);
  }
  CLEVER_ASSIGN(const std::string group, internal::interrupted_group(state));
  if (!group.empty()) {
    CLEVER_ASSIGN(std::string said, internal::end_interrupted_group(
                                        state.beside(group), root, /*waits=*/true, stop, deadline));
    if (!state.has_journal()) return said;
  }
  CLEVER_ASSIGN(const io::FileLock lock, state.lock(stop, deadline));
  return internal::end_interrupted(project, state);
}

bool has_unfinished(const std::filesystem::path& state_folder) {
  return internal::StateFolder::any_has_journal(state_folder);
}

base::Result<std::string> recover_if_idle(const git::Project& project,
                                          const std::filesystem::path& state_folder) {
  const internal::StateFolder state(state_folder, project);
  const std::string root = project.root.string();
  if (is_group(project)) return internal::end_interrupted_group(state, root, /*waits=*/false);
  std::string said;
  for (const auto& group : internal::StateFolder::interrupted_groups_with(state_folder, root)) {
    CLEVER_ASSIGN(const std::string one,
                  internal::end_interrupted_group(group, root, /*waits=*/false));
    said += (said.empty() || one.empty() ? "" : "; ") + one;
  }
  if (!state.has_journal()) return said;
  CLEVER_ASSIGN(const std::optional<io::FileLock> lock, state.try_lock());
  if (!lock) return said;
  return internal::end_interrupted(project, state);
}

}  // namespace clever::apply
