#include "engine/offer/offered_tools.h"

#include <utility>

#include "engine/offer/skill_tools.h"
#include "mcp/stdio_transport.h"

namespace clever::engine {
namespace {

constexpr std::size_t kLargestSkillList = std::size_t{8} << 10U;

mcp::OpenTransport transports(const OfferedTools::Options& options) {
  if (options.http != nullptr) {
    return mcp::open_transport(options.clock, *options.http, options.commands.launcher);
  }
  return [&clock = options.clock, launcher = options.commands.launcher](
             const mcp::ServerOptions& server) -> base::Result<std::unique_ptr<mcp::Transport>> {
    CLEVER_ASSIGN(auto process, confine::ConfinedProcess::start(launcher, *server.command));
    return mcp::make_stdio_transport(std::move(process), clock, {.server_name = server.name});
  };
}

}  // namespace

OfferedTools::OfferedTools(const Options& options, tool::ToolRegistry& registry)
    : offer_(options.offer),
      registry_(registry),
      skills_(skill_list(options.offer.skills, kLargestSkillList)),
      remarks_(options.offer.problems) {
  std::vector<McpOffer::Entry> entries;
  for (const McpServer& server : offer_.servers) add(server, options, entries);
  auto servers = McpOffer::make({.clock = options.clock,
                                 .random = random_,
                                 .registry = registry,
                                 .open = transports(options)},
                                std::move(entries));
  if (servers.ok()) {
    servers_ = *std::move(servers);
  } else {
    remarks_.push_back(servers.error().sentence());
  }
}

void OfferedTools::register_tools(const std::shared_ptr<tool::CommandWorld>& commands) {
  for (const OfferedTool& offered : offer_.tools) {
    const auto added = registry_.set("file:" + offered.tool.place + ":" + offered.tool.spec.name,
                                     {tool::make_custom_tool(offered.tool, commands)});
    if (!added.ok()) leave_out(offered.tool.place, added.error());
  }
  const auto added = registry_.set(kSkillOrigin, skill_tools(offer_.skills));
  if (!added.ok()) leave_out("skills", added.error());
}

void OfferedTools::bring(const base::StopToken& stop) const {
  if (servers_ != nullptr) servers_->bring(stop);
}

std::vector<std::string> OfferedTools::remarks() const {
  std::vector<std::string> all = remarks_;
  if (servers_ == nullptr) return all;
  for (std::string& remark : servers_->remarks()) all.push_back(std::move(remark));
  return all;
}

KnownTools OfferedTools::answered_servers() const {
  KnownTools known;
  const auto all = registry_.snapshot();
  for (const McpServer& server : offer_.servers) {
    bool answered = false;
    for (const auto& [name, tool] : all->tools()) {
      if (tool->origin != server_origin(server.name)) continue;
      answered = true;
      known.tools.push_back(tool->tool->spec());
    }
    if (answered) known.servers.push_back({.name = server.name, .answered = true});
  }
  return known;
}

void OfferedTools::add(const McpServer& server, const Options& options,
                       std::vector<McpOffer::Entry>& entries) {
  auto filled = filled_in(server, options.environment);
  if (!filled.ok()) return leave_out("mcp." + server.name, filled.error());
  entries.push_back(mcp_entry(*filled, options.commands));
  filled_servers_.push_back(*std::move(filled));
}

void OfferedTools::leave_out(const std::string& what, const base::Error& error) {
  remarks_.push_back(what + " is not offered: " + error.sentence());
}

}  // namespace clever::engine
