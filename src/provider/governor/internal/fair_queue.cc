#include "provider/governor/internal/fair_queue.h"

#include <algorithm>

namespace clever::provider::governor {

FairQueue::Flow& FairQueue::find(const std::string& name) {
  const auto [at, made] = flows_.try_emplace(name);
  Flow& flow = at->second;
  if (made) {
    flow.name = name;
  } else if (flow.calls.empty()) {
    resting_.erase({flow.turn_ends, &flow});
  }
  return flow;
}

void FairQueue::wait(Flow& flow) {
  flow.order = {std::max(time_, flow.turn_ends), ++arrivals_};
  waiting_.emplace(flow.order, &flow);
}

void FairQueue::push(const std::string& name, Ticket ticket, bool first) {
  Flow& flow = find(name);
  const bool waits = !flow.calls.empty();
  std::int64_t position = 0;
  if (waits) position = first ? flow.calls.begin()->first - 1 : flow.calls.rbegin()->first + 1;
  flow.calls.emplace(position, ticket);
  places_.emplace(ticket, Place{&flow, position});
  if (first && flow.turn_ends > 0) --flow.turn_ends;
  if (waits && !first) return;
  if (waits) waiting_.erase(flow.order);
  wait(flow);
}

void FairQueue::stand_anew(Flow& flow) {
  if (flow.calls.empty()) {
    resting_.emplace(flow.turn_ends, &flow);
  } else {
    wait(flow);
  }
}

std::optional<Ticket> FairQueue::next() const {
  if (waiting_.empty()) return std::nullopt;
  return waiting_.begin()->second->calls.begin()->second;
}

std::optional<Ticket> FairQueue::pop() {
  if (waiting_.empty()) return std::nullopt;
  Flow& flow = *waiting_.begin()->second;
  waiting_.erase(waiting_.begin());
  time_ = flow.order.first;
  flow.turn_ends = time_ + 1;
  const Ticket ticket = flow.calls.begin()->second;
  flow.calls.erase(flow.calls.begin());
  places_.erase(ticket);
  stand_anew(flow);
  forget_rested();
  return ticket;
}

bool FairQueue::remove(Ticket ticket) {
  const auto place = places_.find(ticket);
  if (place == places_.end()) return false;
  Flow& flow = *place->second.flow;
  flow.calls.erase(place->second.position);
  places_.erase(place);
  if (!flow.calls.empty()) return true;
  waiting_.erase(flow.order);
  resting_.emplace(flow.turn_ends, &flow);
  forget_rested();
  return true;
}

void FairQueue::forget_rested() {
  while (!resting_.empty() && resting_.begin()->first <= time_) {
    const std::string name = resting_.begin()->second->name;
    resting_.erase(resting_.begin());
    flows_.erase(name);
  }
}

std::size_t FairQueue::ahead_of(Ticket ticket) const {
  const auto place = places_.find(ticket);
  if (place == places_.end()) return 0;
  const auto rank =
      static_cast<std::size_t>(place->second.position - place->second.flow->calls.begin()->first);
  return std::min(rank * waiting_.size(), size() - 1);
}

}  // namespace clever::provider::governor
