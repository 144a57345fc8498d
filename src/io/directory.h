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

/// What lies under a name. A value.
struct EntryFacts {
  enum class Kind : std::uint8_t { kFile, kDirectory, kLink, kOther };
  Kind kind = Kind::kFile;
  /// Permission bits.
  mode_t mode = 0;
  std::uint64_t size = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  /// Nanoseconds since 1970: if nothing of this changed, the content did not either, as far as the
  /// file system's clock can tell.
  std::int64_t modified = 0;
  std::int64_t changed = 0;

  friend bool operator==(const EntryFacts&, const EntryFacts&) = default;
};

/// A folder held by descriptor, and the one way to reach what is below it: every path is resolved
/// by the kernel beneath that descriptor (openat2, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
/// RESOLVE_NO_MAGICLINKS), so neither `..`, an absolute path, a link nor a link swapped in during
/// the call leads anywhere else. Links are looked at, never followed: one on the way is
/// `permission_denied`.
///
/// Paths are relative, bytes, without NUL. Thread-safe like the kernel's own calls. Devices, fifos
/// and sockets are never opened. Each call aborts in test builds if its thread holds a lock.
class Directory {
 public:
  /// Links on the way to the folder itself are followed.
  [[nodiscard]] static base::Result<Directory> open(const std::filesystem::path& path);
  [[nodiscard]] base::Result<Directory> open_below(std::string_view path) const;

  /// `not_found` if nothing is there.
  [[nodiscard]] base::Result<EntryFacts> facts(std::string_view path) const;
  [[nodiscard]] base::Result<std::string> read_file(std::string_view path, std::size_t limit) const;
  [[nodiscard]] base::Result<std::string> read_link(std::string_view path) const;
  /// The SHA-256 of a file's bytes, however many they are.
  [[nodiscard]] base::Result<base::Sha256Digest> hash_file(std::string_view path) const;
  /// Whether somebody has the file open for writing at this moment. False where the file system
  /// cannot tell, or the file belongs to somebody else.
  [[nodiscard]] base::Result<bool> is_being_written(std::string_view path) const;
  /// For streaming: a plain file, opened for reading.
  [[nodiscard]] base::Result<FileDescriptor> open_file(std::string_view path) const;

  /// Names below the folder (`""`: this one) in no order; ends early if `visit` returns false.
  base::Result<void> list(
      std::string_view path,
      const std::function<bool(std::string_view name, EntryFacts::Kind)>& visit) const;

  /// A new file with this content and exactly this mode; `already_exists` if anything is there.
  base::Result<void> create_file(std::string_view path, std::string_view content,
                                 mode_t mode) const;
  base::Result<void> create_link(std::string_view path, std::string_view target) const;
  /// With those above it that are missing, all with `mode` less the umask; fine if it is there.
  base::Result<void> make_directories(std::string_view path, mode_t mode) const;
  base::Result<void> set_mode(std::string_view path, mode_t mode) const;

  /// Renames below this folder. `exchange` swaps two things that exist; `move_new` refuses with
  /// `already_exists` if the target is taken.
  base::Result<void> exchange(std::string_view one, std::string_view other) const;
  base::Result<void> move_new(std::string_view from, std::string_view to) const;
  /// A file or link; `not_found` if there is none.
  base::Result<void> remove_file(std::string_view path) const;
  /// An empty folder; `conflict` if it is not empty.
  base::Result<void> remove_directory(std::string_view path) const;
  /// Whatever is there and everything below it, whatever modes it has; links are removed, not
  /// followed. Fine if nothing is there.
  base::Result<void> remove_all(std::string_view path) const;

  /// To the disk: a file's content, or the names in a folder (`""`: this one).
  base::Result<void> sync_file(std::string_view path) const;
  base::Result<void> sync_directory(std::string_view path) const;

  [[nodiscard]] int descriptor() const noexcept { return folder_.number(); }

 private:
  explicit Directory(FileDescriptor folder) noexcept : folder_(std::move(folder)) {}

  FileDescriptor folder_;
};

}  // namespace clever::io
