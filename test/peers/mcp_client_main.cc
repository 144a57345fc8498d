// mcp_client [--visible DIR]… [--writable DIR]… [--unconfined] (--url URL | -- COMMAND …)
//
// One MCP server through mcp::Servers. Steps come in lines on the standard input, what was seen
// goes to the standard output:
//
//   facts                        what was agreed on
//   tools                        their names, one per line
//   call TOOL JSON               the answer, and progress before it
//   cancel TOOL JSON             stopped at the first progress
//   deadline MS TOOL JSON        given so many milliseconds
//   many COUNT TOOL JSON         at once, from as many threads
//   health
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/task_group.h"
#include "base/thread_pool.h"
#include "confine/confined_process.h"
#include "io/environment.h"
#include "io/http_client.h"
#include "mcp/servers.h"

namespace clever {
namespace {

constexpr std::string_view kSupervise = "supervise";
constexpr std::string_view kName = "peer";

mcp::ServerOptions read_options(std::span<char*> words) {
  mcp::ServerOptions options{.name = std::string(kName)};
  confine::Command command{.argv = {}, .working_directory = "/"};
  std::size_t at = 0;
  for (; at + 1 < words.size() && std::string_view(words[at]) != "--"; ++at) {
    const std::string_view word = words[at];
    if (word == "--url") options.url = words[++at];
    if (word == "--unconfined") command.unconfined = true;
    if (word == "--visible" || word == "--writable") {
      const std::filesystem::path folder = words[++at];
      const auto kind =
          word == "--visible" ? confine::Mount::Kind::kReadOnly : confine::Mount::Kind::kWritable;
      command.mounts.push_back({.kind = kind, .target = folder, .source = folder});
      if (word == "--writable") options.roots.push_back(folder);
    }
  }
  if (!options.url.empty()) return options;
  command.argv.assign(words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end());
  command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8"};
  options.command = std::move(command);
  return options;
}

class Session {
 public:
  Session(mcp::Servers& servers, base::Clock& clock) : servers_(servers), clock_(clock) {}

  void step(const std::string& line) {
    std::istringstream words(line);
    std::string verb;
    words >> verb;
    if (verb == "facts") facts();
    if (verb == "tools") tools();
    if (verb == "health") health();
    if (verb == "call") show(call(words, limits(std::chrono::seconds{60})));
    if (verb == "cancel") cancel(words);
    if (verb == "deadline" || verb == "many") {
      int count = 0;
      words >> count;
      if (verb == "many") return many(count, words);
      show(call(words, limits(std::chrono::milliseconds{count})));
    }
  }

 private:
  [[nodiscard]] mcp::CallOptions limits(std::chrono::milliseconds time) const {
    return {.deadline = base::Deadline::after(clock_, time),
            .on_progress = [](const mcp::Progress& progress) {
              std::cout << "progress " << progress.done << "/" << progress.total << std::endl;
            }};
  }

  base::Result<mcp::ToolResult> call(std::istringstream& words, const mcp::CallOptions& options) {
    std::string tool;
    std::string arguments;
    words >> tool;
    std::getline(words, arguments);
    return servers_.call(kName, tool, arguments, options);
  }

  static void show(const base::Result<mcp::ToolResult>& result) {
    if (!result.ok()) {
      std::cout << "failed: " << result.error().to_string() << std::endl;
      return;
    }
    std::cout << (result->is_error ? "tool error: " : "answer: ") << result->text << std::endl;
    if (!result->structured.empty()) std::cout << "structured: " << result->structured << std::endl;
  }

  void facts() {
    const auto tools = servers_.tools(kName, {}, limits(std::chrono::seconds{60}).deadline);
    if (!tools.ok()) std::cout << "failed: " << tools.error().to_string() << std::endl;
    const mcp::ServerFacts seen = servers_.health()[0].facts;
    std::cout << "server " << seen.name << ' ' << seen.version << ", revision " << seen.protocol
              << std::endl;
  }

  void tools() {
    const auto tools = servers_.tools(kName, {}, limits(std::chrono::seconds{60}).deadline);
    if (!tools.ok()) std::cout << "failed: " << tools.error().to_string() << std::endl;
    if (!tools.ok()) return;
    for (const auto& tool : *tools) {
      std::cout << "tool " << tool.name << (tool.read_only ? " (read only)" : "") << std::endl;
    }
  }

  void cancel(std::istringstream& words) {
    base::StopSource stop;
    mcp::CallOptions options = limits(std::chrono::seconds{60});
    options.stop = stop.token();
    options.on_progress = [&](const mcp::Progress& progress) {
      std::cout << "stopping at " << progress.done << std::endl;
      stop.request_stop();
    };
    show(call(words, options));
  }

  void many(int count, std::istringstream& words) {
    std::string tool;
    std::string arguments;
    words >> tool;
    std::getline(words, arguments);
    base::Guarded<int> answered;
    base::ThreadPool pool({.threads = static_cast<unsigned>(count)});
    base::TaskGroup group(pool);
    for (int n = 0; n < count; ++n) {
      group
          .spawn([&](const base::StopToken&) -> base::Result<void> {
            const auto deadline = limits(std::chrono::seconds{60}).deadline;
            CLEVER_TRY(servers_.call(kName, tool, arguments, {.deadline = deadline}));
            answered.with([](int& so_far) { ++so_far; });
            return {};
          })
          .value();
    }
    const auto ended = group.wait();
    std::cout << "answered " << answered.with([](int so_far) { return so_far; }) << " of " << count
              << (ended.ok() ? "" : ", " + ended.error().to_string()) << std::endl;
  }

  void health() {
    for (const auto& seen : servers_.health()) {
      std::cout << "health " << to_string(seen.state) << ", starts " << seen.starts << ", open "
                << seen.open_calls << ", circuit " << to_string(seen.circuit) << std::endl;
    }
  }

  mcp::Servers& servers_;
  base::Clock& clock_;
};

int run(std::span<char*> words) {
  base::SystemClock clock;
  base::SystemRandom random;
  io::HttpClient http({});
  const confine::Launcher launcher{
      .argv = {std::filesystem::read_symlink("/proc/self/exe").string(), std::string(kSupervise)}};
  auto servers = mcp::Servers::create({clock, random, mcp::open_transport(clock, http, launcher)},
                                      {read_options(words.subspan(1))});
  if (!servers.ok()) {
    std::cerr << servers.error().to_string() << '\n';
    return 2;
  }
  Session session(**servers, clock);
  for (std::string line; std::getline(std::cin, line);) session.step(line);
  return 0;
}

}  // namespace
}  // namespace clever

int main(int argc, char** argv) {
  if (argc > 1 && argv[1] == clever::kSupervise) {
    return clever::confine::supervisor_main(argc, argv);
  }
  return clever::run(std::span(argv, static_cast<std::size_t>(argc)));
}
