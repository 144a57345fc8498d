#pragma once
#include <deque>
#include <string>
#include <vector>

#include "apply/apply.h"
#include "apply/internal/attempt.h"
#include "apply/internal/journal.h"
#include "apply/internal/state_folder.h"
#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"

namespace clever::apply::internal {

/// Returns a project's path as a path of its group.
[[nodiscard]] inline std::string in_group(const std::string& project, const std::string& path) {
  return project + "/" + path;
}

/// Applies one changeset per project, from the first record of the group's journal
/// (internal/group.h) to its end. Used once, by one thread, which holds all locks; everything it
/// refers to must outlive it.
class GroupAttempt {
 public:
  /// `root` is the group's root. All orders name it and share one id; `names` are their projects.
  GroupAttempt(const StateFolder& group, std::string root, const std::deque<Order>& orders,
               const std::vector<std::string>& names, const base::StopToken& stop,
               base::Deadline deadline)
      : group_(group),
        root_(std::move(root)),
        orders_(orders),
        names_(names),
        stop_(stop),
        deadline_(deadline) {}

  /// Tries again, a few times, if another git changed HEAD or an index meanwhile.
  [[nodiscard]] base::Result<Outcome> run();

 private:
  [[nodiscard]] base::Result<Outcome> run_once();
  [[nodiscard]] base::Result<JournalFile> begin();
  /// Exchanges the files of all projects. Returns false if the changes do not fit one of them.
  [[nodiscard]] base::Result<bool> put_all();
  [[nodiscard]] bool all_fit() const;
  /// Moves the branches. Once the first has moved, the changeset has landed.
  [[nodiscard]] base::Result<Outcome> finish(JournalFile& journal);
  [[nodiscard]] Outcome applied(const std::vector<bool>& committed) const;
  [[nodiscard]] base::Result<Outcome> constrained();
  /// Restores all projects. Returns sentences about files that were saved meanwhile.
  [[nodiscard]] base::Result<std::string> undo_all();
  /// After a failure: restores everything and returns the failure.
  [[nodiscard]] base::Error taken_back(base::Error error);
  [[nodiscard]] const std::string& name(std::size_t index) const { return names_[index]; }

  const StateFolder& group_;
  const std::string root_;
  const std::deque<Order>& orders_;
  const std::vector<std::string>& names_;
  const base::StopToken& stop_;
  base::Deadline deadline_;
  std::deque<Attempt> attempts_{};
  bool overtaken_ = false;
  std::string elsewhere_{};
};

}  // namespace clever::apply::internal
