#include "worker/internal/scan_hints.h"

#include <algorithm>

namespace clever::worker::internal {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr base::Duration kLag = seconds{30};
constexpr base::Duration kRecentInterval = milliseconds{250};
constexpr base::Duration kAllInterval = seconds{60};
// A scan rests for this many times its own duration.
constexpr int kRecentRest = 20;
constexpr int kAllRest = 100;

}  // namespace

ScanHints::Depth ScanHints::next(base::TimePoint now, bool thorough) const {
  if (!begun_ || now >= all_due_) return Depth::kAll;
  if (now >= (thorough ? recent_allowed_ : recent_due_)) return Depth::kRecent;
  return Depth::kTop;
}

ScanHints::Floors ScanHints::floors(Depth depth) const {
  switch (depth) {
    case Depth::kTop:
      return top_;
    case Depth::kRecent:
      return older_;
    case Depth::kAll:
      break;
  }
  return {};
}

base::TimePoint ScanHints::look_again(base::TimePoint now, Depth depth) const {
  return std::max(now, depth == Depth::kTop ? recent_allowed_ : all_due_);
}

void ScanHints::scanned(Depth depth, base::TimePoint began, base::TimePoint ended) {
  const base::Duration took = ended - began;
  if (depth == Depth::kTop) {
    usual_ += (took - usual_) / 8;
  } else {
    const base::Duration extra = std::max(took - usual_, base::Duration::zero());
    recent_allowed_ = ended + kRecentRest * extra;
    recent_due_ = ended + std::max(kRecentInterval, kRecentRest * extra);
    if (depth == Depth::kAll) all_due_ = ended + std::max(kAllInterval, kAllRest * extra);
  }
  begun_ = true;
  rotate(ended);
}

void ScanHints::claimed(Priority priority, std::int64_t ready) {
  auto& floor = top_[static_cast<std::size_t>(priority)];
  floor = std::max(floor, ready);
}

void ScanHints::returned(Priority priority, std::int64_t ready) {
  for (auto* floors : {&top_, &newer_, &older_}) {
    auto& floor = (*floors)[static_cast<std::size_t>(priority)];
    floor = std::min(floor, ready);
  }
}

void ScanHints::rotate(base::TimePoint now) {
  if (now - rotated_ < kLag) return;
  older_ = newer_;
  newer_ = top_;
  rotated_ = now;
}

}  // namespace clever::worker::internal
