// Resumes a plan that waits for money once other plans release reservations.
#include <chrono>
#include <utility>

#include "engine/internal/plan_driver.h"

namespace clever::engine::internal {
namespace {

using Room = storage::Budgets::Room;

constexpr std::chrono::seconds kAskAgainAfter{1};

}  // namespace

void PlanDriver::wait_for_money(const model::BudgetReserved& wanted, const Room& room) {
  money_.reset();
  if (room.answer != Room::Answer::kWait || phase_ == Phase::kClosing) return;
  money_.emplace(wanted, room.budget.scope);
  money_->subscription = core_->store().watch_budget(room.budget.scope, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self == nullptr || self->budget_woken_.exchange(true)) return;
    self->post([](PlanDriver& driver) { driver.look_for_money(); });
  });
  // Other plans may have released money before the watch began.
  look_for_money();
}

void PlanDriver::look_for_money() {
  budget_woken_.store(false);
  if (!money_) return;
  // Wake-ups may come often, for example from a thousand plans that release reservations: only one
  // query runs at a time.
  if (std::exchange(asking_for_room_, true)) {
    ask_for_room_again_ = true;
    return;
  }
  const bool accepted =
      in_store([wanted = money_->wanted](
                   PlanStore& store) { return store.room(wanted.scopes, wanted.cost); },
               [](PlanDriver& driver, const auto& room) { driver.on_room(room); });
  if (accepted) return;
  asking_for_room_ = false;
  look_for_money_later();
}

void PlanDriver::look_for_money_later() {
  Scheduler& scheduler = core_->scheduler();
  money_->alarm = scheduler.at(scheduler.clock().now() + kAskAgainAfter, scheduler.storing(),
                               [weak = weak_from_this()] {
                                 if (const auto self = weak.lock()) {
                                   self->post([](PlanDriver& it) { it.look_for_money(); });
                                 }
                               });
}

void PlanDriver::on_room(const base::Result<Room>& room) {
  asking_for_room_ = false;
  const bool again = std::exchange(ask_for_room_again_, false);
  if (!money_) return try_to_finish();
  if (!room.ok()) return look_for_money_later();
  if (room->answer == Room::Answer::kWait) {
    if (room->budget.scope != money_->scope) {
      wait_for_money(model::BudgetReserved(money_->wanted), *room);
    } else if (again) {
      look_for_money();
    }
    return;
  }
  money_.reset();
  publish();
  // Runs even if no release is left to wait for: then the plan waits for a person.
  if (is_driving()) return try_with_money();
  core_->signal(plan_);
  consider_rest();
}

void PlanDriver::try_with_money() {
  submit({plan::BudgetFreed{}}, [](PlanDriver& driver, const auto&) {
    // It may wait no longer although nothing happened to it.
    Observer* observer = driver.core_->parts().observer;
    if (observer != nullptr && driver.writer_ != nullptr && !driver.money_) {
      observer->on_events(*driver.writer_->state(), {});
    }
    driver.rest_or_finish();
  });
}

}  // namespace clever::engine::internal
