// Snapshots of one working tree by many at once, while it changes.

#include <gtest/gtest.h>

#include <string>

#include "git/snapshot.h"
#include "git/tree.h"
#include "support/campaign.h"
#include "support/repository.h"
#include "support/together.h"

namespace clever::git {
namespace {

constexpr int kPlans = 16;

// What a plan wrote before it asked is in what it is told, in its own store, whoever asked git.
void write_and_ask(const test::Repository& repository, const Project& project, WorkingTrees& trees,
                   int plan, std::size_t rounds) {
  const std::string name = "own" + std::to_string(plan);
  const TreePath path = TreePath::parse(name).value();
  const auto store = ObjectStore::open({.folder = repository.beside("store-" + name),
                                        .borrowed = project.object_folders})
                         .value();
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::string content = name + " " + std::to_string(round);
    repository.write(name, content);
    const auto snapshot = trees.snapshot(project, *store);
    ASSERT_TRUE(snapshot.ok()) << snapshot.error().sentence();
    const auto found = find(*store, snapshot->tree, path).value();
    ASSERT_TRUE(found.has_value()) << "written before, and not seen";
    EXPECT_EQ(store->blob(found->id).value(), content);
  }
}

void all_write_and_ask(const test::Repository& repository) {
  const Project project = Project::find(repository.path()).value();
  WorkingTrees trees;
  test::together(kPlans, [&](int plan) {
    write_and_ask(repository, project, trees, plan, test::campaign(4, 40));
  });
}

TEST(SnapshotStress, ASharedSnapshotHasAllEarlierWrites) {
  const test::Repository repository;
  for (int file = 0; file < 20; ++file) repository.write("f" + std::to_string(file), "same");
  repository.commit();
  all_write_and_ask(repository);
}

TEST(SnapshotStress, InAPlainFolderToo) {
  all_write_and_ask(test::Repository(test::Repository::Kind::kPlainFolder));
}

}  // namespace
}  // namespace clever::git
