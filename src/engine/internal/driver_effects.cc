// Starts effects once their requests are durable, and settles them with their outcomes.
#include <utility>

#include "base/crash_point.h"
#include "engine/internal/plan_driver.h"

namespace clever::engine::internal {
namespace {

using plan::EffectKind;

// Returns true for the outcome of an effect that stopped: the plan stays as it is.
bool says_nothing(const plan::Command& command) {
  return std::holds_alternative<plan::EffectStopped>(command) ||
         std::holds_alternative<plan::RecordError>(command);
}

template <class T>
base::Result<void> without_value(const base::Result<T>& result) {
  if (!result.ok()) return result.error();
  return {};
}

// Only the runner of these effects knows whether the project changed before.
bool may_have_landed(EffectKind kind) {
  return kind == EffectKind::kApply || kind == EffectKind::kUndo;
}

}  // namespace

void PlanDriver::reconcile() {
  const auto state = writer_->state();
  std::vector<model::EffectId> settled;
  std::vector<model::EffectId> open;
  auto running = running_.begin();
  for (const auto& [id, effect] : state->effects) {
    for (; running != running_.end() && running->first < id; ++running) {
      settled.push_back(running->first);
    }
    if (running != running_.end() && running->first == id) {
      // A correction made the effect unnecessary.
      if (effect.stopping && running->second.stop != nullptr) running->second.stop->request_stop();
      ++running;
    } else {
      open.push_back(id);
    }
  }
  for (; running != running_.end(); ++running) settled.push_back(running->first);
  for (const model::EffectId& id : settled) forget(id);
  for (const model::EffectId& id : open) start(id, state->effects.at(id));
  if (is_cancelling()) stop_effects();
}

void PlanDriver::forget(const model::EffectId& id) {
  const auto found = running_.find(id);
  if (found == running_.end()) return;
  Running& running = found->second;
  if (running.kind == EffectKind::kSubplan) core_->let_go(plan::child_of(id));
  // Asks a runner that has not ended to stop, and forgets it when it has.
  if (running.stop == nullptr) {
    running_.erase(found);
  } else if (!running.ended) {
    running.stop->request_stop();
  }
}

void PlanDriver::start(const model::EffectId& id, const plan::OpenEffect& effect) {
  const auto state = writer_->state();
  const bool asks = plan::resume_rule(effect.kind, effect.data) == plan::ResumeRule::kAsk;
  if (asks && state->waiting == plan::Waiting::kPerson) return;
  Running& running = running_[id];
  running.kind = effect.kind;
  if (effect.kind == EffectKind::kSubplan) return start_child(id);
  const bool cancelled = is_cancelling() && !may_have_landed(effect.kind);
  if (cancelled || effect.stopping) {
    return on_ended(id, plan::EffectStopped{id});
  }
  base::crash_point("engine.effect");
  if (effect.kind == EffectKind::kTimer) return start_timer(id, effect.data);
  running.stop = std::make_unique<base::StopSource>();
  core_->parts().effects.start(
      order_of(id, effect), [weak = weak_from_this(), id](plan::Command command) {
        const auto self = weak.lock();
        if (self == nullptr) return;
        self->post([id, command = std::move(command)](PlanDriver& driver) mutable {
          driver.on_ended(id, std::move(command));
        });
      });
}

EffectOrder PlanDriver::order_of(const model::EffectId& id, const plan::OpenEffect& effect) {
  const Running& running = running_.at(id);
  EffectOrder order{.id = id,
                    .kind = effect.kind,
                    .data = effect.data,
                    .plan = writer_->state(),
                    .lease = lease_,
                    .stop = running.stop == nullptr ? base::StopToken() : running.stop->token(),
                    .observer = core_->parts().observer,
                    .context = context_};
  const bool by_actor =
      effect.kind == EffectKind::kActorWork || effect.kind == EffectKind::kActorStrategize;
  if (!by_actor) return order;
  order.charge = [weak = weak_from_this()](plan::AgentCharged used,
                                           std::function<void(bool)> answered) {
    const auto self = weak.lock();
    if (self == nullptr) return;
    self->post(
        [used = std::move(used), answered = std::move(answered)](PlanDriver& driver) mutable {
          driver.charge(std::move(used), std::move(answered));
        });
  };
  order.said = [weak = weak_from_this(), id](std::vector<plan::AgentTurn> turns) {
    const auto self = weak.lock();
    if (self == nullptr) return;
    self->post([id, turns = std::move(turns)](PlanDriver& driver) mutable {
      if (driver.writer_ == nullptr) return;
      driver.submit({plan::AgentSaid{id, std::move(turns)}},
                    [](PlanDriver& it, const auto&) { it.rest_or_finish(); });
    });
  };
  order.note = [weak = weak_from_this()](plan::RecordDecision decision) {
    const auto self = weak.lock();
    if (self == nullptr) return;
    self->post([decision = std::move(decision)](PlanDriver& driver) mutable {
      if (driver.writer_ == nullptr) return;
      driver.submit({std::move(decision)},
                    [](PlanDriver& it, const auto&) { it.rest_or_finish(); });
    });
  };
  return order;
}

// The agent may continue if it gets a new reservation.
void PlanDriver::charge(plan::AgentCharged used, std::function<void(bool)> answered) {
  if (writer_ == nullptr) return answered(false);
  const auto reservation = [id = used.effect](const PlanDriver& driver) -> std::int64_t {
    if (driver.writer_ == nullptr) return 0;
    const auto state = driver.writer_->state();
    const auto found = state->effects.find(id);
    return found == state->effects.end() ? 0 : found->second.reservation;
  };
  const std::int64_t before = reservation(*this);
  submit({std::move(used)},
         [before, reservation, answered = std::move(answered)](PlanDriver& driver, const auto&) {
           const std::int64_t now = reservation(driver);
           answered(now != 0 && now != before);
           driver.rest_or_finish();
         });
}

void PlanDriver::start_timer(const model::EffectId& id, const std::string& data) {
  base::Clock& clock = core_->scheduler().clock();
  const auto left = std::max<base::WallTime::duration>(plan::due_of(data) - clock.wall_now(),
                                                       base::WallTime::duration::zero());
  running_.at(id).alarm = core_->scheduler().at(
      clock.now() + left, core_->scheduler().storing(), [weak = weak_from_this(), id] {
        if (const auto self = weak.lock()) {
          self->post([id](PlanDriver& driver) { driver.on_ended(id, plan::TimerFired{id}); });
        }
      });
}

void PlanDriver::on_ended(const model::EffectId& id, plan::Command command) {
  const auto found = running_.find(id);
  if (found == running_.end() || found->second.ended) return;
  if (phase_ == Phase::kClosing && says_nothing(command)) {
    running_.erase(found);
    return try_to_finish();
  }
  found->second.ended = true;
  base::crash_point("engine.ended");
  if (auto* error = std::get_if<plan::RecordError>(&command)) {
    return record_error(std::move(*error), false);
  }
  submit({std::move(command)}, [id](PlanDriver& driver, const auto& written) {
    driver.on_written(id, without_value(written), false);
  });
}

void PlanDriver::on_written(const model::EffectId& id, const base::Result<void>& written,
                            bool again) {
  const bool is_open = writer_ != nullptr && writer_->state()->effects.contains(id);
  if (!written.ok() && is_open && is_driving()) {
    // The outcome cannot be recorded, which is an error of its own.
    if (!again) return report(id, model::ErrorCategory::kInternal, written.error());
    running_.erase(id);
    return close(Why::kStop);
  }
  running_.erase(id);
  rest_or_finish();
}

void PlanDriver::report(const model::EffectId& id, model::ErrorCategory category,
                        const base::Error& error) {
  record_error({.effect = id, .category = category, .message = error.sentence()}, true);
}

void PlanDriver::record_error(plan::RecordError error, bool again) {
  const model::EffectId id = error.effect;
  recovery_->record(std::move(error), [weak = weak_from_this(), id, again](const auto& decision) {
    if (const auto self = weak.lock()) self->on_written(id, without_value(decision), again);
  });
}

// Recorded before the outcome of the work that made the changes; if the database is slow, together
// with it.
void PlanDriver::record_changes(plan::RecordChanges changes, Changeset::Done done) {
  if (writer_ == nullptr) return done(base::cancelled("this process no longer drives the plan"));
  submit({std::move(changes)},
         [done = std::move(done)](PlanDriver& driver, const auto& written) mutable {
           if (!written.ok()) driver.on_changes_lost(written.error());
           done(without_value(written));
         });
}

void PlanDriver::on_changes_lost(const base::Error& error) {
  if (!is_driving() || writer_->state()->is_final()) return;
  recovery_->record(
      {.message = "changes could not be recorded: " + error.sentence(), .lasts = true},
      [](const auto&) {});
}

void PlanDriver::stop_effects() {
  std::vector<model::EffectId> timers;
  for (auto& [id, running] : running_) {
    if (running.stop != nullptr) running.stop->request_stop();
    if (running.kind == EffectKind::kTimer && !running.ended) timers.push_back(id);
  }
  for (const model::EffectId& id : timers) {
    running_.at(id).alarm.reset();
    on_ended(id, plan::EffectStopped{id});
  }
}

}  // namespace clever::engine::internal
