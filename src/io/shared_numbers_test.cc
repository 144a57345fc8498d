#include "io/shared_numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "support/temporary_directory.h"

namespace clever::io {
namespace {

using ::testing::ElementsAre;

TEST(SharedNumbersTest, LoadsValuesThatAnotherStored) {
  const test::TemporaryDirectory folder;
  auto one = SharedNumbers::open(folder / "numbers").value();
  const auto other = SharedNumbers::open(folder / "numbers").value();
  EXPECT_EQ(other.load(0), 0U);
  one.store(0, 7);
  EXPECT_EQ(other.load(0), 7U);
  EXPECT_EQ(other.load(1), 0U);
}

TEST(SharedNumbersTest, ManyAtOnceAndZeroesBehindTheLast) {
  const test::TemporaryDirectory folder;
  auto numbers = SharedNumbers::open(folder / "numbers").value();
  numbers.store(3, std::array<std::uint64_t, 2>{5, 6});
  std::array<std::uint64_t, 4> loaded{9, 9, 9, 9};
  numbers.load(2, loaded);
  EXPECT_THAT(loaded, ElementsAre(0, 5, 6, 0));
}

TEST(SharedNumbersTest, AFolderThatIsMissingIsSaid) {
  const test::TemporaryDirectory folder;
  const auto numbers = SharedNumbers::open(folder / "missing" / "numbers");
  ASSERT_FALSE(numbers.ok());
  EXPECT_EQ(numbers.error().code(), base::ErrorCode::kNotFound);
}

}  // namespace
}  // namespace clever::io
