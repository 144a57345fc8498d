#pragma once
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/result.h"
#include "engine/effect_runner.h"
#include "engine/scheduler.h"

namespace clever::engine::internal {

/// A running effect: its order, and the one way to end it. Shared by the code that works on it. If
/// the last reference goes away unsettled, the effect counts as stopped, so that its plan always
/// gets exactly one answer.
///
/// Call settle() or fail() once, from any thread. It touches nothing after that.
class EffectJob {
 public:
  EffectJob(EffectOrder order, EffectRunner::Done done)
      : order_(std::move(order)), done_(std::move(done)) {}
  EffectJob(const EffectJob&) = delete;
  EffectJob& operator=(const EffectJob&) = delete;
  ~EffectJob();

  [[nodiscard]] const EffectOrder& order() const { return order_; }
  [[nodiscard]] const plan::State& plan() const { return *order_.plan; }

  void settle(plan::Command outcome);
  void fail(const base::Error& error) { settle(failure(order_, error)); }

  /// What an error comes back as: EffectStopped if the effect was asked to stop, else a RecordError
  /// of the category that the error's code has.
  [[nodiscard]] static plan::Command failure(const EffectOrder& order, const base::Error& error);

 private:
  const EffectOrder order_;
  EffectRunner::Done done_;
};

/// How effects of one kind are run. Thread-safe; outlives its jobs until they are settled.
class Effect {
 public:
  virtual ~Effect() = default;
  /// Must not block.
  virtual void start(std::shared_ptr<EffectJob> job) = 0;
};

/// One that runs from its beginning to its end on Scheduler::blocking().
class BlockingEffect : public Effect {
 public:
  explicit BlockingEffect(Scheduler& scheduler) : scheduler_(scheduler) {}
  void start(std::shared_ptr<EffectJob> job) final;

 protected:
  [[nodiscard]] virtual base::Result<plan::Command> run(const EffectOrder& order) = 0;
  [[nodiscard]] Scheduler& scheduler() const { return scheduler_; }

 private:
  Scheduler& scheduler_;
};

}  // namespace clever::engine::internal
