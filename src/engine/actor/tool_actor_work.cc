#include <algorithm>

#include "engine/actor/internal/actor_work.h"
#include "engine/actor/tool_actor.h"

namespace clever::engine {

base::Result<ToolActorResult> ToolActorRunner::work(
    const Actor& actor, const std::map<std::string, std::string>& arguments,
    const std::vector<std::string>& paths, sandbox::Workspace& workspace,
    const base::StopToken& stop) const {
  if (actor.type != ActorType::kTool) {
    return base::invalid_argument("the actor " + actor.name + " works with a model");
  }
  CLEVER_ASSIGN(const auto values, actor_arguments(actor, arguments));
  for (const auto& [name, value] : values) {
    if (value.contains('\0')) {
      return base::invalid_argument("the argument " + name +
                                    " contains a NUL character: remove it");
    }
  }
  internal::ActorWork work(values, paths, workspace, commands_.get(), stop);
  for (std::size_t i = 0; i < actor.steps.size(); ++i) {
    auto done = work.run(actor.steps[i]);
    if (done.ok()) continue;
    return std::move(done).error().add_context(actor.name + ", step " + std::to_string(i + 1) +
                                               " (" + actor.steps[i].kind + ")");
  }
  return work.result();
}

}  // namespace clever::engine
