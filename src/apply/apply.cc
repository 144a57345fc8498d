#include "apply/apply.h"

#include "apply/internal/attempt.h"
#include "apply/internal/recovery.h"
#include "apply/internal/repository.h"
#include "apply/internal/request_check.h"
#include "apply/internal/state_folder.h"

namespace clever::apply {
namespace {

// The request that undoes what this request landed.
Request inverse_of(const Request& request) {
  Request back = request;
  back.changes = internal::inverse(request.changes);
  back.digest = model::digest_of(back.changes);
  return back;
}

// Returns how it landed, unless it was undone since.
base::Result<std::optional<internal::DoneMark>> standing_mark(const internal::StateFolder& state,
                                                              const Request& request) {
  const std::string plan = request.plan.to_string();
  CLEVER_ASSIGN(auto mark, state.done(plan, request.digest));
  if (!mark) return mark;
  CLEVER_ASSIGN(const auto undone, state.done(plan, inverse_of(request).digest));
  if (undone) mark.reset();
  return mark;
}

// Applying again after an undo makes both marks history. Removes the later mark last, so that an
// interruption leaves the request undone.
base::Result<void> forget_undone(const internal::StateFolder& state, const Request& request) {
  const std::string plan = request.plan.to_string();
  const base::Sha256Digest back = inverse_of(request).digest;
  CLEVER_ASSIGN(const auto undone, state.done(plan, back));
  if (!undone) return {};
  CLEVER_TRY(state.remove_mark(plan, request.digest));
  return state.remove_mark(plan, back);
}

Outcome already(const internal::DoneMark& mark) {
  Outcome outcome{.kind = Outcome::Kind::kAlready};
  auto commit = git::ObjectId::from_hex(mark.commit);
  if (commit.ok()) outcome.commit = *commit;
  return outcome;
}

base::Result<void> check_branch(const Request& request, const base::StopToken& stop,
                                base::Deadline deadline) {
  if (request.mode != Mode::kBranch) return {};
  const internal::Repository repository(request.project, stop, deadline);
  CLEVER_ASSIGN(const bool valid, repository.is_branch_name(request.branch));
  if (!valid) return base::invalid_argument("'" + request.branch + "' is not a valid branch name");
  CLEVER_ASSIGN(const std::string present, repository.commit_of("refs/heads/" + request.branch));
  if (present.empty()) return {};
  return base::already_exists("a branch named " + request.branch + " exists already");
}

std::string undo_message(const Request& applied) {
  const std::string subject = applied.message.substr(0, applied.message.find('\n'));
  const std::string plan = applied.plan.to_string();
  return "Undo " + (subject.empty() ? "plan " + plan : "\"" + subject + "\"") +
         "\n\nPuts back what applying the plan changed.";
}

}  // namespace

base::Result<Outcome> apply(const Request& request, const base::StopToken& stop,
                            base::Deadline deadline) {
  CLEVER_TRY(internal::check_request(request));
  const internal::StateFolder state(request.state_folder, request.project);
  CLEVER_ASSIGN(const io::FileLock lock, state.lock(stop, deadline));
  CLEVER_TRY(internal::end_interrupted(request.project, state));
  CLEVER_ASSIGN(const auto mark, standing_mark(state, request));
  if (mark) return already(*mark);
  CLEVER_TRY(forget_undone(state, request));
  CLEVER_TRY(check_branch(request, stop, deadline));
  return internal::Attempt::run({.request = request, .state = state}, stop, deadline);
}

base::Result<std::optional<Outcome>> landed(const Request& request) {
  const internal::StateFolder state(request.state_folder, request.project);
  CLEVER_ASSIGN(const auto mark, standing_mark(state, request));
  if (!mark) return std::optional<Outcome>();
  return std::optional(already(*mark));
}

base::Result<Outcome> undo(const Request& applied, const base::StopToken& stop,
                           base::Deadline deadline) {
  CLEVER_TRY(internal::check_request(applied));
  const internal::StateFolder state(applied.state_folder, applied.project);
  CLEVER_ASSIGN(const io::FileLock lock, state.lock(stop, deadline));
  CLEVER_TRY(internal::end_interrupted(applied.project, state));
  const std::string plan = applied.plan.to_string();
  CLEVER_ASSIGN(const auto landed, state.done(plan, applied.digest));
  if (!landed) return base::not_found("plan " + plan + " was not applied to this project");
  Request back = inverse_of(applied);
  back.mode = landed->mode;
  back.message = undo_message(applied);
  back.uncommitted.clear();
  CLEVER_ASSIGN(const auto undone, state.done(plan, back.digest));
  if (undone) return already(*undone);
  std::optional<std::string> branch;
  if (landed->mode == Mode::kBranch) branch = landed->reference;
  return internal::Attempt::run({.request = back, .state = state, .branch = branch, .undo = true},
                                stop, deadline);
}

base::Result<std::string> recover(const git::Project& project,
                                  const std::filesystem::path& state_folder,
                                  const base::StopToken& stop, base::Deadline deadline) {
  const internal::StateFolder state(state_folder, project);
  if (!state.has_journal()) return std::string();
  CLEVER_ASSIGN(const io::FileLock lock, state.lock(stop, deadline));
  return internal::end_interrupted(project, state);
}

bool has_unfinished(const std::filesystem::path& state_folder) {
  return internal::StateFolder::any_has_journal(state_folder);
}

base::Result<std::string> recover_if_idle(const git::Project& project,
                                          const std::filesystem::path& state_folder) {
  const internal::StateFolder state(state_folder, project);
  if (!state.has_journal()) return std::string();
  CLEVER_ASSIGN(const std::optional<io::FileLock> lock, state.try_lock());
  if (!lock) return std::string();
  return internal::end_interrupted(project, state);
}

}  // namespace clever::apply
