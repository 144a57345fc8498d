#pragma once
#include <memory>
#include <string>
#include <utility>

#include "base/clock.h"
#include "engine/plan_writer.h"
#include "sim/engine/memory_plans.h"
#include "sim/engine/plan_database.h"
#include "sim/engine/turn_scheduler.h"

namespace clever::sim {

/// Time stands still; nothing in it to be scheduled around.
class StillClock final : public base::Clock {
 public:
  [[nodiscard]] base::TimePoint now() const override { return {}; }
  [[nodiscard]] base::WallTime wall_now() const override {
    return base::WallTime{std::chrono::seconds{1'700'000'000}};
  }
  void wait_until(base::CondVar& changed, base::Mutex& mutex, base::TimePoint /*until*/) override
      CLEVER_REQUIRES(mutex) {
    changed.wait(mutex);
  }
};

[[nodiscard]] inline model::PlanId plan_id(std::uint8_t number) {
  base::Ulid::Bytes bytes{};
  bytes[15] = number;
  return model::PlanId(base::Ulid(bytes));
}

[[nodiscard]] inline plan::Create new_plan(std::string title = "a task") {
  plan::Create create{.title = std::move(title),
                      .prompt = {model::Role::kUser, {model::Text{"do it"}}}};
  create.settings.terms = {.model = "scripted/kit", .context_window = 1000, .max_output = 100};
  return create;
}

/// Something went wrong: one retry is granted, and no more.
[[nodiscard]] inline plan::RecordError trouble() {
  return {.category = model::ErrorCategory::kInternal, .message = "trouble"};
}

/// A plan that was created, its writer, and all that needs. Thread-safe as its parts are.
class WriterKit {
 public:
  explicit WriterKit(engine::PlanWriter::Hooks hooks = {})
      : lease_(store.acquire(plan).value()), writer_(make(std::move(hooks))) {
    created = writer_->execute({new_plan()}).value();
  }

  [[nodiscard]] engine::PlanWriter& writer() { return *writer_; }
  [[nodiscard]] const storage::Lease& lease() const { return lease_; }
  [[nodiscard]] std::vector<model::StoredEvent> events() { return store.load(plan)->events; }
  [[nodiscard]] std::size_t count(std::string_view kind) {
    std::size_t found = 0;
    for (const auto& event : events()) found += event.kind == kind ? 1 : 0;
    return found;
  }
  void close() { writer_.reset(); }
  /// Another process takes the plan.
  storage::Lease steal() {
    database.bury(1);
    return thief.acquire(plan).value();
  }

  StillClock clock;
  PlanDatabase database;
  Topics topics;
  MemoryPlans store{database, topics, clock, 1};
  MemoryPlans thief{database, topics, clock, 2};
  TurnScheduler scheduler{clock};
  const model::PlanId plan = plan_id(1);
  engine::Settled created;

 private:
  std::unique_ptr<engine::PlanWriter> make(engine::PlanWriter::Hooks hooks) {
    plan::State none;
    none.id = plan;
    return std::make_unique<engine::PlanWriter>(store, scheduler, scheduler.make_strand(), lease_,
                                                storage::Head{}, std::move(none), std::move(hooks));
  }
  const storage::Lease lease_;
  std::unique_ptr<engine::PlanWriter> writer_;
};

}  // namespace clever::sim
