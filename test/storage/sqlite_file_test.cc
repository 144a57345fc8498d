// What can be wrong with a database's file, and what is said about it.
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/monitor.h"
#include "base/thread.h"
#include "io/process_mutex.h"
#include "storage/engines.h"
#include "storage/sqlite/sqlite_engine.h"
#include "support/child_process.h"

namespace clever::storage {
namespace {

using base::ErrorCode;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr Migration kOne{1, "one", "CREATE TABLE note (id SERIAL, text STRING) TABLE_OPTIONS;"};
constexpr Migration kTwo{2, "two", "ALTER TABLE note ADD COLUMN author STRING;"};
constexpr Migration kBroken{2, "broken",
                            "ALTER TABLE note ADD COLUMN author STRING; DROP TABLE no;"};
constexpr Migration kOtherOne{1, "one", "CREATE TABLE note (id SERIAL) TABLE_OPTIONS;"};
constexpr std::array kFirst{kOne};
constexpr std::array kSecond{kOne, kTwo};
constexpr std::array kFailing{kOne, kBroken};
constexpr std::array kForeign{kOtherOne};

class SqliteFileTest : public ::testing::Test {
 protected:
  base::Result<std::unique_ptr<Engine>> open(std::span<const Migration> steps = kFirst,
                                             std::string_view name = "notes.db") {
    const auto url =
        DatabaseUrl::parse("sqlite:" + (folder_ / name).string(), folder_.path()).value();
    return open_sqlite(url, {.migrations = steps}, clock_);
  }
  static base::Result<Receipt> write(Engine& engine, const std::string& text) {
    UnitOfWork unit;
    unit.run("INSERT INTO note (text) VALUES ($1)", text);
    unit.notify("notes");
    return engine.commit(std::move(unit));
  }
  static std::int64_t notes(Engine& engine) {
    return engine.query("SELECT count(*) FROM note").value()[0].integer(0);
  }
  void damage(std::string_view name, std::streamoff from, std::size_t count) {
    std::fstream file(folder_ / name, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(from);
    file << std::string(count, '\x55');
  }

  base::SystemClock clock_;
  test::TemporaryDirectory folder_;
};

TEST_F(SqliteFileTest, FoldersThatAreMissingAreMadeForTheUserAlone) {
  open(kFirst, "a/b/notes.db").value();
  const auto mode = [&](const char* name) {
    return std::filesystem::status(folder_ / name).permissions();
  };
  EXPECT_EQ(mode("a/b"), std::filesystem::perms::owner_all);
  EXPECT_EQ(mode("a/b/notes.db"),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(SqliteFileTest, ClosingLeavesTheDatabaseAndItsLock) {
  write(*open().value(), "x").value();
  EXPECT_THAT(folder_.names(), ElementsAre("notes.db", "notes.db-lock"));
}

TEST_F(SqliteFileTest, ADatabaseThatIsDeletedWhileInUseIsSavedAndSaidSo) {
  const auto engine = open().value();
  write(*engine, "kept").value();
  for (const char* name : {"notes.db", "notes.db-wal", "notes.db-shm"}) {
    std::filesystem::remove(folder_ / name);
  }
  const auto refused = write(*engine, "lost");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kCorruption);
  EXPECT_THAT(refused.error().message(),
              AllOf(HasSubstr("deleted or replaced"), HasSubstr("notes.db.saved-")));
  EXPECT_THAT(engine->query("SELECT 1").error().message(), HasSubstr("notes.db.saved-"));
  const auto names = folder_.names();
  const auto saved = std::ranges::find_if(
      names, [](const std::string& name) { return name.starts_with("notes.db.saved-"); });
  ASSERT_NE(saved, names.end());
  EXPECT_EQ(notes(*open(kFirst, *saved).value()), 1);
}

TEST_F(SqliteFileTest, OneThatIsReplacedWhileInUseIsNotWrittenTo) {
  write(*open().value(), "kept").value();
  const auto engine = open().value();
  write(*engine, "kept too").value();
  std::filesystem::copy_file(folder_ / "notes.db", folder_ / "other.db");
  std::filesystem::rename(folder_ / "other.db", folder_ / "notes.db");
  EXPECT_EQ(write(*engine, "lost").error().code(), ErrorCode::kCorruption);
}

TEST_F(SqliteFileTest, OneThatIsCutWhileInUseIsNoticed) {
  const auto engine = open().value();
  write(*engine, "kept").value();
  std::filesystem::resize_file(folder_ / "notes.db", 0);
  for (int tries = 0; tries < 2; ++tries) {
    const auto refused = write(*engine, "lost");
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code(), ErrorCode::kCorruption);
    EXPECT_THAT(refused.error().message(), HasSubstr("was cut or overwritten"));
  }
}

TEST_F(SqliteFileTest, OneThatWasEmptiedIsNotTakenForANewOne) {
  write(*open().value(), "kept").value();
  std::filesystem::resize_file(folder_ / "notes.db", 0);
  const auto refused = open();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kCorruption);
  EXPECT_THAT(refused.error().sentence(), AllOf(HasSubstr("was cut to 0 bytes"),
                                                HasSubstr("backup"), HasSubstr("to begin anew")));
  EXPECT_EQ(std::filesystem::file_size(folder_ / "notes.db"), 0U);
  std::filesystem::remove(folder_ / "notes.db");
  EXPECT_EQ(notes(*open().value()), 0) << "removing it starts over";
}

TEST_F(SqliteFileTest, OneThatWasCutSaysWhatToDo) {
  for (const std::uintmax_t size : {std::uintmax_t{1000}, std::uintmax_t{4096}}) {
    {
      const auto engine = open().value();
      for (int i = 0; i < 100; ++i) write(*engine, std::string(500, 'x')).value();
    }
    std::filesystem::resize_file(folder_ / "notes.db", size);
    const auto refused = open();
    ASSERT_FALSE(refused.ok()) << size;
    EXPECT_EQ(refused.error().code(), ErrorCode::kCorruption);
    EXPECT_THAT(refused.error().sentence(),
                AllOf(HasSubstr("damaged or was cut short"), HasSubstr("put a backup in its place"),
                      HasSubstr("notes.db .recover")));
    std::filesystem::remove(folder_ / "notes.db");
  }
}

TEST_F(SqliteFileTest, OneThatAnotherEngineRewroteIsWhole) {
  const auto engine = open().value();
  for (int i = 0; i < 100; ++i) write(*engine, std::string(4000, 'x')).value();
  UnitOfWork unit;
  unit.run("DELETE FROM note");
  engine->commit(std::move(unit)).value();
  open().value()->vacuum([](auto, auto, auto) {}, {}).value();
  EXPECT_TRUE(write(*engine, "one").ok());
  EXPECT_EQ(notes(*engine), 1);
}

TEST_F(SqliteFileTest, AnUpgradeKeepsWhatWasThereAndRemovesItsCopy) {
  write(*open().value(), "kept").value();
  const auto engine = open(kSecond).value();
  EXPECT_EQ(engine->query("SELECT text, author FROM note").value()[0].text(0), "kept");
  EXPECT_EQ(engine->facts().value().schema_version, 2);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "notes.db.before-v2"));
}

TEST_F(SqliteFileTest, AFailedUpgradeChangesNothingAndNamesTheCopy) {
  write(*open().value(), "kept").value();
  const auto failed = open(kFailing);
  EXPECT_THAT(failed.error().sentence(), HasSubstr("notes.db.before-v2"));
  EXPECT_EQ(notes(*open().value()), 1);
  EXPECT_EQ(notes(*open(kFirst, "notes.db.before-v2").value()), 1);
}

TEST_F(SqliteFileTest, ACopyLeftByACrashDoesNotStandInTheWay) {
  write(*open().value(), "kept").value();
  folder_.write("notes.db.before-v2", "half a copy");
  folder_.write("notes.db.before-v2.partial", "half a copy");
  EXPECT_EQ(notes(*open(kSecond).value()), 1);
}

TEST_F(SqliteFileTest, ANewerSchemaIsLeftAlone) {
  write(*open(kSecond).value(), "x").value();
  const auto refused = open(kFirst);
  EXPECT_EQ(refused.error().code(), ErrorCode::kConflict);
  EXPECT_THAT(refused.error().sentence(), AllOf(HasSubstr("version 2"), HasSubstr("up to 1")));
  EXPECT_EQ(notes(*open(kSecond).value()), 1);
}

TEST_F(SqliteFileTest, AStepThatIsKnownOtherwiseIsCorruption) {
  open(kForeign).value();
  EXPECT_EQ(open(kFirst).error().code(), ErrorCode::kCorruption);
}

TEST_F(SqliteFileTest, AProcessThatIsStillOpenIsRefusedAfterAnUpgrade) {
  const auto old = open(kFirst).value();
  write(*old, "before").value();
  const auto upgraded = open(kSecond).value();
  const auto refused = write(*old, "after");
  EXPECT_EQ(refused.error().code(), ErrorCode::kConflict);
  EXPECT_THAT(refused.error().message(), HasSubstr("newer agents"));
  EXPECT_EQ(notes(*upgraded), 1);
}

TEST_F(SqliteFileTest, AFileThatIsNotADatabaseIsReported) {
  const std::string text(5000, 'x');
  folder_.write("notes.db", text);
  EXPECT_EQ(open().error().code(), ErrorCode::kCorruption);
  EXPECT_THAT(open().error().sentence(),
              AllOf(HasSubstr("notes.db"), HasSubstr("it is no database"), HasSubstr("backup")));
  EXPECT_EQ(folder_.read("notes.db"), text);
}

TEST_F(SqliteFileTest, TheDatabaseOfAnotherProgramIsLeftAlone) {
  ASSERT_EQ(std::system(("sqlite3 " + (folder_ / "notes.db").string() +
                         " 'CREATE TABLE theirs (x)' > /dev/null")
                            .c_str()),
            0);
  EXPECT_EQ(open().error().code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(open().error().sentence(), HasSubstr("another program"));
}

TEST_F(SqliteFileTest, AFolderIsNotADatabase) {
  std::filesystem::create_directory(folder_ / "notes.db");
  EXPECT_EQ(open().error().code(), ErrorCode::kInvalidArgument);
}

TEST_F(SqliteFileTest, DamageIsFoundByTheCheck) {
  {
    const auto engine = open().value();
    for (int i = 0; i < 200; ++i) write(*engine, std::string(500, 'x')).value();
  }
  damage("notes.db", 10 * 4096 + 8, 2000);
  auto engine = open();
  // Wherever it is noticed first, it is said, and it is said to be that.
  const auto checked = engine.ok() ? (*engine)->check_integrity([](auto, auto, auto) {}, {})
                                   : base::Result<void>(engine.error());
  EXPECT_EQ(checked.error().code(), ErrorCode::kCorruption);
}

TEST_F(SqliteFileTest, AFileThatMayNotBeWrittenIsSaidToBeSo) {
  write(*open().value(), "x").value();
  std::filesystem::permissions(folder_.path(), std::filesystem::perms::all);
  std::filesystem::permissions(folder_ / "notes.db", std::filesystem::perms::owner_read |
                                                         std::filesystem::perms::others_read);
  std::filesystem::permissions(folder_ / "notes.db-lock", std::filesystem::perms::all);
  EXPECT_EQ(test::in_unprivileged_child([&] {
              const auto refused = open();
              return !refused.ok() && refused.error().code() == ErrorCode::kPermissionDenied &&
                             refused.error().sentence().find("chmod") != std::string::npos
                         ? 0
                         : 1;
            }),
            0);
}

// A limit on the size of files is a disk that is full to this process.
TEST_F(SqliteFileTest, AFullDiskRefusesTheUnitAndLosesNothing) {
  {
    write(*open().value(), "before").value();
  }
  EXPECT_EQ(test::in_child([&] {
              std::signal(SIGXFSZ, SIG_IGN);
              const auto engine = open().value();
              const rlimit limit{.rlim_cur = 200'000, .rlim_max = 200'000};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              const auto refused = write(*engine, std::string(1'000'000, 'x'));
              if (refused.ok() || refused.error().code() != ErrorCode::kUnavailable) return 1;
              if (!write(*engine, "small").ok()) return 2;
              return notes(*engine) == 2 ? 0 : 3;
            }),
            0);
  const auto engine = open().value();
  EXPECT_EQ(notes(*engine), 2);
  engine->check_integrity([](auto, auto, auto) {}, {}).value();
}

TEST_F(SqliteFileTest, ABackupIsADatabaseAndReplacesNothing) {
  const auto engine = open().value();
  write(*engine, "x").value();
  std::uint64_t last = 0;
  engine
      ->backup(folder_ / "copy.db", [&](auto, std::uint64_t done, std::uint64_t) { last = done; },
               {})
      .value();
  EXPECT_GT(last, 0U);
  EXPECT_EQ(notes(*open(kFirst, "copy.db").value()), 1);
  EXPECT_EQ(engine->backup(folder_ / "copy.db", [](auto, auto, auto) {}, {}).error().code(),
            ErrorCode::kAlreadyExists);
}

TEST_F(SqliteFileTest, ABackupThatIsStoppedLeavesNothing) {
  const auto engine = open().value();
  base::StopSource stop;
  stop.request_stop();
  EXPECT_FALSE(engine->backup(folder_ / "copy.db", [](auto, auto, auto) {}, stop.token()).ok());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "copy.db"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "copy.db.partial"));
}

TEST_F(SqliteFileTest, AStopEndsTheWaitForAnotherProcess) {
  {
    open().value();
  }
  auto holder = io::ProcessMutex::open(folder_ / "notes.db-lock").value();
  holder.lock({}).value();
  base::StopSource stop;
  std::optional<ErrorCode> answer;
  base::Thread waiter("waiter", [&](const base::StopToken&) {
    const auto url =
        DatabaseUrl::parse("sqlite:" + (folder_ / "notes.db").string(), folder_.path()).value();
    const auto opened = open_sqlite(url, {.migrations = kFirst}, clock_, stop.token());
    if (!opened.ok()) answer = opened.error().code();
  });
  stop.request_stop();
  waiter.join();
  EXPECT_EQ(answer, ErrorCode::kCancelled);
}

TEST_F(SqliteFileTest, ClosingDoesNotWaitForAProcessThatHoldsTheLock) {
  auto engine = open().value();
  auto holder = io::ProcessMutex::open(folder_ / "notes.db-lock").value();
  holder.lock({}).value();
  base::Monitor<std::optional<ErrorCode>> answer;
  UnitOfWork unit;
  unit.run("INSERT INTO note (text) VALUES ('x')");
  engine->submit(std::move(unit), [&](base::Result<Receipt> result) {
    answer.update([&](auto& held) { held = result.error().code(); });
  });
  engine.reset();
  EXPECT_EQ(answer.read([](const auto& held) { return held; }), ErrorCode::kCancelled);
}

}  // namespace
}  // namespace clever::storage
