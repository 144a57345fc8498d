#pragma once
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/monitor.h"
#include "base/ulid.h"
#include "engine/error_recovery_service.h"
#include "engine/plan_execution_context.h"
#include "engine/plan_writer.h"
#include "model/change_events.h"
#include "model/work_events.h"
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

/// Waits for what `start` tells the callback that it is given.
template <class T, class Start>
[[nodiscard]] base::Result<T> await(const Start& start) {
  using Answer = base::Monitor<std::optional<base::Result<T>>>;
  const auto answer = std::make_shared<Answer>();
  start([answer](base::Result<T> reported) {
    answer->update([&](auto& slot) { slot.emplace(std::move(reported)); });
  });
  answer->wait({}, base::Deadline::never(), [](const auto& slot) { return slot.has_value(); })
      .value();
  return answer->read([](const auto& slot) { return *slot; });
}
[[nodiscard]] inline base::Result<plan::RecoveryDecision> record(
    engine::ErrorRecoveryService& service, plan::RecordError error) {
  return await<plan::RecoveryDecision>(
      [&](auto done) { service.record(std::move(error), std::move(done)); });
}
[[nodiscard]] inline base::Result<void> record(const engine::Changeset& changeset,
                                               std::vector<model::ChangeEntry> entries) {
  return await<void>([&](auto done) { changeset.record(std::move(entries), std::move(done)); });
}
/// For a PlanExecutionContext: changes go where the driver of a plan brings them.
[[nodiscard]] inline engine::Changeset::Write writes_to(engine::PlanWriter& writer) {
  return [&writer](plan::RecordChanges changes, engine::Changeset::Done done) {
    writer.submit({std::move(changes)},
                  [done = std::move(done)](const base::Result<engine::Settled>& settled) mutable {
                    done(settled.ok() ? base::Result<void>() : settled.error());
                  });
  };
}

/// All errors of a plan in order, from its journal.
[[nodiscard]] inline base::Result<std::vector<model::ErrorRecorded>> error_history(
    engine::PlanStore& store, const model::PlanId& plan) {
  CLEVER_ASSIGN(const storage::LoadedPlan loaded, store.load(plan));
  std::vector<model::ErrorRecorded> errors;
  for (const model::StoredEvent& event : loaded.events) {
    if (event.kind != model::ErrorRecorded::kKind) continue;
    CLEVER_ASSIGN(model::ErrorRecorded error, model::ErrorRecorded::parse(event.data));
    errors.push_back(std::move(error));
  }
  return errors;
}

/// The entries of a changeset, numbered by their places in the plan's journal.
[[nodiscard]] inline std::vector<model::ChangeEntry> entries_of(engine::PlanStore& store,
                                                                const model::PlanId& plan,
                                                                const model::ChangesetId& id) {
  std::vector<model::ChangeEntry> entries;
  for (const model::StoredEvent& event : store.load(plan)->events) {
    if (event.kind != model::ChangesRecorded::kKind) continue;
    const auto recorded = model::ChangesRecorded::parse(event.data).value();
    if (recorded.changeset != id) continue;
    for (model::ChangeEntry entry : recorded.entries) {
      entry.sequence = std::ssize(entries) + 1;
      entries.push_back(std::move(entry));
    }
  }
  return entries;
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
