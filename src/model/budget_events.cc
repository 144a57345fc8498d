#include "model/budget_events.h"

#include <algorithm>

#include "model/internal/json_object.h"

namespace clever::model {
namespace {

using internal::JsonObject;
using nlohmann::json;

base::Result<std::int64_t> amount(std::string_view key, const JsonObject& object,
                                  std::int64_t amount) {
  if (amount >= 0 && amount <= kLargestAmount) return amount;
  return object.wrong(key, "between 0 and " + std::to_string(kLargestAmount));
}

base::Result<Cost> cost_of(const JsonObject& object, std::string_view money,
                           std::string_view tokens) {
  CLEVER_ASSIGN(const std::int64_t written_money, object.integer(money));
  CLEVER_ASSIGN(const std::int64_t written_tokens, object.integer_or(tokens, 0));
  Cost cost;
  CLEVER_ASSIGN(cost.money, amount(money, object, written_money));
  CLEVER_ASSIGN(cost.tokens, amount(tokens, object, written_tokens));
  return cost;
}

base::Result<std::vector<std::string>> scopes_of(const JsonObject& object) {
  CLEVER_ASSIGN(std::vector<std::string> scopes, object.texts("scopes"));
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
  const bool plain = std::ranges::none_of(scopes, [&](const std::string& scope) {
    return scope.empty() || std::ranges::any_of(scope, is_control);
  });
  if (scopes.empty() || !plain) {
    return object.wrong("scopes",
                        "an array of at least one string, none of them empty or with "
                        "control characters");
  }
  return in_order_of_taking(std::move(scopes));
}

base::Result<std::int64_t> reservation_of(const JsonObject& object) {
  CLEVER_ASSIGN(const std::int64_t reservation, object.integer("reservation"));
  if (reservation < 1) return object.wrong("reservation", "the sequence of an event, from 1");
  return reservation;
}

int rank(std::string_view scope) {
  if (scope.starts_with("day/")) return 0;
  if (scope.starts_with("session/")) return 1;
  return scope.starts_with("plan/") ? 2 : 3;
}

}  // namespace

std::vector<std::string> in_order_of_taking(std::vector<std::string> scopes) {
  std::ranges::sort(scopes, {}, [](const std::string& scope) {
    return std::pair(rank(scope), std::string_view(scope));
  });
  const auto repeated = std::ranges::unique(scopes);
  scopes.erase(repeated.begin(), repeated.end());
  return scopes;
}

Event BudgetReserved::to_event() const {
  json data{{"scopes", scopes}, {"amount", cost.money}, {"tokens", cost.tokens}};
  if (effect) data["effect"] = effect.to_string();
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<BudgetReserved> BudgetReserved::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  BudgetReserved reserved;
  CLEVER_ASSIGN(reserved.scopes, scopes_of(object));
  CLEVER_ASSIGN(reserved.cost, cost_of(object, "amount", "tokens"));
  CLEVER_ASSIGN(reserved.effect, object.id_or_none<EffectId>("effect"));
  return reserved;
}

Event BudgetSettled::to_event() const {
  json data{{"reservation", reservation},         {"scopes", scopes},
            {"reserved", reserved.money},         {"spent", spent.money},
            {"tokens_reserved", reserved.tokens}, {"tokens_spent", spent.tokens}};
  if (open_ended) data["open_ended"] = true;
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<BudgetSettled> BudgetSettled::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  BudgetSettled settled;
  CLEVER_ASSIGN(settled.reservation, reservation_of(object));
  CLEVER_ASSIGN(settled.scopes, scopes_of(object));
  CLEVER_ASSIGN(settled.reserved, cost_of(object, "reserved", "tokens_reserved"));
  CLEVER_ASSIGN(settled.spent, cost_of(object, "spent", "tokens_spent"));
  CLEVER_ASSIGN(settled.open_ended, object.flag_or("open_ended", false));
  return settled;
}

Event BudgetReleased::to_event() const {
  const json data{{"reservation", reservation},
                  {"scopes", scopes},
                  {"reserved", reserved.money},
                  {"tokens_reserved", reserved.tokens}};
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<BudgetReleased> BudgetReleased::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  BudgetReleased released;
  CLEVER_ASSIGN(released.reservation, reservation_of(object));
  CLEVER_ASSIGN(released.scopes, scopes_of(object));
  CLEVER_ASSIGN(released.reserved, cost_of(object, "reserved", "tokens_reserved"));
  return released;
}

}  // namespace clever::model
