#pragma once
#include <string>
#include <vector>

#include "apply/internal/journal.h"
#include "apply/internal/state_folder.h"
#include "base/result.h"
#include "git/project.h"
#include "io/directory.h"

namespace clever::apply::internal {

/// The rest of an apply after the exchange of files, driven by its journal: the same steps in the
/// original process and in a recovery. Each may be repeated.
///
/// Used by one thread, which holds the project's lock; all its references must outlive it.
class Finish {
 public:
  Finish(const git::Project& project, const io::Directory& root, const StateFolder& state,
         const Journal& journal)
      : project_(project), root_(root), state_(state), journal_(journal) {}

  /// Moves the branch by compare-and-set. Returns false, without effect, if it has other commits by
  /// now. The new index is prepared before: branch and index differ only for the time of one
  /// rename.
  [[nodiscard]] base::Result<bool> move_branch() const;
  /// Updates the index (`committed`: the branch has the commit), sets the done mark, and cleans up.
  base::Result<void> complete(bool committed) const;
  /// Restores the files, and cleans up. Returns what could not be restored.
  [[nodiscard]] base::Result<std::vector<std::string>> undo() const;

 private:
  [[nodiscard]] base::Result<bool> holds_lock() const;
  base::Result<void> prepare_index() const;
  base::Result<void> update_index() const;
  base::Result<void> clean() const;

  const git::Project& project_;
  const io::Directory& root_;
  const StateFolder& state_;
  const Journal& journal_;
};

}  // namespace clever::apply::internal
