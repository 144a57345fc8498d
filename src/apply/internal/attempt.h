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

/// One try to land a changeset, from the journal's first record to its end.
///
/// Used once, by one thread, which holds the project's lock; all it refers to must outlive it.
class Attempt {
 public:
  /// `branch`: see Preparation.
  [[nodiscard]] static base::Result<Outcome> run(const Request& request, const StateFolder& state,
                                                 const std::optional<std::string>& branch,
                                                 const base::StopToken& stop,
                                                 base::Deadline deadline);

 private:
  Attempt(const Request& request, const StateFolder& state, io::Directory root,
          JournalFile journal_file, Journal journal, const base::StopToken& stop,
          base::Deadline deadline);

  [[nodiscard]] base::Result<Outcome> land(const std::optional<std::string>& branch);
  base::Result<void> lock_index();
  [[nodiscard]] base::Result<Staged> stage();
  [[nodiscard]] base::Result<Landing> make_commit(Staging& staging);
  [[nodiscard]] base::Result<std::vector<MovedOn>> exchange();
  [[nodiscard]] base::Result<Outcome> finish();
  [[nodiscard]] base::Result<Outcome> branch_went_elsewhere();
  [[nodiscard]] base::Result<Outcome> constrained();
  [[nodiscard]] Outcome applied() const;
  /// After a failure: everything as it was, and the failure told.
  [[nodiscard]] base::Error take_back(base::Error error);
  [[nodiscard]] const Repository* repository() const;
  [[nodiscard]] Finish ending() const { return {request_.project, root_, state_, journal_}; }

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
};

}  // namespace clever::apply::internal
