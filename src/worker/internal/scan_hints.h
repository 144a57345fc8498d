#pragma once
#include <array>
#include <cstdint>

#include "base/clock.h"
#include "worker/job.h"

namespace clever::worker::internal {

/// Where claims of one queue begin to look.
///
/// Claimed and completed jobs leave entries in PostgreSQL's index for as long as any open
/// transaction could see them, and each claim would walk over all of them. Within a priority, jobs
/// are claimed in the order in which they became ready, which for new ones is the present:
/// everything before the last claimed job is gone, with few exceptions (a transaction that was slow
/// to commit, a job that another process released or unblocked). So most claims begin at the last
/// claimed job; sometimes, and whenever that finds nothing, one begins where claims were half a
/// minute ago; rarely, one begins at the beginning. The deeper ones are as frequent as a small
/// share of the time allows.
///
/// Not thread-safe.
class ScanHints {
 public:
  using Floors = std::array<std::int64_t, kPriorities>;
  enum class Depth : std::uint8_t { kTop, kRecent, kAll };

  /// The depth of the next claim; `thorough`: the last one found nothing.
  [[nodiscard]] Depth next(base::TimePoint now, bool thorough) const;
  [[nodiscard]] Floors floors(Depth depth) const;
  /// When to look again after a thorough claim of this depth found nothing.
  [[nodiscard]] base::TimePoint look_again(base::TimePoint now, Depth depth) const;

  void scanned(Depth depth, base::TimePoint began, base::TimePoint ended);
  void claimed(Priority priority, std::int64_t ready);
  /// A job that had been passed waits again.
  void returned(Priority priority, std::int64_t ready);

 private:
  void rotate(base::TimePoint now);

  Floors top_{};
  // top_ at rotated_, and at least kLag before that.
  Floors newer_{};
  Floors older_{};
  base::TimePoint rotated_{};
  // The usual duration of a claim.
  base::Duration usual_{};
  base::TimePoint recent_due_{};
  base::TimePoint recent_allowed_{};
  base::TimePoint all_due_{};
  bool begun_ = false;
};

}  // namespace clever::worker::internal
