#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "base/result.h"
#include "base/stop_token.h"
#include "engine/agents/agent_program.h"

namespace clever::engine {

/// The state of an agent's session. A value, stored beside the agent's home.
struct AgentSession {
  /// The session's id; empty: there is none yet.
  std::string id{};
  /// The step it works on, and the tree that this work started from.
  std::string step{};
  std::string base{};
  /// The tree that it left; empty while it works, or if it did not finish.
  std::string tree{};
  /// The folder of its changes while it works.
  std::string layer{};
  /// How many of the plan's prompts it has received.
  std::int64_t prompts = 0;
  /// How many decisions about its calls it has received.
  std::int64_t answers = 0;
  /// Its total usage so far, for an agent that reports the whole session each time.
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  friend bool operator==(const AgentSession&, const AgentSession&) = default;
};

/// The home folder of one agent of one plan, kept for resuming: nothing in it is the person's. Each
/// epoch of the plan's lease has its own: a new owner works on a copy of the last one's, and never
/// reads what a paused owner still writes.
///
///   FOLDER/EPOCH/home           the agent's HOME
///   FOLDER/EPOCH/session.json   AgentSession
///
/// Owned by the code that runs the agent; blocks. Removed with the folder of the plan's files.
class AgentHome {
 public:
  [[nodiscard]] static base::Result<AgentHome> open(const std::filesystem::path& folder,
                                                    std::int64_t epoch,
                                                    const base::StopToken& stop);

  [[nodiscard]] std::filesystem::path path() const { return folder_ / "home"; }
  [[nodiscard]] const AgentSession& session() const { return session_; }
  /// The session is durable when this returns.
  base::Result<void> save(AgentSession session);

  /// Writes the settings that the program gives its agent, over the agent's own changes.
  base::Result<void> write_settings(const AgentProgram& program, bool logged_in) const;
  /// Copies a folder of the person into the home, once.
  base::Result<void> copy_in(const std::filesystem::path& from, const std::string& name,
                             const base::StopToken& stop) const;

 private:
  AgentHome(std::filesystem::path folder, AgentSession session)
      : folder_(std::move(folder)), session_(std::move(session)) {}

  std::filesystem::path folder_;
  AgentSession session_;
};

}  // namespace clever::engine
