#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "base/monitor.h"
#include "base/result.h"
#include "engine/plan_engine.h"

namespace clever::engine {

namespace internal {
class DriverCore;
}

/// The plans that this process drives, without any waiting: what PlanEngine is made of, and what
/// the simulator runs in one thread.
///
/// Thread-safe. All `done`s are called once, on whatever thread. The destructor drops everything as
/// a crash would, without waiting and without writing: stop() first.
class PlanDrivers {
 public:
  template <class T>
  using Done = std::move_only_function<void(base::Result<T>)>;

  /// The process that drives a plan, after a request to drive it.
  struct Place {
    /// Who drives it, if another living process does.
    std::optional<base::Error> elsewhere{};
  };
  /// What this process knows of a plan that it drives.
  struct View {
    std::shared_ptr<const plan::State> state{};
    /// At rest, but it will go on by itself: it waits for money that others have put aside.
    bool goes_on = false;
  };
  /// How often this process gave up writing to the store, and why at last.
  struct Failures {
    std::uint64_t count = 0;
    std::optional<base::Error> last{};
  };
  /// Counts what happened to a plan, for those who wait for it.
  using Signal = base::Monitor<std::uint64_t>;

  explicit PlanDrivers(PlanEngine::Parts parts);
  ~PlanDrivers();
  PlanDrivers(const PlanDrivers&) = delete;
  PlanDrivers& operator=(const PlanDrivers&) = delete;

  /// The plan is durable when `done` runs.
  void create(const model::PlanId& plan, plan::Create command, Done<Place> done);
  /// The plan's root first. `not_found`; `conflict` if this program does not know all of it.
  void drive(const model::PlanId& plan, Done<Place> done);

  /// None unless it is driven here.
  [[nodiscard]] std::optional<View> look(const model::PlanId& plan) const;
  /// After one of them nothing is driven until a caller asks again.
  [[nodiscard]] Failures failures() const;
  /// As long as the answer lives the plan is not put away, and the signal counts on: when it comes
  /// to rest, consumed a command or is driven here no more.
  [[nodiscard]] std::shared_ptr<void> watch(const model::PlanId& plan,
                                            std::shared_ptr<Signal> signal);

  /// Asks all effects to stop, waits for them and lets the leases go; then `done`, and nothing of
  /// what it was given is used any more.
  void stop(std::move_only_function<void()> done);
  [[nodiscard]] std::size_t size() const;

 private:
  const std::shared_ptr<internal::DriverCore> core_;
};

}  // namespace clever::engine
