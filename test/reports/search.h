#pragma once
// How long the explorer looks at a row, and what it says.

#include <cstddef>
#include <string_view>
#include <vector>

#include "explore/explore.h"
#include "reports/report.h"

namespace clever::reports {

inline constexpr explore::Strategy kStrategies[] = {
    explore::Strategy::kRandom, explore::Strategy::kPct, explore::Strategy::kExhaustive};

/// A known failure must be found within so many schedules, by every strategy.
inline constexpr std::size_t kBoundToFind = 1000;
/// So many schedules at random, and so many by PCT, must leave a correct model whole.
inline constexpr std::size_t kRandomToHold = 1000;
/// More schedules than any of these bodies has with two preemptions: an exhaustive search must end
/// by itself.
inline constexpr std::size_t kExhaustiveToHold = 50'000;
inline constexpr unsigned kPreemptions = 2;

[[nodiscard]] std::string_view to_string(explore::Strategy strategy);

/// Looks for a schedule that breaks the row's property.
[[nodiscard]] explore::Outcome search(const Row& row, explore::Strategy strategy);
/// The same with a bound of the caller's.
[[nodiscard]] explore::Outcome search(const Row& row, explore::Strategy strategy,
                                      std::size_t schedules);
/// Runs the one schedule of that name.
[[nodiscard]] explore::Outcome replay(const Row& row, const std::string& schedule);

/// What is said of a failure: for a check its own words, for threads that wait for each other the
/// property's.
[[nodiscard]] std::string finding(const Row& row, const explore::Outcome& outcome);

}  // namespace clever::reports
