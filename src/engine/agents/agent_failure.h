#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "confine/confined_process.h"
#include "engine/agents/agent_program.h"
#include "engine/agents/agent_stream.h"

// Whether an external agent did its work, whatever its exit code says. Pure functions.
namespace clever::engine {

/// Why an agent could not work, by its own words.
enum class AgentTrouble : std::uint8_t {
  kNotLoggedIn,
  kNoNetwork,
  kOwnSandbox,  // it wants a sandbox of its own, which ours does not let it make
  kPasses,      // overloaded, rate limited: expected to pass
  kOther,
};
[[nodiscard]] AgentTrouble trouble_of(std::string_view words);

struct AgentEnd {
  /// As people know it: "claude".
  std::string name{};
  confine::Output output{};
  AgentReport report{};
  std::size_t changed_files = 0;
};

/// The error that the end amounts to; none: the agent did its work. The message holds the agent's
/// last meaningful words, from either stream, and the cure where there is one.
/// `permission_denied`, which is not tried again, where only a person can change it; else
/// `unavailable`.
[[nodiscard]] std::optional<base::Error> failure_of(const AgentProgram& program,
                                                    const AgentEnd& end);

/// Returns the last line on which an agent says that it tries to connect again; empty if it did not
/// do so several times.
[[nodiscard]] std::string repeated_network_error(std::string_view errors);

/// The last lines that say something: no JSON, no blanks; at most 2,000 bytes.
[[nodiscard]] std::string meaningful_end(std::string_view output);

/// What a person can do: log in, allow hosts; empty if there is nothing in particular.
[[nodiscard]] std::string cure_of(const AgentProgram& program, const std::string& name,
                                  AgentTrouble trouble);

}  // namespace clever::engine
