#include "cli/session/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "io/file.h"
#include "support/temporary_directory.h"

namespace clever::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(HistoryTest, LinesAreInverseToEntries) {
  for (const std::string entry : {"one", "two\nlines", "back\\slash\\n", "\\", "ends\\\n", ""}) {
    EXPECT_EQ(history_entry(history_line(entry)), entry);
    EXPECT_EQ(history_line(entry).find('\n'), std::string::npos);
  }
  EXPECT_EQ(history_entry("torn\\"), "torn\\");
}

TEST(HistoryTest, OnlyItsOwnerCanReadIt) {
  const test::TemporaryDirectory folder;
  const auto file = folder / "home/history";
  EXPECT_THAT(load_history(file).value(), IsEmpty());
  ASSERT_TRUE(add_to_history(file, "one").ok());
  ASSERT_TRUE(add_to_history(file, "two\nlines").ok());
  ASSERT_TRUE(add_to_history(file, "").ok());
  EXPECT_THAT(load_history(file).value(), ElementsAre("one", "two\nlines"));
  struct stat facts{};
  ASSERT_EQ(::stat(file.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0600U);
}

TEST(HistoryTest, TheOldestGo) {
  const test::TemporaryDirectory folder;
  const auto file = folder / "history";
  std::string text;
  for (std::size_t i = 0; i <= 2 * kMostHistory; ++i) text += std::to_string(i) + "\n";
  ASSERT_TRUE(io::write_file_atomically(file, text).ok());
  const auto entries = load_history(file).value();
  EXPECT_EQ(entries.size(), kMostHistory);
  EXPECT_EQ(entries.back(), std::to_string(2 * kMostHistory));
  EXPECT_EQ(load_history(file).value(), entries);
}

TEST(HistoryTest, WhatCannotBeReadIsAnError) {
  const test::TemporaryDirectory folder;
  EXPECT_FALSE(load_history(folder.path()).ok());
  EXPECT_FALSE(add_to_history(folder.path(), "x").ok());
}

}  // namespace
}  // namespace clever::cli
