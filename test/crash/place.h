#pragma once
#include <chrono>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "model/id.h"
#include "storage/database_url.h"
#include "storage/engine.h"
#include "storage/engine_options.h"
#include "storage/owner_lock.h"

namespace clever::storage::crash {

/// The program's schema, and tables of the load's own: what a unit writes into two places must be
/// in both or in none.
[[nodiscard]] std::span<const Migration> tables();
/// One step further, which changes rows that are there.
[[nodiscard]] std::span<const Migration> upgraded_tables();

/// A database that is crashed, and the folder of the locks of those who own plans in it. A value.
struct Place {
  std::string url;
  std::filesystem::path folder;
  Synchronous synchronous = Synchronous::kFull;

  [[nodiscard]] static Place file(const std::filesystem::path& folder) {
    return {"sqlite:" + (folder / "plans.db").string(), folder};
  }
  [[nodiscard]] std::filesystem::path owners() const { return folder / "owners"; }
  [[nodiscard]] bool is_postgres() const { return url.starts_with("postgres"); }

  [[nodiscard]] base::Result<std::unique_ptr<Engine>> open(
      base::Clock& clock, std::span<const Migration> migrations = tables()) const;
  [[nodiscard]] base::Result<OwnerLock> new_owner() const;
};

/// The clock of a run: it stands still, a day later than in the run before. So the jobs that were
/// claimed by the dead are free again, and the leases of plans are not.
[[nodiscard]] std::unique_ptr<base::Clock> clock_of(const Place& place, int run);

inline constexpr auto kLeaseOfPlans = std::chrono::hours{24 * 365 * 10};
inline constexpr auto kLeaseOfJobs = std::chrono::hours{1};
/// PostgreSQL's clock cannot be moved.
inline constexpr auto kLeaseOfPostgresJobs = std::chrono::milliseconds{20};

/// The plan with that number.
[[nodiscard]] model::PlanId plan_id(std::int32_t number);

}  // namespace clever::storage::crash
