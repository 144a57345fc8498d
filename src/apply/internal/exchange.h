#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apply/apply.h"
#include "apply/internal/journal.h"
#include "base/result.h"
#include "io/directory.h"

namespace clever::apply::internal {

/// The files of one apply: exchanges them with those in the staging folder, and back.
///
/// Each operation has one place in the staging folder (slot). Before: the new file, if there is
/// one. After: the path's old content. So the disk alone shows what happened, and no file that was
/// ever at a path is overwritten. Used by one thread, which holds the project's lock; all its
/// references must outlive it.
class Exchange {
 public:
  Exchange(const io::Directory& root, const Beginning& beginning, const Staged& staged)
      : root_(root), beginning_(beginning), staged_(staged) {}

  [[nodiscard]] static std::string slot(const Beginning& beginning, std::size_t index);

  /// Puts every new file in place. At the first unexpected file it stops and returns it.
  [[nodiscard]] base::Result<std::optional<MovedOn>> forward() const;
  /// Checks the old contents: returns those that differ from the changeset's base.
  [[nodiscard]] base::Result<std::vector<MovedOn>> verify() const;
  /// Syncs the names to disk.
  base::Result<void> sync() const;
  /// Restores every exchanged file. Files that the user saved since stay at their paths, and the
  /// earlier version is kept under a name beside it. Returns a sentence for each such file that
  /// says which of the two holds what; otherwise everything is as before except for saves.
  [[nodiscard]] base::Result<std::vector<std::string>> roll_back() const;

 private:
  [[nodiscard]] std::string slot(std::size_t index) const { return slot(beginning_, index); }
  [[nodiscard]] base::Result<std::optional<MovedOn>> put(std::size_t index) const;
  [[nodiscard]] base::Result<std::optional<MovedOn>> put_all(bool creations) const;
  base::Result<void> make_folders() const;
  base::Result<void> clear_ways() const;
  base::Result<void> remove_emptied() const;
  base::Result<void> remove_if_empty(const std::string& folder) const;
  [[nodiscard]] base::Result<bool> is_final(const std::string& path) const;
  [[nodiscard]] base::Result<std::optional<std::string>> take_back(std::size_t index) const;
  [[nodiscard]] base::Result<std::optional<std::string>> take_back_change(std::size_t index) const;
  [[nodiscard]] base::Result<std::optional<std::string>> take_back_creation(
      std::size_t index) const;
  [[nodiscard]] base::Result<std::optional<std::string>> take_back_removal(std::size_t index) const;
  [[nodiscard]] base::Result<std::optional<std::string>> keep(std::size_t index) const;
  base::Result<void> restore_folders() const;

  const io::Directory& root_;
  const Beginning& beginning_;
  const Staged& staged_;
};

}  // namespace clever::apply::internal
