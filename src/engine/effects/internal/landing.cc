#include "engine/effects/internal/landing.h"

#include "engine/effects/internal/commit_message.h"
#include "engine/effects/internal/net_work.h"

namespace clever::engine::internal {
namespace {

apply::Mode mode_of(const std::string& name) {
  if (name == "working_tree") return apply::Mode::kWorkingTree;
  return name == "branch" ? apply::Mode::kBranch : apply::Mode::kCommit;
}

// Returns nothing if a cleanup removed the prompt.
std::string first_prompt(const plan::State& plan, Messages& messages) {
  if (plan.prompts.empty()) return {};
  const auto prompt = messages.load(plan.prompts.front());
  if (!prompt.ok()) return {};
  std::string task;
  for (const model::Part& part : (*prompt)->parts) {
    const auto* text = std::get_if<model::Text>(&part);
    if (text == nullptr) continue;
    task += text->text;
    // The rest tells the worker where to begin.
    if (plan.settings.from_plan) break;
  }
  return task;
}

}  // namespace

base::Result<apply::Request> landing_of(const plan::State& plan, Workspaces& workspaces,
                                        Messages& messages, const std::filesystem::path& applies) {
  if (!plan.apply) return base::conflict("no apply was requested for plan " + plan.id.to_string());
  const model::ApplyRequested& wanted = *plan.apply;
  apply::Request request;
  CLEVER_ASSIGN(request.project, workspaces.project(plan));
  CLEVER_ASSIGN(request.store, workspaces.store(plan));
  CLEVER_ASSIGN(request.changes, net_work(plan, *request.store));
  request.plan = plan.id;
  request.digest = model::digest_of(request.changes);
  if (request.digest != wanted.digest) {
    return base::conflict("the plan's changes have the digest " + request.digest.to_hex() +
                          ", asked for was " + wanted.digest.to_hex());
  }
  const git::BaseSnapshot base = Workspaces::base_of(plan);
  request.mode = mode_of(wanted.mode);
  request.branch = wanted.branch;
  request.message = wanted.message.empty()
                        ? commit_message(plan, first_prompt(plan, messages), request.digest)
                        : wanted.message;
  request.expected_branch = base.head.branch;
  for (const git::HeadState& head : base.heads) request.expected_branches.push_back(head.branch);
  request.uncommitted = base.uncommitted;
  request.state_folder = applies;
  request.run_hooks = wanted.verify;
  return request;
}

base::Result<SensitiveVerdict> sensitive_verdict(const plan::State& plan, Workspaces& workspaces,
                                                 const base::StopToken& stop) {
  if (!plan.base) return base::conflict("plan " + plan.id.to_string() + " has no base yet");
  CLEVER_ASSIGN(git::Project project, workspaces.project(plan));
  CLEVER_ASSIGN(auto store, workspaces.store(plan));
  CLEVER_ASSIGN(const git::ObjectId base, git::ObjectId::from_hex(plan.base->tree));
  CLEVER_ASSIGN(const git::ObjectId tree, git::ObjectId::from_hex(plan.tree));
  CLEVER_ASSIGN(const auto changes,
                sensitive_changes({std::move(project), std::move(store), base, tree}, stop));
  return judge_sensitive(changes, plan.settings.control);
}

std::vector<model::ProjectHead> commits_of(const apply::Outcome& outcome) {
  std::vector<model::ProjectHead> heads;
  for (const apply::Outcome::Landed& one : outcome.projects) {
    heads.push_back({.project = one.project, .commit = one.commit ? one.commit->to_hex() : ""});
  }
  return heads;
}

std::vector<std::string> sentences(const std::vector<apply::MovedOn>& moved_on) {
  std::vector<std::string> all;
  all.reserve(moved_on.size());
  for (const apply::MovedOn& file : moved_on) all.push_back(file.path + " " + file.why);
  return all;
}

}  // namespace clever::engine::internal
