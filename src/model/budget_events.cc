#include "model/budget_events.h"

#include <algorithm>

#include "model/internal/json_object.h"

namespace clever::model {
namespace {

using internal::JsonObject;
using nlohmann::json;

base::Result<Microdollars> amount_of(const JsonObject& object, std::string_view key) {
  CLEVER_ASSIGN(const Microdollars amount, object.integer(key));
  if (amount < 0 || amount > kLargestAmount) {
    return object.wrong(key, "between 0 and " + std::to_string(kLargestAmount));
  }
  return amount;
}

// Sorted, so that whoever takes several takes them in the same order.
base::Result<std::vector<std::string>> scopes_of(const JsonObject& object) {
  CLEVER_ASSIGN(std::vector<std::string> scopes, object.texts("scopes"));
  if (scopes.empty()) return object.wrong("scopes", "an array of at least one string");
  std::ranges::sort(scopes);
  const auto repeated = std::ranges::unique(scopes);
  scopes.erase(repeated.begin(), repeated.end());
  return scopes;
}

}  // namespace

Event BudgetReserved::to_event() const {
  const json data{{"scopes", scopes}, {"amount", amount}};
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<BudgetReserved> BudgetReserved::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  BudgetReserved reserved;
  CLEVER_ASSIGN(reserved.scopes, scopes_of(object));
  CLEVER_ASSIGN(reserved.amount, amount_of(object, "amount"));
  return reserved;
}

Event BudgetSettled::to_event() const {
  const json data{{"scopes", scopes}, {"reserved", reserved}, {"spent", spent}};
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<BudgetSettled> BudgetSettled::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  BudgetSettled settled;
  CLEVER_ASSIGN(settled.scopes, scopes_of(object));
  CLEVER_ASSIGN(settled.reserved, amount_of(object, "reserved"));
  CLEVER_ASSIGN(settled.spent, amount_of(object, "spent"));
  if (settled.spent > settled.reserved) {
    return object.wrong("spent", "at most \"reserved\": reserve the worst case first");
  }
  return settled;
}

}  // namespace clever::model
