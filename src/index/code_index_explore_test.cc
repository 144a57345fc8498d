#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/atomic.h"
#include "explore/explore.h"
#include "index/code_index.h"
#include "support/memory_corpus.h"
#include "support/temporary_directory.h"

namespace clever::index {
namespace {

using explore::Failure;
using explore::Run;
using explore::Strategy;

constexpr auto kTwice = "a content was indexed twice";

// Looks, and builds what is missing, with nothing between the two.
void naive(Run& run) {
  explore::Racy<bool> known;
  base::Atomic<int> built;  // how often it was indexed
  for (const auto* name : {"first", "second"}) {
    run.thread(name, [&] {
      if (known.read()) return;
      built.fetch_add(1);
      known.write(true);
    });
  }
  run.join();
  run.require(built.load() == 1, kTwice);
}

void ours(Run& run) {
  const test::TemporaryDirectory folder;
  const auto index = CodeIndex::open({.folder = folder / "index"}).value();
  const auto corpus = std::make_shared<test::MemoryCorpus>(
      test::MemoryCorpus::Files{{"a.txt", "apple"}, {"b.txt", "banana"}});
  for (const auto* name : {"first", "second"}) {
    run.thread(name, [&] {
      const auto view = index->view(corpus);
      run.require(view.ok() && (*view)->size() == 2, "a view is not whole");
      run.require((*view)->grep("banana", 10).size() == 1, "a view does not find its files");
    });
  }
  run.join();
  run.require(corpus->taken().size() == 2, kTwice);
}

// Edits that meet: neither is lost, and what was stopped takes nothing with it.
void edits(Run& run) {
  const test::TemporaryDirectory folder;
  const auto index = CodeIndex::open({.folder = folder / "index"}).value();
  base::StopSource stop;
  run.thread("one", [&] {
    const auto view = index->view(
        std::make_shared<test::MemoryCorpus>(test::MemoryCorpus::Files{{"a.txt", "apple"}}));
    run.require(view.ok() && (*view)->grep("apple", 10).size() == 1, "an edit is lost");
  });
  run.thread("other", [&] {
    const auto view = index->view(
        std::make_shared<test::MemoryCorpus>(test::MemoryCorpus::Files{{"a.txt", "banana"}}), {},
        stop.token());
    run.require(!view.ok() || (*view)->grep("banana", 10).size() == 1, "an edit is lost");
  });
  run.thread("stopping", [&] { stop.request_stop(); });
  run.join();
  run.require(index
                  ->view(std::make_shared<test::MemoryCorpus>(
                      test::MemoryCorpus::Files{{"a.txt", "banana"}}))
                  .ok(),
              "no thread can index any more");
}

TEST(CodeIndexExplore, LookingAndThenBuildingIsFound) {
  EXPECT_FINDS(Failure::kCheck, explore::explore({.strategy = Strategy::kExhaustive}, naive));
}

TEST(CodeIndexExplore, IndexesOnceForTwoCallers) {
  EXPECT_NO_FAILURE(explore::explore({.strategy = Strategy::kRandom, .schedules = 60}, ours));
  EXPECT_NO_FAILURE(explore::explore({.strategy = Strategy::kPct, .schedules = 40}, ours));
}

TEST(CodeIndexExplore, EditsThatMeetAreBothThere) {
  EXPECT_NO_FAILURE(explore::explore({.strategy = Strategy::kRandom, .schedules = 60}, edits));
}

}  // namespace
}  // namespace clever::index
