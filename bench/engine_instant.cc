#include "engine_instant.h"

#include <utility>

#include "engine_arguments.h"
#include "engine_stack.h"

namespace clever::bench {
namespace {

constexpr const char* kTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

plan::Command based(const engine::EffectOrder& order) {
  plan::BaseIsTaken taken{.effect = order.id};
  taken.base.tree = kTree;
  return taken;
}

// Another call in every turn: the same one again and again would be taken for a loop.
plan::Command answered(const engine::EffectOrder& order, int turns) {
  const auto turn = order.plan->usage.calls;
  plan::Answered answer{.effect = order.id, .model = "bench/instant"};
  if (turn < turns) {
    const std::string name = std::to_string(turn);
    answer.message = {model::Role::kAssistant,
                      {model::ToolCall{.id = "call_" + name,
                                       .name = "read_file",
                                       .arguments = R"({"path":"notes/)" + name + R"(.txt"})"}}};
    answer.calls = {plan::CallClass::kRead};
  } else {
    answer.message = {model::Role::kAssistant, {model::Text{"done"}}};
  }
  answer.input_tokens = 100;
  answer.output_tokens = 10;
  return answer;
}

plan::Command ran(const engine::EffectOrder& order) {
  const std::string id = "call_" + std::to_string(order.plan->usage.calls - 1);
  plan::ToolsRan result{.effect = order.id};
  result.results = {model::Role::kUser,
                    {model::ToolResult{.call = id, .content = {model::Text{"a note"}}}}};
  result.outcomes = {{.tool = "read_file", .fingerprint = base::sha256(id)}};
  return result;
}

plan::Command instantly(const engine::EffectOrder& order, int turns) {
  switch (order.kind) {
    case plan::EffectKind::kBase:
      return based(order);
    case plan::EffectKind::kModel:
      return answered(order, turns);
    case plan::EffectKind::kTools:
      return ran(order);
    case plan::EffectKind::kSeal:
      return plan::Sealed{.effect = order.id};
    default:
      return plan::RecordError{.effect = order.id, .message = "not in this benchmark"};
  }
}

storage::OwnerLock owner(const std::filesystem::path& home, base::UlidGenerator& ids) {
  return need(storage::OwnerLock::acquire(home / "owners", model::OwnerId(ids.next())));
}

}  // namespace

void AnsweringRunner::start(engine::EffectOrder order, Done done) {
  if (order.kind == plan::EffectKind::kModel && options_.longest.count() > 0) {
    answer_later(std::move(order), std::move(done));
  } else {
    done(instantly(order, options_.turns));
  }
}

void AnsweringRunner::answer_later(engine::EffectOrder order, Done done) {
  const model::PlanId plan = order.plan->id;
  const auto spread = static_cast<std::uint64_t>((options_.longest - options_.shortest).count());
  const auto patience = waiting_.with([&](Waiting& waiting) {
    return options_.shortest + std::chrono::milliseconds(waiting.random.below(spread + 1));
  });
  const base::TimePoint due = scheduler_.clock().now() + patience;
  auto alarm = scheduler_.at(due, scheduler_.blocking(),
                             [order = std::move(order), done = std::move(done),
                              turns = options_.turns]() mutable { done(instantly(order, turns)); });
  std::unique_ptr<engine::Alarm> before;
  waiting_.with([&](Waiting& waiting) {
    waiting.due[plan] = due;
    before = std::exchange(waiting.alarms[plan], std::move(alarm));
  });
}

base::TimePoint AnsweringRunner::due(const model::PlanId& plan) const {
  return waiting_.with([&](Waiting& waiting) { return waiting.due[plan]; });
}

InstantEngine::InstantEngine(const Options& options)
    : source_({}, clock_),
      database_(open_database(source_, options.database, options.home)),
      owner_(owner(options.home, ids_)),
      store_(*database_, clock_, owner_),
      scheduler_(clock_),
      runner_(scheduler_, options.answers),
      plans_(engine::PlanEngine::make({.store = store_,
                                       .scheduler = scheduler_,
                                       .ids = ids_,
                                       .effects = runner_,
                                       .child = {},
                                       .observer = options.observer})) {}

model::PlanId InstantEngine::start(int turns) {
  plan::Create create;
  create.title = "bench";
  create.project = "/bench";
  create.prompt = {model::Role::kUser, {model::Text{"Read the notes."}}};
  create.settings.direct = true;
  create.settings.terms.model = "bench/instant";
  create.settings.limits.turns_per_step = turns + 10;
  return need(plans_->create(std::move(create), {}));
}

}  // namespace clever::bench
