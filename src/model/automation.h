#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "model/control_settings.h"
#include "model/plan_settings.h"

// The automation profiles: names for what needs a person. The only table of them. Pure.
namespace clever::model {

struct AutomationProfile {
  std::string_view name{};
  std::string_view summary{};
  /// Of plans that `agents run` makes: running it is the consent to execute.
  Automation automation{};
  /// Asks before a strategy is carried out that nobody has consented to in this way.
  bool asks_to_execute = false;
  /// One of the few that most people need: the others are shown on request.
  bool usual = false;
};

/// In the order of how much they ask.
[[nodiscard]] const std::vector<AutomationProfile>& automation_profiles();
/// None for a name that does not exist. `consent`: whoever made the plan has said that it is to be
/// carried out.
[[nodiscard]] std::optional<Automation> automation_of_profile(std::string_view name,
                                                              bool consent = true);

/// What a plan asks a person about. A journal without control says it by the profile's name alone.
[[nodiscard]] Automation automation_of(const PlanSettings& settings);

/// Whether a person is asked: at 1 always, at 0 never, between them about what is less sure than
/// that. Nothing said counts as sure.
[[nodiscard]] bool asks(double threshold, std::optional<double> confidence) noexcept;
/// The same where nothing is known of how sure anybody is: deletions, reversions, applying.
[[nodiscard]] bool asks(double threshold) noexcept;

}  // namespace clever::model
