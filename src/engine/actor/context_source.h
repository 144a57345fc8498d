#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "context/strategy.h"
#include "git/object_store.h"
#include "git/project.h"
#include "model/context_snapshot.h"
#include "model/id.h"
#include "model/phase.h"
#include "model/plan_settings.h"
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

  // For sources that search; without a project and a tree they search nothing.
  std::optional<git::Project> project{};
  /// The store of the workspace's objects (null: the workspace knows it), and the tree to search.
  std::shared_ptr<git::ObjectStore> store{};
  std::optional<git::ObjectId> tree{};
  /// HEAD when the work began; may be empty.
  std::string commit{};
  /// The model that will read it.
  model::ModelTerms terms{};
  /// Tokens at most; 0: as configured.
  std::size_t tokens = 0;
  /// Part of a larger plan: an overview of the whole is added.
  bool is_subplan = false;
  std::vector<context::DecisionNote> decisions{};
};

/// A piece of the context, and why it is there. A value.
struct ContextFragment {
  std::string path{};
  std::string text{};
  std::string why{};
  /// What it is, for the model; empty: "file", or "project_files" without a path.
  std::string tag{};
};

struct AssembledContext {
  std::vector<ContextFragment> fragments{};
  /// What was left out for lack of room, in words; may be empty.
  std::string remark{};
  /// The basis of a later decision, for inspection.
  model::ContextSnapshot snapshot{};
};

/// Chooses the part of the project that a model sees beside the conversation. The context module
/// implements it; FilesContext works without that module. Thread-safe; may block: called on
/// Scheduler::blocking().
class ContextSource {
 public:
  virtual ~ContextSource() = default;
  /// Never more than the budget; deterministic for the same workspace and request.
  virtual base::Result<AssembledContext> assemble(
      const ContextRequest& request, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never()) = 0;
  /// Whether it searches: the request then names the files and earlier decisions.
  [[nodiscard]] virtual bool searches() const { return false; }
  /// Announces a request for these files, so that slow preparation can start. Never waits. Needs
  /// project, store and tree.
  virtual void prepare(const ContextRequest& /*request*/) {}
};

}  // namespace clever::engine
