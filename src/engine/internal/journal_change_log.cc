#include "engine/internal/journal_change_log.h"

#include <iterator>
#include <optional>
#include <utility>

#include "model/change_events.h"

namespace clever::engine::internal {
namespace {

// A changeset as the events of its plan tell it.
struct Told {
  std::optional<storage::ChangesetFacts> facts{};
  std::vector<model::ChangeEntry> entries{};
};

void number(std::vector<model::ChangeEntry>& entries, model::Timestamp time, std::int64_t last) {
  for (model::ChangeEntry& entry : entries) {
    entry.sequence = ++last;
    entry.time = time;
  }
}

base::Result<void> hear(const model::StoredEvent& event, const model::ChangesetId& id, Told& told) {
  if (event.kind == model::ChangesetStarted::kKind) {
    CLEVER_ASSIGN(const auto started, model::ChangesetStarted::parse(event.data));
    if (started.id == id) {
      told.facts =
          storage::ChangesetFacts{.id = id, .plan = event.plan, .decision = started.decision};
    }
  } else if (event.kind == model::ChangesRecorded::kKind && told.facts) {
    CLEVER_ASSIGN(auto recorded, model::ChangesRecorded::parse(event.data));
    if (recorded.changeset != id) return {};
    number(recorded.entries, event.time, told.facts->entries);
    told.facts->entries += static_cast<std::int64_t>(recorded.entries.size());
    std::ranges::move(recorded.entries, std::back_inserter(told.entries));
  } else if (event.kind == model::ChangesetSealed::kKind && told.facts) {
    CLEVER_ASSIGN(const auto sealed, model::ChangesetSealed::parse(event.data));
    if (sealed.changeset == id) told.facts->digest = sealed.digest;
  }
  return {};
}

class JournalChangeLog final : public sandbox::ChangeLog {
 public:
  JournalChangeLog(PlanWriter& writer, PlanStore& store, base::StopToken stop)
      : writer_(writer), store_(store), stop_(std::move(stop)) {}

  base::Result<void> start(const model::ChangesetId& id,
                           const model::DecisionId& decision) override {
    return execute(plan::StartChangeset{id, decision});
  }
  base::Result<void> record(const model::ChangesetId& id,
                            std::vector<model::ChangeEntry> entries) override {
    return execute(plan::RecordChanges{id, std::move(entries)});
  }
  base::Result<void> seal(const model::ChangesetId& id, const base::Sha256Digest& digest,
                          std::int64_t entries) override {
    return execute(plan::SealChangeset{id, digest, entries});
  }
  base::Result<storage::ChangesetFacts> facts(const model::ChangesetId& id) override {
    CLEVER_ASSIGN(const Told told, tell(id));
    if (!told.facts) return base::not_found("there is no changeset " + id.to_string());
    return *told.facts;
  }
  base::Result<std::vector<model::ChangeEntry>> entries(const model::ChangesetId& id) override {
    CLEVER_ASSIGN(Told told, tell(id));
    return std::move(told.entries);
  }

 private:
  base::Result<void> execute(plan::Command command) {
    CLEVER_TRY(writer_.execute({std::move(command)}, stop_));
    return {};
  }
  [[nodiscard]] base::Result<Told> tell(const model::ChangesetId& id) {
    CLEVER_ASSIGN(const storage::LoadedPlan loaded, store_.load(writer_.state()->id));
    Told told;
    for (const model::StoredEvent& event : loaded.events) CLEVER_TRY(hear(event, id, told));
    return told;
  }

  PlanWriter& writer_;
  PlanStore& store_;
  const base::StopToken stop_;
};

}  // namespace

std::unique_ptr<sandbox::ChangeLog> journal_change_log(PlanWriter& writer, PlanStore& store,
                                                       base::StopToken stop) {
  return std::make_unique<JournalChangeLog>(writer, store, std::move(stop));
}

}  // namespace clever::engine::internal
