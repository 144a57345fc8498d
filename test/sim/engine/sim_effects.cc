#include "sim/engine/sim_effects.h"

#include <algorithm>
#include <memory>

#include "engine/plan_execution_context.h"

namespace clever::sim {
namespace {

using engine::EffectOrder;
using plan::EffectKind;

model::Message user(const std::string& text) { return {model::Role::kUser, {model::Text{text}}}; }

std::vector<model::ToolCall> calls_of(const model::Message& message) {
  std::vector<model::ToolCall> calls;
  for (const model::Part& part : message.parts) {
    if (const auto* call = std::get_if<model::ToolCall>(&part)) calls.push_back(*call);
  }
  return calls;
}

std::vector<std::string> results_of(const model::Message& message) {
  std::vector<std::string> results;
  for (const model::Part& part : message.parts) {
    if (const auto* result = std::get_if<model::ToolResult>(&part)) results.push_back(result->call);
  }
  return results;
}

// What a provider would refuse; empty: nothing.
std::string flaw(const std::vector<model::Message>& messages) {
  if (messages.empty() || messages.front().role != model::Role::kUser) return "begins wrongly";
  if (messages.back().role != model::Role::kUser) return "does not end with the user";
  std::vector<std::string> expected;
  for (const model::Message& message : messages) {
    if (results_of(message) != expected) return "a call without its result, or the reverse";
    expected.clear();
    for (const model::ToolCall& call : calls_of(message)) expected.push_back(call.id);
  }
  return {};
}

std::string key_of(const plan::State& plan) {
  return plan.title + "/" + plan.steps.at(plan.active.value()).definition.id;
}

}  // namespace

void SimEffects::start(EffectOrder order, Done done) {
  check(order);
  const auto key = std::pair{order.plan->id, order.id};
  if (running(order.plan->id) != 0) {
    parts_.world.violate("what a plan does itself, it does one after another");
  }
  if (++running_[key] > 1) parts_.world.violate("an effect runs twice at once");
  const auto delay = std::chrono::milliseconds(parts_.random.below(2000));
  auto held = std::make_shared<std::pair<EffectOrder, Done>>(std::move(order), std::move(done));
  parts_.scheduler.after(delay, [this, key, held] {
    --running_[key];
    held->second(outcome(held->first));
  });
}

std::size_t SimEffects::running(const model::PlanId& plan) const {
  std::size_t count = 0;
  for (const auto& [key, running] : running_) {
    if (key.first == plan) count += static_cast<std::size_t>(running);
  }
  return count;
}

void SimEffects::check(const EffectOrder& order) {
  const bool open = parts_.database.read([&](const PlanDatabase::Tables& tables) {
    // A process that lost the plan meanwhile may not know yet: what it does falls into nothing.
    const auto lease = tables.leases.find(order.plan->id);
    const auto effect = tables.effects.find(order.id);
    if (lease == tables.leases.end()) return false;
    if (lease->second.epoch != order.lease.epoch) return true;
    return effect != tables.effects.end() && !effect->second.settled;
  });
  if (!open) parts_.world.violate("an effect was started that is not requested, or settled");
  if (order.plan->state == model::PlanState::kCancelled) {
    parts_.world.violate("an effect of a cancelled plan was started");
  }
  if (open && order.kind == EffectKind::kModel) check_transcript(order);
}

std::vector<model::Message> SimEffects::messages(const plan::State& plan) const {
  std::vector<model::Message> all;
  for (const plan::TranscriptEntry& entry : plan.transcript) {
    const std::string body = parts_.database.read(
        [&](const PlanDatabase::Tables& tables) { return tables.bodies.at(entry.body); });
    for (model::Message& message : model::messages_from_json(body).value()) {
      all.push_back(std::move(message));
    }
  }
  return all;
}

void SimEffects::check_transcript(const EffectOrder& order) {
  const std::string wrong = flaw(messages(*order.plan));
  if (!wrong.empty()) parts_.world.violate("a transcript that no provider accepts: " + wrong);
}

plan::Command SimEffects::outcome(const EffectOrder& order) {
  if (order.stop.stop_requested()) return plan::EffectStopped{order.id};
  if (parts_.random.below(100) < parts_.errors && parts_.world.may_err(order.plan->id)) {
    return plan::RecordError{.effect = order.id,
                             .category = model::ErrorCategory::kTransientProvider,
                             .message = "trouble"};
  }
  return compute(order);
}

plan::Command SimEffects::compute(const EffectOrder& order) {
  switch (order.kind) {
    case EffectKind::kBase: {
      const std::string& given = order.plan->settings.base_tree;
      return plan::BaseIsTaken{order.id, {.tree = given.empty() ? parts_.world.base() : given}};
    }
    case EffectKind::kModel:
      return answer(order);
    case EffectKind::kTools:
      return run_tools(order);
    case EffectKind::kMerge:
      return merge(order);
    case EffectKind::kValidate:
      return validate(order);
    case EffectKind::kSeal:
      return seal(order);
    case EffectKind::kChoose:
      return choose(order);
    case EffectKind::kApply:
      return apply(order);
    case EffectKind::kUndo:
      parts_.world.take_back(order.plan->id);
      return plan::UndoCame{.effect = order.id, .undone = true, .commit = std::string(40, 'd')};
    case EffectKind::kActorStrategize:
      return plan::ActorStrategized{order.id, parts_.world.script().strategy()};
    case EffectKind::kActorWork:
      return work(order);
    default:
      parts_.world.violate("an effect that no plan of this world has");
      return plan::EffectStopped{order.id};
  }
}

plan::Command SimEffects::answer(const EffectOrder& order) {
  ++model_calls_;
  plan::Answered answered{.effect = order.id, .model = "scripted/sim"};
  answered.input_tokens = 10;
  answered.output_tokens = 5;
  answered.spent = {.money = 3, .tokens = 15};
  if (order.plan->phase == model::Phase::kStrategize) {
    const model::Strategy strategy = parts_.world.script().strategy();
    answered.message = {model::Role::kAssistant,
                        {model::ToolCall{"strategy", "submit_strategy", strategy.to_json()}}};
    answered.strategy = strategy;
  } else {
    const auto turns = std::ranges::count(order.plan->transcript, model::Role::kAssistant,
                                          &plan::TranscriptEntry::role);
    answered.message =
        parts_.world.script().answer(key_of(*order.plan), static_cast<std::size_t>(turns));
  }
  for (const model::ToolCall& call : calls_of(answered.message)) {
    answered.calls.push_back(call.name == "read" ? plan::CallClass::kRead
                                                 : plan::CallClass::kWrite);
    const bool asks = parts_.asks > 0 && parts_.random.below(100) < parts_.asks;
    answered.verdicts.push_back(
        {.verdict = asks ? model::Verdict::kAsk : model::Verdict::kAllow, .shown = call.name});
  }
  return answered;
}

plan::Command SimEffects::run_tools(const EffectOrder& order) {
  const model::Message asked = messages(*order.plan).back();
  Tree tree = parts_.world.tree(order.plan->tree);
  plan::ToolsRan ran{.effect = order.id, .results = {model::Role::kUser, {}}};
  std::vector<std::string> written;
  for (const model::ToolCall& call : calls_of(asked)) {
    const std::string result = run_tool(tree, call);
    ran.results.parts.emplace_back(model::ToolResult{call.id, {model::Text{result}}});
    ran.outcomes.push_back({call.name, false, base::sha256(call.id + result)});
    if (call.name != "read") written.push_back(call.id);
  }
  if (tree != parts_.world.tree(order.plan->tree)) ran.tree = parts_.world.put(tree);
  record(order, written);
  return ran;
}

// One change after another, as tools make them; each says whose it is.
void SimEffects::record(const EffectOrder& order, const std::vector<std::string>& paths) {
  const engine::Changeset changes = order.context->start_changeset(order.plan->decision);
  for (const std::string& path : paths) {
    changes.record({{.path = path, .tool = order.id.to_string()}});
  }
  parts_.world.note_changes(order.id, paths.size());
}

// Twice is not once, as with tools.
plan::Command SimEffects::work(const EffectOrder& order) {
  const std::string path = order.plan->title + "/" + step_in(order.data);
  Tree tree = parts_.world.tree(order.plan->tree);
  tree[path] += "worked;";
  record(order, {path});
  return plan::ActorWorked{.effect = order.id, .summary = "worked", .tree = parts_.world.put(tree)};
}

plan::Command SimEffects::merge(const EffectOrder& order) {
  plan::Merged merged{.effect = order.id};
  merged.steps = steps_in(order.data);
  Tree tree = parts_.world.tree(order.plan->tree);
  for (const std::string& id : merged.steps) {
    const auto step = std::ranges::find_if(
        order.plan->steps, [&](const plan::Step& one) { return one.definition.id == id; });
    tree =
        sim::merged(std::move(tree), parts_.world.tree(step->base), parts_.world.tree(step->tree));
  }
  merged.tree = parts_.world.put(tree);
  record(order, merged.steps);
  return merged;
}

plan::Command SimEffects::validate(const EffectOrder& order) {
  plan::Validated validated{.effect = order.id, .tree = order.plan->tree};
  for (const model::Validation& one : order.plan->settings.control.validations) {
    validated.results.push_back({.name = one.name, .required = one.required, .passed = true});
  }
  return validated;
}

plan::Command SimEffects::seal(const EffectOrder& order) {
  const bool nothing = order.plan->tree == order.plan->base->tree;
  return plan::Sealed{.effect = order.id,
                      .digest = nothing ? model::digest_of({}) : base::sha256(order.plan->tree)};
}

// Paths stand for hunks.
plan::Command SimEffects::choose(const EffectOrder& order) {
  const Tree& base = parts_.world.tree(order.plan->base->tree);
  Tree tree = base;
  plan::Chosen chosen{.effect = order.id};
  const std::vector<std::string> keep = kept_in(order.data);
  for (const auto& [path, content] : parts_.world.tree(order.plan->tree)) {
    const auto before = base.find(path);
    if (before != base.end() && before->second == content) continue;
    const bool kept = std::ranges::find(keep, path) != keep.end();
    if (kept) tree[path] = content;
    ++(kept ? chosen.kept : chosen.dropped);
  }
  chosen.tree = parts_.world.put(tree);
  return chosen;
}

plan::Command SimEffects::apply(const EffectOrder& order) {
  const auto& checked = order.plan->validation;
  const bool must_pass = !order.plan->settings.control.validations.empty();
  if (must_pass && (!checked || !checked->passed() || checked->tree != order.plan->tree)) {
    parts_.world.violate("work lands that did not pass its validations");
  }
  parts_.world.land(order.plan->id, parts_.world.tree(order.plan->tree));
  return plan::ApplyCame{
      .effect = order.id,
      .outcome = {
          .digest = order.plan->apply->digest, .applied = true, .commit = std::string(40, 'c')}};
}

plan::Create SimEffects::child(const EffectOrder& order) {
  const std::string step = step_in(order.data);
  plan::Create create{.title = order.plan->title + "." + step,
                      .parent = order.plan->id,
                      .settings = order.plan->settings,
                      .prompt = user("do " + step)};
  model::PlanSettings& settings = create.settings;
  settings.direct = true;
  settings.apply_when_ready = false;
  ++settings.depth;
  settings.ancestors.push_back(order.plan->id);
  settings.spawned_by = order.id;
  settings.base_tree = order.plan->tree;
  return create;
}

}  // namespace clever::sim
