#include "engine/actor/new_plan.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>

#include "base/nearest.h"
#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"
#include "engine/actor/graph_actor.h"
#include "engine/actor/internal/variables.h"
#include "engine/actor/internal/yaml_fields.h"
#include "model/automation.h"

namespace clever::engine {
namespace {

using Values = std::map<std::string, std::string>;

/// The actors of a plan.
struct Workers {
  Actor actor{};
  /// Empty: the actor makes the strategy too.
  std::optional<Actor> strategist{};
};

void add_arguments(std::vector<ActorArgument>& arguments, const Actor& actor) {
  for (const ActorArgument& argument : actor.arguments) {
    const bool known =
        std::ranges::find(arguments, argument.name, &ActorArgument::name) != arguments.end();
    if (!known) arguments.push_back(argument);
  }
}

// Merges the arguments of the action and of the actors; if several define one, the action's
// definition wins.
std::vector<ActorArgument> plan_arguments(const Action& action, const Workers& workers) {
  std::vector<ActorArgument> arguments = action.arguments;
  add_arguments(arguments, workers.actor);
  if (workers.strategist) add_arguments(arguments, *workers.strategist);
  return arguments;
}

bool needs_words(const Actor& actor) {
  return actor.type == ActorType::kLlm || actor.type == ActorType::kAgent;
}

base::Result<void> check_strategist(const Actor& actor) {
  if (actor.type == ActorType::kGraph) {
    return base::invalid_argument("the actor " + actor.name +
                                  " is a graph and makes its own strategy: remove strategy_actor");
  }
  return {};
}

std::string agent_names(const ActorCatalog& actors) {
  std::string names;
  for (const Actor& actor : actors.all()) {
    if (actor.type != ActorType::kAgent) continue;
    const bool is_local = actor.name.starts_with("local/");
    names += (names.empty() ? "" : ", ") + (is_local ? actor.name.substr(6) : actor.name);
  }
  return names;
}

// The person's choice wins, then the action's, then the default.
base::Result<Actor> worker_of(const Action& action, const ActorCatalog& actors,
                              const NewPlanOptions& options) {
  if (!options.actor.empty()) return actors.find(options.actor);
  const bool is_open = action.execution_actor == "local/task" && action.strategy_actor.empty();
  const std::string& agent = options.agent.empty() && is_open ? options.usual_agent : options.agent;
  if (agent.empty()) return actors.find(action.execution_actor);
  auto found = actors.find(agent);
  if (found.ok() && found->type == ActorType::kAgent) return found;
  return base::not_found("there is no agent \"" +
                         std::string(base::utf8_prefix(base::to_valid_utf8(agent), 80)) +
                         "\"; there are " + agent_names(actors) + " (`agents agent list`)");
}

base::Result<Workers> workers_of(const Action& action, const ActorCatalog& actors,
                                 const NewPlanOptions& options) {
  Workers workers;
  CLEVER_ASSIGN(workers.actor, worker_of(action, actors, options));
  const std::string& strategist = action.strategy_actor;
  if (!strategist.empty() && options.actor.empty() && strategist != workers.actor.name) {
    CLEVER_ASSIGN(workers.strategist, actors.find(strategist));
    CLEVER_TRY(check_strategist(workers.actor));
    if (workers.strategist->type == ActorType::kGraph) {
      CLEVER_TRY(check_graph(*workers.strategist, actors));
    }
  }
  if (workers.actor.type == ActorType::kGraph) CLEVER_TRY(check_graph(workers.actor, actors));
  return workers;
}

std::string owner_of(const Action& action, const Actor& actor) {
  return action.place.empty() ? "the actor " + actor.name : "the action " + action.name;
}

// Formats an actor's arguments as "name=value, …".
std::string as_list(const Values& values) {
  std::string text;
  for (const auto& [name, value] : values) {
    if (!value.empty()) text.append("- ").append(name).append(": ").append(value).append("\n");
  }
  return text;
}

// Returns the task for the actor: the person's words, or else the action's description.
std::string task_text(const Action& action, const Actor& actor, const NewPlanOptions& options,
                      const Values& values) {
  const bool builtin = action.place.empty();
  const std::string said = base::to_valid_utf8(base::trimmed(options.task));
  std::string text = said;
  if (!builtin) {
    const std::string about = internal::expand(action.description, values);
    text = said.empty() ? about : said + "\n\nThe action " + action.name + ": " + about;
  }
  if (!needs_words(actor) && text.empty()) {
    text = actor.name.substr(actor.name.find('/') + 1);
    for (const auto& [name, value] : options.arguments) {
      text.append(" ").append(name).append("=").append(value);
    }
    return base::to_valid_utf8(text);
  }
  const std::string list = as_list(values);
  if (needs_words(actor) && !list.empty()) text += "\n\nGiven:\n" + list;
  return base::to_valid_utf8(base::trimmed(text));
}

std::string done_text(const Action& action, const Values& values) {
  return internal::expand(action.definition_of_done, values);
}

std::vector<model::Invariant> invariants_of(const Action& action, const Values& values) {
  std::vector<model::Invariant> invariants;
  for (const std::string& text : action.invariants) {
    invariants.push_back({.text = base::to_valid_utf8(internal::expand(text, values)),
                          .scope = model::InvariantScope::kAction});
  }
  return invariants;
}

std::size_t strictness(std::string_view profile) {
  const auto& all = automation_profiles();
  return static_cast<std::size_t>(std::ranges::find(all, profile) - all.begin());
}

base::Result<std::string> profile_of(const Action& action, const NewPlanOptions& options) {
  CLEVER_TRY(check_profile(options.usual_profile));
  if (!options.profile.empty()) {
    CLEVER_TRY(check_profile(options.profile));
    return options.profile;
  }
  const std::string& wanted = action.automation_profile;
  if (wanted.empty()) return options.usual_profile;
  const bool asks_less = strictness(wanted) > strictness(options.usual_profile);
  return action.of_project && asks_less ? options.usual_profile : wanted;
}

// Refuses a profile that asks about each step for an agent that acts without asking.
base::Result<void> check_asking(const Workers& workers, const ActorCatalog& actors,
                                const NewPlanOptions& options,
                                const model::PlanSettings& settings) {
  const std::string& profile = settings.profile;
  if (profile != "manual" && profile != "review") return {};
  std::vector<Actor> agents = agents_in(workers.actor, actors);
  if (workers.strategist)
    std::ranges::move(agents_in(*workers.strategist, actors), std::back_inserter(agents));
  for (const Actor& agent : agents) {
    const AgentProgram program =
        options.as_run ? options.as_run(agent.program, settings) : agent.program;
    if (program.speaks_acp) continue;
    const std::string server = program.acp_command.empty()
                                   ? "use an actor with protocol: acp"
                                   : "install its server of the Agent Client Protocol (" +
                                         program.acp_command.front() + ")";
    return base::invalid_argument(
        "the profile " + profile + " asks about each step, but the agent " + agent.name +
        " does not ask before it acts: " + server +
        ", or choose the profile supervised, where you review before anything lands");
  }
  return {};
}

base::Result<void> check_task(const Action& action, const Actor& actor,
                              const NewPlanOptions& options, const std::string& text) {
  if (text.empty()) {
    return base::invalid_argument("the task is missing: say what to do, as in agents run \"TASK\"");
  }
  if (text.size() > kLargestTask) {
    return base::invalid_argument(
        "the task has " + std::to_string(text.size()) + " bytes, more than the limit of " +
        std::to_string(kLargestTask) +
        ": put the long part into a file of the project, and name the file in the task");
  }
  if (actor.type != ActorType::kLlm && action.read_only) {
    return base::invalid_argument("the action " + action.name + " is read_only, but the actor " +
                                  actor.name + " changes files");
  }
  const bool sees = actor.type == ActorType::kLlm || actor.type == ActorType::kGraph;
  if (!sees && !options.images.empty()) {
    return base::invalid_argument("the actor " + actor.name +
                                  " does not use a model and cannot take an image: omit --image");
  }
  return {};
}

model::Message message_of(const std::string& text, const std::vector<model::Image>& images) {
  model::Message message{.role = model::Role::kUser, .parts = {model::Text{text}}};
  message.parts.insert(message.parts.end(), images.begin(), images.end());
  return message;
}

bool actor_asks_model(const Actor& actor, const ActorCatalog& actors) {
  return actor.type == ActorType::kLlm ||
         (actor.type == ActorType::kGraph && needs_model(actor, actors));
}

base::Result<void> check_chosen_model(const Actor& agent) {
  // Over the Agent Client Protocol the agent itself lists its models.
  if (!agent.program.model_words.empty() || agent.program.speaks_acp) return {};
  return base::invalid_argument("the actor " + agent.name +
                                " does not say how to choose its agent's model: add choose_model "
                                "to its file, or omit --model");
}

// Sets the plan's model to that of the actor that uses one; the strategist may have its own.
base::Result<void> set_terms(model::PlanSettings& settings, const Workers& workers,
                             const ActorCatalog& actors, const NewPlanOptions& options,
                             const TermsOf& terms_of) {
  const auto named = [&](const Actor& actor) {
    return options.model.empty() ? actor.model : options.model;
  };
  const bool works = actor_asks_model(workers.actor, actors);
  if (works) {
    CLEVER_ASSIGN(settings.terms, terms_of(named(workers.actor)));
  }
  settings.uses_agent = workers.actor.type == ActorType::kAgent;
  if (settings.uses_agent && !options.model.empty()) {
    CLEVER_TRY(check_chosen_model(workers.actor));
    settings.terms.model = options.model;
  }
  if (!workers.strategist) return {};
  const Actor& strategist = *workers.strategist;
  settings.strategy_actor = strategist.name;
  settings.strategy_uses_model = strategist.type == ActorType::kLlm;
  settings.strategy_uses_agent = strategist.type == ActorType::kAgent;
  if (works && !strategist.model.empty() && options.model.empty()) {
    CLEVER_ASSIGN(settings.strategy_terms, terms_of(strategist.model));
  } else if (!works && actor_asks_model(strategist, actors)) {
    CLEVER_ASSIGN(settings.terms, terms_of(named(strategist)));
  }
  return {};
}

void set_arguments(model::PlanSettings& settings, const Actor& actor, const Values& values,
                   const NewPlanOptions& options) {
  if (actor.type == ActorType::kLlm) return;
  for (const std::string& name : internal::names_of(actor.arguments)) {
    settings.arguments[name] = values.at(name);
  }
  settings.arguments["project"] =
      base::to_valid_utf8(std::filesystem::path(options.project).filename().string());
}

// Returns true if the plan can start without a strategy.
bool is_direct(const Workers& workers, const NewPlanOptions& options) {
  const Actor& actor = workers.actor;
  if (actor.type == ActorType::kGraph) return false;
  if (options.direct) return true;
  const bool whole =
      actor.type == ActorType::kAgent || (actor.type == ActorType::kTool && actor.split_into == 0);
  return whole && !workers.strategist;
}

base::Result<model::PlanSettings> settings_of(const Action& action, const Workers& workers,
                                              const ActorCatalog& actors,
                                              const NewPlanOptions& options, const Values& values,
                                              const TermsOf& terms_of) {
  const Actor& actor = workers.actor;
  model::PlanSettings settings;
  settings.actor = actor.name;
  settings.uses_model = actor.type == ActorType::kLlm;
  settings.definition_of_done = done_text(action, values);
  settings.control.invariants = invariants_of(action, values);
  CLEVER_ASSIGN(settings.profile, profile_of(action, options));
  settings.direct = is_direct(workers, options);
  settings.read_only = action.read_only;
  settings.from = options.from;
  settings.control.automation =
      model::automation_of_profile(settings.profile, options.consent).value_or(model::Automation());
  CLEVER_TRY(check_asking(workers, actors, options, settings));
  settings.apply_when_ready = options.apply || applies_by_itself(settings.profile);
  settings.session = options.session;
  settings.subplans = options.subplans;
  set_arguments(settings, actor, values, options);
  if (workers.strategist) set_arguments(settings, *workers.strategist, values, options);
  CLEVER_TRY(set_terms(settings, workers, actors, options, terms_of));
  return settings;
}

std::int64_t number_of(const std::string& text, std::int64_t otherwise) {
  return base::to_number<std::int64_t>(text).value_or(otherwise);
}

}  // namespace

base::Result<plan::Create> new_plan(const Action& action, const ActorCatalog& actors,
                                    const NewPlanOptions& options, const TermsOf& terms_of) {
  CLEVER_ASSIGN(const Workers workers, workers_of(action, actors, options));
  const Actor& actor = workers.actor;
  CLEVER_ASSIGN(const Values values,
                internal::checked_arguments(owner_of(action, actor),
                                            plan_arguments(action, workers), options.arguments));
  const std::string text = task_text(action, actor, options, values);
  CLEVER_TRY(check_task(action, actor, options, text));
  plan::Create create;
  CLEVER_ASSIGN(create.settings, settings_of(action, workers, actors, options, values, terms_of));
  create.title = plan_title(text);
  create.action = action.name;
  create.project = options.project;
  create.prompt = message_of(text, options.images);
  return create;
}

std::string plan_title(std::string_view task) {
  constexpr std::size_t kMostCharacters = 72;
  task = base::trimmed(task);
  const std::string line = base::to_valid_utf8(base::trimmed(task.substr(0, task.find('\n'))));
  std::string title;
  std::size_t characters = 0;
  std::size_t last_gap = 0;
  for (std::size_t at = 0; at < line.size();) {
    const base::CodePoint point = base::decode_utf8(line, at);
    const bool blank = point.value == ' ' || base::is_invisible_control(point.value);
    if (characters + 1 == kMostCharacters && at + point.size < line.size()) {
      const bool at_word = last_gap > title.size() / 2 && !blank;
      return std::string(base::trimmed(at_word ? title.substr(0, last_gap) : title)) + "…";
    }
    if (blank) last_gap = title.size();
    title += blank ? " " : line.substr(at, point.size);
    at += point.size;
    ++characters;
  }
  return title;
}

model::SubplanSettings subplan_settings(const config::Settings& settings) {
  const model::SubplanSettings usual;
  const std::string strategy = settings.text("subplan.merge_strategy");
  return {.max_parallel = number_of(settings.text("subplan.max_parallel"), usual.max_parallel),
          .fail_fast = settings.text("subplan.fail_fast") == "true",
          .retry_failed = settings.text("subplan.retry_failed") != "false",
          .max_retries = number_of(settings.text("subplan.max_retries"), usual.max_retries),
          .merge_strategy = strategy.empty() ? usual.merge_strategy : strategy,
          .strategize = settings.text("subplan.strategize") == "true"};
}

const std::vector<std::string>& automation_profiles() {
  static const std::vector<std::string> kProfiles = [] {
    std::vector<std::string> names;
    for (const auto& each : model::automation_profiles()) names.emplace_back(each.name);
    return names;
  }();
  return kProfiles;
}

base::Result<void> check_profile(std::string_view profile) {
  const auto& known = automation_profiles();
  if (std::ranges::find(known, profile) != known.end()) return {};
  constexpr std::size_t kShown = 40;
  const std::string message = "there is no profile \"" +
                              std::string(base::utf8_prefix(base::to_valid_utf8(profile), kShown)) +
                              "\"";
  if (const auto nearest = base::nearest_match(profile, known)) {
    return base::invalid_argument(message + "; did you mean " + *nearest + "?");
  }
  return base::invalid_argument(message + "; there are " + base::joined(known));
}

bool applies_by_itself(std::string_view profile) {
  const auto automation = model::automation_of_profile(profile);
  return automation && !model::asks(automation->apply);
}

}  // namespace clever::engine
