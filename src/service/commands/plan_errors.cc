#include <algorithm>

#include "model/work_events.h"
#include "service/commands/commands.h"
#include "service/commands/plan.h"

namespace clever::service {
namespace {

/// An error, and the event that recorded it.
struct FoundError {
  model::StoredEvent event;
  model::ErrorRecorded error;
};

struct FoundErrors {
  std::vector<FoundError> errors{};
  /// Failed tool calls: the model reads them, so they are not the plan's errors.
  std::int64_t failed_calls = 0;
};

base::Result<void> collect_errors(const PlanDatabase& database, const model::PlanId& plan,
                                  Context& context, FoundErrors& found) {
  CLEVER_ASSIGN(const auto events, all_events(database, plan, context));
  for (const model::StoredEvent& event : events) {
    if (event.kind == model::ToolsRecorded::kKind) {
      CLEVER_ASSIGN(const auto ran, model::ToolsRecorded::parse(event.data));
      found.failed_calls += std::ranges::count_if(ran.calls, &model::ToolNote::failed);
    }
    if (event.kind != model::ErrorRecorded::kKind) continue;
    CLEVER_ASSIGN(model::ErrorRecorded error, model::ErrorRecorded::parse(event.data));
    found.errors.push_back({event, std::move(error)});
  }
  return {};
}

Document found_error_document(const FoundError& found) {
  const model::ErrorRecorded& error = found.error;
  return Document::map()
      .set("plan_id", found.event.plan.to_string())
      .set("sequence", found.event.sequence)
      .set("time", shown_time(found.event.time))
      .set("number", error.number)
      .set("category", to_string(error.category))
      .set("message", error.message)
      .set("decision", to_string(error.recovery))
      .set("after_ms", error.after.count())
      .set("retry", error.retry)
      .set("hint", error.hint)
      .set("effect", error.effect ? Document(error.effect.to_string()) : Document());
}

std::string decision(const model::ErrorRecorded& error) {
  std::string text(to_string(error.recovery));
  if (error.retry > 0) text += " " + std::to_string(error.retry);
  if (error.after.count() > 0) text += " after " + std::to_string(error.after.count()) + " ms";
  return text;
}

std::vector<Span> error_row(const FoundError& found) {
  return {{std::to_string(found.error.number), Tone::kStrong},
          {found.event.plan.to_string(), Tone::kDim},
          {shown_time(found.event.time), Tone::kDim},
          {std::string(to_string(found.error.category)), Tone::kBad},
          {decision(found.error)},
          {found.error.message}};
}

std::string failed_calls_text(std::int64_t count, const model::PlanId& plan) {
  return std::to_string(count) + (count == 1 ? " tool call" : " tool calls") +
         " failed: `agents plan log " + plan.to_string() + "` shows what";
}

base::Result<Report> errors(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  const auto& words = invocation.words();
  CLEVER_ASSIGN(const storage::PlanSummary plan,
                database.find(words.empty() ? std::string() : words.front()));
  CLEVER_ASSIGN(const auto tree, database.tree(plan.id));
  FoundErrors found;
  for (const storage::PlanSummary& each : tree) {
    CLEVER_TRY(collect_errors(database, each.id, context, found));
  }
  Report report;
  Document all = Document::list();
  Table table{"", {"error", "plan", "time", "category", "decided", "what"}, {}};
  for (const FoundError& each : found.errors) {
    all.push(found_error_document(each));
    table.rows.push_back(error_row(each));
  }
  report.data.set("plan_id", plan.id.to_string())
      .set("errors", std::move(all))
      .set("failed_calls", found.failed_calls);
  if (found.failed_calls > 0) {
    report.messages.push_back(
        {Message::Level::kHint, failed_calls_text(found.failed_calls, plan.id)});
  }
  if (found.errors.empty()) {
    report.view = {Prose{
        {{{found.failed_calls == 0 ? "Nothing went wrong." : "The plan itself has no errors."}}}}};
    return report;
  }
  report.view = {std::move(table)};
  const std::string& hint = found.errors.back().error.hint;
  if (!hint.empty()) report.messages.push_back({Message::Level::kHint, hint});
  return report;
}

}  // namespace

Command plan_errors_command() {
  return {.name = "errors",
          .summary = "List a plan's errors and how it handled them",
          .description =
              "Every error of a plan and its subplans, with its category, the decision about it "
              "(retry, fallback, ask, revert, give up) and a hint. One transaction records an "
              "error and its decision, so a retry counts as soon as it is granted.",
          .positionals = {plan_positional()},
          .options = {plan_database_option()},
          .examples = {{"agents plan errors", "Those of the newest plan"},
                       {"agents plan errors 01JD --format json", "With hints, for a program"}},
          .handler = errors};
}

}  // namespace clever::service
