#include "git/kept_objects.h"

#include <chrono>
#include <string>
#include <system_error>

#include "base/lock_rank.h"
#include "base/sha256.h"
#include "git/internal/keep_objects.h"

namespace clever::git {
namespace {

namespace fs = std::filesystem;

// A folder may change again within the tick of the file system's clock.
constexpr std::chrono::seconds kTick{2};

std::string fan_out_name(std::size_t number) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  return {kDigits[number / 16], kDigits[number % 16]};
}

}  // namespace

fs::path KeptObjects::keep(const std::vector<fs::path>& borrowed) {
  base::lock_rank::require_none("linking objects");
  if (borrowed.empty()) return folder_;
  const fs::path kept = folder_ / base::sha256(borrowed.front().string()).to_hex().substr(0, 32);
  std::error_code ignored;
  // A new folder is empty: earlier links went with the old one.
  const bool is_new = fs::create_directories(kept, ignored);
  for (const fs::path& from : borrowed) {
    const Times before = seen_.with([&](auto& seen) { return is_new ? Times{} : seen[from]; });
    const Times after = link_new(from, kept, before);
    seen_.with([&](auto& seen) { seen[from] = after; });
  }
  return kept;
}

KeptObjects::Times KeptObjects::link_new(const fs::path& from, const fs::path& to, Times seen) {
  const auto settled = fs::file_time_type::clock::now() - kTick;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const std::string name = fan_out_name(i);
    std::error_code error;
    const auto changed = fs::last_write_time(from / name, error);
    if (error || changed == seen[i]) continue;
    internal::keep_loose_folder(from / name, to / name);
    if (changed < settled) seen[i] = changed;
  }
  return seen;
}

}  // namespace clever::git
