#include "service/plan/meant_decision.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "base/ulid.h"
#include "service/text.h"
#include "storage/plan_family.h"

namespace clever::service {
namespace {

using storage::FamilyDecision;

constexpr std::size_t kMostDigits = 9;

bool is_number(const std::string& word) {
  return !word.empty() && word.size() <= kMostDigits && word.front() != '0' &&
         word.find_first_not_of("0123456789") == std::string::npos;
}

base::Error nothing_like(const MeantPlan& plan, const std::string& word) {
  const std::string id = plan.summary.id.to_string();
  return base::not_found("plan " + id + " made no decision " + in_quotes(word) +
                         ": `agents plan tree " + id + " --all` lists its decisions");
}

base::Result<MeantDecision> only_one(const MeantPlan& plan, const std::string& word,
                                     const std::vector<FamilyDecision>& found) {
  if (found.empty()) return nothing_like(plan, word);
  if (found.size() == 1) return MeantDecision{found.front().plan, found.front().node};
  return base::conflict(in_quotes(word) + " matches several decisions, " +
                        found[0].node.id.to_string() + " and " + found[1].node.id.to_string() +
                        " among them: type more characters");
}

bool is_meant_decision(const FamilyDecision& one, const MeantPlan& plan, const std::string& word) {
  if (is_number(word)) {
    std::int64_t number = 0;
    std::from_chars(word.data(), word.data() + word.size(), number);
    return one.plan == plan.summary.id && one.node.sequence == number;
  }
  const std::string id = one.node.id.to_string();
  return id.starts_with(word) || (word.size() >= kShortestIdEnd && id.ends_with(word));
}

// A complete id also determines the plan.
base::Result<MeantPlan> plan_of(const std::string& word, const Invocation& invocation,
                                Context& context) {
  if (word.size() == base::Ulid::kTextSize && model::DecisionId::parse(word).ok()) {
    CLEVER_ASSIGN(PlanDatabase database, PlanDatabase::open(invocation, context));
    CLEVER_ASSIGN(const auto found,
                  storage::decisions_by_prefix(database.engine(), word, context.stop()));
    if (!found.empty()) {
      CLEVER_ASSIGN(auto summary, database.find(found.front().plan.to_string()));
      CLEVER_ASSIGN(plan::State state, database.state(summary.id));
      return MeantPlan{std::move(database), std::move(summary), std::move(state)};
    }
  }
  return meant_plan(invocation, context, invocation.words().size());
}

}  // namespace

Positional decision_positional() {
  return {.name = "DECISION",
          .summary = "Its number in `agents plan tree`, its id, or a prefix or suffix of it",
          .required = false};
}

base::Result<MeantDecision> meant_decision(const MeantPlan& plan, const std::string& word,
                                           Context& context) {
  CLEVER_ASSIGN(
      auto found,
      storage::PlanFamily(plan.database.engine(), plan.summary.id).decisions(context.stop()));
  const std::string wanted = base::upper_case(word);
  std::erase_if(found,
                [&](const FamilyDecision& one) { return !is_meant_decision(one, plan, wanted); });
  return only_one(plan, word, found);
}

base::Result<PlanAndDecision> meant_plan_and_decision(const Invocation& invocation,
                                                      Context& context) {
  const auto& words = invocation.words();
  if (words.empty()) {
    return base::invalid_argument(
        "the decision is missing: give its number or id, as `agents plan tree` shows it");
  }
  CLEVER_ASSIGN(MeantPlan plan, words.size() > 1 ? meant_plan(invocation, context)
                                                 : plan_of(words.back(), invocation, context));
  CLEVER_ASSIGN(MeantDecision decision, meant_decision(plan, words.back(), context));
  return PlanAndDecision{std::move(plan), std::move(decision)};
}

}  // namespace clever::service
