// Real threads on one CodeViews, watched by ThreadSanitizer.
#include <gtest/gtest.h>

#include "base/guarded.h"
#include "engine/actor/code_views.h"
#include "support/memory_corpus.h"
#include "support/test_view.h"
#include "support/together.h"
#include "support/tool_workspace.h"

namespace clever::engine {
namespace {

constexpr int kViewers = 32;
constexpr int kViewedTrees = 6;

CodeViews::Sources sources() {
  return {
      .index = [](const index::IndexOptions&) -> base::Result<std::unique_ptr<index::CodeIndex>> {
        return std::make_unique<test::TestIndex>();
      },
      .history = [](const git::Project&, const context::History::Options&, const base::StopToken&)
          -> base::Result<std::shared_ptr<const context::History>> {
        return std::make_shared<const test::TestHistory>();
      },
      .corpus =
          [](const std::shared_ptr<git::ObjectStore>&, const git::ObjectId& tree) {
            return std::make_shared<test::MemoryCorpus>(
                std::map<std::string, std::string>{{"tree", tree.to_hex()}});
          }};
}

// More trees than are kept, so that views go while others ask for them.
TEST(CodeViewsStress, EverybodySeesHisOwnTree) {
  const test::ToolWorkspace workspace({{"a", ""}});
  std::vector<git::ObjectId> trees;
  for (int i = 0; i < kViewedTrees; ++i) {
    trees.push_back(workspace.store->put(git::ObjectKind::kBlob, std::to_string(i)).value());
  }
  base::ThreadPool pool({.name = "index", .threads = 2});
  CodeViews views(pool, {.folder = "/none", .kept = 3}, sources());
  base::Guarded<int> wrong;
  test::together(kViewers, [&](int thread) {
    for (int round = 0; round < 30; ++round) {
      const auto tree = static_cast<std::size_t>((thread + round) % kViewedTrees);
      const CodeViews::Files files{.project = {.root = "/p"},
                                   .store = workspace.store,
                                   .tree = trees[tree],
                                   .commit = std::string(40, 'c')};
      views.prepare(files);
      const auto seen = views.look(files, {}, base::Deadline::never());
      const bool right = seen.ok() && seen->view->content(0).value() == trees[tree].to_hex();
      if (!right) wrong.with([](int& count) { ++count; });
    }
  });
  EXPECT_EQ(wrong.with([](const int& count) { return count; }), 0);
}

}  // namespace
}  // namespace clever::engine
