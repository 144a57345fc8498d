#pragma once
// What the budget commands share. Private to the module.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/budget_events.h"
#include "service/report.h"
#include "storage/budgets.h"

namespace clever::service {

/// "$1.25"; more digits where cents do not show it: "$0.0312".
[[nodiscard]] std::string dollars(model::Microdollars amount);
/// "5", "2.50" or "$2.50". `invalid_argument` says what would be right.
[[nodiscard]] base::Result<model::Microdollars> parse_dollars(std::string_view text);
/// "1,234", or "no cap".
[[nodiscard]] std::string cap_text(std::int64_t cap, bool money);

/// Reservations as data and as a table, with a warning for each call of unknown cost and the
/// command that releases it.
[[nodiscard]] Document reservations_document(const std::vector<storage::Reservation>& all);
[[nodiscard]] Table reservations_table(const std::vector<storage::Reservation>& all);
void warn_of_orphans(const std::vector<storage::Reservation>& all, Report& report);

}  // namespace clever::service
