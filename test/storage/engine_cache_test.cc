// The engine cache over real SQLite files.

#include "storage/engine_cache.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "storage/database_source.h"
#include "support/temporary_directory.h"

namespace clever::storage {
namespace {

using ::testing::HasSubstr;

struct EngineCacheOnDisk : ::testing::Test {
  [[nodiscard]] DatabaseUrl url(std::string_view text) const {
    return DatabaseUrl::parse(
               text, DatabaseUrl::Folders{.home = folder.path(), .directory = folder.path()})
        .value();
  }
  [[nodiscard]] std::shared_ptr<Engine> open(std::string_view text) {
    return cache.open(url(text)).value();
  }

  test::TemporaryDirectory folder;
  base::SystemClock clock;
  DatabaseSource source{EngineOptions{}, clock};
  EngineCache cache{source};
};

void create_plans(Engine& engine) {
  UnitOfWork unit;
  unit.run("CREATE TABLE plans_seen (name TEXT)");
  unit.run("INSERT INTO plans_seen VALUES ('first')");
  engine.commit(std::move(unit)).value();
}

std::size_t plans_in(Engine& engine) {
  auto rows = engine.query("SELECT name FROM plans_seen");
  return rows.ok() ? rows->size() : 0;
}

TEST_F(EngineCacheOnDisk, AFileIsPrivateToItsUser) {
  const auto engine = open("sqlite:a/b/x.db");
  struct stat status{};
  ASSERT_EQ(::stat((folder / "a/b/x.db").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
  ASSERT_EQ(::stat((folder / "a/b").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0700U);
}

TEST_F(EngineCacheOnDisk, OneFileByAnyNameIsOneEngine) {
  std::filesystem::create_symlink("real", folder / "folder_link");
  std::filesystem::create_symlink("real/x.db", folder / "file_link");
  const auto engine = open("sqlite:file_link");
  for (const auto* text : {"sqlite:real/x.db", "sqlite:///real/x.db", "sqlite:folder_link/x.db",
                           "sqlite:./real/y/../x.db", "sqlite:file_link"}) {
    EXPECT_EQ(open(text), engine) << text;
  }
  EXPECT_EQ(open("sqlite:" + (folder / "real/x.db").string()), engine);
  EXPECT_NE(open("sqlite:real/y.db"), engine);
}

TEST_F(EngineCacheOnDisk, AFileWithASecondHardLinkIsRefused) {
  folder.write("x.db", "");
  std::filesystem::create_hard_link(folder / "x.db", folder / "y.db");
  for (const auto* text : {"sqlite:x.db", "sqlite:y.db"}) {
    const auto refused = cache.open(url(text));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code(), base::ErrorCode::kInvalidArgument);
    EXPECT_THAT(refused.error().sentence(), HasSubstr("a hard link"));
  }
  std::filesystem::remove(folder / "y.db");
  EXPECT_TRUE(cache.open(url("sqlite:x.db")).ok());
}

TEST_F(EngineCacheOnDisk, AFolderIsNotADatabase) {
  std::filesystem::create_directory(folder / "x.db");
  EXPECT_EQ(cache.open(url("sqlite:x.db")).error().code(), base::ErrorCode::kInvalidArgument);
}

TEST_F(EngineCacheOnDisk, AnInvalidDatabaseIsNotTouched) {
  folder.write("x.db", "a letter to a friend, and certainly no database at all");
  EXPECT_EQ(cache.open(url("sqlite:x.db")).error().code(), base::ErrorCode::kCorruption);
  EXPECT_EQ(folder.read("x.db"), "a letter to a friend, and certainly no database at all");
}

TEST_F(EngineCacheOnDisk, AFileKeepsItsRowsOverClosingAndOpening) {
  create_plans(*open("sqlite:x.db"));
  EXPECT_EQ(plans_in(*open("sqlite:x.db")), 1U);
}

TEST_F(EngineCacheOnDisk, ADatabaseInMemoryKeepsItsRowsWithoutAHolder) {
  create_plans(*open("sqlite::memory:"));
  EXPECT_EQ(plans_in(*open("sqlite://")), 1U);
  EXPECT_EQ(plans_in(*open("sqlite::memory:other")), 0U);
}

TEST_F(EngineCacheOnDisk, AnEngineWorksOnWithoutItsCache) {
  std::optional<EngineCache> short_lived(std::in_place, source);
  const auto engine = short_lived->open(url("sqlite:x.db")).value();
  short_lived.reset();
  create_plans(*engine);
  EXPECT_EQ(plans_in(*engine), 1U);
}

TEST_F(EngineCacheOnDisk, AReplacedFileIsAnotherDatabase) {
  create_plans(*open("sqlite:x.db"));
  create_plans(*open("sqlite:new.db"));
  std::filesystem::rename(folder / "new.db", folder / "x.db");
  EXPECT_EQ(plans_in(*open("sqlite:x.db")), 1U);
}

TEST_F(EngineCacheOnDisk, AFileReplacedWhileItIsInUseIsNotOpened) {
  auto engine = open("sqlite:x.db");
  folder.write("new.db", "");
  std::filesystem::rename(folder / "new.db", folder / "x.db");
  const auto refused = cache.open(url("sqlite:x.db"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), base::ErrorCode::kConflict);
  EXPECT_THAT(refused.error().sentence(), HasSubstr("was replaced by another file"));
}

TEST_F(EngineCacheOnDisk, AServerThatDoesNotAnswerIsAnErrorEachTime) {
  const auto nowhere = url("postgresql:///x?host=" + folder.path().string());
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(cache.open(nowhere).error().code(), base::ErrorCode::kUnavailable);
  }
}

}  // namespace
}  // namespace clever::storage
