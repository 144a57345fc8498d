#include "git/kept_objects.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "git/object_store.h"
#include "support/repository.h"

namespace clever::git {
namespace {

namespace fs = std::filesystem;

fs::path objects_of(const test::Repository& repository) { return repository / ".git/objects"; }

ObjectId blob_of(std::string_view content) { return object_id_of(ObjectKind::kBlob, content); }

fs::path place_of(const fs::path& folder, const ObjectId& id) {
  const std::string name = id.to_hex();
  return folder / name.substr(0, 2) / name.substr(2);
}

bool is_kept(const fs::path& folder, const ObjectId& id) {
  return fs::exists(place_of(folder, id));
}

// As if nothing had happened there for long.
void make_old(const fs::path& objects) {
  for (const auto& entry : fs::directory_iterator(objects)) {
    if (entry.path().filename().string().size() != 2) continue;
    fs::last_write_time(entry.path(), fs::last_write_time(entry.path()) - std::chrono::hours(1));
  }
}

TEST(KeptObjects, AreReadWhenTheUserHasPrunedThem) {
  const test::Repository repository;
  repository.write("a", "content");
  repository.commit();
  KeptObjects kept(repository.beside("kept"));
  const fs::path folder = kept.keep({objects_of(repository)});
  fs::remove(place_of(objects_of(repository), blob_of("content")));
  const auto store = ObjectStore::open({.folder = repository.beside("store"),
                                        .borrowed = {objects_of(repository), folder},
                                        .keep_loose = false});
  EXPECT_EQ((*store)->blob(blob_of("content")).value(), "content");
}

TEST(KeptObjects, AreJoinedByWhatIsNew) {
  const test::Repository repository;
  repository.write("a", "first");
  repository.commit();
  make_old(objects_of(repository));
  KeptObjects kept(repository.beside("kept"));
  const fs::path folder = kept.keep({objects_of(repository)});
  repository.write("a", "second");
  repository.commit();
  EXPECT_EQ(kept.keep({objects_of(repository)}), folder);
  EXPECT_TRUE(is_kept(folder, blob_of("first")));
  EXPECT_TRUE(is_kept(folder, blob_of("second")));
}

TEST(KeptObjects, AreNotLookedForWhereNothingChanged) {
  const test::Repository repository;
  repository.write("a", "content");
  repository.commit();
  make_old(objects_of(repository));
  KeptObjects kept(repository.beside("kept"));
  const fs::path folder = kept.keep({objects_of(repository)});
  fs::remove(place_of(folder, blob_of("content")));
  EXPECT_FALSE(is_kept(kept.keep({objects_of(repository)}), blob_of("content")));
}

TEST(KeptObjects, AreLookedForAgainWhereSomethingChangedJustNow) {
  const test::Repository repository;
  repository.write("a", "content");
  repository.commit();
  KeptObjects kept(repository.beside("kept"));
  const fs::path folder = kept.keep({objects_of(repository)});
  fs::remove(place_of(folder, blob_of("content")));
  EXPECT_TRUE(is_kept(kept.keep({objects_of(repository)}), blob_of("content")));
}

TEST(KeptObjects, AreKeptAgainWhenAllWereRemoved) {
  const test::Repository repository;
  repository.write("a", "content");
  repository.commit();
  make_old(objects_of(repository));
  KeptObjects kept(repository.beside("kept"));
  fs::remove_all(kept.keep({objects_of(repository)}));
  EXPECT_TRUE(is_kept(kept.keep({objects_of(repository)}), blob_of("content")));
}

TEST(KeptObjects, OfTwoRepositoriesLieApart) {
  const test::Repository one;
  const test::Repository other;
  KeptObjects kept(one.beside("kept"));
  EXPECT_NE(kept.keep({objects_of(one)}), kept.keep({objects_of(other)}));
}

TEST(KeptObjects, AreNoneWhereNothingIsBorrowed) {
  const test::Repository repository;
  KeptObjects kept(repository.beside("kept"));
  EXPECT_EQ(kept.keep({}), kept.folder());
}

}  // namespace
}  // namespace clever::git
