#include "cli/session/session_plans.h"

#include <algorithm>

#include "model/work_events.h"
#include "storage/journal.h"

namespace clever::cli {
namespace {

constexpr std::size_t kMostSearchedPlans = 1000;
// A plan is configured right after it was created.
constexpr std::size_t kFirstEvents = 3;

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

}  // namespace

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

}  // namespace clever::cli
