#include "service/work_folder.h"

#include "config/schema.h"
#include "engine/work_folder.h"
#include "git/project_group.h"
#include "io/environment.h"
#include "service/text.h"

namespace clever::service {
namespace {

engine::WorkFolderRules rules_of(const Context& context) {
  return {.home = io::user_home(context.environment()), .own_home = context.home()};
}

base::Error no_project(const std::string& folder) {
  return base::invalid_argument(
      folder +
      " is not a git repository: pass --here to work on all files in it, or run `git init`");
}

base::Result<git::Project> check_seen(git::Project project, const Context& context) {
  if (context.sees_project(project.root)) return project;
  return base::not_found("no such project: " + printable(project.root.string()));
}

}  // namespace

Option here_option() {
  return {.name = "here", .summary = "Work on this folder although it is not a git repository"};
}

base::Result<void> check_project_folder(const git::Project& project, const Context& context) {
  return engine::check_work_folder(project, rules_of(context));
}

base::Result<git::Project> work_project(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(git::Project project, context.project());
  CLEVER_TRY(check_project_folder(project, context));
  if (invocation.flag("here") || engine::is_named_project(project, rules_of(context))) {
    return project;
  }
  const std::string folder = printable(project.root.string());
  const Screen screen = context.screen();
  if (!screen.can_ask()) return no_project(folder);
  CLEVER_ASSIGN(
      const bool agreed,
      screen.confirm(
          folder +
              " is not a git repository. Work on all the files in it, and show them to models?",
          context.stop()));
  if (!agreed) return base::cancelled("no plan was started in " + folder);
  return project;
}

base::Result<git::Project> git_repository(const std::filesystem::path& folder,
                                          const config::Settings& settings, Context& context) {
  CLEVER_ASSIGN(git::Project project, context.find_project(folder, settings));
  CLEVER_TRY(check_project_folder(project, context));
  if (project.kind != git::ProjectKind::kRepository) {
    return base::invalid_argument("--project: " + printable(project.root.string()) +
                                  " is not a git repository: run `git init` there");
  }
  return check_seen(std::move(project), context);
}

base::Result<git::Project> project_group(const std::vector<std::filesystem::path>& folders,
                                         Context& context) {
  // One project's sandbox.include does not count for the others.
  config::Sources sources = context.sources();
  sources.project_directory.reset();
  const auto settings = config::load_settings(sources);
  if (!settings.ok()) return blame_file(settings.error());
  CLEVER_ASSIGN(git::Project group,
                git::make_project_group(
                    folders, {.include = config::list_of(settings->text("sandbox.include")),
                              .own_home = context.home()}));
  for (const git::Project& member : group.members) {
    CLEVER_TRY(check_project_folder(member, context));
    CLEVER_TRY(check_seen(member, context));
  }
  return group;
}

}  // namespace clever::service
