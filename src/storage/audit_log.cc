#include "storage/audit_log.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "base/utf8.h"
#include "storage/keys.h"
#include "storage/row_digest.h"

namespace clever::storage {
namespace {

constexpr std::size_t kLongestText = 1000;
constexpr std::size_t kEntriesAtOnce = 500;
// Each failed try means that another writer succeeded.
constexpr int kMostTries = 1000;

constexpr Refusal kMovedOn{base::ErrorCode::kConflict, "the audit log moved on"};

std::string column_text(std::string_view text) {
  std::string valid = base::to_valid_utf8(base::utf8_prefix(text, kLongestText));
  std::erase(valid, '\0');
  return valid;
}

Blob chained_hash(const std::string& previous, const AuditEntry& entry) {
  return row_digest(std::array<Value, 8>{Blob{previous}, entry.sequence,
                                         model::to_microseconds(entry.time), entry.caller,
                                         entry.action, entry.target, entry.outcome, entry.detail});
}

AuditEntry audit_entry(const Row& row) {
  return {.sequence = row.integer(0),
          .time = model::to_timestamp(row.integer(1)),
          .caller = row.text(2),
          .action = row.text(3),
          .target = row.text(4),
          .outcome = row.text(5),
          .detail = row.text(6)};
}

struct Last {
  std::int64_t sequence = 0;
  std::string hash{};
};

constexpr Sql kLast =
    "SELECT h.sequence, a.hash FROM audit_head h LEFT JOIN audit a ON a.sequence = h.sequence "
    "WHERE h.id = 1";
constexpr Sql kEntries =
    "SELECT sequence, time, caller, action, target, outcome, detail, hash FROM audit "
    "WHERE sequence > $1 ORDER BY sequence LIMIT $2";

}  // namespace

base::Result<AuditEntry> AuditLog::append(AuditEntry entry, const UnitOfWork& with,
                                          const base::StopToken& stop, base::Deadline deadline) {
  entry.caller = column_text(entry.caller);
  entry.action = column_text(entry.action);
  entry.target = column_text(entry.target);
  entry.outcome = column_text(entry.outcome);
  entry.detail = column_text(entry.detail);
  entry.time = std::chrono::time_point_cast<std::chrono::microseconds>(clock_.wall_now());
  for (int tries = 0; tries < kMostTries; ++tries) {
    CLEVER_ASSIGN(const Rows rows, engine_.query(statement(kLast), stop, deadline));
    if (rows.empty()) return base::corruption("the audit log has lost its head");
    const Last last{rows[0].integer(0), rows[0].is_null(1) ? "" : rows[0].blob(1)};
    entry.sequence = last.sequence + 1;
    UnitOfWork unit;
    unit.require(1, kMovedOn, "UPDATE audit_head SET sequence = $2 WHERE id = 1 AND sequence = $1",
                 last.sequence, entry.sequence);
    unit.run(
        "INSERT INTO audit (sequence, time, caller, action, target, outcome, detail, hash) "
        "VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        entry.sequence, model::to_microseconds(entry.time), entry.caller, entry.action,
        entry.target, entry.outcome, entry.detail, chained_hash(last.hash, entry));
    for (const Statement& each : with.statements()) unit.add(each);
    for (const std::string& topic : with.topics()) unit.notify(topic);
    auto receipt = engine_.commit(std::move(unit), stop, deadline);
    if (receipt.ok()) return entry;
    const bool moved_on = receipt.error().code() == kMovedOn.code &&
                          receipt.error().message().contains(kMovedOn.message);
    if (!moved_on) return receipt.error();
  }
  return base::unavailable("the audit log is too busy");
}

base::Result<std::vector<AuditEntry>> AuditLog::list(std::int64_t after, std::size_t limit,
                                                     const base::StopToken& stop,
                                                     base::Deadline deadline) {
  CLEVER_ASSIGN(const Rows rows, engine_.query(statement(kEntries, after, limit), stop, deadline));
  std::vector<AuditEntry> entries;
  for (const Row& row : rows) entries.push_back(audit_entry(row));
  return entries;
}

base::Result<std::vector<std::string>> AuditLog::faults(const base::StopToken& stop) {
  std::vector<std::string> faults;
  Last last;
  std::size_t found = kEntriesAtOnce;
  while (found == kEntriesAtOnce) {
    CLEVER_ASSIGN(const Rows rows,
                  engine_.query(statement(kEntries, last.sequence, kEntriesAtOnce), stop));
    found = rows.size();
    for (const Row& row : rows) {
      const AuditEntry entry = audit_entry(row);
      const std::string name = "entry " + std::to_string(entry.sequence);
      if (entry.sequence != last.sequence + 1)
        faults.push_back(name + ": those before it are gone");
      if (chained_hash(last.hash, entry).bytes != row.blob(7)) {
        faults.push_back(name + ": it does not continue the chain");
      }
      last = {entry.sequence, row.blob(7)};
    }
  }
  CLEVER_ASSIGN(const Rows head,
                engine_.query(statement("SELECT id, sequence FROM audit_head"), stop));
  const bool is_whole =
      head.size() == 1 && head[0].integer(0) == 1 && head[0].integer(1) == last.sequence;
  if (!is_whole) {
    faults.push_back("entry " + std::to_string(last.sequence) +
                     " is the last one, which is not what the log's head says");
  }
  return faults;
}

}  // namespace clever::storage
