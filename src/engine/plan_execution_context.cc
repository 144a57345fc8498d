#include "engine/plan_execution_context.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "engine/internal/journal_change_log.h"

namespace clever::engine {

PlanExecutionContext::PlanExecutionContext(PlanWriter& writer, PlanStore& store,
                                           base::UlidGenerator& ids, base::StopToken stop)
    : writer_(writer),
      ids_(ids),
      stop_(std::move(stop)),
      log_(internal::journal_change_log(writer, store, stop_)) {}

PlanExecutionContext::~PlanExecutionContext() = default;

model::PlanId PlanExecutionContext::plan() const { return writer_.state()->id; }

base::Result<sandbox::Changeset> PlanExecutionContext::start_changeset(
    const model::DecisionId& decision) {
  return sandbox::Changeset::start(*log_, model::ChangesetId(ids_.next()), decision);
}

base::Result<sandbox::Changeset> PlanExecutionContext::resume_changeset(
    const model::ChangesetId& id) {
  return sandbox::Changeset::resume(*log_, id);
}

base::Result<model::DecisionId> PlanExecutionContext::record(plan::RecordDecision decision) {
  CLEVER_ASSIGN(const Settled settled, writer_.execute({std::move(decision)}, stop_));
  const auto receipt = nlohmann::json::parse(settled.receipt, nullptr, false);
  if (!receipt.is_object() || !receipt.contains("decision") || !receipt["decision"].is_string()) {
    return base::internal_error("the receipt of a decision does not name it: " + settled.receipt);
  }
  return model::DecisionId::parse(receipt["decision"].get<std::string>());
}

}  // namespace clever::engine
