#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/stop_token.h"
#include "engine/effect_runner.h"
#include "engine/forwarding_observer.h"

namespace clever::engine {

/// Pauses a tree of plans while all that it does is wait: for a provider's limit, for room in a
/// budget, for the time of a retry. A paused tree's running calls go on; effects that it requests
/// are held back until allow().
///
///   working ──all of its effects wait, pause() agrees──▶ paused ──it requests an effect, or
///      ▲                                                    │       nothing of it runs any more
///      └──────────────── allow() ◀── wants_to_work() ◀──────┘
///
/// Owned by the composition root; must outlive the runtime that uses it. Thread-safe. Calls no
/// function under a lock. A held effect that is asked to stop has stopped.
class EffectGate final : public ForwardingObserver {
 public:
  /// The owner of a tree. The functions may be called on any thread and must not block.
  struct Owner {
    /// False: the tree stays as it is.
    std::function<bool(const WaitNotice& wait)> pause;
    /// The owner answers with allow(), at once or later.
    std::function<void()> wants_to_work;
  };

  EffectGate(base::Clock& clock, Observer* next) : ForwardingObserver(next), clock_(clock) {}

  /// From now on these plans and their subplans are one tree. Plans of no tree are never paused.
  void add(const std::vector<model::PlanId>& roots, Owner owner);
  /// A paused tree may work, and its owner is called no more, except by calls under way.
  void remove(const model::PlanId& root);
  /// A tree that is not paused stays as it is.
  void allow(const model::PlanId& root);

  /// Starts an effect with the runner, which must outlive it, or holds it back.
  void start(EffectRunner& runner, EffectOrder order, EffectRunner::Done done);

  void on_events(const plan::State& state, const std::vector<model::StoredEvent>& events) override;
  void on_wait(const model::PlanId& plan, const WaitNotice& wait) override;

 private:
  enum class Phase : std::uint8_t {
    kWorking,
    kPausing,    // pause() is being called
    kPaused,     //
    kReturning,  // wants_to_work() was called
  };
  struct Member {
    std::size_t running = 0;
    std::size_t calls = 0;  // those that are calls of a model
    bool waits = false;
  };
  struct Held {
    EffectRunner& runner;
    EffectOrder order;
    EffectRunner::Done done;
    std::unique_ptr<base::StopCallback> on_stop{};
  };
  using Effects = std::map<model::EffectId, std::unique_ptr<Held>>;
  struct Tree {
    Owner owner;
    Phase phase = Phase::kWorking;
    std::map<model::PlanId, Member> plans{};
    Effects held{};
    // While kPausing: it has work again.
    bool stirred = false;
  };
  // Several ids name one tree; touched under the lock only.
  using Trees = std::map<model::PlanId, std::shared_ptr<Tree>>;

  [[nodiscard]] static Tree* find(Trees& trees, const plan::State& plan);
  [[nodiscard]] static bool all_wait(const Tree& tree);
  [[nodiscard]] static bool is_idle(const Tree& tree);
  // Returns what to call, if anything.
  [[nodiscard]] static std::function<void()> stir(Tree& tree);
  [[nodiscard]] static Effects open(Tree& tree);
  [[nodiscard]] std::optional<WaitNotice> reason_to_wait(const plan::State& plan) const;
  void consider_pause(const model::PlanId& plan, const WaitNotice& wait);
  void run(std::unique_ptr<Held> held);
  void run_all(Effects effects);
  void ended(const model::PlanId& plan, bool call);
  void drop(const model::PlanId& plan, const model::EffectId& effect);

  base::Clock& clock_;
  base::Guarded<Trees> trees_;
};

/// A runner behind a gate, which may be null; both must outlive it.
class GatedEffects final : public EffectRunner {
 public:
  GatedEffects(EffectRunner& runner, EffectGate* gate) : runner_(runner), gate_(gate) {}
  void start(EffectOrder order, Done done) override {
    if (gate_ == nullptr) return runner_.start(std::move(order), std::move(done));
    gate_->start(runner_, std::move(order), std::move(done));
  }

 private:
  EffectRunner& runner_;
  EffectGate* const gate_;
};

}  // namespace clever::engine
