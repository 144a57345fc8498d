#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "apply/internal/journal.h"
#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "git/git_command.h"
#include "git/project.h"

namespace clever::apply::internal {

/// A file as git has it. A value.
struct Entry {
  std::uint32_t mode = 0;
  std::string object;
  /// Of an index entry: not present in a sparse checkout.
  bool absent = false;

  friend bool operator==(const Entry& one, const Entry& other) {
    return one.mode == other.mode && one.object == other.object;
  }
};
using Entries = std::map<std::string, Entry, std::less<>>;

inline constexpr std::string_view kNoCommit = "0000000000000000000000000000000000000000";
inline constexpr std::uint32_t kSubmoduleMode = 0160000;
inline constexpr std::uint32_t kFolderEntryMode = 0040000;

/// The user's repository through git's own plumbing: so identity, signing, encoding, line ends and
/// formats are what the user's git makes of them. Used by one thread; holds nothing open.
class Repository {
 public:
  Repository(const git::Project& project, base::StopToken stop, base::Deadline deadline)
      : project_(project), stop_(std::move(stop)), deadline_(deadline) {}

  // Questions. Nothing is written.
  /// What a commit has at these very paths, folders and submodules too. Empty commit: nothing.
  [[nodiscard]] base::Result<Entries> tree_entries(const std::string& commit,
                                                   const std::set<std::string>& paths) const;
  [[nodiscard]] base::Result<Entries> index_entries(const std::set<std::string>& paths) const;
  /// The external filter of each path that has one (LFS and the like).
  [[nodiscard]] base::Result<std::map<std::string, std::string>> filters(
      const std::set<std::string>& paths) const;
  /// The id of a file's bytes as git would keep them.
  [[nodiscard]] base::Result<std::string> normalised_id(const std::string& path,
                                                        const std::string& bytes) const;
  /// Those bytes; git keeps them in a new folder at `scratch` meanwhile, not in the repository.
  [[nodiscard]] base::Result<std::string> normalised(const std::string& path,
                                                     const std::string& bytes,
                                                     const std::filesystem::path& scratch) const;
  struct Settings {
    /// core.fileMode: executable bits mean something here.
    bool trusts_modes = true;
    /// commit.gpgSign
    bool signs = false;
  };
  [[nodiscard]] base::Result<Settings> settings() const;
  /// What a reference names; empty if there is none.
  [[nodiscard]] base::Result<std::string> commit_of(const std::string& reference) const;
  [[nodiscard]] base::Result<bool> is_ancestor(const std::string& one,
                                               const std::string& other) const;
  [[nodiscard]] base::Result<bool> is_branch_name(const std::string& name) const;
  /// The message with the trailer at its end.
  [[nodiscard]] base::Result<std::string> with_trailer(const std::string& message,
                                                       const std::string& trailer) const;

  // Objects. Nothing refers to them yet.
  /// Puts files (below the root, named by us) into the object database as they are.
  [[nodiscard]] base::Result<std::vector<std::string>> write_blobs(
      const std::vector<std::string>& files) const;
  /// Writes the entries' files below `folder` as a checkout would.
  base::Result<void> check_out(const std::vector<IndexEntry>& entries,
                               const std::filesystem::path& index, const std::string& folder) const;
  /// A commit whose tree is the parent's with these entries. Empty parent: the first commit.
  struct CommitOptions {
    std::string parent;
    std::filesystem::path index;  // a file that is not there yet
    std::string message;
    bool sign = false;
  };
  [[nodiscard]] base::Result<std::string> make_commit(const std::vector<IndexEntry>& entries,
                                                      const CommitOptions& options) const;

  // References and the index.
  enum class Moved : std::uint8_t { kMoved, kElsewhere };
  /// By compare-and-set; kElsewhere if it names neither the old commit nor something with the new.
  [[nodiscard]] base::Result<Moved> move_reference(const Landing& landing) const;
  /// Sets the entries in an index file of ours; in the user's own with git's lock if there is none.
  base::Result<void> set_entries(const std::vector<IndexEntry>& entries,
                                 const std::optional<std::filesystem::path>& index) const;

 private:
  [[nodiscard]] git::GitCommandOptions options(
      const std::optional<std::filesystem::path>& index = std::nullopt) const;
  [[nodiscard]] base::Result<std::string> git(std::vector<std::string> arguments,
                                              const git::GitCommandOptions& options) const;
  base::Result<void> refresh(const std::vector<IndexEntry>& entries,
                             git::GitCommandOptions with_index) const;
  base::Result<void> feed_index(const std::vector<IndexEntry>& entries,
                                const git::GitCommandOptions& options) const;

  const git::Project& project_;
  base::StopToken stop_;
  base::Deadline deadline_;
};

}  // namespace clever::apply::internal
