#include "plan/reconciliation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::plan {
namespace {

using enum model::InvariantScope;
using model::Invariant;
using ::testing::HasSubstr;

std::vector<std::string> texts(const Reconciled& reconciled) {
  std::vector<std::string> all;
  for (const Invariant& one : reconciled.in_force) all.push_back(one.text);
  return all;
}

std::string conflict(const std::string& one, const std::string& other) {
  return reconcile({{.text = one}, {.text = other}}).conflict;
}

TEST(Reconciliation, TheMoreSpecificOfANameCounts) {
  const Reconciled reconciled = reconcile({{.name = "tests", .text = "ten", .scope = kPlan},
                                           {.name = "tests", .text = "one", .scope = kGlobal},
                                           {.text = "other", .scope = kProject}});
  EXPECT_EQ(texts(reconciled), (std::vector<std::string>{"ten", "other"}));
  EXPECT_EQ(reconciled.conflict, "");
}

TEST(Reconciliation, ANonOverridableEntryConflictsWithAnOverride) {
  const Reconciled reconciled =
      reconcile({{.name = "keys", .text = "Never.", .scope = kGlobal, .non_overridable = true},
                 {.name = "keys", .text = "Sometimes.", .scope = kProject}});
  EXPECT_THAT(reconciled.conflict, HasSubstr("the project invariant keys (\"Sometimes.\")"));
  EXPECT_THAT(reconciled.conflict, HasSubstr("the global invariant keys (\"Never.\")"));
  EXPECT_THAT(reconciled.conflict, HasSubstr("give it another name"));
}

TEST(Reconciliation, TheSameSaidAgainIsNotAConflict) {
  const Reconciled reconciled = reconcile(
      {{.name = "k", .text = "Never commit keys.", .scope = kGlobal, .non_overridable = true},
       {.name = "k", .text = "never commit   keys", .scope = kPlan}});
  EXPECT_EQ(reconciled.conflict, "");
  EXPECT_EQ(reconciled.in_force.size(), 1U);
}

TEST(Reconciliation, OneSentenceTwiceCountsOnce) {
  EXPECT_EQ(reconcile({{.text = "a"}, {.text = "a"}, {.text = "b"}}).in_force.size(), 2U);
}

TEST(Reconciliation, ASentenceAndItsNegationContradictEachOther) {
  EXPECT_NE(conflict("Add tests.", "Do not add tests!"), "");
  EXPECT_NE(conflict("always add tests", "Never add tests"), "");
  EXPECT_NE(conflict("The API must change", "The API must not change."), "");
  EXPECT_NE(conflict("Touch a.txt", "don't touch a.txt"), "");
}

TEST(Reconciliation, OthersDoNot) {
  EXPECT_EQ(conflict("Add tests.", "Do not add packages."), "");
  EXPECT_EQ(conflict("Never add tests.", "Do not add tests."), "");
  EXPECT_EQ(conflict("", "not"), "");
  EXPECT_EQ(conflict("Ändere nichts", "Ändere etwas"), "");
}

TEST(Reconciliation, AMessageNamesBothAndTheCure) {
  EXPECT_EQ(conflict("Add tests.", "Never add tests."),
            "the plan invariant (\"Never add tests.\") contradicts the plan invariant (\"Add "
            "tests.\"): remove one of them (`agents invariant list` shows where they are), or give "
            "both one name, so that the more specific counts");
}

}  // namespace
}  // namespace clever::plan
