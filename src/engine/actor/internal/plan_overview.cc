#include "engine/actor/internal/plan_overview.h"

#include <algorithm>
#include <set>
#include <vector>

#include "base/utf8.h"
#include "git/tree_path.h"
#include "tool/output_text.h"

namespace clever::engine::internal {
namespace {

using model::StepState;

constexpr std::size_t kLongestTitle = 200;
constexpr std::size_t kLongestSummary = 600;
constexpr std::size_t kLongestDetail = 8192;
constexpr std::size_t kLongestGap = 64;
constexpr std::string_view kHead =
    "What is marked done is finished: it is in the files, and stays as it is.\n";

std::string shortened_line(std::string_view text, std::size_t limit) {
  std::string line = base::to_valid_utf8(text);
  std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  const std::string_view cut = base::utf8_prefix(line, limit);
  return std::string(cut) + (cut.size() < line.size() ? "…" : "");
}

std::string_view mark_of(const plan::Step& step, bool is_active) {
  if (is_active) return "NOW";
  switch (step.state) {
    case StepState::kPending:
      return "pending";
    case StepState::kRunning:
      return "running beside you";
    case StepState::kDone:
      return "done";
    case StepState::kFailed:
      return "failed";
    case StepState::kSkipped:
      return "skipped";
  }
  return "pending";
}

std::string line_of(const plan::State& plan, std::size_t at) {
  const plan::Step& step = plan.steps[at];
  const bool is_active = plan.active == at;
  std::string line = std::to_string(at + 1) + ". [" + std::string(mark_of(step, is_active)) + "] " +
                     shortened_line(step.definition.title, kLongestTitle);
  if (!is_active && !step.summary.empty()) {
    line += " — " + shortened_line(step.summary, kLongestSummary);
  }
  line += "\n";
  if (is_active && !step.definition.detail.empty()) {
    line += tool::cut_middle(base::to_valid_utf8(step.definition.detail), kLongestDetail) + "\n";
  }
  return line;
}

// Orders the active step, its dependencies, then the nearest steps.
std::vector<std::size_t> by_interest(const plan::State& plan) {
  std::vector<std::size_t> order;
  const std::size_t now = plan.active.value_or(0);
  const auto& needs = plan.steps[now].definition.depends_on;
  const std::set<std::string> needed =
      needs ? std::set<std::string>(needs->begin(), needs->end()) : std::set<std::string>();
  order.push_back(now);
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (i != now && needed.contains(plan.steps[i].definition.id)) order.push_back(i);
  }
  const std::set<std::size_t> taken(order.begin(), order.end());
  for (std::size_t distance = 1; distance < plan.steps.size(); ++distance) {
    for (const std::size_t i : {now + distance, now - distance}) {
      if (i < plan.steps.size() && !taken.contains(i)) order.push_back(i);
    }
  }
  return order;
}

std::string gap(std::size_t steps) {
  return steps == 0 ? "" : "   … " + tool::counted(steps, "step") + " not shown …\n";
}

bool is_worth_telling(const plan::State& plan) {
  if (plan.steps.empty()) return false;
  return plan.steps.size() > 1 || plan.steps.front().definition.id != "task";
}

}  // namespace

std::string plan_overview(const plan::State& plan, std::size_t budget) {
  if (!is_worth_telling(plan)) return {};
  std::string text = shortened_line(plan.strategy_summary, kLongestDetail);
  if (!text.empty()) text += "\n";
  text += kHead;
  if (text.size() + kLongestGap > budget) return {};
  std::size_t used = text.size() + kLongestGap;
  std::set<std::size_t> chosen;
  for (const std::size_t at : by_interest(plan)) {
    // Reserves a line for a possible gap before each step.
    const std::size_t size = line_of(plan, at).size() + kLongestGap;
    if (used + size > budget) break;
    used += size;
    chosen.insert(at);
  }
  std::size_t next = 0;
  for (const std::size_t at : chosen) {
    text += gap(at - next) + line_of(plan, at);
    next = at + 1;
  }
  return text + gap(plan.steps.size() - next);
}

std::string open_conflicts(const plan::State& plan, std::size_t budget) {
  std::string text;
  for (std::size_t i = 0; i < plan.conflicts.size(); ++i) {
    const model::OpenConflict& conflict = plan.conflicts[i];
    const std::string line = "- " + git::printable(conflict.path) + " (" +
                             shortened_line(conflict.kind, kLongestTitle) + ")\n";
    if (text.size() + line.size() + kLongestGap > budget) {
      return text + "- … and " + std::to_string(plan.conflicts.size() - i) + " more\n";
    }
    text += line;
  }
  return text;
}

}  // namespace clever::engine::internal
