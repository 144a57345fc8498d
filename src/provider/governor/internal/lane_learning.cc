// How a lane learns from the outcomes of its calls: limits, pauses, the window and the circuit.
#include <algorithm>
#include <cmath>

#include "provider/governor/internal/lane_state.h"

namespace clever::provider::governor {

using base::Duration;
using base::TimePoint;

namespace {

constexpr Duration kFirstBackoff = std::chrono::seconds(1);
constexpr Duration kLongestBackoff = std::chrono::minutes(1);
// Honours the wait that a provider asks for and exceeds it by up to this part, so that its clients
// do not all return at the same moment.
constexpr double kAskedJitter = 0.1;
// The inverse weight of the newest value in an average.
constexpr int kNewest = 8;

Duration scaled(Duration duration, double factor) {
  return Duration(static_cast<Duration::rep>(static_cast<double>(duration.count()) * factor));
}

}  // namespace

void LaneState::begin(Ticket ticket) {
  const auto found = running_.find(ticket);
  if (found == running_.end()) return;
  Running& call = found->second;
  call.begun = true;
  if (call.permit.is_probe()) prove_well(call);
  // The answer's end may bring limits that are still unknown.
  if (call.observed || !window_.is_cold()) accept(call);
}

void LaneState::observe(Ticket ticket, const RateObservation& rates, TimePoint now) {
  learn(rates, now);
  const auto found = running_.find(ticket);
  if (found == running_.end()) return;
  found->second.observed = true;
  if (found->second.begun) accept(found->second);
}

void LaneState::accept(Running& call) {
  if (std::exchange(call.accepted, true)) return;
  window_.on_answer(static_cast<std::int64_t>(running_.size()) >= window_.size());
}

void LaneState::prove_well(Running& call) {
  if (call.permit.is_probe() && !call.proven) window_.restart();
  call.proven = true;
  call.permit.succeed();
  if (circuit_suspect_) circuit_suspect_ = circuit_state() != base::CircuitState::kClosed;
}

void LaneState::settle(Ticket ticket, const Settlement& settlement, TimePoint now) {
  const auto found = running_.find(ticket);
  if (found == running_.end()) return;
  correct_tokens(found->second, settlement);
  // The limits in the header are outdated if the answer took long.
  if (!found->second.observed) learn(settlement.rates, now);
  count_outcome(found->second, settlement, now);
  running_.erase(found);
  share_window();
}

void LaneState::count_outcome(Running& call, const Settlement& settlement, TimePoint now) {
  if (settlement.failure) return fail(call, settlement, now);
  prove_well(call);
  accept(call);
  mean_latency_ += (now - call.since - mean_latency_) / (mean_latency_ == Duration() ? 1 : kNewest);
  if (call.since > wall_met_) walls_ = 0;
  guess_.on_answer();
  if (!known_) know();
}

// What a failure says about the provider:
//     kRateLimited                           well, but asks for less: pause and a smaller window
//     kOverloaded                            unwell: counts for the circuit, pause, smaller window
//     kConnection, kTimeout, kCut, kMalformed  unwell: counts for the circuit, pause
//     kCancelled, kMisconfigured             nothing
//     the other permanent ones               well: it has looked at the request
void LaneState::fail(Running& call, const Settlement& settlement, TimePoint now) {
  const FailureKind kind = *settlement.failure;
  if (!is_transient(kind)) {
    const bool silent = kind == FailureKind::kCancelled || kind == FailureKind::kMisconfigured;
    return silent ? call.permit.abandon() : prove_well(call);
  }
  if (kind == FailureKind::kRateLimited) {
    call.permit.abandon();
  } else {
    circuit_suspect_ = true;
    guess_.on_outage();
    call.permit.fail();
  }
  const bool too_much = kind == FailureKind::kRateLimited || kind == FailureKind::kOverloaded;
  // A probe runs alone and cannot be too much.
  if (too_much && call.since > wall_met_ && !call.permit.is_probe()) window_.on_pushback();
  const bool unknown_limit = !meter(Metered::kRequests).limit().has_value();
  if (kind == FailureKind::kRateLimited && call.since > wall_met_ && unknown_limit) {
    guess_.on_refusal(now);
  }
  meet_wall(call, settlement, now);
}

void LaneState::meet_wall(const Running& call, const Settlement& settlement, TimePoint now) {
  Duration pause{};
  if (call.since > wall_met_) {
    ++walls_;
    wall_met_ = now;
    pause = backoff();
  }
  if (settlement.retry_after) {
    const double longer = 1 + kAskedJitter * random_->uniform();
    pause = std::max(pause, scaled(*settlement.retry_after, longer));
  }
  TimePoint until = now + pause;
  if (circuit_suspect_) until = std::max(until, circuit_->next_attempt());
  pause_until(until, settlement.failure, now);
}

Duration LaneState::backoff() {
  const unsigned doublings = std::min(walls_ - 1, 6U);
  const Duration longest = std::min(kFirstBackoff * (1 << doublings), kLongestBackoff);
  return scaled(longest, 0.5 + 0.5 * random_->uniform());
}

void LaneState::pause_until(TimePoint until, std::optional<FailureKind> cause, TimePoint now) {
  if (until <= paused_until_ || until <= now) return;
  paused_until_ = until;
  pause_cause_ = cause;
  if (until - now > kLongWait) plan_notices(now);
  if (options_.leased && cause) {
    if (!news_) news_.emplace();
    news_->paused_until = until;
  }
}

void LaneState::correct_tokens(const Running& call, const Settlement& settlement) {
  const bool counted = !settlement.failure || settlement.failure == FailureKind::kCut;
  // A failure that does not mention tokens is assumed to have used none.
  const TokenCount used = settlement.used.value_or(counted ? call.tokens : TokenCount{});
  const std::int64_t input = call.tokens.input - used.input;
  const std::int64_t output = call.tokens.output - used.output;
  meter(Metered::kTokens).give_back(input + output);
  meter(Metered::kInputTokens).give_back(input);
  meter(Metered::kOutputTokens).give_back(output);
  mean_tokens_ += (static_cast<double>(used.input + used.output) - mean_tokens_) / kNewest;
}

void LaneState::learn(const RateObservation& rates, TimePoint now) {
  const auto before = learned_;
  learn(Metered::kRequests, rates.requests, now);
  learn(Metered::kTokens, rates.tokens, now);
  learn(Metered::kInputTokens, rates.input_tokens, now);
  learn(Metered::kOutputTokens, rates.output_tokens, now);
  if (learned_ == before) return;
  apply_limits();
  know();
}

void LaneState::learn(Metered what, const RateHeader& header, TimePoint now) {
  const bool sensible = header.limit && *header.limit > 0 && header.window.count() > 0;
  if (sensible) learned_[static_cast<std::size_t>(what)] = RateLimit{*header.limit, header.window};
  if (header.remaining && *header.remaining <= 0 && header.reset) {
    meter(what).hold_until(now + *header.reset);
  }
}

void LaneState::apply_limits() {
  for (std::size_t i = 0; i < kMeteredKinds; ++i) {
    std::optional<RateLimit> limit = learned_[i];
    if (options_.limits[i])
      limit = limit ? stricter(*limit, *options_.limits[i]) : options_.limits[i];
    meters_[i].limit(limit);
  }
  if (meters_[0].limit()) guess_.forget();
}

void LaneState::know() {
  known_ = true;
  meter(Metered::kRequests).cold(false);
  if (!options_.leased) return;
  if (!news_) news_.emplace();
  news_->known = true;
  for (std::size_t i = 0; i < kMeteredKinds; ++i) news_->rates[i] = meters_[i].limit();
}

// Shares the window once per doubling or halving, not per call.
void LaneState::share_window() {
  const std::int64_t size = window_.size();
  const bool is_other = size >= 2 * shared_window_ || 2 * size <= shared_window_;
  if (!options_.leased || !known_ || window_.is_cold() || !is_other) return;
  shared_window_ = size;
  if (!news_) news_.emplace();
  news_->window = size;
}

std::optional<LaneNews> LaneState::take_news() { return std::exchange(news_, std::nullopt); }

}  // namespace clever::provider::governor
