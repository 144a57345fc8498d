#pragma once
#include <string>
#include <vector>

#include "model/control_settings.h"

namespace clever::plan {

/// Which of all invariants hold together. A value.
struct Reconciled {
  /// The wider ones first.
  std::vector<model::Invariant> in_force{};
  /// A sentence that names two which cannot hold together, and the cure; empty: there are none.
  std::string conflict{};
};

/// Of those with one name the more specific counts; that is a conflict where a wider one is
/// non_overridable and says something else. So are a sentence and its plain negation ("X" and "not
/// X", "always X" and "never X"), however they are named. Pure.
[[nodiscard]] Reconciled reconcile(const std::vector<model::Invariant>& invariants);

/// "the global invariant api ("The API stays.")"
[[nodiscard]] std::string shown(const model::Invariant& invariant);

}  // namespace clever::plan
