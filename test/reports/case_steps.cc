#include "reports/case_steps.h"

#include <algorithm>
#include <utility>

namespace clever::reports {
namespace {

std::int64_t number(const std::string& digits) { return std::stoll(digits); }

bool holds(World::Compare compare, std::int64_t counted, std::int64_t number) {
  switch (compare) {
    case World::Compare::kExactly:
      return counted == number;
    case World::Compare::kAtLeast:
      return counted >= number;
    case World::Compare::kAtMost:
      return counted <= number;
  }
  return false;
}

}  // namespace

base::Result<void> World::given(const std::string& model, const std::string& subject) {
  model_ = model;
  subject_ = subject;
  const auto is_it = [&](const auto& one) { return one.model == model && one.subject == subject; };
  if (std::ranges::any_of(rows_, is_it) || std::ranges::any_of(workloads_, is_it)) return {};
  return base::not_found("there is no model '" + model + "' of '" + subject + "'");
}

base::Result<void> World::scenario(const std::string& when) {
  const auto row = std::ranges::find_if(rows_, [&](const Row& candidate) {
    return candidate.model == model_ && candidate.subject == subject_ &&
           candidate.property.when == when;
  });
  if (row == rows_.end()) return base::not_found("no such scenario of '" + subject_ + "': " + when);
  row_ = &*row;
  found_.reset();
  return {};
}

base::Result<void> World::finds(std::size_t within, const std::string& what) {
  if (row_ == nullptr) return base::invalid_argument("'Then' before any 'When'");
  found_ = search(*row_, explore::Strategy::kRandom, within);
  const auto said = finding(*row_, *found_);
  if (found_->failed() && said == what) return {};
  return base::internal_error("expected '" + what + "', the explorer says: " + said);
}

base::Result<void> World::replays() {
  if (!found_ || !found_->failed()) return base::invalid_argument("nothing was found to replay");
  const auto again = replay(*row_, found_->schedule);
  if (again.failure == found_->failure && again.reason == found_->reason) return {};
  return base::internal_error(found_->schedule + " does not show it again");
}

base::Result<void> World::finds_nothing() {
  if (row_ == nullptr) return base::invalid_argument("'Then' before any 'When'");
  const auto outcome = search(*row_, explore::Strategy::kExhaustive, kExhaustiveToHold);
  if (!outcome.failed() && outcome.complete) return {};
  return base::internal_error("the explorer says: " + finding(*row_, outcome));
}

base::Result<void> World::real_threads(int workers, const std::string& when) {
  const auto workload = std::ranges::find_if(workloads_, [&](const Workload& candidate) {
    return candidate.model == model_ && candidate.subject == subject_ && candidate.when == when;
  });
  if (workload == workloads_.end()) {
    return base::not_found("no such work of '" + subject_ + "' for real threads: " + when);
  }
  workload_ = &*workload;
  tally_ = workload->run(workers);
  return {};
}

base::Result<void> World::counted(Compare compare, std::int64_t number, const std::string& what) {
  if (workload_ == nullptr || workload_->what != what) {
    return base::invalid_argument("no real threads have counted '" + what + "'");
  }
  if (holds(compare, tally_.counted, number)) return {};
  return base::internal_error("there are " + std::to_string(tally_.counted) + " " + what);
}

void add_steps(Steps& steps, World& world) {
  using Compare = World::Compare;
  steps.add("Given", "the {word} {text}",
            [&](const Captures& c) { return world.given(c[0], c[1]); });
  steps.add("When", "{number} real threads {text}", [&](const Captures& c) {
    return world.real_threads(static_cast<int>(number(c[0])), c[1]);
  });
  steps.add("When", "{text}", [&](const Captures& c) { return world.scenario(c[0]); });
  steps.add("Then", "the explorer finds within {number} schedules: {text}", [&](const Captures& c) {
    return world.finds(static_cast<std::size_t>(number(c[0])), c[1]);
  });
  steps.add("Then", "the same schedule shows it again",
            [&](const Captures&) { return world.replays(); });
  steps.add("Then", "the explorer finds nothing in all schedules",
            [&](const Captures&) { return world.finds_nothing(); });
  const auto compare = [&](const std::string& words, Compare how) {
    steps.add("Then", "there are " + words + " {number} {text}",
              [&world, how](const Captures& c) { return world.counted(how, number(c[0]), c[1]); });
  };
  compare("exactly", Compare::kExactly);
  compare("at least", Compare::kAtLeast);
  compare("at most", Compare::kAtMost);
}

}  // namespace clever::reports
