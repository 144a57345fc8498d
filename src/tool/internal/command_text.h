#pragma once
#include <cstddef>
#include <string>

#include "tool/command_world.h"
#include "tool/tool.h"

namespace clever::tool::internal {

/// Describes a command's result to a model: how it ended, its output, why it was stopped, and its
/// changes. The outputs share `limit` bytes; each keeps its beginning and its end. Withholds known
/// secrets before it cuts.
[[nodiscard]] ToolAnswer describe_command(const CommandReport& report, std::size_t limit,
                                          const base::Secrets* secrets = nullptr);

/// The lines that name a command's changes; may be empty.
[[nodiscard]] std::string describe_changes(const sandbox::Workspace::Captured& captured);

}  // namespace clever::tool::internal
