// `db verify` names the row that other hands changed, whichever table and column it was.
#include "storage/row_verify.h"

#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "model/budget_events.h"
#include "model/change_events.h"
#include "model/decision_events.h"
#include "model/effect_events.h"
#include "storage/access.h"
#include "storage/audit_log.h"
#include "storage/budgets.h"
#include "storage/inbox.h"
#include "storage/journal_verify.h"
#include "storage/keys.h"
#include "storage/model_calls.h"
#include "storage/plan_test.h"
#include "storage/sqlite/sqlite_engine.h"

namespace clever::storage {
namespace {

using ::testing::IsEmpty;

void no_progress(std::string_view /*doing*/, std::uint64_t /*done*/, std::uint64_t /*all*/) {}

class RowVerifyTest : public testing::PlanTest {
 protected:
  // A plan with one of everything.
  void fill() {
    ASSERT_TRUE(Budgets(engine()).set_cap("day", {1'000'000, 1'000'000}).ok());
    testing::HeldPlan plan = create({.title = "busy", .project = "/p"});
    const model::DecisionRecorded decision{.id = world().next<model::DecisionId>(),
                                           .question = "q"};
    const model::EffectRequested effect{.id = world().next<model::EffectId>(), .kind = "tool.run"};
    const auto changeset = world().next<model::ChangesetId>();
    const model::ChangeEntry entry{
        .path = "a",
        .operation = model::ChangeOperation::kCreate,
        .after = model::FileState{0100644, base::sha256("x"), std::string(40, 'a')}};
    append(plan, {decision.to_event(), effect.to_event().value(),
                  model::BudgetReserved{{"day"}, {60, 6}}.to_event(),
                  model::ChangesetStarted{changeset, {}}.to_event(),
                  model::ChangesRecorded{changeset, {entry}}.to_event()});
    send_commands(plan);
    UnitOfWork trace;
    trace.add(ModelCalls::record({.plan = plan.id, .provider = "p", .model = "m", .cost = 5}));
    ASSERT_TRUE(engine().commit(std::move(trace)).ok());
    give_rights();
  }

  base::Result<RowVerdict> verify(Engine& engine) {
    return RowVerify(engine, clock()).verify(no_progress);
  }

 private:
  void give_rights() {
    AuditLog log(engine(), clock());
    const model::Timestamp now = model::to_timestamp(1'000'000);
    ASSERT_TRUE(log.append({.action = "person.add"}, Access::add_person("ada", now)).ok());
    const AccessToken token{.id = world().next<TokenId>(),
                            .person = "ada",
                            .rights = {"read"},
                            .namespaces = {"a"},
                            .created = now,
                            .expires = now};
    ASSERT_TRUE(
        log.append({.action = "token.create"}, Access::add_token(token, base::sha256("t"))).ok());
  }

  // One that is answered, by an event with contents, and one that waits.
  void send_commands(testing::HeldPlan& plan) {
    Inbox inbox(engine());
    const auto sent = inbox.send(plan.id, "first", "a command").value();
    ASSERT_TRUE(inbox.send(plan.id, "second", "another").ok());
    Append answer = make_append(plan, {testing::note("answered")});
    for (const std::size_t size : {std::size_t{20}, std::size_t{20'000}}) {
      Body body = Body::of(std::string(size, 'b'));
      answer.events.back().bodies.push_back(body.hash);
      answer.bodies.push_back(std::move(body));
    }
    answer.consumed.push_back({sent.id, "a receipt"});
    plan.head = journal().append(std::move(answer)).value();
  }
};
CLEVER_ALL_ENGINES(RowVerifyTest);

TEST_P(RowVerifyTest, WhatThisProgramWroteIsSound) {
  ASSERT_NO_FATAL_FAILURE(fill());
  const auto verdict = verify(engine());
  ASSERT_TRUE(verdict.ok()) << verdict.error().sentence();
  EXPECT_THAT(verdict->faults, IsEmpty()) << verdict->faults.front().to_string();
  EXPECT_GT(verdict->rows, 8U);
}

TEST_P(RowVerifyTest, AnEditIsNamedByTableAndRow) {
  ASSERT_NO_FATAL_FAILURE(fill());
  edit("UPDATE inbox SET body = $1 WHERE consumed IS NULL", Blob{"other words"});
  edit("UPDATE model_call SET cost = 4");
  edit("UPDATE budget_reservation SET money = 1");
  std::set<std::string> tables;
  for (const RowFault& fault : verify(engine())->faults) tables.insert(fault.table);
  EXPECT_EQ(tables, (std::set<std::string>{"inbox", "model_call", "budget_reservation"}));
}

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

// Where an edit decides nothing, and why.
const std::map<std::string, std::string>& harmless() {
  static const std::map<std::string, std::string> kColumns{
      {"event.position", "the order over all plans, which nothing follows"},
      {"body.id", "contents are found by their hash"},
      {"inbox.received", "shown to people"},
      {"model_call.id", "the order in which calls are listed"},
      {"budget.overrun", "has no digest: each overrun counts it up"},
      {"lease.owner", "who may append is decided by the epoch"},
      {"lease.host", "as the owner"},
      {"lease.boot", "as the owner"},
      {"lease.expires", "as the owner"},
      {"lease.home", "a home without the plan's files does not drive it"},
      {"lease.home_folder", "shown to people"},
      {"access_token.used", "shown to people"},
  };
  return kColumns;
}

const std::vector<std::string>& verified_tables() {
  static const std::vector<std::string> kTables{
      "journal",   "event",        "body",       "event_body", "effect",       "inbox",
      "lease",     "plan",         "decision",   "budget",     "budget_entry", "budget_reservation",
      "changeset", "change_entry", "model_call", "person",     "access_token", "audit",
      "audit_head"};
  return kTables;
}

struct Edit {
  std::string column;  // "table.column"
  std::string text;
};

std::string other_value(const std::string& column, const std::string& type) {
  if (type == "INTEGER") return "COALESCE(" + column + ", 0) + 1000";
  if (type == "REAL") return "COALESCE(" + column + ", 0.0) + 1.0";
  if (type == "TEXT") return "COALESCE(" + column + ", '') || 'x'";
  return "CAST('0123456789abcdef' AS BLOB)";
}

std::vector<Edit> edits_of(RawDatabase& database, const std::string& table) {
  const auto columns = database.run("PRAGMA table_info(" + table + ")");
  std::string keys;
  for (const auto& column : columns) {
    if (column[5] != "0") keys += (keys.empty() ? "" : ", ") + column[1];
  }
  std::vector<Edit> edits;
  for (const auto& column : columns) {
    edits.push_back({table + "." + column[1], "UPDATE " + table + " SET " + column[1] + " = " +
                                                  other_value(column[1], column[2]) + " WHERE (" +
                                                  keys + ") = (SELECT " + keys + " FROM " + table +
                                                  " ORDER BY " + keys + " LIMIT 1)"});
  }
  return edits;
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

TEST_P(HandEditTest, EveryColumnIsVerifiedOrHarmless) {
  ASSERT_NO_FATAL_FAILURE(fill());
  const test::TemporaryDirectory folder;
  ASSERT_TRUE(engine().backup(folder / "sound.db", no_progress, {}).ok());
  std::vector<Edit> edits;
  {
    RawDatabase sound(folder / "sound.db");
    for (const std::string& table : verified_tables()) {
      ASSERT_NE(sound.run("SELECT count(*) FROM " + table)[0][0], "0") << table;
      std::ranges::move(edits_of(sound, table), std::back_inserter(edits));
    }
  }
  EXPECT_GT(edits.size(), 100U);
  for (const Edit& edit : edits) {
    const auto copy = folder / "edited.db";
    std::filesystem::copy_file(folder / "sound.db", copy,
                               std::filesystem::copy_options::overwrite_existing);
    RawDatabase(copy).run(edit.text);
    const auto url = DatabaseUrl::parse("sqlite:" + copy.string(), folder.path()).value();
    const auto engine = open_sqlite(url, {}, clock()).value();
    const std::string table = edit.column.substr(0, edit.column.find('.'));
    EXPECT_EQ(is_seen(*engine, table), !harmless().contains(edit.column)) << edit.text;
  }
}

}  // namespace
}  // namespace clever::storage
