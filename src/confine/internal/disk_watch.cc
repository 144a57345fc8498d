#include "confine/internal/disk_watch.h"

#include <sys/stat.h>

#include <limits>

#include "confine/internal/remarks.h"

namespace clever::confine::internal {
namespace {

constexpr std::chrono::nanoseconds kDiskPause = std::chrono::milliseconds{300};
// A look costs 1 to 2 µs per file.
constexpr std::chrono::nanoseconds kPausePerFile = std::chrono::microseconds{20};

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max() / 2;

std::uint64_t or_unlimited(std::uint64_t limit) { return limit == 0 ? kUnlimited : limit; }

bool is_over(const DiskUsage& usage, const DiskUsage& limits) {
  return usage.bytes > limits.bytes || usage.files > limits.files;
}

std::uint64_t allotted(const std::filesystem::path& path) {
  constexpr std::uint64_t kBlock = 512;
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) return 0;
  return static_cast<std::uint64_t>(status.st_blocks) * kBlock;
}

}  // namespace

void add_usage(const std::filesystem::path& folder, const DiskUsage& limits, DiskUsage& usage) {
  using Walk = std::filesystem::recursive_directory_iterator;
  std::error_code failed;
  const auto options = std::filesystem::directory_options::skip_permission_denied;
  for (Walk walk(folder, options, failed); !failed && walk != Walk(); walk.increment(failed)) {
    ++usage.files;
    usage.bytes += allotted(walk->path());
    if (is_over(usage, limits)) return;
  }
}

base::Result<DiskWatch> DiskWatch::create(const Command& command) {
  DiskWatch watch(command.limits);
  if (command.unconfined || (watch.limits_.disk == 0 && watch.limits_.files == 0)) return watch;
  std::vector<std::filesystem::path> shared;
  for (const Mount& mount : command.mounts) {
    if (mount.kind == Mount::Kind::kWritable) shared.push_back(mount.source);
    if (mount.kind == Mount::Kind::kOverlay) watch.folders_.push_back(mount.upper);
  }
  for (const auto& folder : shared) {
    add_usage(folder, {.bytes = kUnlimited, .files = kUnlimited}, watch.before_);
  }
  watch.folders_.insert(watch.folders_.end(), shared.begin(), shared.end());
  if (watch.folders_.empty()) return watch;
  CLEVER_ASSIGN(watch.timer_, LookTimer::create(kDiskPause));
  return watch;
}

DiskUsage DiskWatch::usage(const DiskUsage& most) const {
  DiskUsage found;
  for (const auto& folder : folders_) add_usage(folder, most, found);
  return found;
}

std::optional<std::string> DiskWatch::look() {
  if (!timer_.due()) return std::nullopt;
  const DiskUsage most{.bytes = or_unlimited(limits_.disk) + before_.bytes,
                       .files = or_unlimited(limits_.files) + before_.files};
  const DiskUsage now = usage(most);
  timer_.set(kDiskPause + (static_cast<std::int64_t>(now.files) * kPausePerFile));
  if (now.bytes > most.bytes) {
    return "wrote more than sandbox.disk allows (" + size_text(limits_.disk) +
           " in its workspace) and was ended";
  }
  if (now.files > most.files) {
    return "made more files than sandbox.files allows (" + std::to_string(limits_.files) +
           " in its workspace) and was ended";
  }
  return std::nullopt;
}

}  // namespace clever::confine::internal
