// Real threads on one FilesContext, watched by ThreadSanitizer.
#include <gtest/gtest.h>

#include "base/guarded.h"
#include "engine/actor/turn_request.h"
#include "support/together.h"
#include "support/tool_workspace.h"

namespace clever::engine {
namespace {

constexpr int kReaders = 50;
constexpr int kReadTrees = 5;

// More trees and questions than are kept, so that they are forgotten while others ask for them.
TEST(FilesContextStress, EverybodyGetsTheFilesOfHisOwnTree) {
  std::vector<std::unique_ptr<test::ToolWorkspace>> trees;
  for (int i = 0; i < kReadTrees; ++i) {
    trees.push_back(std::make_unique<test::ToolWorkspace>(
        std::vector<test::TestFile>{{"a.cc", "tree " + std::to_string(i)}, {"b.cc", "b"}}));
  }
  FilesContext context;
  base::Guarded<int> wrong;
  test::together(kReaders, [&](int thread) {
    for (int round = 0; round < 20; ++round) {
      const int tree = (thread + round) % kReadTrees;
      const auto found =
          context.assemble({.query = "a.cc " + std::to_string(thread),
                            .workspace = trees[static_cast<std::size_t>(tree)]->workspace},
                           {}, base::Deadline::never());
      const bool right = found.ok() && found->fragments.size() == 2 &&
                         found->fragments[1].text == "tree " + std::to_string(tree);
      if (!right) wrong.with([](int& count) { ++count; });
    }
  });
  EXPECT_EQ(wrong.with([](const int& count) { return count; }), 0);
}

}  // namespace
}  // namespace clever::engine
