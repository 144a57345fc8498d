#include "engine/error_recovery_service.h"

#include <utility>

#include "base/plant.h"
#include "plan/decide.h"

namespace clever::engine {
namespace {

base::Result<plan::RecoveryDecision> decision_in(const base::Result<Settled>& settled) {
  if (!settled.ok()) return settled.error();
  return plan::RecoveryDecision::parse(settled->receipt);
}

// A planted fault for tests: answers from an outdated state.
base::Result<plan::RecoveryDecision> answer_by(const plan::State& state,
                                               const plan::RecordError& error) {
  CLEVER_ASSIGN(const plan::Decided decided, plan::decide(state, error, {}));
  return plan::RecoveryDecision::parse(decided.receipt);
}

}  // namespace

void ErrorRecoveryService::record(plan::RecordError error, Done done) {
  if (base::planted("recovery.looks_then_records")) {
    done = [answer = answer_by(*writer_.state(), error), done = std::move(done)](
               const base::Result<plan::RecoveryDecision>&) mutable { done(answer); };
  }
  writer_.submit({std::move(error)},
                 [done = std::move(done)](const base::Result<Settled>& settled) mutable {
                   done(decision_in(settled));
                 });
}

}  // namespace clever::engine
