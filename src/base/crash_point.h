#pragma once
#include <string_view>

namespace clever::base {

/// A place between two steps at which a crash would be most instructive. In test builds
/// (CLEVER_TEST_HOOKS) the process kills itself with SIGKILL there if the environment says so:
/// `CLEVER_CRASH_AT=NAME:N` means the N-th time that NAME is passed, by whatever thread.
/// `CLEVER_STOP_AT=PREFIX` stops it with SIGSTOP wherever a name begins so: a test does something
/// there and continues it. Otherwise, and in release builds, nothing.
#if CLEVER_TEST_HOOKS
void crash_point(std::string_view name) noexcept;
#else
inline void crash_point(std::string_view /*name*/) noexcept {}
#endif

}  // namespace clever::base
