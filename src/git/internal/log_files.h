#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "base/result.h"
#include "git/internal/group_commit.h"
#include "io/append_file.h"
#include "io/directory.h"

namespace clever::git::internal {

/// The log files of one opened store: reads all logs in the folder, and appends to its own, created
/// at the first append. Owned by the store.
///
/// Thread-safe except append(), which one thread at a time may call. After a failed append the next
/// one goes to a new file, so that no frame ever follows a torn one.
class LogFiles {
 public:
  /// `folder` is the folder at `path`.
  LogFiles(std::filesystem::path path, io::Directory folder)
      : path_(std::move(path)), folder_(std::move(folder)) {}

  /// New objects in other processes' logs since the last call.
  [[nodiscard]] base::Result<std::vector<LogPlace>> scan();
  /// The content of an object; `corruption` if it is damaged.
  [[nodiscard]] base::Result<std::string> read(const LogPlace& place) const;
  /// Appends a frame with these objects, synced.
  [[nodiscard]] base::Result<std::vector<LogPlace>> append(const Batch& batch);

 private:
  struct Log {
    std::string name;
    std::uint64_t scanned = 0;
    bool own = false;
  };
  struct Writer {
    io::AppendFile file;
    std::uint32_t number = 0;
    std::uint64_t size = 0;
  };

  [[nodiscard]] base::Result<void> begin_file();
  [[nodiscard]] std::uint32_t number_of(const std::string& name);
  [[nodiscard]] base::Result<std::vector<LogPlace>> scan_one(const std::string& name);

  // Constant after construction.
  const std::filesystem::path path_;
  const io::Directory folder_;
  // Guarded.
  base::Guarded<std::vector<Log>> logs_;
  // Touched by append() only.
  std::optional<Writer> writer_;
};

}  // namespace clever::git::internal
