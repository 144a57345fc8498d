#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "base/guarded.h"
#include "base/monitor.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "storage/engine.h"

namespace clever::storage::internal {

/// A queued unit or task, with its callback. A task needs the writer's connection to itself between
/// two transactions, and answers with an empty receipt.
struct Pending {
  UnitOfWork unit;
  Engine::Done done;
  std::move_only_function<base::Result<void>(Snapshot&)> task{};
};

/// The approximate size of a unit's parameters in bytes.
[[nodiscard]] std::size_t weight(const UnitOfWork& unit);

/// The units that wait for a writer, first come first served. Bounded in number and bytes; refuses
/// further ones. Thread-safe; any number of writers may take from it.
class CommitQueue {
 public:
  using Ticket = std::uint64_t;
  struct Limits {
    std::size_t units = 65'536;
    std::size_t bytes = std::size_t{512} << 20U;
    /// The limit of a single unit.
    std::size_t unit_bytes = std::size_t{64} << 20U;
  };

  explicit CommitQueue(Limits limits) : limits_(limits) {}

  /// Takes the unit, or leaves it unchanged and returns why: `resource_exhausted` when full,
  /// `invalid_argument` for a unit that is too large, `cancelled` once closed.
  base::Result<Ticket> push(Pending& pending);
  /// Takes a unit that is not urgent: it wakes no writer, and goes with the next take. Refuses as
  /// push() does; many such units together count as urgent.
  base::Result<void> push_along(Pending& pending);
  /// Returns the unit, if no writer has taken it yet.
  [[nodiscard]] std::optional<Pending> withdraw(Ticket ticket);

  /// Waits for a unit; `cancelled` on a stop or once closed and empty.
  base::Result<void> wait(const base::StopToken& stop,
                          base::Deadline deadline = base::Deadline::never());
  [[nodiscard]] std::size_t waiting() const;
  /// The next units, at most `units` and, except for the first, at most `bytes`; with them the
  /// units of push_along(). Does not wait.
  [[nodiscard]] std::vector<Pending> take(std::size_t units, std::size_t bytes);

  /// Refuses new units from now on; queued ones can still be taken.
  void close();

 private:
  struct Entry {
    std::optional<Pending> pending;
    std::size_t bytes = 0;
  };
  struct State {
    std::deque<Entry> entries;  // a withdrawn one is empty
    Ticket first = 0;           // of entries.front()
    std::size_t waiting = 0;
    std::size_t bytes = 0;
    bool closed = false;
  };
  /// The units that are not urgent.
  struct Along {
    std::vector<Pending> units;
    bool closed = false;
  };
  static constexpr std::size_t kMostAlong = 64;
  static void drop_withdrawn(State& state);
  void add_along(std::vector<Pending>& taken);

  const Limits limits_;
  base::Monitor<State> state_;
  base::Guarded<Along> along_;
};

}  // namespace clever::storage::internal
