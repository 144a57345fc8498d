#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "model/event_kinds.h"
#include "storage/engine.h"

namespace clever::storage {

/// A row that was changed by another program. A value.
struct RowFault {
  std::string table;
  /// Its key, as a person would look for it: "id 7", "scope day/2026-01-31".
  std::string row;
  std::string what;

  /// "inbox, id 7: its body is another"
  [[nodiscard]] std::string to_string() const { return table + ", " + row + ": " + what; }
  friend bool operator==(const RowFault&, const RowFault&) = default;
};

struct RowVerdict {
  std::uint64_t rows = 0;
  std::vector<RowFault> faults{};
};

/// Checks the rows beside the journal: commands, traces of calls and caps by their digests, budgets
/// by their sums, epochs of leases by those of the journals, and projections by the events of each
/// plan.
///
/// Thread-safe; others may work meanwhile. The engine must outlive it. An error means that the
/// check could not run, not that it found a fault. Lists at most 100 faults.
class RowVerify {
 public:
  RowVerify(Engine& engine, base::Clock& clock, model::EventKinds kinds = {})
      : engine_(engine), clock_(clock), kinds_(std::move(kinds)) {}

  [[nodiscard]] base::Result<RowVerdict> verify(const Progress& progress,
                                                const base::StopToken& stop = {});

 private:
  Engine& engine_;
  base::Clock& clock_;
  const model::EventKinds kinds_;
};

}  // namespace clever::storage
