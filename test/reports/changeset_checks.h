#pragma once
// Report #7120: what any execution context must keep of its changesets.

#include <algorithm>
#include <concepts>
#include <string>
#include <vector>

#include "reports/changeset_models.h"
#include "reports/report.h"

namespace clever::reports::changeset {

template <class M>
concept Model = std::constructible_from<M, Disk&> && requires(M model, typename M::Handle mine) {
  { model.start() } -> std::same_as<typename M::Handle>;
  { model.record(mine, 1) } -> std::same_as<Recorded>;
  { model.record_into_latest(1) } -> std::same_as<Recorded>;
  { model.entries(mine) } -> std::same_as<std::vector<Entry>>;
  { model.orphans() } -> std::same_as<int>;
};

inline constexpr auto kNoIndexError = "recording met an index error";
inline constexpr auto kOwnChangeset = "a change landed in another node's changeset";
inline constexpr auto kGapless = "the entries of a changeset are not numbered one by one";
inline constexpr auto kNoOrphan = "a crash left a changeset that no context lists";
inline constexpr auto kSurvives = "a recorded change was gone after a crash";

template <Model M>
void no_index_error(explore::Run& run) {
  Disk disk;
  M model(disk);
  run.thread("node", [&] { model.start(); });
  run.thread("tool", [&] {
    run.require(model.record_into_latest(1) != Recorded::kIndexError, kNoIndexError);
  });
  run.join();
}

template <Model M>
void own_changeset(explore::Run& run) {
  Disk disk;
  M model(disk);
  typename M::Handle mine[2];
  for (const int node : {0, 1}) {
    run.thread("node " + std::to_string(node), [&, node] {
      mine[node] = model.start();
      model.record(mine[node], node);
    });
  }
  run.join();
  for (const int node : {0, 1}) {
    const auto stored = model.entries(mine[node]);
    run.require(stored.size() == 1 && stored[0].change == node, kOwnChangeset);
  }
}

template <Model M>
void gapless(explore::Run& run) {
  Disk disk;
  M model(disk);
  const auto mine = model.start();
  for (const int change : {1, 2}) {
    run.thread("tool " + std::to_string(change), [&, change] { model.record(mine, change); });
  }
  run.join();
  auto stored = model.entries(mine);
  std::ranges::sort(stored, {}, &Entry::number);
  run.require(stored.size() == 2 && stored[0].number == 1 && stored[1].number == 2, kGapless);
}

template <Model M>
void no_orphan(explore::Run& run) {
  Disk disk;
  M model(disk);
  run.thread("node", [&] {
    const auto mine = model.start();
    model.record(mine, 1);
  });
  run.thread("kill", [&] { disk.crash(); });
  run.join();
  run.require(model.orphans() == 0, kNoOrphan);
}

template <Model M>
void survives(explore::Run& run) {
  Disk disk;
  M first_life(disk);
  const auto mine = first_life.start();
  std::size_t reported = 0;
  run.thread("node", [&] {
    const bool done = first_life.record(mine, 1) == Recorded::kDone;
    if (done && disk.alive()) ++reported;
  });
  run.thread("kill", [&] { disk.crash(); });
  run.join();
  disk.restart();
  M second_life(disk);
  run.require(second_life.entries(mine).size() >= reported, kSurvives);
}

template <Model M>
std::vector<Property> properties() {
  return {
      {"no_index_error", "a change is recorded while the first changeset is being started",
       kNoIndexError, no_index_error<M>},
      {"own_changeset", "two nodes each start a changeset and record into it", kOwnChangeset,
       own_changeset<M>},
      {"gapless", "two tools record into one changeset", kGapless, gapless<M>},
      {"no_orphan", "the process is killed while a changeset is being started", kNoOrphan,
       no_orphan<M>},
      {"survives", "the process is killed after a change was recorded", kSurvives, survives<M>},
  };
}

}  // namespace clever::reports::changeset
