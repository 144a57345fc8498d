#include "service/retention.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string_view>

#include "base/crash_point.h"
#include "base/number.h"
#include "base/random.h"
#include "base/ulid.h"
#include "io/directory.h"
#include "io/file.h"
#include "io/file_lock.h"
#include "service/commands/db.h"
#include "service/commands/plan.h"
#include "service/journal_deletion.h"
#include "storage/bodies.h"
#include "storage/retention.h"
#include "storage/tombstones.h"

namespace clever::service {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRetentionLock = "retention.lock";
constexpr std::string_view kRetentionDone = "retention.done";
constexpr std::string_view kRemovedFiles = "cleaned";
constexpr std::size_t kDayLength = std::string_view("2026-01-31").size();
constexpr std::chrono::hours kRetentionPause{1};
constexpr std::chrono::hours kUnusedBaseStays{24};
constexpr std::size_t kPlansAfterCommand = 16;
constexpr std::size_t kPlansOfCleanup = 100'000;
constexpr std::uint64_t kBytesInMebibyte = 1024 * 1024;

std::uint64_t bytes_below(const io::Directory& folder, const std::string& path) {
  std::uint64_t bytes = 0;
  (void)folder.list(path, [&](std::string_view name, io::EntryFacts::Kind kind) {
    const std::string below = path.empty() ? std::string(name) : path + "/" + std::string(name);
    if (kind == io::EntryFacts::Kind::kDirectory) {
      bytes += bytes_below(folder, below);
    } else if (const auto facts = folder.facts(below); facts.ok()) {
      bytes += facts->size;
    }
    return true;
  });
  return bytes;
}

std::uint64_t bytes_of_files(const fs::path& folder) {
  const auto opened = io::Directory::open(folder);
  return opened.ok() ? bytes_below(*opened, "") : 0;
}

struct KeepLimits {
  model::Timestamp oldest{};
  std::uint64_t bytes = 0;
};

base::Result<KeepLimits> keep_limits(Context& context) {
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  const auto now = std::chrono::floor<std::chrono::microseconds>(context.clock().wall_now());
  const auto number = [&](std::string_view key) {
    return base::to_number<std::int64_t>(settings->text(key)).value_or(0);
  };
  constexpr std::int64_t kMostDays = 36'500;
  const std::chrono::days days(std::min(number("storage.keep_days"), kMostDays));
  constexpr std::int64_t kMostMebibytes = 1'000'000'000;
  const std::int64_t mebibytes = std::min(number("storage.keep_mb"), kMostMebibytes);
  return KeepLimits{now - days, static_cast<std::uint64_t>(mebibytes) * kBytesInMebibyte};
}

// Returns when a cleanup removed the plan's files; none if they exist, or if that was not recorded.
std::optional<model::Timestamp> removed_at(const model::PlanId& plan, const Context& context) {
  if (io::file_kind(context.home() / "sandboxes" / plan.to_string()) == io::FileKind::kDirectory) {
    return std::nullopt;
  }
  const auto folder = io::Directory::open(context.home() / kRemovedFiles);
  if (!folder.ok()) return std::nullopt;
  const auto facts = folder->facts(plan.to_string());
  if (!facts.ok()) return std::nullopt;
  return model::to_timestamp(facts->modified / 1'000);
}

/// One pass over the plans, those that ended first before the others.
class Expiry {
 public:
  Expiry(storage::Engine& engine, const storage::OwnerLock& owner, Context& context)
      : engine_(engine),
        context_(context),
        retention_(engine, context.clock(), owner),
        files_(context.home() / "sandboxes") {}

  base::Result<Retained> run(const KeepLimits& limits, Extent extent) {
    const std::size_t most = extent == Extent::kAll ? kPlansOfCleanup : kPlansAfterCommand;
    CLEVER_ASSIGN(const auto ended, retention_.ended(most, context_.stop()));
    if (ended.empty() && extent == Extent::kFewPlans) return Retained{};
    CLEVER_ASSIGN(used_, storage::Retention::payload_bytes(engine_, context_.stop()));
    used_ += bytes_of_files(files_);
    for (const storage::EndedPlan& plan : ended) {
      const bool is_due = plan.updated <= limits.oldest || used_ > limits.bytes;
      if (!is_due) break;
      CLEVER_TRY(expire(plan.id));
    }
    if (done_.plans == 0 && extent == Extent::kFewPlans) return done_;
    base::crash_point("retention.unused");
    CLEVER_TRY(storage::Bodies(engine_).remove_unused(
        [](std::string_view, std::uint64_t, std::uint64_t) {}, context_.stop()));
    base::crash_point("retention.files");
    return done_;
  }

 private:
  base::Result<void> expire(const model::PlanId& plan) {
    const auto expired = retention_.expire(plan, context_.stop());
    // Another process works on the plan, for example undoes it.
    if (!expired.ok() && expired.error().code() == base::ErrorCode::kConflict) return {};
    CLEVER_TRY(expired);
    ++done_.plans;
    done_.payloads += expired->payloads;
    const std::uint64_t freed = expired->bytes + bytes_of_files(files_ / plan.to_string());
    used_ -= std::min(used_, freed);
    return {};
  }

  storage::Engine& engine_;
  Context& context_;
  storage::Retention retention_;
  const fs::path files_;
  std::uint64_t used_ = 0;
  Retained done_;
};

bool may_end_plans(const Invocation& invocation) {
  constexpr std::array<std::string_view, 5> kCommands{"apply", "cancel", "run", "resume", "prompt"};
  return std::ranges::find(kCommands, invocation.path().back()->name) != kCommands.end();
}

bool was_done_lately(Context& context) {
  const auto home = io::Directory::open(context.home());
  if (!home.ok()) return true;
  const auto facts = home->facts(kRetentionDone);
  if (!facts.ok()) return false;
  const auto now = context.clock().wall_now().time_since_epoch();
  return now - std::chrono::nanoseconds(facts->modified) < kRetentionPause;
}

base::Result<void> remove_expired_files(sandbox::SandboxManager& sandboxes, storage::Engine& engine,
                                        Context& context) {
  CLEVER_ASSIGN(const auto leftovers, sandboxes.leftovers(context.stop()));
  const auto now = context.clock().wall_now().time_since_epoch();
  for (const sandbox::Leftover& leftover : leftovers) {
    if (leftover.kind == sandbox::Leftover::Kind::kBase &&
        now - std::chrono::nanoseconds(leftover.used_at) > kUnusedBaseStays) {
      // One that is used again meanwhile stays.
      (void)sandboxes.remove(leftover);
    }
    if (leftover.kind != sandbox::Leftover::Kind::kPlanFiles) continue;
    CLEVER_ASSIGN(const auto expired,
                  storage::Retention::expired_at(engine, leftover.plan, context.stop()));
    CLEVER_ASSIGN(const auto stone, storage::Tombstones::find_by_prefix(
                                        engine, leftover.plan.to_string(), context.stop()));
    if (expired || stone) CLEVER_TRY(sandboxes.remove(leftover));
  }
  return {};
}

base::Result<void> retain(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const auto url, database_url(invocation, context));
  CLEVER_ASSIGN(const auto engine, open_existing(url, context, Schema::kAsItIs));
  base::SystemRandom random;
  base::UlidGenerator ids(context.clock(), random);
  CLEVER_ASSIGN(const auto owner,
                storage::OwnerLock::acquire(context.home() / "owners", model::OwnerId(ids.next()),
                                            context.stop()));
  CLEVER_TRY(expire_payloads(*engine, owner, Extent::kFewPlans, context));
  CLEVER_ASSIGN(const std::int64_t days, journal_days(context));
  if (days > 0) CLEVER_TRY(delete_journals(*engine, owner, days, Extent::kFewPlans, context));
  CLEVER_ASSIGN(const auto facts, engine->facts());
  const auto records = sandbox::stored_sandbox_records(*engine, context.clock());
  sandbox::SandboxManager sandboxes(
      {.folder = context.home() / "sandboxes", .database = facts.address}, *records, owner, ids);
  CLEVER_TRY(remove_expired_files(sandboxes, *engine, context));
  return io::write_file_atomically(context.home() / kRetentionDone, "", 0600);
}

}  // namespace

base::Result<Retained> expire_payloads(storage::Engine& engine, const storage::OwnerLock& owner,
                                       Extent extent, Context& context) {
  const auto lock = io::FileLock::try_acquire(context.home() / kRetentionLock);
  if (!lock.ok()) return Retained{};
  CLEVER_ASSIGN(const KeepLimits limits, keep_limits(context));
  return Expiry(engine, owner, context).run(limits, extent);
}

base::Result<void> note_removed_files(const model::PlanId& plan, Context& context) {
  const fs::path folder = context.home() / kRemovedFiles;
  CLEVER_TRY(io::make_directories(folder));
  return io::write_file_atomically(folder / plan.to_string(), "", 0600);
}

base::Result<void> check_files_kept(storage::Engine& engine, const plan::State& plan,
                                    Context& context) {
  const auto& above = plan.settings.ancestors;
  const model::PlanId root = above.empty() ? plan.id : above.front();
  CLEVER_ASSIGN(auto when, storage::Retention::expired_at(engine, root, context.stop()));
  if (!when) when = removed_at(root, context);
  if (!when) return {};
  return base::not_found("the files of plan " + plan.id.to_string() +
                         " were removed by a cleanup on " +
                         shown_time(*when).substr(0, kDayLength) + "; `agents plan events " +
                         plan.id.to_string() + "` shows its journal");
}

void retain_after(const Invocation& invocation, Context& context) {
  if (!may_end_plans(invocation) || context.stop().stop_requested()) return;
  if (was_done_lately(context)) return;
  (void)retain(invocation, context);
}

}  // namespace clever::service
