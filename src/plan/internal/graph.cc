#include "plan/internal/graph.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

namespace clever::plan {

using model::StepMode;
using model::StepState;

namespace {

using Places = std::unordered_map<std::string_view, std::size_t>;

bool depends(const Step& step) {
  return step.definition.depends_on && !step.definition.depends_on->empty();
}

Places places_of(const State& state) {
  Places places;
  // A thousand independent steps need no look-up.
  if (std::ranges::none_of(state.steps, depends)) return places;
  for (std::size_t i = 0; i < state.steps.size(); ++i) {
    places.emplace(state.steps[i].definition.id, i);
  }
  return places;
}

}  // namespace

Graph::Graph(const State& state) : state_(state), needs_(state.steps.size()) {
  const Places places = places_of(state);
  for (std::size_t i = 0; i < state.steps.size(); ++i) {
    if (!depends(state.steps[i])) continue;
    for (const std::string& name : *state.steps[i].definition.depends_on) {
      const auto place = places.find(name);
      if (place != places.end()) needs_[i].push_back(place->second);
    }
  }
}

std::vector<std::size_t> Graph::hopeless() const {
  std::vector<std::vector<std::size_t>> dependents(needs_.size());
  std::vector<std::size_t> lost;
  for (std::size_t i = 0; i < needs_.size(); ++i) {
    for (const std::size_t needed : needs_[i]) dependents[needed].push_back(i);
    if (state_.steps[i].state == StepState::kFailed) lost.push_back(i);
  }
  std::vector<bool> seen(needs_.size());
  std::vector<std::size_t> result;
  while (!lost.empty()) {
    const std::size_t one = lost.back();
    lost.pop_back();
    for (const std::size_t next : dependents[one]) {
      const StepState state = state_.steps[next].state;
      const bool waits = state == StepState::kPending;
      if (seen[next] || (!waits && state != StepState::kSkipped)) continue;
      seen[next] = true;
      lost.push_back(next);
      if (waits) result.push_back(next);
    }
  }
  std::ranges::sort(result);
  return result;
}

bool Graph::dependencies_are_done(std::size_t index) const {
  return std::ranges::all_of(needs_[index], [&](std::size_t needed) {
    const StepState state = state_.steps[needed].state;
    return state == StepState::kDone || state == StepState::kSkipped;
  });
}

bool Graph::has_no_way(std::size_t index) const {
  return !needs_[index].empty() && std::ranges::all_of(needs_[index], [&](std::size_t needed) {
    return state_.steps[needed].state == StepState::kSkipped;
  });
}

std::vector<std::size_t> Graph::undecided() const {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < needs_.size(); ++i) {
    const Step& step = state_.steps[i];
    const bool asks = !step.definition.when.empty() || has_no_way(i);
    const bool waits = step.state == StepState::kPending;
    if (waits && asks && dependencies_are_done(i)) result.push_back(i);
  }
  return result;
}

std::vector<std::size_t> Graph::ready_subplans() const {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < needs_.size(); ++i) {
    const Step& step = state_.steps[i];
    const bool waits =
        step.state == StepState::kPending && step.definition.mode == StepMode::kSubplan;
    if (waits && dependencies_are_done(i)) result.push_back(i);
  }
  return result;
}

std::vector<bool> Graph::ancestors(std::size_t index) const {
  std::vector<bool> found(needs_.size());
  std::vector<std::size_t> open = needs_[index];
  while (!open.empty()) {
    const std::size_t one = open.back();
    open.pop_back();
    if (found[one]) continue;
    found[one] = true;
    open.insert(open.end(), needs_[one].begin(), needs_[one].end());
  }
  return found;
}

std::optional<std::size_t> Graph::next_inline() const {
  const auto is_pending_inline = [&](std::size_t index) {
    const Step& step = state_.steps[index];
    return step.definition.mode == StepMode::kInline && step.state == StepState::kPending;
  };
  for (std::size_t i = 0; i < needs_.size(); ++i) {
    if (!is_pending_inline(i)) continue;
    const std::vector<bool> before = ancestors(i);
    bool waits = false;
    for (std::size_t j = 0; j < before.size() && !waits; ++j) {
      waits = before[j] && is_pending_inline(j);
    }
    if (!waits) return i;
  }
  return std::nullopt;
}

std::vector<std::size_t> Graph::unmerged_before(std::size_t index) const {
  const std::vector<bool> before = ancestors(index);
  std::vector<std::size_t> result = unmerged();
  std::erase_if(result, [&](std::size_t one) { return !before[one]; });
  return result;
}

std::vector<std::size_t> Graph::unmerged() const {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < needs_.size(); ++i) {
    const Step& step = state_.steps[i];
    if (step.state == StepState::kDone && !step.merged) result.push_back(i);
  }
  return result;
}

}  // namespace clever::plan
