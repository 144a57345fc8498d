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

/// What lies in folders. A value.
struct DiskUsage {
  std::uint64_t bytes = 0;  // as the file system allots them
  std::uint64_t files = 0;  // folders and links count too
};

/// Adds up what lies below the folder, which may change meanwhile. Follows no link. Ends early once
/// it is over `limits`.
void add_usage(const std::filesystem::path& folder, const DiskUsage& limits, DiskUsage& usage);

/// Looks from time to time at how much a command has written where it may write. A folder that it
/// shares counts only with what has been added since the watch began; the upper folder of an
/// overlay, which holds nothing but changes, counts whole. One thread.
class DiskWatch {
 public:
  /// Watches nothing where the limits ask for nothing.
  [[nodiscard]] static base::Result<DiskWatch> create(const Command& command);

  [[nodiscard]] int descriptor() const noexcept { return timer_.descriptor(); }
  /// What there is too much of, as a person is told ("wrote more than …").
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
