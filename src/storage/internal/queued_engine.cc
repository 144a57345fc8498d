#include "storage/internal/queued_engine.h"

#include <memory>
#include <utility>

#include "base/lock_rank.h"

namespace clever::storage::internal {
namespace {

// Where a waiting caller finds its answer. Shared, because the writer may still store it after the
// caller has given up.
using Answer = base::Monitor<std::optional<base::Result<Receipt>>>;

base::Result<void> await(Answer& answer, const base::StopToken& stop, base::Deadline deadline) {
  return answer.wait(stop, deadline, [](const auto& held) { return held.has_value(); });
}

base::Result<Receipt> taken_from(Answer& answer) {
  return *answer.update([](auto& held) { return std::move(held); });
}

}  // namespace

void QueuedEngine::submit(UnitOfWork unit, Done done) {
  Pending pending{std::move(unit), std::move(done), {}};
  auto ticket = queue_.push(pending);
  if (!ticket.ok()) pending.done(std::move(ticket).error());
}

void QueuedEngine::submit_along(UnitOfWork unit) {
  Pending pending{std::move(unit), [](const base::Result<Receipt>&) {}, {}};
  // Ignores a full queue: the caller does not wait for this unit.
  static_cast<void>(queue_.push_along(pending).ok());
}

base::Result<Receipt> QueuedEngine::commit(UnitOfWork unit, const base::StopToken& stop,
                                           base::Deadline deadline) {
  return settle({std::move(unit), {}, {}}, stop, deadline);
}

base::Result<Receipt> QueuedEngine::settle(Pending pending, const base::StopToken& stop,
                                           base::Deadline deadline) {
  base::lock_rank::require_none("waiting for a commit");
  const auto answer = std::make_shared<Answer>();
  pending.done = [answer](base::Result<Receipt> result) {
    answer->update([&](auto& held) { held = std::move(result); });
  };
  CLEVER_ASSIGN(const CommitQueue::Ticket ticket, queue_.push(pending));
  auto waited = await(*answer, stop, deadline);
  if (!waited.ok()) {
    if (queue_.withdraw(ticket)) return std::move(waited).error();
    // The writer has the unit: its outcome comes soon, and any other answer would be a guess.
    await(*answer, {}, base::Deadline::never()).value();
  }
  return taken_from(*answer);
}

std::unique_ptr<Subscription> QueuedEngine::subscribe(std::string topic,
                                                      std::function<void()> wake) {
  return notifications_.subscribe(std::move(topic), std::move(wake));
}

}  // namespace clever::storage::internal
