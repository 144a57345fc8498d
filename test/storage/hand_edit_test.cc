// `db verify` names the row that other hands changed or deleted, whichever table and column it was.
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

#include "storage/journal_verify.h"
#include "storage/migration.h"
#include "storage/row_verify_world.h"
#include "storage/schema_covers.h"
#include "storage/sqlite/sqlite_engine.h"

namespace clever::storage {
namespace {

/// A database file in other hands.
class RawDatabase {
 public:
  explicit RawDatabase(const std::filesystem::path& file) {
    if (sqlite3_open(file.c_str(), &handle_) != SQLITE_OK) std::abort();
  }
  ~RawDatabase() { sqlite3_close(handle_); }
  RawDatabase(const RawDatabase&) = delete;
  RawDatabase& operator=(const RawDatabase&) = delete;

  using Line = std::vector<std::string>;
  std::vector<Line> run(const std::string& text) {
    std::vector<Line> lines;
    const auto collect = [](void* to, int count, char** values, char**) {
      Line line;
      for (int i = 0; i < count; ++i) line.emplace_back(values[i] == nullptr ? "" : values[i]);
      static_cast<std::vector<Line>*>(to)->push_back(std::move(line));
      return 0;
    };
    char* error = nullptr;
    EXPECT_EQ(sqlite3_exec(handle_, text.c_str(), collect, &lines, &error), SQLITE_OK)
        << text << ": " << (error == nullptr ? "" : error);
    sqlite3_free(error);
    return lines;
  }

 private:
  sqlite3* handle_ = nullptr;
};

struct Edit {
  std::string table;
  // Empty: a row is deleted.
  std::string column{};
  std::string text{};
};

std::string other_value(const std::string& column, const std::string& type) {
  if (type == "INTEGER") return "COALESCE(" + column + ", 0) + 1000";
  if (type == "REAL") return "COALESCE(" + column + ", 0.0) + 1.0";
  if (type == "TEXT") return "COALESCE(" + column + ", '') || 'x'";
  return "CAST('0123456789abcdef' AS BLOB)";
}

// Of every row: another value in each of its columns, and its end.
std::vector<Edit> edits_of(RawDatabase& database, const std::string& table) {
  const auto columns = database.run("PRAGMA table_info(" + table + ")");
  std::string keys;
  for (const auto& column : columns) {
    if (column[5] != "0") keys += (keys.empty() ? "" : ", ") + column[1];
  }
  const int rows = std::stoi(database.run("SELECT count(*) FROM " + table)[0][0]);
  EXPECT_GT(rows, 0) << table;
  std::vector<Edit> edits;
  for (int row = 0; row < rows; ++row) {
    const std::string where = " WHERE (" + keys + ") = (SELECT " + keys + " FROM " + table +
                              " ORDER BY " + keys + " LIMIT 1 OFFSET " + std::to_string(row) + ")";
    for (const auto& column : columns) {
      edits.push_back({table, column[1],
                       "UPDATE " + table + " SET " + column[1] + " = " +
                           other_value(column[1], column[2]) + where});
    }
    edits.push_back({table, "", "DELETE FROM " + table + where});
  }
  return edits;
}

bool is_due(const Edit& edit) {
  if (edit.column.empty()) return table_covers().at(edit.table).deletions_unseen.empty();
  return !uncovered_columns().contains(edit.table + "." + edit.column);
}

class HandEditTest : public RowVerifyTest {
 protected:
  // Whether something is said about that table.
  bool is_seen(Engine& engine, const std::string& table) {
    const auto integrity = engine.check_integrity(no_progress, {});
    const auto journals = JournalVerify(engine).verify_all(no_progress).value();
    const auto rows = verify(engine);
    EXPECT_TRUE(rows.ok()) << rows.error().sentence();
    const bool named = std::ranges::any_of(
        rows->faults, [&](const RowFault& fault) { return fault.table == table; });
    return !integrity.ok() || !journals.sound() || named;
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, HandEditTest, ::testing::Values(testing::EngineKind::kFile));

TEST_P(HandEditTest, EveryTableIsCoveredOrSaysWhyNot) {
  const test::TemporaryDirectory folder;
  ASSERT_TRUE(engine().backup(folder / "sound.db", no_progress, {}).ok());
  RawDatabase sound(folder / "sound.db");
  std::map<std::string, bool> found;
  for (const auto& line : sound.run("SELECT name FROM sqlite_schema WHERE type = 'table'")) {
    found.emplace(line[0], true);
    EXPECT_TRUE(table_covers().contains(line[0])) << line[0] << ": add it to schema_covers.h";
  }
  for (const auto& [table, cover] : table_covers()) {
    EXPECT_TRUE(found.contains(table)) << table << " is no table";
    EXPECT_FALSE(cover.by.empty() && cover.deletions_unseen.empty()) << table;
  }
}

TEST_P(HandEditTest, EveryEditAndDeletionIsNamed) {
  ASSERT_NO_FATAL_FAILURE(fill());
  const test::TemporaryDirectory folder;
  ASSERT_TRUE(engine().backup(folder / "sound.db", no_progress, {}).ok());
  std::vector<Edit> edits;
  {
    RawDatabase sound(folder / "sound.db");
    for (const auto& [table, cover] : table_covers()) {
      if (!cover.by.empty()) std::ranges::move(edits_of(sound, table), std::back_inserter(edits));
    }
  }
  EXPECT_GT(edits.size(), 200U);
  for (const Edit& edit : edits) {
    const auto copy = folder / "edited.db";
    std::filesystem::copy_file(folder / "sound.db", copy,
                               std::filesystem::copy_options::overwrite_existing);
    RawDatabase(copy).run(edit.text);
    const auto url = DatabaseUrl::parse("sqlite:" + copy.string(), folder.path()).value();
    const auto engine = open_sqlite(url, {}, clock()).value();
    EXPECT_EQ(is_seen(*engine, edit.table), is_due(edit)) << edit.text;
  }
}

// Rows that were written before there were digests and seals.
class OldHomeTest : public RowVerifyTest {
 protected:
  static constexpr std::size_t kBefore = 8;

  static UnitOfWork old_rows(const model::PlanId& plan) {
    UnitOfWork unit;
    unit.run(
        "INSERT INTO lease (name, epoch, owner, host, boot, expires, home, home_folder) "
        "VALUES ($1, 4, NULL, 'h', 'b', 0, 'here', '/home')",
        plan_name(plan));
    unit.run("INSERT INTO journal (plan, sequence, hash, epoch) VALUES ($1, 0, $2, 4)",
             to_blob(plan), to_blob(base::Sha256Digest()));
    unit.run(
        "INSERT INTO inbox (plan, key, fingerprint, body, received) VALUES ($1, 'k', $2, $3, 1)",
        to_blob(plan), to_blob(base::sha256("words")), Blob{"words"});
    unit.run(
        "INSERT INTO model_call (plan, provider, model, started, latency, waited, retries, "
        "input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, attributes) "
        "VALUES ($1, 'p', 'm', 1, 1, 0, 0, 1, 1, 0, 0, '{}')",
        to_blob(plan));
    unit.run(
        "INSERT INTO budget (scope, cap, reserved, spent, overrun) VALUES ('day', 9, 0, 0, 2)");
    unit.run("INSERT INTO rate_lane (lane, paused, leases) VALUES ('l', 0, 0)");
    unit.run(
        "INSERT INTO rate_limit (lane, unit, amount, span, pace, grace, next) "
        "VALUES ('l', 1, 2, 3, 4, 5, 6)");
    unit.run(
        "INSERT INTO workspace (id, plan, epoch, owner, host, boot, state, dirty, base, "
        "checkpoint, version, reason, created, updated) "
        "VALUES ($1, $1, 4, $1, 'h', 'b', 'committed', 0, 'a', 'b', 2, '', 1, 1)",
        to_blob(plan));
    return unit;
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, OldHomeTest, ::testing::Values(testing::EngineKind::kFile));

TEST_P(OldHomeTest, IsNotReportedAndItsDeletionsAre) {
  const test::TemporaryDirectory folder;
  const auto url = DatabaseUrl::parse("sqlite:" + (folder / "old.db").string(), "/").value();
  {
    const auto old = open_sqlite(url, {.migrations = schema().first(kBefore)}, clock()).value();
    ASSERT_TRUE(old->commit(old_rows(world().next<model::PlanId>())).ok());
  }
  const auto engine = open_sqlite(url, {}, clock()).value();
  const auto found = verify(*engine);
  ASSERT_TRUE(found.ok()) << found.error().sentence();
  EXPECT_TRUE(found->faults.empty()) << found->faults.front().to_string();
  EXPECT_GT(found->rows, 4U);
  for (const Sql& deletion : {Sql("DELETE FROM inbox"), Sql("DELETE FROM model_call"),
                              Sql("DELETE FROM budget"), Sql("DELETE FROM journal")}) {
    const std::size_t before = verify(*engine)->faults.size();
    UnitOfWork unit;
    unit.run(deletion);
    ASSERT_TRUE(engine->commit(std::move(unit)).ok());
    EXPECT_GT(verify(*engine)->faults.size(), before) << deletion.sqlite();
  }
}

}  // namespace
}  // namespace clever::storage
