#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "worker/internal/hints.h"
#include "worker/internal/scan_hints.h"
#include "worker/internal/settle.h"
#include "worker/job_queue.h"

namespace clever::worker {

/// One exchange with the store, unit of work by unit of work:
///   1. settle and claim (and look for expired leases, if it is time);
///   2. if there was nothing: claim again, looking deeper, look for expired leases, and for the
///      next due time (a thorough claim begins with this);
///   3. if leases expired: their jobs wait again, or are dead; claim.
/// The answer to a step starts the next one; the exchange owns itself until it is done.
class JobQueue::Exchange : public std::enable_shared_from_this<JobQueue::Exchange> {
 public:
  Exchange(JobQueue& jobs, std::string queue, std::optional<Claim> claim, Done<Exchanged> done);

  void begin(const Settlement& settlement);

 private:
  using Depth = internal::ScanHints::Depth;
  struct Expired {
    std::vector<std::int64_t> ids;
    std::vector<std::int64_t> lanes;
    std::vector<internal::Returned> jobs;
  };

  void submit();
  void add_claim(bool thorough);
  void add_sweep();
  void add_next_ready();
  void add_thorough();
  void received(base::Result<storage::Receipt> result);
  void failed(base::Error error);
  void read_claim(const storage::Rows& rows);
  Expired read_sweep(const storage::Receipt& receipt);
  void read_next_ready(const storage::Rows& rows);
  void expire(Expired expired);
  void finish();

  // Constant after construction.
  JobQueue& jobs_;
  const std::string queue_;
  const std::optional<Claim> claim_;
  Done<Exchanged> done_;

  // Of the step in progress.
  storage::UnitOfWork unit_;
  std::optional<internal::Settle> settle_;
  std::optional<std::size_t> claimed_;
  std::optional<std::size_t> swept_;
  std::optional<std::size_t> next_ready_;
  std::optional<std::size_t> unblocked_;
  Depth depth_ = Depth::kTop;
  base::TimePoint began_{};
  bool moved_ = false;  // jobs were set aside: there may be others behind them

  bool committed_ = false;  // a step was committed
  Exchanged result_;
};

}  // namespace clever::worker
