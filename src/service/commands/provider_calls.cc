#include <algorithm>
#include <chrono>
#include <map>

#include "base/number.h"
#include "service/commands/budget.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/provider.h"
#include "storage/model_calls.h"
#include "storage/plans.h"

namespace clever::service {
namespace {

using storage::ModelCallRecord;

constexpr std::int64_t kMostCalls = 10'000;

base::Result<storage::ModelCalls::Filter> filter_of(const Invocation& invocation) {
  storage::ModelCalls::Filter filter{.limit = 20};
  if (const auto plan = invocation.value("plan")) {
    CLEVER_ASSIGN(filter.plan, model::PlanId::parse(*plan).context("--plan"));
  }
  if (!invocation.words().empty()) filter.provider = invocation.words().front();
  if (const auto text = invocation.value("limit")) {
    filter.limit = base::to_number<decltype(filter.limit)>(*text).value_or(0);
    if (filter.limit < 1 || filter.limit > kMostCalls) {
      return base::invalid_argument("--limit: expected a number from 1 to " +
                                    std::to_string(kMostCalls) + ", not " + std::string(*text));
    }
  }
  return filter;
}

double milliseconds_of(std::chrono::microseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

std::string shown_latency(std::chrono::microseconds time) {
  return grouped(static_cast<std::uint64_t>(time.count() / 1000)) + " ms";
}

Document call_document(const ModelCallRecord& call) {
  return Document::map()
      .set("plan", call.plan ? Document(call.plan.to_string()) : Document())
      .set("effect", call.effect ? Document(call.effect.to_string()) : Document())
      .set("provider", call.provider)
      .set("model", call.model)
      .set("started_us", model::to_microseconds(call.started))
      .set("latency_ms", milliseconds_of(call.latency))
      .set("waited_ms", milliseconds_of(call.waited))
      .set("first_byte_ms",
           call.first_byte ? Document(milliseconds_of(*call.first_byte)) : Document())
      .set("retries", call.retries)
      .set("input_tokens", call.input_tokens)
      .set("output_tokens", call.output_tokens)
      .set("microdollars", call.cost ? Document(*call.cost) : Document())
      .set("error", call.error.empty() ? Document() : Document(call.error))
      .set("attributes", call.attributes);
}

std::vector<Span> call_row(const ModelCallRecord& call) {
  return {{call.provider + "/" + call.model, Tone::kStrong},
          {shown_latency(call.latency)},
          {shown_latency(call.waited)},
          {std::to_string(call.retries)},
          {grouped(static_cast<std::uint64_t>(call.input_tokens))},
          {grouped(static_cast<std::uint64_t>(call.output_tokens))},
          {call.cost ? dollars(*call.cost) : "not known"},
          call.error.empty() ? Span{"answered", Tone::kGood} : Span{call.error, Tone::kBad}};
}

// Returns the newest calls of plans that exist for the caller, as many as the filter allows.
base::Result<std::vector<ModelCallRecord>> visible_calls(storage::Engine& engine,
                                                         storage::ModelCalls::Filter filter,
                                                         const Context& context) {
  const auto limit = static_cast<std::size_t>(filter.limit);
  if (!context.sees_all()) filter.limit = kMostCalls;
  CLEVER_ASSIGN(auto calls, storage::ModelCalls(engine).list(filter, context.stop()));
  if (context.sees_all()) return calls;
  storage::Plans plans(engine);
  std::map<model::PlanId, bool> seen;
  std::erase_if(calls, [&](const ModelCallRecord& call) {
    const auto [known, is_new] = seen.try_emplace(call.plan, false);
    if (is_new && call.plan) {
      const auto plan = plans.find(call.plan, context.stop());
      known->second = plan.ok() && context.sees_project(plan->project);
    }
    return !known->second;
  });
  calls.resize(std::min(calls.size(), limit));
  return calls;
}

base::Result<Report> show_calls(const storage::DatabaseUrl& url, const Invocation& invocation,
                                Context& context) {
  CLEVER_ASSIGN(const auto filter, filter_of(invocation));
  CLEVER_ASSIGN(const auto engine, open_existing(url, context, Schema::kNewest));
  CLEVER_ASSIGN(const auto calls, visible_calls(*engine, filter, context));
  Report report;
  Document all = Document::list();
  Table table{
      "", {"model", "latency", "waited", "retries", "tokens in", "out", "cost", "outcome"}, {}};
  for (const ModelCallRecord& call : calls) {
    all.push(call_document(call));
    table.rows.push_back(call_row(call));
  }
  report.data.set("calls", std::move(all));
  if (calls.empty()) {
    report.view = {Prose{{{{"No model call is recorded yet."}}}}};
  } else {
    report.view = {std::move(table)};
  }
  return report;
}

base::Result<Report> calls(const Invocation& invocation, Context& context) {
  const auto checked = filter_of(invocation);
  if (!checked.ok()) return checked.error();
  return with_database(show_calls, invocation, context);
}

}  // namespace

Command provider_calls_command() {
  return {.name = "calls",
          .summary = "Show the traces of calls, the newest first",
          .description =
              "One row for each model call: its duration, its waiting time, retries, tokens, cost, "
              "and outcome. The JSON has OpenTelemetry's attributes (gen_ai.*), every attempt, and "
              "the reason for each fallback. Prompts and keys are not stored.",
          .positionals = {{.name = "NAME",
                           .summary = "Only this provider's",
                           .required = false,
                           .completes = Completes::kProvider}},
          .options = {{.name = "plan", .value = "ID", .summary = "Only this plan's"},
                      {.name = "limit", .value = "N", .summary = "Show at most N (default: 20)"},
                      database_option()},
          .examples = {{"agents provider calls", "The last twenty"},
                       {"agents provider calls anthropic --limit 100 --format json",
                        "More, for a program"}},
          .handler = calls};
}

}  // namespace clever::service
