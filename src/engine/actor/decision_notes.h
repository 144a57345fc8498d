#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "context/strategy.h"
#include "model/id.h"
#include "storage/engine.h"

namespace clever::engine {

/// What was decided before: by a plan and those above it, and by the newest other plans of its
/// project, which are looked at once per process. Decisions in force, without the tasks themselves;
/// the nearest plan's first. At most a few hundred.
///
/// Thread-safe; blocks. The database outlives it.
class DecisionNotes {
 public:
  using Notes = std::vector<context::DecisionNote>;

  explicit DecisionNotes(storage::Engine& database);
  ~DecisionNotes();

  [[nodiscard]] base::Result<Notes> of(const model::PlanId& plan,
                                       const std::vector<model::PlanId>& ancestors,
                                       const std::string& project,
                                       const base::StopToken& stop = {});
  /// Of whatever plan of the project, the newest plan's first.
  [[nodiscard]] base::Result<Notes> of_project(const std::string& project,
                                               const base::StopToken& stop = {});

 private:
  struct Known;
  // Constant after construction.
  storage::Engine& database_;
  const std::unique_ptr<Known> known_;
};

}  // namespace clever::engine
