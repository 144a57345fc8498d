#include "service/plan/control_settings.h"

#include <algorithm>
#include <utility>

#include "base/number.h"
#include "config/schema.h"
#include "engine/actor/new_plan.h"
#include "engine/trust.h"
#include "model/automation.h"
#include "plan/reconciliation.h"
#include "service/plan/validation_settings.h"

namespace clever::service {
namespace {

using config::Layer;
using model::Control;
using model::Verdict;

// ---- thresholds

void override_threshold(const config::Settings& settings, const std::string& name, double& into) {
  into = base::to_number<double>(settings.text("automation." + name)).value_or(into);
}

void add_automation(const config::Settings& settings, model::PlanSettings& plan) {
  model::Automation& automation = plan.control.automation;
  override_threshold(settings, "strategy", automation.strategy);
  override_threshold(settings, "decision", automation.decision);
  override_threshold(settings, "write", automation.write);
  override_threshold(settings, "deletion", automation.deletion);
  override_threshold(settings, "reversion", automation.reversion);
  override_threshold(settings, "apply", automation.apply);
  // A setting that asks wins over the profile.
  if (engine::applies_by_itself(plan.profile) && model::asks(automation.apply)) {
    plan.apply_when_ready = false;
  }
}

// ---- rules

/// What a person says, and what files say: beside a variable or a flag, which would hide it, a
/// project's word still counts.
struct Layers {
  config::Settings own;
  config::Settings files;
};

base::Result<Layers> layers_of(const Context& context) {
  config::Sources sources = context.sources();
  sources.project_directory.reset();
  auto own = config::load_settings(sources);
  if (!own.ok()) return blame_file(own.error());
  sources = context.sources();
  sources.flags.clear();
  sources.environment = io::Environment({{"HOME", io::user_home(sources.environment).string()}});
  auto files = config::load_settings(sources);
  if (!files.ok()) return blame_file(files.error());
  return Layers{*std::move(own), *std::move(files)};
}

/// What a key of the settings says: a person's own word, and the project's beside it. A project can
/// add to such a list, and take nothing away.
struct BothWords {
  std::string own{};
  std::string of_project{};
};

BothWords words_on(const Layers& layers, const std::string& key) {
  BothWords words{.own = layers.own.text(key)};
  const auto said = layers.files.find(key);
  if (said && said->layer == Layer::kProject) words.of_project = said->text;
  return words;
}

void add_rules(const std::string& rules, Verdict verdict, const std::string& origin,
               Control& control) {
  for (const std::string& text : config::rules_of(rules)) {
    control.permissions.push_back({.verdict = verdict, .pattern = text, .origin = origin});
  }
}

void add_permissions(const Layers& layers, Control& control) {
  for (const Verdict verdict : {Verdict::kDeny, Verdict::kAsk, Verdict::kAllow}) {
    const std::string key = "permissions." + std::string(model::to_string(verdict));
    const BothWords words = words_on(layers, key);
    add_rules(words.own, verdict, "your settings", control);
    add_rules(words.of_project, verdict, "the project's settings", control);
  }
}

std::int64_t number_of(const std::string& text) {
  return base::to_number<std::int64_t>(text).value_or(0);
}

void add_guards(const Layers& layers, model::Guards& guards) {
  const BothWords denied = words_on(layers, "guards.denied_tools");
  guards.denied_tools = config::list_of(denied.own);
  std::ranges::move(config::list_of(denied.of_project), std::back_inserter(guards.denied_tools));
  guards.allowed_tools = config::list_of(layers.own.text("guards.allowed_tools"));
  const BothWords calls = words_on(layers, "guards.calls_per_step");
  guards.calls_per_step = number_of(calls.own);
  const std::int64_t wanted = number_of(calls.of_project);
  if (wanted > 0 && (guards.calls_per_step == 0 || wanted < guards.calls_per_step)) {
    guards.calls_per_step = wanted;
  }
}

// ---- hooks and invariants

model::Hook hook_of(const config::Table& table) {
  model::Hook hook{.name = table.text("name"),
                   .event = table.text("event"),
                   .match = table.text("match"),
                   .timeout = config::duration_of(table.text("timeout"))};
  if (hook.name.empty()) hook.name = "of " + hook.event;
  if (const auto command = table.values.find("command"); command != table.values.end()) {
    hook.argv = command->second;
  }
  return hook;
}

base::Result<void> add_hooks(Context& context, const ControlRequest& request, Control& control) {
  const auto tables = request.settings.tables("hook");
  if (tables.empty()) return {};
  CLEVER_ASSIGN(const engine::TrustStore trust, engine::TrustStore::open(context.home()));
  for (const config::Table& table : tables) {
    const bool trusted =
        !table.of_project || trust.trusts(request.project, {engine::named_command("hook", table)});
    if (trusted) control.hooks.push_back(hook_of(table));
  }
  return {};
}

base::Result<void> add_invariants(const ControlRequest& request, Control& control) {
  for (model::Invariant& one : invariants_of(request.settings)) {
    control.invariants.push_back(std::move(one));
  }
  for (const std::string& text : request.invariants) {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
      return base::invalid_argument("--invariant is empty: give the sentence that must hold");
    }
    control.invariants.push_back({.text = text, .scope = model::InvariantScope::kPlan});
  }
  const plan::Reconciled reconciled = plan::reconcile(control.invariants);
  if (!reconciled.conflict.empty()) return base::conflict(reconciled.conflict);
  return {};
}

// A journal without control would say it by the profile's name alone.
void keep_automation(model::PlanSettings& plan) {
  const bool is_plain = plan.control == Control();
  if (is_plain && model::automation_of(plan) != plan.control.automation) plan.profile = "auto";
}

}  // namespace

std::vector<model::Invariant> invariants_of(const config::Settings& settings) {
  using enum model::InvariantScope;
  std::vector<model::Invariant> invariants;
  for (const config::Table& table : settings.tables("invariant")) {
    invariants.push_back({.name = table.text("name"),
                          .text = table.text("text"),
                          .scope = table.of_project ? kProject : kGlobal,
                          .non_overridable = table.text("non_overridable") == "true"});
  }
  return invariants;
}

base::Result<void> add_control(Context& context, const ControlRequest& request,
                               model::PlanSettings& settings) {
  CLEVER_ASSIGN(const Layers layers, layers_of(context));
  add_automation(request.settings, settings);
  add_permissions(layers, settings.control);
  add_guards(layers, settings.control.guards);
  CLEVER_TRY(add_hooks(context, request, settings.control));
  CLEVER_TRY(add_invariants(request, settings.control));
  CLEVER_TRY(add_validations(context, request, settings));
  keep_automation(settings);
  return {};
}

}  // namespace clever::service
