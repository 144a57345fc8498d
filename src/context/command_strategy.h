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

/// A strategy that a person wrote: a command, named in the configuration.
///
///   [[context.strategy]]
///   name = "owners"
///   command = ["python3", "tools/owners.py"]
///   quality = 0.7            # 0 to 1
///   deadline_ms = 3000
///
/// It reads one JSON object from its standard input:
///
///   {"plan": "01H…", "phase": "strategize", "query": "…", "focus": ["src/a.cc"], "budget": 2000}
///
/// and prints candidates, best first, one JSON object on a line each; all but `path` may be left
/// out:
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
  /// Where it runs; it sees the project there, and cannot write.
  std::filesystem::path project_root{};
  confine::Launcher launcher{};
  confine::WorldOptions world{};
  confine::Limits limits{.cpu = std::chrono::minutes{10},
                         .memory = 0,
                         .processes = 256,
                         .file_size = std::uint64_t{1} << 30U,
                         .open_files = 4096};
  /// A person said --unconfined.
  bool unconfined = false;
  /// How it is run; none: by confine::run with the launcher. Tests have their own.
  using Run = std::function<base::Result<confine::Output>(
      const confine::Command& command, std::string_view standard_input, std::size_t output_limit,
      const base::StopToken& stop, base::Deadline deadline)>;
  Run run{};
};

/// The strategy. `invalid_argument` names the key that is wrong and says what would be right.
///
/// Each run is a process of its own, confined, without network and with nothing but the project's
/// files to read; it ends with the run, whatever it does. A command that fails, or that prints
/// nothing but rubbish, has failed; a line of rubbish between others is left out.
[[nodiscard]] base::Result<std::shared_ptr<Strategy>> make_command_strategy(
    CommandStrategyOptions options);

}  // namespace clever::context
