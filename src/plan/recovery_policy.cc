#include "plan/recovery_policy.h"

#include <array>
#include <nlohmann/json.hpp>

#include "plan/internal/json_text.h"

namespace clever::plan {
namespace {

using model::Recovery;
using std::chrono::minutes;
using std::chrono::seconds;

// One row per category, in the order of model::ErrorCategory.
constexpr std::array<RecoveryPolicy, model::kErrorCategories> kPolicies{{
    // transient_provider: expected to pass
    {.retries = 6,
     .first_delay = seconds(1),
     .longest_delay = minutes(1),
     .then = Recovery::kAsk,
     .hint = "`agents provider test` shows whether the provider answers; then "
             "`agents plan resume {plan}`"},
    // rate_limit: certain to pass
    {.retries = 10,
     .first_delay = seconds(2),
     .longest_delay = minutes(5),
     .then = Recovery::kAsk,
     .hint = "wait until the provider's limit allows more, then `agents plan resume {plan}`"},
    // authentication: only a person can change it
    {.then = Recovery::kAsk,
     .hint = "set a key that is right, check it with `agents provider test`, then "
             "`agents plan resume {plan}`"},
    // budget
    {.then = Recovery::kAsk,
     .hint = "raise it with `agents budget set plan/{plan} USD`, then `agents plan resume {plan}`"},
    // tool_failure: tools could not be run at all
    {.retries = 3,
     .first_delay = seconds(1),
     .longest_delay = seconds(30),
     .then = Recovery::kGiveUp,
     .hint = "`agents plan errors {plan}` shows what happened; `agents plan resume {plan}` tries "
             "again",
     .guidance = ", `agents plan prompt {plan} TEXT` guides it"},
    // tool_timeout
    {.retries = 2,
     .first_delay = seconds(1),
     .longest_delay = seconds(30),
     .then = Recovery::kGiveUp,
     .hint = "`agents plan resume {plan}` tries again",
     .guidance = ", `agents plan prompt {plan} TEXT` guides it"},
    // validation
    {.retries = 3,
     .then = Recovery::kRevert,
     .hint = "`agents plan diff {plan}` shows what was made; `agents plan resume {plan}` tries "
             "again",
     .guidance = ", `agents plan prompt {plan} TEXT` guides it"},
    // merge_conflict
    {.then = Recovery::kAsk,
     .hint = "`agents plan diff {plan}` shows both sides; `agents plan resume {plan}` merges again",
     .guidance = ", `agents plan prompt {plan} TEXT` has them resolved"},
    // resource: a full disk, a file that cannot be read
    {.retries = 3,
     .first_delay = seconds(1),
     .longest_delay = seconds(30),
     .then = Recovery::kAsk,
     .hint = "see to what is missing (`agents diagnostics` shows disk and access), then "
             "`agents plan resume {plan}`"},
    // invariant: the work broke a rule, so it needs another approach
    {.then = Recovery::kRevert,
     .hint = "`agents plan errors {plan}` names the rule; `agents plan resume {plan}` tries again",
     .guidance = ", `agents plan prompt {plan} TEXT` guides it"},
    // model_misbehaviour: the step starts over
    {.retries = 2,
     .first_delay = seconds(1),
     .longest_delay = seconds(10),
     .then = Recovery::kGiveUp,
     .hint = "`agents plan prompt {plan} TEXT` guides it, with `--model M` by another model; "
             "`agents plan resume {plan}` tries again"},
    // internal
    {.retries = 1,
     .first_delay = seconds(1),
     .longest_delay = seconds(1),
     .then = Recovery::kGiveUp,
     .hint = "`agents plan errors {plan}` shows it; `agents plan resume {plan}` tries again"},
    // credit: a person pays, or takes another model
    {.then = Recovery::kAsk,
     .hint = "add credit there, then `agents plan resume {plan}`; or go on with another model: "
             "`agents plan prompt {plan} --model M`"},
    // configuration: a model or an address that does not exist, a certificate that fails
    {.then = Recovery::kAsk,
     .hint = "mend the settings (`agents provider test` shows whether they are right), then "
             "`agents plan resume {plan}`; or go on with another model: "
             "`agents plan prompt {plan} --model M`"},
    // context_overflow: each retry asks with less of the conversation and of the project
    {.retries = 4,
     .then = Recovery::kAsk,
     .hint = "go on with a model that has a larger window: `agents plan prompt {plan} --model M`"},
    // refusal: the same words are refused again
    {.then = Recovery::kAsk,
     .hint = "say it in other words: `agents plan prompt {plan} TEXT`, with `--model M` to another "
             "model"},
}};

}  // namespace

const RecoveryPolicy& recovery_policy(model::ErrorCategory category) noexcept {
  return kPolicies.at(static_cast<std::size_t>(category));
}

std::string RecoveryDecision::to_json() const {
  return json_text({{"number", number},
                    {"recovery", to_string(recovery)},
                    {"after_ms", after.count()},
                    {"retry", retry},
                    {"hint", hint}});
}

namespace {

base::Error wrong_decision(const std::string& key) {
  return base::invalid_argument("a decision about an error: \"" + key + "\" is missing or wrong");
}

base::Result<std::int64_t> decision_number(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return wrong_decision(key);
  return found->get<std::int64_t>();
}

base::Result<std::string> decision_text(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return wrong_decision(key);
  return found->get<std::string>();
}

}  // namespace

base::Result<RecoveryDecision> RecoveryDecision::parse(std::string_view text) {
  const auto object = nlohmann::json::parse(text, nullptr, false);
  if (!object.is_object()) return base::invalid_argument("a decision about an error is an object");
  RecoveryDecision decision;
  CLEVER_ASSIGN(decision.number, decision_number(object, "number"));
  CLEVER_ASSIGN(const std::string recovery, decision_text(object, "recovery"));
  CLEVER_ASSIGN(decision.recovery, model::recovery_from_string(recovery));
  CLEVER_ASSIGN(const std::int64_t after, decision_number(object, "after_ms"));
  decision.after = std::chrono::milliseconds(after);
  CLEVER_ASSIGN(decision.retry, decision_number(object, "retry"));
  CLEVER_ASSIGN(decision.hint, decision_text(object, "hint"));
  return decision;
}

}  // namespace clever::plan
