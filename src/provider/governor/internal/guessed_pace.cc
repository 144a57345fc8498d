#include "provider/governor/internal/guessed_pace.h"

#include <algorithm>

namespace clever::provider::governor {
namespace {

constexpr base::Duration kSlowest = std::chrono::seconds(30);
// Each answer shortens the interval by one part in this many.
constexpr int kFaster = 200;

}  // namespace

void GuessedPace::on_start(base::TimePoint now) noexcept {
  last_start_ = now;
  if (!counted_from_) counted_from_ = now;
}

void GuessedPace::on_outage() noexcept {
  counted_from_.reset();
  answers_ = 0;
}

void GuessedPace::on_answer() noexcept {
  ++answers_;
  interval_ -= interval_ / kFaster;
}

void GuessedPace::on_refusal(base::TimePoint now) noexcept {
  const bool counted = counted_from_ && answers_ > 0;
  const base::Duration seen = counted ? (now - *counted_from_) / answers_ : base::Duration::zero();
  interval_ = std::min(std::max(interval_ + interval_ / 4, seen), kSlowest);
  counted_from_ = now;
  answers_ = 0;
}

}  // namespace clever::provider::governor
