#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/event_kinds.h"
#include "storage/append.h"
#include "storage/engine.h"
#include "storage/head.h"

namespace clever::storage {

/// What a plan's state is folded from.
struct LoadedPlan {
  JournalState state;
  std::vector<model::StoredEvent> events;
};

/// The topic that is notified when any journal grows.
inline constexpr std::string_view kEventsTopic = "events";

/// The journals of all plans: per plan a chain of events without gap, fork or change. The same
/// transactions write the tables beside them (projections.h).
///
/// Thread-safe. Engine and clock must outlive it. Acquiring a plan's lease for the first time
/// creates its journal (leases.h). An append names the lease's epoch and the head it was decided
/// from, and is refused with `conflict` if either is stale.
class Journal {
 public:
  using Done = std::move_only_function<void(base::Result<Head>)>;

  Journal(Engine& engine, const base::Clock& clock, model::EventKinds kinds = {})
      : engine_(engine), clock_(clock), kinds_(std::move(kinds)) {}

  /// Returns the new head, durable. `conflict` says what the journal holds instead: "expected 7,
  /// the journal is at 9", "epoch 3 is stale, 4 holds the plan", "there is no plan …". Other
  /// refusals are those of project(), of the inbox (`conflict`) and of the statements in `also`.
  base::Result<Head> append(Append append, const base::StopToken& stop = {},
                            base::Deadline deadline = base::Deadline::never());

  /// The same without waiting; `done` as in Engine::submit(). Its `conflict` does not say what the
  /// journal holds, which would need a read (explain()).
  void submit(Append append, Done done);

  /// The unit of an append, and the head it leads to. A pure function except for the clock.
  struct Prepared {
    UnitOfWork unit;
    Head head;
  };
  [[nodiscard]] base::Result<Prepared> prepare(Append append) const;

  /// Adds the journal's present state to the refusal of a stale append; returns other errors
  /// unchanged.
  [[nodiscard]] base::Error explain(base::Error error, const model::PlanId& plan,
                                    const Head& expected, std::int64_t epoch);

  /// `not_found` if there is no such plan.
  [[nodiscard]] base::Result<JournalState> state(const model::PlanId& plan,
                                                 const base::StopToken& stop = {},
                                                 base::Deadline deadline = base::Deadline::never());

  /// The events from sequence `from` on, at most `limit`, in their newest versions. Empty without
  /// such a plan. `conflict` if one is newer than this program.
  [[nodiscard]] base::Result<std::vector<model::StoredEvent>> read(
      const model::PlanId& plan, std::int64_t from, std::size_t limit,
      const base::StopToken& stop = {}, base::Deadline deadline = base::Deadline::never());

  /// The events of all plans behind a position, at most `limit`, by position. One may become
  /// visible after another with a greater position.
  [[nodiscard]] base::Result<std::vector<model::StoredEvent>> read_all(
      std::int64_t after, std::size_t limit, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());
  /// The greatest position; 0 without events.
  [[nodiscard]] base::Result<std::int64_t> last_position(
      const base::StopToken& stop = {}, base::Deadline deadline = base::Deadline::never());

  /// Everything the state is folded from, at one moment. `not_found` without such a plan.
  [[nodiscard]] base::Result<LoadedPlan> load(const model::PlanId& plan,
                                              const base::StopToken& stop = {},
                                              base::Deadline deadline = base::Deadline::never());

  [[nodiscard]] const model::EventKinds& kinds() const { return kinds_; }

 private:
  [[nodiscard]] base::Result<void> check(const Append& append) const;
  // Numbers, dates and chains the events; moves `head` to the last.
  [[nodiscard]] std::vector<model::StoredEvent> chain(Append& append, Head& head) const;

  Engine& engine_;
  const base::Clock& clock_;
  const model::EventKinds kinds_;
};

}  // namespace clever::storage
