#include "service/work_folder.h"

#include "engine/work_folder.h"
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
  CLEVER_ASSIGN(const bool agreed, screen.confirm(folder + " is no git repository. Work on all the "
                                                           "files in it, and show them to models?",
                                                  context.stop()));
  if (!agreed) return base::cancelled("nothing was begun in " + folder);
  return project;
}

}  // namespace clever::service
