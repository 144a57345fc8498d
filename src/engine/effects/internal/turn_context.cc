#include "engine/effects/internal/turn_context.h"

namespace clever::engine::internal {
namespace {

const model::StrategyStep* active_step(const plan::State& plan) {
  return plan.active ? &plan.steps[*plan.active].definition : nullptr;
}

ContextRequest request_for(const plan::State& plan, const std::string& task) {
  ContextRequest request{.plan = plan.id, .phase = plan.phase, .query = task};
  request.focus = plan.settings.paths;
  if (const model::StrategyStep* step = active_step(plan)) {
    request.query += "\n" + step->title + "\n" + step->detail;
    request.focus.insert(request.focus.end(), step->paths.begin(), step->paths.end());
  }
  return request;
}

// What the step is about, and the files that the task names.
std::vector<std::string> paths_of(const ContextRequest& request, const AssembledContext& context) {
  std::vector<std::string> paths = request.focus;
  for (const ContextFragment& fragment : context.fragments) {
    if (!fragment.path.empty()) paths.push_back(fragment.path);
  }
  return paths;
}

base::Sha256Digest key_of(const plan::State& plan, const ContextRequest& request) {
  constexpr std::string_view kEnd("\0", 1);
  base::Sha256 hash;
  hash.update(plan.id.to_string()).update(plan.tree).update(to_string(request.phase)).update(kEnd);
  for (const std::string& path : request.focus) hash.update(path).update(kEnd);
  return hash.update(kEnd).update(request.query).finish();
}

}  // namespace

base::Result<std::shared_ptr<const TurnContext>> TurnContexts::of(const plan::State& plan,
                                                                  const std::string& task,
                                                                  const base::StopToken& stop) {
  ContextRequest request = request_for(plan, task);
  return kept_.get(
      key_of(plan, request), [&]() -> base::Result<std::shared_ptr<const TurnContext>> {
        CLEVER_ASSIGN(request.workspace, workspaces_.look(plan));
        auto made = std::make_shared<TurnContext>();
        CLEVER_ASSIGN(made->context, source_.assemble(request, stop));
        CLEVER_ASSIGN(made->instructions,
                      instructions_for(*request.workspace, paths_of(request, made->context)));
        return made;
      });
}

}  // namespace clever::engine::internal
