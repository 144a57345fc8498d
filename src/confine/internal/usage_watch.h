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

/// The memory of a namespace's processes, in bytes.
struct Usage {
  /// Private memory, including swapped-out pages; memory shared by forks counts once.
  std::uint64_t own = 0;
  /// Mapped shared memory, which includes files in memory.
  std::uint64_t shared = 0;
  /// Files in memory (/tmp, /dev/shm, …), mapped or not.
  std::uint64_t files = 0;
  std::size_t processes = 0;

  [[nodiscard]] std::uint64_t memory() const noexcept;
};

/// The resident pages in /proc/PID/statm.
[[nodiscard]] std::uint64_t resident_pages(std::string_view statm);
/// Adds the values of /proc/PID/smaps_rollup.
void add_rollup(std::string_view rollup, Usage& usage);

/// Checks regularly how much all processes of this namespace use together; the kernel limits that
/// per process only, or not at all for root. For process 1, whose /proc shows them; one thread.
class UsageWatch {
 public:
  /// Watches nothing.
  UsageWatch() = default;
  /// Watches nothing without limits.
  [[nodiscard]] static base::Result<UsageWatch> create(const Command& command);

  [[nodiscard]] int descriptor() const noexcept { return timer_.descriptor(); }
  /// The exceeded limit, as a message ("used more memory than …").
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
