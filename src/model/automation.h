#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "model/control_settings.h"
#include "model/plan_settings.h"

// The automation profiles: named sets of what needs a person. The only table of them. Pure.
namespace clever::model {

struct AutomationProfile {
  std::string_view name{};
  std::string_view summary{};
  /// For plans of `agents run`: running it is the consent to execute.
  Automation automation{};
  /// Asks before it executes a strategy without such consent.
  bool asks_to_execute = false;
  /// One of the few that most people need; the others are shown on request.
  bool usual = false;
};

/// Sorted by how much they ask.
[[nodiscard]] const std::vector<AutomationProfile>& automation_profiles();
/// None for an unknown name. `consent`: the creator of the plan has agreed to its execution.
[[nodiscard]] std::optional<Automation> automation_of_profile(std::string_view name,
                                                              bool consent = true);

/// What a plan asks a person about. A journal without control settings only has the profile's name.
[[nodiscard]] Automation automation_of(const PlanSettings& settings);

/// Whether to ask a person: always at 1, never at 0, between them if the confidence is lower. A
/// missing confidence counts as certain.
[[nodiscard]] bool asks(double threshold, std::optional<double> confidence) noexcept;
/// The same for decisions without a confidence: deletions, reversions, applying.
[[nodiscard]] bool asks(double threshold) noexcept;

}  // namespace clever::model
