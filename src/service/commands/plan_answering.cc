#include "service/commands/plan_answering.h"

#include "service/commands/plan_act.h"
#include "service/plan/approval_details.h"
#include "service/plan/approval_words.h"

namespace clever::service {

class PlanAnswering::AllButEvents final : public engine::Observer {
 public:
  explicit AllButEvents(engine::Observer& to) : to_(to) {}
  void on_text(const model::PlanId& plan, const std::string& text, bool reasoning) override {
    to_.on_text(plan, text, reasoning);
  }
  void on_restart(const model::PlanId& plan) override { to_.on_restart(plan); }
  void on_wait(const model::PlanId& plan, const engine::WaitNotice& wait) override {
    to_.on_wait(plan, wait);
  }
  void on_tool(const model::PlanId& plan, const std::string& call, bool begins) override {
    to_.on_tool(plan, call, begins);
  }
  void on_validation(const model::PlanId& plan, const model::ValidationResult& result) override {
    to_.on_validation(plan, result);
  }

 private:
  engine::Observer& to_;
};

PlanAnswering::PlanAnswering(const PlanDatabase& database, WorkplaceOptions options,
                             LiveDisplay& progress, Context& context)
    : database_(database),
      progress_(progress),
      context_(context),
      rest_(std::make_unique<AllButEvents>(progress)),
      options_(std::move(options)) {
  options_.observer = rest_.get();
}

base::Result<bool> PlanAnswering::answer(PlanFollower& follower, const PlanFollower::Seen& tell) {
  const Screen screen = context_.screen();
  if (!screen.can_ask() || !follower.state().is_at_rest()) return false;
  const plan::State* asks = asking(follower, follower.state());
  if (asks == nullptr) return false;
  const plan::State plan = *asks;
  const std::int64_t before = follower.state().sequence;
  const std::int64_t number = plan.approval->number;
  asked_.emplace(plan.id, number);
  CLEVER_ASSIGN(const auto commands, ask(screen, plan));
  if (commands.empty()) return false;
  // The person left the remaining items open on purpose.
  if (!answers_all(commands, *plan.approval)) {
    asked_.emplace(plan.id, number + static_cast<std::int64_t>(commands.size()));
  }
  const auto sent = send(plan, commands);
  // Another answer was faster: the plan continues with it.
  const bool overtaken = !sent.ok() && sent.error().code() == base::ErrorCode::kConflict;
  if (!sent.ok() && !overtaken) return sent.error();
  if (overtaken) CLEVER_TRY(screen.error_output(sent.error().sentence() + "\n"));
  CLEVER_TRY(hear(follower, before, tell));
  return true;
}

const plan::State* PlanAnswering::asking(const PlanFollower& follower,
                                         const plan::State& plan) const {
  if (plan.approval) return asked_.contains({plan.id, plan.approval->number}) ? nullptr : &plan;
  for (const plan::Step& step : plan.steps) {
    const plan::State* child = step.waits.empty() ? nullptr : follower.state_of(step.child);
    const plan::State* found = child == nullptr ? nullptr : asking(follower, *child);
    if (found != nullptr) return found;
  }
  return nullptr;
}

base::Result<std::vector<plan::Command>> PlanAnswering::ask(const Screen& screen,
                                                            const plan::State& plan) {
  const auto details = [&](const model::ApprovalItem& item) {
    return approval_details(database_.engine(), plan, item, context_.stop());
  };
  progress_.pause();
  auto commands = ask_for_approval(screen, plan, details, context_.stop());
  progress_.resume();
  return commands;
}

base::Result<void> PlanAnswering::send(const plan::State& plan,
                                       const std::vector<plan::Command>& commands) {
  if (workplace_ == nullptr) {
    if (options_.project.empty()) options_.project = plan.project;
    CLEVER_ASSIGN(workplace_, Workplace::open(database_, options_, context_));
  }
  for (const plan::Command& command : commands) {
    CLEVER_TRY(send_command(workplace_->runtime().plans(), plan.id, new_key(context_),
                            signed_by_person(command, context_), context_.stop()));
  }
  return {};
}

// A plan that only waited for its subplan is at rest until it reads the answer.
base::Result<void> PlanAnswering::hear(PlanFollower& follower, std::int64_t before,
                                       const PlanFollower::Seen& tell) {
  while (true) {
    CLEVER_TRY(follower.advance(tell, context_.stop()));
    if (follower.state().sequence > before) return {};
    CLEVER_TRY(follower.wait(context_.stop()));
  }
}

}  // namespace clever::service
