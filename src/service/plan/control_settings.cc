#include "service/plan/control_settings.h"

#include <algorithm>
#include <utility>

#include "base/number.h"
#include "config/schema.h"
#include "engine/actor/new_plan.h"
#include "engine/trust.h"
#include "model/automation.h"
#include "plan/reconciliation.h"
#include "service/caller.h"
#include "service/plan/remembered_rules.h"
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

/// The person's settings and the files' settings. A variable or flag hides a file's value, but a
/// project's rules still count.
struct Layers {
  config::Settings own;
  config::Settings files;
};

base::Result<Layers> layers_of(const Context& context,
                               const std::optional<std::filesystem::path>& project) {
  config::Sources sources = context.sources();
  sources.project_directory.reset();
  auto own = config::load_settings(sources);
  if (!own.ok()) return blame_file(own.error());
  sources = context.sources();
  sources.project_directory = project;
  sources.flags.clear();
  sources.environment = io::Environment({{"HOME", io::user_home(sources.environment).string()}});
  auto files = config::load_settings(sources);
  if (!files.ok()) return blame_file(files.error());
  return Layers{*std::move(own), *std::move(files)};
}

/// The person's value of a key, and the project's beside it. A project can add to such a list, but
/// not remove from it.
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

// For one project of a group.
void add_tighter_guards(const Layers& layers, model::Guards& guards) {
  const BothWords denied = words_on(layers, "guards.denied_tools");
  std::ranges::move(config::list_of(denied.of_project), std::back_inserter(guards.denied_tools));
  const std::int64_t wanted = number_of(words_on(layers, "guards.calls_per_step").of_project);
  if (wanted > 0 && (guards.calls_per_step == 0 || wanted < guards.calls_per_step)) {
    guards.calls_per_step = wanted;
  }
}

void add_guards(const Layers& layers, model::Guards& guards) {
  guards.denied_tools = config::list_of(words_on(layers, "guards.denied_tools").own);
  guards.allowed_tools = config::list_of(layers.own.text("guards.allowed_tools"));
  guards.calls_per_step = number_of(words_on(layers, "guards.calls_per_step").own);
  add_tighter_guards(layers, guards);
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

base::Result<void> check_invariants(const Control& control) {
  const plan::Reconciled reconciled = plan::reconcile(control.invariants);
  if (!reconciled.conflict.empty()) return base::conflict(reconciled.conflict);
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
  return {};
}

// ---- several projects

// A member's rules name paths below its own root, which is a folder of the group; rules about
// commands stay as they are.
void add_rules_of_member(const Layers& layers, const git::Project& member, Control& control) {
  for (const Verdict verdict : {Verdict::kDeny, Verdict::kAsk}) {
    const std::string key = "permissions." + std::string(model::to_string(verdict));
    const std::string origin = "the settings of project " + member.name;
    for (const std::string& rule : config::rules_of(words_on(layers, key).of_project)) {
      control.permissions.push_back({.verdict = verdict, .pattern = rule, .origin = origin});
      const std::size_t argument = rule.find('(') + 1;
      if (argument == 0 || rule.starts_with("run_command(")) continue;
      std::string below = rule;
      below.insert(argument, member.name + "/");
      control.permissions.push_back(
          {.verdict = verdict, .pattern = std::move(below), .origin = origin});
    }
  }
}

// Runs a command of a member in that member's folder.
std::vector<std::string> in_folder_of(const git::Project& member, std::vector<std::string> argv) {
  argv.insert(argv.begin(), {"sh", "-c", R"(cd "$0" && exec "$@")", "./" + member.name});
  return argv;
}

base::Result<void> add_commands_of_member(Context& context, const config::Settings& settings,
                                          const git::Project& member, Control& control) {
  CLEVER_ASSIGN(const engine::TrustStore trust, engine::TrustStore::open(context.home()));
  for (const config::Table& table : settings.tables("hook")) {
    if (!table.of_project) continue;
    if (!trust.trusts(member.root, {engine::named_command("hook", table)})) continue;
    model::Hook hook = hook_of(table);
    hook.name += " (" + member.name + ")";
    hook.argv = in_folder_of(member, std::move(hook.argv));
    control.hooks.push_back(std::move(hook));
  }
  CLEVER_ASSIGN(ProjectValidations found, validations_of(settings, member.root, trust));
  for (model::Validation& validation : found.validations) {
    if (validation.origin != "project") continue;
    validation.name += " (" + member.name + ")";
    validation.origin = "project " + member.name;
    if (!validation.argv.empty()) {
      validation.argv = in_folder_of(member, std::move(validation.argv));
    }
    control.validations.push_back(std::move(validation));
  }
  return {};
}

base::Result<void> add_member(Context& context, const git::Project& member, Control& control) {
  CLEVER_ASSIGN(const config::Settings settings, context.settings_in(member.root));
  CLEVER_ASSIGN(const Layers layers, layers_of(context, member.root));
  add_rules_of_member(layers, member, control);
  add_tighter_guards(layers, control.guards);
  for (model::Invariant& one : invariants_of(settings)) {
    if (one.scope != model::InvariantScope::kProject) continue;
    if (!one.name.empty()) one.name = member.name + "/" + one.name;
    one.text = "In " + member.name + "/: " + one.text;
    control.invariants.push_back(std::move(one));
  }
  return add_commands_of_member(context, settings, member, control);
}

// Returns the folder whose settings files count: the working directory, if it belongs to the
// project.
std::optional<std::filesystem::path> settings_folder(Context& context,
                                                     const ControlRequest& request) {
  if (!request.members.empty()) return std::nullopt;
  const auto& here = context.project();
  const bool is_here = request.project.empty() || (here.ok() && here->root == request.project);
  return is_here ? context.sources().project_directory : request.project;
}

// A journal without control settings would take the profile's thresholds.
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
  // An option, an action or the settings chose the profile.
  if (settings.apply_when_ready && context.caller() != nullptr) {
    CLEVER_TRY(require(*context.caller(), Right::kApprove));
  }
  CLEVER_ASSIGN(const Layers layers, layers_of(context, settings_folder(context, request)));
  add_automation(request.settings, settings);
  add_permissions(layers, settings.control);
  CLEVER_ASSIGN(const auto remembered, remembered_rules(context, request.project));
  for (const std::string& rule : remembered) {
    settings.control.permissions.push_back({.verdict = model::Verdict::kAllow,
                                            .pattern = rule,
                                            .origin = "what you said about this project"});
  }
  add_guards(layers, settings.control.guards);
  settings.control.answer_within =
      config::duration_of(words_on(layers, "permissions.answer_within").own);
  CLEVER_TRY(add_hooks(context, request, settings.control));
  CLEVER_TRY(add_invariants(request, settings.control));
  CLEVER_TRY(add_validations(context, request, settings));
  for (const git::Project& member : request.members) {
    CLEVER_TRY(add_member(context, member, settings.control).context("project " + member.name));
  }
  CLEVER_TRY(check_invariants(settings.control));
  keep_automation(settings);
  return {};
}

}  // namespace clever::service
