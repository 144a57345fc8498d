#include "service/commands/run_report.h"

#include <algorithm>
#include <utility>

#include "provider/replay/replay_backend.h"
#include "provider/scripted/scripted_backend.h"
#include "service/commands/db.h"
#include "service/commands/plan.h"

namespace clever::service {
namespace {

constexpr std::size_t kReportTitleWidth = 40;

// Returns the more important of two exit codes: a failure, then a plan that needs a person.
ExitCode worse(ExitCode left, ExitCode right) {
  if (left == ExitCode::kError || right == ExitCode::kError) return ExitCode::kError;
  return left == ExitCode::kOk ? right : left;
}

base::Result<std::vector<PlanFacts>> facts_of(RunPlans& plans,
                                              const std::vector<plan::State>& states, bool left) {
  std::vector<PlanFacts> facts;
  for (const plan::State& state : states) {
    CLEVER_ASSIGN(const plan::Usage usage, plans.usage(state));
    facts.push_back({state, plans.files(state), usage, left});
  }
  return facts;
}

Verdict verdict_on_plan(const plan::State& plan) {
  const ExitCode code = exit_code_of(plan);
  if (code == ExitCode::kOk) return Verdict::kOk;
  return code == ExitCode::kNeedsPerson ? Verdict::kWarn : Verdict::kFail;
}

// Lists each plan with its task, its state, its changes and the next step.
Checks plan_checks(const std::vector<PlanFacts>& all) {
  Checks checks{counted(all.size(), "plan"), {}};
  for (const PlanFacts& facts : all) {
    const auto steps = next_steps(facts.plan);
    const bool over = steps.empty() || facts.plan.state == model::PlanState::kApplied;
    checks.checks.push_back({one_line(facts.plan.title, kReportTitleWidth),
                             verdict_on_plan(facts.plan),
                             place_of(facts.plan) + ", " + files_total(facts.files) + ", plan " +
                                 facts.plan.id.to_string(),
                             over ? "" : steps.front()});
  }
  return checks;
}

plan::Usage sum_of(const std::vector<PlanFacts>& all) {
  plan::Usage sum;
  for (const PlanFacts& facts : all) {
    sum.calls += facts.usage.calls;
    sum.input_tokens += facts.usage.input_tokens;
    sum.output_tokens += facts.usage.output_tokens;
    sum.cost += facts.usage.cost;
  }
  return sum;
}

Document plans_document(const std::vector<PlanFacts>& all) {
  Document list = Document::list();
  for (const PlanFacts& facts : all) list.push(plan_document(facts));
  return Document::map().set("plans", std::move(list)).set("usage", usage_document(sum_of(all)));
}

View plans_view(const std::vector<PlanFacts>& all) {
  View view{plan_checks(all)};
  const plan::Usage sum = sum_of(all);
  if (sum.calls > 0) view.emplace_back(Fields{"", {{"used", {usage_text(sum)}}}});
  return view;
}

// Says on standard error why a plan is not ready or applied.
void tell_trouble(const plan::State& plan, Report& report) {
  if (exit_code_of(plan) == ExitCode::kOk) return;
  std::string text = "plan " + plan.id.to_string() + " is in " + place_of(plan);
  if (const std::string reason = reason_of(plan); !reason.empty()) text += ": " + reason;
  report.messages.push_back({Message::Level::kError, std::move(text)});
  if (plan.state != model::PlanState::kErrored || !plan.last_error) return;
  if (plan.last_error->hint.empty()) return;
  report.messages.push_back({Message::Level::kHint, plan.last_error->hint});
}

void tell_left(const std::vector<plan::State>& states, Report& report) {
  report.exit_code = ExitCode::kError;
  report.status = Status::kError;
  for (const plan::State& plan : states) {
    if (plan.is_at_rest()) continue;
    report.messages.push_back({Message::Level::kError, "interrupted: plan " + plan.id.to_string() +
                                                           " stays in " + place_of(plan)});
    report.messages.push_back(
        {Message::Level::kHint, "`agents resume " + plan.id.to_string() + "` continues it"});
  }
}

}  // namespace

base::Result<Report> run_report(RunPlans& plans, RunEnd end) {
  CLEVER_ASSIGN(const auto states, plans.states());
  CLEVER_ASSIGN(const auto facts, facts_of(plans, states, end == RunEnd::kLeft));
  Report report;
  const bool one = facts.size() == 1;
  report.data = one ? plan_document(facts.front()) : plans_document(facts);
  report.view = one ? plan_view(facts.front()) : plans_view(facts);
  for (const plan::State& plan : states) {
    report.exit_code = worse(report.exit_code, exit_code_of(plan));
    tell_trouble(plan, report);
  }
  for (const auto& [id, why] : plans.held()) {
    report.exit_code = worse(report.exit_code, ExitCode::kNeedsPerson);
    report.messages.push_back(
        {Message::Level::kError, "plan " + id.to_string() + " did not land: " + why});
  }
  if (report.exit_code != ExitCode::kOk) report.status = Status::kError;
  if (end == RunEnd::kLeft) tell_left(states, report);
  if (const std::string& recovered = plans.project().recovered(); !recovered.empty()) {
    report.warn(recovered);
  }
  for (std::string& remark : plans.project().remarks()) report.warn(std::move(remark));
  for (std::string& failed : plans.runtime().failed_hooks()) report.warn(std::move(failed));
  return report;
}

Report detached_report(const std::vector<plan::State>& plans, const Driver& driver) {
  Report report;
  Document list = Document::list();
  Prose prose;
  for (const plan::State& plan : plans) {
    list.push(plan_document({plan, {}, {}}));
    prose.lines.push_back({{"plan "},
                           {plan.id.to_string(), Tone::kStrong},
                           {(driver.job ? " waits for a worker: " : " works in the background: ") +
                            one_line(plan.title, kReportTitleWidth)}});
  }
  prose.lines.push_back(
      {{"next: ", Tone::kDim}, {"agents watch " + plans.front().id.to_string(), Tone::kAccent}});
  if (!driver.job) prose.lines.push_back({{"log: " + driver.log.string(), Tone::kDim}});
  report.data = plans.size() == 1 ? plan_document({plans.front(), {}, {}})
                                  : Document::map().set("plans", std::move(list));
  if (driver.job) {
    report.data.set("job", *driver.job);
  } else {
    report.data.set("process", driver.process).set("log", driver.log.string());
  }
  report.view = {std::move(prose)};
  return report;
}

Report left_alone(const base::Error& error, const std::vector<plan::State>& plans) {
  Report report = failed(error);
  for (const plan::State& plan : plans) {
    report.messages.push_back({Message::Level::kHint, "the plan is saved: `agents resume " +
                                                          plan.id.to_string() + "` works on it"});
  }
  report.data = plan_document({plans.front(), {}, {}});
  return report;
}

void note_answers(const Invocation& invocation, Report& report) {
  const auto note = [&report](std::string_view text) {
    report.messages.push_back({Message::Level::kNote, std::string(text)});
  };
  if (invocation.flag("replay")) note(provider::kReplayNotice);
  if (invocation.flag("script")) note(provider::kNoModelNotice);
}

}  // namespace clever::service
