#pragma once
// What the config commands share. Private to the module.
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "config/schema.h"
#include "service/command.h"
#include "service/context.h"
#include "service/invocation.h"

namespace clever::service {

/// The KEY of a config command, checked to exist.
[[nodiscard]] base::Result<const config::KeyInfo*> known_key(const std::string& key);

/// The file that a command changes or names: the user's, or with --project the project's.
[[nodiscard]] base::Result<std::filesystem::path> target_file(const Invocation& invocation,
                                                              const Context& context);

/// The project's file, or where it would be.
[[nodiscard]] std::filesystem::path project_settings_file(const Context& context);

/// Whether the caller may see the setting's value: those that no project may set (endpoints, hosts,
/// confinement, files outside the project) are shown to administrators alone.
[[nodiscard]] bool sees_setting(const Context& context, std::string_view key);
/// Whether the caller may see whatever is in the home's files.
[[nodiscard]] bool sees_home_settings(const Context& context);

[[nodiscard]] Positional key_positional();
[[nodiscard]] Option project_option();

/// "~/.cleveragents/config.toml" for people.
[[nodiscard]] std::string short_path(const std::filesystem::path& path, const Context& context);

}  // namespace clever::service
