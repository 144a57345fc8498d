#pragma once
// Plans whose effects are answered by hand: what driving and keeping them costs, and nothing else.

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "base/monitor.h"
#include "base/random.h"
#include "base/ulid.h"
#include "engine/effect_runner.h"
#include "engine/observer.h"
#include "engine/plan_engine.h"
#include "engine/stored_plans.h"
#include "engine/thread_scheduler.h"
#include "storage/database_source.h"
#include "storage/owner_lock.h"

namespace clever::bench {

/// Answers every effect: tools and the rest at once, a model's call after a while.
class AnsweringRunner final : public engine::EffectRunner {
 public:
  struct Options {
    /// Turns with a tool call before the last answer.
    int turns = 1;
    /// A call takes anything between these; 0: it is answered at once.
    std::chrono::milliseconds shortest{0};
    std::chrono::milliseconds longest{0};
  };
  AnsweringRunner(engine::Scheduler& scheduler, const Options& options)
      : scheduler_(scheduler), options_(options) {}

  void start(engine::EffectOrder order, Done done) override;

  /// When a plan's present answer was there to be taken.
  [[nodiscard]] base::TimePoint due(const model::PlanId& plan) const;

 private:
  struct Waiting {
    std::map<model::PlanId, base::TimePoint> due;
    std::map<model::PlanId, std::unique_ptr<engine::Alarm>> alarms;
    base::SeededRandom random{1};
  };
  void answer_later(engine::EffectOrder order, Done done);

  engine::Scheduler& scheduler_;
  const Options options_;
  mutable base::Guarded<Waiting> waiting_;
};

/// The engine over a database with such effects. Ends the program where something cannot be had.
class InstantEngine {
 public:
  struct Options {
    std::string database{};
    std::filesystem::path home{};
    AnsweringRunner::Options answers{};
    engine::Observer* observer = nullptr;
  };
  explicit InstantEngine(const Options& options);

  [[nodiscard]] engine::PlanEngine& plans() { return *plans_; }
  [[nodiscard]] AnsweringRunner& runner() { return runner_; }
  [[nodiscard]] base::Clock& clock() { return clock_; }
  model::PlanId start(int turns);

 private:
  base::SystemClock clock_;
  base::SystemRandom random_;
  base::UlidGenerator ids_{clock_, random_};
  storage::DatabaseSource source_;
  std::unique_ptr<storage::Engine> database_;
  storage::OwnerLock owner_;
  engine::StoredPlans store_;
  engine::ThreadScheduler scheduler_;
  AnsweringRunner runner_;
  std::unique_ptr<engine::PlanEngine> plans_;
};

}  // namespace clever::bench
