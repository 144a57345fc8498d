#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "confine/confined_process.h"
#include "confine/world.h"
#include "engine/actor/context_source.h"
#include "engine/actor/tool_actor.h"
#include "engine/effects/workspaces.h"
#include "engine/hooks.h"
#include "engine/offer/mcp_server.h"
#include "tool/command_world.h"
#include "tool/registry.h"

namespace clever::engine {

/// What effects use of a plan's project, and of no other. What it refers to is thread-safe and
/// lives as long as it does.
struct ProjectParts {
  FoundProject found{};
  tool::ToolRegistry& registry;
  ContextSource& context;
  const ActorCatalog& actors;
  /// None: commands cannot be run.
  std::shared_ptr<tool::CommandWorld> commands{};
  /// Called on a thread that may block before a plan's model is shown its tools, and before they
  /// are called: the tools that others bring (MCP servers) are in the registry then. May be empty.
  std::function<void(const base::StopToken&)> bring_tools{};
  /// The skills there are, as models read of them; empty: none.
  std::string skills{};
  confine::Launcher launcher{};
  /// Runs hooks in the project itself, where there is no workspace.
  RunHook hooks{};
  /// MCP servers that the project offers, with their environment filled in: external agents start
  /// their own.
  std::vector<McpServer> servers{};
  /// Whose home and variables external agents may be given parts of.
  confine::WorldOptions world{};
};

/// The project in a folder, opened if it is not open. It stays open while a copy of the answer
/// lives. Thread-safe; blocks. An error concerns the plans of that project alone.
using OpenProjectParts = std::function<base::Result<std::shared_ptr<const ProjectParts>>(
    const std::string& folder, const base::StopToken& stop)>;

}  // namespace clever::engine
