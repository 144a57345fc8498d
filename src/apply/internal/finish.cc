#include "apply/internal/finish.h"

#include "apply/internal/exchange.h"
#include "apply/internal/index_lock.h"
#include "apply/internal/repository.h"
#include "base/crash_point.h"

namespace clever::apply::internal {
namespace {

// Finishes in spite of a stop request: stopping halfway would be worse.
Repository uninterrupted(const git::Project& project) {
  return {project, base::StopToken(), base::Deadline::never()};
}

}  // namespace

base::Result<bool> Finish::move_branch() const {
  const auto& landing = journal_.staged->landing;
  if (!landing) return true;
  CLEVER_TRY(prepare_index());
  base::crash_point("apply.move_branch");
  CLEVER_ASSIGN(const Repository::Moved moved, uninterrupted(project_).move_reference(*landing));
  base::crash_point("apply.branch_moved");
  return moved == Repository::Moved::kMoved;
}

base::Result<void> Finish::complete(bool committed) const {
  const Beginning& beginning = journal_.beginning;
  const auto& landing = journal_.staged->landing;
  CLEVER_ASSIGN(const auto mark, state_.done(beginning.plan, beginning.digest));
  if (!mark) {
    const bool landed = landing && committed;
    if (landed && landing->index) CLEVER_TRY(update_index());
    base::crash_point("apply.mark");
    CLEVER_TRY(state_.mark_done(beginning.plan, beginning.digest,
                                {.mode = landed ? beginning.mode : Mode::kWorkingTree,
                                 .commit = landed ? landing->new_commit : "",
                                 .reference = landed ? landing->reference : ""}));
    base::crash_point("apply.marked");
  }
  return clean();
}

base::Result<bool> Finish::holds_lock() const {
  CLEVER_ASSIGN(const IndexLock lock, IndexLock::at(project_, journal_.beginning));
  return journal_.lock && lock.is_ours(*journal_.lock);
}

base::Result<void> Finish::prepare_index() const {
  const Landing& landing = *journal_.staged->landing;
  if (!landing.index) return {};
  CLEVER_ASSIGN(const bool holds, holds_lock());
  if (!holds) return {};
  CLEVER_ASSIGN(const IndexLock lock, IndexLock::at(project_, journal_.beginning));
  CLEVER_TRY(lock.prepare_index([&](const std::filesystem::path& copy) {
    return uninterrupted(project_).set_entries(landing.entries, copy);
  }));
  base::crash_point("apply.index_written");
  return {};
}

base::Result<void> Finish::update_index() const {
  CLEVER_ASSIGN(const bool holds, holds_lock());
  // A person removed our lock: git takes its own then.
  if (!holds) {
    return uninterrupted(project_).set_entries(journal_.staged->landing->entries, std::nullopt);
  }
  CLEVER_ASSIGN(const IndexLock lock, IndexLock::at(project_, journal_.beginning));
  return lock.install_index();
}

base::Result<std::vector<std::string>> Finish::undo() const {
  std::vector<std::string> remarks;
  // The folder is removed last: without it everything is restored already.
  if (journal_.staged && root_.facts(journal_.beginning.staging + "/files").ok()) {
    const Exchange exchange(root_, journal_.beginning, *journal_.staged);
    CLEVER_ASSIGN(remarks, exchange.roll_back());
  }
  base::crash_point("apply.rolled_back");
  CLEVER_TRY(clean());
  return remarks;
}

base::Result<void> Finish::clean() const {
  if (project_.kind == git::ProjectKind::kRepository) {
    CLEVER_ASSIGN(const IndexLock lock, IndexLock::at(project_, journal_.beginning));
    CLEVER_TRY(lock.release(journal_.lock));
  }
  base::crash_point("apply.unlocked");
  CLEVER_TRY(root_.remove_all(journal_.beginning.staging));
  base::crash_point("apply.cleaned");
  return state_.remove_journal();
}

}  // namespace clever::apply::internal
