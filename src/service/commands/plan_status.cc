#include <algorithm>
#include <map>

#include "git/project_group.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/plan.h"
#include "service/plan/agent_binding.h"
#include "service/plan/approval_words.h"
#include "service/plan/plan_log.h"
#include "service/plan/sensitive_words.h"
#include "service/plan/validation_view.h"
#include "service/plan/void_approval.h"

namespace clever::service {
namespace {

constexpr std::size_t kMostStepRows = 30;
constexpr std::size_t kStepTitleWidth = 60;

/// The subplans of a plan, by id.
using Children = std::map<model::PlanId, storage::PlanSummary>;

struct StatusOf {
  MeantPlan plan;
  PlanFacts facts;
  Children children;
  /// Why the approved changes cannot land any more.
  std::vector<std::string> moved_on;
  AgentBinding agent;
  /// That the agent is silent; empty: it is not.
  std::string silence;
};

std::string place(const storage::PlanSummary& plan) { return plan.phase + "/" + plan.state; }

Document step_document(const plan::Step& step, const Children& children) {
  Document entry = Document::map()
                       .set("id", step.definition.id)
                       .set("title", step.definition.title)
                       .set("mode", to_string(step.definition.mode))
                       .set("state", to_string(step.state))
                       .set("attempt", step.attempt)
                       .set("merged", step.merged)
                       .set("summary", step.summary);
  if (!step.child) return entry;
  const auto child = children.find(step.child);
  entry.set("plan_id", step.child.to_string());
  if (child == children.end()) return entry;
  return std::move(entry).set("phase", child->second.phase).set("plan_state", child->second.state);
}

Document subplan_document(const storage::PlanSummary& child) {
  return Document::map()
      .set("plan_id", child.id.to_string())
      .set("parent", child.parent.to_string())
      .set("phase", child.phase)
      .set("state", child.state)
      .set("summary", child.title)
      .set("cost_usd", static_cast<double>(child.spent) / 1e6);
}

Document status_document(const StatusOf& status) {
  Document data = plan_document(status.facts);
  const plan::State& state = status.plan.state;
  Document steps = Document::list();
  for (const plan::Step& step : state.steps) steps.push(step_document(step, status.children));
  Document subplans = Document::list();
  for (const auto& [id, child] : status.children) subplans.push(subplan_document(child));
  data.set("task", state.title)
      .set("action", state.action)
      .set("project", state.project)
      .set("profile", state.settings.profile)
      .set("model", state.settings.terms.model)
      .set("created_at", shown_time(state.created))
      .set("updated_at", shown_time(status.plan.summary.updated))
      .set("sequence", state.sequence)
      .set("errors", state.errors)
      .set("undone", state.undone)
      .set("steps", std::move(steps))
      .set("plans", std::move(subplans));
  if (state.parent) data.set("parent", state.parent.to_string());
  Document moved_on = Document::list();
  for (const std::string& sentence : status.moved_on) moved_on.push(sentence);
  data.set("void", std::move(moved_on));
  if (const AgentBinding& agent = status.agent; !agent.agent.empty()) {
    data.set("agent", Document::map()
                          .set("name", agent.agent)
                          .set("asks_first", agent.asks)
                          .set("unbound_rules", Document::texts(agent.unbound))
                          .set("silent", status.silence));
  }
  return data;
}

std::string subplan_states_text(const Children& children) {
  std::map<std::string, std::uint64_t> by_state;
  for (const auto& [id, child] : children) ++by_state[child.state];
  std::string text;
  for (const auto& [state, count] : by_state) {
    text += (text.empty() ? "" : ", ") + grouped(count) + " " + state;
  }
  return text;
}

// "api (~/code/api), web (~/code/web)"
std::string members_text(const plan::State& state) {
  std::string text;
  const auto roots = git::member_roots(state.project);
  const std::size_t known = state.base ? state.base->projects.size() : 0;
  for (std::size_t i = 0; i < known; ++i) {
    text += (text.empty() ? "" : ", ") + state.base->projects[i].project;
    if (i < roots.size()) text += " (" + roots[i].string() + ")";
  }
  return text;
}

Fields status_fields(const StatusOf& status) {
  const plan::State& state = status.plan.state;
  Fields fields{"",
                {{"plan", {state.id.to_string(), Tone::kStrong}},
                 {"task", {one_line(state.title, 200)}},
                 {"state", {place_of(state), tone_of(state)}}}};
  const auto add = [&fields](const char* name, std::string text, Tone tone = Tone::kPlain) {
    if (!text.empty()) fields.fields.push_back({name, {std::move(text), tone}});
  };
  if (const std::string reason = reason_of(state); reason != state.title) add("why", reason);
  if (status.facts.left) add("driven by", "no process; `agents resume` continues it", Tone::kWarn);
  if (state.undone) add("undone", "its apply was undone", Tone::kWarn);
  add("strategy", state.strategy_summary);
  add("subplans", subplan_states_text(status.children));
  if (!status.facts.files.empty()) add("changes", files_total(status.facts.files));
  if (state.changeset.digest) add("digest", state.changeset.digest->to_hex());
  if (!status.moved_on.empty()) add("void", void_sentence(state, status.moved_on), Tone::kWarn);
  if (state.applied && state.applied->applied) {
    add("commit", state.applied->commit);
    add("commits", commits_text(state.applied->projects));
  }
  add("used", usage_text(status.facts.usage));
  add("model", state.settings.terms.model);
  add("silent", status.silence, Tone::kWarn);
  add("agent", status.agent.words, status.agent.unbound.empty() ? Tone::kPlain : Tone::kWarn);
  const std::string members = members_text(state);
  add(members.empty() ? "project" : "projects", members.empty() ? state.project : members,
      Tone::kDim);
  add("created", shown_time(state.created), Tone::kDim);
  return fields;
}

// Shows what is not finished, unless there are few steps.
bool is_shown(const plan::Step& step, bool all) {
  return all || (step.state != model::StepState::kDone && step.state != model::StepState::kPending);
}

std::vector<Span> step_row(const plan::Step& step, const Children& children) {
  const auto child = children.find(step.child);
  std::string where = child == children.end() ? "" : place(child->second);
  if (step.attempt > 1) where += " (attempt " + std::to_string(step.attempt) + ")";
  const std::string_view how = to_string(step.state);
  return {{step.definition.id, Tone::kStrong},
          {std::string(how), tone_of_state(how)},
          {step.child ? step.child.to_string() : ""},
          {std::move(where)},
          {one_line(step.definition.title, kStepTitleWidth)}};
}

void add_steps(const StatusOf& status, View& view) {
  const auto& steps = status.plan.state.steps;
  if (steps.empty()) return;
  Table table{"steps", {"step", "state", "plan", "plan state", "what"}, {}};
  std::size_t hidden = 0;
  for (const plan::Step& step : steps) {
    const bool fits = table.rows.size() < kMostStepRows;
    if (fits && is_shown(step, steps.size() <= kMostStepRows)) {
      table.rows.push_back(step_row(step, status.children));
    } else {
      ++hidden;
    }
  }
  if (!table.rows.empty()) view.emplace_back(std::move(table));
  if (hidden > 0) {
    view.emplace_back(
        Prose{{{{"and " + counted(hidden, "more step") + ": --format json has all of them",
                 Tone::kDim}}}});
  }
}

void add_conflicts(const plan::State& state, View& view) {
  if (state.conflicts.empty()) return;
  Table table{"conflicts", {"path", "kind", "from step"}, {}};
  for (const model::OpenConflict& conflict : state.conflicts) {
    table.rows.push_back({{conflict.path, Tone::kBad}, {conflict.kind}, {conflict.step}});
  }
  view.emplace_back(std::move(table));
}

void add_validation(const plan::State& state, View& view) {
  if (!state.validation) return;
  view.emplace_back(results_view(state.validation->results));
  for (Block& block : failed_outputs(state.validation->results)) {
    view.push_back(std::move(block));
  }
}

void add_error(const plan::State& state, View& view) {
  if (!state.last_error || state.is_final() || state.is_ready_to_apply()) return;
  const model::ErrorRecorded& error = *state.last_error;
  Fields fields{"last error",
                {{"error", {error.message, Tone::kBad}},
                 {"category", {std::string(to_string(error.category))}},
                 {"decided", {std::string(to_string(error.recovery))}}}};
  if (!error.hint.empty()) fields.fields.push_back({"hint", {error.hint, Tone::kAccent}});
  view.emplace_back(std::move(fields));
}

// Adds --remerge if the project's files have changed since.
std::vector<std::string> next_lines(const StatusOf& status) {
  std::vector<std::string> steps = next_steps(status.facts);
  if (status.moved_on.empty()) return steps;
  const std::string id = status.plan.state.id.to_string();
  std::ranges::replace(steps, "agents apply " + id, "agents apply --remerge " + id);
  return steps;
}

void add_next(const StatusOf& status, View& view) {
  Prose prose;
  for (const std::string& step : next_lines(status)) {
    prose.lines.push_back({{"next: ", Tone::kDim}, {step, Tone::kStrong}});
  }
  if (!prose.lines.empty()) view.emplace_back(std::move(prose));
}

std::vector<std::string> moved_on_now(const MeantPlan& plan, Context& context) {
  if (!plan.state.changeset.digest || plan.state.is_final()) return {};
  const auto look = PlanLook::open(plan.database, context);
  if (!look.ok()) return {};
  const auto files = (*look)->files(plan.state);
  return files.ok() ? moved_on_since(*files, plan.state, context.stop())
                    : std::vector<std::string>();
}

// "claude has written nothing for 2 minutes; … (noticed at 2026-01-02 12:00:00)"
base::Result<std::string> silence(const MeantPlan& plan, Context& context) {
  const plan::State& state = plan.state;
  if (!state.settings.uses_agent || state.state != model::PlanState::kProcessing)
    return std::string();
  // Whatever it did since would be a later event.
  CLEVER_ASSIGN(const auto events, all_events(plan.database, state.id, context, state.sequence));
  if (events.empty()) return std::string();
  const std::string words = agent_silence(events.back());
  return words.empty() ? words : words + " (noticed at " + shown_time(events.back().time) + ")";
}

base::Result<Report> status(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(MeantPlan plan, meant_plan(invocation, context));
  CLEVER_ASSIGN(const auto tree, plan.database.tree(plan.summary.id));
  Children children;
  for (const storage::PlanSummary& each : tree) {
    if (each.id != plan.summary.id) children.emplace(each.id, each);
  }
  CLEVER_ASSIGN(const plan::Usage usage, usage_of_tree(plan));
  auto files = files_if_any(plan, context);
  const auto here = check_files_are_here(plan, context);
  CLEVER_ASSIGN(const bool left, here.ok() ? is_left(plan, context) : base::Result<bool>(false));
  const plan::State state = plan.state;
  auto moved_on = moved_on_now(plan, context);
  CLEVER_ASSIGN(std::string silent, silence(plan, context));
  auto agent = agent_binding(state.settings, context);
  const StatusOf all{
      std::move(plan),     {state, std::move(files), usage, left}, std::move(children),
      std::move(moved_on), agent.ok() ? *agent : AgentBinding{},   std::move(silent)};
  Report report;
  report.data = status_document(all);
  report.view = {status_fields(all)};
  add_steps(all, report.view);
  if (const auto sensitive = sensitive_in(all.facts.files); !sensitive.empty()) {
    report.view.emplace_back(sensitive_table(sensitive));
  }
  add_conflicts(state, report.view);
  if (state.approval) report.view.emplace_back(approval_table(*state.approval));
  add_validation(state, report.view);
  add_error(state, report.view);
  if (here.ok()) add_next(all, report.view);
  if (!here.ok()) report.warn(here.error().sentence());
  if (!agent.ok()) report.warn(agent.error().sentence());
  return report;
}

}  // namespace

Command plan_status_command() {
  return {.name = "status",
          .summary = "Show a plan's status and the next step",
          .description =
              "Phase and state, steps, subplans, changes, cost, open conflicts and the last error.",
          .positionals = {plan_positional()},
          .options = {plan_database_option()},
          .examples = {{"agents plan status", "The newest plan of this folder"},
                       {"agents plan status 01JD --format json", "A given plan, for a program"}},
          .handler = status};
}

Command status_command() {
  Command command = plan_status_command();
  command.description = "Short for `agents plan status`.";
  command.examples = {{"agents status", "The newest plan of this folder"},
                      {"agents status 01JD --format json", "A given plan, for a program"}};
  return command;
}

}  // namespace clever::service
