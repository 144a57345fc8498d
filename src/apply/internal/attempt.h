#pragma once
#include <optional>
#include <string>

#include "apply/apply.h"
#include "apply/internal/finish.h"
#include "apply/internal/journal.h"
#include "apply/internal/preparation.h"
#include "apply/internal/repository.h"
#include "apply/internal/staging.h"
#include "apply/internal/state_folder.h"
#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "io/directory.h"

namespace clever::apply::internal {

/// What to land, and how.
struct Order {
  const Request& request;
  const StateFolder& state;
  /// See Preparation.
  std::optional<std::string> branch{};
  bool undo = false;
  /// For one project of a group: the group's root and the id of its journal.
  std::string group{};
  std::string id{};
};

/// One attempt to land a changeset, from the journal's first record to its end. Each of several
/// projects that land together (internal/group.h) has one: the group calls the steps.
///
/// Used once, by one thread, which holds the project's lock; all its references must outlive it.
class Attempt {
 public:
  /// Tries again, a few times, if a person's git ran in between.
  [[nodiscard]] static base::Result<Outcome> run(const Order& order, const base::StopToken& stop,
                                                 base::Deadline deadline);

  [[nodiscard]] static base::Result<Attempt> begin(const Order& order, const base::StopToken& stop,
                                                   base::Deadline deadline);
  /// Writes and syncs the new files beside; leaves the project untouched.
  base::Result<void> make_ready();
  /// Takes git's lock and exchanges the files.
  base::Result<void> put();
  /// If it does not fit, or after an error, the caller calls ending().undo().
  [[nodiscard]] const Prepared& prepared() const { return prepared_; }
  [[nodiscard]] bool overtaken() const { return overtaken_; }
  /// The group's journal has decided: the caller calls ending().move_branch() and complete().
  void verified() { journal_.verified = true; }
  [[nodiscard]] Finish ending() const { return {request_.project, root_, state_, journal_}; }
  [[nodiscard]] Outcome applied() const;

 private:
  Attempt(const Order& order, io::Directory root, JournalFile journal_file, Journal journal,
          const base::StopToken& stop, base::Deadline deadline);

  [[nodiscard]] base::Result<Outcome> run_once();
  [[nodiscard]] base::Result<Outcome> land();
  [[nodiscard]] bool locks() const;
  /// Avoids preparing against an index that another git is about to change.
  base::Result<void> wait_for_git();
  base::Result<void> lock_index();
  /// Takes git's lock while files, branch and index differ.
  base::Result<void> lock_repository();
  [[nodiscard]] base::Result<Staged> stage();
  [[nodiscard]] base::Result<Landing> make_commit(Staging& staging);
  [[nodiscard]] base::Result<std::vector<MovedOn>> exchange();
  [[nodiscard]] base::Result<Outcome> finish();
  [[nodiscard]] base::Result<Outcome> branch_went_elsewhere();
  [[nodiscard]] base::Result<Outcome> constrained();
  /// Describes files that the user saved meanwhile: which file holds what.
  [[nodiscard]] std::string taken_back_but(const std::vector<std::string>& remarks) const;
  /// After a failure: restores everything and returns the failure.
  [[nodiscard]] base::Error take_back(base::Error error);
  [[nodiscard]] const Repository* repository() const;

  const Order& order_;
  const Request& request_;
  const StateFolder& state_;
  const base::StopToken& stop_;
  base::Deadline deadline_;
  io::Directory root_;
  Repository repository_;
  JournalFile journal_file_;
  Journal journal_;
  Prepared prepared_{};
  bool kept_ = false;
  /// HEAD or the index changed before we got git's lock.
  bool overtaken_ = false;
};

}  // namespace clever::apply::internal
