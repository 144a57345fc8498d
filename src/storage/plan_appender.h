#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "base/deadline.h"
#include "base/monitor.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "storage/append.h"
#include "storage/journal.h"

namespace clever::storage {

/// Appends to the journal of one plan for many callers at once. It knows the head, so that those
/// who only add to the plan (a change of a file, a note) need not: what they bring is written in
/// the order of its arrival, and callers that meet share one transaction.
///
/// Owned by whoever holds the plan's lease, and made anew with it. Thread-safe. An answer is final:
/// durable, or nothing of it happened. A part that is refused is refused alone. `conflict` also if
/// the epoch is no longer the plan's.
class PlanAppender {
 public:
  /// What happens together, of one caller.
  struct Part {
    std::vector<model::Event> events{};
    std::vector<Body> bodies{};
    std::vector<Append::Consumed> consumed{};
    std::vector<Statement> also{};
  };

  /// The two things it asks of a journal.
  struct Port {
    std::function<base::Result<Head>(Append)> append;
    std::function<base::Result<JournalState>()> state;
  };

  PlanAppender(Port port, const model::PlanId& plan, std::int64_t epoch, const Head& head);
  /// `journal` must outlive it.
  PlanAppender(Journal& journal, const model::PlanId& plan, std::int64_t epoch, const Head& head);

  /// The head right after the part. A stop or the deadline withdraws it while it waits for its
  /// turn; once it is being written the outcome is awaited.
  base::Result<Head> append(Part part, const base::StopToken& stop = {},
                            base::Deadline deadline = base::Deadline::never());

  [[nodiscard]] const model::PlanId& plan() const { return plan_; }
  [[nodiscard]] std::int64_t epoch() const { return epoch_; }

 private:
  struct Waiting {
    Part part;
    std::optional<base::Result<Head>> answer{};
  };
  using Batch = std::vector<Waiting*>;
  struct Queue {
    Head head{};
    bool is_writing = false;
    std::deque<Waiting*> waiting{};
  };

  // The next ones in line, if nobody is writing; the caller writes them. Who is in a batch waits
  // for it, so what it points to stays.
  [[nodiscard]] Batch take_turn();
  void write(const Batch& batch);
  [[nodiscard]] base::Result<Head> try_write(const Batch& batch, Head& head);

  // Constant after construction.
  const Port port_;
  const model::PlanId plan_;
  const std::int64_t epoch_;
  // Guarded. What it points to lives on the stacks of those who wait.
  base::Monitor<Queue> queue_;
};

}  // namespace clever::storage
