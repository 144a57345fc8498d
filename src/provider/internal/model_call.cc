#include "provider/internal/model_call.h"

#include <algorithm>

#include "provider/internal/request_needs.h"

namespace clever::provider {

using base::TimePoint;

/// Forwards the events of an attempt to its call.
class ModelCall::Follower final : public AttemptSink {
 public:
  Follower(std::shared_ptr<ModelCall> call, std::shared_ptr<Lane> lane, Ticket ticket)
      : call_(std::move(call)), lane_(std::move(lane)), ticket_(ticket) {}

  void on_begin() override {
    call_->began_ = true;
    call_->trace_.attempts.back().first_byte_at = call_->elapsed();
    lane_->begin(ticket_);
  }
  void on_rates(const RateObservation& rates) override { lane_->observe(ticket_, rates); }
  void on_delta(const Delta& delta) override {
    call_->began_ = true;
    call_->shown_ = true;
    call_->sink_->on_delta(delta);
  }
  void on_end(AttemptEnd end) override {
    // Released, so that a backend that keeps the sink does not keep the call.
    const auto call = std::move(call_);
    call->finish_attempt(std::move(end));
  }

 private:
  std::shared_ptr<ModelCall> call_;
  const std::shared_ptr<Lane> lane_;
  const Ticket ticket_;
};

namespace {

TimePoint sum(TimePoint now, base::Duration duration) {
  return duration > TimePoint::max() - now ? TimePoint::max() : now + duration;
}

Failure failure_of(const base::Error& error) {
  Failure failure;
  failure.kind = error.code() == base::ErrorCode::kNotFound ? FailureKind::kUnknownModel
                                                            : FailureKind::kMisconfigured;
  failure.message = error.sentence();
  return failure;
}

}  // namespace

ModelCall::ModelCall(CallRequest request, std::shared_ptr<CallSink> sink, Governor& governor,
                     base::Clock& clock)
    : request_(std::move(request)),
      sink_(std::move(sink)),
      governor_(governor),
      clock_(clock),
      started_(clock.now()),
      patience_ends_(sum(started_, *request_.patience)),
      tokens_(estimated_tokens(request_.request)),
      needed_(needed_capabilities(request_.request)) {
  trace_.plan = request_.plan;
  trace_.decision = request_.decision;
  trace_.effect = request_.effect;
  trace_.model_asked = request_.model;
  trace_.started = clock.wall_now();
}

void ModelCall::start(const ProviderSet& providers) {
  if (!find_models(providers)) return;
  rule_out_incapable();
  enter_lane(false);
}

bool ModelCall::find_models(const ProviderSet& providers) {
  base::Result<std::vector<ResolvedModel>> models =
      request_.fallback ? std::vector<ResolvedModel>{} : providers.chain(request_.model);
  if (request_.fallback) {
    std::vector<std::string> names{request_.model};
    names.insert(names.end(), request_.fallback->begin(), request_.fallback->end());
    for (const std::string& name : names) {
      auto model = providers.resolve(name);
      if (!model.ok()) {
        end(failure_of(model.error()));
        return false;
      }
      models->push_back(std::move(model).value());
    }
  }
  if (!models.ok()) {
    end(failure_of(models.error()));
    return false;
  }
  for (ResolvedModel& model : *models) {
    std::string name = model.name();
    chain_.push_back({std::move(model), std::move(name)});
  }
  return true;
}

// The catalog may be outdated: if it knows no capable model, the requested one is called and
// reports the problem itself.
void ModelCall::rule_out_incapable() {
  const auto incapable = [&](const Link& each) {
    return !each.model.facts.capabilities.cover(needed_);
  };
  if (std::ranges::all_of(chain_, incapable)) {
    for (Link& each : chain_) each.ruled_out = &each != &chain_.front();
    return;
  }
  for (Link& each : chain_) each.ruled_out = incapable(each);
  if (!chain_.front().ruled_out) return;
  const auto first = next_link(0);
  move_to(*first,
          link().name + " has no " + missing_text(link().model.facts.capabilities, needed_));
}

std::optional<std::size_t> ModelCall::next_link(std::size_t after) const {
  for (std::size_t i = after + 1; i < chain_.size(); ++i) {
    if (!chain_[i].ruled_out) return i;
  }
  return std::nullopt;
}

std::string ModelCall::skipped_text(std::size_t from, std::size_t to) const {
  std::string text;
  for (std::size_t i = from + 1; i < to; ++i) {
    const std::string missing = missing_text(chain_[i].model.facts.capabilities, needed_);
    if (!missing.empty()) text += "; passed over " + chain_[i].name + ", which has no " + missing;
  }
  return text;
}

void ModelCall::move_to(std::size_t index, const std::string& reason) {
  trace_.moves.push_back({link().name, chain_[index].name, reason + skipped_text(current_, index)});
  current_ = index;
  policy_.forget();
}

PlaceRequest ModelCall::place_request(bool again) {
  PlaceRequest place;
  place.ticket = ticket_ = governor_.new_ticket();
  place.flow = request_.plan;
  place.tokens = tokens_;
  place.patience = patience_ends_;
  place.again = again;
  place.leaves_if_unavailable = !settled_for_ && next_link(current_).has_value();
  place.announced = announced_;
  return place;
}

void ModelCall::enter_lane(bool again) {
  lane_ = governor_.lane(link().model);
  PlaceRequest place = place_request(again);
  AttemptTrace attempt;
  attempt.model = link().name;
  attempt.queued_at = elapsed();
  trace_.attempts.push_back(std::move(attempt));
  const bool cancelled = control_.with([&](Control& control) {
    control.ticket = ticket_;
    control.lane = lane_;
    return control.cancelled;
  });
  if (cancelled) return end_cancelled();

  const std::shared_ptr<Lane> lane = lane_;
  const Ticket ticket = ticket_;
  const base::Result<void> entered = lane->acquire(std::move(place), shared_from_this());
  if (!entered.ok()) {
    trace_.attempts.pop_back();
    return give_up(entered.error().sentence());
  }
  // From here on another thread may own the call. A cancel that came before the lane knew the
  // ticket had no effect, so it is checked again.
  if (control_.with([](const Control& control) { return control.cancelled; })) {
    lane->cancel(ticket);
  }
}

void ModelCall::on_wait(const Wait& wait) {
  announced_ = clock_.now();
  sink_->on_wait(link().name, wait);
}

void ModelCall::on_withdrawn(Withdrawal why) {
  trace_.attempts.pop_back();
  switch (why) {
    case Withdrawal::kPatience:
      return give_up(impatience());
    case Withdrawal::kCancelled:
      return end_cancelled();
    case Withdrawal::kUnavailable:
      return turn_from_unavailable();
  }
}

void ModelCall::on_place() {
  trace_.attempts.back().started_at = elapsed();
  began_ = false;
  const bool cancelled = control_.with([](Control& control) {
    control.running = !control.cancelled;
    return control.cancelled;
  });
  if (cancelled) {
    Settlement unused;
    unused.failure = FailureKind::kCancelled;
    lane_->settle(ticket_, unused);
    trace_.attempts.pop_back();
    return end_cancelled();
  }
  if (std::exchange(shown_, false)) sink_->on_restart();
  run_attempt();
}

void ModelCall::run_attempt() {
  const Ticket ticket = ticket_;
  const std::shared_ptr<const Provider> provider = link().model.provider;
  std::shared_ptr<Attempt> attempt = provider->runtime()->backend().start(
      link().model.model, request_.request,
      std::make_shared<Follower>(shared_from_this(), lane_, ticket));
  // The call may have ended, or moved to another thread.
  const bool cancelled = control_.with([&](Control& control) {
    if (!control.running || control.ticket != ticket) return false;
    control.attempt = attempt;
    return control.cancelled;
  });
  if (cancelled && attempt != nullptr) attempt->cancel();
}

void ModelCall::cancel() {
  const Control control = control_.with([](Control& present) {
    present.cancelled = true;
    return present;
  });
  if (control.attempt != nullptr) control.attempt->cancel();
  if (control.lane != nullptr) control.lane->cancel(control.ticket);
}

void ModelCall::settle(const AttemptEnd& end) {
  Settlement settlement;
  settlement.rates = end.rates;
  if (const auto* failure = std::get_if<Failure>(&end.result)) {
    settlement.failure = failure->kind;
    settlement.retry_after = failure->retry_after;
  } else if (const Usage& usage = std::get<ModelAnswer>(end.result).usage; usage.known) {
    settlement.used = TokenCount{usage.input, usage.output};
  }
  lane_->settle(ticket_, settlement);
}

void ModelCall::finish_attempt(AttemptEnd attempt_end) {
  // Kept until here: destroying a handle may run any code, so it must not happen under the lock.
  const auto handle = control_.with([](Control& control) {
    control.running = false;
    return std::exchange(control.attempt, nullptr);
  });
  AttemptTrace& attempt = trace_.attempts.back();
  attempt.ended_at = elapsed();
  if (const auto* failure = std::get_if<Failure>(&attempt_end.result)) {
    attempt.failure = failure->kind;
    attempt.status = failure->status;
  } else {
    trace_.first_byte = attempt.first_byte_at;
    trace_.usage = std::get<ModelAnswer>(attempt_end.result).usage;
  }
  settle(attempt_end);
  if (attempt_end.answered()) return end(std::get<ModelAnswer>(std::move(attempt_end.result)));
  follow_failure(std::get<Failure>(attempt_end.result));
}

void ModelCall::follow_failure(const Failure& failure) {
  const bool cancelled = control_.with([](const Control& control) { return control.cancelled; });
  if (cancelled && (is_transient(failure.kind) || failure.kind == FailureKind::kCancelled)) {
    return end_cancelled();
  }
  last_failure_ = failure;
  const NextStep next = policy_.after(failure.kind, began_);
  if (next == NextStep::kTryAgain) {
    if (clock_.now() < patience_ends_) return enter_lane(true);
    return give_up(impatience());
  }
  if (next == NextStep::kTurnToNext && turn_to_next(failure.message)) return;
  if (is_transient(failure.kind)) return give_up("trying again did not help");
  end(failure);
}

bool ModelCall::turn_to_next(const std::string& reason) {
  chain_[current_].ruled_out = true;
  std::optional<std::size_t> next = next_link(current_);
  const auto window = [&](std::size_t i) { return chain_[i].model.facts.context_window; };
  // A request too long for one model is too long for every model with the same or a smaller window.
  while (next && last_failure_ && last_failure_->kind == FailureKind::kContextTooLong &&
         window(current_) && window(*next) && *window(*next) <= *window(current_)) {
    next = next_link(*next);
  }
  if (!next) return false;
  move_to(*next, std::string(to_string(last_failure_->kind)) + ": " + reason);
  settled_for_ = false;
  enter_lane(false);
  return true;
}

std::size_t ModelCall::soonest_link() const {
  std::size_t soonest = current_;
  TimePoint soonest_at = TimePoint::max();
  for (std::size_t i = 0; i < chain_.size(); ++i) {
    if (chain_[i].ruled_out) continue;
    const auto until = governor_.lane(chain_[i].model)->unavailable_until();
    if (until.value_or(TimePoint::min()) >= soonest_at) continue;
    soonest = i;
    soonest_at = until.value_or(TimePoint::min());
  }
  return soonest;
}

void ModelCall::turn_from_unavailable() {
  const std::string reason =
      link().name + " is unavailable" +
      (last_failure_ ? ": " + last_failure_->message : std::string(": its circuit is open"));
  std::optional<std::size_t> next = next_link(current_);
  while (next && governor_.lane(chain_[*next].model)->unavailable_until()) next = next_link(*next);
  if (!next) {
    // Every model is unavailable: wait for the one that may be tried first.
    settled_for_ = true;
    next = soonest_link();
  }
  if (*next != current_) move_to(*next, reason);
  enter_lane(*next == current_ && !trace_.attempts.empty());
}

std::string ModelCall::impatience() const {
  return "the patience of " + duration_text(*request_.patience) + " (model.patience) ran out";
}

void ModelCall::give_up(const std::string& why) {
  Failure failure;
  failure.kind = FailureKind::kGaveUp;
  failure.message = link().name + ": gave up after " + duration_text(elapsed()) + " and " +
                    std::to_string(trace_.attempts.size()) +
                    (trace_.attempts.size() == 1 ? " attempt: " : " attempts: ") + why;
  if (last_failure_) {
    failure.message += "; the last failure was " + std::string(to_string(last_failure_->kind)) +
                       ": " + last_failure_->message;
    failure.status = last_failure_->status;
    failure.request_id = last_failure_->request_id;
  }
  end(std::move(failure));
}

void ModelCall::end_cancelled() {
  Failure failure;
  failure.kind = FailureKind::kCancelled;
  failure.message = (chain_.empty() ? request_.model : link().name) + ": the call was cancelled";
  end(std::move(failure));
}

void ModelCall::end(std::variant<ModelAnswer, Failure> result) {
  control_.with([](Control& control) { control.lane.reset(); });
  if (!chain_.empty()) {
    trace_.provider = link().model.provider->name();
    trace_.model = link().model.model;
  }
  trace_.latency = elapsed();
  sink_->on_end({std::move(result), std::move(trace_)});
}

}  // namespace clever::provider
