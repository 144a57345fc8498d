#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "base/thread_pool.h"
#include "engine/effect_gate.h"
#include "service/notice/notice_targets.h"
#include "service/plan/plan_jobs.h"
#include "service/plan/workplace.h"
#include "storage/engine.h"
#include "worker/async_worker.h"

namespace clever::service {

/// Drives the plans of a worker's jobs with one engine. An attempt has a thread while its plans
/// work. While they only wait for a limit it has neither thread nor slot: its plans stay open under
/// the job's lease, and take a slot again once they have something to do.
///
/// Thread-safe. What it is made of must outlive it. The destructor runs what was begun to its end,
/// so the worker's stop comes first.
class PlanAttempts {
 public:
  struct Parts {
    storage::Engine& engine;
    base::Clock& clock;
    engine::EffectGate& gate;
    /// With the gate.
    std::unique_ptr<Workplace> workplace;
    std::size_t threads = 1;
    /// Called on an attempt's thread before it begins, and once it has ended.
    std::function<void()> begins;
    std::function<void()> ended;
    /// Says what a running job waits for; empty: nothing.
    std::function<void(const worker::Lease& job, const std::string& why)> note;
  };
  explicit PlanAttempts(Parts parts);
  ~PlanAttempts();

  void begin(const worker::Job& job, const base::StopToken& stop, worker::Finish finish);

  /// What begins from now on goes by these; `invalid_argument`: nothing changed.
  base::Result<void> reconfigure(const provider::ProviderSettings& settings,
                                 std::vector<NoticeTarget> targets);
  [[nodiscard]] const NoticeTargets& notices() const { return parts_.workplace->notices(); }

 private:
  class Attempt;

  void post(const std::shared_ptr<Attempt>& attempt);
  void work(Attempt& attempt);
  // Returns true if the attempt has ended: its job would only wait, and does that in the queue.
  [[nodiscard]] bool put_off(Attempt& attempt);
  [[nodiscard]] bool pause(Attempt& attempt, const engine::WaitNotice& wait);
  void go_on(const std::shared_ptr<Attempt>& attempt);
  base::Result<void> run(const PlanJob& job, const base::StopToken& stop);
  void end(const Attempt& attempt);
  void conclude(Attempt& attempt, const base::Result<void>& done);

  const Parts parts_;
  // Its tasks use the parts.
  base::ThreadPool threads_;
};

}  // namespace clever::service
