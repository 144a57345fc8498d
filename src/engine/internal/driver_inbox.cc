// Reads commands from the inbox: takes each once, in the order of arrival.
#include <chrono>
#include <utility>

#include "engine/internal/plan_driver.h"

namespace clever::engine::internal {
namespace {

constexpr std::chrono::milliseconds kLookAgainAfter{200};
// The most commands that one query returns.
constexpr std::size_t kMostReceived = 1000;

}  // namespace

void PlanDriver::watch_inbox() {
  inbox_woken_.store(false);
  inbox_ = core_->store().watch_inbox(plan_, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self == nullptr || self->inbox_woken_.exchange(true)) return;
    self->post([](PlanDriver& driver) { driver.look_into_inbox(); });
  });
  look_into_inbox();
}

base::Result<std::vector<PlanDriver::Received>> PlanDriver::receive(PlanStore& store) const {
  CLEVER_ASSIGN(const auto waiting, store.pending(plan_));
  const auto& prepare = core_->parts().prepare;
  std::vector<Received> received;
  for (const storage::Command& command : waiting) {
    Received one{command.id, plan::command_from_json(command.body)};
    if (one.command.ok() && prepare) {
      if (auto prepared = prepare(*one.command); !prepared.ok()) {
        one.command = std::move(prepared).error();
      }
    }
    received.push_back(std::move(one));
  }
  return received;
}

void PlanDriver::look_into_inbox() {
  if (!is_driving()) return;
  inbox_woken_.store(false);
  // Wake-ups may come often: only one query runs at a time.
  if (std::exchange(looking_, true)) {
    look_again_ = true;
    return;
  }
  const bool accepted =
      in_store([self = shared_from_this()](PlanStore& store) { return self->receive(store); },
               [](PlanDriver& driver, const auto& received) { driver.on_inbox(received); });
  if (accepted) return;
  looking_ = false;
  look_later();
}

bool PlanDriver::hear_words() {
  return in_store([self = shared_from_this()](PlanStore& store) { return self->receive(store); },
                  [](PlanDriver& driver, const auto& received) { driver.on_words(received); });
}

// Takes prompts up to the first command of another kind, to keep their order.
void PlanDriver::on_words(const base::Result<std::vector<Received>>& received) {
  const auto none = std::vector<Received>();
  for (const Received& one : received.ok() ? *received : none) {
    if (!one.command.ok() || !std::holds_alternative<plan::Prompt>(*one.command)) break;
    taken_.insert(one.id);
    take_command(one);
  }
  take_over();
}

void PlanDriver::look_later() {
  Scheduler& scheduler = core_->scheduler();
  alarm_ = scheduler.at(scheduler.clock().now() + kLookAgainAfter, scheduler.storing(),
                        [weak = weak_from_this()] {
                          if (const auto self = weak.lock()) {
                            self->post([](PlanDriver& driver) { driver.look_into_inbox(); });
                          }
                        });
}

void PlanDriver::on_inbox(const base::Result<std::vector<Received>>& received) {
  looking_ = false;
  const bool again = std::exchange(look_again_, false);
  if (!is_driving()) return try_to_finish();
  if (again) look_into_inbox();
  if (!received.ok()) return look_later();
  more_ = received->size() >= kMostReceived;
  for (const Received& one : *received) {
    if (taken_.insert(one.id).second) take_command(one);
  }
  consider_rest();
}

void PlanDriver::take_command(const Received& received) {
  ++deciding_;
  Submission submission{plan::Create{}, received.id};
  if (received.command.ok()) {
    submission.command = *received.command;
  } else {
    submission.refusal = received.command.error();
  }
  submit(std::move(submission), [id = received.id](PlanDriver& driver, const auto& settled) {
    --driver.deciding_;
    // The command was not decided: the plan's next owner takes it.
    if (!settled.ok() && driver.phase_ == Phase::kClosing) driver.taken_.erase(id);
    driver.core_->signal(driver.plan_);
    if (driver.deciding_ == 0 && std::exchange(driver.more_, false)) driver.look_into_inbox();
    driver.rest_or_finish();
  });
}

}  // namespace clever::engine::internal
