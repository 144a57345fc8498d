#pragma once
#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "model/id.h"

namespace clever::worker {

/// Names a job for the life of its database; never reused.
enum class JobId : std::int64_t {};
/// How often a job was begun, which is the epoch of its lease. Only grows.
enum class AttemptNumber : std::int64_t {};

[[nodiscard]] constexpr std::int64_t number(JobId id) { return static_cast<std::int64_t>(id); }
[[nodiscard]] constexpr std::int64_t number(AttemptNumber attempt) {
  return static_cast<std::int64_t>(attempt);
}

enum class Priority : std::uint8_t { kUrgent, kHigh, kNormal, kLow };
inline constexpr std::size_t kPriorities = 4;

/// The right to run one attempt of a job. A value; only the store knows whether it is still valid.
struct Lease {
  JobId id{};
  AttemptNumber attempt{};
  /// The lane of the job's concurrency key, if it has one.
  std::optional<std::int64_t> lane;

  friend auto operator<=>(const Lease&, const Lease&) = default;
};

/// A job to enqueue.
struct NewJob {
  std::string queue = "default";
  std::string body;
  /// Idempotency: while a job with this key exists, enqueueing it again changes nothing.
  std::optional<std::string> key{};
  Priority priority = Priority::kNormal;
  /// By the database's clock.
  std::optional<base::WallTime> not_before{};
  /// Of the jobs with the same key, in any queue, one runs at a time.
  std::optional<std::string> concurrency{};
  std::int64_t max_attempts = 10;
  model::EffectId effect{};
  /// The share of the job: the shares with jobs take turns, whatever their number of jobs. Workers
  /// of such a queue look everywhere (AsyncWorker::Options::fair).
  std::optional<std::string> share{};
};

struct Enqueued {
  /// None if a job with the same key existed and ended at that very moment.
  std::optional<JobId> id;
  bool existed = false;
};

/// A claimed job with its lease.
struct Job {
  Lease lease;
  std::string queue;
  std::string body;
  Priority priority = Priority::kNormal;
  std::int64_t max_attempts = 0;
  model::EffectId effect;
  base::WallTime enqueued;
};

/// A job that failed too often.
struct DeadJob {
  JobId id{};
  std::string queue;
  std::string body;
  std::int64_t attempts = 0;
  std::string error;
  base::WallTime enqueued;
};

/// A job as lists show it.
struct JobView {
  JobId id{};
  std::string body{};
  Priority priority = Priority::kNormal;
  /// "waiting", "later", "running", "paused" (as running, but without a slot), "dead", "blocked",
  /// "cancelled"
  std::string state{};
  std::int64_t attempts = 0;
  base::WallTime enqueued{};
  /// Why the last attempt failed; empty: none did.
  std::string error{};
  /// Why it was put off or paused; empty: it was not.
  std::string waits_for{};
  /// "later": when it may be claimed.
  base::WallTime ready{};
};

/// A text about a job that begins so says what it waits for.
inline constexpr std::string_view kWaits = "waits: ";
[[nodiscard]] inline std::string waiting_for(const std::string& what) {
  return what.empty() ? what : std::string(kWaits) + what;
}

struct Counts {
  std::int64_t waiting = 0;  // can be claimed now
  std::int64_t later = 0;    // wait for their time
  std::int64_t blocked = 0;  // wait for another job with their concurrency key
  std::int64_t running = 0;  // with a slot
  std::int64_t paused = 0;   // with a worker, but without a slot
  std::int64_t dead = 0;

  friend bool operator==(const Counts&, const Counts&) = default;
};

struct Claim {
  std::string queue = "default";
  std::size_t limit = 1;
  model::OwnerId owner;
  std::chrono::microseconds lease = std::chrono::seconds{30};
  /// Looks everywhere at once, which takes longer: for callers that expect to find nothing.
  bool thorough = false;
};

/// An attempt that failed.
struct Failure {
  Lease lease;
  std::string error;
  /// When to try again; by default the queue's backoff decides.
  std::optional<std::chrono::microseconds> retry_after{};
};

/// The outcomes of attempts.
struct Settlement {
  std::vector<Lease> completed;
  std::vector<Failure> failed;
  /// Not begun after all: waiting again, and the attempt does not count against the job.
  std::vector<Lease> released;

  [[nodiscard]] bool empty() const {
    return completed.empty() && failed.empty() && released.empty();
  }
};

/// Why a lease was lost.
enum class LostBecause : std::uint8_t {
  kStale,      // it expired, or the job is gone
  kCancelled,  // the job was cancelled; it is gone once its attempt is settled
};

struct Lost {
  Lease lease;
  LostBecause why = LostBecause::kStale;

  friend bool operator==(const Lost&, const Lost&) = default;
};

}  // namespace clever::worker
