#include "service/commands/run_from_plan.h"

#include "plan/advice.h"
#include "service/commands/plan.h"
#include "service/plan/kept_message.h"
#include "service/text.h"

namespace clever::service {
namespace {

constexpr std::size_t kMostContinuedFiles = 50;

base::Result<void> check_can_continue(const plan::State& plan, const git::Project& project) {
  const std::string id = plan.id.to_string();
  if (plan.project != project.root.string()) {
    return base::invalid_argument("plan " + id + " belongs to " + plan.project +
                                  ": run this command there, or name that folder with --project");
  }
  if (!plan.is_at_rest()) {
    return base::conflict("plan " + id + " is in " + place_of(plan) +
                          ": wait until it rests (`agents watch " + id + "`), or `agents cancel " +
                          id + "` first");
  }
  if (!plan::left_work(plan)) {
    return base::conflict("plan " + id +
                          " left no changes to continue with; start a new plan with `agents run`");
  }
  return {};
}

std::string words_about(const plan::State& plan, const std::vector<ChangedFile>& files) {
  std::string text = "The files already hold the work of an earlier plan (\"" + plan.title +
                     "\"), which has not landed. Build on it.";
  for (std::size_t i = 0; i < files.size() && i < kMostContinuedFiles; ++i) {
    text += (i == 0 ? " It changed: " : ", ") + files[i].path;
  }
  if (files.size() > kMostContinuedFiles) {
    text += " and " + std::to_string(files.size() - kMostContinuedFiles) + " more";
  }
  return text;
}

}  // namespace

base::Result<ContinuedPlan> continued_plan(const PlanDatabase& database, const std::string& word,
                                           const git::Project& project, Context& context) {
  auto found = database.find(word);
  if (!found.ok()) return std::move(found).error().add_context("--from-plan");
  CLEVER_ASSIGN(MeantPlan meant, meant_plan(database, *found));
  CLEVER_TRY(check_can_continue(meant.state, project));
  CLEVER_TRY(check_files_are_here(meant, context));
  ContinuedPlan earlier;
  CLEVER_ASSIGN(earlier.prompt,
                kept_message(database.engine(), meant.state.prompts.front(), context.stop()));
  earlier.words = words_about(meant.state, files_if_any(meant, context));
  earlier.state = std::move(meant.state);
  return earlier;
}

plan::Create create_as_is(const ContinuedPlan& earlier) {
  const model::PlanSettings& before = earlier.state.settings;
  model::PlanSettings settings{.actor = before.actor,
                               .uses_model = before.uses_model,
                               .uses_agent = before.uses_agent,
                               .arguments = before.arguments,
                               .definition_of_done = before.definition_of_done,
                               .profile = before.profile,
                               .direct = true,
                               .seal_at_start = true,
                               .subplans = before.subplans,
                               .limits = before.limits,
                               .terms = before.terms};
  settings.control.automation = before.control.automation;
  return {.title = earlier.state.title,
          .action = earlier.state.action,
          .project = earlier.state.project,
          .settings = std::move(settings),
          .prompt = earlier.prompt};
}

}  // namespace clever::service
