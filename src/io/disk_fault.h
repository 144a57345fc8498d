#pragma once
#include <cstdint>

// Injects disk failures for tests. Safe from any thread.
namespace clever::io {

/// The change that is about to happen on disk.
enum class DiskChange : std::uint8_t { kCreate, kWrite, kSync, kMove, kRemove };

/// Every function of this module that changes the disk calls this first; if it returns true the
/// function fails with `errno` as its reason, and changes nothing. In test builds
/// (CLEVER_TEST_HOOKS) the environment decides: `CLEVER_DISK_FAULT=NUMBER:N` makes the N-th change
/// and all after it fail with error NUMBER, `NUMBER:N:once` only that one. ENOSPC only fails
/// changes that need space. Otherwise, and in release builds, nothing fails.
#if CLEVER_TEST_HOOKS
[[nodiscard]] bool disk_fails(DiskChange change) noexcept;
/// How many changes were counted while the environment named a failing one.
[[nodiscard]] std::int64_t disk_changes() noexcept;
#else
[[nodiscard]] inline bool disk_fails(DiskChange /*change*/) noexcept { return false; }
#endif

}  // namespace clever::io
