#include "service/commands/plan.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/number.h"
#include "service/amounts.h"
#include "service/commands/commands.h"
#include "service/plan/sensitive_words.h"
#include "service/plan_recorder.h"
#include "service/text.h"
#include "service/timestamp.h"
#include "storage/journal.h"
#include "storage/keys.h"
#include "storage/leases.h"

namespace clever::service {
namespace {

constexpr std::size_t kEventsPerPage = 2000;

Document json_document(const nlohmann::ordered_json& json) {
  switch (json.type()) {
    case nlohmann::detail::value_t::boolean:
      return json.get<bool>();
    case nlohmann::detail::value_t::number_integer:
    case nlohmann::detail::value_t::number_unsigned:
      return json.get<std::int64_t>();
    case nlohmann::detail::value_t::number_float:
      return json.get<double>();
    case nlohmann::detail::value_t::string:
      return json.get<std::string>();
    default:
      break;
  }
  if (json.is_array()) {
    Document list = Document::list();
    for (const auto& value : json) list.push(json_document(value));
    return list;
  }
  if (!json.is_object()) return {};
  Document map = Document::map();
  for (const auto& [key, value] : json.items()) map.set(key, json_document(value));
  return map;
}

void add_usage(plan::Usage& sum, const plan::Usage& usage) {
  sum.calls += usage.calls;
  sum.input_tokens += usage.input_tokens;
  sum.output_tokens += usage.output_tokens;
  sum.cost += usage.cost;
}

// A server has one for all requests: each makes a file.
base::Result<std::shared_ptr<const storage::OwnerLock>> owner_lock(Context& context) {
  if (context.recorder() != nullptr) return context.recorder()->owner();
  base::SystemRandom random;
  base::UlidGenerator ids(context.clock(), random);
  CLEVER_ASSIGN(auto owner,
                storage::OwnerLock::acquire(context.home() / "owners", model::OwnerId(ids.next()),
                                            context.stop()));
  return std::make_shared<const storage::OwnerLock>(std::move(owner));
}

}  // namespace

base::Result<MeantPlan> meant_plan(const Invocation& invocation, Context& context,
                                   std::size_t index) {
  CLEVER_ASSIGN(PlanDatabase database, PlanDatabase::open(invocation, context));
  const auto& words = invocation.words();
  CLEVER_ASSIGN(storage::PlanSummary summary,
                database.find(index < words.size() ? words[index] : std::string()));
  return meant_plan(std::move(database), std::move(summary));
}

base::Result<MeantPlan> meant_plan(PlanDatabase database, storage::PlanSummary summary) {
  CLEVER_ASSIGN(plan::State state, database.state(summary.id));
  return MeantPlan{std::move(database), std::move(summary), std::move(state)};
}

const model::PlanId& root_of(const plan::State& plan) {
  const auto& above = plan.settings.ancestors;
  return above.empty() ? plan.id : above.front();
}

base::Result<void> check_files_are_here(const MeantPlan& plan, Context& context) {
  CLEVER_ASSIGN(const auto owner, owner_lock(context));
  return storage::Leases(plan.database.engine())
      .check_home(root_of(plan.state), *owner, context.stop());
}

base::Result<std::vector<model::StoredEvent>> all_events(const PlanDatabase& database,
                                                         const model::PlanId& plan,
                                                         Context& context, std::int64_t from) {
  storage::Journal journal(database.engine(), context.clock());
  std::vector<model::StoredEvent> events;
  while (true) {
    CLEVER_ASSIGN(auto page,
                  journal.read(plan, from + std::ssize(events), kEventsPerPage, context.stop()));
    std::ranges::move(page, std::back_inserter(events));
    if (page.size() < kEventsPerPage) return events;
  }
}

base::Result<std::unique_ptr<PlanLook>> PlanLook::open(const PlanDatabase& database,
                                                       Context& context) {
  CLEVER_ASSIGN(auto owner, owner_lock(context));
  CLEVER_ASSIGN(const auto facts, database.engine().facts());
  return std::unique_ptr<PlanLook>(
      new PlanLook(std::move(owner), database.engine(), facts.address, context));
}

PlanLook::PlanLook(std::shared_ptr<const storage::OwnerLock> owner, storage::Engine& engine,
                   const std::string& address, Context& context)
    : database_(engine),
      ids_(context.clock(), random_),
      owner_(std::move(owner)),
      records_(sandbox::stored_sandbox_records(engine, context.clock())),
      sandboxes_(std::make_unique<sandbox::SandboxManager>(
          sandbox::SandboxManager::Options{.folder = context.home() / "sandboxes",
                                           .database = address},
          *records_, *owner_, ids_)) {}

base::Result<PlanChanges> changes_of(const PlanDatabase& database, const plan::State& plan,
                                     Context& context, const base::StopToken& stop) {
  CLEVER_ASSIGN(const auto look, PlanLook::open(database, context));
  CLEVER_ASSIGN(const engine::PlanFiles files, look->files(plan));
  PlanChanges changes;
  CLEVER_ASSIGN(changes.files, diff::diff_trees(*files.store, files.base, files.tree, {}, stop));
  changes.warnings = sensitive_lines(engine::sensitive_changes(files, changes.files));
  return changes;
}

std::vector<ChangedFile> files_if_any(const MeantPlan& plan, Context& context) {
  if (!plan.state.base || plan.state.tree == plan.state.base->tree) return {};
  const auto look = PlanLook::open(plan.database, context);
  if (!look.ok()) return {};
  const auto files = (*look)->files(plan.state);
  if (!files.ok()) return {};
  return changed_files(*files, context.stop()).value_or(std::vector<ChangedFile>());
}

base::Result<plan::Usage> usage_of_tree(const MeantPlan& plan) {
  plan::Usage sum;
  CLEVER_ASSIGN(const auto tree, plan.database.tree(plan.summary.id));
  for (const storage::PlanSummary& each : tree) {
    if (each.id == plan.summary.id) {
      add_usage(sum, plan.state.usage);
      continue;
    }
    CLEVER_ASSIGN(const plan::State state, plan.database.state(each.id));
    add_usage(sum, state.usage);
  }
  return sum;
}

base::Result<PlanDriving> PlanDriving::open(const PlanDatabase& database, Context& context) {
  CLEVER_ASSIGN(auto owner, owner_lock(context));
  return PlanDriving(database.engine(), std::move(owner));
}

base::Result<bool> PlanDriving::is_driven(const plan::State& plan,
                                          const base::StopToken& stop) const {
  return is_driven(root_of(plan), stop);
}

base::Result<bool> PlanDriving::is_driven(const model::PlanId& root,
                                          const base::StopToken& stop) const {
  return storage::Leases(*engine_).is_held(storage::plan_name(root), *owner_, stop);
}

base::Result<bool> is_left(const MeantPlan& plan, Context& context) {
  if (plan.state.is_at_rest()) return false;
  CLEVER_ASSIGN(const PlanDriving driving, PlanDriving::open(plan.database, context));
  CLEVER_ASSIGN(const bool driven, driving.is_driven(plan.state, context.stop()));
  return !driven;
}

base::Result<Report> plan_report(MeantPlan plan, Context& context, bool left) {
  CLEVER_ASSIGN(const plan::Usage usage, usage_of_tree(plan));
  const PlanFacts facts{plan.state, files_if_any(plan, context), usage, left};
  Report report;
  report.data = plan_document(facts);
  report.view = plan_view(facts);
  report.exit_code = exit_code_of(plan.state);
  if (report.exit_code != ExitCode::kOk) report.status = Status::kError;
  return report;
}

base::Result<std::int64_t> number_option(const Invocation& invocation, std::string_view option,
                                         std::int64_t otherwise, std::int64_t least,
                                         std::int64_t most) {
  const auto text = invocation.value(option);
  if (!text) return otherwise;
  const auto number = base::to_number<std::int64_t>(*text);
  if (number && *number >= least && *number <= most) return *number;
  return base::invalid_argument("--" + std::string(option) + ": expected a number from " +
                                std::to_string(least) + " to " + std::to_string(most) + ", not " +
                                in_quotes(*text));
}

Document document_of_json(std::string_view text) {
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  return json.is_discarded() ? Document(text) : json_document(json);
}

std::string shown_time(model::Timestamp time) {
  return timestamp(std::chrono::time_point_cast<base::WallTime::duration>(time));
}

std::string one_line(std::string_view text, std::size_t width) {
  return shortened(printable(text.substr(0, std::min(text.find('\n'), text.size()))), width, true);
}

Tone tone_of_state(std::string_view state) noexcept {
  if (state == "applied" || state == "complete" || state == "done") return Tone::kGood;
  if (state == "errored" || state == "constrained" || state == "failed") return Tone::kBad;
  if (state == "waiting" || state == "cancelling") return Tone::kWarn;
  if (state == "cancelled" || state == "skipped" || state == "pending") return Tone::kDim;
  return Tone::kAccent;
}

Command plan_command() {
  return {.name = "plan",
          .summary = "Inspect, guide and apply plans",
          .description =
              "A plan is one task on one project: it strategizes, executes in its own sandbox, and "
              "lands when you apply it. Its journal holds every step, so it survives crashes and "
              "can be resumed.\n\nPLAN is an id, or its unique beginning or end. Without PLAN, "
              "the command takes the newest plan of this folder; apply takes the newest that is "
              "ready, undo the one that was applied last.",
          .examples = {{"agents plan list", "The plans of this folder"},
                       {"agents plan status", "Status of the newest one"},
                       {"agents plan diff", "What it would change"},
                       {"agents plan apply", "Review it, and apply it"}},
          .subcommands = {plan_list_command(),     plan_status_command(),  plan_watch_command(),
                          plan_tree_command(),     plan_explain_command(), plan_correct_command(),
                          plan_diff_command(),     plan_hunks_command(),   plan_choose_command(),
                          plan_apply_command(),    plan_undo_command(),    plan_prompt_command(),
                          plan_rollback_command(), plan_approve_command(), plan_reject_command(),
                          plan_resume_command(),   plan_cancel_command(),  plan_audit_command(),
                          plan_log_command(),      plan_errors_command(),  plan_events_command(),
                          plan_export_command(),   plan_cost_command(),    plan_verify_command(),
                          plan_drive_command()}};
}

}  // namespace clever::service
