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

/// What waits for its turn, with whom to tell: a unit, or a task that needs the writer's connection
/// to itself between two transactions (and answers with an empty receipt).
struct Pending {
  UnitOfWork unit;
  Engine::Done done;
  std::move_only_function<base::Result<void>(Snapshot&)> task{};
};

/// The bytes that a unit's parameters take, roughly.
[[nodiscard]] std::size_t weight(const UnitOfWork& unit);

/// The units that wait for a writer, first come first served. Bounded in number and in bytes; what
/// is beyond that is refused. Thread-safe; any number of writers may take from it.
class CommitQueue {
 public:
  using Ticket = std::uint64_t;
  struct Limits {
    std::size_t units = 65'536;
    std::size_t bytes = std::size_t{512} << 20U;
    /// A single unit.
    std::size_t unit_bytes = std::size_t{64} << 20U;
  };

  explicit CommitQueue(Limits limits) : limits_(limits) {}

  /// Takes the unit over, or leaves it as it was and says why: `resource_exhausted` when full,
  /// `invalid_argument` for a unit that is too large, `cancelled` once closed.
  base::Result<Ticket> push(Pending& pending);
  /// Takes over a unit that has time: it wakes nobody, and goes with whatever is taken next. The
  /// same refusals; where many have come together they are as others.
  base::Result<void> push_along(Pending& pending);
  /// The unit back, if no writer has taken it yet.
  [[nodiscard]] std::optional<Pending> withdraw(Ticket ticket);

  /// Waits until something is there; `cancelled` on a stop or once closed and empty.
  base::Result<void> wait(const base::StopToken& stop,
                          base::Deadline deadline = base::Deadline::never());
  [[nodiscard]] std::size_t waiting() const;
  /// The next units, at most so many and, but for the first, at most so many bytes; with them those
  /// that came along. Does not wait.
  [[nodiscard]] std::vector<Pending> take(std::size_t units, std::size_t bytes);

  /// Refuses whatever comes from now on; what is there can still be taken.
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
  /// The units that have time.
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
