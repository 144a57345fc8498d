// `db verify` finds nothing where only this program wrote, and names the rows of an edit.
#include "storage/row_verify.h"

#include <gmock/gmock.h>

#include <set>

#include "storage/row_verify_world.h"

namespace clever::storage {
namespace {

using ::testing::IsEmpty;

CLEVER_ALL_ENGINES(RowVerifyTest);

TEST_P(RowVerifyTest, WhatThisProgramWroteIsSound) {
  ASSERT_NO_FATAL_FAILURE(fill());
  const auto verdict = verify(engine());
  ASSERT_TRUE(verdict.ok()) << verdict.error().sentence();
  EXPECT_THAT(verdict->faults, IsEmpty()) << verdict->faults.front().to_string();
  EXPECT_GT(verdict->rows, 8U);
}

TEST_P(RowVerifyTest, AnEditIsNamedByTableAndRow) {
  ASSERT_NO_FATAL_FAILURE(fill());
  edit("UPDATE inbox SET body = $1 WHERE consumed IS NULL", Blob{"other words"});
  edit("UPDATE model_call SET cost = 4");
  edit("UPDATE budget_reservation SET money = 1");
  std::set<std::string> tables;
  for (const RowFault& fault : verify(engine())->faults) tables.insert(fault.table);
  EXPECT_EQ(tables, (std::set<std::string>{"inbox", "model_call", "budget_reservation"}));
}

}  // namespace
}  // namespace clever::storage
