#include "model/automation.h"

#include <algorithm>

namespace clever::model {

const std::vector<AutomationProfile>& automation_profiles() {
  static const std::vector<AutomationProfile> kProfiles{
      {.name = "manual",
       .summary = "asks before everything: the strategy, each call that writes, going back, apply",
       .automation =
           {.strategy = 1, .decision = 1, .write = 1, .deletion = 1, .reversion = 1, .apply = 1},
       .usual = true},
      {.name = "review",
       .summary = "asks about each decision: strategies, deletions, going back, apply",
       .automation = {.strategy = 1, .decision = 1, .deletion = 1, .reversion = 1, .apply = 1}},
      {.name = "supervised",
       .summary = "asks before a strategy is carried out, to which `agents run` is the consent, "
                  "and before apply",
       .automation = {.apply = 1},
       .asks_to_execute = true,
       .usual = true},
      {.name = "cautious",
       .summary = "asks about what is less sure than 0.8, about deletions, and before apply",
       .automation =
           {.strategy = 0.8, .decision = 0.8, .deletion = 0.8, .reversion = 0.8, .apply = 1}},
      {.name = "trusted",
       .summary = "asks before deletions, going back, and apply",
       .automation = {.deletion = 1, .reversion = 1, .apply = 1}},
      {.name = "auto", .summary = "asks before apply", .automation = {.apply = 1}, .usual = true},
      {.name = "ci",
       .summary = "asks nothing, and applies; where a person is needed it ends with exit code 5",
       .automation = {.apply = 0}},
      {.name = "full-auto", .summary = "asks nothing, and applies", .automation = {.apply = 0}}};
  return kProfiles;
}

std::optional<Automation> automation_of_profile(std::string_view name, bool consent) {
  const auto& all = automation_profiles();
  const auto found = std::ranges::find(all, name, &AutomationProfile::name);
  if (found == all.end()) return std::nullopt;
  Automation automation = found->automation;
  if (found->asks_to_execute && !consent) automation.strategy = 1;
  return automation;
}

Automation automation_of(const PlanSettings& settings) {
  if (settings.control != Control()) return settings.control.automation;
  return automation_of_profile(settings.profile).value_or(Automation());
}

bool asks(double threshold, std::optional<double> confidence) noexcept {
  return threshold >= 1 || confidence.value_or(1) < threshold;
}

bool asks(double threshold) noexcept { return threshold > 0; }

}  // namespace clever::model
