#include "service/commands/plan_act.h"

#include <nlohmann/json.hpp>

#include "service/caller.h"

namespace clever::service {
namespace {

// Turns {"refused":CODE,"reason":…} into that error; any other receipt is none.
base::Result<void> check_receipt(const std::string& receipt) {
  const auto json = nlohmann::json::parse(receipt, nullptr, false);
  if (!json.is_object() || !json.contains("refused")) return {};
  const std::string code = json.value("refused", "");
  return base::Error(base::error_code_from_string(code).value_or(base::ErrorCode::kConflict),
                     json.value("reason", "the plan refused the command"));
}

}  // namespace

base::Result<std::unique_ptr<PlanActor>> PlanActor::open(const MeantPlan& plan, Context& context) {
  CLEVER_TRY(check_files_are_here(plan, context));
  WorkplaceOptions options;
  options.project = plan.summary.project;
  CLEVER_ASSIGN(auto workplace, Workplace::open(plan.database, options, context));
  return std::unique_ptr<PlanActor>(new PlanActor(std::move(workplace), plan, context));
}

PlanActor::PlanActor(std::unique_ptr<Workplace> workplace, const MeantPlan& plan, Context& context)
    : workplace_(std::move(workplace)), plan_(plan), context_(context) {}

base::Result<std::string> PlanActor::send(const std::string& key, const plan::Command& command) {
  return send_command(plans(), plan_.summary.id, key, signed_by_person(command, context_),
                      context_.stop());
}

std::string new_key(Context& context) {
  base::SystemRandom random;
  return base::UlidGenerator(context.clock(), random).next().to_string();
}

plan::Command signed_by_person(plan::Command command, const Context& context) {
  std::string person = person_name(context);
  std::visit(
      [&person]<class T>(T& one) {
        if constexpr (requires { one.by = std::move(person); }) one.by = std::move(person);
        if constexpr (requires { one.request.by = std::move(person); }) {
          one.request.by = std::move(person);
        }
      },
      command);
  return command;
}

base::Result<std::string> send_command(engine::PlanEngine& plans, const model::PlanId& plan,
                                       std::string key, const plan::Command& command,
                                       const base::StopToken& stop) {
  CLEVER_ASSIGN(const engine::CommandAnswer answer,
                plans.command(plan, std::move(key), command, stop));
  CLEVER_TRY(check_receipt(answer.receipt));
  return answer.receipt;
}

base::Result<plan::State> PlanActor::wait() {
  CLEVER_ASSIGN(const auto state, plans().wait(plan_.summary.id, context_.stop()));
  return *state;
}

base::Result<std::string> send_command(Workplace& workplace, const model::PlanId& plan,
                                       std::string key, const plan::Command& command,
                                       const base::StopToken& stop) {
  return send_command(workplace.runtime().plans(), plan, std::move(key), command, stop);
}

Report refusal(const base::Error& error, const MeantPlan& plan) {
  const auto now = plan.database.state(plan.summary.id);
  const plan::State& state = now.ok() ? *now : plan.state;
  const auto next = next_steps(state);
  Report report = failed(error, next.empty() ? "" : "next: `" + next.front() + "`");
  report.data.set("plan_id", state.id.to_string())
      .set("phase", to_string(state.phase))
      .set("state", to_string(state.state))
      .set("digest",
           state.changeset.digest ? Document(state.changeset.digest->to_hex()) : Document());
  return report;
}

std::vector<Option> answer_options() {
  return {{.name = "script", .value = "FILE", .summary = "Use this script in place of every model"},
          {.name = "record", .value = "FILE", .summary = "Record all answers in this cassette"},
          {.name = "replay", .value = "FILE", .summary = "Replay the answers of this cassette"},
          {.name = "unconfined", .summary = "Run commands without confinement"}};
}

std::vector<Option> driving_options() {
  std::vector<Option> options = answer_options();
  options.push_back(plan_database_option());
  return options;
}

}  // namespace clever::service
