#pragma once
// What the sandbox commands share. Private to the module.
#include "base/result.h"
#include "cli/context.h"
#include "cli/parse.h"
#include "tool/command_world.h"

namespace clever::cli {

/// How the commands of plans run, as the settings want it; where is left open.
[[nodiscard]] base::Result<tool::CommandOptions> command_options(bool unconfined, Context& context);

/// How commands run, as the settings and the command line want it; `shared_folder` keeps what
/// sandbox.setup made.
[[nodiscard]] base::Result<tool::CommandOptions> command_options(
    const Invocation& invocation, Context& context, const std::filesystem::path& project_root,
    const std::filesystem::path& shared_folder);

/// --network, --unconfined and --timeout.
[[nodiscard]] std::vector<Option> command_flags();

}  // namespace clever::cli
