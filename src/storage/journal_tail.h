#pragma once
#include <cstdint>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "storage/journal.h"
#include "storage/topic_watch.h"

namespace clever::storage {

/// Follows the journal of one plan: every event once, in order, as it is appended, by whatever
/// process. Waits without polling.
///
/// There is none over all plans on purpose: positions become visible out of order where several
/// writers commit at once, so who follows them may skip an event; sequences of a plan have no gap.
///
/// Used by one thread at a time. Journal and engine must outlive it.
class JournalTail {
 public:
  /// The first event is the one after `after`.
  JournalTail(Journal& journal, Engine& engine, const model::PlanId& plan, std::int64_t after);

  /// The next events, at least one and at most `limit`. `cancelled` or `deadline_exceeded` if none
  /// come; the next call goes on from where this one was.
  base::Result<std::vector<model::StoredEvent>> next(
      std::size_t limit, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());

  /// Sequence of the last event it returned.
  [[nodiscard]] std::int64_t position() const { return after_; }

 private:
  Journal& journal_;
  const model::PlanId plan_;
  std::int64_t after_;
  TopicWatch watch_;
};

}  // namespace clever::storage
