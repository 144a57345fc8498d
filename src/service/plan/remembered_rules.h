#pragma once
// What a person does not want to be asked again. Kept in the home: a repository cannot add to it.
// Private to the module and the command line.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/control_events.h"
#include "service/context.h"

namespace clever::service {

enum class RememberFor : std::uint8_t { kSession, kProject, kAlways };

/// The rule that covers calls like this one: of `run_command make test` `run_command(make *)`.
/// None where no simple rule would: a command line of several commands, redirections or
/// substitutions, or a call that a rule of the settings asks about.
[[nodiscard]] std::optional<std::string> rule_like(const model::ApprovalItem& item);

/// The rules that a person remembered for a project.
[[nodiscard]] base::Result<std::vector<std::string>> remembered_rules(
    const Context& context, const std::filesystem::path& project);

/// Writes a rule down: kProject for remembered_rules(), kAlways as permissions.allow of the home's
/// settings. kSession writes nothing.
base::Result<void> remember_rule(const Context& context, const std::filesystem::path& project,
                                 const std::string& rule, RememberFor scope);

}  // namespace clever::service
