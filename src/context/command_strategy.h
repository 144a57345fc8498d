#pragma once
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "confine/command.h"
#include "confine/confined_process.h"
#include "confine/world.h"
#include "context/strategy.h"

namespace clever::context {

/// A user-defined strategy: a command, named in the configuration.
///
///   [[context.strategy]]
///   name = "owners"
///   command = ["python3", "tools/owners.py"]
///   quality = 0.7            # 0 to 1
///   deadline_ms = 3000
///
/// It reads one JSON object from standard input:
///
///   {"plan": "01H…", "phase": "strategize", "query": "…", "focus": ["src/a.cc"], "budget": 2000}
///
/// and prints candidates, best first, one JSON object per line; only `path` is required:
///
///   {"path": "src/a.cc", "relevance": 0.9, "why": "owned by the same team",
///    "first_line": 10, "last_line": 42, "depth": "signatures"}
///   {"path": "owners/ui", "text": "a text of its own, not from the project's files"}
struct CommandStrategyOptions {
  std::string name{};
  /// The program and its arguments.
  std::vector<std::string> argv{};
  double quality = 0.5;
  /// The command is killed then.
  base::Duration deadline = std::chrono::seconds(3);
  /// Its working directory; it sees the project there, and cannot write.
  std::filesystem::path project_root{};
  confine::Launcher launcher{};
  confine::WorldOptions world{};
  confine::Limits limits{.cpu = std::chrono::minutes{10},
                         .memory = 0,
                         .processes = 256,
                         .file_size = std::uint64_t{1} << 30U,
                         .open_files = 4096};
  /// A person passed --unconfined.
  bool unconfined = false;
  /// Runs the command; none: confine::run with the launcher. Tests replace it.
  using Run = std::function<base::Result<confine::Output>(
      const confine::Command& command, std::string_view standard_input, std::size_t output_limit,
      const base::StopToken& stop, base::Deadline deadline)>;
  Run run{};
};

/// Makes the strategy. `invalid_argument` names the wrong key and says what would be right.
///
/// Each run is its own process, confined, without network and with read access to the project's
/// files only; it ends with the run in every case. A command fails if it fails itself or prints
/// only invalid lines; single invalid lines are skipped.
[[nodiscard]] base::Result<std::shared_ptr<Strategy>> make_command_strategy(
    CommandStrategyOptions options);

}  // namespace clever::context
