#include "tool/command_world.h"

#include <algorithm>

#include "base/sha256.h"
#include "io/file.h"
#include "tool/internal/setup_layers.h"
#include "tool/output_text.h"

namespace clever::tool {
namespace {

using confine::Mount;

// Facts that are determined once, for all commands.
struct Found {
  std::vector<std::string> environment{};
  std::vector<Mount> caches{};
  std::vector<std::string> dependencies{};
  bool overlay = false;
  std::optional<base::Error> unavailable{};
};

void look_for_confinement(const CommandOptions& options, Found& found) {
  if (options.unconfined) return;
  const std::vector<confine::Feature> features =
      options.features ? *options.features : confine::features(options.launcher);
  if (auto required = confine::check_required(features); !required.ok()) {
    found.unavailable = std::move(required).error();
  }
  found.overlay = std::ranges::any_of(features, [](const confine::Feature& feature) {
    return feature.available && feature.name.find("overlay") != std::string::npos;
  });
}

base::Result<Found> look_around(const CommandOptions& options) {
  Found found{.environment = confine::clean_environment(options.world),
              .caches = confine::cache_mounts(options.world)};
  look_for_confinement(options, found);
  const auto add = [&](const std::filesystem::path& root,
                       const std::string& above) -> base::Result<void> {
    CLEVER_ASSIGN(const auto folders, confine::dependency_folders(root, options.include));
    for (const confine::DependencyFolder& folder : folders) {
      found.dependencies.push_back(above + folder.path);
    }
    return {};
  };
  for (const git::Project& member : options.members) {
    CLEVER_TRY(add(member.root, member.name + "/"));
  }
  if (options.members.empty()) CLEVER_TRY(add(options.project_root, ""));
  return found;
}

RunConfined usual_run(const confine::Launcher& launcher) {
  return
      [launcher](const confine::Command& command, std::string_view standard_input,
                 std::size_t output_limit, const base::StopToken& stop, base::Deadline deadline) {
        return confine::run(launcher, command, standard_input, output_limit, stop, deadline);
      };
}

class World final : public CommandWorld {
 public:
  World(base::Clock& clock, CommandOptions options, Found found)
      : clock_(clock),
        options_(std::move(options)),
        found_(std::move(found)),
        run_(options_.run ? options_.run : usual_run(options_.launcher)),
        layers_(options_.shared_folder, options_.setup) {}

  base::Result<CommandReport> run(sandbox::Workspace& workspace, const WorkspaceCommand& command,
                                  const base::StopToken& stop, base::Deadline deadline) override {
    if (found_.unavailable) return *found_.unavailable;
    CLEVER_ASSIGN(const std::filesystem::path folder, inside(workspace, command.working_directory));
    CLEVER_ASSIGN(sandbox::Workspace::Materialised place,
                  workspace.begin_command(found_.dependencies, found_.overlay, stop));
    CommandReport report;
    auto prepared = prepare(workspace, place, stop, deadline);
    if (prepared.ok()) execute(place.mounts, folder, command, stop, deadline, report);
    // Runs for any outcome, even for an abandoned wait: the workspace must know its files.
    auto captured = workspace.end_command();
    if (!captured.ok()) captured = workspace.end_command();
    CLEVER_TRY(std::move(prepared));
    CLEVER_ASSIGN(report.captured, std::move(captured).context("capturing its changes"));
    return report;
  }

 private:
  base::Result<std::filesystem::path> inside(sandbox::Workspace& workspace,
                                             const std::string& text) const {
    const std::filesystem::path wanted = std::filesystem::path(text).lexically_normal();
    const bool root = text.empty() || wanted == "." || wanted == options_.project_root ||
                      wanted == options_.project_root / "";
    if (root) return options_.project_root;
    CLEVER_ASSIGN(const git::TreePath path, workspace.resolve(text));
    return options_.project_root / path.text();
  }

  base::Result<void> prepare(sandbox::Workspace& workspace, sandbox::Workspace::Materialised& place,
                             const base::StopToken& stop, base::Deadline deadline) const {
    if (options_.setup.empty()) return {};
    const auto run_setup = [&](const std::vector<Mount>& mounts) {
      return setup(mounts, stop, deadline);
    };
    if (place.overlay) return layers_.add(workspace, place.mounts, run_setup, stop, deadline);
    return set_up_copy(place.mounts, run_setup);
  }

  // Without overlays each workspace has its own copy, and its own setup.
  base::Result<void> set_up_copy(const std::vector<Mount>& mounts,
                                 const internal::SetupLayers::RunSetup& run_setup) const {
    const std::string what = real_root(mounts).string() + "\n" + options_.setup;
    const std::filesystem::path mark =
        options_.shared_folder / ("setup-" + base::sha256(what).to_hex() + ".done");
    if (io::file_kind(mark) != io::FileKind::kMissing) return {};
    CLEVER_TRY(run_setup(mounts));
    CLEVER_TRY(io::make_directories(options_.shared_folder));
    return io::write_file_atomically(mark, options_.setup);
  }

  base::Result<void> setup(const std::vector<Mount>& mounts, const base::StopToken& stop,
                           base::Deadline deadline) const {
    CommandReport report;
    execute(mounts, options_.project_root,
            {.argv = {"sh", "-c", options_.setup},
             .timeout = options_.setup_timeout,
             .chosen_by_person = true},
            stop, deadline, report);
    if (report.failure) return base::unavailable("sandbox.setup: " + report.failure->sentence());
    const confine::Output& output = *report.output;
    if (output.ending.exit_code == 0) return {};
    constexpr std::size_t kShown = 2000;
    return base::unavailable("sandbox.setup failed with exit code " +
                             std::to_string(output.ending.exit_code) + ": " +
                             cut_middle(output.error_output + output.output, kShown));
  }

  // Returns where the project's files really are.
  std::filesystem::path real_root(const std::vector<Mount>& mounts) const {
    for (const Mount& mount : mounts) {
      if (mount.target == options_.project_root && !mount.source.empty()) return mount.source;
    }
    return options_.project_root;
  }

  confine::Command confined(const std::vector<Mount>& mounts, const std::filesystem::path& folder,
                            const WorkspaceCommand& command) const {
    confine::Command made{.argv = command.argv,
                          .working_directory = folder,
                          .environment = found_.environment,
                          .mounts = mounts,
                          .hidden = {options_.world.own_home},
                          .limits = options_.limits,
                          .network = options_.network,
                          .hosts = options_.hosts,
                          .chosen_by_person = command.chosen_by_person,
                          .unconfined = options_.unconfined};
    made.mounts.insert(made.mounts.begin(), found_.caches.begin(), found_.caches.end());
    made.mounts.insert(made.mounts.end(), command.mounts.begin(), command.mounts.end());
    made.environment.insert(made.environment.end(), command.environment.begin(),
                            command.environment.end());
    if (command.network) {
      made.network = *command.network;
      made.hosts = command.hosts;
    }
    if (!command.home.empty()) show_home(command.home, made);
    if (options_.unconfined) {
      made.working_directory = real_root(mounts) / folder.lexically_relative(options_.project_root);
    }
    return made;
  }

  // Replaces the empty home folder, under everything mounted inside it.
  void show_home(const std::filesystem::path& home, confine::Command& made) const {
    if (options_.unconfined) {
      for (std::string& entry : made.environment) {
        if (entry.starts_with("HOME=")) entry = "HOME=" + home.string();
      }
      return;
    }
    const Mount own{.kind = Mount::Kind::kWritable, .target = options_.world.home, .source = home};
    const auto empty = std::ranges::find(made.mounts, options_.world.home, &Mount::target);
    if (empty == made.mounts.end()) {
      made.mounts.insert(made.mounts.begin(), own);
    } else {
      *empty = own;
    }
  }

  void execute(const std::vector<Mount>& mounts, const std::filesystem::path& folder,
               const WorkspaceCommand& command, const base::StopToken& stop,
               base::Deadline deadline, CommandReport& report) const {
    const auto own = base::Deadline::after(clock_, command.timeout).earlier(deadline);
    const RunConfined& run = command.run ? command.run : run_;
    auto output = run(confined(mounts, folder, command), command.standard_input,
                      command.output_limit, stop, own);
    if (output.ok()) {
      report.output = std::move(output).value();
    } else {
      report.failure = std::move(output).error();
    }
  }

  // Constant after construction.
  base::Clock& clock_;
  const CommandOptions options_;
  const Found found_;
  const RunConfined run_;
  const internal::SetupLayers layers_;
};

}  // namespace

base::Result<std::shared_ptr<CommandWorld>> CommandWorld::make(base::Clock& clock,
                                                               CommandOptions options) {
  CLEVER_ASSIGN(Found found, look_around(options));
  return std::make_shared<World>(clock, std::move(options), std::move(found));
}

}  // namespace clever::tool
