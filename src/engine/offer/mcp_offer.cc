#include "engine/offer/mcp_offer.h"

#include <algorithm>

#include "confine/world.h"
#include "tool/mcp_tools.h"

namespace clever::engine {
namespace {

constexpr std::size_t kMostThreads = 16;

// Progress reports extend a call to at most this many times its timeout.
constexpr int kMostExtensions = 12;

}  // namespace

base::Result<std::unique_ptr<McpOffer>> McpOffer::make(Parts parts, std::vector<Entry> entries) {
  std::vector<mcp::ServerOptions> options;
  for (const Entry& entry : entries) options.push_back(entry.options);
  CLEVER_ASSIGN(
      auto servers,
      mcp::Servers::create({.clock = parts.clock, .random = parts.random, .open = parts.open},
                           std::move(options)));
  return std::unique_ptr<McpOffer>(
      new McpOffer(std::move(parts), std::move(entries), std::move(servers)));
}

McpOffer::McpOffer(Parts parts, std::vector<Entry> entries, std::unique_ptr<mcp::Servers> servers)
    : parts_(std::move(parts)), entries_(std::move(entries)), servers_(std::move(servers)) {}

McpOffer::~McpOffer() {
  closing_.request_stop();
  threads_.reset();
  for (const Entry& entry : entries_) parts_.registry.remove(server_origin(entry.options.name));
}

void McpOffer::bring(const base::StopToken& stop) {
  const bool starts = state_.update([this](State& state) {
    if (state.stage != Stage::kIdle) return false;
    state.stage = entries_.empty() ? Stage::kReady : Stage::kStarting;
    state.open = entries_.size();
    return state.stage == Stage::kStarting;
  });
  if (starts) start_all();
  // A stop ends the wait, not the start: other callers may wait for the same servers.
  static_cast<void>(state_
                        .wait(stop, base::Deadline::never(),
                              [](const State& state) { return state.stage == Stage::kReady; })
                        .ok());
}

void McpOffer::start_all() {
  threads_ = std::make_unique<base::ThreadPool>(base::ThreadPool::Options{
      .name = "mcp", .threads = static_cast<unsigned>(std::min(entries_.size(), kMostThreads))});
  for (const Entry& entry : entries_) {
    // The queue has room for all of them.
    threads_->post([this, &entry] { start(entry); }).value();
  }
}

void McpOffer::start(const Entry& entry) {
  const base::Result<void> added = add_tools(entry);
  state_.update([&](State& state) {
    if (!added.ok()) {
      state.remarks.push_back("the tools of the MCP server " + entry.options.name +
                              " are not offered: " + added.error().sentence());
    }
    --state.open;
    if (state.open == 0) state.stage = Stage::kReady;
  });
}

base::Result<void> McpOffer::add_tools(const Entry& entry) {
  const std::string& name = entry.options.name;
  const auto deadline = base::Deadline::after(parts_.clock, entry.options.start_timeout);
  CLEVER_ASSIGN(const std::vector<mcp::ServerTool> tools,
                servers_->tools(name, closing_.token(), deadline));
  const auto patience = entry.options.call_timeout;
  const tool::CallServerTool call = [this, name, patience](
                                        std::string_view tool, std::string_view arguments,
                                        const base::StopToken& stop, base::Deadline until) {
    return servers_->call(name, tool, arguments,
                          {.stop = stop, .deadline = until, .patience = patience});
  };
  const tool::McpToolOptions options{.trust_hints = entry.trust_hints,
                                     .timeout = kMostExtensions * patience};
  return parts_.registry.set(server_origin(name), tool::mcp_tools(name, tools, call, options));
}

std::vector<std::string> McpOffer::remarks() const {
  return state_.read([](const State& state) { return state.remarks; });
}

std::string server_origin(std::string_view server) { return "mcp:" + std::string(server); }

McpOffer::Entry mcp_entry(const McpServer& server, const tool::CommandOptions& commands) {
  McpOffer::Entry entry{.options = {.name = server.name,
                                    .url = server.url,
                                    .start_timeout = server.timeout,
                                    .call_timeout = server.call_timeout,
                                    .roots = {commands.project_root}},
                        .trust_hints = server.trust_hints};
  entry.options.headers.insert(server.headers.begin(), server.headers.end());
  if (!server.url.empty()) return entry;
  confine::Command command{.argv = server.argv,
                           .working_directory = commands.project_root,
                           .environment = confine::clean_environment(commands.world),
                           .mounts = confine::cache_mounts(commands.world),
                           .hidden = {commands.world.own_home},
                           .limits = commands.limits,
                           .network = server.network.value_or(commands.network),
                           .hosts = commands.hosts,
                           .chosen_by_person = true,
                           .unconfined = commands.unconfined};
  // The server runs as long as the plans.
  command.limits.cpu = std::chrono::seconds{0};
  for (const auto& [name, value] : server.environment) {
    std::erase_if(command.environment,
                  [&](const std::string& line) { return line.starts_with(name + "="); });
    command.environment.push_back(name + "=" + value);
  }
  command.mounts.push_back({.kind = confine::Mount::Kind::kReadOnly,
                            .target = commands.project_root,
                            .source = commands.project_root});
  entry.options.command = std::move(command);
  return entry;
}

}  // namespace clever::engine
