#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/id.h"
#include "model/phase.h"
#include "sandbox/workspace.h"

namespace clever::engine {

/// What a turn's context is assembled for. A value.
struct ContextRequest {
  model::PlanId plan{};
  model::Phase phase = model::Phase::kStrategize;
  /// The task, and the present step.
  std::string query{};
  /// Paths that the step or the task names.
  std::vector<std::string> focus{};
  std::shared_ptr<sandbox::Workspace> workspace{};
  /// Bytes of text.
  std::size_t budget = std::size_t{64} << 10U;
};

/// A piece of the context, and why it is there. A value.
struct ContextFragment {
  std::string path{};
  std::string text{};
  std::string why{};
};

struct AssembledContext {
  std::vector<ContextFragment> fragments{};
  /// What was left out for lack of room, in words; may be empty.
  std::string remark{};
};

/// Chooses what a model sees of the project beside the conversation. The seam that the context
/// module fills; FilesContext is what there is without it. Thread-safe; may block: called on
/// Scheduler::blocking().
class ContextSource {
 public:
  virtual ~ContextSource() = default;
  /// Never more than the budget; deterministic for the same workspace and request.
  virtual base::Result<AssembledContext> assemble(
      const ContextRequest& request, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never()) = 0;
};

}  // namespace clever::engine
