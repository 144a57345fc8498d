#pragma once
// A row that no fault can break proves nothing. Faults that are planted into the shipped components
// (base/plant.h), and the rows that notice them.

#include <span>
#include <string>
#include <vector>

#include "explore/explore.h"

namespace clever::reports {

struct PlantedFault {
  std::string report;     // "7031"
  std::string component;  // "provider::ProviderRegistry"
  std::string name;       // as the component asks for it
  std::string what;       // "a reconfiguration is published provider by provider"
  /// The row that must fail: "7031/ours/never_backwards"; or, of real threads,
  /// "6732/ours/what they made".
  std::string row;
};
[[nodiscard]] const std::vector<PlantedFault>& all_plants();

/// What became of one.
struct Harvest {
  const PlantedFault* plant = nullptr;
  bool found = false;
  /// Schedules, or runs of real threads, until it was found, or in all.
  std::size_t tries = 0;
  /// How to replay it; empty for real threads.
  std::string schedule{};
  std::string said{};
};
/// Plants it and looks at its row, exhaustively first and then at random. Aborts if no row has that
/// name.
[[nodiscard]] Harvest harvest(const PlantedFault& plant);

[[nodiscard]] std::string text_table(std::span<const Harvest> harvests);

}  // namespace clever::reports
