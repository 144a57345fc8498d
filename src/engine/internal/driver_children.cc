// Drives subplans on strands of their own while the effect that spawned them is open.
#include <chrono>
#include <utility>

#include "engine/error_recovery_service.h"
#include "engine/internal/plan_driver.h"

namespace clever::engine::internal {
namespace {

constexpr std::chrono::seconds kOpenAgainAfter{1};
constexpr int kMostRefusals = 30;

}  // namespace

void PlanDriver::start_child(const model::EffectId& id) {
  const std::int64_t depth = writer_->state()->settings.depth + 1;
  core_->take_slot(depth, [weak = weak_from_this(), id](Slot slot) {
    const auto self = weak.lock();
    if (self == nullptr) return;
    self->post([id, slot = std::move(slot)](PlanDriver& driver) mutable {
      const auto found = driver.running_.find(id);
      if (found == driver.running_.end()) return;
      found->second.slot = std::move(slot);
      driver.open_child(id);
    });
  });
}

void PlanDriver::open_child(const model::EffectId& id) {
  if (!is_driving() || !running_.contains(id)) return;
  const auto state = writer_->state();
  const auto effect = state->effects.find(id);
  if (effect == state->effects.end()) return;
  auto source = [core = core_, order = order_of(id, effect->second)](Done<plan::Create> done) {
    core->parts().child(order, std::move(done));
  };
  core_->open(plan::child_of(id), std::move(source), true,
              [weak = weak_from_this(), id](base::Result<Place> place) {
                const auto self = weak.lock();
                if (self == nullptr) return;
                self->post([id, place = std::move(place)](PlanDriver& driver) {
                  driver.on_child(id, place);
                });
              });
}

void PlanDriver::on_child(const model::EffectId& id, const base::Result<Place>& place) {
  const auto found = running_.find(id);
  if (!is_driving() || found == running_.end() || found->second.ended) return;
  if (place.ok()) {
    found->second.refusals = 0;
    if (place->elsewhere) open_child_later(id);
    return;
  }
  if (base::is_retryable(place.error().code())) {
    if (++found->second.refusals > kMostRefusals) return core_->store_failed(place.error());
    return open_child_later(id);
  }
  found->second.ended = true;
  report(id, category_of(place.error().code()), place.error());
}

void PlanDriver::open_child_later(const model::EffectId& id) {
  const auto found = running_.find(id);
  if (!is_driving() || found == running_.end()) return;
  Scheduler& scheduler = core_->scheduler();
  found->second.alarm =
      scheduler.at(scheduler.clock().now() + kOpenAgainAfter, scheduler.storing(),
                   [weak = weak_from_this(), id] {
                     if (const auto self = weak.lock()) {
                       self->post([id](PlanDriver& driver) { driver.open_child(id); });
                     }
                   });
}

}  // namespace clever::engine::internal
