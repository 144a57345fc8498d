#include <algorithm>

#include "service/commands/commands.h"
#include "service/commands/plan.h"
#include "service/commands/plan_act.h"

namespace clever::service {
namespace {

using Checkpoint = plan::State::Checkpoint;

Report list_checkpoints(const plan::State& state) {
  Report report;
  Document all = Document::list();
  Table table{"", {"checkpoint", "after", "tree", ""}, {}};
  for (const Checkpoint& checkpoint : state.checkpoints) {
    const bool is_here = checkpoint.tree == state.tree;
    all.push(Document::map()
                 .set("sequence", checkpoint.sequence)
                 .set("why", checkpoint.why)
                 .set("tree", checkpoint.tree)
                 .set("current", is_here));
    table.rows.push_back({{std::to_string(checkpoint.sequence), Tone::kStrong},
                          {checkpoint.why},
                          {checkpoint.tree.substr(0, 12), Tone::kDim},
                          {is_here ? "now" : "", Tone::kGood}});
  }
  report.data.set("plan_id", state.id.to_string())
      .set("phase", to_string(state.phase))
      .set("state", to_string(state.state))
      .set("checkpoints", std::move(all));
  if (state.checkpoints.empty()) {
    report.view = {Prose{{{{"The plan has no checkpoint yet."}}}}};
  } else {
    report.view = {std::move(table)};
  }
  return report;
}

base::Result<void> check_target(const plan::State& state, std::int64_t target) {
  const auto found = std::ranges::find(state.checkpoints, target, &Checkpoint::sequence);
  if (found != state.checkpoints.end()) return {};
  return base::not_found("plan " + state.id.to_string() + " has no checkpoint at event " +
                         std::to_string(target) + ": `agents plan rollback " +
                         state.id.to_string() + " --list` lists them");
}

Report went_back(const plan::State& state, std::int64_t target) {
  Report report;
  report.data.set("plan_id", state.id.to_string())
      .set("phase", to_string(state.phase))
      .set("state", to_string(state.state))
      .set("to", target)
      .set("tree", state.tree);
  Line next{{"next: ", Tone::kDim}, {"agents plan resume " + state.id.to_string(), Tone::kStrong}};
  if (state.settings.takes_words()) {
    next.push_back({" or "});
    next.push_back({"agents plan prompt " + state.id.to_string() + " \"TEXT\"", Tone::kStrong});
  }
  Prose prose{{{{"went back", Tone::kGood},
                {" to checkpoint " + std::to_string(target) + " of plan " + state.id.to_string() +
                 "; it is in " + place_of(state)}},
               std::move(next)}};
  if (state.tree != state.base->tree && !state.parent) {
    prose.lines.push_back({{"next: ", Tone::kDim},
                           {"agents plan apply " + state.id.to_string(), Tone::kStrong},
                           {" applies it as it is"}});
  }
  report.view = {std::move(prose)};
  return report;
}

base::Result<Report> rollback(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const std::int64_t target, number_option(invocation, "to", 0, 1, INT64_MAX));
  if (target != 0 && invocation.flag("list")) {
    return base::invalid_argument(
        "--to and --list exclude each other: --list shows the checkpoints, --to restores one");
  }
  CLEVER_ASSIGN(const MeantPlan plan, meant_plan(invocation, context));
  if (target == 0) return list_checkpoints(plan.state);
  if (const auto there = check_target(plan.state, target); !there.ok()) {
    return refusal(there.error(), plan);
  }
  CLEVER_ASSIGN(const auto actor, PlanActor::open(plan, context));
  const auto sent = actor->send(new_key(context), plan::Rollback{target});
  if (!sent.ok()) return refusal(sent.error(), plan);
  CLEVER_ASSIGN(const auto state, actor->plans().state(plan.summary.id));
  return went_back(*state, target);
}

}  // namespace

Command plan_rollback_command() {
  return {.name = "rollback",
          .summary = "Restore a plan to a checkpoint",
          .description =
              "Restores the plan to a checkpoint: the files of its sandbox, the strategy, and the "
              "steps that led to them. Drops later decisions, prompts and subplans. Then `agents "
              "plan resume` does the work that is missing, and `agents plan apply` applies the "
              "restored state. The project does not change. Without --to it lists the checkpoints.",
          .positionals = {plan_positional()},
          .options = {{.name = "to", .value = "SEQUENCE", .summary = "The event to go back to"},
                      {.name = "list", .summary = "Show the checkpoints"},
                      plan_database_option()},
          .examples = {{"agents plan rollback --list", "List the checkpoints"},
                       {"agents plan rollback 01JD --to 42", "Go back"}},
          .handler = rollback};
}

}  // namespace clever::service
