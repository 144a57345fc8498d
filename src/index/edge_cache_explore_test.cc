#include <gtest/gtest.h>

#include "explore/explore.h"
#include "index/internal/edge_cache.h"

namespace clever::index::internal {
namespace {

using explore::Run;

constexpr auto kTorn = "edges of another file";

// The file and its edges in one place, written one after the other.
void naive(Run& run) {
  explore::Racy<FileNumber> file;
  explore::Racy<FileNumber> edge;
  for (const FileNumber number : {1U, 2U}) {
    run.thread(number == 1 ? "first" : "second", [&, number] {
      if (file.read() == number) run.require(edge.read() == number, kTorn);
      file.write(number);
      edge.write(number);
    });
  }
  run.join();
  run.require(edge.read() == file.read(), kTorn);
}

// Two files that share a place: the first keeps it, and no reader sees the other's.
void ours(Run& run) {
  constexpr FileNumber kOther = 4097;
  const EdgeCache cache;
  for (const FileNumber number : {FileNumber{1}, kOther}) {
    run.thread(number == 1 ? "first" : "second", [&, number] {
      cache.keep(number, {Edge{.to = number}});
      const auto* known = cache.find(number);
      run.require(known == nullptr || known->front().to == number, kTorn);
    });
  }
  run.join();
  const bool first = cache.find(1) != nullptr;
  const bool other = cache.find(kOther) != nullptr;
  run.require(first != other, "one of the two is kept");
}

TEST(EdgeCacheExplore, FileAndEdgesInOnePlaceAreTorn) {
  EXPECT_FINDS(explore::Failure::kCheck,
               explore::explore({.strategy = explore::Strategy::kExhaustive}, naive));
}

TEST(EdgeCacheExplore, EachFileGetsItsOwnEdges) {
  EXPECT_NO_FAILURE(explore::explore({.strategy = explore::Strategy::kExhaustive}, ours));
}

}  // namespace
}  // namespace clever::index::internal
