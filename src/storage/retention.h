#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/id.h"
#include "model/time.h"
#include "storage/bodies.h"
#include "storage/engine.h"
#include "storage/owner_lock.h"

namespace clever::storage {

/// An applied or cancelled plan that still has payloads. A value.
struct EndedPlan {
  model::PlanId id{};
  /// When it ended, or changed last.
  model::Timestamp updated{};
};

/// What expired. A value.
struct Expired {
  std::uint64_t payloads = 0;
  std::uint64_t bytes = 0;
};

/// Removes the payloads of ended plans. Events, their hash chain, costs and decisions stay; an
/// event payloads.expired in each journal records when its payloads expired and how many.
///
/// Thread-safe; its references must outlive it. Each plan expires in one transaction, under its own
/// lease: subplans first, the plan itself last, so that after a crash ended() still lists the plan.
/// `conflict` while a process drives the plan.
class Retention {
 public:
  Retention(Engine& engine, base::Clock& clock, const OwnerLock& owner)
      : engine_(engine), clock_(clock), owner_(owner) {}

  /// Sorted by end, oldest first; without subplans, which expire with their root.
  [[nodiscard]] base::Result<std::vector<EndedPlan>> ended(std::size_t limit,
                                                           const base::StopToken& stop = {});
  /// Expires the payloads of the plan and its subplans. Contents that other plans use stay;
  /// Bodies::remove_unused() frees unused ones.
  base::Result<Expired> expire(const model::PlanId& plan, const base::StopToken& stop = {});

  /// A plan and all below it; subplans first.
  [[nodiscard]] static base::Result<std::vector<model::PlanId>> family(
      Engine& engine, const model::PlanId& plan, const base::StopToken& stop = {});
  /// The payloads that the events of a plan name and that have not expired.
  [[nodiscard]] static base::Result<std::vector<Body>> payloads(Engine& engine,
                                                                const model::PlanId& plan,
                                                                const base::StopToken& stop = {});
  /// When the payloads of a plan expired; none if they have not.
  [[nodiscard]] static base::Result<std::optional<model::Timestamp>> expired_at(
      Engine& engine, const model::PlanId& plan, const base::StopToken& stop = {});
  /// The size of all stored payloads in bytes.
  [[nodiscard]] static base::Result<std::uint64_t> payload_bytes(Engine& engine,
                                                                 const base::StopToken& stop = {});
  /// How many payloads have expired.
  [[nodiscard]] static base::Result<std::uint64_t> expired_payloads(
      Engine& engine, const base::StopToken& stop = {});

 private:
  base::Result<Expired> expire_one(const model::PlanId& plan, const base::StopToken& stop);

  Engine& engine_;
  base::Clock& clock_;
  const OwnerLock& owner_;
};

}  // namespace clever::storage
