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

/// A file in git. A value.
struct Entry {
  std::uint32_t mode = 0;
  std::string object;
  /// For an index entry: not present in a sparse checkout.
  bool absent = false;

  friend bool operator==(const Entry& one, const Entry& other) {
    return one.mode == other.mode && one.object == other.object;
  }
};
using Entries = std::map<std::string, Entry, std::less<>>;

inline constexpr std::string_view kNoCommit = "0000000000000000000000000000000000000000";
inline constexpr std::uint32_t kSubmoduleMode = 0160000;
inline constexpr std::uint32_t kFolderEntryMode = 0040000;

/// The user's repository through git's own plumbing, so that identity, signing, encoding, line ends
/// and formats follow the user's git. Used by one thread; keeps nothing open.
class Repository {
 public:
  Repository(const git::Project& project, base::StopToken stop, base::Deadline deadline)
      : project_(project), stop_(std::move(stop)), deadline_(deadline) {}

  // Queries. They write nothing.
  /// A commit's entries at exactly these paths, including folders and submodules. Empty commit:
  /// none.
  [[nodiscard]] base::Result<Entries> tree_entries(const std::string& commit,
                                                   const std::set<std::string>& paths) const;
  [[nodiscard]] base::Result<Entries> index_entries(const std::set<std::string>& paths) const;
  /// The external filter of each path that has one (LFS and the like).
  [[nodiscard]] base::Result<std::map<std::string, std::string>> filters(
      const std::set<std::string>& paths) const;
  /// The id of a file's bytes as git would store them.
  [[nodiscard]] base::Result<std::string> normalised_id(const std::string& path,
                                                        const std::string& bytes) const;
  /// Those bytes; git stores them in a new folder at `scratch` meanwhile, not in the repository.
  [[nodiscard]] base::Result<std::string> normalised(const std::string& path,
                                                     const std::string& bytes,
                                                     const std::filesystem::path& scratch) const;
  struct Settings {
    /// core.fileMode: executable bits are meaningful here.
    bool trusts_modes = true;
    /// commit.gpgSign
    bool signs = false;
  };
  [[nodiscard]] base::Result<Settings> settings() const;
  /// The commit of a reference; empty if it does not exist.
  [[nodiscard]] base::Result<std::string> commit_of(const std::string& reference) const;
  [[nodiscard]] base::Result<bool> is_ancestor(const std::string& one,
                                               const std::string& other) const;
  [[nodiscard]] base::Result<bool> is_branch_name(const std::string& name) const;
  /// Appends the trailer to the message.
  [[nodiscard]] base::Result<std::string> with_trailer(const std::string& message,
                                                       const std::string& trailer) const;

  // Objects, not referenced yet.
  /// Stores files (below the root, with our names) in the object database unchanged.
  [[nodiscard]] base::Result<std::vector<std::string>> write_blobs(
      const std::vector<std::string>& files) const;
  /// Writes the entries' files below `folder` as a checkout would.
  base::Result<void> check_out(const std::vector<IndexEntry>& entries,
                               const std::filesystem::path& index, const std::string& folder) const;
  /// A commit whose tree is the parent's with these entries. Empty parent: the first commit.
  struct CommitOptions {
    std::string parent;
    std::filesystem::path index;  // a file that does not exist yet
    std::string message;
    bool sign = false;
  };
  [[nodiscard]] base::Result<std::string> make_commit(const std::vector<IndexEntry>& entries,
                                                      const CommitOptions& options) const;

  // References and the index.
  enum class Moved : std::uint8_t { kMoved, kElsewhere };
  /// By compare-and-set; kElsewhere if it names neither the old commit nor a descendant of the new
  /// one.
  [[nodiscard]] base::Result<Moved> move_reference(const Landing& landing) const;
  /// Sets the entries in our own index file; without one, in the user's, under git's lock.
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
