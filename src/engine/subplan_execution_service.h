#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "diff/merge.h"
#include "git/object_store.h"
#include "model/change.h"
#include "model/message.h"
#include "plan/command.h"
#include "plan/state.h"

// Subplans: when one starts, what it starts from, and how what they made comes together. When to
// spawn, retry and cancel is decided in the plan's own journal (src/plan); here is the rest.
namespace clever::engine {

/// What children made, merged, and what that changed in their parent's tree. A value.
struct ChildrensWork {
  plan::Merged merged{};
  std::vector<model::ChangeEntry> changes{};
};

/// The command that creates the child of a subplan.run effect: task, settings and base follow from
/// the parent's state alone, so that a crash in between makes the same child again.
class SubplanExecutionService {
 public:
  /// What the child of a step is created with, once its base tree is known. `guidance`: what people
  /// said about the step when they corrected it.
  [[nodiscard]] base::Result<plan::Create> child(
      const plan::State& parent, const std::string& step, const model::EffectId& effect,
      const std::string& base_tree, const std::vector<model::Message>& prompts,
      const std::vector<model::Message>& guidance = {}) const;

  /// The tree that a step starts from: the parent's, with the results of all steps it depends on
  /// (and those they depend on) that are not merged yet, merged in the order of the strategy.
  [[nodiscard]] base::Result<std::string> base_of(const plan::State& parent,
                                                  const std::string& step, git::ObjectStore& store,
                                                  const base::StopToken& stop) const;

  /// The results of the steps merged into the parent's tree in the order of the strategy, by the
  /// plan's merge strategy. Synced.
  [[nodiscard]] base::Result<ChildrensWork> merge(const plan::State& parent,
                                                  const std::vector<std::string>& steps,
                                                  git::ObjectStore& store,
                                                  const base::StopToken& stop) const;
};

}  // namespace clever::engine
