#pragma once
// Plans that one command drives together. Private to the module.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/plan_engine.h"
#include "git/project.h"
#include "service/commands/plan.h"
#include "service/commands/run_request.h"
#include "service/context.h"
#include "service/live.h"
#include "service/plan/recording.h"
#include "service/plan/workplace.h"

namespace clever::service {

/// How a command ended with its plans.
enum class RunEnd : std::uint8_t {
  kAtRest,     // all of them
  kLeft,       // interrupted: `agents resume` continues them
  kCancelled,  // interrupted, and cancelled
};

/// Plans, root plans each, driven until they are at rest, with live progress; applied one after
/// another in their order if that is wanted. Ctrl-C: at a terminal it is asked what was meant; a
/// second one, and one elsewhere, leaves them as they are, resumable.
///
/// Used by one thread. The database and the context must outlive it.
class RunPlans {
 public:
  struct Options {
    WorkplaceOptions workplace{};
    std::size_t tasks = 1;
    /// How each lands; none: only those that do by themselves.
    std::optional<model::ApplyRequested> apply{};
    bool shows_progress = true;
    /// Plans are named when they are first seen.
    bool heading = true;
    /// False: new plans are left to another process.
    bool drives = true;
    /// That are worked on at once; the next begins when one before it is at rest.
    std::size_t most_plans = 20'000;
  };
  [[nodiscard]] static base::Result<std::unique_ptr<RunPlans>> open(const PlanDatabase& database,
                                                                    Options options,
                                                                    Context& context);

  [[nodiscard]] engine::Runtime& runtime() {
    return recording_ ? recording_->runtime() : workplace_->runtime();
  }
  /// What new ones are made with.
  [[nodiscard]] PlanParts parts();
  /// The MCP servers that have answered while the plans worked.
  [[nodiscard]] engine::KnownTools answered_servers();
  /// The project that driven plans work on.
  [[nodiscard]] engine::OpenProject& project() { return workplace_->project(); }
  [[nodiscard]] const std::vector<model::PlanId>& plans() const { return plans_; }
  /// A new plan, durable, and driven if that is wanted; `with` is committed with one that is not.
  base::Result<void> create(plan::Create command, const storage::Caps& caps,
                            const engine::PlanEngine::With& with = {});
  /// One that is there already.
  base::Result<void> take_over(const model::PlanId& plan);

  base::Result<RunEnd> run();
  /// Applies one of them, unless a person has to look at it first: held() says so then.
  base::Result<void> apply(const model::PlanId& plan, const model::ApplyRequested& request,
                           const base::StopToken& stop);
  /// What they have come to, in their order. Progress is not shown any more.
  base::Result<std::vector<plan::State>> states();
  /// It is again.
  void show_progress();
  /// The plans that did not land because a person has to look at them first, and why.
  [[nodiscard]] const std::map<model::PlanId, std::string>& held() const { return held_; }
  /// What a plan changed; nothing if it has no base yet.
  [[nodiscard]] std::vector<ChangedFile> files(const plan::State& plan);
  [[nodiscard]] base::Result<plan::Usage> usage(const plan::State& plan) const;
  /// The plan itself or the first of its subplans that asks a person about something.
  base::Result<std::optional<plan::State>> asking(const plan::State& plan);
  /// After a subplan was answered: until the plan, which was at rest, has heard that it goes on.
  base::Result<void> hear_of_answer(const plan::State& before, const base::StopToken& stop);

 private:
  RunPlans(const PlanDatabase& database, Options options, Context& context);

  base::Result<void> wait_and_land(const base::StopToken& stop);
  /// Those that are to be worked on while this one is waited for.
  base::Result<void> drive_up_to(std::size_t place, const base::StopToken& stop);
  /// The error of a store that failed, with what to do about it.
  [[nodiscard]] base::Error with_advice(const base::Error& error) const;
  /// Waits for it to come to rest; asks at a terminal for approvals that it or a subplan needs
  /// meanwhile.
  base::Result<std::shared_ptr<const plan::State>> wait(const model::PlanId& plan,
                                                        const base::StopToken& stop);
  /// Returns true if a person answered every question, so that the plan continues.
  base::Result<bool> ask_person(const plan::State& plan, const base::StopToken& stop);
  base::Result<RunEnd> interrupted();
  base::Result<RunEnd> cancel();
  enum class Answer : std::uint8_t { kLeave, kCancel, kGoOn };
  Answer ask();

  const PlanDatabase& database_;
  const Options options_;
  Context& context_;
  std::vector<model::PlanId> plans_;
  /// Of them so many are driven, the first ones.
  std::size_t driven_ = 0;
  std::map<model::PlanId, std::string> held_;
  std::optional<git::Project> project_;
  // What the engine shows itself to outlives it.
  std::unique_ptr<LiveDisplay> progress_;
  std::unique_ptr<Workplace> workplace_;
  // In place of the workplace, where a server's engine records plans.
  std::unique_ptr<Recording> recording_;
};

/// How live progress is shown by the settings and the terminal.
[[nodiscard]] LiveOptions live_options(std::size_t tasks, Context& context);

/// Where the answers of models come from, as the command line says; and --unconfined.
[[nodiscard]] WorkplaceOptions answers_of(const Invocation& invocation, const Context& context);

}  // namespace clever::service
