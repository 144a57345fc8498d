#include "git/internal/remarks.h"

#include <gtest/gtest.h>

namespace clever::git::internal {
namespace {

TEST(Remarks, AreListedInOrder) {
  Remarks remarks;
  remarks.add("one");
  remarks.add("two");
  EXPECT_EQ(std::move(remarks).take(), (std::vector<std::string>{"one", "two"}));
}

TEST(Remarks, OfAFloodTellTheBeginningAndTheLength) {
  Remarks remarks;
  for (int i = 0; i < 60; ++i) remarks.add(std::to_string(i));
  const auto reported = std::move(remarks).take();
  ASSERT_EQ(reported.size(), 51U);
  EXPECT_EQ(reported.back(), "and 10 more");
}

}  // namespace
}  // namespace clever::git::internal
