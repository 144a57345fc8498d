#include "engine/error_recovery_service.h"

#include <utility>

namespace clever::engine {

base::Result<plan::RecoveryDecision> ErrorRecoveryService::record(plan::RecordError error,
                                                                  const base::StopToken& stop) {
  CLEVER_ASSIGN(const Settled settled, writer_.execute({std::move(error)}, stop));
  return plan::RecoveryDecision::parse(settled.receipt);
}

base::Result<std::vector<model::ErrorRecorded>> error_history(PlanStore& store,
                                                              const model::PlanId& plan) {
  CLEVER_ASSIGN(const storage::LoadedPlan loaded, store.load(plan));
  std::vector<model::ErrorRecorded> errors;
  for (const model::StoredEvent& event : loaded.events) {
    if (event.kind != model::ErrorRecorded::kKind) continue;
    CLEVER_ASSIGN(model::ErrorRecorded error, model::ErrorRecorded::parse(event.data));
    errors.push_back(std::move(error));
  }
  return errors;
}

}  // namespace clever::engine
