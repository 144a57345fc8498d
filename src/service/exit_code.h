#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace clever::service {

/// What the shell gets to see. Scripts rely on these numbers.
enum class ExitCode : std::uint8_t {
  kOk = 0,
  kError = 1,
  kUsage = 2,
  kNotFound = 3,
  kConflict = 4,
  kNeedsPerson = 5,
};

/// As help, manual pages and the reference tell them.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kExitCodes{{
    {"0", "success"},
    {"1", "error"},
    {"2", "the command line was wrong"},
    {"3", "what was named does not exist"},
    {"4", "a conflict with what is there"},
    {"5", "a person has to decide"},
}};

/// The only mapping from errors to exit codes. kInvalidArgument means the command line: a broken
/// file reaches it as kCorruption.
[[nodiscard]] ExitCode exit_code(base::ErrorCode code) noexcept;

}  // namespace clever::service
