#pragma once
#include <string_view>

namespace clever::base {

/// A place between two steps where a crash is a useful test. In test builds (CLEVER_TEST_HOOKS) the
/// environment can make the process kill itself there with SIGKILL: `CLEVER_CRASH_AT=NAME:N` at the
/// N-th pass of NAME, by any thread. `CLEVER_STOP_AT=PREFIX` stops it with SIGSTOP wherever a name
/// has this prefix, so that a test can act and continue it. Otherwise, and in release builds, it
/// does nothing.
#if CLEVER_TEST_HOOKS
void crash_point(std::string_view name) noexcept;
#else
inline void crash_point(std::string_view /*name*/) noexcept {}
#endif

}  // namespace clever::base
