#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::io {

/// Numbers that lie in a file, for several processes to see. Each is read and written whole, and
/// what is stored first is seen first; a change made from what was read needs a lock
/// (ProcessMutex). Not durable: a hint. Those who watch the file (FileWatch) wake when one is
/// stored. Thread-safe.
class SharedNumbers {
 public:
  [[nodiscard]] static base::Result<SharedNumbers> open(const std::filesystem::path& path);

  /// 0 if nothing was stored there yet.
  [[nodiscard]] std::uint64_t load(std::size_t at) const noexcept;
  void store(std::size_t at, std::uint64_t value) noexcept;
  /// Those from `at` on.
  void load(std::size_t at, std::span<std::uint64_t> values) const noexcept;
  void store(std::size_t at, std::span<const std::uint64_t> values) noexcept;

 private:
  explicit SharedNumbers(FileDescriptor file) noexcept : file_(std::move(file)) {}

  FileDescriptor file_;
};

}  // namespace clever::io
