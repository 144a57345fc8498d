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
  /// What it writes is appended to this file, which is made if there is none.
  std::filesystem::path log{};
};

/// Starts a program that outlives this process: in a session of its own, so that neither the end of
/// a terminal nor Ctrl-C reaches it, with nothing to read and no descriptors but the standard ones.
/// Returns its number once it runs; nobody waits for it. `not_found`, `permission_denied`,
/// `invalid_argument` for an empty argv or a NUL inside an argument.
[[nodiscard]] base::Result<std::int64_t> start_in_background(const BackgroundProcess& process);

}  // namespace clever::io
