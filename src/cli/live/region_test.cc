#include "cli/live/region.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::cli {
namespace {

using testing::ElementsAre;

/// As much of a terminal as the region uses.
class Terminal {
 public:
  void write(const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size();) at = take(bytes, at);
  }
  std::vector<std::string> rows;
  std::size_t row = 0;

 private:
  std::size_t take(const std::string& bytes, std::size_t at) {
    if (rows.size() <= row) rows.resize(row + 1);
    if (bytes[at] == '\n') {
      ++row;
      column_ = 0;
      return at + 1;
    }
    if (bytes[at] == '\r') {
      column_ = 0;
      return at + 1;
    }
    if (bytes[at] != '\x1b') {
      rows[row].resize(std::max(rows[row].size(), column_ + 1), ' ');
      rows[row][column_++] = bytes[at];
      return at + 1;
    }
    const std::size_t end = bytes.find_first_of("AKJ", at);
    if (bytes[end] == 'A') row -= std::stoul(bytes.substr(at + 2, end - at - 2));
    if (bytes[end] == 'K') rows[row].resize(column_);
    if (bytes[end] == 'J') {
      rows[row].resize(column_);
      rows.resize(row + 1);
    }
    return end + 1;
  }
  std::size_t column_ = 0;
};

TEST(RegionTest, DrawsOverItself) {
  Terminal terminal;
  Region region;
  terminal.write(region.draw({}, {"one", "two"}));
  terminal.write(region.draw({}, {"uno", "due", "tre"}));
  EXPECT_THAT(terminal.rows, ElementsAre("uno", "due", "tre"));
  EXPECT_EQ(terminal.row, 3U);
}

TEST(RegionTest, LeavesNothingOfALargerOne) {
  Terminal terminal;
  Region region;
  terminal.write(region.draw({}, {"a long row", "another", "and a third"}));
  terminal.write(region.draw({}, {"short"}));
  EXPECT_THAT(terminal.rows, ElementsAre("short", ""));
  EXPECT_EQ(terminal.row, 1U);
}

TEST(RegionTest, WhatStandsAboveStays) {
  Terminal terminal;
  Region region;
  terminal.write(region.draw({}, {"block 1", "block 2"}));
  terminal.write(region.draw({"said"}, {"block 3"}));
  terminal.write(region.draw({"said too"}, {"block 4"}));
  terminal.write(region.draw({}, {}));
  EXPECT_THAT(terminal.rows, ElementsAre("said", "said too", ""));
}

TEST(RegionTest, WritesNothingWhereNothingChanged) {
  Region region;
  EXPECT_EQ(region.draw({}, {}), "");
  EXPECT_NE(region.draw({}, {"a"}), "");
  EXPECT_EQ(region.draw({}, {"a"}), "");
}

}  // namespace
}  // namespace clever::cli
