#include <gtest/gtest.h>

#include <string>

#include "base/thread_pool.h"
#include "support/test_workspace.h"
#include "support/together.h"

namespace clever::sandbox {
namespace {

using test::path_of;
using test::TestWorkspace;

constexpr int kEditors = 8;

TEST(WorkspaceStress, EveryEditOfOneFileLands) {
  std::string content;
  for (int i = 0; i < kEditors; ++i) content += "[" + std::to_string(i) + ":]\n";
  const TestWorkspace workspace({{"file", content}});
  test::together(kEditors, [&](int worker) {
    const std::string mark = "[" + std::to_string(worker) + ":";
    for (int i = 0; i < 50; ++i) {
      ASSERT_TRUE(workspace->edit(path_of("file"), mark, mark + "x", false).ok());
    }
  });
  const std::string all = workspace.read("file");
  EXPECT_EQ(std::ranges::count(all, 'x'), kEditors * 50);
}

TEST(WorkspaceStress, ReadsAndFoldsBesideWrites) {
  const TestWorkspace workspace({{"shared/file", "0"}});
  test::together(kEditors, [&](int worker) {
    const auto own = path_of("own/" + std::to_string(worker));
    for (int i = 0; i < 60; ++i) {
      const std::string text = std::to_string(i);
      ASSERT_TRUE(workspace->write(own, text).ok());
      ASSERT_EQ(workspace->read(own)->content, text);
      if (i % 5 == worker % 5) ASSERT_TRUE(workspace->tree().ok());
      if (i % 20 == 0) ASSERT_TRUE(workspace->checkpoint().ok());
      if (i % 10 == 0) ASSERT_TRUE(workspace->search({.pattern = "0"}).ok());
    }
  });
  EXPECT_EQ(workspace->status()->size(), static_cast<std::size_t>(kEditors));
}

TEST(WorkspaceStress, ASearchOnManyThreadsFindsTheSameAsOnOne) {
  std::vector<test::TestFile> files;
  for (int i = 0; i < 2000; ++i) {
    files.push_back(
        {"f/" + std::to_string(i), "line\n" + std::string(i % 7 == 0 ? "needle\n" : "")});
  }
  const TestWorkspace test(files);
  base::ThreadPool pool({.name = "search", .threads = 4});
  WorkspaceOptions options = test.options("parallel");
  options.pool = &pool;
  const auto workspace = Workspace::open(options).value();
  for (const std::size_t most : {10U, 100U, 100'000U}) {
    const auto parallel = workspace->search({.pattern = "needle", .max_results = most}).value();
    const auto alone = test->search({.pattern = "needle", .max_results = most}).value();
    ASSERT_EQ(parallel.matches.size(), alone.matches.size());
    EXPECT_EQ(parallel.truncated, alone.truncated);
    for (std::size_t i = 0; i < alone.matches.size(); ++i) {
      EXPECT_EQ(parallel.matches[i].path, alone.matches[i].path);
    }
  }
}

}  // namespace
}  // namespace clever::sandbox
