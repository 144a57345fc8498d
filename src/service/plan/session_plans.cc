#include "service/plan/session_plans.h"

#include <algorithm>

#include "engine/actor/action.h"
#include "engine/actor/new_plan.h"
#include "model/work_events.h"
#include "service/plan/agent_binding.h"
#include "service/plan/control_settings.h"
#include "service/plan/earlier_turns.h"
#include "service/plan/plan_caps.h"
#include "service/plan/rule_warnings.h"
#include "storage/journal.h"

namespace clever::service {
namespace {

constexpr std::size_t kMostSearchedPlans = 1000;
// A plan is configured right after it was created.
constexpr std::size_t kFirstEvents = 3;

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

base::Result<SessionPlans> last_session(const PlanDatabase& database, const std::string& project,
                                        Context& context) {
  return plans_of_session(database, project, "", context);
}

base::Result<std::vector<std::string>> begin_plan(RunPlans& plans, const PlanDatabase& database,
                                                  const SessionTask& task, Context& context) {
  const config::Settings& settings = *context.settings();
  auto actions = engine::ActionCatalog::load({context.home() / "actions"},
                                             {task.project / ".cleveragents" / "actions"});
  if (!actions.ok()) return blame_file(actions.error());
  CLEVER_ASSIGN(const engine::Action action, actions->find("local/task"));
  const engine::NewPlanOptions options{.task = task.words,
                                       .project = task.project.string(),
                                       .model = task.model,
                                       .agent = task.agent,
                                       .usual_agent = settings.text("plan.agent"),
                                       .usual_profile = settings.text("plan.profile"),
                                       .direct = !task.with_strategy,
                                       .session = task.session,
                                       .subplans = engine::subplan_settings(settings),
                                       .as_run = agents_as_run(context)};
  engine::Runtime& runtime = plans.runtime();
  CLEVER_ASSIGN(plan::Create create,
                engine::new_plan(action, plans.project().actors(), options,
                                 [&](const std::string& model) { return runtime.terms(model); }));
  const ControlRequest request{.settings = settings, .action = action, .project = task.project};
  CLEVER_TRY(add_control(context, request, create.settings));
  CLEVER_ASSIGN(const engine::KnownTools known, known_tools(context, settings, task.project));
  std::vector<std::string> remarks =
      engine::rules_without_effect(engine::rules_in(create.settings.control), known);
  std::ranges::move(unbound_agents(plans.project().actors(), create.settings, context),
                    std::back_inserter(remarks));
  if (const auto heard = hear_earlier(database, task, context, create.prompt); !heard.ok()) {
    remarks.push_back(heard.error().sentence());
  }
  CLEVER_TRY(runtime.store().ensure_cap("session/" + task.session, caps_of(settings, "session")));
  CLEVER_TRY(plans.create(std::move(create), caps_of(settings, "plan")));
  return remarks;
}

}  // namespace clever::service
