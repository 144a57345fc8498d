#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "apply/apply.h"
#include "apply/internal/journal.h"
#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "io/file_lock.h"

namespace clever::apply::internal {

/// How a changeset landed: kept, so that nothing lands twice, until it lands again after an undo.
struct DoneMark {
  Mode mode = Mode::kCommit;
  std::string commit{};     // empty: none
  std::string reference{};  // of the commit

  friend bool operator==(const DoneMark&, const DoneMark&) = default;
};

/// Our own files about one project, identified by the path of its root: the lock, the journal and
/// the marks of what landed. A value; only the holder of the lock may write.
class StateFolder {
 public:
  StateFolder(const std::filesystem::path& state_folder, const git::Project& project);
  /// Of another project, or group of projects, with this root.
  [[nodiscard]] StateFolder beside(const std::string& root) const;

  /// One process at a time may change the project. Creates a missing folder.
  [[nodiscard]] base::Result<io::FileLock> lock(const base::StopToken& stop,
                                                base::Deadline deadline) const;
  /// The same without waiting; none if another process holds it.
  [[nodiscard]] base::Result<std::optional<io::FileLock>> try_lock() const;

  /// Whether any project has a journal.
  [[nodiscard]] static bool any_has_journal(const std::filesystem::path& state_folder);
  /// Those of groups with an interrupted apply that a project with this root is a member of.
  [[nodiscard]] static std::vector<StateFolder> interrupted_groups_with(
      const std::filesystem::path& state_folder, const std::string& root);
  [[nodiscard]] std::filesystem::path journal_path() const;
  [[nodiscard]] bool has_journal() const;
  /// The journal of an interrupted apply.
  [[nodiscard]] base::Result<std::optional<Journal>> journal() const;
  base::Result<void> remove_journal() const;

  [[nodiscard]] base::Result<std::optional<DoneMark>> done(const std::string& plan,
                                                           const base::Sha256Digest& digest) const;
  base::Result<void> mark_done(const std::string& plan, const base::Sha256Digest& digest,
                               const DoneMark& mark) const;
  /// Succeeds if there is none.
  base::Result<void> remove_mark(const std::string& plan, const base::Sha256Digest& digest) const;

 private:
  explicit StateFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  [[nodiscard]] std::filesystem::path done_path(const std::string& plan,
                                                const base::Sha256Digest& digest) const;

  std::filesystem::path folder_;
};

}  // namespace clever::apply::internal
