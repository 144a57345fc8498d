#include "io/file.h"
#include "service/commands/commands.h"
#include "service/commands/plan_background.h"
#include "service/commands/plan_drive_on.h"
#include "service/plan/correction.h"

namespace clever::service {
namespace {

using model::CorrectionMode;

// Reads the guidance: the text itself, `-` for standard input, `@FILE` for a file.
base::Result<std::string> guidance_of(const Invocation& invocation, const Context& context) {
  const auto typed = invocation.value("guidance");
  if (!typed) {
    return base::invalid_argument(
        "the guidance is missing: -g \"GUIDANCE\" says what to do differently; - reads standard "
        "input, @FILE a file");
  }
  std::string text(*typed);
  if (text == "-") {
    CLEVER_ASSIGN(text, context.input());
  } else if (text.starts_with('@')) {
    CLEVER_ASSIGN(text, io::read_file(context.directory() / text.substr(1)));
  }
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return base::invalid_argument("--guidance is empty: say what to do differently");
  }
  return text;
}

base::Result<CorrectionMode> mode_of(const Invocation& invocation) {
  return model::parse_correction_mode(invocation.value("mode").value_or("revert"));
}

// Shows the consequences before it asks.
base::Result<Consent> consent_to_correction(const CorrectionImpact& impact,
                                            const Invocation& invocation, Context& context) {
  const Screen screen = context.screen();
  if (!is_for_programs(screen.format) && !screen.quiet) {
    CLEVER_TRY(screen.say(view_of(impact)));
  }
  // An addition loses nothing, so it needs no consent.
  if (invocation.flag("yes") || impact.mode == CorrectionMode::kAppend) return Consent::kGiven;
  if (!screen.can_ask()) return Consent::kNobodyToAsk;
  CLEVER_ASSIGN(const bool yes, screen.confirm("Correct it?", context.stop()));
  return yes ? Consent::kGiven : Consent::kDenied;
}

Report impact_report(const CorrectionImpact& impact) {
  Report report;
  report.data = document_of(impact);
  report.view = view_of(impact);
  report.messages.push_back({Message::Level::kNote, "nothing was changed"});
  return report;
}

Report correction_needs_word(const CorrectionImpact& impact) {
  Report report = failed(
      base::invalid_argument("a correction needs your consent: without a terminal, pass --yes"),
      "--dry-run shows what it would do, and changes nothing");
  report.data = document_of(impact);
  report.exit_code = ExitCode::kNeedsPerson;
  return report;
}

Report left_alone(const CorrectionImpact& impact) {
  Report report = impact_report(impact);
  report.view.clear();
  return report;
}

base::Result<MeantPlan> root_of(const PlanDatabase& database, const plan::State& plan) {
  const auto& above = plan.settings.ancestors;
  const model::PlanId root = above.empty() ? plan.id : above.front();
  CLEVER_ASSIGN(auto summary, database.find(root.to_string()));
  CLEVER_ASSIGN(plan::State state, database.state(root));
  return MeantPlan{database, std::move(summary), std::move(state)};
}

void add_correction(const PlanDatabase& database, const CorrectionImpact& impact, Context& context,
                    Report& report) {
  report.data.set("impact", document_of(impact));
  const auto plan = database.state(impact.target.plan.id);
  if (!plan.ok() || plan->corrections == impact.target.plan.corrections) return;
  report.data.set("correction", plan->corrections);
  if (impact.mode == CorrectionMode::kAppend || context.screen().quiet) return;
  report.messages.push_back({Message::Level::kNote, "what is different: `agents plan diff " +
                                                        plan->id.to_string() + " --correction " +
                                                        std::to_string(plan->corrections) + "`"});
}

base::Result<Report> carry_out(const PlanDatabase& database, const CorrectionImpact& impact,
                               std::string guidance, const Invocation& invocation,
                               Context& context) {
  CLEVER_ASSIGN(MeantPlan root, root_of(database, impact.target.plan));
  const plan::Correct command{impact.target.decision,
                              impact.mode,
                              {model::Role::kUser, {model::Text{std::move(guidance)}}}};
  CLEVER_ASSIGN(Report report,
                drive_on(std::move(root), command, invocation, context, impact.target.plan.id));
  add_correction(database, impact, context, report);
  return report;
}

base::Result<Report> correct(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const CorrectionMode mode, mode_of(invocation));
  CLEVER_ASSIGN(std::string guidance, guidance_of(invocation, context));
  CLEVER_ASSIGN(const PlanAndDecision meant, meant_plan_and_decision(invocation, context));
  const PlanDatabase& database = meant.plan.database;
  auto target = correction_target(database, meant.decision);
  if (!target.ok()) return refusal(target.error(), meant.plan);
  const auto impact = correction_impact(database, std::move(target).value(), mode, context);
  if (!impact.ok()) return refusal(impact.error(), meant.plan);
  if (invocation.flag("dry-run")) return impact_report(*impact);
  CLEVER_ASSIGN(const Consent answer, consent_to_correction(*impact, invocation, context));
  if (answer == Consent::kNobodyToAsk) return correction_needs_word(*impact);
  if (answer == Consent::kDenied) return left_alone(*impact);
  return carry_out(database, *impact, std::move(guidance), invocation, context);
}

std::vector<Option> correct_options() {
  std::vector<Option> all{
      {.name = "mode",
       .value = "MODE",
       .summary = "revert (the default): redo the work from the decision on; append: keep "
                  "everything, and add a subplan",
       .choices = {"revert", "append"}},
      {.name = "guidance",
       .letter = 'g',
       .value = "GUIDANCE",
       .summary = "What to do differently; - reads standard input, @FILE a file"},
      {.name = "dry-run", .summary = "Show what it would do, and stop"},
      {.name = "yes", .letter = 'y', .summary = "Skip the question"}};
  all.push_back(detach_option());
  for (Option& option : driving_options()) all.push_back(std::move(option));
  return all;
}

}  // namespace

Command plan_correct_command() {
  return {
      .name = "correct",
      .summary = "Change a decision and redo the work that depends on it",
      .description =
          "First shows the consequences: which steps start over, which subplans stop or continue, "
          "what is kept, which tree the work returns to, and what the discarded work cost. Then "
          "carries the correction out, even while the plan works. Earlier results are kept: "
          "`agents plan diff --correction` compares them.\n\nCorrecting the task or the strategy "
          "makes a new strategy. Correcting a step redoes that step and those that depend on it. A "
          "correction goes to the subplan itself while it works, and to its step once it has "
          "ended.",
      .positionals = {{.name = "PLAN", .summary = "Its id or a prefix of it", .required = false},
                      decision_positional()},
      .options = correct_options(),
      .examples = {{"agents plan correct 19 -g \"use the existing parser\" --dry-run",
                    "Show the consequences"},
                   {"agents plan correct 19 -g \"use the existing parser\"",
                    "Go back to decision 19"},
                   {"agents plan correct 01JD 19 --mode append -g \"also document it\"",
                    "Add work after the decision's own"}},
      .handler = correct};
}

}  // namespace clever::service
