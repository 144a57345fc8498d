#include "service/commands/budget.h"
#include "service/commands/db.h"

namespace clever::service {
namespace {

using storage::Reservation;

std::string release_command(const Reservation& reservation) {
  return "agents budget release " + reservation.plan.to_string() + " " +
         std::to_string(reservation.sequence);
}

Document reservation_document(const Reservation& reservation) {
  Document scopes = Document::list();
  for (const std::string& scope : reservation.scopes) scopes.push(scope);
  Document data = Document::map()
                      .set("plan", reservation.plan.to_string())
                      .set("reservation", reservation.sequence)
                      .set("cost", Document::map()
                                       .set("microdollars", reservation.cost.money)
                                       .set("tokens", reservation.cost.tokens))
                      .set("scopes", std::move(scopes))
                      .set("orphaned", reservation.orphaned);
  if (reservation.orphaned) data.set("release", release_command(reservation));
  return data;
}

std::vector<Span> reservation_row(const Reservation& reservation) {
  return {{reservation.plan.to_string()},
          {std::to_string(reservation.sequence)},
          {dollars(reservation.cost.money)},
          {grouped(static_cast<std::uint64_t>(reservation.cost.tokens))},
          reservation.orphaned ? Span{"orphaned", Tone::kWarn} : Span{"under way"}};
}

}  // namespace

Document reservations_document(const std::vector<Reservation>& all) {
  Document list = Document::list();
  for (const Reservation& reservation : all) list.push(reservation_document(reservation));
  return list;
}

Table reservations_table(const std::vector<Reservation>& all) {
  Table table{"reserved", {"plan", "reservation", "cost", "tokens", "call"}, {}};
  for (const Reservation& reservation : all) table.rows.push_back(reservation_row(reservation));
  return table;
}

void warn_of_orphans(const std::vector<Reservation>& all, Report& report) {
  for (const Reservation& reservation : all) {
    if (!reservation.orphaned) continue;
    report.warn("the cost of call " + std::to_string(reservation.sequence) + " of plan " +
                reservation.plan.to_string() + " is unknown: " + dollars(reservation.cost.money) +
                " counts as spent until you release it with `" + release_command(reservation) +
                "`; check the provider's bill first");
  }
}

}  // namespace clever::service
