#include "service/plan/edit_conflicts.h"

#include <algorithm>

#include "base/text.h"
#include "service/diff/editor.h"
#include "service/plan/reviewed_changes.h"

namespace clever::service {
namespace {

base::Error no_conflict(const MeantPlan& plan) {
  const std::string id = plan.summary.id.to_string();
  return base::conflict("plan " + id + " has no open conflict: `agents plan review " + id +
                        "` edits its other files");
}

base::Error no_text(const MeantPlan& plan) {
  const std::string id = plan.summary.id.to_string();
  return base::conflict(
      "no file with an open conflict holds both sides, so an editor cannot resolve it: `agents "
      "plan prompt " +
      id + " TEXT` tells the plan how to");
}

// Returns the files that the person edited.
base::Result<std::vector<plan::Choose::Edit>> edits_by_hand(const plan::State& state,
                                                            ReviewedChanges& changes,
                                                            const std::vector<std::string>& keep,
                                                            bool& offered, Context& context,
                                                            const Screen::Foreground& run) {
  std::vector<plan::Choose::Edit> edits;
  for (const model::OpenConflict& conflict : state.conflicts) {
    const auto file = std::ranges::find(changes.files(), conflict.path, &diff::FileDiff::path);
    if (conflict.marked.empty() || file == changes.files().end()) continue;
    offered = true;
    CLEVER_ASSIGN(const std::string content, changes.content(*file, keep));
    CLEVER_ASSIGN(auto edited, edited_text(conflict.path, content, context, run));
    if (edited) edits.push_back({conflict.path, *std::move(edited)});
  }
  return edits;
}

std::string resolved_sentence(const HandResolved& result) {
  if (result.resolved.empty()) return "nothing was changed";
  std::string text = "resolved " + base::joined(result.resolved);
  if (!result.open.empty()) text += "; still open: " + base::joined(result.open);
  return text;
}

}  // namespace

base::Result<HandResolved> resolve_by_hand(const MeantPlan& plan, Context& context,
                                           const Screen::Foreground& run) {
  if (plan.state.conflicts.empty()) return no_conflict(plan);
  HandResolved result{.state = plan.state};
  CLEVER_ASSIGN(const auto changes, ReviewedChanges::open(plan, context));
  std::vector<std::string> keep;
  for (const Choosable& part : changes->parts()) keep.push_back(part.id);
  bool offered = false;
  CLEVER_ASSIGN(const auto edits, edits_by_hand(plan.state, *changes, keep, offered, context, run));
  if (!offered) return no_text(plan);
  if (!edits.empty()) {
    CLEVER_ASSIGN(Narrowed narrowed, narrow(plan, *changes, keep, edits, context));
    result.state = std::move(narrowed.state);
  }
  for (const model::OpenConflict& conflict : plan.state.conflicts) {
    const auto& now = result.state.conflicts;
    const bool open =
        std::ranges::find(now, conflict.path, &model::OpenConflict::path) != now.end();
    (open ? result.open : result.resolved).push_back(conflict.path);
  }
  result.sentence = resolved_sentence(result);
  return result;
}

base::Result<Report> edit_conflicts(const MeantPlan& plan, Context& context) {
  CLEVER_ASSIGN(const HandResolved result,
                resolve_by_hand(plan, context, context.screen().foreground));
  Report report;
  const auto& digest = result.state.changeset.digest;
  report.data.set("plan_id", plan.summary.id.to_string())
      .set("phase", to_string(result.state.phase))
      .set("state", to_string(result.state.state))
      .set("digest", digest ? Document(digest->to_hex()) : Document())
      .set("resolved", Document::texts(result.resolved))
      .set("open", Document::texts(result.open));
  Prose prose{{{{result.sentence, result.open.empty() ? Tone::kGood : Tone::kWarn}}}};
  for (const std::string& step : next_steps(result.state)) {
    prose.lines.push_back({{"next: ", Tone::kDim}, {step, Tone::kStrong}});
  }
  report.view = {std::move(prose)};
  if (!result.open.empty()) report.exit_code = ExitCode::kNeedsPerson;
  return report;
}

}  // namespace clever::service
