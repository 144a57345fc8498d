#include "index/unit_vector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace clever::index {
namespace {

using testing::ElementsAre;

TEST(UnitVector, KeepsTheDirection) {
  EXPECT_THAT(unit_vector(std::array{3.0F, -4.0F}), ElementsAre(76, -102));
  EXPECT_EQ(unit_vector(std::array{30.0F, -40.0F}), unit_vector(std::array{3.0F, -4.0F}));
  EXPECT_THAT(unit_vector(std::array{0.0F, -1e-9F, 0.0F}), ElementsAre(0, -127, 0));
}

TEST(UnitVector, HasNoDirectionWhereThereIsNone) {
  EXPECT_THAT(unit_vector({}), ElementsAre());
  EXPECT_THAT(unit_vector(std::array{0.0F, 0.0F}), ElementsAre(0, 0));
  EXPECT_THAT(unit_vector(std::array{1.0F, std::numeric_limits<float>::quiet_NaN()}),
              ElementsAre(0, 0));
  EXPECT_THAT(unit_vector(std::array{1.0F, std::numeric_limits<float>::infinity()}),
              ElementsAre(0, 0));
}

}  // namespace
}  // namespace clever::index
