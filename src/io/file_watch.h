#pragma once
#include <filesystem>

#include "base/clock.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "io/file_descriptor.h"

namespace clever::io {

/// Reports writes to a file by any process (inotify(7)). Used by one thread.
class FileWatch {
 public:
  [[nodiscard]] static base::Result<FileWatch> open(const std::filesystem::path& path);

  /// Returns true once the file was written to since the last such call; false after `patience`;
  /// `cancelled` on a stop.
  [[nodiscard]] base::Result<bool> wait(const base::StopToken& stop, base::Duration patience);

 private:
  FileWatch(FileDescriptor events, FileDescriptor stopped)
      : events_(std::move(events)), stopped_(std::move(stopped)) {}

  FileDescriptor events_;
  FileDescriptor stopped_;  // readable once a stop was requested
};

}  // namespace clever::io
