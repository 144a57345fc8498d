#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>

#include "base/random.h"
#include "git/object_store.h"
#include "support/campaign.h"
#include "support/child_process.h"
#include "support/temporary_directory.h"

namespace clever::git {
namespace {

std::string content(int number) {
  return "object " + std::to_string(number) +
         std::string(static_cast<std::size_t>(number % 700), 'x');
}

// Puts, syncs, and tells the number of the last object that sync() acknowledged.
int write_for_ever(const std::filesystem::path& folder, int tell) {
  const auto store = ObjectStore::open({.folder = folder}).value();
  for (int number = 0;; ++number) {
    if (!store->put(ObjectKind::kBlob, content(number)).ok()) return 1;
    if (number % 3 != 0) continue;
    if (!store->sync().ok()) return 2;
    if (::write(tell, &number, sizeof number) != sizeof number) return 3;
  }
}

// Reads acknowledgements until `count` came, kills the writer, and reads what came meanwhile.
int last_acknowledged(const std::filesystem::path& folder, std::uint64_t count) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  test::ChildProcess writer([&] { return write_for_ever(folder, ends[1]); });
  ::close(ends[1]);
  int last = -1;
  int number = 0;
  for (std::uint64_t i = 0; ::read(ends[0], &number, sizeof number) == sizeof number; ++i) {
    last = number;
    if (i == count) writer.kill_and_wait();
  }
  ::close(ends[0]);
  return last;
}

TEST(ObjectStoreCrash, EverythingThatSyncAcknowledgedIsThereAfterAKill) {
  base::SeededRandom random(5);
  for (std::size_t round = 0; round < test::campaign(6, 300); ++round) {
    const test::TemporaryDirectory folder;
    const int last = last_acknowledged(folder / "store", random.below(20));
    ASSERT_GE(last, 0);
    const auto store = ObjectStore::open({.folder = folder / "store"}).value();
    for (int number = 0; number <= last; ++number) {
      const ObjectId id = object_id_of(ObjectKind::kBlob, content(number));
      ASSERT_EQ(store->blob(id).value(), content(number)) << "in round " << round;
    }
  }
}

TEST(ObjectStoreCrash, ATornEndIsIgnoredAndOvercome) {
  const test::TemporaryDirectory folder;
  {
    const auto store = ObjectStore::open({.folder = folder / "store"}).value();
    for (const char* text : {"first", "second"}) {
      store->put(ObjectKind::kBlob, text).value();
      store->sync().value();
    }
  }
  const auto log = std::filesystem::directory_iterator(folder / "store/log")->path();
  const auto size = std::filesystem::file_size(log);
  for (std::uintmax_t cut = size - 1; cut > size / 2; --cut) {
    std::filesystem::resize_file(log, cut);
    const auto store = ObjectStore::open({.folder = folder / "store"}).value();
    EXPECT_EQ(store->blob(object_id_of(ObjectKind::kBlob, "first")).value(), "first");
    EXPECT_FALSE(store->contains(object_id_of(ObjectKind::kBlob, "second")).value());
  }
  {
    const auto store = ObjectStore::open({.folder = folder / "store"}).value();
    store->put(ObjectKind::kBlob, "second").value();
    store->sync().value();
  }
  const auto store = ObjectStore::open({.folder = folder / "store"}).value();
  EXPECT_EQ(store->blob(object_id_of(ObjectKind::kBlob, "second")).value(), "second");
}

}  // namespace
}  // namespace clever::git
