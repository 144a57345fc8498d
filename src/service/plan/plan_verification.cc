#include "service/plan/plan_verification.h"

#include <utility>

#include "model/change.h"
#include "plan/decide.h"
#include "service/commands/db.h"
#include "service/plan/plan_document.h"
#include "storage/changesets.h"
#include "storage/effects.h"
#include "storage/journal.h"
#include "storage/journal_verify.h"
#include "storage/plans.h"
#include "storage/retention.h"
#include "storage/view_engine.h"

namespace clever::service {
namespace {

class Verification {
 public:
  Verification(storage::Engine& moment, base::Clock& clock, const base::StopToken& stop)
      : moment_(moment), clock_(clock), stop_(stop) {}

  base::Result<void> look_at(const model::PlanId& id) {
    CLEVER_ASSIGN(const storage::PlanSummary plan, storage::Plans(moment_).find(id, stop_));
    ++found_.plans;
    prefix_ = "plan " + plan.id.to_string() + ": ";
    CLEVER_TRY(check_chain(plan));
    CLEVER_TRY(check_digests(plan));
    const auto state = state_of(plan.id);
    if (!state.ok()) {
      found_.fold.push_back(prefix_ + state.error().sentence());
      return {};
    }
    check_fold(plan, *state);
    return check_effects(*state);
  }

  PlanFindings findings() && { return std::move(found_); }

 private:
  base::Result<plan::State> state_of(const model::PlanId& plan) {
    CLEVER_ASSIGN(const auto loaded, storage::Journal(moment_, clock_).load(plan, stop_));
    return plan::fold(loaded.events);
  }

  base::Result<void> check_chain(const storage::PlanSummary& plan) {
    CLEVER_ASSIGN(const auto verdict, storage::JournalVerify(moment_).verify(plan.id, stop_));
    found_.events += verdict.events;
    for (const auto& fault : verdict.faults) found_.chain.push_back(fault.to_string());
    return {};
  }

  void check_fold(const storage::PlanSummary& plan, const plan::State& state) {
    for (const std::string& wrong : plan::check_invariants(state)) {
      found_.fold.push_back(prefix_ + wrong);
    }
    if (plan.state != to_string(state.state) || plan.phase != to_string(state.phase)) {
      found_.fold.push_back(prefix_ + "its journal says " + place_of(state) +
                            ", the list of plans " + plan.phase + "/" + plan.state);
    }
  }

  base::Result<void> check_digests(const storage::PlanSummary& plan) {
    storage::Changesets changesets(moment_);
    CLEVER_ASSIGN(const auto all, changesets.of_plan(plan.id, stop_));
    for (const storage::ChangesetFacts& facts : all) {
      if (!facts.digest) continue;
      ++found_.changesets;
      CLEVER_ASSIGN(const auto entries, changesets.entries(facts.id, stop_));
      const auto digest = model::digest_of(model::net_changes(entries));
      if (digest == *facts.digest) continue;
      found_.digests.push_back(prefix_ + "changeset " + facts.id.to_string() + " was sealed as " +
                               facts.digest->to_hex() + ", its entries are " + digest.to_hex());
    }
    return {};
  }

  base::Result<void> check_effects(const plan::State& state) {
    CLEVER_ASSIGN(const auto open, storage::Effects(moment_).open(state.id, stop_));
    found_.open_effects += open.size();
    if (open.size() != state.effects.size()) {
      found_.effects.push_back(prefix_ + "its journal has " +
                               counted(state.effects.size(), "open effect") + ", the ledger " +
                               std::to_string(open.size()));
    }
    if (state.is_final() && !open.empty()) {
      found_.effects.push_back(prefix_ + "it is over, and " + counted(open.size(), "effect") +
                               " still open");
    }
    return {};
  }

  storage::Engine& moment_;
  base::Clock& clock_;
  const base::StopToken& stop_;
  std::string prefix_;
  PlanFindings found_;
};

}  // namespace

base::Result<PlanFindings> verify_plan(storage::Engine& engine, base::Clock& clock,
                                       const model::PlanId& plan, const base::StopToken& stop) {
  PlanFindings findings;
  const auto look = [&](storage::Snapshot& view) -> base::Result<void> {
    storage::ViewEngine moment(view);
    CLEVER_ASSIGN(const auto family, storage::Retention::family(moment, plan, stop));
    if (family.empty()) return base::not_found("there is no plan " + plan.to_string());
    Verification verification(moment, clock, stop);
    for (const model::PlanId& each : family) CLEVER_TRY(verification.look_at(each));
    findings = std::move(verification).findings();
    return {};
  };
  CLEVER_TRY(engine.read(look, stop));
  return findings;
}

}  // namespace clever::service
