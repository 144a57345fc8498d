#include "sandbox/workspace/internal/read_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::sandbox::internal {
namespace {

using testing::ElementsAre;

TEST(ReadSet, HoldsEachPathOnce) {
  ReadSet reads;
  reads.add("b");
  reads.add("a/c");
  reads.add("b");
  EXPECT_THAT(reads.all(), ElementsAre("a/c", "b"));
}

TEST(ReadSet, TooManyBecomeTheirFolders) {
  ReadSet reads(4);
  for (const char* path : {"a/b/1", "a/b/2", "a/b/3", "a/x", "y"}) reads.add(path);
  EXPECT_THAT(reads.all(), ElementsAre("a/b/", "a/x", "y"));
}

TEST(ReadSet, WhatAFolderStandsForIsNotAddedAgain) {
  ReadSet reads(4);
  for (const char* path : {"a/b/1", "a/b/2", "a/b/3", "a/x", "y", "a/b/4", "a/b/c/d"})
    reads.add(path);
  EXPECT_THAT(reads.all(), ElementsAre("a/b/", "a/x", "y"));
}

TEST(ReadSet, InTheEndEverythingIsOneMark) {
  ReadSet reads(1);
  for (const char* path : {"a", "b", "c/d"}) reads.add(path);
  EXPECT_THAT(reads.all(), ElementsAre("/"));
}

}  // namespace
}  // namespace clever::sandbox::internal
