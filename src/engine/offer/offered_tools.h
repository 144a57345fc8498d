#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/stop_token.h"
#include "engine/offer/mcp_offer.h"
#include "engine/offer/offer.h"
#include "engine/rule_check.h"
#include "io/environment.h"
#include "io/http.h"
#include "tool/command_world.h"
#include "tool/registry.h"

namespace clever::engine {

/// The tools beside the built-in ones, ready for use: custom tools, skills, and MCP servers, which
/// bring theirs when a plan first needs them.
///
/// Owned by the caller of the tools, and destroyed after their last call has ended. Made by one
/// thread; thread-safe once the tools are registered.
class OfferedTools {
 public:
  struct Options {
    base::Clock& clock;
    /// Everything in it is trusted.
    Offer offer{};
    /// How commands run, with the project's root.
    tool::CommandOptions commands{};
    /// For ${NAME} in the servers' settings.
    io::Environment environment{};
    /// For servers with a url; null: there are none.
    io::Http* http = nullptr;
  };

  /// The registry must outlive it.
  OfferedTools(const Options& options, tool::ToolRegistry& registry);

  /// A name that is already in use costs only the tool that has it.
  void register_tools(const std::shared_ptr<tool::CommandWorld>& commands);
  /// Returns when the servers' tools are in the registry, or on a stop.
  void bring(const base::StopToken& stop) const;
  /// The description of the skills for models.
  [[nodiscard]] const std::string& skills() const { return skills_; }
  /// The MCP servers, with their environment filled in.
  [[nodiscard]] const std::vector<McpServer>& servers() const { return filled_servers_; }
  /// Sentences about what was left out, and why.
  [[nodiscard]] std::vector<std::string> remarks() const;
  /// The MCP servers that have answered, and their tools.
  [[nodiscard]] KnownTools answered_servers() const;

 private:
  void add(const McpServer& server, const Options& options, std::vector<McpOffer::Entry>& entries);
  void leave_out(const std::string& what, const base::Error& error);

  // Constant once the tools are registered, except for members that guard themselves.
  const Offer offer_;
  tool::ToolRegistry& registry_;
  const std::string skills_;
  std::vector<std::string> remarks_;
  std::vector<McpServer> filled_servers_;
  base::SystemRandom random_;
  std::unique_ptr<McpOffer> servers_;
};

}  // namespace clever::engine
