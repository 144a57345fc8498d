#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"

namespace clever::io {

struct ProcessOptions {
  /// The program, looked up in this process's PATH unless it has a slash, and its arguments.
  std::vector<std::string> argv;
  /// Empty: this process's own.
  std::filesystem::path working_directory{};
  /// "NAME=value" each; absent: this process's own.
  std::optional<std::vector<std::string>> environment{};
  std::string standard_input{};
  base::Deadline deadline = base::Deadline::never();
  base::StopToken stop{};
  /// The most bytes kept of each output; the rest is read and dropped.
  std::size_t output_limit = std::size_t{16} << 20U;
};

struct ProcessResult {
  /// As a shell reports it: 128 + the number of the signal that ended it, if one did.
  int exit_code = 0;
  std::optional<int> signal{};
  std::string output{};
  std::string error_output{};
  /// Whether output_limit cut something off.
  bool truncated = false;

  [[nodiscard]] bool succeeded() const noexcept { return exit_code == 0; }
};

/// Runs a program to its end and returns its output, for any exit code.
///
/// It gets its own process group and only the three standard descriptors. On a stop or at the
/// deadline the whole group is killed and the answer is `cancelled` or `deadline_exceeded`;
/// processes that a program leaves in its group are killed too. A process that moved to another
/// group or session is out of reach; the sandbox confines those.
///
/// `not_found` if the program or working directory is missing, `permission_denied` if it may not be
/// run, `invalid_argument` for an empty argv or a NUL inside an argument. Blocks its thread; safe
/// to call from many threads at once.
[[nodiscard]] base::Result<ProcessResult> run_process(const ProcessOptions& options);

/// The process id, which tells several processes apart in a log.
[[nodiscard]] std::int64_t process_number() noexcept;

/// Keeps SIGHUP from ending this process: a service reads its settings whenever they change. SIGHUP
/// still ends programs that it starts.
void survive_hangup() noexcept;

}  // namespace clever::io
