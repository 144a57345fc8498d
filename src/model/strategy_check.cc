// Checks a strategy beyond its form, with sentences that a model can act on.
#include <algorithm>
#include <map>
#include <set>

#include "model/strategy.h"

namespace clever::model {
namespace {

constexpr std::size_t kMostSteps = 10'000;
constexpr std::size_t kMostDependencies = 200'000;
constexpr std::size_t kLongestId = 64;

base::Error wrong(const std::string& what) {
  return base::invalid_argument("submit_strategy: " + what);
}

bool is_plain(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

std::string place(std::size_t index) { return "\"steps\"[" + std::to_string(index) + "]"; }

base::Result<void> check_step(const StrategyStep& step, std::size_t index) {
  const bool id_is_good =
      !step.id.empty() && step.id.size() <= kLongestId && std::ranges::all_of(step.id, is_plain);
  if (!id_is_good) {
    return wrong(place(index) +
                 ": \"id\" must be 1 to 64 letters, digits, '_', '-' or '.', such as \"tests\"");
  }
  if (step.title.find_first_not_of(" \t\r\n") == std::string::npos) {
    return wrong(place(index) + ": \"title\" is empty; say in a few words what the step does");
  }
  return {};
}

// How many dependencies normalised() would list.
std::size_t dependencies(const Strategy& strategy) {
  std::size_t inline_before = 0;
  std::size_t subplans_before = 0;
  std::size_t sum = 0;
  for (const StrategyStep& step : strategy.steps) {
    const bool is_inline = step.mode == StepMode::kInline;
    if (step.depends_on) {
      sum += step.depends_on->size();
    } else {
      sum += inline_before + (is_inline ? subplans_before : 0);
      if (is_inline) inline_before = subplans_before = 0;
    }
    ++(is_inline ? inline_before : subplans_before);
  }
  return sum;
}

using Places = std::map<std::string, std::size_t, std::less<>>;

base::Result<Places> places_of(const Strategy& strategy) {
  Places places;
  for (std::size_t i = 0; i < strategy.steps.size(); ++i) {
    CLEVER_TRY(check_step(strategy.steps[i], i));
    const auto [other, is_new] = places.emplace(strategy.steps[i].id, i);
    if (!is_new) {
      return wrong(place(i) + ": the id \"" + strategy.steps[i].id + "\" is taken by " +
                   place(other->second) + "; give every step its own");
    }
  }
  return places;
}

base::Result<void> check_names(const Strategy& strategy, const Places& places) {
  for (std::size_t i = 0; i < strategy.steps.size(); ++i) {
    for (const std::string& name :
         strategy.steps[i].depends_on.value_or(std::vector<std::string>())) {
      if (name == strategy.steps[i].id) {
        return wrong(place(i) + ": step \"" + name + "\" depends on itself; leave that out");
      }
      if (!places.contains(name)) {
        return wrong(place(i) + ": \"depends_on\" names \"" + name +
                     "\", which is no step; use the ids of other steps");
      }
    }
  }
  return {};
}

std::vector<std::size_t> dependencies_of(const StrategyStep& step, const Places& places) {
  std::vector<std::size_t> result;
  for (const std::string& name : *step.depends_on) result.push_back(places.find(name)->second);
  return result;
}

// Removes steps whose dependencies are done until none is left to remove; what remains contains a
// circle.
std::set<std::size_t> left_over(const Strategy& strategy, const Places& places) {
  const std::size_t count = strategy.steps.size();
  std::vector<std::vector<std::size_t>> dependents(count);
  std::vector<std::size_t> waiting_for(count);
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < count; ++i) {
    const auto needed = dependencies_of(strategy.steps[i], places);
    waiting_for[i] = needed.size();
    for (const std::size_t other : needed) dependents[other].push_back(i);
    if (needed.empty()) ready.push_back(i);
  }
  std::set<std::size_t> left;
  for (std::size_t i = 0; i < count; ++i) left.insert(left.end(), i);
  while (!ready.empty()) {
    const std::size_t done = ready.back();
    ready.pop_back();
    left.erase(done);
    for (const std::size_t next : dependents[done]) {
      if (--waiting_for[next] == 0) ready.push_back(next);
    }
  }
  return left;
}

// Every remaining step depends on another one, so following dependencies leads into the circle.
std::string circle(const Strategy& strategy, const Places& places,
                   const std::set<std::size_t>& left) {
  std::vector<std::size_t> path;
  std::size_t next = *left.begin();
  while (std::ranges::find(path, next) == path.end()) {
    path.push_back(next);
    const auto needed = dependencies_of(strategy.steps[next], places);
    next = *std::ranges::find_if(needed, [&](std::size_t one) { return left.contains(one); });
  }
  std::string text;
  for (auto one = std::ranges::find(path, next); one != path.end(); ++one) {
    text += strategy.steps[*one].id + " → ";
  }
  return text + strategy.steps[next].id;
}

}  // namespace

base::Result<void> Strategy::check() const {
  if (steps.empty()) {
    return wrong("\"steps\" must be an array of at least one step {\"id\", \"title\", \"mode\"}");
  }
  if (steps.size() > kMostSteps) {
    return wrong("\"steps\" has " + std::to_string(steps.size()) + " steps; at most " +
                 std::to_string(kMostSteps) + " are possible: make them larger");
  }
  CLEVER_ASSIGN(const Places places, places_of(*this));
  CLEVER_TRY(check_names(*this, places));
  if (dependencies(*this) > kMostDependencies) {
    return wrong("the steps have more than " + std::to_string(kMostDependencies) +
                 " dependencies; name only the ones that a step needs directly");
  }
  const Strategy spelled = normalised();
  const auto left = left_over(spelled, places);
  if (left.empty()) return {};
  return wrong("the steps depend on each other in a circle: " + circle(spelled, places, left) +
               "; take one of these dependencies out of \"depends_on\" (a step without "
               "\"depends_on\" depends on those before it)");
}

}  // namespace clever::model
