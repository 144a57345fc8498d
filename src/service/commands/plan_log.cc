#include "service/plan/plan_log.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>

#include "model/document_json.h"
#include "service/commands/commands.h"
#include "service/commands/plan.h"
#include "service/plan/kept_message.h"

namespace clever::service {

base::Result<std::vector<LogEntry>> log_of_tree(const PlanDatabase& database,
                                                const model::PlanId& plan, Context& context) {
  CLEVER_ASSIGN(const auto tree, database.tree(plan));
  const LogMessageOf message_of = [&](const base::Sha256Digest& body) {
    auto message = kept_message(database.engine(), body, context.stop());
    return message.ok() ? std::optional(*std::move(message)) : std::nullopt;
  };
  std::vector<LogEntry> entries;
  for (const storage::PlanSummary& each : tree) {
    CLEVER_ASSIGN(const auto events, all_events(database, each.id, context));
    CLEVER_ASSIGN(auto log, plan_log(events, message_of));
    std::ranges::move(log, std::back_inserter(entries));
  }
  std::ranges::sort(entries, {}, [](const LogEntry& entry) {
    return std::tuple(entry.time, entry.plan, entry.place);
  });
  return entries;
}

View view_of_log(const std::vector<LogEntry>& entries, const model::PlanId& plan, bool full) {
  View view;
  for (const LogEntry& entry : entries) {
    const bool is_below = entry.plan != plan;
    for (Block& block : log_view(entry, full, is_below ? entry.plan.to_string() : "")) {
      auto* prose = std::get_if<Prose>(&block);
      auto* before = view.empty() ? nullptr : std::get_if<Prose>(&view.back());
      if (prose != nullptr && before != nullptr) {
        std::ranges::move(prose->lines, std::back_inserter(before->lines));
      } else {
        view.push_back(std::move(block));
      }
    }
  }
  if (view.empty()) view.emplace_back(Prose{{{{"Nothing has happened yet."}}}});
  return view;
}

namespace {

base::Result<Report> show_log(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const MeantPlan plan, meant_plan(invocation, context));
  CLEVER_ASSIGN(const auto entries, log_of_tree(plan.database, plan.summary.id, context));
  Report report;
  report.data.set("plan_id", plan.summary.id.to_string());
  const Screen screen = context.screen();
  if (screen.format == Format::kJsonl) {
    for (const LogEntry& entry : entries) {
      CLEVER_TRY(screen.output(to_json(log_document(entry)) + "\n"));
    }
    return report;
  }
  Document list = Document::list();
  for (const LogEntry& entry : entries) list.push(log_document(entry));
  report.data.set("entries", std::move(list));
  report.view = view_of_log(entries, plan.summary.id, invocation.flag("full"));
  return report;
}

}  // namespace

Command plan_log_command() {
  return {.name = "log",
          .summary = "Show what a plan did: words, thinking, tool calls and their output",
          .description =
              "Every tool call of a plan and its subplans with its arguments, exit code, duration "
              "and output, what the model wrote, and its thinking where the provider shows it. "
              "Failed calls are marked. Long arguments and outputs are folded; --full shows "
              "them.\n\nWith --format jsonl it prints one JSON line for each entry, and one for "
              "the final answer.",
          .positionals = {plan_positional()},
          .options = {{.name = "full", .summary = "Fold nothing, and show what each answer cost"},
                      plan_database_option()},
          .examples = {{"agents plan log", "The newest plan of this folder"},
                       {"agents plan log 01JD --full", "With whole arguments and outputs"},
                       {"agents plan log --format jsonl", "One entry per line, for a program"}},
          .handler = show_log};
}

}  // namespace clever::service
