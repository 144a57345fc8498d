#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "model/id.h"
#include "storage/engine.h"

namespace clever::storage {

/// Something in a journal that is not as it was written. A value.
struct JournalFault {
  /// None for a content that belongs to no single plan.
  model::PlanId plan{};
  /// Of the event where it shows; 0 if it is about the whole journal.
  std::int64_t sequence = 0;
  std::string what{};

  /// "plan 01J…, event 7: its hash is not that of its content"
  [[nodiscard]] std::string to_string() const;
  friend bool operator==(const JournalFault&, const JournalFault&) = default;
};

/// What a check went through, and what it found. A value.
struct JournalVerdict {
  std::uint64_t plans = 0;
  std::uint64_t events = 0;
  std::uint64_t bodies = 0;
  /// Payloads that were removed on purpose (retention.h).
  std::uint64_t expired = 0;
  std::vector<JournalFault> faults{};

  [[nodiscard]] bool sound() const { return faults.empty(); }
};

/// Recomputes hash chains: shows any event that was changed, deleted, inserted or swapped since it
/// was appended, heads that do not fit, and contents that are missing or changed. What is cut off
/// at the end together with the head, or written anew from some point on with all its hashes, only
/// a hash kept elsewhere could show.
///
/// Thread-safe. The engine must outlive it. An error means that it could not look, not that it
/// found something.
class JournalVerify {
 public:
  explicit JournalVerify(Engine& engine) : engine_(engine) {}

  /// One plan as it is at one moment. `not_found` if there is no such plan.
  [[nodiscard]] base::Result<JournalVerdict> verify(const model::PlanId& plan,
                                                    const base::StopToken& stop = {});

  /// All plans and contents, each plan at a moment of its own. At most 100 faults are listed.
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
