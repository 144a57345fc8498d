
#include "base/number.h"
#include "base/random.h"
#include "base/ulid.h"
#include "service/commands/budget.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "storage/release.h"

namespace clever::service {
namespace {

struct NamedReservation {
  model::PlanId plan;
  std::int64_t sequence = 0;
};

base::Result<NamedReservation> parse(const Invocation& invocation) {
  NamedReservation named;
  CLEVER_ASSIGN(named.plan, model::PlanId::parse(invocation.word(0)).context("PLAN"));
  const std::string& text = invocation.word(1);
  named.sequence = base::to_number<decltype(named.sequence)>(text).value_or(0);
  if (named.sequence < 1) {
    return base::invalid_argument(
        "RESERVATION: expected its number as `agents budget list` shows "
        "it, not " +
        text);
  }
  return named;
}

base::Result<Report> let_go(const storage::DatabaseUrl& url, const Invocation& invocation,
                            Context& context) {
  CLEVER_ASSIGN(const NamedReservation named, parse(invocation));
  CLEVER_ASSIGN(const auto engine, open_existing(url, context, Schema::kNewest));
  base::SystemRandom random;
  base::UlidGenerator ids(context.clock(), random);
  CLEVER_ASSIGN(const auto owner,
                storage::OwnerLock::acquire(context.home() / "owners", model::OwnerId(ids.next()),
                                            context.stop()));
  CLEVER_ASSIGN(const auto released, storage::release_reservation(
                                         *engine, context.clock(), owner, named.plan,
                                         named.sequence, invocation.flag("force"), context.stop()));
  Report report;
  report.data.set("plan", named.plan.to_string())
      .set("reservation", named.sequence)
      .set("microdollars", released.cost.money)
      .set("tokens", released.cost.tokens);
  report.view = {Fields{"",
                        {{"released", {dollars(released.cost.money), Tone::kGood}},
                         {"tokens", {grouped(static_cast<std::uint64_t>(released.cost.tokens))}}}}};
  return report;
}

base::Result<Report> release(const Invocation& invocation, Context& context) {
  const auto checked = parse(invocation);
  if (!checked.ok()) return checked.error();
  return with_database(let_go, invocation, context);
}

}  // namespace

Command budget_release_command() {
  return {.name = "release",
          .summary = "Release the reservation of a call whose outcome is unknown",
          .positionals = {{.name = "PLAN", .summary = "The plan's id"},
                          {.name = "RESERVATION", .summary = "Its number in `agents budget list`"}},
          .options = {{.name = "force", .summary = "Even if its call may still be running"},
                      database_option()},
          .examples = {{"agents budget release 01KA… 17", "It was not billed"}},
          .handler = release};
}

}  // namespace clever::service
