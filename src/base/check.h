#pragma once
#include <string_view>

namespace clever::base {

/// Prints "CHECK failed" with place and reason to standard error and aborts.
[[noreturn]] void check_failed(std::string_view condition, std::string_view message,
                               std::string_view file, int line) noexcept;

}  // namespace clever::base

/// Guards our own invariants, never input: a false condition is a bug in this program, and
/// continuing would risk the user's data. Active in every build.
#define CLEVER_CHECK(condition, message)                                       \
  do {                                                                         \
    if (!(condition)) [[unlikely]]                                             \
      ::clever::base::check_failed(#condition, (message), __FILE__, __LINE__); \
  } while (false)
