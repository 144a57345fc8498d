#pragma once
#include <sys/types.h>

#include <filesystem>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::io::internal {

/// A new file beside the one it will replace; the destructor deletes it unless it was put in place.
///
/// Names: `.NAME.tmp0`, `.NAME.tmp1`, … (a long NAME is shortened). Its writer holds a flock(2) on
/// it. A writer that finds a name taken tries that lock: if it is free, the other writer is dead,
/// and the file is removed. So killed writers leave at most as many files as there were concurrent
/// writers, and the next writer removes them, without listing the folder or trusting process
/// numbers (which mean nothing across containers). Two rules make this sound: only the holder of an
/// inode's lock removes or renames its name, and a lock counts only if the name still leads to the
/// locked inode.
class TemporaryFile {
 public:
  [[nodiscard]] static base::Result<TemporaryFile> beside(const std::filesystem::path& target,
                                                          mode_t mode);
  TemporaryFile(TemporaryFile&&) noexcept = default;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  [[nodiscard]] int descriptor() const noexcept { return file_.number(); }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  /// Renames it over `target`; after a failure it is still temporary.
  [[nodiscard]] base::Result<void> replace(const std::filesystem::path& target);

 private:
  TemporaryFile(FileDescriptor file, std::filesystem::path path) noexcept
      : file_(std::move(file)), path_(std::move(path)) {}

  FileDescriptor file_;
  // Empty once it is in place.
  std::filesystem::path path_;
};

}  // namespace clever::io::internal
