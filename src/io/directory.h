#pragma once
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/sha256.h"
#include "io/file_descriptor.h"

namespace clever::io {

/// The facts of a directory entry. A value.
struct EntryFacts {
  enum class Kind : std::uint8_t { kFile, kDirectory, kLink, kOther };
  Kind kind = Kind::kFile;
  /// Permission bits.
  mode_t mode = 0;
  std::uint64_t size = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  /// Nanoseconds since 1970. If none of these facts changed, the content did not either, within the
  /// resolution of the file system's clock.
  std::int64_t modified = 0;
  std::int64_t changed = 0;

  friend bool operator==(const EntryFacts&, const EntryFacts&) = default;
};

/// A folder held by descriptor, and the only way to what is below it: the kernel resolves every
/// path beneath that descriptor (openat2, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
/// RESOLVE_NO_MAGICLINKS), so `..`, absolute paths, links and links swapped in during the call
/// cannot lead elsewhere. Links can be read but are never followed: one on the way is
/// `permission_denied`.
///
/// Paths are relative, bytes, without NUL. As thread-safe as the system calls. Never opens devices,
/// fifos and sockets. Each call aborts in test builds if its thread holds a lock.
class Directory {
 public:
  /// Follows links on the way to the folder itself.
  [[nodiscard]] static base::Result<Directory> open(const std::filesystem::path& path);
  [[nodiscard]] base::Result<Directory> open_below(std::string_view path) const;

  /// `not_found` if nothing is there.
  [[nodiscard]] base::Result<EntryFacts> facts(std::string_view path) const;
  [[nodiscard]] base::Result<std::string> read_file(std::string_view path, std::size_t limit) const;
  [[nodiscard]] base::Result<std::string> read_link(std::string_view path) const;
  /// The SHA-256 of a file's bytes, for any size.
  [[nodiscard]] base::Result<base::Sha256Digest> hash_file(std::string_view path) const;
  /// Whether a process has the file open for writing now. False where the file system cannot say,
  /// or the file belongs to another user.
  [[nodiscard]] base::Result<bool> is_being_written(std::string_view path) const;
  /// Opens a regular file for reading, for streaming.
  [[nodiscard]] base::Result<FileDescriptor> open_file(std::string_view path) const;

  /// Visits the names below the folder (`""`: this one) in no order; ends early if `visit` returns
  /// false.
  base::Result<void> list(
      std::string_view path,
      const std::function<bool(std::string_view name, EntryFacts::Kind)>& visit) const;

  /// Creates a file with this content and exactly this mode; `already_exists` if the name is taken.
  base::Result<void> create_file(std::string_view path, std::string_view content,
                                 mode_t mode) const;
  base::Result<void> create_link(std::string_view path, std::string_view target) const;
  /// Gives the entry `name` of another folder a second name here, the same one: one file with two
  /// names, never a copy. Fails across file systems, and where a file has too many names.
  base::Result<void> add_name_of(const Directory& other, std::string_view name) const;
  /// Creates missing parents too, all with `mode` less the umask; succeeds if it exists.
  base::Result<void> make_directories(std::string_view path, mode_t mode) const;
  base::Result<void> set_mode(std::string_view path, mode_t mode) const;

  /// Renames below this folder. `exchange` swaps two existing entries; `move_new` refuses with
  /// `already_exists` if the target is taken.
  base::Result<void> exchange(std::string_view one, std::string_view other) const;
  base::Result<void> move_new(std::string_view from, std::string_view to) const;
  /// Removes a file or link; `not_found` if there is none.
  base::Result<void> remove_file(std::string_view path) const;
  /// Removes an empty folder; `conflict` if it is not empty.
  base::Result<void> remove_directory(std::string_view path) const;
  /// Removes the entry and everything below it, for any modes; removes links without following
  /// them. Succeeds if nothing is there.
  base::Result<void> remove_all(std::string_view path) const;

  /// Syncs to disk: a file's content, or the names in a folder (`""`: this one).
  base::Result<void> sync_file(std::string_view path) const;
  base::Result<void> sync_directory(std::string_view path) const;

  [[nodiscard]] int descriptor() const noexcept { return folder_.number(); }

 private:
  explicit Directory(FileDescriptor folder) noexcept : folder_(std::move(folder)) {}

  FileDescriptor folder_;
};

}  // namespace clever::io
