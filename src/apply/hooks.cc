#include "apply/apply.h"
#include "apply/internal/group.h"
#include "apply/internal/hook_copy.h"
#include "apply/internal/new_id.h"
#include "apply/internal/repository.h"
#include "apply/internal/request_check.h"
#include "confine/world.h"
#include "io/directory.h"
#include "io/disk.h"
#include "io/environment.h"
#include "io/file.h"

namespace clever::apply {
namespace {

constexpr std::size_t kOutputLimit = std::size_t{1} << 20U;

bool is_hook(const std::filesystem::path& path) {
  const auto facts = io::place_facts(path);
  return facts.ok() && !facts->is_directory && (facts->mode & 0111U) != 0;
}

// Returns the folder in which the user's git looks for hooks.
base::Result<std::filesystem::path> hooks_folder(const git::Project& project,
                                                 const base::StopToken& stop,
                                                 base::Deadline deadline) {
  const git::GitCommandOptions options{.hooks = true, .stop = stop, .deadline = deadline};
  CLEVER_ASSIGN(std::string path,
                git::git_output(project.root, {"rev-parse", "--git-path", "hooks"}, options));
  while (path.ends_with('\n')) path.pop_back();
  return (project.root / path).lexically_normal();
}

confine::WorldOptions world_of(const Request& request) {
  const io::Environment environment = io::Environment::of_process();
  confine::WorldOptions world{
      .home = io::user_home(environment), .own_home = request.state_folder, .environment = {}};
  for (const auto& [name, value] : environment.entries()) {
    world.environment.push_back(name + "=" + value);
  }
  return world;
}

/// Runs the hooks of one request in a copy.
class HookRun {
 public:
  HookRun(const Request& request, const confine::Launcher& launcher, std::filesystem::path hooks,
          internal::HookCopy& copy, const base::StopToken& stop, base::Deadline deadline)
      : request_(request),
        launcher_(launcher),
        hooks_(std::move(hooks)),
        copy_(copy),
        stop_(stop),
        deadline_(deadline) {}

  base::Result<HookResult> run(const std::string& message) {
    CLEVER_TRY(copy_.make());
    CLEVER_TRY(copy_.write_message(message));
    CLEVER_TRY(run_hook("pre-commit", {}));
    if (result_.passed) CLEVER_TRY(run_hook("commit-msg", {".git/COMMIT_EDITMSG"}));
    // Some hooks fix files and fail, so that the user reviews and commits again.
    CLEVER_ASSIGN(result_.changed, copy_.changed(/*all=*/!result_.passed));
    CLEVER_ASSIGN(result_.message, copy_.message());
    return std::move(result_);
  }

 private:
  base::Result<void> run_hook(const std::string& name, const std::vector<std::string>& arguments) {
    if (!is_hook(hooks_ / name)) return {};
    CLEVER_ASSIGN(const confine::Command command, command_for(name, arguments));
    CLEVER_ASSIGN(const confine::Output output,
                  confine::run(launcher_, command, "", kOutputLimit, stop_, deadline_));
    result_.output += output.output + output.error_output;
    if (!output.ending.remark.empty()) result_.output += name + " " + output.ending.remark + "\n";
    result_.passed = output.ending.exit_code == 0;
    return {};
  }

  [[nodiscard]] base::Result<confine::Command> command_for(
      const std::string& name, const std::vector<std::string>& arguments) const {
    const confine::WorldOptions world = world_of(request_);
    confine::Command command;
    command.argv = {(copy_.hooks_inside(hooks_) / name).string()};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.working_directory = request_.project.root;
    command.environment = confine::clean_environment(world);
    // As `git commit` runs them. Inside the sandbox the copy may seem to belong to another user.
    for (const char* setting : {"GIT_INDEX_FILE=.git/index", "GIT_EDITOR=:", "GIT_CONFIG_COUNT=1",
                                "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"}) {
      command.environment.emplace_back(setting);
    }
    command.hidden = {world.own_home};
    command.chosen_by_person = true;
    command.mounts = confine::cache_mounts(world);
    CLEVER_ASSIGN(const std::vector<confine::Mount> mounts, copy_.mounts(hooks_));
    command.mounts.insert(command.mounts.end(), mounts.begin(), mounts.end());
    return command;
  }

  const Request& request_;
  const confine::Launcher& launcher_;
  std::filesystem::path hooks_;
  internal::HookCopy& copy_;
  const base::StopToken& stop_;
  base::Deadline deadline_;
  HookResult result_{};
};

}  // namespace

base::Result<HookResult> run_commit_hooks(const Request& request, const confine::Launcher& launcher,
                                          const base::StopToken& stop, base::Deadline deadline) {
  CLEVER_TRY(internal::check_request(request));
  if (!request.project.members.empty()) {
    return internal::run_hooks_of_group(request, launcher, stop, deadline);
  }
  HookResult nothing{.message = request.message};
  const bool commits =
      request.project.kind == git::ProjectKind::kRepository && request.mode != Mode::kWorkingTree;
  if (!request.run_hooks || !commits) return nothing;
  CLEVER_ASSIGN(const std::filesystem::path hooks, hooks_folder(request.project, stop, deadline));
  if (!is_hook(hooks / "pre-commit") && !is_hook(hooks / "commit-msg")) return nothing;
  const internal::Repository repository(request.project, stop, deadline);
  CLEVER_ASSIGN(const std::string message,
                repository.with_trailer(request.message, "Plan-Id: " + request.plan.to_string()));
  CLEVER_TRY(io::make_directories(request.state_folder));
  CLEVER_ASSIGN(const io::Directory state, io::Directory::open(request.state_folder));
  const std::string name = "hooks-" + internal::new_id();
  internal::HookCopy copy(request, io::absolute_path(request.state_folder / name), stop, deadline);
  auto result = HookRun(request, launcher, hooks, copy, stop, deadline).run(message);
  CLEVER_TRY(state.remove_all(name));
  if (result.ok() && result->changed) CLEVER_TRY(request.store->sync(stop, deadline));
  return result;
}

}  // namespace clever::apply
