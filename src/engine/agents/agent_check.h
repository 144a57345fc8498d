#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "confine/confined_process.h"
#include "confine/world.h"
#include "engine/actor/tool_actor.h"
#include "io/environment.h"

// Whether an agent can work here: found, started, logged in.
namespace clever::engine {

/// Where things are looked for. What it refers to outlives the calls.
struct AgentSurroundings {
  base::Clock& clock;
  confine::WorldOptions world{};
  const io::Environment& environment;
};

/// What there is of an agent. A value.
struct AgentFound {
  /// Empty: it is not installed.
  std::filesystem::path program{};
  /// The first line that it says about its version.
  std::string version{};
  /// Where its login is: a file or a variable; empty: there is none.
  std::string login{};
  /// Its server of the Agent Client Protocol; empty: it speaks none, or that is not installed.
  std::filesystem::path acp{};
  /// What a person has to do first: sentences; none: it can work.
  std::vector<std::string> missing{};
};

/// Looks, and asks the program for its version. Blocks, at most about ten seconds.
[[nodiscard]] AgentFound look_for_agent(const Actor& agent, const AgentSurroundings& around,
                                        const base::StopToken& stop);

/// Starts the program confined, as a plan does, with an empty home, and returns its version. The
/// error says what the sandbox lacks, or what the program wrote.
[[nodiscard]] base::Result<std::string> start_confined(const Actor& agent,
                                                       const AgentSurroundings& around,
                                                       const confine::Launcher& launcher,
                                                       const base::StopToken& stop);

}  // namespace clever::engine
