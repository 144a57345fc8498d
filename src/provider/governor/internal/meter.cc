#include "provider/governor/internal/meter.h"

#include <algorithm>

namespace clever::provider::governor {
namespace {

// Takes up to `amount` slots off the front of a run.
std::int64_t take_front(SlotRun& run, std::int64_t amount) {
  const std::int64_t taken = std::min(amount, run.count);
  run.first += taken * run.interval;
  run.count -= taken;
  return taken;
}

std::int64_t void_slots(const SlotRun& run, base::TimePoint now) {
  const base::Duration late = now - run.grace - run.first;
  if (late <= base::Duration::zero()) return 0;
  if (run.interval <= base::Duration::zero()) return run.count;
  return std::min(run.count, (late + run.interval - base::Duration(1)) / run.interval);
}

}  // namespace

void Meter::limit(const std::optional<RateLimit>& limit) {
  if (limit == limit_) return;
  const bool first = !limit_.has_value();
  limit_ = limit;
  if (!limit_) return;
  pace_ = Pace::of(*limit_);
  if (first && last_taken_ > 0) next_ = last_taken_at_ + last_taken_ * pace_.interval;
}

base::TimePoint Meter::ready_at() const {
  if (!limited()) return held_until_;
  if (source_ == Source::kOwn) return std::max(held_until_, next_);
  return runs_.empty() ? base::TimePoint::max() : std::max(held_until_, runs_.front().first);
}

void Meter::take(std::int64_t amount, base::TimePoint now) {
  last_taken_at_ = now;
  last_taken_ = amount;
  if (!limited() || amount <= 0) return;
  if (source_ == Source::kOwn) {
    (void)take_slots(next_, pace_, amount, now);
  } else {
    take_leased(amount);
  }
}

void Meter::take_leased(std::int64_t amount) {
  stock_ -= amount;
  while (amount > 0 && !runs_.empty()) {
    amount -= take_front(runs_.front(), amount);
    if (runs_.front().count == 0) runs_.pop_front();
  }
}

void Meter::give_back(std::int64_t amount) {
  if (!limited()) return;
  if (source_ == Source::kOwn) {
    next_ -= amount * pace_.interval;
  } else if (amount < 0) {
    take_leased(-amount);
  } else {
    // Only reduces a debt: expired slots cannot be used again.
    stock_ = std::max(stock_, std::min<std::int64_t>(stock_ + amount, 0));
  }
}

void Meter::add(SlotRun run) {
  const std::int64_t owed = std::clamp<std::int64_t>(-stock_, 0, run.count);
  stock_ += run.count;
  (void)take_front(run, owed);
  if (run.count > 0) runs_.push_back(run);
}

std::int64_t Meter::expire(base::TimePoint now) {
  std::int64_t lost = 0;
  while (!runs_.empty()) {
    const std::int64_t dropped = take_front(runs_.front(), void_slots(runs_.front(), now));
    lost += dropped;
    if (runs_.front().count > 0) break;
    runs_.pop_front();
  }
  stock_ -= lost;
  return lost;
}

}  // namespace clever::provider::governor
