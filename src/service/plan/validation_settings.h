#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/settings.h"
#include "engine/actor/action.h"
#include "engine/trust.h"
#include "model/control_settings.h"
#include "service/context.h"
#include "service/plan/control_settings.h"

// Which validations a plan has. Private to the module.
namespace clever::service {

/// A `[[validation]]` of the settings. `corruption` with its place if its arguments are no JSON.
[[nodiscard]] base::Result<model::Validation> validation_of(const config::Table& table);

/// What the settings say.
struct ProjectValidations {
  std::vector<model::Validation> validations{};
  /// How many a person has not trusted. Those that are required are among the validations, and keep
  /// work from landing until they are run; the others are left out.
  std::size_t untrusted = 0;
};
/// Those of the settings: a person's own, and those of the project.
[[nodiscard]] base::Result<ProjectValidations> validations_of(const config::Settings& settings,
                                                              const std::filesystem::path& project,
                                                              const engine::TrustStore& trust);

/// The same with the action's (those of a project's file as above) and the commands given for this
/// plan alone; each name is there once. Of two with one name the later is renamed, "tests
/// (action)": a stranger's does not take the place of a person's own. How many are not trusted is
/// added to `untrusted`.
[[nodiscard]] base::Result<std::vector<model::Validation>> plan_validations(
    const config::Settings& settings, const std::filesystem::path& project,
    const engine::TrustStore& trust, const engine::Action& action,
    const std::vector<std::string>& commands, std::size_t& untrusted);

/// Fills in `settings.control.validations`. The code that opens the engine reports untrusted ones,
/// with everything else that is not trusted (trusted_offer()).
[[nodiscard]] base::Result<void> add_validations(Context& context, const ControlRequest& request,
                                                 model::PlanSettings& settings);

/// "make test": what is run, in one line.
[[nodiscard]] std::string shown_command(const model::Validation& validation);

}  // namespace clever::service
