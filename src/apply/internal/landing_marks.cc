#include "apply/internal/landing_marks.h"

#include "apply/internal/repository.h"
#include "apply/internal/request_check.h"

namespace clever::apply::internal {
namespace {

std::string undo_message(const Request& applied) {
  const std::string subject = applied.message.substr(0, applied.message.find('\n'));
  const std::string plan = applied.plan.to_string();
  return "Undo " + (subject.empty() ? "plan " + plan : "\"" + subject + "\"") +
         "\n\nPuts back what applying the plan changed.";
}

}  // namespace

Request inverse_of(const Request& request) {
  Request back = request;
  back.changes = inverse(request.changes);
  back.digest = model::digest_of(back.changes);
  return back;
}

base::Result<std::optional<DoneMark>> standing_mark(const StateFolder& state,
                                                    const Request& request) {
  const std::string plan = request.plan.to_string();
  CLEVER_ASSIGN(auto mark, state.done(plan, request.digest));
  if (!mark) return mark;
  CLEVER_ASSIGN(const auto undone, state.done(plan, inverse_of(request).digest));
  if (undone) mark.reset();
  return mark;
}

// Removes the later mark last, so that an interruption leaves the request undone.
base::Result<void> forget_undone(const StateFolder& state, const Request& request) {
  const std::string plan = request.plan.to_string();
  const base::Sha256Digest back = inverse_of(request).digest;
  CLEVER_ASSIGN(const auto undone, state.done(plan, back));
  if (!undone) return {};
  CLEVER_TRY(state.remove_mark(plan, request.digest));
  return state.remove_mark(plan, back);
}

base::Result<UndoOrder> undo_order(const StateFolder& state, const Request& applied) {
  const std::string plan = applied.plan.to_string();
  CLEVER_ASSIGN(const auto landed, state.done(plan, applied.digest));
  if (!landed) return base::not_found("plan " + plan + " was not applied to this project");
  UndoOrder order{.request = inverse_of(applied)};
  order.request.mode = landed->mode;
  order.request.message = undo_message(applied);
  order.request.uncommitted.clear();
  CLEVER_ASSIGN(order.undone, state.done(plan, order.request.digest));
  if (landed->mode == Mode::kBranch) order.branch = landed->reference;
  return order;
}

base::Result<void> check_branch(const Request& request, const base::StopToken& stop,
                                base::Deadline deadline) {
  if (request.mode != Mode::kBranch) return {};
  const Repository repository(request.project, stop, deadline);
  CLEVER_ASSIGN(const bool valid, repository.is_branch_name(request.branch));
  if (!valid) return base::invalid_argument("'" + request.branch + "' is not a valid branch name");
  CLEVER_ASSIGN(const std::string present, repository.commit_of("refs/heads/" + request.branch));
  if (present.empty()) return {};
  return base::already_exists("a branch named " + request.branch + " exists already");
}

Outcome already(const DoneMark& mark) {
  Outcome outcome{.kind = Outcome::Kind::kAlready};
  auto commit = git::ObjectId::from_hex(mark.commit);
  if (commit.ok()) outcome.commit = *commit;
  return outcome;
}

}  // namespace clever::apply::internal
