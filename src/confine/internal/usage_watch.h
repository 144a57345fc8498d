#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "confine/command.h"
#include "confine/internal/look_timer.h"

namespace clever::confine::internal {

/// What the processes of a namespace hold, in bytes.
struct Usage {
  /// Private memory and what of it was swapped out; what forked processes share counts once.
  std::uint64_t own = 0;
  /// Shared memory that is mapped, which includes files in memory.
  std::uint64_t shared = 0;
  /// Files in memory (/tmp, /dev/shm, …), mapped or not.
  std::uint64_t files = 0;
  std::size_t processes = 0;

  [[nodiscard]] std::uint64_t memory() const noexcept;
};

/// The pages of /proc/PID/statm that are resident.
[[nodiscard]] std::uint64_t resident_pages(std::string_view statm);
/// Adds what /proc/PID/smaps_rollup says.
void add_rollup(std::string_view rollup, Usage& usage);

/// Looks from time to time at what all processes of this namespace use together, which the kernel
/// limits for each process alone, or not at all for root. For process 1, whose /proc shows them;
/// one thread.
class UsageWatch {
 public:
  /// Watches nothing.
  UsageWatch() = default;
  /// Watches nothing where the limits ask for nothing.
  [[nodiscard]] static base::Result<UsageWatch> create(const Command& command);

  [[nodiscard]] int descriptor() const noexcept { return timer_.descriptor(); }
  /// What the processes use too much of, as a person is told ("used more memory than …").
  [[nodiscard]] std::optional<std::string> look();

 private:
  [[nodiscard]] bool memory_exceeded(const std::vector<std::string>& processes) const;
  [[nodiscard]] std::uint64_t bytes_in_files() const;

  Limits limits_;
  /// Where file systems in memory are mounted.
  std::vector<std::filesystem::path> in_memory_;
  LookTimer timer_;
};

}  // namespace clever::confine::internal
