#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/settings.h"
#include "engine/actor/action.h"
#include "engine/actor/tool_actor.h"
#include "model/message.h"
#include "model/plan_settings.h"
#include "plan/command.h"

// How an action and what a person said become a new plan. Pure functions.
namespace clever::engine {

/// What a person asks for. A value; empty means: as the action, the actor and the settings say.
struct NewPlanOptions {
  /// May be empty if the action says what to do, or the actor needs no words (local/codemod).
  std::string task{};
  std::vector<model::Image> images{};
  /// plan::Create::project: the folder of the project.
  std::string project{};
  /// "provider/model" or an alias.
  std::string model{};
  std::string actor{};
  /// An external agent, in place of an actor.
  std::string agent{};
  /// plan.agent of the settings: works where nothing says who does.
  std::string usual_agent{};
  std::map<std::string, std::string> arguments{};
  std::string profile{};
  /// Where neither a person nor the action says one: plan.profile of the settings.
  std::string usual_profile = "supervised";
  bool direct = false;
  std::string from{};
  bool apply = false;
  /// The caller has consented to its execution: `agents run`.
  bool consent = false;
  std::string session{};
  model::SubplanSettings subplans{};
  /// How the program of an agent is run for a plan: program_for(). Empty: as its actor says.
  std::function<AgentProgram(const AgentProgram&, const model::PlanSettings&)> as_run{};
};

/// The terms of a model, the default one for an empty name: Runtime::terms. Asked only if the actor
/// works with a model.
using TermsOf = std::function<base::Result<model::ModelTerms>(const std::string& model)>;

/// The command that creates the plan; its title is plan_title(). Errors are sentences for the
/// person: `not_found` for an actor that does not exist; `invalid_argument` for a wrong argument or
/// profile, a missing task, one larger than kLargestTask; any error of `terms_of`.
[[nodiscard]] base::Result<plan::Create> new_plan(const Action& action, const ActorCatalog& actors,
                                                  const NewPlanOptions& options,
                                                  const TermsOf& terms_of);

inline constexpr std::size_t kLargestTask = std::size_t{96} << 10U;

/// The first line that says something, at most 72 characters, cut between words with an ellipsis.
[[nodiscard]] std::string plan_title(std::string_view task);

/// How subplans run, as the settings say (subplan.*).
[[nodiscard]] model::SubplanSettings subplan_settings(const config::Settings& settings);

/// "manual", "review", … in the order of how much they ask.
[[nodiscard]] const std::vector<std::string>& automation_profiles();
/// `invalid_argument` names the nearest, or all.
[[nodiscard]] base::Result<void> check_profile(std::string_view profile);
/// Whether nothing needs a person: ready work is applied by itself.
[[nodiscard]] bool applies_by_itself(std::string_view profile);

}  // namespace clever::engine
