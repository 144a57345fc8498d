#include "model/tombstone.h"

#include <gtest/gtest.h>

namespace clever::model {
namespace {

const PlanId kPlan = PlanId::parse("01JD0000000000000000000001").value();

TEST(TombstoneTest, IsReadAsItWasWritten) {
  const Tombstone full{.plan = kPlan,
                       .parent = PlanId::parse("01JD0000000000000000000000").value(),
                       .project = "/p",
                       .state = "applied",
                       .created = to_timestamp(5),
                       .deleted = to_timestamp(7),
                       .events = 31,
                       .head = base::sha256("x"),
                       .epoch = 6,
                       .shares = {{"day", 12, 3}, {"team", 12, 3}},
                       .commits = {"abc"},
                       .audit = {{4, to_timestamp(6), "approved", "the strategy"},
                                 {9, to_timestamp(6), "applied", ""}}};
  EXPECT_EQ(Tombstone::parse(kPlan, full.to_text()).value(), full);
  const Tombstone bare{.plan = kPlan};
  EXPECT_EQ(Tombstone::parse(kPlan, bare.to_text()).value(), bare);
}

TEST(TombstoneTest, AnotherTextIsNotATombstone) {
  for (const char* text : {"", "{}", "[]", R"({"project":1})"}) {
    EXPECT_FALSE(Tombstone::parse(kPlan, text).ok()) << text;
  }
}

}  // namespace
}  // namespace clever::model
