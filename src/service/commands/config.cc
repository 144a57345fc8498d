#include "service/commands/config.h"

#include "config/settings.h"
#include "io/file.h"
#include "service/caller.h"
#include "service/commands/commands.h"
#include "service/text.h"

namespace clever::service {

base::Result<const config::KeyInfo*> known_key(const std::string& key) {
  const config::KeyInfo* info = config::find_key(key);
  if (info != nullptr) return info;
  return base::invalid_argument(config::unknown_key(config::schema(), key).sentence());
}

base::Result<std::filesystem::path> target_file(const Invocation& invocation,
                                                const Context& context) {
  if (!invocation.flag("project")) return config::user_file(context.home());
  if (auto file = config::project_file(context.sources())) return *file;
  const auto folder = context.directory() / ".cleveragents";
  if (folder == context.home() || io::same_file(folder, context.home())) {
    return base::invalid_argument(context.directory().string() +
                                  " cannot be a project: its .cleveragents holds your own "
                                  "settings; change to the project's folder, or pass -C DIR");
  }
  return folder / "config.toml";
}

std::filesystem::path project_settings_file(const Context& context) {
  if (auto file = config::project_file(context.sources())) return *file;
  return context.directory() / ".cleveragents" / "config.toml";
}

bool sees_home_settings(const Context& context) {
  return context.caller() == nullptr || context.caller()->rights.has(Right::kAdmin);
}

bool sees_setting(const Context& context, std::string_view key) {
  const config::KeyInfo* info = config::find_key(key);
  return sees_home_settings(context) || (info != nullptr && info->project_may_set);
}

Positional key_positional() {
  return {.name = "KEY",
          .summary = "The setting, such as model.default",
          .completes = Completes::kConfigKey};
}

Option project_option() {
  return {.name = "project",
          .summary = "Use the project's .cleveragents/config.toml instead of your own"};
}

std::string short_path(const std::filesystem::path& path, const Context& context) {
  const std::string home = io::user_home(context.environment()).string() + "/";
  const std::string text = path.string();
  return text.starts_with(home) ? "~/" + text.substr(home.size()) : text;
}

Command config_command() {
  return {.name = "config",
          .summary = "Show and change settings",
          .description =
              "The first of these that has a value wins: an option, the environment "
              "(CLEVERAGENTS_MODEL_DEFAULT for model.default), the project's "
              ".cleveragents/config.toml, your own ~/.cleveragents/config.toml, the "
              "default.\n\nCLEVERAGENTS_HOME moves ~/.cleveragents.",
          .examples = {{"agents config list", "Every setting and where its value comes from"},
                       {"agents config set model.default openai/gpt-4o", "Change one for yourself"},
                       {"agents config set --project output.format plain",
                        "Change one for this project"}},
          .subcommands = {config_get_command(), config_set_command(), config_unset_command(),
                          config_edit_command(), config_list_command(), config_path_command()}};
}

}  // namespace clever::service
