#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "git/ignore_rules.h"
#include "git/object_store.h"
#include "git/tree.h"
#include "support/campaign.h"
#include "support/repository.h"
#include "support/together.h"

namespace clever::git {
namespace {

// A repository with a pack, loose objects and nested ignore files, and a store on it.
struct Place {
  Place() {
    for (int i = 0; i < 40; ++i) {
      const std::string folder = "d" + std::to_string(i % 5);
      repository.write(folder + "/f" + std::to_string(i),
                       std::string(2000, 'x') + std::to_string(i));
      repository.write(folder + "/.gitignore", "*.o\n");
    }
    repository.commit();
    repository.git({"repack", "-q", "-a", "-d"});
    repository.write("loose", "loose");
    repository.commit();
    store = ObjectStore::open(
                {.folder = repository.beside("store"), .borrowed = {repository / ".git/objects"}})
                .value();
    tree = ObjectId::from_hex(repository.head_tree()).value();
  }

  test::Repository repository;
  std::shared_ptr<ObjectStore> store;
  ObjectId tree;
};

// Edits a tree of its own, syncs, and reads what it and git wrote.
void work(Place& place, int worker, std::size_t rounds) {
  base::SeededRandom random(static_cast<std::uint64_t>(worker));
  const TreePath own = TreePath::parse("d1/own" + std::to_string(worker)).value();
  const TreePath shared = TreePath::parse("shared").value();
  ObjectId tree = place.tree;
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::string content = std::to_string(worker) + " " + std::to_string(round);
    const Node file{.id = place.store->put(ObjectKind::kBlob, content).value()};
    const Node same{.id = place.store->put(ObjectKind::kBlob, std::to_string(round)).value()};
    tree = edit_tree(*place.store, tree, {{own, file}, {shared, same}}).value();
    if (random.below(2) == 0) place.store->sync().value();
    EXPECT_EQ(place.store->blob(find(*place.store, tree, own).value()->id).value(), content);
    if (random.below(4) == 0) place.store->refresh().value();
    std::size_t files = 0;
    walk(*place.store, tree, std::nullopt, [&](const std::string&, const Node& node) {
      ++files;
      return place.store->blob(node.id).ok();
    }).value();
    EXPECT_EQ(files, 48U);
    EXPECT_EQ(compare(*place.store, place.tree, tree).value().size(), 2U);
  }
  place.store->sync().value();
}

TEST(ObjectStoreStress, ManyThreadsShareOneStore) {
  Place place;
  test::together(8, [&](int worker) { work(place, worker, test::campaign(15, 500)); });
  const auto again = ObjectStore::open({.folder = place.repository.beside("store")}).value();
  for (int worker = 0; worker < 8; ++worker) {
    const ObjectId id = object_id_of(ObjectKind::kBlob, std::to_string(worker) + " 3");
    EXPECT_TRUE(again->contains(id).value());
  }
}

TEST(ObjectStoreStress, ChildrenReadWhatTheirParentWrites) {
  Place place;
  std::vector<std::shared_ptr<ObjectStore>> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(
        ObjectStore::open({.folder = place.repository.beside("child" + std::to_string(i)),
                           .parents = {place.store}})
            .value());
  }
  test::together(4, [&](int worker) {
    auto& child = *children[static_cast<std::size_t>(worker)];
    for (int round = 0; round < 30; ++round) {
      const ObjectId id = place.store->put(ObjectKind::kBlob, std::to_string(round)).value();
      EXPECT_EQ(child.blob(id).value(), std::to_string(round));
      EXPECT_EQ(child.tree(place.tree).value().size(), 6U);
      if (worker == 0) place.store->sync().value();
    }
  });
}

TEST(ObjectStoreStress, ManyThreadsAskOneSetOfRules) {
  Place place;
  const auto rules = IgnoreRules::of_tree(*place.store, place.tree, "*.tmp\n").value();
  test::together(8, [&](int worker) {
    for (int round = 0; round < 50; ++round) {
      const std::string folder = "d" + std::to_string((worker + round) % 7);
      EXPECT_EQ(rules->ignores(folder + "/x.o", false), (worker + round) % 7 < 5);
      EXPECT_TRUE(rules->ignores(folder + "/x.tmp", false));
    }
  });
}

}  // namespace
}  // namespace clever::git
