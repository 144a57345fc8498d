#pragma once
#include <string>
#include <vector>

#include "apply/internal/journal.h"
#include "apply/internal/state_folder.h"
#include "base/result.h"
#include "git/project.h"
#include "io/directory.h"

namespace clever::apply::internal {

/// One apply from the moment its files were exchanged, as its journal has it: the same steps
/// whether the process lived on or another one recovers. Each may be repeated.
///
/// Used by one thread, which holds the project's lock; all it refers to must outlive it.
class Finish {
 public:
  Finish(const git::Project& project, const io::Directory& root, const StateFolder& state,
         const Journal& journal)
      : project_(project), root_(root), state_(state), journal_(journal) {}

  /// The branch, by compare-and-set. False if it went elsewhere meanwhile; nothing happened then.
  /// The index that goes with it lies ready before: the two are apart for one rename only.
  [[nodiscard]] base::Result<bool> move_branch() const;
  /// The index (`committed`: the branch has the commit), the done mark, and nothing left beside.
  base::Result<void> complete(bool committed) const;
  /// The files as they were, and nothing left beside. Tells what could not be put back.
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
