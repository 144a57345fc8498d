#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/budget_events.h"
#include "model/id.h"
#include "model/time.h"
#include "storage/engine.h"

namespace clever::storage {

/// Caps of a scope. A value; model::kLargestAmount means no cap.
struct Caps {
  model::Microdollars money = model::kLargestAmount;
  std::int64_t tokens = model::kLargestAmount;

  friend bool operator==(const Caps&, const Caps&) = default;
};

/// The caps of a scope, and its cost so far. A value.
struct Budget {
  std::string scope{};
  Caps cap{};
  model::Cost reserved{};
  model::Cost spent{};
  /// Calls that cost more than their reservation: while this is not 0, nothing more is reserved.
  std::int64_t overruns = 0;

  [[nodiscard]] model::Cost left() const {
    return {cap.money - reserved.money - spent.money, cap.tokens - reserved.tokens - spent.tokens};
  }
  /// Always true without a cap.
  [[nodiscard]] bool fits(const model::Cost& cost) const {
    return overruns == 0 &&
           (cap == Caps{} || (cost.money <= left().money && cost.tokens <= left().tokens));
  }
  /// Whether nine tenths of a cap are spent, which deserves a warning. Reserved amounts do not
  /// count.
  [[nodiscard]] bool nearly_used_up() const;
  friend bool operator==(const Budget&, const Budget&) = default;
};

/// A reservation that is not settled. A value.
struct Reservation {
  model::PlanId plan{};
  /// The sequence of the event that made it, which names it within its plan.
  std::int64_t sequence = 0;
  model::EffectId effect{};
  std::vector<std::string> scopes{};
  model::Cost cost{};
  model::Timestamp time{};
  /// True if its call ended without a settlement, or was restarted under another reservation, so
  /// that its cost is unknown: it counts as spent until a person releases it
  /// (model::BudgetReleased).
  bool orphaned = false;

  friend bool operator==(const Reservation&, const Reservation&) = default;
};

/// Caps on money and tokens, shared by all plans that name a scope. Events reserve and settle costs
/// (model::BudgetReserved, BudgetSettled, BudgetReleased). An append that would exceed a cap is
/// refused with `resource_exhausted`, also under concurrent reservations. Plans that share a capped
/// scope wait for each other; uncapped scopes are summed on demand.
///
/// Thread-safe. The engine must outlive it.
class Budgets {
 public:
  explicit Budgets(Engine& engine) : engine_(engine) {}

  /// Sets the caps of a scope, and clears its overruns, since a person has looked. Caps below what
  /// is reserved and spent stop further reservations. When it returns the caps hold in all
  /// processes, and reservations that began before are counted: every write of the database waits
  /// for this one.
  base::Result<void> set_cap(const std::string& scope, const Caps& caps,
                             const base::StopToken& stop = {},
                             base::Deadline deadline = base::Deadline::never());
  /// Sets the caps of a scope that has none yet.
  base::Result<void> ensure_cap(const std::string& scope, const Caps& caps,
                                const base::StopToken& stop = {},
                                base::Deadline deadline = base::Deadline::never());
  /// The same as a part of another unit.
  static base::Result<void> add_ensure_cap(UnitOfWork& unit, const std::string& scope,
                                           const Caps& caps);

  /// `not_found` for a scope without a cap.
  [[nodiscard]] base::Result<Budget> find(const std::string& scope,
                                          const base::StopToken& stop = {},
                                          base::Deadline deadline = base::Deadline::never());

  /// Sorted by scope.
  [[nodiscard]] base::Result<std::vector<Budget>> list(
      const base::StopToken& stop = {}, base::Deadline deadline = base::Deadline::never());

  /// Unsettled reservations, oldest first.
  [[nodiscard]] base::Result<std::vector<Reservation>> reservations(
      const base::StopToken& stop = {}, base::Deadline deadline = base::Deadline::never());

  /// What to do about a refused reservation.
  struct Room {
    enum class Answer : std::uint8_t {
      kFits,  // there is room now: ask again
      kWait,  // there will be room if other calls need less than they reserved: watch
              // budget_topic(scope)
      kFull,  // there is no room until a person raises the cap
    };
    Answer answer = Answer::kFits;
    /// The scope that has no room, if one has none.
    Budget budget{};
  };
  [[nodiscard]] base::Result<Room> room(const std::vector<std::string>& scopes,
                                        const model::Cost& cost, const base::StopToken& stop = {},
                                        base::Deadline deadline = base::Deadline::never());

 private:
  Engine& engine_;
};

/// Notified when a reservation in this scope is settled or its cap changes.
[[nodiscard]] std::string budget_topic(const std::string& scope);

}  // namespace clever::storage
