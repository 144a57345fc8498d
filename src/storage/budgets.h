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

/// What a scope may cost at most. A value; model::kLargestAmount means no cap.
struct Caps {
  model::Microdollars money = model::kLargestAmount;
  std::int64_t tokens = model::kLargestAmount;

  friend bool operator==(const Caps&, const Caps&) = default;
};

/// What a scope may cost, and what it has cost so far. A value.
struct Budget {
  std::string scope{};
  Caps cap{};
  model::Cost reserved{};
  model::Cost spent{};
  /// Calls that cost more than their reservation: as long as there is one nothing more is reserved.
  std::int64_t overruns = 0;

  [[nodiscard]] model::Cost left() const {
    return {cap.money - reserved.money - spent.money, cap.tokens - reserved.tokens - spent.tokens};
  }
  /// Where there is no cap everything does.
  [[nodiscard]] bool fits(const model::Cost& cost) const {
    return overruns == 0 &&
           (cap == Caps{} || (cost.money <= left().money && cost.tokens <= left().tokens));
  }
  /// Whether nine tenths of a cap are spent, which is worth a word. What is put aside comes back.
  [[nodiscard]] bool nearly_used_up() const;
  friend bool operator==(const Budget&, const Budget&) = default;
};

/// A reservation that is not settled. A value.
struct Reservation {
  model::PlanId plan{};
  /// Of the event that made it: names it within its plan.
  std::int64_t sequence = 0;
  model::EffectId effect{};
  std::vector<std::string> scopes{};
  model::Cost cost{};
  model::Timestamp time{};
  /// Its call has ended, or was begun anew under another reservation, and nobody knows what this
  /// one cost: it counts as spent until a person releases it (model::BudgetReleased).
  bool orphaned = false;

  friend bool operator==(const Reservation&, const Reservation&) = default;
};

/// Caps on money and tokens, shared by all plans that name a scope. Costs are reserved and settled
/// by events (model::BudgetReserved, BudgetSettled, BudgetReleased); an append that would pass a
/// cap is refused with `resource_exhausted`, whoever else reserves at the same moment. Who spends
/// from a scope that has a cap waits for others who do; scopes without one are summed when somebody
/// looks.
///
/// Thread-safe. The engine must outlive it.
class Budgets {
 public:
  explicit Budgets(Engine& engine) : engine_(engine) {}

  /// Sets the caps of a scope, and forgets its overruns: a person has looked. Below what is
  /// reserved and spent they keep more from being reserved. When it returns they hold for
  /// everybody, and what others had begun before is counted: every write of the database waits for
  /// this one.
  base::Result<void> set_cap(const std::string& scope, const Caps& caps,
                             const base::StopToken& stop = {},
                             base::Deadline deadline = base::Deadline::never());
  /// Sets the caps of a scope that has none yet.
  base::Result<void> ensure_cap(const std::string& scope, const Caps& caps,
                                const base::StopToken& stop = {},
                                base::Deadline deadline = base::Deadline::never());

  /// `not_found` for a scope without a cap.
  [[nodiscard]] base::Result<Budget> find(const std::string& scope,
                                          const base::StopToken& stop = {},
                                          base::Deadline deadline = base::Deadline::never());

  /// All of them, by scope.
  [[nodiscard]] base::Result<std::vector<Budget>> list(
      const base::StopToken& stop = {}, base::Deadline deadline = base::Deadline::never());

  /// Those that are not settled, oldest first.
  [[nodiscard]] base::Result<std::vector<Reservation>> reservations(
      const base::StopToken& stop = {}, base::Deadline deadline = base::Deadline::never());

  /// What to do about a refused reservation.
  struct Room {
    enum class Answer : std::uint8_t {
      kFits,  // by now there is room: ask again
      kWait,  // there will be room if others need less than they reserved: watch
              // budget_topic(scope)
      kFull,  // there will be none until a person raises the cap
    };
    Answer answer = Answer::kFits;
    /// The scope that is in the way, if one is.
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
