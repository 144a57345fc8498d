#include "storage/journal_tail.h"

#include "storage/keys.h"

namespace clever::storage {

JournalTail::JournalTail(Journal& journal, Engine& engine, const model::PlanId& plan,
                         std::int64_t after)
    : journal_(journal), plan_(plan), after_(after), watch_(engine, plan_name(plan)) {}

base::Result<std::vector<model::StoredEvent>> JournalTail::next(std::size_t limit,
                                                                const base::StopToken& stop,
                                                                base::Deadline deadline) {
  while (true) {
    // Read before looking: an append after the look raises the counter again.
    const std::uint64_t seen = watch_.changes();
    CLEVER_ASSIGN(auto events, journal_.read(plan_, after_ + 1, limit, stop, deadline));
    if (!events.empty()) {
      after_ = events.back().sequence;
      return events;
    }
    CLEVER_TRY(watch_.wait(seen, stop, deadline));
  }
}

}  // namespace clever::storage
