#include "service/journal_deletion.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/crash_point.h"
#include "base/number.h"
#include "io/file_lock.h"
#include "service/commands/plan.h"
#include "service/plan/audit_trail.h"
#include "service/plan/kept_message.h"
#include "storage/bodies.h"
#include "storage/tombstones.h"

namespace clever::service {
namespace {

using model::Tombstone;

constexpr std::size_t kJournalsAfterCommand = 16;
constexpr std::size_t kJournalsOfCleanup = 100'000;
constexpr std::size_t kSubjectWidth = 80;

// Keeps who allowed what; leaves out the details, which may be long.
base::Result<std::vector<Tombstone::Audit>> short_audit(
    storage::Engine& engine, const std::vector<model::StoredEvent>& events, Context& context) {
  const MessageOf message_of = [&](const base::Sha256Digest& body) {
    auto message = kept_message(engine, body, context.stop());
    return message.ok() ? std::optional(*std::move(message)) : std::nullopt;
  };
  CLEVER_ASSIGN(const auto trail, audit_trail(events, message_of));
  std::vector<Tombstone::Audit> audit;
  for (const AuditEntry& entry : trail) {
    audit.push_back(
        {entry.sequence, entry.time, entry.what, one_line(entry.subject, kSubjectWidth)});
  }
  return audit;
}

}  // namespace

base::Result<std::int64_t> journal_days(Context& context) {
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  return base::to_number<std::int64_t>(settings->text("storage.journal_days")).value_or(0);
}

base::Result<std::vector<storage::PlanSummary>> due_journals(storage::Engine& engine,
                                                             std::int64_t days, Extent extent,
                                                             Context& context) {
  constexpr std::int64_t kMostDays = 36'500;
  const auto now = std::chrono::floor<std::chrono::microseconds>(context.clock().wall_now());
  const std::size_t most = extent == Extent::kAll ? kJournalsOfCleanup : kJournalsAfterCommand;
  return storage::Tombstones::due(engine, now - std::chrono::days(std::min(days, kMostDays)), most,
                                  context.stop());
}

base::Result<std::vector<storage::PlanSummary>> delete_journals(storage::Engine& engine,
                                                                const storage::OwnerLock& owner,
                                                                std::int64_t days, Extent extent,
                                                                Context& context) {
  const auto lock = io::FileLock::try_acquire(context.home() / "retention.lock");
  if (!lock.ok()) return std::vector<storage::PlanSummary>();
  CLEVER_ASSIGN(const auto due, due_journals(engine, days, extent, context));
  storage::Tombstones tombstones(engine, context.clock(), owner);
  const auto audit = [&](const std::vector<model::StoredEvent>& events) {
    return short_audit(engine, events, context);
  };
  std::vector<storage::PlanSummary> deleted;
  for (const storage::PlanSummary& plan : due) {
    const auto buried = tombstones.bury(plan.id, audit, context.stop());
    // Another process works on the plan.
    if (!buried.ok() && buried.error().code() == base::ErrorCode::kConflict) continue;
    CLEVER_TRY(buried);
    deleted.push_back(plan);
  }
  base::crash_point("tombstones.unused");
  if (!deleted.empty() || extent == Extent::kAll) {
    CLEVER_TRY(storage::Bodies(engine).remove_unused(
        [](std::string_view, std::uint64_t, std::uint64_t) {}, context.stop()));
  }
  return deleted;
}

}  // namespace clever::service
