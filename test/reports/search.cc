#include "reports/search.h"

namespace clever::reports {
namespace {

std::size_t bound(const Row& row, explore::Strategy strategy) {
  if (row.breaks) return kBoundToFind;
  return strategy == explore::Strategy::kExhaustive ? kExhaustiveToHold : kRandomToHold;
}

}  // namespace

std::string_view to_string(explore::Strategy strategy) {
  switch (strategy) {
    case explore::Strategy::kRandom:
      return "random";
    case explore::Strategy::kPct:
      return "pct";
    case explore::Strategy::kExhaustive:
      return "exhaustive";
  }
  return "?";
}

explore::Outcome search(const Row& row, explore::Strategy strategy) {
  return search(row, strategy, bound(row, strategy));
}

explore::Outcome search(const Row& row, explore::Strategy strategy, std::size_t schedules) {
  const explore::Options options{
      .strategy = strategy, .schedules = schedules, .seed = 1, .preemptions = kPreemptions};
  return explore::explore(options, row.property.body);
}

explore::Outcome replay(const Row& row, const std::string& schedule) {
  explore::set_replay(schedule);
  auto outcome = search(row, explore::Strategy::kRandom, 1);
  explore::set_replay("");
  return outcome;
}

std::string finding(const Row& row, const explore::Outcome& outcome) {
  if (!outcome.failed()) return "holds";
  if (outcome.failure == explore::Failure::kCheck) return outcome.reason;
  if (outcome.failure == row.property.shows_as) return row.property.broken;
  return std::string(to_string(outcome.failure)) + ": " + outcome.reason;
}

}  // namespace clever::reports
