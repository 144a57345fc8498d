#include <gtest/gtest.h>

#include "base/atomic.h"
#include "context/internal/findings.h"
#include "explore/explore.h"
#include "support/every_schedule.h"

namespace clever::context::internal {
namespace {

using base::Deadline;
using explore::Run;
using Candidates = Findings::Candidates;

constexpr auto kLookedForTwice = "the same was looked for twice";
void holds(const std::function<void(Run&)>& body) {
  test::expect_no_failing_schedule(body);
  EXPECT_NO_FAILURE(
      explore::explore({.strategy = explore::Strategy::kRandom, .schedules = 300}, body));
}

// Looks whether it is there, and for it if it is not.
void look_naively(Run& run) {
  explore::Racy<bool> known;
  base::Atomic<int> looked;  // how often; publishes nothing else
  for (const auto* name : {"keywords", "arce"}) {
    run.thread(name, [&] {
      if (known.read()) return;
      looked.fetch_add(1);
      known.write(true);
    });
  }
  run.join();
  run.require(looked.load() == 1, kLookedForTwice);
}

void both_need_it(Run& run) {
  Findings findings;
  base::Atomic<int> looked;  // how often; publishes nothing else
  const auto look = [&]() -> base::Result<Candidates> {
    looked.fetch_add(1);
    return Candidates{{.path = "a.cc"}};
  };
  for (const auto* name : {"keywords", "arce"}) {
    run.thread(name, [&] {
      const auto found = findings.find("keywords", {}, Deadline::never(), look);
      run.require(found.ok() && found->size() == 1, "it was found and not handed out");
    });
  }
  run.join();
  run.require(looked.load() == 1, kLookedForTwice);
}

void the_first_fails(Run& run) {
  Findings findings;
  base::Atomic<int> looked;  // how often; publishes nothing else
  base::Atomic<int> had;     // how many got it; publishes nothing else
  const auto look = [&]() -> base::Result<Candidates> {
    if (looked.fetch_add(1) == 0) return base::unavailable("the embedder is away");
    return Candidates{{.path = "a.cc"}};
  };
  for (const auto* name : {"vectors", "arce"}) {
    run.thread(name, [&] {
      if (findings.find("vectors", {}, Deadline::never(), look).ok()) had.fetch_add(1);
    });
  }
  run.join();
  run.require(looked.load() == 2 && had.load() == 1, "one's failure became the other's");
}

// A stopped search may return half of the result, which no other caller may get.
void one_is_stopped(Run& run) {
  Findings findings;
  base::StopSource stop;
  const auto half = [&]() -> base::Result<Candidates> {
    stop.request_stop();
    return Candidates{};
  };
  const auto whole = []() -> base::Result<Candidates> { return Candidates{{.path = "a.cc"}}; };
  run.thread("stopped",
             [&] { (void)findings.find("graph", stop.token(), Deadline::never(), half); });
  run.thread("arce", [&] {
    const auto found = findings.find("graph", {}, Deadline::never(), whole);
    run.require(found.ok() && found->size() == 1, "half of it was handed out");
  });
  run.join();
}

TEST(FindingsExplore, LookingWhetherItIsThereIsFound) {
  EXPECT_FINDS(explore::Failure::kCheck, explore::explore(test::kEverySchedule, look_naively));
}

TEST(FindingsExplore, SearchesOnceForTwoCallers) { holds(both_need_it); }

TEST(FindingsExplore, RepeatsAFailedSearch) { holds(the_first_fails); }

TEST(FindingsExplore, AStoppedSearchAffectsOnlyItsCaller) { holds(one_is_stopped); }

}  // namespace
}  // namespace clever::context::internal
