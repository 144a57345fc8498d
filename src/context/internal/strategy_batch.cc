#include "context/internal/strategy_batch.h"

#include <algorithm>
#include <utility>

#include "base/plant.h"

namespace clever::context::internal {
namespace {

using How = StrategyOutcome::How;

// Saturates at the end of time.
base::TimePoint later(base::TimePoint now, base::Duration by) {
  return by > base::TimePoint::max() - now ? base::TimePoint::max() : now + by;
}

base::Deadline deadline_at(base::Clock& clock, base::TimePoint at) {
  return at == base::TimePoint::max() ? base::Deadline::never() : base::Deadline::at(clock, at);
}

}  // namespace

StrategyBatch::StrategyBatch(base::Clock& clock, const ExecutorOptions& options)
    : clock_(clock), options_(options), bell_(std::make_shared<StrategyBell>()) {}

StrategyBatch::~StrategyBatch() {
  for (Entry& entry : entries_) withdraw(entry);
}

void StrategyBatch::add(std::string name, std::shared_ptr<StrategyLane> lane,
                        std::shared_ptr<base::Circuit> circuit, std::shared_ptr<StrategyRun> run,
                        base::Duration time_limit) {
  Entry entry{.lane = std::move(lane),
              .circuit = std::move(circuit),
              .run = std::move(run),
              .time_limit = time_limit};
  entry.outcome.strategy = std::move(name);
  entries_.push_back(std::move(entry));
}

void StrategyBatch::add(StrategyOutcome outcome) {
  Entry entry{.stage = Stage::kSettled};
  entry.outcome = std::move(outcome);
  entries_.push_back(std::move(entry));
}

std::vector<StrategyOutcome> StrategyBatch::run(const base::StopToken& stop) {
  while (!stop.stop_requested()) {
    const std::uint64_t heard = bell_->heard();
    base::TimePoint next = base::TimePoint::max();
    if (advance(next)) break;
    bell_->wait(heard, stop, deadline_at(clock_, next));
  }
  std::vector<StrategyOutcome> outcomes;
  for (Entry& entry : entries_) {
    withdraw(entry);
    outcomes.push_back(std::move(entry.outcome));
  }
  return outcomes;
}

bool StrategyBatch::advance(base::TimePoint& next) {
  const base::TimePoint now = clock_.now();
  // First the entries that may end: they make room.
  for (Entry& entry : entries_) {
    if (entry.stage != Stage::kNew) advance(entry, now);
  }
  for (Entry& entry : entries_) {
    if (entry.stage == Stage::kNew && busy() < options_.max_workers) advance(entry, now);
  }
  bool settled = true;
  for (const Entry& entry : entries_) {
    if (entry.stage == Stage::kSettled) continue;
    settled = false;
    if (entry.stage != Stage::kNew) next = std::min(next, entry.until);
  }
  return settled;
}

void StrategyBatch::advance(Entry& entry, base::TimePoint now) {
  switch (entry.stage) {
    case Stage::kNew:
      entry.patience = later(now, options_.longest_wait);
      return ask_for_turn(entry, now);
    case Stage::kWaiting:
      return ask_for_turn(entry, now);
    case Stage::kRunning:
      return look(entry, now);
    case Stage::kSettled:
      return;
  }
}

void StrategyBatch::ask_for_turn(Entry& entry, base::TimePoint now) {
  using Kind = StrategyTurns::Answer::Kind;
  const base::TimePoint late = later(now, entry.time_limit);
  const auto answer = entry.lane->turns->ask(entry.run.get(), bell_, now, late);
  if (answer.kind == Kind::kGranted) return begin(entry, answer.place, now, late);
  if (answer.kind == Kind::kOverdue) {
    return settle(entry, How::kSkipped, "an earlier run of it has not returned yet");
  }
  entry.stage = Stage::kWaiting;
  entry.until = std::min(answer.again, entry.patience);
  if (now < entry.patience) return;
  entry.lane->turns->leave(entry.run.get());
  settle(entry, How::kSkipped, "other plans were using it for too long");
}

void StrategyBatch::begin(Entry& entry, std::size_t place, base::TimePoint now,
                          base::TimePoint late) {
  StrategyLane& lane = *entry.lane;
  entry.permit = entry.circuit->try_acquire();
  if (!entry.permit) {
    lane.turns->end(place);
    return settle(entry, How::kSkipped, "it failed too often; it will be tried again later");
  }
  entry.stage = Stage::kRunning;
  entry.begun = now;
  entry.until = late;
  entry.run->limit(late);
  const auto started = lane.workers[place].start(entry.run);
  if (started.ok()) return;
  lane.turns->end(place);
  entry.permit->abandon();
  settle(entry, How::kSkipped, started.error().sentence());
}

void StrategyBatch::look(Entry& entry, base::TimePoint now) {
  if (auto answer = entry.run->take()) return take(entry, std::move(*answer));
  if (now < entry.until) return;
  entry.outcome.took = now - entry.begun;
  if (auto answer = entry.run->give_up()) return take(entry, std::move(*answer));
  if (!base::planted("executor.forgets_the_late")) entry.permit->fail();
  settle(entry, How::kLate, "it did not answer in time");
}

void StrategyBatch::withdraw(Entry& entry) {
  constexpr auto kStopped = "the assembly was stopped";
  if (entry.stage == Stage::kSettled) return;
  if (entry.stage == Stage::kWaiting) entry.lane->turns->leave(entry.run.get());
  if (entry.stage == Stage::kRunning) {
    if (auto answer = entry.run->give_up()) return take(entry, std::move(*answer));
    entry.permit->abandon();
  }
  settle(entry, How::kSkipped, kStopped);
}

void StrategyBatch::take(Entry& entry, StrategyRun::Answer answer) {
  entry.outcome.took = clock_.now() - entry.begun;
  if (answer.ok()) {
    entry.permit->succeed();
    entry.outcome.candidates = std::move(answer->candidates);
    return settle(entry, How::kProposed, std::move(answer->remark));
  }
  entry.permit->fail();
  const bool late = answer.error().code() == base::ErrorCode::kDeadlineExceeded;
  settle(entry, late ? How::kLate : How::kFailed, answer.error().sentence());
}

void StrategyBatch::settle(Entry& entry, How how, std::string remark) {
  entry.stage = Stage::kSettled;
  entry.outcome.how = how;
  entry.outcome.remark = std::move(remark);
}

std::size_t StrategyBatch::busy() const {
  return static_cast<std::size_t>(std::ranges::count_if(entries_, [](const Entry& entry) {
    return entry.stage == Stage::kWaiting || entry.stage == Stage::kRunning;
  }));
}

}  // namespace clever::context::internal
