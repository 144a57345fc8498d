
#include "base/number.h"
#include "service/commands/budget.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "storage/budgets.h"

namespace clever::service {
namespace {

base::Result<std::int64_t> parse_tokens(std::string_view text) {
  const auto tokens = base::to_number<std::int64_t>(text);
  if (!tokens || *tokens < 0) {
    return base::invalid_argument("--tokens: expected a whole number from 0, not " +
                                  std::string(text));
  }
  return *tokens;
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
  const std::string& scope = invocation.word(0);
  CLEVER_ASSIGN(const storage::Caps wanted, caps(invocation));
  CLEVER_ASSIGN(const auto engine, open_existing(url, context, Schema::kNewest));
  CLEVER_TRY(storage::Budgets(*engine).set_cap(scope, wanted, context.stop()));
  Report report;
  report.data.set("scope", scope).set("microdollars", wanted.money).set("tokens", wanted.tokens);
  report.view = {Fields{"",
                        {{"scope", {scope, Tone::kStrong}},
                         {"cap", {cap_text(wanted.money, true)}},
                         {"token cap", {cap_text(wanted.tokens, false)}}}}};
  return report;
}

base::Result<Report> set_budget(const Invocation& invocation, Context& context) {
  const auto checked = caps(invocation);
  if (!checked.ok()) return checked.error();
  return with_database(store_caps, invocation, context);
}

}  // namespace

Command budget_set_command() {
  return {.name = "set",
          .summary = "Set the cap of a scope",
          .description =
              "Waiting plans go on at once if there is room now. A plan that was stopped because a "
              "call cost more than its worst case may go on too: you have looked.",
          .positionals = {{.name = "SCOPE", .summary = "day/DATE, session/ID or plan/ID"},
                          {.name = "DOLLARS", .summary = "5 or 2.50; none for no cap on money"}},
          .options = {{.name = "tokens", .value = "N", .summary = "At most so many tokens"},
                      database_option()},
          .examples = {{"agents budget set day/2026-11-15 20", "At most 20 dollars on that day"},
                       {"agents budget set plan/ID none --tokens 500000",
                        "A model without a price: tokens bind"}},
          .handler = set_budget};
}

}  // namespace clever::service
