#include "git/object_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/child_process.h"
#include "support/repository.h"
#include "support/temporary_directory.h"

namespace clever::git {
namespace {

using base::ErrorCode;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::shared_ptr<ObjectStore> open_store(const std::filesystem::path& folder) {
  return ObjectStore::open({.folder = folder}).value();
}

std::shared_ptr<ObjectStore> store_on(const test::Repository& repository, bool keep_packs = true) {
  return ObjectStore::open({.folder = repository.beside("store"),
                            .borrowed = {repository / ".git/objects"},
                            .keep_packs = keep_packs})
      .value();
}

ObjectId blob(ObjectStore& store, std::string_view content) {
  return store.put(ObjectKind::kBlob, content).value();
}

std::vector<std::filesystem::path> logs_in(const std::filesystem::path& store) {
  std::vector<std::filesystem::path> logs;
  for (const auto& entry : std::filesystem::directory_iterator(store / "log")) {
    logs.push_back(entry.path());
  }
  return logs;
}

std::string noise(std::size_t size) {
  std::string text;
  std::uint32_t state = 1;
  while (text.size() < size)
    text += static_cast<char>((state = state * 1664525 + 1013904223) >> 24U);
  return text;
}

TEST(ObjectStore, NamesObjectsAsGitDoes) {
  EXPECT_EQ(object_id_of(ObjectKind::kBlob, "hello\n").to_hex(),
            "ce013625030ba8dba906f756967f9e9ca394464a");
  EXPECT_EQ(object_id_of(ObjectKind::kTree, ""), empty_tree());
}

TEST(ObjectStore, ReadsWhatWasPutBeforeAndAfterSync) {
  const test::TemporaryDirectory folder;
  const auto store = open_store(folder / "store");
  for (const std::string& content :
       {std::string(), std::string("small"), std::string(5000, 'x'), noise(3000)}) {
    const ObjectId id = blob(*store, content);
    EXPECT_EQ(store->blob(id).value(), content);
    store->sync().value();
    EXPECT_EQ(store->blob(id).value(), content);
    EXPECT_EQ(store->header(id)->size, content.size());
    EXPECT_EQ(store->header(id)->kind, ObjectKind::kBlob);
    EXPECT_TRUE(store->contains(id).value());
  }
}

TEST(ObjectStore, KeepsWhatWasSynced) {
  const test::TemporaryDirectory folder;
  ObjectId kept;
  ObjectId lost;
  {
    const auto store = open_store(folder / "store");
    kept = blob(*store, "kept");
    store->sync().value();
    lost = blob(*store, "lost");
  }
  const auto store = open_store(folder / "store");
  EXPECT_EQ(store->blob(kept).value(), "kept");
  EXPECT_FALSE(store->contains(lost).value());
  EXPECT_EQ(store->blob(lost).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(store->header(lost).error().code(), ErrorCode::kNotFound);
}

TEST(ObjectStore, WritesNothingTwice) {
  const test::TemporaryDirectory folder;
  const auto store = open_store(folder / "store");
  blob(*store, "one");
  blob(*store, "one");
  store->sync().value();
  ASSERT_THAT(logs_in(folder / "store"), SizeIs(1));
  const auto size = std::filesystem::file_size(logs_in(folder / "store")[0]);
  blob(*store, "one");
  store->sync().value();
  EXPECT_EQ(std::filesystem::file_size(logs_in(folder / "store")[0]), size);
}

TEST(ObjectStore, AStoreThatOnlyReadsMakesNoLog) {
  const test::TemporaryDirectory folder;
  const auto store = open_store(folder / "store");
  store->sync().value();
  EXPECT_THAT(logs_in(folder / "store"), SizeIs(0));
}

TEST(ObjectStore, SeesWhatAnotherWroteAfterRefresh) {
  const test::TemporaryDirectory folder;
  const auto one = open_store(folder / "store");
  const auto two = open_store(folder / "store");
  const ObjectId first = blob(*one, "first");
  one->sync().value();
  EXPECT_FALSE(two->contains(first).value());
  two->refresh().value();
  EXPECT_EQ(two->blob(first).value(), "first");
  const ObjectId second = blob(*one, "second");
  one->sync().value();
  two->refresh().value();
  EXPECT_EQ(two->blob(second).value(), "second");
  blob(*two, "third");
  two->sync().value();
  EXPECT_THAT(logs_in(folder / "store"), SizeIs(2));
  two->refresh().value();
}

TEST(ObjectStore, RefusesAnotherKindAndTooMuch) {
  const test::TemporaryDirectory folder;
  const auto store = open_store(folder / "store");
  const ObjectId id = blob(*store, "12345");
  EXPECT_EQ(store->tree(id).error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(store->blob(id, 4).error().code(), ErrorCode::kResourceExhausted);
  EXPECT_EQ(store->blob(id, 5).value(), "12345");
}

TEST(ObjectStore, KnowsTheEmptyTree) {
  const test::TemporaryDirectory folder;
  const auto store = open_store(folder / "store");
  EXPECT_TRUE(store->contains(empty_tree()).value());
  EXPECT_TRUE(store->tree(empty_tree()).value().empty());
  EXPECT_EQ(store->header(empty_tree())->kind, ObjectKind::kTree);
  EXPECT_EQ(store->put_tree({}).value(), empty_tree());
}

TEST(ObjectStore, PutsTreesInGitsOrder) {
  const test::TemporaryDirectory folder;
  const auto store = open_store(folder / "store");
  const ObjectId file = blob(*store, "");
  const ObjectId tree = store
                            ->put_tree({{"a.b", {FileMode::kFile, file}},
                                        {"a", {FileMode::kDirectory, empty_tree()}},
                                        {"a-b", {FileMode::kExecutable, file}}})
                            .value();
  std::vector<std::string> names;
  for (const TreeEntry& entry : store->tree(tree).value()) names.push_back(entry.name);
  EXPECT_THAT(names, ElementsAre("a-b", "a.b", "a"));
}

TEST(ObjectStore, RefusesNamesThatNoFolderHolds) {
  const test::TemporaryDirectory folder;
  const auto store = open_store(folder / "store");
  const Node node{.mode = FileMode::kFile, .id = blob(*store, "")};
  for (const std::string name : {"", ".", "..", ".git", "a/b"}) {
    EXPECT_EQ(store->put_tree({{name, node}}).error().code(), ErrorCode::kInvalidArgument) << name;
  }
  EXPECT_EQ(
      store->put_tree({{"a", node}, {"a", {FileMode::kDirectory, empty_tree()}}}).error().code(),
      ErrorCode::kInvalidArgument);
}

TEST(ObjectStore, ReadsTreesOfOldPrograms) {
  const test::TemporaryDirectory folder;
  const auto store = open_store(folder / "store");
  const std::string id(ObjectId::kSize, 'i');
  const std::string old = std::string("100664 a") + '\0' + id + "100775 b" + '\0' + id;
  const auto entries = store->tree(store->put(ObjectKind::kTree, old).value()).value();
  EXPECT_EQ(entries[0].node.mode, FileMode::kFile);
  EXPECT_EQ(entries[1].node.mode, FileMode::kExecutable);
}

TEST(ObjectStore, NamesDamagedTrees) {
  const test::TemporaryDirectory folder;
  const auto store = open_store(folder / "store");
  const std::string id(ObjectId::kSize, 'i');
  for (const std::string& content :
       {std::string("100644"), std::string("100644 a"), std::string("100644 a\0short", 14),
        std::string("999 a") + '\0' + id, std::string("0000100644 a") + '\0' + id,
        std::string("100644 a/b") + '\0' + id, std::string("100644 ..") + '\0' + id,
        std::string("20000 a") + '\0' + id}) {
    const ObjectId tree = store->put(ObjectKind::kTree, content).value();
    EXPECT_EQ(store->tree(tree).error().code(), ErrorCode::kCorruption) << content;
  }
}

TEST(ObjectStore, BorrowsLooseObjects) {
  const test::Repository repository;
  repository.write("a.txt", "content");
  repository.commit();
  const auto store = store_on(repository);
  const ObjectId tree = ObjectId::from_hex(repository.head_tree()).value();
  const auto entries = store->tree(tree).value();
  ASSERT_THAT(entries, SizeIs(1));
  EXPECT_EQ(store->blob(entries[0].node.id).value(), "content");
  EXPECT_EQ(store->blob(entries[0].node.id, 3).error().code(), ErrorCode::kResourceExhausted);
}

TEST(ObjectStore, KeepsBorrowedPacksWhenTheUserRemovesThem) {
  const test::Repository repository;
  repository.write("a.txt", "content");
  repository.commit();
  repository.git({"repack", "-q", "-a", "-d"});
  const auto store = store_on(repository);
  std::filesystem::remove_all(repository / ".git/objects");
  EXPECT_EQ(store->blob(object_id_of(ObjectKind::kBlob, "content")).value(), "content");
}

TEST(ObjectStore, KeepsBorrowedLooseObjectsWhenTheUserPrunesThem) {
  const test::Repository repository;
  repository.write("a.txt", "content");
  repository.commit();
  const auto store = store_on(repository);
  std::filesystem::remove_all(repository / ".git/objects");
  EXPECT_EQ(store->blob(object_id_of(ObjectKind::kBlob, "content")).value(), "content");
}

TEST(ObjectStore, ReadsPacksWhereTheyAreIfAsked) {
  const test::Repository repository;
  repository.write("a.txt", "content");
  repository.commit();
  repository.git({"repack", "-q", "-a", "-d"});
  const auto store = store_on(repository, false);
  EXPECT_TRUE(std::filesystem::is_empty(repository.beside("store") / "objects/pack"));
  EXPECT_EQ(store->blob(object_id_of(ObjectKind::kBlob, "content")).value(), "content");
}

TEST(ObjectStore, FindsPacksMadeLater) {
  const test::Repository repository;
  const auto store = store_on(repository);
  EXPECT_FALSE(store->contains(object_id_of(ObjectKind::kBlob, "later")).value());
  repository.write("a.txt", "later");
  repository.commit();
  repository.git({"repack", "-q", "-a", "-d"});
  EXPECT_EQ(store->blob(object_id_of(ObjectKind::kBlob, "later")).value(), "later");
}

TEST(ObjectStore, BorrowsFromAlternatesOfTheBorrowed) {
  const test::Repository origin;
  origin.write("a.txt", "content");
  origin.commit();
  const test::Repository clone;
  std::ofstream(clone / ".git/objects/info/alternates")
      << "# a comment\n"
      << (origin / ".git/objects").string() << "\n";
  const auto store = store_on(clone);
  EXPECT_EQ(store->blob(object_id_of(ObjectKind::kBlob, "content")).value(), "content");
}

TEST(ObjectStore, NamesADamagedLooseObject) {
  const test::Repository repository;
  repository.write("a.txt", "content");
  repository.commit();
  const std::string id = object_id_of(ObjectKind::kBlob, "content").to_hex();
  const auto file = repository / (".git/objects/" + id.substr(0, 2) + "/" + id.substr(2));
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  std::ofstream(file) << "no zlib stream";
  const auto store = store_on(repository);
  EXPECT_EQ(store->blob(ObjectId::from_hex(id).value()).error().code(), ErrorCode::kCorruption);
}

TEST(ObjectStore, ReadsFromParents) {
  const test::TemporaryDirectory folder;
  const auto grandparent = open_store(folder / "grandparent");
  const auto parent =
      ObjectStore::open({.folder = folder / "parent", .parents = {grandparent}}).value();
  const auto child = ObjectStore::open({.folder = folder / "child", .parents = {parent}}).value();
  const ObjectId pending = blob(*grandparent, "pending");
  EXPECT_EQ(child->blob(pending).value(), "pending");
  grandparent->sync().value();
  EXPECT_EQ(child->blob(pending).value(), "pending");
  EXPECT_FALSE(grandparent->contains(blob(*child, "own")).value());
}

TEST(ObjectStore, ReadsFromWhatParentsBorrow) {
  const test::Repository repository;
  repository.write("a.txt", "content");
  repository.commit();
  const auto parent = store_on(repository);
  const auto child =
      ObjectStore::open({.folder = repository.beside("child"), .parents = {parent}}).value();
  EXPECT_EQ(child->blob(object_id_of(ObjectKind::kBlob, "content")).value(), "content");
}

TEST(ObjectStore, NamesDamageInALog) {
  const test::TemporaryDirectory folder;
  ObjectId id;
  {
    const auto store = open_store(folder / "store");
    id = blob(*store, "damaged soon");
    store->sync().value();
    blob(*store, "a second frame");
    store->sync().value();
  }
  const auto log = logs_in(folder / "store")[0];
  std::fstream file(log, std::ios::in | std::ios::out | std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  file.seekp(static_cast<std::streamoff>(text.find("damaged")));
  file << 'D';
  file.close();
  const auto store = open_store(folder / "store");
  EXPECT_EQ(store->blob(id).error().code(), ErrorCode::kCorruption);
}

TEST(ObjectStore, NamesALogThatIsGone) {
  const test::TemporaryDirectory folder;
  const auto store = open_store(folder / "store");
  const ObjectId id = blob(*store, "content");
  store->sync().value();
  std::filesystem::resize_file(logs_in(folder / "store")[0], 20);
  EXPECT_EQ(store->blob(id).error().code(), ErrorCode::kCorruption);
  std::filesystem::remove_all(folder / "store");
  EXPECT_EQ(store->blob(id).error().code(), ErrorCode::kNotFound);
}

TEST(ObjectStore, CannotBeOpenedWhereAFileIs) {
  const test::TemporaryDirectory folder;
  folder.write("store", "a file");
  EXPECT_FALSE(ObjectStore::open({.folder = folder / "store"}).ok());
}

// A file-size limit stands for a full disk: the write fails in the middle of a frame.
TEST(ObjectStore, AFailedSyncLosesNothing) {
  const test::TemporaryDirectory folder;
  const int code = test::in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const auto store = open_store(folder / "store");
    const ObjectId kept = blob(*store, "kept");
    if (!store->sync().ok()) return 1;
    const std::string large = noise(100'000);
    const ObjectId late = blob(*store, large);
    const rlimit small{.rlim_cur = 20'000, .rlim_max = RLIM_INFINITY};
    if (::setrlimit(RLIMIT_FSIZE, &small) != 0) return 2;
    if (store->sync().ok()) return 3;
    if (store->blob(late).value() != large) return 4;
    const rlimit none{.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    if (::setrlimit(RLIMIT_FSIZE, &none) != 0) return 5;
    if (!store->sync().ok()) return 6;
    const auto again = open_store(folder / "store");
    if (again->blob(kept).value() != "kept") return 7;
    return again->blob(late).value() == large ? 0 : 8;
  });
  EXPECT_EQ(code, 0);
}

TEST(ObjectStore, AStoppedSyncStillWritesIfNoOtherCallerDoes) {
  const test::TemporaryDirectory folder;
  const auto store = open_store(folder / "store");
  blob(*store, "content");
  base::StopSource stop;
  stop.request_stop();
  EXPECT_TRUE(store->sync(stop.token()).ok());
}

}  // namespace
}  // namespace clever::git
