#include "engine/plan_execution_context.h"

#include <utility>

#include "base/plant.h"

namespace clever::engine {

void Changeset::record(std::vector<model::ChangeEntry> entries, Done done) const {
  if (entries.empty()) return done({});
  write_({.id = id_, .decision = decision_, .entries = std::move(entries)}, std::move(done));
}

void Changeset::record(std::vector<model::ChangeEntry> entries) const {
  record(std::move(entries), [](const base::Result<void>&) {});
}

PlanExecutionContext::PlanExecutionContext(base::UlidGenerator& ids, Changeset::Write write)
    : ids_(ids), write_(std::move(write)) {}

Changeset PlanExecutionContext::start_changeset(const model::DecisionId& decision) {
  const bool shared = base::planted("context.hands_out_one_changeset");
  const base::Ulid id = shared ? base::Ulid(base::Ulid::Bytes{1}) : ids_.next();
  return {model::ChangesetId(id), decision, write_};
}

}  // namespace clever::engine
