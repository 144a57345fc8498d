#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "confine/command.h"
#include "git/ignore_rules.h"
#include "git/object_store.h"
#include "git/project.h"
#include "git/secret_paths.h"
#include "git/snapshot.h"
#include "git/tree.h"
#include "git/tree_path.h"

namespace clever::base {
class ThreadPool;
}

namespace clever::sandbox {

struct WorkspaceOptions {
  std::shared_ptr<git::ObjectStore> store;
  /// What the files are before the first change: shared by all workspaces of a plan, never copied.
  std::shared_ptr<const git::BaseSnapshot> base;
  /// Where the work starts, if not at the base: a checkpoint.
  std::optional<git::ObjectId> start{};
  /// The project's folder as the user knows it: absolute paths below it mean the workspace, and
  /// commands see the workspace there.
  std::filesystem::path project_root;
  /// For a repository of the workspace's own; may be null.
  std::shared_ptr<const git::Project> project{};
  /// This workspace's own folder, for materialise(); made when it is needed.
  std::filesystem::path folder;
  /// The base, checked out once and shared read-only by all workspaces on it, lies in here.
  std::filesystem::path shared_folder;
  /// Of the project: info/exclude and the user's global excludes.
  std::string excludes{};
  /// Files that are never part of the workspace: reading and writing them is `permission_denied`,
  /// and what a command makes of such names is not taken over.
  git::SecretPaths secrets{};
  std::uint64_t largest_file = std::uint64_t{64} << 20U;
  /// Threads that help a search; may be null. Must outlive the workspace.
  base::ThreadPool* pool = nullptr;
};

struct FileContent {
  std::string content;
  bool executable = false;
  /// Nothing that a text tool should show: holds a NUL within its first 8 KiB.
  bool binary = false;
};

struct Match {
  std::string path;
  std::uint64_t line = 0;
  std::string text;  // the line, without its end; long ones cut
};

struct SearchOptions {
  std::string pattern;
  /// RE2; else the pattern is plain text.
  bool regex = false;
  std::string glob{};
  std::size_t max_results = 1000;
  bool case_sensitive = true;
};

struct SearchResult {
  std::vector<Match> matches;  // by path, then line
  bool truncated = false;
  std::uint64_t files_searched = 0;
};

/// The files of one plan or subplan: a base tree and an overlay of what was changed. Costs memory
/// for the changes only, whatever the size of the repository, and no folder until a command needs
/// one.
///
/// Thread-safe: reads run beside each other and beside a write, each on the files of one moment;
/// writes happen one after another, each wholly. What is written can be read at once and is durable
/// after checkpoint(). Nothing ever reaches the user's checkout.
///
/// Writers take turns instead of retrying on a version that changed: a long change (a folder moved,
/// a command's files taken over) would never get through beside busy short ones. No lock is held
/// during a turn, and nothing outside is waited for.
///
/// Every path goes through git::TreePath. Links are kept as links; a link on the way is followed
/// within the tree only, at most 40 times, and one that leads out is `permission_denied`. Reading,
/// writing and editing go through a link to what it names; removing and moving mean the link.
/// Submodules and files under external filters are read-only (`permission_denied` says why).
class Workspace {
 public:
  [[nodiscard]] static base::Result<std::shared_ptr<Workspace>> open(WorkspaceOptions options);
  virtual ~Workspace() = default;

  /// The path that text means here, as a model may have written it.
  [[nodiscard]] virtual base::Result<git::TreePath> resolve(std::string_view text) const = 0;

  // Reading. Every path that is read or edited (also in vain), and every file in which search()
  // found something, is in reads(); listing files is not reading them.
  /// `not_found` names the nearest paths that exist; `invalid_argument` for a folder.
  [[nodiscard]] virtual base::Result<FileContent> read(const git::TreePath& path) = 0;
  /// Files and links that match the glob, sorted; at most `limit`. A glob knows *, ?, [a-z], {a,b}
  /// and ** over folders; without a slash it means a name in whatever folder, with one it is seen
  /// from the root, and with one at the end it means all below. Empty: all.
  struct Listing {
    std::vector<std::string> paths;
    bool truncated = false;
  };
  [[nodiscard]] virtual base::Result<Listing> list(std::string_view glob, std::size_t limit,
                                                   const base::StopToken& stop = {}) = 0;
  /// The first matches by path and line, in files that are text. Contents come from the user's
  /// checkout where git's index shows that they are the same.
  [[nodiscard]] virtual base::Result<SearchResult> search(
      const SearchOptions& options, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never()) = 0;

  // Writing. Each is whole or did not happen.
  /// Makes or replaces a file; an existing one keeps its mode.
  virtual base::Result<void> write(const git::TreePath& path, std::string_view content) = 0;
  /// Replaces `old_text` (exactly as it stands; its line ends may be those of the file) by
  /// `new_text`. `not_found` shows the nearest lines; `conflict`, if it is there more than once and
  /// not `replace_all`, names the lines. Returns how often it was replaced.
  virtual base::Result<std::size_t> edit(const git::TreePath& path, std::string_view old_text,
                                         std::string_view new_text, bool replace_all) = 0;
  /// A file, link or whole folder.
  virtual base::Result<void> remove(const git::TreePath& path) = 0;
  /// A file, link or whole folder; `already_exists` if something is at `to`.
  virtual base::Result<void> move(const git::TreePath& from, const git::TreePath& to) = 0;
  virtual base::Result<void> set_executable(const git::TreePath& path, bool executable) = 0;
  virtual base::Result<void> write_link(const git::TreePath& path, std::string_view target) = 0;

  // Trees.
  [[nodiscard]] virtual const git::BaseSnapshot& base() const = 0;
  /// What differs from the base, by path.
  [[nodiscard]] virtual base::Result<std::vector<git::TreeDifference>> status() = 0;
  /// The tree as it is now, in the store's memory; not durable yet.
  virtual base::Result<git::ObjectId> tree() = 0;
  /// The tree as it is now, durable.
  virtual base::Result<git::ObjectId> checkpoint(
      const base::StopToken& stop = {}, base::Deadline deadline = base::Deadline::never()) = 0;
  /// Exactly that tree; what commands left beside it (ignored files) is gone too. `conflict` while
  /// a command runs.
  virtual base::Result<void> restore(const git::ObjectId& tree) = 0;
  /// Sorted paths. A plan that read more than 16,384 has marks for some: a folder with a slash at
  /// its end ("src/lib/", "/" for the root) stands for everything below it.
  [[nodiscard]] virtual std::set<std::string> reads() const = 0;
  [[nodiscard]] virtual git::ObjectStore& store() = 0;

  // Commands.
  /// What a command must see: the mounts that put this workspace at project_root, brought up to
  /// date with the overlay. The base is checked out at the first call for it and shared afterwards.
  /// `conflict` while another command of this workspace runs (end_command() was not called).
  /// The first mount is that of project_root. Dependency folders that the checkout has appear over
  /// it, copy-on-write, or read-only where there is no overlay. What a command leaves in ignored
  /// folders is there for the next one.
  struct Materialised {
    std::vector<confine::Mount> mounts;
    /// Whether the kernel's overlay is used; else the files were copied.
    bool overlay = false;
  };
  virtual base::Result<Materialised> begin_command(
      const std::vector<std::string>& dependency_folders, bool overlay_available,
      const base::StopToken& stop = {}) = 0;
  /// Between begin_command() and end_command(): the mounts that put a repository of the workspace's
  /// own at project_root/.git, with the project's history and HEAD at the base's commit. What is
  /// committed there stays there. None for a project that is no repository, and for one whose HEAD
  /// has files that are hidden here: its history would show them.
  virtual base::Result<std::vector<confine::Mount>> show_repository(
      const base::StopToken& stop = {}) = 0;
  /// Takes over what the command changed, but for ignored files and what is no file, link or folder
  /// (those are named in the answer). Call it however the command ended; if it fails, nothing was
  /// taken over: call it again, or restore(). A path that a tool wrote while the command ran is the
  /// command's, if that changed it too.
  struct Captured {
    std::vector<git::TreeDifference> changes;
    std::vector<std::string> skipped;  // "run/socket: a socket", "big.bin: larger than 64 MiB"
    /// The subjects of the commits in the workspace's own repository, oldest first.
    std::vector<std::string> commits{};
  };
  virtual base::Result<Captured> end_command(const base::StopToken& stop = {}) = 0;
};

}  // namespace clever::sandbox
