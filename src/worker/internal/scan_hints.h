#pragma once
#include <array>
#include <cstdint>

#include "base/clock.h"
#include "worker/job.h"

namespace clever::worker::internal {

/// Where claims of one queue begin to look.
///
/// Claimed and completed jobs leave entries in PostgreSQL's index that stay there as long as any
/// transaction that could see them is open, and each claim would walk over all of them. Within a
/// priority jobs are claimed in the order of the time at which they became ready, which for new
/// ones is the present: what lies before the last job claimed is gone, but for a few exceptions (a
/// transaction that took its time to commit, a job released or unblocked by another process). So
/// most claims begin at the last job claimed; at times, and whenever that finds nothing, one begins
/// where claims were half a minute ago; rarely, one begins at the beginning. The deeper ones are as
/// frequent as a small share of the time allows.
///
/// Not thread-safe.
class ScanHints {
 public:
  using Floors = std::array<std::int64_t, kPriorities>;
  enum class Depth : std::uint8_t { kTop, kRecent, kAll };

  /// For the next claim; `thorough`: the one before found nothing.
  [[nodiscard]] Depth next(base::TimePoint now, bool thorough) const;
  [[nodiscard]] Floors floors(Depth depth) const;
  /// When it is worth looking again after a thorough claim of this depth found nothing.
  [[nodiscard]] base::TimePoint look_again(base::TimePoint now, Depth depth) const;

  void scanned(Depth depth, base::TimePoint began, base::TimePoint ended);
  void claimed(Priority priority, std::int64_t ready);
  /// A job is waiting again that had been passed.
  void returned(Priority priority, std::int64_t ready);

 private:
  void rotate(base::TimePoint now);

  Floors top_{};
  // top_ as it was at rotated_, and as it was kLag or more before that.
  Floors newer_{};
  Floors older_{};
  base::TimePoint rotated_{};
  // How long a claim takes anyway.
  base::Duration usual_{};
  base::TimePoint recent_due_{};
  base::TimePoint recent_allowed_{};
  base::TimePoint all_due_{};
  bool begun_ = false;
};

}  // namespace clever::worker::internal
