#include "engine/effects/internal/net_work.h"

#include <gtest/gtest.h>

namespace clever::engine::internal {
namespace {

using model::ChangeEntry;
using model::ChangeOperation;
using model::NetChange;
using State = std::optional<model::FileState>;

State state(std::string_view content) {
  return model::FileState{.hash = base::sha256(content), .object = std::string(content)};
}

ChangeEntry entry(std::string path, State before, State after) {
  return {.path = std::move(path), .before = std::move(before), .after = std::move(after)};
}

// Recording what is missing leads to what is wanted.
void check_missing(std::vector<ChangeEntry> entries, const std::vector<NetChange>& wanted,
                   std::size_t expected_missing) {
  const auto missing = missing_entries(entries, wanted, {}).value();
  EXPECT_EQ(missing.size(), expected_missing);
  entries.insert(entries.end(), missing.begin(), missing.end());
  EXPECT_EQ(model::net_changes(entries), wanted);
}

TEST(MissingEntries, NoneIfAllIsRecorded) {
  check_missing({entry("a", state("1"), state("2")), entry("b", {}, state("3"))},
                {{"a", state("1"), state("2")}, {"b", {}, state("3")}}, 0);
}

TEST(MissingEntries, WhatNoEntryTells) {
  check_missing({}, {{"a", state("1"), state("2")}, {"b", {}, state("3")}, {"c", state("4"), {}}},
                3);
}

TEST(MissingEntries, WhatARollbackUndidInPart) {
  check_missing({entry("a", state("1"), state("2")), entry("a", state("2"), state("3"))},
                {{"a", state("1"), state("2")}}, 1);
}

TEST(MissingEntries, WhatARollbackUndidWholly) {
  check_missing({entry("a", state("1"), state("2")), entry("new", {}, state("3"))}, {}, 2);
}

TEST(MissingEntries, ReturningIsRestoring) {
  const auto missing = missing_entries({entry("a", state("1"), state("2"))}, {}, {}).value();
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(missing[0].operation, ChangeOperation::kRestored);
  EXPECT_EQ(missing[0].before, state("2"));
  EXPECT_EQ(missing[0].after, state("1"));
}

TEST(MissingEntries, AMoveIsKnownAtBothEnds) {
  ChangeEntry move = entry("b", state("1"), state("1"));
  move.from = "a";
  move.operation = ChangeOperation::kMove;
  check_missing({move}, {{"a", state("1"), {}}, {"b", {}, state("1")}}, 0);
  check_missing({move}, {}, 2);
}

TEST(MissingEntries, OperationsAreNamedByWhatHappened) {
  State executable = state("1");
  executable->mode = 0100755;
  const auto missing = missing_entries({},
                                       {{"a", {}, state("1")},
                                        {"b", state("1"), {}},
                                        {"c", state("1"), state("2")},
                                        {"d", state("1"), executable}},
                                       {})
                           .value();
  ASSERT_EQ(missing.size(), 4U);
  EXPECT_EQ(missing[0].operation, ChangeOperation::kCreate);
  EXPECT_EQ(missing[1].operation, ChangeOperation::kDelete);
  EXPECT_EQ(missing[2].operation, ChangeOperation::kModify);
  EXPECT_EQ(missing[3].operation, ChangeOperation::kMode);
}

TEST(MissingEntries, AnotherBeginningCannotBeMended) {
  const auto missing =
      missing_entries({entry("a", state("x"), state("2"))}, {{"a", state("1"), state("2")}}, {});
  EXPECT_EQ(missing.error().code(), base::ErrorCode::kCorruption);
}

}  // namespace
}  // namespace clever::engine::internal
