#pragma once
#include <cstddef>
#include <string>

#include "tool/command_world.h"
#include "tool/tool.h"

namespace clever::tool::internal {

/// What a model is told of a command: how it ended, what it wrote, why it was stopped, and what it
/// changed. The outputs share `limit` bytes; each keeps its beginning and its end. Known secrets
/// are withheld before anything is cut.
[[nodiscard]] ToolAnswer describe_command(const CommandReport& report, std::size_t limit,
                                          const base::Secrets* secrets = nullptr);

/// The lines that name what a command changed; empty if nothing.
[[nodiscard]] std::string describe_changes(const sandbox::Workspace::Captured& captured);

}  // namespace clever::tool::internal
