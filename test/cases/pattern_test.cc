#include "cases/pattern.h"

#include <gtest/gtest.h>

namespace clever::cases {
namespace {

using Lines = std::vector<std::string>;
constexpr std::string_view kId = "01JD0000000000000000000000";
constexpr std::string_view kOther = "01JD0000000000000000000001";

bool fits(std::string_view pattern, std::string_view line) {
  Bindings bindings;
  return matches(pattern, line, bindings);
}

TEST(PatternTest, PlaceholdersStandForTheirKindOnly) {
  EXPECT_TRUE(fits("plan {id}!", "plan " + std::string(kId) + "!"));
  EXPECT_FALSE(fits("plan {id}!", "plan 01JD!"));
  EXPECT_TRUE(fits("{hash}", "3f9a1c02"));
  EXPECT_FALSE(fits("{hash}", "3f9"));
  EXPECT_TRUE(fits("at {time}.", "at 2026-01-31T09:05:07.120Z."));
  EXPECT_TRUE(fits("at {time}.", "at 2026-01-31 09:05."));
  EXPECT_FALSE(fits("at {time}.", "at noon."));
  EXPECT_TRUE(fits("{number} files", "1,234 files"));
  EXPECT_FALSE(fits("{number} files", "no files"));
  EXPECT_TRUE(fits("a{any}z", "abcz"));
  EXPECT_FALSE(fits("a{any}z", "abc"));
}

TEST(PatternTest, OtherBracesAreText) {
  EXPECT_TRUE(fits(R"({"a":{"b":1}})", R"({"a":{"b":1}})"));
  EXPECT_FALSE(fits("{", ""));
}

TEST(PatternTest, ANameStandsForWhatItWasFirst) {
  Bindings bindings;
  EXPECT_TRUE(matches("{id:plan} then {id:plan}", std::string(kId) + " then " + std::string(kId),
                      bindings));
  EXPECT_EQ(bindings["plan"], kId);
  EXPECT_FALSE(matches("{id:plan}", kOther, bindings));
  EXPECT_EQ(substituted("agents status {plan} {else}", bindings),
            "agents status " + std::string(kId) + " {else}");
}

TEST(PatternTest, WhatDoesNotMatchBindsNothing) {
  Bindings bindings;
  EXPECT_FALSE(matches("{id:plan} x", std::string(kId) + " y", bindings));
  EXPECT_TRUE(bindings.empty());
}

TEST(PatternTest, AnyNumberOfLinesMayBeLeftOpen) {
  Bindings bindings;
  EXPECT_TRUE(matches(Lines{"a", "{lines}", "z"}, Lines{"a", "z"}, bindings));
  EXPECT_TRUE(matches(Lines{"a", "{lines}", "z"}, Lines{"a", "b", "z", "z"}, bindings));
  EXPECT_FALSE(matches(Lines{"a", "{lines}", "z"}, Lines{"a", "b"}, bindings));
  EXPECT_FALSE(matches(Lines{"a"}, Lines{"a", "b"}, bindings));
  EXPECT_FALSE(matches(Lines{"a", "b"}, Lines{"a"}, bindings));
}

TEST(PatternTest, RewritingKeepsWhatMatchesAndOpensWhatVaries) {
  const Bindings bindings{{"plan", std::string(kId)}};
  EXPECT_EQ(
      rewritten({"plan {id}", "old"},
                {"plan " + std::string(kOther), "next " + std::string(kId),
                 "at 2026-01-31T09:05:07.120Z in 0123456789abcdef0123456789abcdef01234567",
                 R"("duration_ms":1.5})"},
                bindings),
      (Lines{"plan {id}", "next {id:plan}", "at {time} in {hash}", R"("duration_ms":{number}})"}));
}

TEST(PatternTest, TheDifferenceShowsBothSides) {
  EXPECT_EQ(difference({"a", "b", "{number}"}, {"a", "c", "7"}, {}), "  a\n+ c\n- b\n  7\n");
  EXPECT_EQ(difference({"a", "b"}, {"a"}, {}), "  a\n- b\n");
}

}  // namespace
}  // namespace clever::cases
