#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/atomic.h"
#include "explore/explore.h"
#include "support/memory_store.h"
#include "support/test_workspace.h"

namespace clever::sandbox {
namespace {

using explore::Failure;
using explore::Run;
using explore::Strategy;
using test::MemoryStore;
using test::path_of;

constexpr auto kLost = "an edit is lost";

std::shared_ptr<Workspace> workspace_of(const std::vector<test::TestFile>& files) {
  const auto store = std::make_shared<MemoryStore>();
  const auto base = std::make_shared<git::BaseSnapshot>();
  base->tree = test::tree_of(*store, files);
  return Workspace::open({.store = store,
                          .base = base,
                          .project_root = "/project",
                          .folder = "/nowhere",
                          .shared_folder = "/nowhere"})
      .value();
}

std::string text_of(Workspace& workspace, std::string_view path) {
  return workspace.read(path_of(path)).value().content;
}

void explore_all(const std::function<void(Run&)>& body) {
  for (const auto strategy : {Strategy::kExhaustive, Strategy::kRandom, Strategy::kPct}) {
    EXPECT_NO_FAILURE(explore::explore({.strategy = strategy, .schedules = 400}, body));
  }
}

// Reads, computes and writes in three steps of its own.
void edit_naively(Workspace& workspace, const std::string& from, const std::string& to) {
  std::string text = text_of(workspace, "file");
  text.replace(text.find(from), from.size(), to);
  workspace.write(path_of("file"), text).value();
}

void naive(Run& run) {
  const auto workspace = workspace_of({{"file", "one two"}});
  run.thread("first", [&] { edit_naively(*workspace, "one", "1"); });
  run.thread("second", [&] { edit_naively(*workspace, "two", "2"); });
  run.join();
  run.require(text_of(*workspace, "file") == "1 2", kLost);
}

void two_edits(Run& run) {
  const auto workspace = workspace_of({{"file", "one two"}});
  run.thread("first", [&] { workspace->edit(path_of("file"), "one", "1", false).value(); });
  run.thread("second", [&] { workspace->edit(path_of("file"), "two", "2", false).value(); });
  run.join();
  run.require(text_of(*workspace, "file") == "1 2", kLost);
}

// Folding publishes too: it must not take back what was written meanwhile.
void a_fold_beside_writes(Run& run) {
  const auto workspace = workspace_of({{"file", "x"}});
  workspace->write(path_of("before"), "b").value();
  run.thread("folding", [&] { workspace->tree().value(); });
  run.thread("writing", [&] { workspace->write(path_of("after"), "a").value(); });
  run.thread("removing", [&] { workspace->remove(path_of("file")).value(); });
  run.join();
  const auto paths = workspace->list("", 10).value().paths;
  run.require(paths == std::vector<std::string>{"after", "before"}, "a change is lost");
}

// A reader sees a folder before or after its move, never half of it.
void a_move_beside_a_listing(Run& run) {
  const auto workspace = workspace_of({{"d/1", "x"}, {"d/2", "y"}});
  run.thread("moving", [&] { workspace->move(path_of("d"), path_of("e")).value(); });
  run.thread("listing", [&] {
    const auto paths = workspace->list("", 10).value().paths;
    const bool before = paths == std::vector<std::string>{"d/1", "d/2"};
    const bool after = paths == std::vector<std::string>{"e/1", "e/2"};
    run.require(before || after, "a folder is seen half moved");
  });
  run.join();
}

void one_makes_the_file(Run& run) {
  const auto workspace = workspace_of({{"a", "x"}, {"b", "y"}});
  base::Atomic<int> moved;  // how many had their way
  for (const char* name : {"a", "b"}) {
    run.thread(name, [&, name] {
      if (workspace->move(path_of(name), path_of("c")).ok()) moved.fetch_add(1);
    });
  }
  run.join();
  run.require(moved.load() == 1, "two files were moved to one place");
}

TEST(WorkspaceExplore, ReadingAndWritingApartLosesAnEdit) {
  EXPECT_FINDS(Failure::kCheck, explore::explore({.strategy = Strategy::kExhaustive}, naive));
}

TEST(WorkspaceExplore, NoEditIsLost) { explore_all(two_edits); }

TEST(WorkspaceExplore, FoldingTakesNothingBack) { explore_all(a_fold_beside_writes); }

TEST(WorkspaceExplore, AMoveIsSeenWhole) { explore_all(a_move_beside_a_listing); }

TEST(WorkspaceExplore, OnePlaceIsTakenOnce) { explore_all(one_makes_the_file); }

}  // namespace
}  // namespace clever::sandbox
