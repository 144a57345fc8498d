#include "model/automation.h"

#include <gtest/gtest.h>

namespace clever::model {
namespace {

TEST(AutomationProfiles, AreEightAndEachHasItsOwnName) {
  const auto& all = automation_profiles();
  EXPECT_EQ(all.size(), 8U);
  for (const AutomationProfile& each : all) {
    EXPECT_EQ(automation_of_profile(each.name), each.automation) << each.name;
    EXPECT_FALSE(each.summary.empty()) << each.name;
  }
}

TEST(AutomationProfiles, SupervisedAsksBeforeExecutionWithoutConsent) {
  EXPECT_EQ(automation_of_profile("supervised")->strategy, 0);
  EXPECT_EQ(automation_of_profile("supervised", /*consent=*/false)->strategy, 1);
  EXPECT_EQ(automation_of_profile("auto", /*consent=*/false), automation_of_profile("auto"));
  EXPECT_EQ(automation_of_profile("cautious", /*consent=*/false)->strategy, 0.8);
}

TEST(AutomationProfiles, ThreeAreForMostPeople) {
  std::vector<std::string_view> usual;
  for (const AutomationProfile& each : automation_profiles()) {
    if (each.usual) usual.push_back(each.name);
  }
  EXPECT_EQ(usual, (std::vector<std::string_view>{"manual", "supervised", "auto"}));
}

TEST(AutomationProfiles, ANameThatDoesNotExistStandsForNothing) {
  EXPECT_EQ(automation_of_profile("reckless"), std::nullopt);
}

TEST(Automation, OfAJournalWithoutControlIsThatOfItsProfile) {
  PlanSettings settings;
  settings.profile = "manual";
  EXPECT_EQ(automation_of(settings).write, 1);
  settings.profile = "of another release";
  EXPECT_EQ(automation_of(settings), Automation());
}

TEST(Automation, OfAPlanWithControlIsWhatThatSays) {
  PlanSettings settings;
  settings.profile = "manual";
  settings.control.automation = {.strategy = 0.5, .apply = 0};
  EXPECT_EQ(automation_of(settings).write, 0);
  EXPECT_EQ(automation_of(settings).strategy, 0.5);
}

TEST(Asks, AtOneAlwaysAndAtZeroNever) {
  EXPECT_TRUE(asks(1, 1.0));
  EXPECT_FALSE(asks(0, 0.0));
  EXPECT_TRUE(asks(1));
  EXPECT_FALSE(asks(0));
}

TEST(Asks, BetweenThemAboutWhatIsLessSure) {
  EXPECT_TRUE(asks(0.8, 0.79));
  EXPECT_FALSE(asks(0.8, 0.8));
  EXPECT_FALSE(asks(0.8, std::nullopt));
  EXPECT_TRUE(asks(0.8));
}

}  // namespace
}  // namespace clever::model
