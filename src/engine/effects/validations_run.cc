#include <algorithm>

#include "engine/effects/internal/kinds.h"
#include "engine/observer.h"
#include "engine/validation_check.h"
#include "engine/validation_pipeline.h"

namespace clever::engine::internal {
namespace {

/// Runs the plan's validations, each in its own copy of the work, so that none changes the work or
/// sees another's files.
class ValidationsRun final : public Effect {
 public:
  explicit ValidationsRun(const EffectParts& parts)
      : clock_(parts.scheduler.clock()),
        workspaces_(parts.workspaces),
        runner_(parts.tools),
        project_(parts.project),
        home_(parts.home),
        secrets_(parts.secrets),
        pipeline_(parts.scheduler.blocking()) {}

  void start(std::shared_ptr<EffectJob> job) override {
    pipeline_.start(
        {.validations = job->plan().settings.control.validations,
         .check = [this, job](
                      const model::Validation& validation,
                      const base::StopToken& stop) { return check(*job, validation, stop); },
         .on_result =
             [job](const model::ValidationResult& result) {
               if (Observer* observer = job->order().observer) {
                 observer->on_validation(job->plan().id, result);
               }
             },
         .stop = job->order().stop},
        [job](base::Result<std::vector<model::ValidationResult>> results) {
          if (!results.ok()) return job->fail(results.error());
          job->settle(plan::Validated{.effect = job->order().id,
                                      .tree = job->plan().tree,
                                      .results = std::move(results).value()});
        });
  }

 private:
  // Each project of a group has its own trust.
  static std::filesystem::path root_of_validation(const git::Project& project,
                                                  const model::Validation& validation) {
    const auto member = std::ranges::find_if(project.members, [&](const git::Project& one) {
      return validation.origin == "project " + one.name;
    });
    return member == project.members.end() ? project.root : member->root;
  }

  model::ValidationResult check(const EffectJob& job, const model::Validation& validation,
                                const base::StopToken& stop) {
    const plan::State& plan = job.plan();
    if (!validation.untrusted.empty()) {
      const auto project = workspaces_.project(plan);
      const bool may_run =
          project.ok() && is_trusted(validation, root_of_validation(*project, validation), home_);
      if (!may_run) return not_trusted(validation);
    }
    const std::string shown = "validation " + validation.name;
    Observer* const observer = job.order().observer;
    if (observer != nullptr) observer->on_tool(plan.id, shown, true);
    model::ValidationResult result = check_in_project(job, validation, stop);
    if (observer != nullptr) observer->on_tool(plan.id, shown, false);
    return result;
  }

  model::ValidationResult check_in_project(const EffectJob& job,
                                           const model::Validation& validation,
                                           const base::StopToken& stop) {
    const plan::State& plan = job.plan();
    const auto project = project_(plan.project, stop);
    ValidationWorld world{.clock = clock_, .runner = &runner_, .secrets = secrets_};
    world.copy = [&]() -> base::Result<std::shared_ptr<sandbox::Workspace>> {
      if (!project.ok()) return project.error();
      return workspaces_.copy(plan, job.order().lease);
    };
    if (project.ok()) {
      if (!validation.tool.empty() && (*project)->bring_tools) (*project)->bring_tools(stop);
      world.held = *project;
      world.commands = (*project)->commands;
      world.tools = (*project)->registry.snapshot();
    }
    return check_work(world, validation, stop);
  }

  base::Clock& clock_;
  Workspaces& workspaces_;
  tool::ToolRunner& runner_;
  const OpenProjectParts project_;
  const std::filesystem::path home_;
  const base::Secrets* const secrets_;
  ValidationPipeline pipeline_;
};

}  // namespace

std::unique_ptr<Effect> make_validations_run(const EffectParts& parts) {
  return std::make_unique<ValidationsRun>(parts);
}

}  // namespace clever::engine::internal
