#include "confine/support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "confine/internal/probe.h"
#include "support/confine_launcher.h"

namespace clever::confine {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;

TEST(Features, AreFoundByTrying) {
  const auto found = features(test::confine_launcher());
  for (const char* name :
       {"user namespaces", "mount namespaces", "process namespaces", "network namespaces",
        "seccomp", "overlay in a user namespace", "Landlock", "control groups"}) {
    EXPECT_EQ(std::ranges::count(found, name, &Feature::name), 1) << name;
  }
}

TEST(Features, AreThereWhereCommandsRun) {
  ASSERT_TRUE(test::run_confined(test::confined_shell("true")).ok());
  EXPECT_TRUE(check_required(features(test::confine_launcher())).ok());
}

TEST(Features, AreMissingWithoutASupervisor) {
  for (const char* program : {"/no/such/program", "/bin/true"}) {
    const auto found = features({.argv = {program}});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(check_required(found).error().code(), ErrorCode::kUnavailable);
  }
}

TEST(Features, NamesMissingFeatures) {
  const std::vector<Feature> found = {
      {.name = "one", .required = true, .available = true},
      {.name = "two", .required = true, .available = false, .detail = "refused"},
      {.name = "three", .required = false, .available = false}};
  const auto error = check_required(found).error();
  EXPECT_THAT(error.message(), HasSubstr("two: refused"));
  EXPECT_THAT(error.message(), HasSubstr("--unconfined"));
  EXPECT_THAT(error.message(), ::testing::Not(HasSubstr("three")));
}

TEST(Features, SurviveTheirWayAsText) {
  const std::vector<Feature> found = {
      {.name = "a b", .required = true, .available = false, .detail = "why\tnot\nthen"},
      {.name = "c", .required = false, .available = true}};
  const auto read = internal::parse_features(internal::features_text(found)).value();
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].name, "a b");
  EXPECT_EQ(read[0].detail, "why not then");
  EXPECT_TRUE(read[0].required);
  EXPECT_FALSE(read[0].available);
  EXPECT_TRUE(read[1].available);
}

TEST(Features, OtherTextIsRefused) {
  EXPECT_EQ(internal::parse_features("hello\n").error().code(), ErrorCode::kCorruption);
}

}  // namespace
}  // namespace clever::confine
