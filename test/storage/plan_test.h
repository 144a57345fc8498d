#pragma once
// What tests of journals, leases and projections share: an owner, and plans it holds.

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/ulid.h"
#include "model/plan_events.h"
#include "storage/engines.h"
#include "storage/journal.h"
#include "storage/leases.h"
#include "storage/owner_lock.h"

namespace clever::storage::testing {

inline constexpr std::chrono::minutes kTtl{1};

[[nodiscard]] inline model::Event note(std::string text) {
  return {"note", 1, R"({"text":")" + std::move(text) + "\"}"};
}

/// A plan as its owner knows it.
struct HeldPlan {
  model::PlanId id;
  Lease lease;
  Head head;
};

/// Owners, plans and ids, whatever the engine.
class PlanWorld {
 public:
  explicit PlanWorld(base::SimulatedClock& clock) : clock_(clock), ids_(clock, random_) {}

  template <class Id>
  [[nodiscard]] Id next() {
    return Id(ids_.next());
  }
  [[nodiscard]] OwnerLock new_owner() {
    return OwnerLock::acquire(folder_.path(), next<model::OwnerId>()).value();
  }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

  [[nodiscard]] HeldPlan create(Engine& engine, const OwnerLock& owner,
                                model::PlanCreated created = {}) {
    HeldPlan plan{next<model::PlanId>(), {}, {}};
    plan.lease = Leases(engine).acquire(plan.id, owner, kTtl).value();
    append(engine, plan, {created.to_event()});
    return plan;
  }

  [[nodiscard]] static Append make_append(const HeldPlan& plan, std::vector<model::Event> events) {
    Append append;
    append.plan = plan.id;
    append.expected = plan.head;
    append.epoch = plan.lease.epoch;
    append.events = std::move(events);
    return append;
  }

  void append(Engine& engine, HeldPlan& plan, std::vector<model::Event> events) {
    plan.head = Journal(engine, clock_).append(make_append(plan, std::move(events))).value();
  }

 private:
  base::SimulatedClock& clock_;
  base::SeededRandom random_{1};
  base::UlidGenerator ids_;
  test::TemporaryDirectory folder_;
};

class PlanTest : public EngineTest {
 protected:
  PlanTest() : world_(clock()), owner_(world_.new_owner()) {}

  [[nodiscard]] PlanWorld& world() { return world_; }
  [[nodiscard]] const OwnerLock& owner() const { return owner_; }
  [[nodiscard]] Journal journal(model::EventKinds kinds = {}) {
    return {engine(), clock(), std::move(kinds)};
  }
  [[nodiscard]] Leases leases() { return Leases(engine()); }

  [[nodiscard]] HeldPlan create(model::PlanCreated created = {}) {
    return world_.create(engine(), owner_, std::move(created));
  }
  [[nodiscard]] static Append make_append(const HeldPlan& plan, std::vector<model::Event> events) {
    return PlanWorld::make_append(plan, std::move(events));
  }
  void append(HeldPlan& plan, std::vector<model::Event> events) {
    world_.append(engine(), plan, std::move(events));
  }
  [[nodiscard]] base::Result<Head> try_append(const HeldPlan& plan,
                                              std::vector<model::Event> events) {
    return journal().append(make_append(plan, std::move(events)));
  }

  /// Another hand at the database.
  template <class... Parameters>
  void edit(Sql sql, Parameters&&... parameters) {
    UnitOfWork unit;
    unit.run(sql, std::forward<Parameters>(parameters)...);
    engine().commit(std::move(unit)).value();
  }
  [[nodiscard]] std::int64_t number(Sql sql) { return engine().query(sql).value()[0].integer(0); }

 private:
  PlanWorld world_;
  OwnerLock owner_;
};

}  // namespace clever::storage::testing
