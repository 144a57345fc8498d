#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/settings.h"
#include "engine/actor/action.h"
#include "git/project.h"
#include "model/control_settings.h"
#include "model/plan_settings.h"
#include "service/context.h"

// What watches over a new plan, by the settings, the project and the command line. Private to the
// module.
namespace clever::service {

/// What control is made from. What it refers to outlives it.
struct ControlRequest {
  const config::Settings& settings;
  const engine::Action& action;
  /// The root of the project.
  std::filesystem::path project{};
  /// Of a group: its projects, of which each adds what its own settings say.
  std::vector<git::Project> members{};
  /// Sentences that must hold for this plan alone.
  std::vector<std::string> invariants{};
  /// Commands for the shell that check this plan's work.
  std::vector<std::string> validations{};
};

/// The `[[invariant]]` of the settings, a person's own first.
[[nodiscard]] std::vector<model::Invariant> invariants_of(const config::Settings& settings);

/// Fills in `settings.control`, of which new_plan() has made what the action says. Commands of the
/// project that are not trusted are left out. `permission_denied` for a plan that lands without an
/// approval, by a caller who may not approve. What is wrong with a setting or a file is
/// `corruption` with its place; invariants that contradict each other are `conflict` with both and
/// the cure.
[[nodiscard]] base::Result<void> add_control(Context& context, const ControlRequest& request,
                                             model::PlanSettings& settings);

}  // namespace clever::service
