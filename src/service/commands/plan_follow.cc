#include "service/commands/plan_follow.h"

#include <algorithm>
#include <utility>

#include "plan/decide.h"
#include "storage/keys.h"

namespace clever::service {
namespace {

constexpr std::size_t kEventsPerRead = 500;

}  // namespace

PlanFollower::PlanFollower(storage::Engine& engine, const base::Clock& clock,
                           const model::PlanId& plan, std::function<void()> wake)
    : engine_(engine), journal_(engine, clock), root_(plan), wake_(std::move(wake)) {
  follow(plan);
}

void PlanFollower::follow(const model::PlanId& plan) {
  const auto [place, is_new] = followed_.try_emplace(plan);
  if (!is_new) return;
  order_.push_back(plan);
  place->second.subscription = engine_.subscribe(storage::plan_name(plan), [this] {
    changes_.update([](std::uint64_t& changes) { ++changes; });
    if (wake_) wake_();
  });
}

const plan::State* PlanFollower::state_of(const model::PlanId& plan) const {
  const auto found = followed_.find(plan);
  return found == followed_.end() || !found->second.state.exists() ? nullptr : &found->second.state;
}

base::Result<void> PlanFollower::advance(const Seen& seen, const base::StopToken& stop) {
  seen_ = changes_.read([](const std::uint64_t& changes) { return changes; });
  // Grows during the loop: children appear with their parent's events.
  for (std::size_t at = 0; at < order_.size(); ++at) CLEVER_TRY(read(order_[at], seen, stop));
  return {};
}

base::Result<void> PlanFollower::read(const model::PlanId& plan, const Seen& seen,
                                      const base::StopToken& stop) {
  plan::State& state = followed_.at(plan).state;
  while (true) {
    CLEVER_ASSIGN(const auto events, journal_.read(plan, state.sequence + 1, kEventsPerRead, stop));
    for (const model::StoredEvent& event : events) CLEVER_TRY(plan::evolve(state, event));
    if (!events.empty()) {
      last_event_ = std::max(last_event_, events.back().time);
      CLEVER_TRY(seen(state, events));
    }
    if (events.size() < kEventsPerRead) break;
  }
  for (const plan::Step& step : state.steps) {
    if (step.child) follow(step.child);
  }
  return {};
}

base::Result<void> PlanFollower::wait(const base::StopToken& stop, base::Deadline deadline) {
  return changes_.wait(stop, deadline,
                       [this](const std::uint64_t& changes) { return changes > seen_; });
}

}  // namespace clever::service
