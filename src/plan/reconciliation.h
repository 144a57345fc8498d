#pragma once
#include <string>
#include <vector>

#include "model/control_settings.h"

namespace clever::plan {

/// Which invariants are compatible. A value.
struct Reconciled {
  /// The wider ones first.
  std::vector<model::Invariant> in_force{};
  /// A sentence that names two contradictory ones, and the remedy; empty if there are none.
  std::string conflict{};
};

/// Of those with the same name the more specific one counts; that is a conflict if a wider one is
/// non_overridable and differs. A sentence and its plain negation ("X" and "not X", "always X" and
/// "never X") are a conflict too, under any names. Pure.
[[nodiscard]] Reconciled reconcile(const std::vector<model::Invariant>& invariants);

/// "the global invariant api ("The API stays.")"
[[nodiscard]] std::string shown(const model::Invariant& invariant);

}  // namespace clever::plan
