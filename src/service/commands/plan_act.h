#pragma once
// How commands act on plans: through the engine, by commands with a key. Private to the module.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/plan_engine.h"
#include "plan/command.h"
#include "service/commands/plan.h"

namespace clever::service {

/// The engine, for one command on one plan. Used by one thread.
class PlanActor {
 public:
  /// While it lives, this process drives the plan, unless another one does.
  [[nodiscard]] static base::Result<std::unique_ptr<PlanActor>> open(const MeantPlan& plan,
                                                                     Context& context);

  /// The receipt. A refusal is an error of the code that it names.
  base::Result<std::string> send(const std::string& key, const plan::Command& command);
  /// As soon as it is at rest.
  base::Result<plan::State> wait();
  /// Sentences about hooks of the plan that failed; waits for those under way.
  [[nodiscard]] std::vector<std::string> failed_hooks() const {
    return workplace_->runtime().failed_hooks();
  }
  [[nodiscard]] engine::PlanEngine& plans() { return workplace_->runtime().plans(); }

 private:
  PlanActor(std::unique_ptr<Workplace> workplace, const MeantPlan& plan, Context& context);

  const std::unique_ptr<Workplace> workplace_;
  const MeantPlan& plan_;
  Context& context_;
};

/// What a person says to a command that asks before it acts.
enum class Consent : std::uint8_t { kGiven, kDenied, kNobodyToAsk };

/// Returns a fresh key.
[[nodiscard]] std::string new_key(Context& context);
/// The command with the name of the person who gives it, where the journal keeps that.
[[nodiscard]] plan::Command signed_by_person(plan::Command command, const Context& context);
/// The receipt of a command. A refusal is an error of the code that it names.
base::Result<std::string> send_command(engine::PlanEngine& plans, const model::PlanId& plan,
                                       std::string key, const plan::Command& command,
                                       const base::StopToken& stop);

base::Result<std::string> send_command(Workplace& workplace, const model::PlanId& plan,
                                       std::string key, const plan::Command& command,
                                       const base::StopToken& stop);

/// What a refused command comes to: exit code 4, 3, …, with the present state for people and
/// programs.
[[nodiscard]] Report refusal(const base::Error& error, const MeantPlan& plan);

/// Where the answers of models come from: --script, --record, --replay; and --unconfined.
[[nodiscard]] std::vector<Option> answer_options();
/// The same and --database, for commands that have a plan go on.
[[nodiscard]] std::vector<Option> driving_options();

}  // namespace clever::service
