#include "service/context.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "git/project_group.h"
#include "io/process.h"
#include "service/caller.h"
#include "service/exit_code.h"
#include "service/found_projects.h"

namespace clever::service {

Context::Context(const Surroundings& surroundings, std::filesystem::path directory,
                 std::vector<std::pair<std::string, std::string>> flags, std::size_t width,
                 std::function<storage::Progress()> progress, std::function<Screen()> screen,
                 base::Redactor& redactor)
    : surroundings_(surroundings),
      directory_(std::move(directory)),
      home_(config::home_directory(surroundings.environment)),
      flags_(std::move(flags)),
      width_(width),
      progress_(std::move(progress)),
      screen_(std::move(screen)),
      redactor_(redactor) {}

std::vector<std::string> Context::environment_lines() const {
  std::vector<std::string> lines;
  for (const auto& [name, value] : environment().entries()) lines.push_back(name + "=" + value);
  return lines;
}

Databases& Context::databases() const {
  CLEVER_CHECK(surroundings_.databases != nullptr,
               "this command needs a database, and the program has none");
  return *surroundings_.databases;
}

Models& Context::models() const {
  CLEVER_CHECK(surroundings_.models != nullptr,
               "this command calls models, and the program has none");
  return *surroundings_.models;
}

bool Context::sees_all() const { return caller_ == nullptr || !caller_->namespaces; }

bool Context::sees_project(const std::filesystem::path& folder) const {
  return sees_all() || service::sees_project(*caller_, folder, home_);
}

base::StopToken Context::stop() const {
  return surroundings_.interruption ? surroundings_.interruption() : base::StopToken();
}

base::StopToken Context::insistence() const {
  return surroundings_.insistence ? surroundings_.insistence() : base::StopToken();
}

void Context::on_hangup(std::function<void()> note) const {
  if (!surroundings_.hangups) return io::survive_hangup();
  surroundings_.hangups(std::move(note));
}

base::Result<std::int64_t> Context::start_in_background(const std::vector<std::string>& arguments,
                                                        const std::filesystem::path& log) const {
  if (!surroundings_.background)
    return base::unavailable("plans cannot run in the background here: run without --detach");
  return surroundings_.background(arguments, directory_, log);
}

base::Result<std::string> Context::input() const {
  return surroundings_.input ? surroundings_.input() : std::string();
}

config::Sources Context::sources() const {
  return {.home = home_,
          .project_directory = directory_,
          .environment = surroundings_.environment,
          .flags = flags_};
}

const base::Result<config::Settings>& Context::settings() {
  if (!settings_) settings_ = load(sources());
  return *settings_;
}

base::Result<config::Settings> Context::settings_in(const std::filesystem::path& folder) const {
  config::Sources sources = this->sources();
  sources.project_directory = folder;
  // The folder of a project group has no settings of its own.
  if (git::is_project_group(folder, home_)) sources.project_directory.reset();
  return load(sources);
}

// Adds the keys in variables that the settings name; other variables are recognised by their names.
base::Result<config::Settings> Context::load(const config::Sources& sources) const {
  auto settings = config::load_settings(sources);
  // The parser has checked every flag's value, so the error comes from a file or a variable.
  if (!settings.ok()) return blame_file(settings.error());
  for (const auto& [key, value] : settings->list("provider.")) {
    if (!key.ends_with(".key_env")) continue;
    static_cast<void>(redactor_.add(environment().value(value.text).value_or("")));
  }
  return settings;
}

const base::Result<git::Project>& Context::project() {
  if (!project_) project_ = find_project(directory_);
  return *project_;
}

base::Result<git::Project> Context::find_project(const std::filesystem::path& folder) {
  if (settings().ok()) return find_project(folder, *settings());
  return git::Project::find(folder, {.own_home = home_});
}

base::Result<git::Project> Context::find_project(const std::filesystem::path& folder,
                                                 const config::Settings& settings) const {
  git::SecretRules rules{.include = config::list_of(settings.text("sandbox.include")),
                         .own_home = home_};
  if (surroundings_.projects != nullptr) return surroundings_.projects->find(folder, rules);
  return git::Project::find(folder, std::move(rules));
}

base::Error blame_file(const base::Error& error) {
  using enum base::ErrorCode;
  const bool blames_the_user = exit_code(error.code()) != ExitCode::kError;
  if (!blames_the_user) return error;
  base::Error blamed(error.code() == kInvalidArgument ? kCorruption : kUnavailable,
                     error.message());
  for (const std::string& doing : error.context()) blamed.add_context(doing);
  return blamed;
}

bool sees_project(const Caller& caller, const std::filesystem::path& folder,
                  const std::filesystem::path& home) {
  if (!git::is_project_group(folder, home)) return caller.sees_project(folder);
  return std::ranges::all_of(git::member_roots(folder),
                             [&](const auto& root) { return caller.sees_project(root); });
}

}  // namespace clever::service
