#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "base/secrets.h"
#include "base/stop_token.h"
#include "model/control_events.h"
#include "model/control_settings.h"
#include "sandbox/workspace.h"
#include "tool/command_world.h"
#include "tool/registry.h"
#include "tool/runner.h"

namespace clever::engine {

/// What a validation is run with. All outlive it.
struct ValidationWorld {
  base::Clock& clock;
  /// A workspace with the files that are checked, for one validation alone.
  std::function<base::Result<std::shared_ptr<sandbox::Workspace>>()> copy{};
  std::shared_ptr<tool::CommandWorld> commands{};
  /// None: validations by a tool cannot be run.
  tool::ToolRunner* runner = nullptr;
  std::shared_ptr<const tool::ToolSnapshot> tools{};
  /// What the tools use: held until they have returned.
  std::shared_ptr<const void> held{};
  /// Masked in its result. Null: nothing is.
  const base::Secrets* secrets = nullptr;
};

/// Runs one to its end: a command confined, with its own pipes and deadline, or a tool. It passes
/// if the command ends with 0, or the tool does not say that it failed (nor `"passed": false`).
/// What it writes into its copy is dropped, which the output says. Blocks; never fails otherwise
/// than by a result that did not pass. Thread-safe.
[[nodiscard]] model::ValidationResult check_work(const ValidationWorld& world,
                                                 const model::Validation& validation,
                                                 const base::StopToken& stop);

/// Whether a person lets it be run by now: what they had not trusted when the plan was made may be
/// trusted since. `home` has the trust store. Reads files.
[[nodiscard]] bool is_trusted(const model::Validation& validation,
                              const std::filesystem::path& project,
                              const std::filesystem::path& home);
/// The result of one that is not.
[[nodiscard]] model::ValidationResult not_trusted(const model::Validation& validation);

/// The end of what was printed, within the bound of ValidationResult::output: UTF-8, without known
/// secrets, all else as it was: models read it to find the fault. Of both streams, if there is too
/// much, the end of each.
[[nodiscard]] std::string shown_output(std::string_view output, std::string_view error_output,
                                       std::string_view remark,
                                       const base::Secrets* secrets = nullptr);

}  // namespace clever::engine
