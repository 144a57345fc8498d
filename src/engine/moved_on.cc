#include "engine/moved_on.h"

#include "apply/apply.h"
#include "engine/effects/internal/landing.h"
#include "engine/effects/internal/net_work.h"
#include "model/change.h"

namespace clever::engine {
namespace {

bool is_to_land(const plan::State& plan) {
  return plan.changeset.digest && plan.base && plan.tree != plan.base->tree && !plan.parent &&
         !plan.is_final();
}

}  // namespace

base::Result<std::vector<std::string>> moved_on(const PlanFiles& files, const plan::State& plan,
                                                const base::StopToken& stop) {
  if (!is_to_land(plan)) return std::vector<std::string>();
  const git::BaseSnapshot base = Workspaces::base_of(plan);
  apply::Request request;
  request.project = files.project;
  request.store = files.store;
  request.plan = plan.id;
  CLEVER_ASSIGN(request.changes, internal::net_work(plan, *files.store));
  request.digest = model::digest_of(request.changes);
  request.expected_branch = base.head.branch;
  for (const git::HeadState& head : base.heads) request.expected_branches.push_back(head.branch);
  request.uncommitted = base.uncommitted;
  CLEVER_ASSIGN(const apply::Fit fit, apply::look(request, stop));
  return internal::sentences(fit.moved_on);
}

}  // namespace clever::engine
