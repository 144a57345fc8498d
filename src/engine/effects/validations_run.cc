#include "engine/effects/internal/kinds.h"
#include "engine/observer.h"
#include "engine/validation_check.h"
#include "engine/validation_pipeline.h"

namespace clever::engine::internal {
namespace {

/// The plan's work is checked, each validation in a copy of it: whatever they write, the work is as
/// it was, and so is what the others see.
class ValidationsRun final : public Effect {
 public:
  explicit ValidationsRun(const EffectParts& parts)
      : clock_(parts.scheduler.clock()),
        workspaces_(parts.workspaces),
        runner_(parts.tools),
        registry_(parts.registry),
        commands_(parts.commands),
        bring_tools_(parts.bring_tools),
        home_(parts.home),
        secrets_(parts.secrets),
        pipeline_(parts.scheduler.blocking()) {}

  void start(std::shared_ptr<EffectJob> job) override {
    pipeline_.start(
        {.validations = job->plan().settings.control.validations,
         .check = [this, job](
                      const model::Validation& validation,
                      const base::StopToken& stop) { return check(*job, validation, stop); },
         .told =
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
  model::ValidationResult check(const EffectJob& job, const model::Validation& validation,
                                const base::StopToken& stop) {
    const plan::State& plan = job.plan();
    if (!validation.untrusted.empty()) {
      const auto project = workspaces_.project(plan);
      const bool may_run = project.ok() && is_trusted(validation, project->root, home_);
      if (!may_run) return not_trusted(validation);
    }
    const std::string shown = "validation " + validation.name;
    Observer* const observer = job.order().observer;
    if (observer != nullptr) observer->on_tool(plan.id, shown, true);
    if (!validation.tool.empty() && bring_tools_) bring_tools_(stop);
    model::ValidationResult result =
        check_work({.clock = clock_,
                    .copy = [&] { return workspaces_.copy(plan, job.order().lease); },
                    .commands = commands_,
                    .runner = &runner_,
                    .tools = registry_.snapshot(),
                    .secrets = secrets_},
                   validation, stop);
    if (observer != nullptr) observer->on_tool(plan.id, shown, false);
    return result;
  }

  base::Clock& clock_;
  Workspaces& workspaces_;
  tool::ToolRunner& runner_;
  tool::ToolRegistry& registry_;
  const std::shared_ptr<tool::CommandWorld> commands_;
  const std::function<void(const base::StopToken&)> bring_tools_;
  const std::filesystem::path home_;
  const base::Secrets* const secrets_;
  ValidationPipeline pipeline_;
};

}  // namespace

std::unique_ptr<Effect> make_validations_run(const EffectParts& parts) {
  return std::make_unique<ValidationsRun>(parts);
}

}  // namespace clever::engine::internal
