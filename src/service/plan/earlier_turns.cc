#include "service/plan/earlier_turns.h"

#include <algorithm>

#include "base/utf8.h"
#include "service/plan/kept_message.h"
#include "service/plan/plan_document.h"

namespace clever::service {
namespace {

using model::PlanState;

constexpr std::size_t kMostEarlierPlans = 12;
constexpr std::size_t kMostPrompts = 6;
constexpr std::size_t kMostNamedFiles = 20;
constexpr std::size_t kLongestWords = 600;

constexpr std::string_view kHeading =
    "Earlier in this conversation, the oldest first. It is over: know it, do not do it again.\n";

// Indents every line, so that a person's text cannot pass for one of ours.
std::string shortened(const std::string& text) {
  std::string words = base::to_valid_utf8(text);
  for (std::size_t at = words.find('\n'); at != std::string::npos; at = words.find('\n', at + 1)) {
    words.insert(at + 1, "    ");
  }
  if (words.size() <= kLongestWords) return words;
  return std::string(base::utf8_prefix(words, kLongestWords)) + "…";
}

// If there are many prompts, keeps the task and the last ones.
std::string words_about(const EarlierPlan& plan) {
  std::string text;
  const std::size_t left_out =
      plan.said.size() > kMostPrompts ? plan.said.size() - kMostPrompts : 0;
  for (std::size_t i = 0; i < plan.said.size(); ++i) {
    if (i >= 1 && i <= left_out) continue;
    text += (i == 0 ? "- The person: " : "  The person: ") + shortened(plan.said[i]) + "\n";
  }
  if (text.empty()) text = "- The person said something that is not known any more\n";
  if (!plan.answered.empty()) text += "  Answered: " + shortened(plan.answered) + "\n";
  if (!plan.outcome.empty()) text += "  Came to: " + shortened(plan.outcome) + "\n";
  return text;
}

std::string listed_files(const std::vector<std::string>& files) {
  std::string text;
  for (std::size_t i = 0; i < files.size() && i < kMostNamedFiles; ++i) {
    text += (i == 0 ? "" : ", ") + files[i];
  }
  if (files.size() > kMostNamedFiles) {
    text += " and " + std::to_string(files.size() - kMostNamedFiles) + " more";
  }
  return text;
}

// Returns only the task of the first prompt: its later parts hold the earlier turns.
std::string message_words(const model::Message& message, bool first) {
  if (!first || message.parts.empty()) return text_of(message);
  const auto* task = std::get_if<model::Text>(&message.parts.front());
  return task == nullptr ? text_of(message) : task->text;
}

std::string last_words(const plan::State& plan) {
  for (auto step = plan.steps.rbegin(); step != plan.steps.rend(); ++step) {
    if (!step->summary.empty()) return step->summary;
  }
  return plan.strategy_summary;
}

base::Result<EarlierPlan> earlier_plan(const PlanDatabase& database, const model::PlanId& id,
                                       Context& context) {
  CLEVER_ASSIGN(const plan::State state, database.state(id));
  EarlierPlan plan{.answered = last_words(state), .outcome = outcome_of(state)};
  for (const base::Sha256Digest& body : state.prompts) {
    const auto message = kept_message(database.engine(), body, context.stop());
    if (!message.ok()) continue;
    plan.said.push_back(message_words(*message, body == state.prompts.front()));
  }
  return plan;
}

}  // namespace

std::string earlier_turns(const std::vector<EarlierPlan>& plans, std::size_t before) {
  constexpr std::size_t kRoomForNote = 64;
  std::string text;
  std::size_t left_out = before + plans.size();
  for (auto plan = plans.rbegin(); plan != plans.rend(); ++plan, --left_out) {
    const std::string words = words_about(*plan);
    if (kHeading.size() + text.size() + words.size() + kRoomForNote > kMostEarlier) break;
    text.insert(0, words);
  }
  if (text.empty()) return {};
  if (left_out > 0) text.insert(0, "- " + std::to_string(left_out) + " before that\n");
  return std::string(kHeading) + text;
}

std::string outcome_of(const plan::State& plan) {
  if (plan.undone) return "applied, and taken back again: the project does not have it";
  if (plan.state == PlanState::kApplied) {
    std::string text = "applied";
    if (plan.applied && !plan.applied->files.empty()) {
      text += ": " + listed_files(plan.applied->files);
    }
    return text;
  }
  if (plan.state == PlanState::kCancelled) return "cancelled; nothing of it landed";
  if (plan.is_ready_to_apply()) return "ready, and not applied: the project does not have it";
  if (plan.state == PlanState::kComplete) return "nothing was to be changed";
  return "left in " + place_of(plan) + "; nothing of it landed";
}

base::Result<std::string> earlier_turns(const PlanDatabase& database, const SessionPlans& session,
                                        Context& context) {
  std::vector<EarlierPlan> plans;
  const std::size_t before =
      session.plans.size() > kMostEarlierPlans ? session.plans.size() - kMostEarlierPlans : 0;
  for (std::size_t i = before; i < session.plans.size(); ++i) {
    CLEVER_ASSIGN(EarlierPlan plan, earlier_plan(database, session.plans[i].id, context));
    plans.push_back(std::move(plan));
  }
  return earlier_turns(plans, before);
}

}  // namespace clever::service
