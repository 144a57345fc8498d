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

/// What is offered beside the built-in tools, ready for use: custom tools, skills, and the servers
/// that bring theirs when somebody needs them.
///
/// Owned by whoever calls tools, and gone after their last call has ended. Made by one thread;
/// thread-safe once the tools are registered.
class OfferedTools {
 public:
  struct Options {
    base::Clock& clock;
    /// All of it trusted.
    Offer offer{};
    /// How commands run, with the project's root.
    tool::CommandOptions commands{};
    /// For ${NAME} in what servers are given.
    io::Environment environment{};
    /// For servers on the net; none: there are none.
    io::Http* http = nullptr;
  };

  /// The registry outlives it.
  OfferedTools(const Options& options, tool::ToolRegistry& registry);

  /// A name that is taken costs only the tool that has it.
  void register_tools(const std::shared_ptr<tool::CommandWorld>& commands);
  /// Returns when the servers' tools are in the registry, or on a stop.
  void bring(const base::StopToken& stop) const;
  /// What models are told of skills.
  [[nodiscard]] const std::string& skills() const { return skills_; }
  /// The MCP servers, with their environment filled in.
  [[nodiscard]] const std::vector<McpServer>& servers() const { return filled_servers_; }
  /// What was left out, and why, in sentences.
  [[nodiscard]] std::vector<std::string> remarks() const;
  /// The MCP servers that have answered, and their tools.
  [[nodiscard]] KnownTools answered_servers() const;

 private:
  void add(const McpServer& server, const Options& options, std::vector<McpOffer::Entry>& entries);
  void leave_out(const std::string& what, const base::Error& error);

  // Constant once the tools are registered, but for what each of them guards itself.
  const Offer offer_;
  tool::ToolRegistry& registry_;
  const std::string skills_;
  std::vector<std::string> remarks_;
  std::vector<McpServer> filled_servers_;
  base::SystemRandom random_;
  std::unique_ptr<McpOffer> servers_;
};

}  // namespace clever::engine
