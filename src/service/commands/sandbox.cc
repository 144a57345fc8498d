#include "service/commands/sandbox.h"

#include <algorithm>

#include "base/number.h"
#include "git/project.h"
#include "io/disk.h"
#include "io/environment.h"
#include "io/machine.h"
#include "service/commands/commands.h"
#include "service/plan/trusted_commands.h"

namespace clever::service {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;

confine::Network network_of(std::string_view name) {
  if (name == "on") return confine::Network::kOn;
  return name == "hosts" ? confine::Network::kHosts : confine::Network::kOff;
}

// Reads a setting that is a whole number.
std::uint64_t number_setting(const config::Settings& settings, std::string_view key) {
  return base::to_number<std::uint64_t>(settings.text(key)).value_or(0);
}

// Rounds down to whole mebibytes, for a readable number.
std::uint64_t whole_mebibytes(std::uint64_t bytes) {
  return bytes < kMebibyte ? bytes : bytes / kMebibyte * kMebibyte;
}

// Workspaces are in the home folder, so its disk counts.
std::uint64_t disk_limit(const config::Settings& settings, const Context& context) {
  constexpr std::uint64_t kUsual = std::uint64_t{4} << 30U;
  const auto home = io::nearest_existing(context.home());
  const std::uint64_t free = io::free_space(home).value_or(kUsual * 10);
  const std::string text = settings.text("sandbox.disk");
  return text.empty() ? std::min(kUsual, whole_mebibytes(free / 10)) : config::size_of(text, free);
}

}  // namespace

base::Result<tool::CommandOptions> command_options(bool unconfined,
                                                   const config::Settings& settings,
                                                   const std::filesystem::path& project_root,
                                                   const Context& context) {
  tool::CommandOptions options;
  options.launcher = context.launcher();
  options.world = {.home = io::user_home(context.environment()),
                   .own_home = context.home(),
                   .environment = context.environment_lines()};
  options.network = network_of(settings.text("sandbox.network"));
  options.hosts = config::list_of(settings.text("sandbox.hosts"));
  CLEVER_TRY(confine::check_hosts(options.hosts).context("sandbox.hosts"));
  options.include = config::list_of(settings.text("sandbox.include"));
  CLEVER_ASSIGN(options.setup, trusted_setup(context, settings, project_root));
  options.limits.memory = number_setting(settings, "sandbox.memory_mb") * kMebibyte;
  options.limits.total_memory =
      whole_mebibytes(config::size_of(settings.text("sandbox.memory"), io::machine_memory()));
  options.limits.disk = disk_limit(settings, context);
  options.limits.files = number_setting(settings, "sandbox.files");
  options.limits.processes = number_setting(settings, "sandbox.processes");
  options.limits.file_size = number_setting(settings, "sandbox.file_size_mb") * kMebibyte;
  options.unconfined = unconfined;
  return options;
}

base::Result<tool::CommandOptions> command_options(const Invocation& invocation, Context& context,
                                                   const std::filesystem::path& project_root,
                                                   const std::filesystem::path& shared_folder) {
  if (!context.settings().ok()) return context.settings().error();
  CLEVER_ASSIGN(
      tool::CommandOptions options,
      command_options(invocation.flag("unconfined"), *context.settings(), project_root, context));
  options.project_root = project_root;
  options.shared_folder = shared_folder;
  if (const auto network = invocation.value("network")) options.network = network_of(*network);
  return options;
}

std::vector<Option> command_flags() {
  return {
      {.name = "network",
       .value = "WHAT",
       .summary = "Network access (default sandbox.network)",
       .choices = {"off", "hosts", "on"}},
      {.name = "unconfined", .summary = "Run it without confinement, with access to this machine"}};
}

Command sandbox_command() {
  return {.name = "sandbox",
          .summary = "Run commands in a sandbox",
          .examples = {{"agents sandbox run -- make test", "See whether the tests pass"}},
          .subcommands = {sandbox_run_command()}};
}

}  // namespace clever::service
