#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

// Probes what this kernel offers. Plain functions, safe from any thread; none leaves a trace in the
// calling process.
namespace clever::io {

/// "Linux 6.1.0-18-amd64 x86_64"
[[nodiscard]] std::string kernel_name();

/// Version of the Landlock interface; 0 if it is missing or switched off.
[[nodiscard]] int landlock_abi();

enum class ControlGroups : std::uint8_t { kNone, kV1, kV2, kHybrid };
[[nodiscard]] std::string_view to_string(ControlGroups groups) noexcept;
/// The control groups mounted below `root`, /sys/fs/cgroup on a running system.
[[nodiscard]] ControlGroups control_groups(const std::filesystem::path& root = "/sys/fs/cgroup");

}  // namespace clever::io
