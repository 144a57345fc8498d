#pragma once
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apply/apply.h"
#include "base/result.h"
#include "base/sha256.h"
#include "io/append_file.h"

namespace clever::apply::internal {

/// The content of a path on disk, byte for byte (not as git stores it). A value.
struct Image {
  enum class Kind : std::uint8_t { kNothing, kFile, kExecutable, kLink, kOther };
  Kind kind = Kind::kNothing;
  /// The hash of a file's bytes, or of a link's target.
  base::Sha256Digest hash{};

  friend bool operator==(const Image&, const Image&) = default;
};

/// The change of one path.
struct Operation {
  std::string path;
  Image before{};
  Image after{};

  friend bool operator==(const Operation&, const Operation&) = default;
};

/// A folder that may become empty, and the mode for restoring it.
struct EmptiedFolder {
  std::string path;
  mode_t mode = 0;

  friend bool operator==(const EmptiedFolder&, const EmptiedFolder&) = default;
};

/// A path in the commit and the index afterwards.
struct IndexEntry {
  std::string path;
  std::uint32_t mode = 0;  // 0: absent
  std::string object{};

  friend bool operator==(const IndexEntry&, const IndexEntry&) = default;
};

/// The new commit, and its reference.
struct Landing {
  std::string reference;   // "refs/heads/main", or "HEAD" if that is detached
  std::string old_commit;  // zeros if there was none
  std::string new_commit;
  std::string reflog;
  /// Whether the index gets the entries.
  bool index = false;
  std::vector<IndexEntry> entries{};

  friend bool operator==(const Landing&, const Landing&) = default;
};

/// The first record, which determines all names that the apply uses.
struct Beginning {
  std::string id;
  std::string plan;
  base::Sha256Digest digest{};
  Mode mode = Mode::kCommit;
  std::string staging;
  /// It undoes an earlier apply.
  bool undo = false;
  /// Of one project of several that land together: the root of their group, whose journal decides.
  std::string group{};
  /// Of that journal: the roots of those projects, sorted.
  std::vector<std::string> projects{};

  friend bool operator==(const Beginning&, const Beginning&) = default;
};

/// Our index.lock, identified by its inode.
struct LockFile {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  friend bool operator==(const LockFile&, const LockFile&) = default;
};

/// Everything is prepared and synced; the exchange follows.
struct Staged {
  std::vector<Operation> operations{};
  std::vector<std::string> made_folders{};       // outer folders first
  std::vector<EmptiedFolder> emptied_folders{};  // inner folders first
  std::optional<Landing> landing{};

  friend bool operator==(const Staged&, const Staged&) = default;
};

/// The content of a journal. Its records determine the state:
///
///   records                      | files               | what a recovery does
///   beginning                    | untouched           | back: removes the staging folder
///   … staged [lock]              | some exchanged      | back: exchanges them again
///   … staged [lock] verified     | all exchanged       | forward: branch, index, done mark
///   … staged … back              | some exchanged      | back
///
/// The projects of a group have journals without `verified` and `back`. The journal of the group
/// has those, after its beginning and nothing else (internal/group.h).
struct Journal {
  Beginning beginning{};
  std::optional<LockFile> lock{};
  std::optional<Staged> staged{};
  bool verified = false;
  bool back = false;

  [[nodiscard]] bool goes_forward() const { return staged && verified && !back; }
  friend bool operator==(const Journal&, const Journal&) = default;
};

/// Nothing if not even the beginning was written. A torn last record counts as not written; damage
/// before it is `corruption`.
[[nodiscard]] base::Result<std::optional<Journal>> read_journal(std::string_view bytes);

/// The journal's file during an apply; each call returns when its record is on disk. Used by one
/// thread, which holds the project's lock.
class JournalFile {
 public:
  /// Replaces an existing file.
  [[nodiscard]] static base::Result<JournalFile> begin(const std::filesystem::path& path,
                                                       const Beginning& beginning);

  base::Result<void> locked(const LockFile& lock);
  base::Result<void> staged(const Staged& staged);
  base::Result<void> verified();
  base::Result<void> back();

 private:
  explicit JournalFile(io::AppendFile file) : file_(std::move(file)) {}

  io::AppendFile file_;
};

/// The bytes of one record each, as JournalFile appends them.
[[nodiscard]] std::string record_of(const Beginning& beginning);
[[nodiscard]] std::string record_of(const LockFile& lock);
[[nodiscard]] std::string record_of(const Staged& staged);
[[nodiscard]] std::string verified_record();
[[nodiscard]] std::string back_record();

}  // namespace clever::apply::internal
