#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "model/id.h"
#include "storage/engine.h"

namespace clever::storage {

/// A part of a journal that was changed after it was written. A value.
struct JournalFault {
  /// None for a content that belongs to no single plan.
  model::PlanId plan{};
  /// The event where it shows; 0 for the whole journal.
  std::int64_t sequence = 0;
  std::string what{};

  /// "plan 01J…, event 7: its hash is not that of its content"
  [[nodiscard]] std::string to_string() const;
  friend bool operator==(const JournalFault&, const JournalFault&) = default;
};

/// What a check covered, and what it found. A value.
struct JournalVerdict {
  std::uint64_t plans = 0;
  std::uint64_t events = 0;
  std::uint64_t bodies = 0;
  /// Payloads that were removed on purpose (retention.h).
  std::uint64_t expired = 0;
  std::vector<JournalFault> faults{};

  [[nodiscard]] bool sound() const { return faults.empty(); }
};

/// Recomputes hash chains. Finds any event that was changed, deleted, inserted or swapped after its
/// append, heads that do not match, and missing or changed contents. Only a hash kept elsewhere
/// could reveal that the end was cut off together with the head, or that the rest was rewritten
/// with all its hashes.
///
/// Thread-safe. The engine must outlive it. An error means that the check could not run, not that
/// it found a fault.
class JournalVerify {
 public:
  explicit JournalVerify(Engine& engine) : engine_(engine) {}

  /// Checks one plan at one moment. `not_found` without such a plan.
  [[nodiscard]] base::Result<JournalVerdict> verify(const model::PlanId& plan,
                                                    const base::StopToken& stop = {});

  /// Checks all plans and contents, each plan at its own moment. Lists at most 100 faults.
  [[nodiscard]] base::Result<JournalVerdict> verify_all(const Progress& progress,
                                                        const base::StopToken& stop = {});

 private:
  base::Result<void> verify_plan(const model::PlanId& plan, const base::StopToken& stop,
                                 JournalVerdict& verdict);
  base::Result<void> verify_bodies(const Progress& progress, const base::StopToken& stop,
                                   JournalVerdict& verdict);
  base::Result<void> find_orphans(const base::StopToken& stop, JournalVerdict& verdict);

  Engine& engine_;
};

}  // namespace clever::storage
