#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::io {

/// Numbers in a file, shared by several processes. Each is read and written atomically, and becomes
/// visible in the order of stores; read-modify-write needs a lock (ProcessMutex). Not durable: a
/// hint. A store wakes processes that watch the file (FileWatch). Thread-safe.
class SharedNumbers {
 public:
  [[nodiscard]] static base::Result<SharedNumbers> open(const std::filesystem::path& path);

  /// 0 if nothing was stored there yet.
  [[nodiscard]] std::uint64_t load(std::size_t at) const noexcept;
  void store(std::size_t at, std::uint64_t value) noexcept;
  /// Loads the numbers from `at` on.
  void load(std::size_t at, std::span<std::uint64_t> values) const noexcept;
  void store(std::size_t at, std::span<const std::uint64_t> values) noexcept;

 private:
  explicit SharedNumbers(FileDescriptor file) noexcept : file_(std::move(file)) {}

  FileDescriptor file_;
};

}  // namespace clever::io
