#include "service/plan/plan_document.h"

#include <algorithm>
#include <utility>

#include "diff/tree_diff.h"
#include "git/project_group.h"
#include "plan/advice.h"
#include "service/commands/budget.h"
#include "service/commands/db.h"
#include "service/diff/diff_words.h"
#include "service/plan/approval_words.h"
#include "service/plan/sensitive_words.h"
#include "service/plan/validation_view.h"
#include "service/text.h"

namespace clever::service {
namespace {

using model::PlanState;
using plan::State;
using plan::waiting_step;

Tone tone_of_status(std::string_view status) {
  if (status == "added") return Tone::kGood;
  return status == "deleted" ? Tone::kBad : Tone::kPlain;
}

// The number of subplans, by status.
struct Subplans {
  std::size_t total = 0;
  std::size_t complete = 0;
  std::size_t failed = 0;
};

Subplans subplans_of(const State& plan) {
  Subplans counts;
  for (const plan::Step& step : plan.steps) {
    if (step.definition.mode != model::StepMode::kSubplan) continue;
    ++counts.total;
    counts.complete += step.state == model::StepState::kDone ? 1U : 0U;
    counts.failed += step.state == model::StepState::kFailed ? 1U : 0U;
  }
  return counts;
}

Document conflicts_document(const State& plan) {
  Document list = Document::list();
  for (const model::OpenConflict& conflict : plan.conflicts) {
    list.push(Document::map()
                  .set("path", conflict.path)
                  .set("kind", conflict.kind)
                  .set("step", conflict.step));
  }
  return list;
}

bool tells_error(const State& plan) { return plan.last_error && plan.state == PlanState::kErrored; }

Document error_document(const model::ErrorRecorded& error) {
  return Document::map()
      .set("category", to_string(error.category))
      .set("message", error.message)
      .set("hint", error.hint);
}

std::string command_of(const plan::Advice& advice) {
  const std::string id = advice.plan.to_string();
  switch (advice.verb) {
    case plan::Verb::kWatch:
      return "agents watch " + id;
    case plan::Verb::kStatus:
      return "agents status " + id;
    case plan::Verb::kTree:
      return "agents plan tree " + id;
    case plan::Verb::kDiff:
      return "agents diff " + id;
    case plan::Verb::kResolve:
      return "agents diff --edit " + id;
    case plan::Verb::kErrors:
      return "agents plan errors " + id;
    case plan::Verb::kRaiseBudget:
      return "agents budget set plan/" + id + " USD";
    case plan::Verb::kApprove:
      return "agents plan approve " + id;
    case plan::Verb::kReject:
      return "agents plan reject " + id;
    case plan::Verb::kResume:
      return "agents resume " + id;
    case plan::Verb::kPrompt:
      return "agents plan prompt " + id + " \"…\"";
    case plan::Verb::kApply:
      return "agents apply " + id;
    case plan::Verb::kApplyRemerged:
      return "agents apply --remerge " + id;
    case plan::Verb::kUndo:
      return "agents undo " + id;
    case plan::Verb::kSalvage:
      return "agents run --from-plan " + id;
    case plan::Verb::kCancel:
      break;
  }
  return "agents plan cancel " + id;
}

// "3 of 4 subplans, 1 failed"
std::string subplan_counts_text(const Subplans& counts) {
  std::string text =
      std::to_string(counts.complete) + " of " + std::to_string(counts.total) + " complete";
  if (counts.failed > 0) text += ", " + std::to_string(counts.failed) + " failed";
  return text;
}

void add_field(Fields& fields, std::string_view name, std::string text, Tone tone = Tone::kPlain) {
  if (!text.empty()) fields.fields.push_back({std::string(name), {std::move(text), tone}});
}

Fields summary_fields(const PlanFacts& facts) {
  const State& plan = facts.plan;
  Fields fields;
  add_field(fields, "plan", plan.id.to_string(), Tone::kStrong);
  add_field(fields, "state", place_of(plan), tone_of(plan));
  if (plan.state != PlanState::kComplete || !plan.conflicts.empty())
    add_field(fields, "why", reason_of(plan));
  if (tells_error(plan) && plan.last_error->message != plan.reason) {
    add_field(fields, "error", plan.last_error->message, Tone::kBad);
  }
  add_field(fields, "summary", plan_summary(plan));
  if (const Subplans counts = subplans_of(plan); counts.total > 0) {
    add_field(fields, "subplans", subplan_counts_text(counts),
              counts.failed > 0 ? Tone::kWarn : Tone::kPlain);
  }
  if (plan.changeset.digest)
    add_field(fields, "digest", plan.changeset.digest->to_hex(), Tone::kDim);
  if (plan.applied && plan.applied->applied) {
    add_field(fields, "commit", plan.applied->commit);
    add_field(fields, "commits", commits_text(plan.applied->projects));
  }
  if (facts.usage.calls > 0) add_field(fields, "used", usage_text(facts.usage));
  return fields;
}

Table conflicts_table(const State& plan) {
  Table table{"conflicts", {"path", "kind", "step"}, {}};
  for (const model::OpenConflict& conflict : plan.conflicts) {
    table.rows.push_back({{conflict.path, Tone::kBad}, {conflict.kind}, {conflict.step}});
  }
  return table;
}

Prose next_steps_prose(const PlanFacts& facts) {
  Prose prose;
  for (const std::string& step : next_steps(facts)) {
    prose.lines.push_back({{"next: ", Tone::kDim}, {step, Tone::kAccent}});
  }
  return prose;
}

}  // namespace

base::Result<std::vector<ChangedFile>> changed_files(const engine::PlanFiles& files,
                                                     const base::StopToken& stop) {
  CLEVER_ASSIGN(const auto diffs, diff::diff_trees(*files.store, files.base, files.tree, {}, stop));
  std::vector<ChangedFile> changed;
  for (const diff::FileDiff& file : diffs) {
    changed.push_back({.path = file.path,
                       .from = file.from.value_or(""),
                       .status = status_of(file),
                       .insertions = file.added,
                       .deletions = file.removed,
                       .binary = file.binary});
  }
  CLEVER_ASSIGN(auto sensitive, engine::sensitive_changes(files, diffs, stop));
  for (engine::SensitiveChange& change : sensitive) {
    const auto file = std::ranges::find(changed, change.path, &ChangedFile::path);
    file->sensitive.push_back(std::move(change));
  }
  return changed;
}

std::vector<engine::SensitiveChange> sensitive_in(const std::vector<ChangedFile>& files) {
  std::vector<engine::SensitiveChange> all;
  for (const ChangedFile& file : files) {
    all.insert(all.end(), file.sensitive.begin(), file.sensitive.end());
  }
  return all;
}

Document files_document(const std::vector<ChangedFile>& files) {
  Document list = Document::list();
  for (const ChangedFile& file : files) {
    Document item = Document::map();
    item.set("path", file.path)
        .set("status", file.status)
        .set("insertions", file.insertions)
        .set("deletions", file.deletions);
    if (!file.from.empty()) item.set("from", file.from);
    if (file.binary) item.set("binary", true);
    list.push(std::move(item));
  }
  return list;
}

std::string files_total(const std::vector<ChangedFile>& files) {
  if (files.empty()) return "no changes";
  std::uint64_t insertions = 0;
  std::uint64_t deletions = 0;
  for (const ChangedFile& file : files) {
    insertions += file.insertions;
    deletions += file.deletions;
  }
  return counted(files.size(), "file") + " changed, " + counted(insertions, "insertion") + ", " +
         counted(deletions, "deletion");
}

Table files_table(const std::vector<ChangedFile>& files) {
  Table table{files_total(files), {"file", "status", "+", "-"}, {}};
  for (const ChangedFile& file : files) {
    const std::string name = file.from.empty() ? file.path : file.from + " → " + file.path;
    table.rows.push_back({{name},
                          {std::string(file.status), tone_of_status(file.status)},
                          {file.binary ? "binary" : grouped(file.insertions), Tone::kGood},
                          {file.binary ? "" : grouped(file.deletions), Tone::kBad}});
  }
  return table;
}

Document usage_document(const plan::Usage& usage) {
  return Document::map()
      .set("calls", usage.calls)
      .set("input_tokens", usage.input_tokens)
      .set("output_tokens", usage.output_tokens)
      .set("cost_usd", static_cast<double>(usage.cost) / 1e6);
}

std::string usage_text(const plan::Usage& usage) {
  return grouped(static_cast<std::uint64_t>(usage.input_tokens)) + " tokens in, " +
         grouped(static_cast<std::uint64_t>(usage.output_tokens)) + " out, " + dollars(usage.cost);
}

std::string plan_summary(const State& plan) {
  // The summary of a single step says what was done; with several, the strategy does.
  if (plan.steps.size() == 1 && !plan.steps.front().summary.empty()) {
    return plan.steps.front().summary;
  }
  return plan.strategy_summary.empty() ? plan.title : plan.strategy_summary;
}

std::string reason_of(const State& plan) {
  const plan::Step* step = waiting_step(plan);
  if (step == nullptr) {
    const bool in_conflict = plan.state == PlanState::kComplete && !plan.conflicts.empty();
    return in_conflict ? plan::open_conflicts(plan) : plan.reason;
  }
  return "step " + step->definition.id + " waits: " + step->waits;
}

std::vector<std::string> next_steps(const State& plan) {
  std::vector<std::string> steps;
  for (const plan::Advice& advice : plan::advice(plan)) steps.push_back(command_of(advice));
  return steps;
}

std::vector<std::string> next_steps(const PlanFacts& facts) {
  if (!facts.left || facts.plan.is_at_rest()) return next_steps(facts.plan);
  const std::string id = facts.plan.id.to_string();
  return {"agents resume " + id, "agents plan cancel " + id};
}

ExitCode exit_code_of(const State& plan) noexcept {
  switch (plan.state) {
    case PlanState::kWaiting:
    case PlanState::kConstrained:
      return ExitCode::kNeedsPerson;
    case PlanState::kErrored:
    case PlanState::kCancelled:
      return ExitCode::kError;
    case PlanState::kComplete:
      return plan.conflicts.empty() ? ExitCode::kOk : ExitCode::kNeedsPerson;
    case PlanState::kProcessing:
      return waiting_step(plan) == nullptr ? ExitCode::kOk : ExitCode::kNeedsPerson;
    case PlanState::kQueued:
    case PlanState::kCancelling:
    case PlanState::kApplied:
      break;
  }
  return ExitCode::kOk;
}

std::string place_of(const State& plan) {
  return std::string(to_string(plan.phase)) + "/" + std::string(to_string(plan.state));
}

Tone tone_of(const State& plan) noexcept {
  switch (exit_code_of(plan)) {
    case ExitCode::kNeedsPerson:
      return Tone::kWarn;
    case ExitCode::kError:
      return Tone::kBad;
    default:
      break;
  }
  const bool good = plan.state == PlanState::kComplete || plan.state == PlanState::kApplied;
  return good ? Tone::kGood : Tone::kAccent;
}

Document projects_document(const State& plan) {
  Document list = Document::list();
  if (!plan.base) return list;
  const auto roots = git::member_roots(plan.project);
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? Document() : Document(text);
  };
  for (std::size_t i = 0; i < plan.base->projects.size(); ++i) {
    const model::ProjectHead& project = plan.base->projects[i];
    std::string commit;
    if (plan.applied && plan.applied->applied) {
      const auto landed =
          std::ranges::find(plan.applied->projects, project.project, &model::ProjectHead::project);
      if (landed != plan.applied->projects.end()) commit = landed->commit;
    }
    list.push(Document::map()
                  .set("project", project.project)
                  .set("folder", text_or_null(i < roots.size() ? roots[i].string() : ""))
                  .set("branch", text_or_null(project.branch))
                  .set("commit", text_or_null(commit)));
  }
  return list;
}

std::string commits_text(const std::vector<model::ProjectHead>& projects) {
  std::string text;
  for (const model::ProjectHead& one : projects) {
    text += (text.empty() ? "" : ", ") + one.project + " " +
            (one.commit.empty() ? "(no commit)" : one.commit.substr(0, 12));
  }
  return text;
}

Document plan_document(const PlanFacts& facts) {
  const State& plan = facts.plan;
  const Subplans counts = subplans_of(plan);
  Document data = Document::map();
  data.set("plan_id", plan.id.to_string())
      .set("phase", to_string(plan.phase))
      .set("state", to_string(plan.state))
      .set("summary", plan_summary(plan));
  if (const std::string reason = reason_of(plan); !reason.empty()) data.set("reason", reason);
  data.set("files", files_document(facts.files));
  if (const auto sensitive = sensitive_in(facts.files); !sensitive.empty()) {
    data.set("sensitive", sensitive_document(sensitive));
  }
  data.set("digest",
           plan.changeset.digest ? Document(plan.changeset.digest->to_hex()) : Document());
  if (plan.applied && plan.applied->applied) data.set("commit", plan.applied->commit);
  if (plan.base && !plan.base->projects.empty()) data.set("projects", projects_document(plan));
  data.set("subplans", Document::map()
                           .set("total", counts.total)
                           .set("complete", counts.complete)
                           .set("failed", counts.failed));
  if (!plan.conflicts.empty()) data.set("conflicts", conflicts_document(plan));
  if (plan.validation) data.set("validation", validation_document(*plan.validation));
  if (plan.approval) data.set("approval", approval_document(*plan.approval));
  data.set("usage", usage_document(facts.usage));
  if (tells_error(plan)) data.set("error", error_document(*plan.last_error));
  data.set("next_steps", Document::texts(next_steps(facts)));
  return data;
}

View plan_view(const PlanFacts& facts) {
  View view{summary_fields(facts)};
  if (!facts.files.empty()) {
    view.emplace_back(files_table(facts.files));
  } else if (facts.plan.state == PlanState::kComplete) {
    view.emplace_back(Prose{{{{"It changed nothing.", Tone::kDim}}}});
  }
  if (const auto sensitive = sensitive_in(facts.files); !sensitive.empty()) {
    view.emplace_back(sensitive_table(sensitive));
  }
  if (!facts.plan.conflicts.empty()) view.emplace_back(conflicts_table(facts.plan));
  if (facts.plan.validation) view.emplace_back(results_view(facts.plan.validation->results));
  if (facts.plan.approval) view.emplace_back(approval_table(*facts.plan.approval));
  if (Prose next = next_steps_prose(facts); !next.lines.empty()) view.emplace_back(std::move(next));
  return view;
}

}  // namespace clever::service
