#include "apply/internal/attempt.h"

#include "apply/internal/exchange.h"
#include "apply/internal/index_lock.h"
#include "apply/internal/new_id.h"
#include "base/check.h"
#include "base/crash_point.h"

namespace clever::apply::internal {
namespace {

constexpr int kMostAgain = 4;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string joined_remarks(const std::vector<std::string>& remarks) {
  std::string all;
  for (const std::string& remark : remarks) all += (all.empty() ? "" : "; ") + remark;
  return all;
}

}  // namespace

Attempt::Attempt(const Order& order, io::Directory root, JournalFile journal_file, Journal journal,
                 const base::StopToken& stop, base::Deadline deadline)
    : order_(order),
      request_(order.request),
      state_(order.state),
      stop_(stop),
      deadline_(deadline),
      root_(std::move(root)),
      repository_(request_.project, stop, deadline),
      journal_file_(std::move(journal_file)),
      journal_(std::move(journal)) {}

base::Result<Outcome> Attempt::run(const Order& order, const base::StopToken& stop,
                                   base::Deadline deadline) {
  for (int again = 0; true; ++again) {
    CLEVER_ASSIGN(Attempt attempt, begin(order, stop, deadline));
    auto outcome = attempt.run_once();
    if (!outcome.ok() || !attempt.overtaken_ || again == kMostAgain) return outcome;
  }
}

base::Result<Attempt> Attempt::begin(const Order& order, const base::StopToken& stop,
                                     base::Deadline deadline) {
  CLEVER_ASSIGN(io::Directory root, io::Directory::open(order.request.project.root));
  const std::string id = order.id.empty() ? new_id() : order.id;
  Journal journal{.beginning = {.id = id,
                                .plan = order.request.plan.to_string(),
                                .digest = order.request.digest,
                                .mode = order.request.mode,
                                .staging = staging_name(root, id),
                                .undo = order.undo,
                                .group = order.group}};
  CLEVER_ASSIGN(JournalFile file,
                JournalFile::begin(order.state.journal_path(), journal.beginning));
  base::crash_point("apply.begun");
  return Attempt(order, std::move(root), std::move(file), std::move(journal), stop, deadline);
}

base::Result<Outcome> Attempt::run_once() {
  auto outcome = land();
  if (!outcome.ok() && !kept_) return take_back(std::move(outcome).error());
  return outcome;
}

const Repository* Attempt::repository() const {
  return request_.project.kind == git::ProjectKind::kRepository ? &repository_ : nullptr;
}

base::Result<Outcome> Attempt::land() {
  CLEVER_TRY(make_ready());
  if (!prepared_.fits()) return constrained();
  CLEVER_TRY(put());
  if (!prepared_.fits()) return constrained();
  CLEVER_TRY(journal_file_.verified());
  journal_.verified = true;
  base::crash_point("apply.verified");
  return finish();
}

base::Result<void> Attempt::make_ready() {
  CLEVER_TRY(wait_for_git());
  CLEVER_ASSIGN(prepared_, Preparation(request_, root_, repository(), order_.branch).run());
  if (!prepared_.fits()) return {};
  CLEVER_ASSIGN(Staged staged, stage());
  if (stop_.stop_requested()) return base::cancelled("stopped before anything was changed");
  if (deadline_.passed()) return base::deadline_exceeded("out of time before anything was changed");
  CLEVER_TRY(journal_file_.staged(staged));
  journal_.staged = std::move(staged);
  base::crash_point("apply.staged");
  return {};
}

base::Result<void> Attempt::put() {
  CLEVER_TRY(lock_repository());
  if (!prepared_.fits()) return {};
  CLEVER_ASSIGN(prepared_.moved_on, exchange());
  return {};
}

base::Result<void> Attempt::lock_repository() {
  if (!locks()) return {};
  CLEVER_TRY(lock_index());
  CLEVER_ASSIGN(const bool holds,
                Preparation(request_, root_, repository(), order_.branch).still_holds(prepared_));
  if (holds) return {};
  overtaken_ = true;
  prepared_.refusal = "HEAD or the index changed during apply: apply again";
  return {};
}

bool Attempt::locks() const { return repository() != nullptr && request_.mode != Mode::kBranch; }

base::Result<void> Attempt::wait_for_git() {
  if (!locks()) return {};
  CLEVER_ASSIGN(const IndexLock lock, IndexLock::at(request_.project, journal_.beginning));
  return lock.wait_until_free(stop_, deadline_);
}

base::Result<void> Attempt::lock_index() {
  CLEVER_ASSIGN(const IndexLock lock, IndexLock::at(request_.project, journal_.beginning));
  CLEVER_ASSIGN(const LockFile file, lock.prepare());
  base::crash_point("apply.lock_prepared");
  CLEVER_TRY(journal_file_.locked(file));
  journal_.lock = file;
  CLEVER_TRY(lock.take(stop_, deadline_));
  base::crash_point("apply.locked");
  return {};
}

base::Result<Staged> Attempt::stage() {
  Staging staging(request_, root_, repository(), journal_.beginning);
  if (request_.mode == Mode::kBranch) {
    CLEVER_TRY(staging.write_objects());
  } else {
    CLEVER_TRY(staging.write_files(prepared_));
  }
  Staged staged{.operations = prepared_.operations,
                .made_folders = prepared_.made_folders,
                .emptied_folders = prepared_.emptied_folders};
  if (prepared_.commit) {
    CLEVER_ASSIGN(staged.landing, make_commit(staging));
  }
  base::crash_point("apply.commit_made");
  return staged;
}

base::Result<Landing> Attempt::make_commit(Staging& staging) {
  const std::string plan = request_.plan.to_string();
  const std::string message = request_.message.empty() ? "Apply plan " + plan : request_.message;
  CLEVER_ASSIGN(const std::string whole, repository_.with_trailer(message, "Plan-Id: " + plan));
  CLEVER_ASSIGN(
      std::string commit,
      repository_.make_commit(staging.entries(), {.parent = prepared_.parent,
                                                  .index = staging.index_path("tree-index"),
                                                  .message = whole,
                                                  .sign = prepared_.sign}));
  const bool none = prepared_.new_branch || prepared_.parent.empty();
  return Landing{.reference = prepared_.reference,
                 .old_commit = none ? std::string(kNoCommit) : prepared_.parent,
                 .new_commit = std::move(commit),
                 .reflog = "agents plan apply: " + first_line(message),
                 .index = request_.mode == Mode::kCommit,
                 .entries = staging.entries()};
}

base::Result<std::vector<MovedOn>> Attempt::exchange() {
  CLEVER_CHECK(journal_.staged, "an exchange is in the journal first");
  const Exchange files(root_, journal_.beginning, *journal_.staged);
  CLEVER_ASSIGN(const std::optional<MovedOn> stopped, files.forward());
  if (stopped) return std::vector{*stopped};
  base::crash_point("apply.exchanged");
  CLEVER_ASSIGN(std::vector<MovedOn> moved, files.verify());
  if (moved.empty()) CLEVER_TRY(files.sync());
  return moved;
}

base::Result<Outcome> Attempt::finish() {
  CLEVER_CHECK(journal_.goes_forward(), "the branch moves to the verified commit");
  auto moved = ending().move_branch();
  if (!moved.ok()) {
    CLEVER_TRY(journal_file_.back());
    return std::move(moved).error();
  }
  if (!*moved) return branch_went_elsewhere();
  // From here on it has landed: the next recovery ends what fails now.
  kept_ = true;
  CLEVER_TRY(ending().complete(/*committed=*/true).context("ending an apply that has landed"));
  return applied();
}

base::Result<Outcome> Attempt::branch_went_elsewhere() {
  CLEVER_TRY(journal_file_.back());
  journal_.back = true;
  if (request_.mode == Mode::kBranch) {
    return base::already_exists("a branch named " + request_.branch + " exists already");
  }
  prepared_.refusal = "a commit was made during apply: apply again";
  return constrained();
}

base::Result<Outcome> Attempt::constrained() {
  Outcome outcome{.kind = Outcome::Kind::kConstrained,
                  .reason = prepared_.refusal,
                  .moved_on = prepared_.moved_on};
  CLEVER_ASSIGN(const std::vector<std::string> remarks, ending().undo());
  if (remarks.empty()) return outcome;
  kept_ = true;
  return base::conflict(taken_back_but(remarks));
}

std::string Attempt::taken_back_but(const std::vector<std::string>& remarks) const {
  return std::string(order_.undo ? "the undo" : "the apply") +
         " was undone, but files were saved meanwhile: " + joined_remarks(remarks) +
         ". Everything else is unchanged";
}

Outcome Attempt::applied() const {
  Outcome outcome{.reason = prepared_.no_commit_reason};
  if (journal_.staged->landing) {
    auto commit = git::ObjectId::from_hex(journal_.staged->landing->new_commit);
    if (commit.ok()) outcome.commit = *commit;
  }
  for (const model::NetChange& change : request_.changes) outcome.files.push_back(change.path);
  return outcome;
}

base::Error Attempt::take_back(base::Error error) {
  auto undone = ending().undo();
  if (!undone.ok()) {
    return std::move(error).add_context("and restoring the files failed too (" +
                                        undone.error().sentence() +
                                        "), which the next command tries again");
  }
  if (undone->empty()) return error;
  return base::conflict(error.message() + "; " + taken_back_but(*undone));
}

}  // namespace clever::apply::internal
