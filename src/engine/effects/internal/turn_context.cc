#include "engine/effects/internal/turn_context.h"

#include <algorithm>

#include "engine/actor/withheld_files.h"
#include "model/context_snapshot.h"
#include "plan/who_works.h"

namespace clever::engine::internal {
namespace {

constexpr std::int64_t kMostContextBytes = std::int64_t{512} << 10U;

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

// Returns the step's paths and the files that the task names.
std::vector<std::string> paths_of(const ContextRequest& request, const AssembledContext& context) {
  std::vector<std::string> paths = request.focus;
  // Each project of a group has instructions at its root.
  if (request.project) {
    for (const git::Project& member : request.project->members) paths.push_back(member.name);
  }
  for (const ContextFragment& fragment : context.fragments) {
    if (!fragment.path.empty()) paths.push_back(fragment.path);
  }
  return paths;
}

base::Sha256Digest key_of(const plan::State& plan, const ContextRequest& request) {
  constexpr std::string_view kEnd("\0", 1);
  base::Sha256 hash;
  hash.update(plan.id.to_string())
      .update(tree_of_step(plan))
      .update(to_string(request.phase))
      .update(plan::terms_now(plan).model)
      .update(kEnd);
  for (const std::string& path : request.focus) hash.update(path).update(kEnd);
  return hash.update(kEnd).update(request.query).finish();
}

// Without an index the snapshot is empty: fills in the fragments that the model gets.
void tell_files(AssembledContext& context, const std::string& tree) {
  if (!context.snapshot.fragments.empty()) return;
  context.snapshot.tree = tree;
  context.snapshot.source = "files";
  for (const ContextFragment& fragment : context.fragments) {
    context.snapshot.fragments.push_back({.path = fragment.path, .why = fragment.why});
  }
}

// The snapshot includes the instructions: they influence a decision as files do.
std::string snapshot_of(const TurnContext& turn) {
  model::ContextSnapshot snapshot = turn.context.snapshot;
  for (const ContextFragment& instructions : turn.instructions) {
    snapshot.fragments.push_back(
        {.path = instructions.path, .depth = "instructions", .why = instructions.why});
  }
  if (snapshot.fragments.empty()) return {};
  return snapshot.to_json();
}

}  // namespace

const std::string& tree_of_step(const plan::State& plan) {
  const std::int64_t began = plan.active ? plan.steps[*plan.active].moved_at : 0;
  const std::string* tree = plan.base ? &plan.base->tree : &plan.tree;
  for (const plan::State::Checkpoint& point : plan.checkpoints) {
    if (point.sequence <= began) tree = &point.tree;
  }
  return *tree;
}

base::Result<ContextRequest> files_request(Workspaces& workspaces, const plan::State& plan,
                                           const std::string& tree) {
  ContextRequest request{.plan = plan.id, .phase = plan.phase};
  CLEVER_ASSIGN(request.project, workspaces.project(plan));
  CLEVER_ASSIGN(request.store, workspaces.store(plan));
  CLEVER_ASSIGN(request.tree, git::ObjectId::from_hex(tree));
  if (plan.base) request.commit = plan.base->commit;
  return request;
}

base::Result<void> TurnContexts::fill_in(ContextRequest& request, const plan::State& plan,
                                         const base::StopToken& stop) {
  CLEVER_ASSIGN(ContextRequest files, files_request(workspaces_, plan, tree_of_step(plan)));
  request.project = std::move(files.project);
  request.store = std::move(files.store);
  request.tree = files.tree;
  request.commit = std::move(files.commit);
  request.terms = plan::terms_now(plan);
  request.is_subplan = static_cast<bool>(plan.parent);
  request.budget = static_cast<std::size_t>(
      std::clamp<std::int64_t>(plan.settings.limits.overhead_bytes / 2, 0, kMostContextBytes));
  // Earlier decisions help, but a turn works without them.
  auto notes = notes_.of(plan.id, plan.settings.ancestors, plan.project, stop);
  if (notes.ok()) request.decisions = std::move(notes).value();
  return {};
}

base::Result<std::shared_ptr<const TurnContext>> TurnContexts::make(ContextSource& source,
                                                                    const plan::State& plan,
                                                                    ContextRequest request,
                                                                    const base::StopToken& stop) {
  CLEVER_ASSIGN(request.workspace, workspaces_.look(plan));
  if (source.searches()) CLEVER_TRY(fill_in(request, plan, stop));
  auto made = std::make_shared<TurnContext>();
  CLEVER_ASSIGN(made->context, source.assemble(request, stop));
  tell_files(made->context, plan.base ? plan.base->tree : plan.tree);
  CLEVER_ASSIGN(made->instructions,
                instructions_for(*request.workspace, paths_of(request, made->context)));
  withhold_files(made->context.fragments, *request.workspace, secrets_);
  withhold_files(made->instructions, *request.workspace, secrets_);
  made->snapshot = snapshot_of(*made);
  return made;
}

base::Result<std::shared_ptr<const TurnContext>> TurnContexts::of(ContextSource& source,
                                                                  const plan::State& plan,
                                                                  const std::string& task,
                                                                  const base::StopToken& stop) {
  const ContextRequest request = request_for(plan, task);
  return kept_.get(key_of(plan, request), [&] { return make(source, plan, request, stop); });
}

}  // namespace clever::engine::internal
