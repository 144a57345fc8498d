#pragma once
#include <cstdint>

#include "base/error.h"

namespace clever::cli {

/// What the shell gets to see. Scripts rely on these numbers.
enum class ExitCode : std::uint8_t {
  kOk = 0,
  kError = 1,
  kUsage = 2,
  kNotFound = 3,
  kConflict = 4,
  kNeedsPerson = 5,
};

/// The only mapping from errors to exit codes. kInvalidArgument means the command line: a broken
/// file reaches it as kCorruption.
[[nodiscard]] ExitCode exit_code(base::ErrorCode code) noexcept;

}  // namespace clever::cli
