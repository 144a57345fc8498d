#pragma once
#include <cstdint>
#include <filesystem>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::io {

/// A number that lies in a file, for several processes to see. Each read and write is whole, but a
/// change made from what was read needs a lock (ProcessMutex). Not durable: a hint. Those who watch
/// the file (FileWatch) wake when it is stored. Thread-safe.
class SharedCounter {
 public:
  [[nodiscard]] static base::Result<SharedCounter> open(const std::filesystem::path& path);

  /// 0 if nothing was stored yet.
  [[nodiscard]] std::uint64_t load() const noexcept;
  void store(std::uint64_t value) noexcept;

 private:
  explicit SharedCounter(FileDescriptor file) noexcept : file_(std::move(file)) {}

  FileDescriptor file_;
};

}  // namespace clever::io
