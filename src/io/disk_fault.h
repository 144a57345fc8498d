#pragma once
#include <cstdint>

// A disk that fails where a test wants it to. Safe from any thread.
namespace clever::io {

/// What is about to be changed on the disk.
enum class DiskChange : std::uint8_t { kCreate, kWrite, kSync, kMove, kRemove };

/// Every function of this module that changes the disk asks first; true: it fails, with `errno` as
/// its reason, and nothing is changed. In test builds (CLEVER_TEST_HOOKS) the environment decides:
/// `CLEVER_DISK_FAULT=NUMBER:N` has the N-th change and all after it fail with error NUMBER,
/// `NUMBER:N:once` only that one. ENOSPC fails only what takes room. Otherwise, and in release
/// builds, nothing fails.
#if CLEVER_TEST_HOOKS
[[nodiscard]] bool disk_fails(DiskChange change) noexcept;
/// How many changes were counted while the environment named one that fails.
[[nodiscard]] std::int64_t disk_changes() noexcept;
#else
[[nodiscard]] inline bool disk_fails(DiskChange /*change*/) noexcept { return false; }
#endif

}  // namespace clever::io
