#include "service/commands/db.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/commands/commands.h"
#include "cli/words.h"
#include "storage/bodies.h"
#include "storage/keys.h"
#include "support/child_process.h"
#include "support/cli_run.h"

namespace clever::cli {
namespace {

using storage::DatabaseUrl;
using test::CliRun;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class DbCommandTest : public testing::Test {
 protected:
  int run(std::vector<std::string> words) {
    words.insert(words.begin(), "db");
    return cli_.run(words);
  }
  [[nodiscard]] std::filesystem::path file() const { return cli_.home() / "cleveragents.db"; }
  std::shared_ptr<storage::Engine> open(std::size_t steps = storage::schema().size()) {
    const storage::EngineOptions options{.migrations = storage::schema().first(steps)};
    return cli_.databases().open(DatabaseUrl::file(file()), options, {}).value();
  }
  template <class... Parameters>
  void edit(storage::Sql sql, Parameters&&... parameters) {
    storage::UnitOfWork unit;
    unit.run(sql, std::forward<Parameters>(parameters)...);
    open()->commit(std::move(unit)).value();
  }
  void store_unused(std::string content) {
    storage::UnitOfWork unit;
    storage::Bodies::put(unit, storage::Body::of(std::move(content)));
    open()->commit(std::move(unit)).value();
  }
  std::int64_t number(storage::Sql sql) { return open()->query(sql).value()[0].integer(0); }

  CliRun cli_;
};

TEST_F(DbCommandTest, StatusOfADatabaseThatDoesNotExistCreatesNothing) {
  EXPECT_EQ(run({"status"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("schema: none yet; `agents db migrate` makes it\n"));
  EXPECT_FALSE(std::filesystem::exists(cli_.home()));
}

TEST_F(DbCommandTest, StatusShowsVersionSizeAndContent) {
  EXPECT_EQ(run({"migrate"}), 0);
  EXPECT_EQ(run({"status"}), 0);
  EXPECT_THAT(cli_.output,
              AllOf(StartsWith("database: sqlite:" + file().string() + "\nengine: SQLite 3."),
                    HasSubstr("schema: 14, the newest this program knows\n"), HasSubstr("size: 2"),
                    HasSubstr("plans: 0\nevents: 0\njobs: 0\nleases held: 0\n"),
                    HasSubstr("journal mode: wal\nsynchronous: full\n")));
  EXPECT_EQ(run({"status", "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr(R"("exists":true,"engine":"SQLite)"));
  EXPECT_THAT(cli_.output, HasSubstr(R"("schema_version":14,"newest_schema_version":14,)"));
}

TEST_F(DbCommandTest, StatusLeavesAnOldSchemaAsItIs) {
  open(1);
  EXPECT_EQ(run({"status"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("schema: 1, to be upgraded to 14 (`agents db migrate`)\n"));
  EXPECT_THAT(cli_.output, Not(HasSubstr("plans:")));
  EXPECT_EQ(run({"status", "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr(R"("schema_version":1,)"));
}

TEST_F(DbCommandTest, StatusOfOneInMemory) {
  EXPECT_EQ(run({"status", "--database", "sqlite::memory:"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("schema: none: it begins and ends with each program\n"));
}

TEST_F(DbCommandTest, TheOthersRefuseOneInMemory) {
  for (const char* command : {"migrate", "verify", "rebuild", "vacuum"}) {
    EXPECT_EQ(run({command, "--database", "sqlite::memory:"}), 1) << command;
    EXPECT_THAT(cli_.error_output, HasSubstr("set database.url to a file or a server\n"));
  }
}

TEST_F(DbCommandTest, MigrateSaysFromWhereToWhere) {
  EXPECT_EQ(run({"migrate"}), 0);
  EXPECT_EQ(cli_.output,
            "upgraded the schema from version 0 to 14\n  1 journal\n  2 jobs\n  3 projections\n"
            "  4 providers\n  5 sandboxes\n  6 uncounted\n  7 leaner\n"
            "  8 homes\n  9 digests\n  10 access\n  11 seals\n  12 tombstones\n  13 workers\n  14 "
            "sessions\n");
  EXPECT_EQ(run({"migrate"}), 0);
  EXPECT_EQ(cli_.output, "nothing to do: schema version 14 is the newest this program knows\n");
}

TEST_F(DbCommandTest, MigrateUpgradesAnOldSchema) {
  open(2);
  EXPECT_EQ(run({"migrate", "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr(R"("from":2,"to":14,"dry_run":false,)"
                                     R"("steps":[{"version":3,"name":"projections"},)"
                                     R"({"version":4,"name":"providers"},)"
                                     R"({"version":5,"name":"sandboxes"},)"
                                     R"({"version":6,"name":"uncounted"},)"
                                     R"({"version":7,"name":"leaner"},)"
                                     R"({"version":8,"name":"homes"},)"
                                     R"({"version":9,"name":"digests"},)"
                                     R"({"version":10,"name":"access"},)"
                                     R"({"version":11,"name":"seals"},)"
                                     R"({"version":12,"name":"tombstones"},)"
                                     R"({"version":13,"name":"workers"},)"
                                     R"({"version":14,"name":"sessions"}])"));
  EXPECT_EQ(number("SELECT count(*) FROM plan"), 0);
}

TEST_F(DbCommandTest, ADryRunDoesNothing) {
  EXPECT_EQ(run({"migrate", "--dry-run"}), 0);
  EXPECT_THAT(cli_.output, StartsWith("would upgrade the schema from version 0 to 14\n"));
  EXPECT_FALSE(std::filesystem::exists(cli_.home()));
  open(2);
  EXPECT_EQ(run({"migrate", "--dry-run"}), 0);
  EXPECT_EQ(cli_.output,
            "would upgrade the schema from version 2 to 14\n  3 projections\n  4 providers\n"
            "  5 sandboxes\n  6 uncounted\n  7 leaner\n"
            "  8 homes\n  9 digests\n  10 access\n  11 seals\n  12 tombstones\n  13 workers\n  14 "
            "sessions\n");
  EXPECT_EQ(run({"migrate", "--dry-run"}), 0);
  EXPECT_THAT(cli_.output, StartsWith("would upgrade the schema from version 2 to 14\n"));
}

TEST_F(DbCommandTest, ANewerSchemaIsAConflictAndShown) {
  run({"migrate"});
  edit("INSERT INTO schema_migration VALUES (15, 'future', 'x', 0)");
  EXPECT_EQ(run({"status"}), 0);
  EXPECT_THAT(cli_.output,
              HasSubstr("schema: 15, newer than this program, which knows up to 14\n"));
  EXPECT_THAT(cli_.error_output, HasSubstr("warning: the database has schema version 15"));
  for (const char* command : {"migrate", "verify", "rebuild", "vacuum"}) {
    EXPECT_EQ(run({command}), 4) << command;
    EXPECT_THAT(cli_.error_output, HasSubstr("use the newer agents\n"));
  }
}

TEST_F(DbCommandTest, OnlyMigrateMakesADatabase) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"verify"}, {"rebuild"}, {"vacuum"}, {"backup", "b.db"}}) {
    EXPECT_EQ(run(words), 3) << words[0];
    EXPECT_THAT(cli_.error_output, HasSubstr("error: no database exists yet"));
    EXPECT_THAT(cli_.error_output, HasSubstr("hint: `agents db migrate` creates it"));
  }
  EXPECT_FALSE(std::filesystem::exists(cli_.home()));
}

TEST_F(DbCommandTest, VerifyIsContentWithASoundOne) {
  run({"migrate"});
  store_unused("something");
  EXPECT_EQ(run({"verify"}), 0);
  EXPECT_EQ(cli_.output,
            "ok   database/integrity: pages, indexes and references\n"
            "ok   database/journal: 0 plans, 0 events, 1 content\n"
            "ok   database/rows: 0 rows\n");
  EXPECT_THAT(cli_.error_output, IsEmpty());
}

TEST_F(DbCommandTest, VerifyDoesNotUpgrade) {
  open(1);
  EXPECT_EQ(run({"verify"}), 0);
  EXPECT_EQ(run({"status"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("schema: 1, to be upgraded to 14"));
}

TEST_F(DbCommandTest, VerifyListsFaultsAndFails) {
  run({"migrate"});
  store_unused("something");
  edit("UPDATE body SET content = $1", storage::Blob{"something else"});
  EXPECT_EQ(run({"verify"}), 1);
  EXPECT_THAT(cli_.output,
              HasSubstr("fail database/journal: 0 plans, 0 events, 1 content: 1 fault\n"));
  EXPECT_THAT(cli_.output, HasSubstr("fail database/fault: contents: the content stored under"));
  EXPECT_THAT(cli_.error_output,
              HasSubstr("is damaged: 1 fault\nhint: if it is the right file: end"));
  EXPECT_EQ(run({"verify", "--format", "json"}), 1);
  EXPECT_THAT(cli_.output, HasSubstr(R"("status":"error","exit_code":1,"data":{"sound":false,)"));
  EXPECT_THAT(cli_.output, HasSubstr(R"("faults":[{"kind":"journal","what":"the content stored)"));
}

TEST_F(DbCommandTest, VerifyNamesThePlanAndTheEvent) {
  run({"migrate"});
  const storage::Blob plan{std::string(16, '\x01')};
  edit("INSERT INTO journal VALUES ($1, 1, $2, 1)", plan, storage::Blob{std::string(32, '\0')});
  edit(
      "INSERT INTO event (plan, sequence, kind, version, epoch, time, data, hash) "
      "VALUES ($1, 1, 'note', 1, 1, 0, $2, $3)",
      plan, storage::Blob{"{}"}, storage::Blob{std::string(32, '\0')});
  EXPECT_EQ(run({"verify", "--format", "json"}), 1);
  EXPECT_THAT(cli_.output, HasSubstr(R"("plans":1,"events":1,"bodies":0,)"));
  EXPECT_THAT(cli_.output, HasSubstr(R"("plan":"0)"));
  EXPECT_THAT(cli_.output, HasSubstr(R"("event":1})"));
}

TEST_F(DbCommandTest, VerifyFindsDamagedPages) {
  run({"migrate"});
  store_unused(std::string(100'000, 'x'));
  std::string bytes = cli_.folder().read("home/cleveragents.db");
  // The middle of a page of an index, behind the tables' first pages.
  for (std::size_t at = bytes.size() / 2; at < bytes.size(); ++at) bytes[at] = '\x55';
  cli_.folder().write("home/cleveragents.db", bytes);
  EXPECT_EQ(run({"verify"}), 1);
  EXPECT_THAT(cli_.error_output, HasSubstr("end all agents, move it aside"));
}

TEST_F(DbCommandTest, RebuildMakesTablesAgain) {
  run({"migrate"});
  edit("INSERT INTO plan VALUES ($1, NULL, 't', 'a', 'p', 'action', 'queued', 0, 0, 0, 0, 1)",
       storage::Blob{std::string(16, '\x01')});
  EXPECT_EQ(run({"rebuild"}), 0);
  EXPECT_EQ(cli_.output, "rebuilt 0 plans from 0 events\n");
  EXPECT_EQ(number("SELECT count(*) FROM plan"), 0);
}

TEST_F(DbCommandTest, BackupIsADatabaseAndReplacesNothing) {
  run({"migrate"});
  EXPECT_EQ(run({"backup", "copy.db"}), 0);
  EXPECT_EQ(cli_.output, "backed up sqlite:" + file().string() + " to " +
                             (cli_.work() / "copy.db").string() + " (248 KiB, checked)\n");
  EXPECT_EQ(run({"verify", "--database", "sqlite:copy.db"}), 0);
  EXPECT_EQ(run({"backup", "copy.db"}), 4);
  EXPECT_THAT(cli_.error_output,
              HasSubstr("copy.db exists already; name a new file for the backup"));
}

TEST_F(DbCommandTest, BackupNeedsAFileName) {
  EXPECT_EQ(run({"backup"}), 2);
  EXPECT_THAT(cli_.error_output, HasSubstr("usage: agents db backup FILE"));
}

TEST_F(DbCommandTest, VacuumRemovesUnusedPayloadsAndFreesTheirSpace) {
  run({"migrate"});
  store_unused(std::string(1'000'000, 'x'));
  EXPECT_EQ(run({"vacuum"}), 0);
  EXPECT_THAT(cli_.output, AllOf(StartsWith("before: 1.2 MiB\nafter: 2"),
                                 HasSubstr("KiB\nremoved: 1 unused content, 977 KiB\n")));
  EXPECT_LT(std::filesystem::file_size(file()), 300'000U);
  EXPECT_EQ(number("SELECT count(*) FROM body"), 0);
}

TEST_F(DbCommandTest, SynchronousIsASetting) {
  run({"migrate"});
  EXPECT_EQ(cli_.databases().last_options.synchronous, storage::Synchronous::kFull);
  EXPECT_EQ(cli_.run({"config", "set", "database.synchronous", "normal"}), 0);
  run({"migrate"});
  EXPECT_EQ(cli_.databases().last_options.synchronous, storage::Synchronous::kNormal);
  run({"status"});
  EXPECT_THAT(cli_.output, HasSubstr("synchronous: normal\n"));
  EXPECT_EQ(cli_.run({"config", "set", "database.synchronous", "off"}), 2);
}

TEST_F(DbCommandTest, AnInvalidUrlIsAUsageError) {
  EXPECT_EQ(run({"status", "--database", "mysql://me:hunter2@db"}), 2);
  EXPECT_THAT(cli_.error_output, StartsWith("error: --database: the database URL is neither"));
  EXPECT_THAT(cli_.error_output, HasSubstr("usage: agents db status"));
  EXPECT_THAT(cli_.error_output, Not(HasSubstr("hunter2")));
}

TEST_F(DbCommandTest, AWrongUrlInTheSettingsIsNotTheCommandLinesFault) {
  cli_.set("CLEVERAGENTS_DATABASE_URL", "mysql://me:hunter2@db");
  EXPECT_EQ(run({"status"}), 1);
  EXPECT_THAT(cli_.error_output, StartsWith("error: database.url: the database URL is neither"));
  EXPECT_THAT(cli_.error_output, Not(AllOf(HasSubstr("usage:"), HasSubstr("hunter2"))));
}

TEST_F(DbCommandTest, BrokenSettingsStopIt) {
  cli_.folder().write("home/config.toml", "oops\n");
  EXPECT_EQ(run({"status"}), 1);
  EXPECT_THAT(cli_.error_output, HasSubstr("config.toml:1"));
}

TEST_F(DbCommandTest, SaysWhatIsWrongWithAFile) {
  const auto complaint = [&](const std::string& name) {
    EXPECT_EQ(run({"status", "--database", "sqlite:" + (cli_.folder() / name).string()}), 1);
    const std::string seen = cli_.error_output;
    EXPECT_EQ(run({"migrate", "--database", "sqlite:" + (cli_.folder() / name).string()}), 1);
    EXPECT_EQ(cli_.error_output, seen);
    return seen;
  };
  EXPECT_THAT(complaint("work"),
              HasSubstr("it is a folder; the database needs the path of a file"));
  const std::string garbage(4096, 'x');
  cli_.folder().write("garbage.db", garbage);
  EXPECT_THAT(complaint("garbage.db"),
              AllOf(HasSubstr("it is no database"), HasSubstr("put a backup in its place")));
  EXPECT_EQ(cli_.folder().read("garbage.db"), garbage);
}

TEST_F(DbCommandTest, ANewFileIsDistinguishedFromOurSchema) {
  cli_.folder().write("empty.db", "");
  EXPECT_EQ(run({"status", "--database", "sqlite:" + (cli_.folder() / "empty.db").string()}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("schema: none yet"));
  EXPECT_THAT(cli_.folder().names(), ElementsAre("empty.db", "work"));
}

TEST_F(DbCommandTest, AFileOutOfReachIsExplained) {
  run({"migrate"});
  std::filesystem::permissions(file(), std::filesystem::perms::none);
  std::filesystem::permissions(cli_.folder().path(), std::filesystem::perms{0755});
  std::filesystem::permissions(cli_.home(), std::filesystem::perms{0755});
  EXPECT_EQ(
      test::in_unprivileged_child([&] {
        const int code = run({"status"});
        return code == 1 && cli_.error_output.find("hint: make the file and its folder readable") !=
                                std::string::npos
                   ? 1
                   : 0;
      }),
      1);
}

TEST_F(DbCommandTest, AServerThatIsNotThereIsExplained) {
  // The discard port of the loopback interface: reserved, and nothing listens there.
  EXPECT_EQ(run({"status", "--database", "postgresql://me:hunter2@127.0.0.1:9/x"}), 1);
  EXPECT_THAT(cli_.error_output, HasSubstr("connecting to postgresql://me@127.0.0.1:9/x: "));
  EXPECT_THAT(cli_.error_output,
              HasSubstr("hint: check that the server runs and that database.url is right"));
  EXPECT_THAT(cli_.error_output, Not(HasSubstr("hunter2")));
}

TEST_F(DbCommandTest, AnInterruptionEndsItAndSaysSo) {
  run({"migrate"});
  cli_.stop.request_stop();
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"verify"}, {"rebuild"}, {"vacuum"}, {"backup", "b.db"}}) {
    EXPECT_EQ(run(words), 1) << words[0];
    EXPECT_THAT(cli_.error_output, HasSubstr("hint: the database is intact; run the command"));
  }
  EXPECT_FALSE(std::filesystem::exists(cli_.work() / "b.db"));
}

TEST_F(DbCommandTest, ProgressIsShownAtATerminalAlone) {
  run({"migrate"});
  run({"verify"});
  EXPECT_THAT(cli_.error_output, IsEmpty());
  cli_.console.error_is_terminal = true;
  run({"verify"});
  EXPECT_THAT(cli_.error_output, HasSubstr("\rchecking table access_token: 0 % (0 of "));
  EXPECT_THAT(cli_.error_output, testing::EndsWith(" \r"));
  run({"verify", "--format", "json"});
  EXPECT_THAT(cli_.error_output, IsEmpty());
  run({"verify", "--quiet"});
  EXPECT_THAT(cli_.error_output, IsEmpty());
}

TEST(DbTextTest, CuresFitTheDatabase) {
  using base::ErrorCode;
  const auto file = DatabaseUrl::file("/x.db");
  const auto server = DatabaseUrl::parse("postgresql://h/x", "/").value();
  EXPECT_THAT(service::cure(ErrorCode::kNotFound, file), HasSubstr("agents db migrate"));
  EXPECT_THAT(service::cure(ErrorCode::kNotFound, server), HasSubstr("createdb"));
  EXPECT_THAT(service::cure(ErrorCode::kPermissionDenied, server), HasSubstr("password"));
  EXPECT_THAT(service::cure(ErrorCode::kCorruption, server), HasSubstr("pg_restore"));
  EXPECT_THAT(service::cure(ErrorCode::kResourceExhausted, file),
              HasSubstr("free some disk space"));
  EXPECT_THAT(service::cure(ErrorCode::kConflict, file), IsEmpty());
  EXPECT_THAT(service::cure(ErrorCode::kConflict, server), IsEmpty());
}

TEST(DbTextTest, NumbersAreGrouped) {
  EXPECT_EQ(service::grouped(0), "0");
  EXPECT_EQ(service::grouped(999), "999");
  EXPECT_EQ(service::grouped(1000), "1,000");
  EXPECT_EQ(service::grouped(1234567), "1,234,567");
  EXPECT_EQ(service::counted(1, "plan"), "1 plan");
  EXPECT_EQ(service::counted(1200, "plan"), "1,200 plans");
}

}  // namespace
}  // namespace clever::cli
