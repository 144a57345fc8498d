#pragma once
#include <cstdint>

#include "base/clock.h"
#include "crash/place.h"
#include "crash/report.h"
#include "storage/engine.h"
#include "storage/owner_lock.h"

namespace clever::storage::crash {

/// What is wrong with a load on purpose, so that the checks can be seen to find it.
enum class Flaw : std::uint8_t {
  kNone,
  kReportsEarly,  // says done before the commit
  kSplitsUnits,   // writes the two places of a unit by two units
  kForgetsKeys,   // tries again without the idempotency key
};

struct LoadOptions {
  std::uint64_t seed = 1;
  /// Part of every tag: no two runs on one database have the same.
  int run = 0;
  int process = 0;
  int threads = 3;
  /// Of each thread; by default it goes on until it is killed.
  int operations = 1'000'000'000;
  /// Errors that say so are no fault.
  bool server_may_die = false;
  /// The same of the disk; and what was answered with such an error may have happened.
  bool disk_may_fail = false;
  Flaw flaw = Flaw::kNone;
};

/// A mixed load: each thread owns a plan and appends to its journal (events, bodies, effects,
/// decisions), consumes the plan's inbox, and sends commands to others; all share
/// counters and a queue of jobs. `tell` hears of each operation once its call has said done.
/// Returns when all threads have done their operations.
void run_load(Engine& engine, base::Clock& clock, const OwnerLock& owner,
              std::chrono::microseconds lease_of_jobs, const LoadOptions& options,
              const Tell& tell);

/// Opens the database, runs the load, closes it.
void run_load(const Place& place, const LoadOptions& options, const Tell& tell);

}  // namespace clever::storage::crash
