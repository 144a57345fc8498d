#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

// What this kernel offers, found out by trying. Plain functions, safe from any thread; none leaves
// a trace in the calling process.
namespace clever::io {

/// "Linux 6.1.0-18-amd64 x86_64"
[[nodiscard]] std::string kernel_name();

/// Version of the Landlock interface; 0 if there is none or it is switched off.
[[nodiscard]] int landlock_abi();

/// Whether an ordinary process may enter a user namespace of its own: a child really tries.
/// `permission_denied` if the kernel refuses.
[[nodiscard]] base::Result<void> try_user_namespace();

/// Whether system calls can be filtered by a program (seccomp mode 2).
[[nodiscard]] bool has_seccomp_filters();

enum class ControlGroups : std::uint8_t { kNone, kV1, kV2, kHybrid };
[[nodiscard]] std::string_view to_string(ControlGroups groups) noexcept;
/// What is mounted below `root`, /sys/fs/cgroup on a running system.
[[nodiscard]] ControlGroups control_groups(const std::filesystem::path& root = "/sys/fs/cgroup");

}  // namespace clever::io
