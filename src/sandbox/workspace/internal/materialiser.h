#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "git/ignore_rules.h"
#include "sandbox/workspace.h"
#include "sandbox/workspace/internal/capture.h"
#include "sandbox/workspace/internal/checkout.h"
#include "sandbox/workspace/internal/disk_files.h"

namespace clever::sandbox::internal {

/// The folder of one workspace in which commands run, kept between commands so that ignored files
/// (build trees, caches) stay. Owned by its workspace.
///
/// Not thread-safe: the workspace admits one caller at a time. After a failure it discards the
/// folder, and builds it anew.
class Materialiser {
 public:
  /// `options` must outlive it.
  explicit Materialiser(const WorkspaceOptions& options) : options_(options) {}

  base::Result<Workspace::Materialised> show(const git::ObjectId& tree,
                                             const std::vector<std::string>& dependency_folders,
                                             bool overlay, const base::StopToken& stop);
  /// See Workspace::show_repository().
  base::Result<std::vector<confine::Mount>> show_repository(const base::StopToken& stop);
  /// The subjects of the commits in that repository.
  [[nodiscard]] std::vector<std::string> commits() const;
  /// The changes since show(), relative to the shown tree.
  base::Result<DiskChanges> changes(const base::StopToken& stop);
  /// From now on the folder counts as showing those too.
  base::Result<void> accept(DiskChanges changes);
  /// The tree that the folder is known to show.
  [[nodiscard]] const git::ObjectId& shown() const noexcept { return shown_; }
  /// Removes everything that commands left.
  base::Result<void> drop();

 private:
  base::Result<void> begin_overlay(const base::StopToken& stop);
  base::Result<void> begin_copy(const git::ObjectId& tree, const base::StopToken& stop);
  base::Result<void> update(const git::ObjectId& tree, const base::StopToken& stop);
  /// Where the user's checkout has this path: a folder, and the path in there.
  [[nodiscard]] std::pair<std::filesystem::path, std::string> in_checkout(
      const std::string& path) const;
  base::Result<void> add_dependency(const std::string& path, Workspace::Materialised& answer);
  base::Result<void> add_file(const git::TreePath& path);
  [[nodiscard]] base::Result<bool> may_show_history() const;
  base::Result<void> make_repository(const base::StopToken& stop) const;
  base::Result<void> add_index(const std::filesystem::path& repository,
                               const base::StopToken& stop) const;

  // Constant after construction.
  const WorkspaceOptions& options_;

  // None until a command has run, and after a failure.
  std::optional<DiskFiles> files_;
  git::ObjectId shown_{};
  std::shared_ptr<const git::IgnoreRules> rules_;
  std::optional<SharedCheckout> checkout_{};
};

}  // namespace clever::sandbox::internal
