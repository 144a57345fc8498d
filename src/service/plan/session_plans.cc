#include "service/plan/session_plans.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "engine/actor/action.h"
#include "engine/actor/image.h"
#include "engine/actor/new_plan.h"
#include "io/file.h"
#include "io/file_names.h"
#include "model/work_events.h"
#include "service/caller_rights.h"
#include "service/commands/plan.h"
#include "service/commands/provider.h"
#include "service/definitions/definitions.h"
#include "service/plan/agent_binding.h"
#include "service/plan/control_settings.h"
#include "service/plan/earlier_turns.h"
#include "service/plan/path_words.h"
#include "service/plan/plan_caps.h"
#include "service/plan/rule_warnings.h"
#include "service/text.h"
#include "storage/journal.h"

namespace clever::service {
namespace {

constexpr std::size_t kMostSearchedPlans = 1000;
// The configuring events follow right after the creation.
constexpr std::size_t kFirstEvents = 3;

// Other files of the machine are not a person's to read who is not at it.
bool may_read(const std::filesystem::path& file, const std::filesystem::path& folder,
              const Context& context) {
  if (may(context, Right::kAdmin)) return true;
  const auto real = io::real_path(file);
  const auto inside = io::real_path(folder);
  if (!real.ok() || !inside.ok()) return false;
  return std::ranges::mismatch(*inside, *real).in1 == inside->end();
}

base::Result<void> hear_earlier(const PlanDatabase& database, const SessionTask& task,
                                Context& context, model::Message& prompt) {
  SessionPlans session;
  if (task.earlier) {
    session = *task.earlier;
  } else {
    CLEVER_ASSIGN(session,
                  plans_of_session(database, task.project.string(), task.session, context));
  }
  CLEVER_ASSIGN(std::string earlier, earlier_turns(database, session, context));
  if (!earlier.empty()) prompt.parts.emplace_back(model::Text{std::move(earlier)});
  return {};
}

}  // namespace

base::Result<std::string> session_of(storage::Journal& journal, const model::PlanId& plan,
                                     const base::StopToken& stop) {
  CLEVER_ASSIGN(const auto events, journal.read(plan, 1, kFirstEvents, stop));
  for (const model::StoredEvent& event : events) {
    if (event.kind != model::PlanConfigured::kKind) continue;
    CLEVER_ASSIGN(const auto configured, model::PlanConfigured::parse(event.data));
    return configured.settings.session;
  }
  return std::string();
}

base::Result<SessionPlans> plans_of_session(const PlanDatabase& database,
                                            const std::string& project, const std::string& session,
                                            Context& context) {
  storage::Plans plans(database.engine());
  storage::Journal journal(database.engine(), context.clock());
  CLEVER_ASSIGN(const auto page,
                plans.list({.project = project}, kMostSearchedPlans, {}, context.stop()));
  SessionPlans all{.session = session};
  for (const storage::PlanSummary& plan : page) {
    if (plan.parent) continue;
    CLEVER_ASSIGN(const std::string name, session_of(journal, plan.id, context.stop()));
    if (all.session.empty() && name.starts_with(kConversation)) all.session = name;
    if (!all.session.empty() && name == all.session) all.plans.push_back(plan);
  }
  std::ranges::reverse(all.plans);
  return all;
}

base::Result<std::vector<model::Image>> named_images(const std::string& words,
                                                     const std::filesystem::path& folder,
                                                     const Context& context) {
  constexpr std::array<std::string_view, 5> kKinds{".png", ".jpg", ".jpeg", ".gif", ".webp"};
  std::vector<model::Image> images;
  std::set<std::filesystem::path> seen;
  for (const std::string& word : path_words(words)) {
    const std::string lower = base::lower_case(word);
    const bool named =
        std::ranges::any_of(kKinds, [&](std::string_view kind) { return lower.ends_with(kind); });
    if (!named) continue;
    std::filesystem::path file(word);
    if (word.starts_with("~/")) file = io::user_home(context.environment()) / word.substr(2);
    file = folder / file;
    if (!may_read(file, folder, context)) continue;
    if (io::file_kind(file) != io::FileKind::kFile || !seen.insert(file).second) continue;
    CLEVER_ASSIGN(model::Image image, engine::load_image(file));
    images.push_back(std::move(image));
  }
  return images;
}

base::Result<std::vector<std::string>> model_names(Context& context) {
  CLEVER_ASSIGN(const provider::ProviderSettings settings, find_providers(context));
  const provider::ProviderSet set = looked_at(settings);
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    const auto model = set.resolve(name);
    if (model.ok()) names.push_back(padded(name, 10) + "  " + model->name());
  };
  for (const auto& [alias, model] : set.aliases()) add(alias);
  for (const provider::KnownAlias& alias : provider::known_aliases()) {
    if (!set.aliases().contains(std::string(alias.name))) add(std::string(alias.name));
  }
  for (const provider::ProviderConfig& config : settings.providers) {
    const std::string usual = config.endpoint.provider + "/" + config.default_model;
    if (!config.default_model.empty()) names.push_back(usual);
  }
  if (names.empty())
    return base::not_found("no model is available; `agents provider list` says why");
  return names;
}

base::Result<SessionStatus> session_status(const PlanDatabase& database,
                                           const model::PlanId& present, const std::string& session,
                                           const std::string& project, Context& context) {
  CLEVER_ASSIGN(const storage::PlanSummary summary, database.find(present.to_string()));
  CLEVER_ASSIGN(const MeantPlan plan, meant_plan(database, summary));
  SessionStatus status{.model = plan.state.settings.terms.model,
                       .window = plan.state.settings.terms.context_window};
  CLEVER_ASSIGN(status.usage, usage_of_tree(plan));
  CLEVER_ASSIGN(const auto events, all_events(database, present, context));
  for (const model::StoredEvent& event : events) {
    if (event.kind != model::ModelAnswered::kKind) continue;
    CLEVER_ASSIGN(const auto answered, model::ModelAnswered::parse(event.data));
    status.context = answered.input_tokens;
  }
  CLEVER_ASSIGN(const SessionPlans all, plans_of_session(database, project, session, context));
  for (const storage::PlanSummary& each : all.plans) status.session_cost += each.spent;
  return status;
}

base::Result<std::vector<SessionPlans>> conversations(const PlanDatabase& database,
                                                      const std::string& project,
                                                      Context& context) {
  storage::Plans plans(database.engine());
  storage::Journal journal(database.engine(), context.clock());
  CLEVER_ASSIGN(const auto page,
                plans.list({.project = project}, kMostSearchedPlans, {}, context.stop()));
  std::vector<SessionPlans> all;
  for (const storage::PlanSummary& plan : page) {
    if (plan.parent) continue;
    CLEVER_ASSIGN(const std::string name, session_of(journal, plan.id, context.stop()));
    if (!name.starts_with(kConversation)) continue;
    auto found = std::ranges::find(all, name, &SessionPlans::session);
    if (found == all.end()) found = all.insert(all.end(), SessionPlans{.session = name});
    found->plans.insert(found->plans.begin(), plan);
  }
  return all;
}

base::Result<std::vector<OwnAction>> own_actions(const std::filesystem::path& project,
                                                 const Context& context) {
  auto actions = engine::ActionCatalog::load({context.home() / "actions"},
                                             {project / ".cleveragents" / "actions"});
  if (!actions.ok()) return blame_file(actions.error());
  std::vector<OwnAction> own;
  for (const engine::Action& action : actions->all()) {
    if (action.place.empty()) continue;
    own.push_back({short_actor_name(action.name), action.description, {}});
    for (const auto& argument : action.arguments) own.back().arguments.push_back(argument.name);
  }
  return own;
}

base::Result<SessionPlans> last_session(const PlanDatabase& database, const std::string& project,
                                        Context& context) {
  return plans_of_session(database, project, "", context);
}

base::Result<NewSessionPlan> new_session_plan(const PlanParts& parts, const PlanDatabase& database,
                                              const SessionTask& task, Context& context) {
  const config::Settings& settings = *context.settings();
  auto actions = engine::ActionCatalog::load({context.home() / "actions"},
                                             {task.project / ".cleveragents" / "actions"});
  if (!actions.ok()) return blame_file(actions.error());
  CLEVER_ASSIGN(const engine::Action action,
                actions->find(task.action.empty() ? "local/task" : task.action));
  const engine::NewPlanOptions options{.task = task.words,
                                       .images = task.images,
                                       .project = task.project.string(),
                                       .model = task.model,
                                       .agent = task.agent,
                                       .usual_agent = settings.text("plan.agent"),
                                       .arguments = task.arguments,
                                       .usual_profile = settings.text("plan.profile"),
                                       .direct = !task.with_strategy,
                                       .session = task.session,
                                       .subplans = engine::subplan_settings(settings),
                                       .as_run = agents_as_run(context)};
  NewSessionPlan made;
  CLEVER_ASSIGN(made.create, engine::new_plan(action, parts.actors, options, parts.terms));
  made.create.settings.from_plan = task.from_plan;
  const ControlRequest request{.settings = settings, .action = action, .project = task.project};
  CLEVER_TRY(add_control(context, request, made.create.settings));
  CLEVER_ASSIGN(const engine::KnownTools known, known_tools(context, settings, task.project));
  made.remarks =
      engine::rules_without_effect(engine::rules_in(made.create.settings.control), known);
  std::ranges::move(unbound_agents(parts.actors, made.create.settings, context),
                    std::back_inserter(made.remarks));
  for (const std::string& rule : task.allow) {
    made.create.settings.control.permissions.push_back(
        {.verdict = model::Verdict::kAllow, .pattern = rule, .origin = "what you said"});
  }
  made.caps = caps_of(settings, "plan");
  if (task.session.empty()) return made;
  if (const auto heard = hear_earlier(database, task, context, made.create.prompt); !heard.ok()) {
    made.remarks.push_back(heard.error().sentence());
  }
  CLEVER_TRY(parts.store.ensure_cap("session/" + task.session, caps_of(settings, "session")));
  return made;
}

base::Result<std::vector<std::string>> begin_plan(RunPlans& plans, const PlanDatabase& database,
                                                  const SessionTask& task, Context& context,
                                                  const engine::PlanEngine::With& with) {
  CLEVER_ASSIGN(NewSessionPlan made, new_session_plan(plans.parts(), database, task, context));
  CLEVER_TRY(plans.create(std::move(made.create), made.caps, with));
  return std::move(made.remarks);
}

}  // namespace clever::service
