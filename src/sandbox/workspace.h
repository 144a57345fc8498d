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
  /// The files before the first change: shared by all workspaces of a plan, never copied.
  std::shared_ptr<const git::BaseSnapshot> base;
  /// Where the work starts, if not at the base: a checkpoint.
  std::optional<git::ObjectId> start{};
  /// The project's folder, as the user knows it: absolute paths below it refer to the workspace,
  /// and commands see the workspace there.
  std::filesystem::path project_root;
  /// For the workspace's own repository; may be null.
  std::shared_ptr<const git::Project> project{};
  /// This workspace's own folder, for materialise(); created on demand.
  std::filesystem::path folder;
  /// Contains the project's bases, each checked out once and shared read-only by all workspaces of
  /// all plans.
  std::filesystem::path shared_folder;
  /// The project's info/exclude and the user's global excludes.
  std::string excludes{};
  /// Files that are never part of the workspace: reading and writing them is `permission_denied`,
  /// and such files are not captured from commands.
  git::SecretPaths secrets{};
  std::uint64_t largest_file = std::uint64_t{64} << 20U;
  /// Threads that help a search; may be null. Must outlive the workspace.
  base::ThreadPool* pool = nullptr;
};

struct FileContent {
  std::string content;
  bool executable = false;
  /// True if a text tool should not show it: a NUL within its first 8 KiB.
  bool binary = false;
};

struct Match {
  std::string path;
  std::uint64_t line = 0;
  std::string text;  // the line, without its end; long ones are cut
};

struct SearchOptions {
  std::string pattern;
  /// RE2; otherwise the pattern is plain text.
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

/// The files of one plan or subplan: a base tree and an overlay of changes. Costs memory for the
/// changes only, for any size of the repository, and no folder until a command needs one.
///
/// Thread-safe: reads run concurrently with each other and with a write, each on the files of one
/// moment; writes run one by one, atomically. Writes are visible at once, and durable after
/// checkpoint(). Nothing ever reaches the user's checkout.
///
/// Writers take turns instead of retrying after a version conflict, because a long change (a moved
/// folder, a capture of a command's files) would never succeed beside busy short ones. A turn holds
/// no lock, and waits for nothing else.
///
/// Every path goes through git::TreePath. Links are kept as links; a link on the way is followed
/// within the tree only, at most 40 times, and one that leads out is `permission_denied`. Reads,
/// writes and edits follow a final link; removing and moving apply to the link. Submodules and
/// files under external filters are read-only (`permission_denied` says why).
class Workspace {
 public:
  [[nodiscard]] static base::Result<std::shared_ptr<Workspace>> open(WorkspaceOptions options);
  virtual ~Workspace() = default;

  /// Parses a path as a model may have written it.
  [[nodiscard]] virtual base::Result<git::TreePath> resolve(std::string_view text) const = 0;

  // Reading. reads() records every path that is read or edited (also in vain), and every file with
  // a match of search(); listing files does not count as reading.
  /// `not_found` names the nearest paths that exist; `invalid_argument` for a folder.
  [[nodiscard]] virtual base::Result<FileContent> read(const git::TreePath& path) = 0;
  /// Files and links that match the glob, sorted; at most `limit`. A glob has *, ?, [a-z], {a,b}
  /// and ** over folders; without a slash it matches a name in any folder, with one it is relative
  /// to the root, and with one at the end it matches everything below. Empty: all.
  struct Listing {
    std::vector<std::string> paths;
    bool truncated = false;
  };
  [[nodiscard]] virtual base::Result<Listing> list(std::string_view glob, std::size_t limit,
                                                   const base::StopToken& stop = {}) = 0;
  /// The first matches by path and line, in text files. Reads contents from the user's checkout
  /// where git's index proves them equal.
  [[nodiscard]] virtual base::Result<SearchResult> search(
      const SearchOptions& options, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never()) = 0;

  // Writing. Each is atomic.
  /// Creates or replaces a file; an existing one keeps its mode.
  virtual base::Result<void> write(const git::TreePath& path, std::string_view content) = 0;
  /// Replaces `old_text` (exact, except for the kind of line ends) by `new_text`. `not_found` shows
  /// the nearest lines; `conflict`, for several occurrences without `replace_all`, names the lines.
  /// Returns the number of replacements.
  virtual base::Result<std::size_t> edit(const git::TreePath& path, std::string_view old_text,
                                         std::string_view new_text, bool replace_all) = 0;
  /// Removes a file, link or whole folder.
  virtual base::Result<void> remove(const git::TreePath& path) = 0;
  /// Moves a file, link or whole folder; `already_exists` if `to` exists.
  virtual base::Result<void> move(const git::TreePath& from, const git::TreePath& to) = 0;
  virtual base::Result<void> set_executable(const git::TreePath& path, bool executable) = 0;
  virtual base::Result<void> write_link(const git::TreePath& path, std::string_view target) = 0;

  // Trees.
  [[nodiscard]] virtual const git::BaseSnapshot& base() const = 0;
  /// The differences from the base, by path.
  [[nodiscard]] virtual base::Result<std::vector<git::TreeDifference>> status() = 0;
  /// The present tree, in the store's memory; not durable yet.
  virtual base::Result<git::ObjectId> tree() = 0;
  /// The present tree, durable.
  virtual base::Result<git::ObjectId> checkpoint(
      const base::StopToken& stop = {}, base::Deadline deadline = base::Deadline::never()) = 0;
  /// Restores exactly that tree; removes ignored files that commands left. `conflict` while a
  /// command runs.
  virtual base::Result<void> restore(const git::ObjectId& tree) = 0;
  /// Sorted paths. With more than 16,384 reads some become marks: a folder with a slash at its end
  /// ("src/lib/", "/" for the root) stands for everything below it.
  [[nodiscard]] virtual std::set<std::string> reads() const = 0;
  [[nodiscard]] virtual git::ObjectStore& store() = 0;

  // Commands.
  /// The mounts that show this workspace at project_root, up to date with the overlay. Checks out
  /// the base at the first call, and shares it afterwards. `conflict` while another command of this
  /// workspace runs (until end_command()). The first mount is that of project_root. The checkout's
  /// dependency folders are mounted over it, copy-on-write, or read-only without an overlay. Files
  /// that a command leaves in ignored folders stay for the next one.
  struct Materialised {
    std::vector<confine::Mount> mounts;
    /// Whether the kernel's overlay is used; otherwise the files were copied.
    bool overlay = false;
  };
  virtual base::Result<Materialised> begin_command(
      const std::vector<std::string>& dependency_folders, bool overlay_available,
      const base::StopToken& stop = {}) = 0;
  /// Between begin_command() and end_command(): the mounts that put the workspace's own repository
  /// at project_root/.git, with the project's history and HEAD at the base's commit. Commits stay
  /// in it. Empty for a project without a repository, and for one whose HEAD contains hidden files,
  /// because its history would show them.
  virtual base::Result<std::vector<confine::Mount>> show_repository(
      const base::StopToken& stop = {}) = 0;
  /// Captures what the command changed, except ignored files and special files (the answer names
  /// those). Call it however the command ended; if it fails, nothing was captured: call it again,
  /// or restore(). If a tool and the command changed the same path, the command's version wins.
  struct Captured {
    std::vector<git::TreeDifference> changes;
    std::vector<std::string> skipped;  // "run/socket: a socket", "big.bin: larger than 64 MiB"
    /// The subjects of the commits in the workspace's own repository, oldest first.
    std::vector<std::string> commits{};
  };
  virtual base::Result<Captured> end_command(const base::StopToken& stop = {}) = 0;
};

}  // namespace clever::sandbox
