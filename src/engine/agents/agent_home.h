#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "base/result.h"
#include "base/stop_token.h"
#include "engine/agents/agent_program.h"

namespace clever::engine {

/// Where an agent's session stands. A value, kept beside its home.
struct AgentSession {
  /// Its id; empty: there is none yet.
  std::string id{};
  /// What it works on, and the tree that this work began with.
  std::string step{};
  std::string base{};
  /// The tree that it left; empty while it works, or if it did not come to its end.
  std::string tree{};
  /// The folder that its changes are in while it works.
  std::string layer{};
  /// How many of the plan's prompts it has heard.
  std::int64_t prompts = 0;
  /// How many decisions of people on its calls it has heard.
  std::int64_t answers = 0;
  /// What it used in all so far, of an agent that counts the whole session each time.
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  friend bool operator==(const AgentSession&, const AgentSession&) = default;
};

/// The home folder of one agent of one plan, kept for resuming: nothing in it is the person's. One
/// for each epoch of the plan's lease: a new owner works on a copy of the last one's, and what a
/// paused owner still writes is read by nobody.
///
///   FOLDER/EPOCH/home           the agent's HOME
///   FOLDER/EPOCH/session.json   AgentSession
///
/// Owned by who runs the agent; blocks. Goes with the folder of the plan's files.
class AgentHome {
 public:
  [[nodiscard]] static base::Result<AgentHome> open(const std::filesystem::path& folder,
                                                    std::int64_t epoch,
                                                    const base::StopToken& stop);

  [[nodiscard]] std::filesystem::path path() const { return folder_ / "home"; }
  [[nodiscard]] const AgentSession& session() const { return session_; }
  /// Durable when it returns.
  base::Result<void> save(AgentSession session);

  /// Writes the settings that the program gives its agent, over whatever the agent made of them.
  base::Result<void> write_settings(const AgentProgram& program, bool logged_in) const;
  /// Copies a folder of the person's into the home, once.
  base::Result<void> copy_in(const std::filesystem::path& from, const std::string& name,
                             const base::StopToken& stop) const;

 private:
  AgentHome(std::filesystem::path folder, AgentSession session)
      : folder_(std::move(folder)), session_(std::move(session)) {}

  std::filesystem::path folder_;
  AgentSession session_;
};

}  // namespace clever::engine
