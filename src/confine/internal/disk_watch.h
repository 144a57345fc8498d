#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "confine/command.h"
#include "confine/internal/look_timer.h"

namespace clever::confine::internal {

/// The size of folders. A value.
struct DiskUsage {
  std::uint64_t bytes = 0;  // as allocated by the file system
  std::uint64_t files = 0;  // including folders and links
};

/// Adds up everything below the folder, which may change meanwhile. Follows no link. Ends early
/// once it exceeds `limits`.
void add_usage(const std::filesystem::path& folder, const DiskUsage& limits, DiskUsage& usage);

/// Checks regularly how much a command has written to its writable mounts. A shared folder counts
/// only with what was added since the watch began; the upper folder of an overlay, which holds only
/// changes, counts as a whole. One thread.
class DiskWatch {
 public:
  /// Watches nothing without limits.
  [[nodiscard]] static base::Result<DiskWatch> create(const Command& command);

  [[nodiscard]] int descriptor() const noexcept { return timer_.descriptor(); }
  /// The exceeded limit, as a message ("wrote more than …").
  [[nodiscard]] std::optional<std::string> look();

 private:
  explicit DiskWatch(Limits limits) : limits_(limits) {}

  [[nodiscard]] DiskUsage usage(const DiskUsage& most) const;

  Limits limits_;
  std::vector<std::filesystem::path> folders_;
  DiskUsage before_;
  LookTimer timer_;
};

}  // namespace clever::confine::internal
