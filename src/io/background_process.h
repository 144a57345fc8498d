#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace clever::io {

struct BackgroundProcess {
  /// The program, looked up in PATH unless it has a slash, and its arguments.
  std::vector<std::string> argv;
  /// Empty: this process's own.
  std::filesystem::path working_directory{};
  /// Its output is appended to this file, which is created if missing.
  std::filesystem::path log{};
};

/// Starts a program that outlives this process: in its own session, so that neither the end of a
/// terminal nor Ctrl-C reaches it, with empty input and only the standard descriptors. Returns its
/// number once it runs; nothing waits for its end. `not_found`, `permission_denied`,
/// `invalid_argument` for an empty argv or a NUL inside an argument.
[[nodiscard]] base::Result<std::int64_t> start_in_background(const BackgroundProcess& process);

}  // namespace clever::io
