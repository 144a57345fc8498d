// Events of errors and recoveries.
#include <array>

#include "model/internal/json_object.h"
#include "model/internal/names.h"
#include "model/work_events.h"

namespace clever::model {
namespace {

using internal::JsonObject;
using nlohmann::json;

constexpr std::array<std::string_view, kErrorCategories> kCategories{"transient_provider",
                                                                     "rate_limit",
                                                                     "authentication",
                                                                     "budget",
                                                                     "tool_failure",
                                                                     "tool_timeout",
                                                                     "validation",
                                                                     "merge_conflict",
                                                                     "resource",
                                                                     "invariant",
                                                                     "model_misbehaviour",
                                                                     "internal",
                                                                     "credit",
                                                                     "configuration",
                                                                     "context_overflow",
                                                                     "refusal"};
constexpr std::array<std::string_view, 5> kRecoveries{"retry", "fallback", "ask", "revert",
                                                      "give_up"};

base::Result<std::int64_t> number_of(const JsonObject& object, std::string_view key,
                                     std::int64_t least) {
  CLEVER_ASSIGN(const std::int64_t number, object.integer_or(key, 0));
  if (number < least || number > kLargestAmount) {
    return object.wrong(key, "a number from " + std::to_string(least));
  }
  return number;
}

base::Result<Recovery> recovery_of(const JsonObject& object) {
  CLEVER_ASSIGN(const std::string name, object.text("recovery"));
  return object.read("recovery", recovery_from_string(name));
}

}  // namespace

std::string_view to_string(ErrorCategory category) noexcept {
  return kCategories.at(static_cast<std::size_t>(category));
}

base::Result<ErrorCategory> error_category_from_string(std::string_view name) {
  return internal::parse_name<ErrorCategory>(kCategories, name, "category of errors");
}

std::string_view to_string(Recovery recovery) noexcept {
  return kRecoveries.at(static_cast<std::size_t>(recovery));
}

base::Result<Recovery> recovery_from_string(std::string_view name) {
  return internal::parse_name<Recovery>(kRecoveries, name, "way to recover");
}

Event ErrorRecorded::to_event() const {
  json data{{"number", number},
            {"category", to_string(category)},
            {"message", internal::storable(message)},
            {"recovery", to_string(recovery)}};
  if (effect) data["effect"] = effect.to_string();
  if (after.count() != 0) data["after_ms"] = after.count();
  if (retry != 0) data["retry"] = retry;
  internal::put_text(data, "hint", hint);
  return {std::string(kKind), 1, internal::to_text(data)};
}

base::Result<ErrorRecorded> ErrorRecorded::parse(std::string_view data) {
  CLEVER_ASSIGN(const JsonObject object, JsonObject::parse(data, std::string(kKind)));
  ErrorRecorded recorded;
  CLEVER_ASSIGN(recorded.number, number_of(object, "number", 1));
  CLEVER_ASSIGN(const std::string category, object.text("category"));
  CLEVER_ASSIGN(recorded.category, object.read("category", error_category_from_string(category)));
  CLEVER_ASSIGN(recorded.message, object.text("message"));
  CLEVER_ASSIGN(recorded.effect, object.id_or_none<EffectId>("effect"));
  CLEVER_ASSIGN(recorded.recovery, recovery_of(object));
  CLEVER_ASSIGN(const std::int64_t after, number_of(object, "after_ms", 0));
  recorded.after = std::chrono::milliseconds(after);
  CLEVER_ASSIGN(recorded.retry, number_of(object, "retry", 0));
  CLEVER_ASSIGN(recorded.hint, object.text_or("hint", ""));
  return recorded;
}

}  // namespace clever::model
