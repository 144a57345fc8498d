#include "reports/changeset_ours.h"

#include "base/random.h"
#include "plan/decide.h"
#include "reports/disk_plans.h"
#include "sim/engine/writer_kit.h"

namespace clever::reports::changeset {

// What one process has of the plan: its lease, its writer, the context of its work.
class Ours::Life {
 public:
  explicit Life(Disk& disk) : store_(disk), writer_(open()) {
    if (!writer_->state()->exists()) (void)writer_->execute({sim::new_plan()});
  }

  Handle start() { return std::make_shared<engine::Changeset>(context_.start_changeset({})); }
  [[nodiscard]] std::vector<Entry> entries(const model::ChangesetId& id) {
    std::vector<Entry> found;
    for (const model::ChangeEntry& entry : sim::entries_of(store_, plan_, id)) {
      found.push_back({std::stoi(entry.path), static_cast<int>(entry.sequence)});
    }
    return found;
  }
  [[nodiscard]] int orphans() {
    int orphans = 0;
    for (const model::StoredEvent& event : store_.load(plan_)->events) {
      if (event.kind != model::ChangesetStarted::kKind) continue;
      const auto started = model::ChangesetStarted::parse(event.data).value();
      orphans += entries(started.id).empty() ? 1 : 0;
    }
    return orphans;
  }

 private:
  std::unique_ptr<engine::PlanWriter> open() {
    auto lease = store_.acquire(plan_).value();
    const auto loaded = store_.load(plan_).value();
    plan::State state;
    state.id = plan_;
    if (!loaded.events.empty()) state = plan::fold(loaded.events).value();
    return std::make_unique<engine::PlanWriter>(store_, scheduler_, scheduler_.make_strand(),
                                                std::move(lease), loaded.state.head,
                                                std::move(state), engine::PlanWriter::Hooks{});
  }

  const model::PlanId plan_ = sim::plan_id(1);
  sim::StillClock clock_;
  base::SeededRandom random_{1};
  base::UlidGenerator ids_{clock_, random_};
  sim::TurnScheduler scheduler_{clock_};
  DiskPlans store_;
  const std::unique_ptr<engine::PlanWriter> writer_;
  engine::PlanExecutionContext context_{ids_, sim::writes_to(*writer_)};
};

Ours::Ours(Disk& disk) : life_(std::make_unique<Life>(disk)) {}
Ours::~Ours() = default;

Ours::Handle Ours::start() { return life_->start(); }

Recorded Ours::record(const Handle& mine, int change) {
  const bool done = sim::record(*mine, {{.path = std::to_string(change)}}).ok();
  return done ? Recorded::kDone : Recorded::kRefused;
}

std::vector<Entry> Ours::entries(const Handle& changeset) const {
  return life_->entries(changeset->id());
}

int Ours::orphans() const { return life_->orphans(); }

}  // namespace clever::reports::changeset
