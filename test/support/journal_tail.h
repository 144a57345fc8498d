#pragma once
// For tests of what a follower of a journal relies on: events in order, and no lost wake-up.
#include <cstdint>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "storage/journal.h"
#include "storage/keys.h"
#include "storage/topic_watch.h"

namespace clever::test {

/// Follows the journal of one plan: every event once, in order, as it is appended, by whatever
/// process. Waits without polling. Used by one thread; journal and engine must outlive it.
class JournalTail {
 public:
  /// The first event is the one after `after`.
  JournalTail(storage::Journal& journal, storage::Engine& engine, const model::PlanId& plan,
              std::int64_t after)
      : journal_(journal), plan_(plan), after_(after), watch_(engine, storage::plan_name(plan)) {}

  /// The next events, at least one and at most `limit`. `cancelled` or `deadline_exceeded` if none
  /// come; the next call goes on from where this one was.
  base::Result<std::vector<model::StoredEvent>> next(
      std::size_t limit, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never()) {
    while (true) {
      // Before looking: what is appended after the look was then counted after it, too.
      const std::uint64_t seen = watch_.changes();
      CLEVER_ASSIGN(auto events, journal_.read(plan_, after_ + 1, limit, stop, deadline));
      if (!events.empty()) {
        after_ = events.back().sequence;
        return events;
      }
      CLEVER_TRY(watch_.wait(seen, stop, deadline));
    }
  }

  /// Sequence of the last event it returned.
  [[nodiscard]] std::int64_t position() const { return after_; }

 private:
  storage::Journal& journal_;
  const model::PlanId plan_;
  std::int64_t after_;
  storage::TopicWatch watch_;
};

}  // namespace clever::test
