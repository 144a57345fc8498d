#include <algorithm>
#include <string_view>

#include "base/number.h"
#include "provider/call_budget.h"
#include "service/commands/budget.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/text.h"
#include "storage/budgets.h"

namespace clever::service {
namespace {

bool is_day(const std::string& text) {
  constexpr std::string_view kShape = "0000-00-00";
  return text.size() == kShape.size() && std::ranges::equal(text, kShape, [](char c, char shape) {
           return shape == '0' ? c >= '0' && c <= '9' : c == shape;
         });
}

// Days are UTC days.
std::string today_scope(Context& context) {
  const auto scopes = provider::budget_scopes({.now = context.clock().wall_now()});
  return scopes.front();
}

base::Result<std::int64_t> parse_tokens(std::string_view text) {
  const auto tokens = base::to_number<std::int64_t>(text);
  if (!tokens || *tokens < 0) {
    return base::invalid_argument("--tokens: expected a whole number from 0, not " +
                                  std::string(text));
  }
  return *tokens;
}

// Accepts "day" (today), "day/2026-11-15", "session/NAME" and "plan/ID". Refuses other names:
// nothing spends from them.
base::Result<std::string> scope_of(const Invocation& invocation, Context& context) {
  const std::string& typed = invocation.word(0);
  const std::string today = today_scope(context);
  if (typed == "day") return today;
  const std::size_t slash = typed.find('/');
  const std::string kind = typed.substr(0, slash);
  const std::string name = slash == std::string::npos ? "" : typed.substr(slash + 1);
  const bool exists = (kind == "day" && is_day(name)) || (kind == "session" && !name.empty()) ||
                      (kind == "plan" && model::PlanId::parse(name).ok());
  if (exists) return typed;
  return base::invalid_argument(in_quotes(typed) + " is not a scope: expected day (today, " +
                                today +
                                "), day/DATE, session/ID or plan/ID, as `agents budget list` "
                                "shows them");
}

base::Result<storage::Caps> caps(const Invocation& invocation) {
  storage::Caps caps;
  if (invocation.word(1) != "none") {
    CLEVER_ASSIGN(caps.money, parse_dollars(invocation.word(1)));
  }
  if (const auto tokens = invocation.value("tokens")) {
    CLEVER_ASSIGN(caps.tokens, parse_tokens(*tokens));
  }
  return caps;
}

base::Result<Report> store_caps(const storage::DatabaseUrl& url, const Invocation& invocation,
                                Context& context) {
  CLEVER_ASSIGN(const std::string scope, scope_of(invocation, context));
  CLEVER_ASSIGN(const storage::Caps wanted, caps(invocation));
  CLEVER_ASSIGN(const auto engine, open_existing(url, context, Schema::kNewest));
  CLEVER_TRY(storage::Budgets(*engine).set_cap(scope, wanted, context.stop()));
  Report report;
  report.data.set("scope", scope).set("microdollars", wanted.money).set("tokens", wanted.tokens);
  report.view = {Fields{"",
                        {{"scope", {scope, Tone::kStrong}},
                         {"cap", {cap_text(wanted.money, true)}},
                         {"token cap", {cap_text(wanted.tokens, false)}}}}};
  if (invocation.word(0) == "day") {
    report.messages.push_back(
        {Message::Level::kHint, "`agents config set budget.day USD` caps every day"});
  }
  return report;
}

base::Result<Report> set_budget(const Invocation& invocation, Context& context) {
  CLEVER_TRY(scope_of(invocation, context));
  const auto checked = caps(invocation);
  if (!checked.ok()) return checked.error();
  return with_database(store_caps, invocation, context);
}

}  // namespace

Command budget_set_command() {
  return {
      .name = "set",
      .summary = "Set a scope's cap",
      .description =
          "Waiting plans resume at once if the new cap leaves room. So does a plan that stopped "
          "because a call cost more than its worst case.",
      .positionals = {{.name = "SCOPE", .summary = "day (today), day/DATE, session/ID or plan/ID"},
                      {.name = "DOLLARS", .summary = "5 or 2.50; none for no cap on money"}},
      .options = {{.name = "tokens", .value = "N", .summary = "The most tokens that it may use"},
                  database_option()},
      .examples = {{"agents budget set day 20", "At most 20 dollars today"},
                   {"agents budget set day/2026-11-15 20", "On that day"},
                   {"agents budget set plan/ID none --tokens 500000",
                    "A model without a price: tokens bind"}},
      .handler = set_budget};
}

}  // namespace clever::service
