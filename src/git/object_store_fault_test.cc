// A disk that is full, broken or read-only from each single change on that the log of objects
// makes.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "git/object_store.h"
#include "io/disk_fault.h"
#include "support/campaign.h"
#include "support/child_process.h"
#include "support/temporary_directory.h"

namespace clever::git {
namespace {

constexpr int kObjects = 30;

std::string fault_content(int number) {
  return "object " + std::to_string(number) +
         std::string(static_cast<std::size_t>(number % 700), 'x');
}

// Notes the number of each object that sync() acknowledged in a file that no fault hits.
void put_and_note(ObjectStore& store, std::ofstream& notes) {
  int unsynced = 0;
  for (int number = 0; number < kObjects; ++number) {
    if (!store.put(ObjectKind::kBlob, fault_content(number)).ok()) {
      unsynced = number + 1;
      continue;
    }
    if (!store.sync().ok()) continue;
    for (; unsynced <= number; ++unsynced) notes << unsynced << std::endl;
  }
}

// True if the fault was met.
bool work_with_fault(const std::filesystem::path& folder, const std::string& fault,
                     std::int64_t change) {
  const int code = test::in_child([&] {
    ::setenv("CLEVER_DISK_FAULT", fault.c_str(), /*overwrite=*/1);
    std::ofstream notes(folder / "notes");
    auto store = ObjectStore::open({.folder = folder / "store"});
    if (store.ok()) put_and_note(**store, notes);
    if (store.ok()) store->reset();
    return io::disk_changes() >= change ? 1 : 0;
  });
  EXPECT_TRUE(code == 0 || code == 1) << code;
  return code == 1;
}

void expect_noted(const std::filesystem::path& folder) {
  const auto store = ObjectStore::open({.folder = folder / "store"});
  ASSERT_TRUE(store.ok()) << store.error().sentence();
  std::ifstream notes(folder / "notes");
  for (int number = 0; notes >> number;) {
    const ObjectId id = object_id_of(ObjectKind::kBlob, fault_content(number));
    const auto found = (*store)->blob(id);
    ASSERT_TRUE(found.ok()) << number << ": " << found.error().sentence();
    EXPECT_EQ(*found, fault_content(number));
  }
  const auto id = (*store)->put(ObjectKind::kBlob, "more");
  ASSERT_TRUE(id.ok()) << id.error().sentence();
  EXPECT_TRUE((*store)->sync().ok());
}

TEST(ObjectStoreFault, SyncedObjectsSurviveAnyDiskFailure) {
  std::size_t met = 0;
  for (const int number : {ENOSPC, EIO, EROFS}) {
    for (const char* how : {"", ":once"}) {
      for (std::int64_t change = 1;; change += static_cast<std::int64_t>(test::campaign(7, 1))) {
        const std::string fault = std::to_string(number) + ":" + std::to_string(change) + how;
        SCOPED_TRACE(fault);
        const test::TemporaryDirectory folder;
        if (!work_with_fault(folder.path(), fault, change)) break;
        ++met;
        expect_noted(folder.path());
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
  EXPECT_GT(met, 6U);
}

}  // namespace
}  // namespace clever::git
