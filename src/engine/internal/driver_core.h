#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/guarded.h"
#include "engine/plan_drivers.h"

namespace clever::engine::internal {

class PlanDriver;
class DriverCore;

/// The right to drive one more subplan of a depth; given back when it goes. Moves, never copied.
class Slot {
 public:
  Slot() = default;
  Slot(std::weak_ptr<DriverCore> core, std::int64_t depth)
      : core_(std::move(core)), depth_(depth) {}
  Slot(Slot&& other) noexcept : core_(std::move(other.core_)), depth_(other.depth_) {}
  Slot& operator=(Slot&& other) noexcept {
    std::swap(core_, other.core_);
    std::swap(depth_, other.depth_);
    return *this;
  }
  ~Slot();

 private:
  std::weak_ptr<DriverCore> core_{};
  std::int64_t depth_ = 0;
};

/// What the drivers of a process share: who is there, who waits for whom, leases. Thread-safe.
class DriverCore : public std::enable_shared_from_this<DriverCore> {
 public:
  using Place = PlanDrivers::Place;
  using Signal = PlanDrivers::Signal;
  template <class T>
  using Done = PlanDrivers::Done<T>;
  /// Asked once, if the plan has no journal yet.
  using Source = std::move_only_function<void(Done<plan::Create>)>;

  explicit DriverCore(PlanEngine::Parts parts) : parts_(std::move(parts)) {}

  [[nodiscard]] PlanEngine::Parts& parts() { return parts_; }
  [[nodiscard]] PlanStore& store() { return parts_.store; }
  [[nodiscard]] Scheduler& scheduler() { return parts_.scheduler; }

  /// The driver of the plan, begun now if there is none. `source`: none to drive only what exists.
  /// `parent` keeps it from being put away until it lets go.
  std::shared_ptr<PlanDriver> open(const model::PlanId& plan, Source source, bool by_parent,
                                   Done<Place> done);
  void drive(const model::PlanId& plan, Done<Place> done);
  /// Called by the driver of its parent: lets go of the plan.
  void let_go(const model::PlanId& plan);
  /// The lease of a subplan was lost; its parent tries to get it back.
  void child_lost(const model::PlanId& parent, const model::EffectId& effect);
  /// A parent is not driven any more: neither are its subplans.
  void close(const model::PlanId& plan);

  [[nodiscard]] std::optional<PlanDrivers::View> look(const model::PlanId& plan) const;
  [[nodiscard]] std::shared_ptr<void> watch(const model::PlanId& plan,
                                            std::shared_ptr<Signal> signal);
  [[nodiscard]] bool is_watched(const model::PlanId& plan) const;
  void signal(const model::PlanId& plan) const;

  /// Grants a slot at once or later, in order, on whatever thread. Subplans of one depth never wait
  /// for those above them, so that a tree of any shape comes to its end.
  void take_slot(std::int64_t depth, std::move_only_function<void(Slot)> granted);
  void give_back(std::int64_t depth);

  /// Runs `task` where it may wait for the store; false if that is refused.
  bool in_store(base::Task&& task);

  /// What this process writes does not get into the store any more: nothing is driven on, and
  /// everybody who waits hears why.
  void store_failed(const base::Error& error);
  [[nodiscard]] PlanDrivers::Failures failures() const;

  void stop(std::move_only_function<void()> done);
  [[nodiscard]] bool is_stopping() const;
  /// A driver has finished with its plan; `was_driven`: signals those who wait for the plan.
  void gone(const PlanDriver& driver, bool was_driven);
  /// As a crash: lets go of everything.
  void drop();
  [[nodiscard]] std::size_t size() const;

 private:
  struct Slots {
    std::size_t taken = 0;
    std::deque<std::move_only_function<void(Slot)>> waiting{};
  };
  struct Table {
    std::map<model::PlanId, std::shared_ptr<PlanDriver>> drivers{};
    std::map<model::PlanId, std::vector<std::shared_ptr<Signal>>> watchers{};
    std::map<std::int64_t, Slots> slots{};
    // Tasks of its own that use the store.
    std::size_t tasks = 0;
    bool renewing = false;
    std::unique_ptr<Alarm> renewal{};
    PlanDrivers::Failures failures{};
    bool stopping = false;
    std::move_only_function<void()> stopped{};
  };

  [[nodiscard]] std::shared_ptr<PlanDriver> find(const model::PlanId& plan) const;
  void unwatch(const model::PlanId& plan, const std::shared_ptr<Signal>& signal);
  void find_root(const model::PlanId& plan, Done<Place> done);
  void open_root(const model::PlanId& plan, const model::PlanId& root, Done<Place> done);
  void schedule_renewal();
  void renew();
  void tell_if_stopped();
  void close_all();

  // Constant after construction.
  PlanEngine::Parts parts_;
  // Guarded.
  base::Guarded<Table> table_;
};

}  // namespace clever::engine::internal
