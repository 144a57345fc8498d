#include "plan/internal/draft.h"

#include <algorithm>
#include <utility>

#include "model/budget_events.h"
#include "model/plan_events.h"
#include "plan/internal/agent.h"
#include "plan/internal/money.h"

namespace clever::plan {
namespace {

struct Shortage {
  // For example ", which may cost $0.68: plan/01J… has $0.20 left".
  std::string text{};
  // The unit to type for a higher cap.
  std::string amount = "USD";
};

Shortage shortage(const State& state, const std::optional<Circumstances::Left>& left) {
  const model::Cost least = least_call(state).cost;
  const bool tokens = left && least.money <= left->cost.money && least.tokens > left->cost.tokens;
  const auto shown = [&](const model::Cost& cost) {
    return tokens ? std::to_string(std::max<std::int64_t>(cost.tokens, 0)) + " tokens"
                  : dollars(cost.money);
  };
  Shortage shortage;
  if (tokens) shortage.amount = "USD --tokens N";
  if (!tokens && least.money == 0) return shortage;
  shortage.text = ", which may cost " + shown(least);
  if (left && !left->scope.empty()) {
    shortage.text += ": " + left->scope + " has " + shown(left->cost) + " left";
  }
  return shortage;
}

}  // namespace

void Draft::add(model::Event event) {
  if (failure_) return;
  const model::StoredEvent stored{.plan = before_.id,
                                  .sequence = after_.sequence + 1,
                                  .time = circumstances_.now,
                                  .kind = event.kind,
                                  .version = event.version,
                                  .data = event.data};
  if (auto evolved = evolve(after_, stored); !evolved.ok()) {
    failure_ = base::internal_error(evolved.error().sentence());
    return;
  }
  decided_.events.push_back(std::move(event));
}

base::Ulid Draft::next_ulid() {
  return derived_id(circumstances_.now, before_.id.to_string() + "/" +
                                            std::to_string(before_.sequence) + "/" +
                                            std::to_string(++ids_));
}

void Draft::move(model::Phase phase, model::PlanState state, std::string reason,
                 std::string waits_for) {
  add(model::PlanMoved{phase, state, std::move(reason), std::move(waits_for)});
}

void Draft::move(model::PlanState state, std::string reason, std::string waits_for) {
  move(after_.phase, state, std::move(reason), std::move(waits_for));
}

void Draft::wait_for_money() {
  if (circumstances_.room_may_come) {
    move(model::PlanState::kWaiting,
         "the next model call waits until running calls release what they reserved and did not "
         "use; `agents budget list` shows them",
         "room");
    return;
  }
  const auto& above = after_.settings.ancestors;
  const std::string root = (above.empty() ? after_.id : above.front()).to_string();
  const auto& left = circumstances_.left;
  const std::string scope = left && !left->scope.empty() ? left->scope : "plan/" + root;
  const Shortage missing = shortage(after_, left);
  move(model::PlanState::kWaiting,
       "the budget has no room for the next model call" + missing.text +
           "; `agents budget list` shows it, `agents budget set " + scope + " " + missing.amount +
           "` raises it, then `agents plan resume " + root + "`",
       "budget");
}

model::EffectId Draft::request(EffectKind kind, std::string data) {
  const auto id = make_id<model::EffectId>();
  request(id, kind, std::move(data));
  return id;
}

void Draft::request(const model::EffectId& id, EffectKind kind, std::string data) {
  auto event =
      model::EffectRequested{
          .id = id, .kind = std::string(to_string(kind)), .data = std::move(data)}
          .to_event();
  if (event.ok()) {
    add(std::move(event).value());
  } else if (!failure_) {
    failure_ = base::internal_error(event.error().sentence());
  }
}

void Draft::settle(const model::EffectId& id, std::string outcome, const model::Cost& spent) {
  const auto open = after_.effects.find(id);
  if (open == after_.effects.end()) return;
  const OpenEffect& effect = open->second;
  if (effect.reservation != 0 && outcome != "abandoned") {
    add(model::BudgetSettled{effect.reservation, effect.scopes, effect.reserved, spent,
                             is_by_agent(after_, effect.kind)});
  }
  add(model::EffectSettled{id, std::move(outcome)});
}

base::Sha256Digest Draft::keep(const model::Message& message, std::int64_t& bytes) {
  std::string content = model::to_json({message});
  bytes = static_cast<std::int64_t>(content.size());
  return keep(std::move(content));
}

base::Sha256Digest Draft::keep(std::string content) {
  const base::Sha256Digest hash = base::sha256(content);
  decided_.bodies.push_back({hash, std::move(content)});
  return hash;
}

base::Sha256Digest Draft::say(const model::Message& message, model::MessageWhy why) {
  std::int64_t bytes = 0;
  const base::Sha256Digest hash = keep(message, bytes);
  add(model::MessageAdded{message.role, hash, bytes, why});
  return hash;
}

void Draft::say(std::string text, model::MessageWhy why) {
  say(model::Message{model::Role::kUser, {model::Text{std::move(text)}}}, why);
}

void Draft::forget_conversation() {
  if (after_.transcript.empty() && after_.turns_in_step == 0 && after_.recent_calls.empty()) return;
  add(model::TranscriptCut{static_cast<std::int64_t>(after_.transcript.size())});
}

void Draft::send(const model::PlanId& plan, std::string key, const Command& command) {
  decided_.outgoing.push_back({plan, std::move(key), to_json(command)});
}

bool has_ended(const State& state) {
  if (!state.exists() || !state.parent || !state.effects.empty()) return false;
  switch (state.state) {
    case model::PlanState::kComplete:
      return state.phase == model::Phase::kExecute;
    case model::PlanState::kErrored:
    case model::PlanState::kCancelled:
      return true;
    default:
      return false;
  }
}

namespace {

std::string base_of(const State& state) {
  if (!state.settings.base_tree.empty() || !state.base) return state.settings.base_tree;
  return state.base->tree;
}

ChildEnded end_of(const State& state) {
  ChildEnded ended{.effect = state.settings.spawned_by,
                   .child = state.id,
                   .state = state.state,
                   .base = base_of(state),
                   .tree = state.tree,
                   .reads = state.reads,
                   .files = state.open_changes()};
  if (state.state != model::PlanState::kComplete) {
    ended.error = state.reason;
  } else if (!state.steps.empty()) {
    ended.summary = state.steps.size() == 1 ? state.steps.front().summary : state.strategy_summary;
  }
  return ended;
}

// Returns what a resting subplan waits for; empty if it does not wait.
std::string waits_for(const State& state) {
  const bool waits = state.exists() && state.is_at_rest() && !has_ended(state);
  if (!waits || state.room_may_come) return {};
  return state.reason.empty() ? "a person to resume it" : state.reason;
}

}  // namespace

void Draft::tell_parent() {
  if (!after_.parent || !after_.settings.spawned_by) return;
  const std::string key = model::effect_key(after_.settings.spawned_by);
  if (has_ended(after_)) {
    if (!has_ended(before_)) send(after_.parent, key, end_of(after_));
    return;
  }
  const std::string waits = waits_for(after_);
  const bool changed = waits.empty() ? !waits_for(before_).empty() : !decided_.events.empty();
  if (!changed) return;
  send(after_.parent, key + "/waits/" + std::to_string(after_.sequence),
       ChildWaits{after_.settings.spawned_by, after_.id, waits});
}

base::Result<Decided> Draft::finish(std::string_view receipt) {
  std::string text = "{\"phase\":\"" + std::string(model::to_string(after_.phase)) +
                     "\",\"state\":\"" + std::string(model::to_string(after_.state)) + "\"";
  if (!receipt.empty()) text += "," + std::string(receipt);
  return finish_with(text + "}");
}

base::Result<Decided> Draft::finish_with(std::string receipt) {
  if (!failure_) tell_parent();
  if (failure_) return *failure_;
  decided_.state = std::move(after_);
  decided_.receipt = std::move(receipt);
  return std::move(decided_);
}

}  // namespace clever::plan
