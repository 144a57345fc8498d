#include "engine/internal/plan_driver.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/crash_point.h"
#include "plan/decide.h"

namespace clever::engine::internal {

PlanDriver::PlanDriver(std::shared_ptr<DriverCore> core, const model::PlanId& plan)
    : core_(std::move(core)), plan_(plan), strand_(core_->scheduler().make_strand()) {}

void PlanDriver::request(Request request) {
  if (phase_ == Phase::kGone) {
    core_->open(plan_, std::move(request.source), request.by_parent, std::move(request.done));
    return;
  }
  held_ = held_ || request.by_parent;
  unwanted_ = false;
  if (is_driving()) return request.done(Place{});
  if (request.source) source_ = std::move(request.source);
  requests_.push_back(std::move(request));
  if (phase_ == Phase::kNew) begin_opening();
}

void PlanDriver::begin_opening() {
  phase_ = Phase::kOpening;
  const bool accepted =
      in_store([plan = plan_, may_be_new = bool(source_)](
                   PlanStore& store) { return open_plan(store, plan, may_be_new); },
               [](PlanDriver& driver, OpenAnswer answer) { driver.on_opened(std::move(answer)); });
  if (!accepted)
    fail_opening(base::resource_exhausted("the database is too slow: too many writes wait"));
}

void PlanDriver::on_opened(OpenAnswer answer) {
  if (answer.held) return fail_opening(Place{answer.plan.error()});
  if (!answer.plan.ok()) return fail_opening(answer.plan.error());
  base::crash_point("engine.leased");
  make_writer(std::move(*answer.plan));
  if (!writer_->state()->exists()) return ask_for_command();
  if (!plan::takes_words_first(*writer_->state()) || !hear_words()) take_over();
}

void PlanDriver::take_over() {
  submit({plan::TakenOver{}},
         [](PlanDriver& driver, const auto& begun) { driver.on_begun(begun); });
}

void PlanDriver::make_writer(OpenedPlan opened) {
  lease_ = opened.lease;
  taken_.clear();
  const auto weak = weak_from_this();
  PlanWriter::Hooks hooks;
  hooks.committed = [weak](const auto& state, const auto& events) {
    if (const auto self = weak.lock()) self->on_committed(state, events);
  };
  hooks.lost = [weak](const base::Error& error) {
    const auto self = weak.lock();
    if (self == nullptr) return;
    // Posted, because it destroys the writer, whose call this is.
    self->post([](PlanDriver& it) { it.close(Why::kLost); });
    const bool is_taken = error.code() == base::ErrorCode::kConflict;
    if (!is_taken) self->core_->store_failed(error);
  };
  hooks.no_money = [weak](const auto& wanted, const auto& room) {
    if (const auto self = weak.lock()) self->wait_for_money(wanted, room);
  };
  hooks.caps = core_->parts().caps;
  hooks.amend = core_->parts().amend;
  writer_ = std::make_unique<PlanWriter>(core_->store(), core_->scheduler(), strand_,
                                         std::move(opened.lease), opened.head,
                                         std::move(opened.state), std::move(hooks));
  recovery_ = std::make_unique<ErrorRecoveryService>(*writer_);
  context_ = make_context();
}

std::shared_ptr<PlanExecutionContext> PlanDriver::make_context() {
  return std::make_shared<PlanExecutionContext>(
      core_->parts().ids,
      [weak = weak_from_this()](plan::RecordChanges changes, Changeset::Done done) {
        const auto self = weak.lock();
        if (self == nullptr) return done(base::cancelled("this process no longer drives the plan"));
        self->post([changes = std::move(changes), done = std::move(done)](PlanDriver& it) mutable {
          it.record_changes(std::move(changes), std::move(done));
        });
      });
}

void PlanDriver::ask_for_command() {
  ++asking_;
  auto source = std::exchange(source_, nullptr);
  source([weak = weak_from_this()](base::Result<plan::Create> command) {
    const auto self = weak.lock();
    if (self == nullptr) return;
    self->post([command = std::move(command)](PlanDriver& driver) mutable {
      --driver.asking_;
      driver.on_command(std::move(command));
    });
  });
}

void PlanDriver::on_command(base::Result<plan::Create> command) {
  if (!command.ok()) return refuse_opening(command.error());
  submit({std::move(*command)}, [](PlanDriver& driver, const auto& begun) {
    if (!begun.ok()) return driver.refuse_opening(begun.error());
    driver.on_begun(begun);
  });
}

void PlanDriver::on_begun(const base::Result<Settled>& begun) {
  if (!begun.ok() && writer_->is_closed()) return refuse_opening(begun.error());
  // The refusal of an ended plan is an answer too.
  begin_driving();
}

void PlanDriver::begin_driving() {
  phase_ = Phase::kDriving;
  source_ = nullptr;
  publish();
  answer_requests(Place{});
  if (core_->is_stopping() || std::exchange(unwanted_, false)) return close(Why::kStop);
  watch_inbox();
  reconcile();
  if (writer_->state()->waiting == plan::Waiting::kBudget) {
    try_with_money();
  }
  consider_rest();
}

void PlanDriver::answer_requests(const base::Result<Place>& answer) {
  for (Request& request : std::exchange(requests_, {})) request.done(answer);
}

void PlanDriver::fail_opening(const base::Result<Place>& answer) {
  auto requests = std::exchange(requests_, {});
  end();
  for (Request& request : requests) request.done(answer);
}

void PlanDriver::refuse_opening(const base::Error& error) {
  phase_ = Phase::kClosing;
  why_ = Why::kStop;
  answer_requests(error);
  try_to_finish();
}

void PlanDriver::submit(Submission submission, Then then) {
  writer_->submit(std::move(submission), [weak = weak_from_this(), then = std::move(then)](
                                             base::Result<Settled> settled) mutable {
    if (const auto self = weak.lock()) then(*self, settled);
  });
}

void PlanDriver::on_committed(const std::shared_ptr<const plan::State>& state,
                              const std::vector<model::StoredEvent>& events) {
  base::crash_point("engine.committed");
  if (Observer* observer = core_->parts().observer) observer->on_events(*state, events);
  if (state->waiting != plan::Waiting::kBudget) money_.reset();
  if (!is_driving()) return;
  publish();
  reconcile();
  if (state->is_at_rest()) core_->signal(plan_);
}

bool PlanDriver::is_cancelling() const {
  return writer_->state()->state == model::PlanState::kCancelling;
}

void PlanDriver::publish() {
  View view;
  if (is_driving()) view = {writer_->state(), money_.has_value(), lease_};
  view_.with([&](View& shown) { std::swap(shown, view); });
}

void PlanDriver::let_go() {
  held_ = false;
  consider_rest();
}

void PlanDriver::consider_rest() {
  if (!is_driving() || held_ || money_ || !running_.empty() || deciding_ != 0 || asking_ != 0) {
    return;
  }
  if (inbox_woken_.load() || !writer_->state()->is_at_rest() || !writer_->is_idle()) return;
  if (!core_->is_watched(plan_)) close(Why::kRest);
}

void PlanDriver::rest_or_finish() {
  consider_rest();
  try_to_finish();
}

void PlanDriver::close(Why why) {
  if (phase_ == Phase::kNew) return end();
  if (phase_ == Phase::kGone) return;
  if (why == Why::kStop) held_ = false;
  if (phase_ == Phase::kOpening) {
    unwanted_ = why == Why::kStop;
    if (unwanted_ && writer_ != nullptr) writer_->hurry();
    return;
  }
  if (phase_ == Phase::kClosing) {
    if (why == Why::kStop) {
      answer_requests(base::cancelled("the plan above it is let go"));
      writer_->hurry();
    }
    if (why != Why::kRest) why_ = why;
    return try_to_finish();
  }
  phase_ = Phase::kClosing;
  why_ = why;
  stop_everything();
  if (why == Why::kStop) writer_->hurry();
  publish();
  core_->signal(plan_);
  try_to_finish();
}

void PlanDriver::stop_everything() {
  inbox_.reset();
  money_.reset();
  alarm_.reset();
  for (auto it = running_.begin(); it != running_.end();) {
    if (it->second.kind == plan::EffectKind::kSubplan) core_->close(plan::child_of(it->first));
    const bool has_runner = it->second.stop != nullptr || it->second.ended;
    it = has_runner ? std::next(it) : running_.erase(it);
  }
  for (auto& [id, running] : running_) {
    if (running.stop != nullptr) running.stop->request_stop();
  }
}

void PlanDriver::try_to_finish() {
  if (phase_ != Phase::kClosing || releasing_ || asking_ != 0 || !running_.empty()) return;
  if (!writer_->is_idle()) return;
  releasing_ = true;
  const auto let_go = [plan = plan_, lease = lease_, why = why_, taken = taken_](PlanStore& store) {
    if (why != Why::kLost) (void)store.release(lease);
    if (why != Why::kRest) return false;
    // The sender of a command that came before the lease was free relies on this process, or tries
    // again.
    const auto waiting = store.pending(plan);
    return waiting.ok() && std::ranges::any_of(*waiting, [&](const storage::Command& command) {
             return !taken.contains(command.id);
           });
  };
  const auto then = [](PlanDriver& driver, bool wanted) { driver.on_released(wanted); };
  if (!in_store(let_go, then)) on_released(false);
}

void PlanDriver::on_released(bool wanted) {
  base::crash_point("engine.released");
  releasing_ = false;
  const auto state = writer_->state();
  if (held_ && why_ == Why::kLost) core_->child_lost(state->parent, state->settings.spawned_by);
  held_ = std::ranges::any_of(requests_, &Request::by_parent);
  money_.reset();
  context_.reset();
  recovery_.reset();
  writer_.reset();
  lease_ = {};
  if (!core_->is_stopping() && (wanted || !requests_.empty())) return begin_opening();
  answer_requests(base::cancelled("this process is stopping"));
  end();
}

void PlanDriver::end() {
  const bool was_driven = phase_ == Phase::kClosing;
  phase_ = Phase::kGone;
  source_ = nullptr;
  core_->gone(*this, was_driven);
}

}  // namespace clever::engine::internal
