#pragma once
#include <memory>

#include "base/clock.h"
#include "base/executor.h"
#include "base/result.h"
#include "base/task.h"

namespace clever::engine {

/// A pending alarm; destroying it cancels.
class Alarm {
 public:
  virtual ~Alarm() = default;
};

/// Who runs when: threads in the program, a seed in the simulator. Thread-safe; outlives whatever
/// it made.
class Scheduler {
 public:
  virtual ~Scheduler() = default;

  /// An executor that runs its tasks one at a time and in order: one per plan.
  [[nodiscard]] virtual std::unique_ptr<base::Executor> make_strand() = 0;
  /// For what blocks: tools, merges, snapshots, applies. Bounded; queues what exceeds it.
  [[nodiscard]] virtual base::Executor& blocking() = 0;
  /// For calls to the store, which block shortly: they never wait behind a tool.
  [[nodiscard]] virtual base::Executor& storing() { return blocking(); }
  [[nodiscard]] virtual base::Clock& clock() = 0;
  /// Posts `task` to `executor` once the clock has reached `due`; at once, if there are too many
  /// alarms. The executor must outlive this scheduler's alarms: blocking() and storing() do.
  [[nodiscard]] virtual std::unique_ptr<Alarm> at(base::TimePoint due, base::Executor& executor,
                                                  base::Task&& task) = 0;
};

}  // namespace clever::engine
