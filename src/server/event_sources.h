#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/document.h"
#include "model/id.h"
#include "server/event_cursor.h"
#include "storage/engine.h"
#include "storage/journal.h"
#include "storage/plans.h"

namespace clever::server {

/// The clock's time in the form of events' times.
[[nodiscard]] model::Timestamp now_by(base::Clock& clock);

/// The source of a stream of events: delivers each event once, from where the last reader stopped.
///
/// Used by one thread at a time. Everything it was made from must outlive it.
class EventSource {
 public:
  /// An event and the id from which a reader resumes after it.
  struct Item {
    std::string id{};
    model::Document event{};
  };
  struct Page {
    /// Replaces all events up to here: they are too many, or belong to another database.
    std::optional<Item> reset{};
    std::vector<Item> events{};
    bool has_more = false;
  };

  virtual ~EventSource() = default;
  /// Notifies when there may be more events.
  [[nodiscard]] virtual std::string topic() const = 0;
  /// Finds its position; call it once, before the functions below. Later commits are read.
  virtual base::Result<void> begin() { return {}; }
  /// The data of the stream's first event.
  [[nodiscard]] virtual model::Document hello() const = 0;
  /// The id after the last event that was read.
  [[nodiscard]] virtual model::Document last() const = 0;
  virtual base::Result<Page> next(std::size_t limit) = 0;
};

/// One plan's journal from an event on; ids are sequence numbers.
class PlanEvents final : public EventSource {
 public:
  PlanEvents(storage::Engine& store, const base::Clock& clock, const model::PlanId& plan,
             std::int64_t from)
      : journal_(store, clock), plan_(plan), next_(from) {}

  [[nodiscard]] std::string topic() const override;
  [[nodiscard]] model::Document hello() const override;
  [[nodiscard]] model::Document last() const override { return next_ - 1; }
  base::Result<Page> next(std::size_t limit) override;

 private:
  storage::Journal journal_;
  const model::PlanId plan_;
  std::int64_t next_;
};

/// The journals of all plans that the reader may see; ids are cursors (EventCursor).
class AllEvents final : public EventSource {
 public:
  /// Whether the reader may see a plan; asked once per plan.
  using Sees = std::function<base::Result<bool>(const storage::PlanSummary& plan)>;

  /// Without a cursor, only future events.
  AllEvents(storage::Engine& store, base::Clock& clock, Sees sees, std::optional<EventCursor> after)
      : store_(store),
        clock_(clock),
        journal_(store, clock),
        sees_(std::move(sees)),
        is_from_now_(!after),
        cursor_(after.value_or(EventCursor())) {}

  [[nodiscard]] std::string topic() const override;
  [[nodiscard]] model::Document hello() const override;
  [[nodiscard]] model::Document last() const override { return cursor_.text(); }
  base::Result<void> begin() override;
  base::Result<Page> next(std::size_t limit) override;

 private:
  base::Result<void> go_to_end(std::int64_t last);
  base::Result<Item> snapshot();
  base::Result<bool> shows(const model::PlanId& plan);

  storage::Engine& store_;
  base::Clock& clock_;
  storage::Journal journal_;
  const Sees sees_;
  const bool is_from_now_;
  EventCursor cursor_;
  // Used until the first page.
  std::optional<Item> reset_;
  std::map<model::PlanId, bool> shown_;
};

}  // namespace clever::server
