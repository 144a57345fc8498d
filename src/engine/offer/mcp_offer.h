#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/monitor.h"
#include "base/random.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "base/thread_pool.h"
#include "engine/offer/mcp_server.h"
#include "mcp/servers.h"
#include "tool/command_world.h"
#include "tool/registry.h"

namespace clever::engine {

/// The tools of MCP servers in the registry. No server starts before the first use.
///
///     idle       a caller needs the tools           starting: each server on a thread of its own
///     starting   a server said what it offers       its tools are in the registry
///     starting   one failed, or its time is over    it is left out, and a remark says why
///     starting   that was the last                  ready
///
/// A caller that comes while they start waits for all of them, at most as long as the slowest may
/// take; a server that dies later is started again by the next call of one of its tools
/// (mcp::Servers).
///
/// Owned by the runtime. Thread-safe. The destructor ends all servers and takes their tools out of
/// the registry.
class McpOffer {
 public:
  struct Parts {
    base::Clock& clock;
    base::Random& random;
    tool::ToolRegistry& registry;
    mcp::OpenTransport open;
  };
  /// How one server is run, and what is believed of it.
  struct Entry {
    mcp::ServerOptions options{};
    bool trust_hints = false;
  };

  [[nodiscard]] static base::Result<std::unique_ptr<McpOffer>> make(Parts parts,
                                                                    std::vector<Entry> entries);
  ~McpOffer();
  McpOffer(const McpOffer&) = delete;
  McpOffer& operator=(const McpOffer&) = delete;

  /// Returns when all tools that there will be are in the registry, or on a stop.
  void bring(const base::StopToken& stop);
  /// Why servers were left out, in sentences.
  [[nodiscard]] std::vector<std::string> remarks() const;

 private:
  enum class Stage : std::uint8_t { kIdle, kStarting, kReady };
  struct State {
    Stage stage = Stage::kIdle;
    std::size_t open = 0;
    std::vector<std::string> remarks{};
  };

  McpOffer(Parts parts, std::vector<Entry> entries, std::unique_ptr<mcp::Servers> servers);
  void start_all();
  void start(const Entry& entry);
  [[nodiscard]] base::Result<void> add_tools(const Entry& entry);

  // Constant after construction.
  const Parts parts_;
  const std::vector<Entry> entries_;
  const std::unique_ptr<mcp::Servers> servers_;

  base::StopSource closing_;
  base::Monitor<State> state_;
  // Made by the caller that starts the servers, alone; last, since its threads use all of the
  // above.
  std::unique_ptr<base::ThreadPool> threads_;
};

/// The origin under which a server's tools are registered.
[[nodiscard]] std::string server_origin(std::string_view server);

/// How a server is run: confined like the commands of plans, in the project's folder, which it can
/// read and not write. `commands.project_root` is that folder.
[[nodiscard]] McpOffer::Entry mcp_entry(const McpServer& server,
                                        const tool::CommandOptions& commands);

}  // namespace clever::engine
