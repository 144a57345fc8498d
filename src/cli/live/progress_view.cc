// Builds the view of a progress model at one moment.
#include <algorithm>
#include <array>

#include "cli/live/progress_model.h"

namespace clever::cli {

WorkStatus ProgressModel::status_of(const Entry& entry) {
  using enum model::PlanState;
  switch (entry.state) {
    case kQueued:
      return entry.doing.empty() ? WorkStatus::kQueued : WorkStatus::kWorking;
    case kProcessing:
    case kCancelling:
      return WorkStatus::kWorking;
    case kWaiting:
    case kConstrained:
      return WorkStatus::kWaiting;
    case kErrored:
    case kCancelled:
      return WorkStatus::kFailed;
    case kComplete:
    case kApplied:
      break;
  }
  // A complete strategy is about to be executed.
  return entry.phase == model::Phase::kStrategize ? WorkStatus::kWorking : WorkStatus::kDone;
}

std::string ProgressModel::doing_of(const Entry& entry) {
  const WorkStatus status = status_of(entry);
  if (status == WorkStatus::kWaiting || status == WorkStatus::kFailed) return entry.reason;
  if (status == WorkStatus::kDone) return {};
  if (!entry.wait.empty()) return entry.wait;
  if (entry.tools.empty()) return entry.doing;
  std::string text = entry.tools.back();
  if (entry.tools.size() > 1) text += " (+" + std::to_string(entry.tools.size() - 1) + ")";
  return text;
}

ProgressEntry ProgressModel::shown(const Row& row, base::TimePoint now) {
  const Entry& entry = *row.entry;
  std::string place(to_string(entry.phase));
  if (entry.state != model::PlanState::kProcessing) {
    place += " " + std::string(to_string(entry.state));
  }
  return {.depth = row.depth,
          .title = entry.title,
          .status = status_of(entry),
          .place = std::move(place),
          .doing = doing_of(entry),
          .tokens = row.tokens,
          .cost = row.cost,
          .elapsed = entry.ended.value_or(now) - entry.began};
}

// Adds the plan and those below it, parents first; returns the index of its row.
std::size_t ProgressModel::gather(const model::PlanId& plan, std::size_t depth,
                                  std::vector<Row>& rows) const {
  const Entry& entry = entries_.at(plan);
  const std::size_t index = rows.size();
  rows.push_back({&entry, depth, entry.tokens, entry.cost});
  for (const model::PlanId& child : entry.children) {
    const std::size_t below = gather(child, depth + 1, rows);
    rows[index].tokens += rows[below].tokens;
    rows[index].cost += rows[below].cost;
  }
  return index;
}

// Chooses the rows to show: all if they fit; otherwise by the order below, and the first among
// equals. Always shows a single task's own row.
std::vector<bool> ProgressModel::chosen(const std::vector<Row>& all, std::size_t room) const {
  if (all.size() <= room) return std::vector<bool>(all.size(), true);
  constexpr std::array kOrder{WorkStatus::kWorking, WorkStatus::kWaiting, WorkStatus::kFailed,
                              WorkStatus::kQueued, WorkStatus::kDone};
  std::vector<bool> chosen(all.size(), false);
  if (roots_.size() == 1 && room > 0) {
    chosen.front() = true;
    --room;
  }
  for (const WorkStatus status : kOrder) {
    for (std::size_t i = 0; i < all.size() && room > 0; ++i) {
      if (chosen[i] || status_of(*all[i].entry) != status) continue;
      chosen[i] = true;
      --room;
    }
  }
  return chosen;
}

ProgressView ProgressModel::view(std::size_t rows, base::TimePoint now) const {
  std::vector<Row> all;
  ProgressView view{.roots = roots_.size()};
  for (const model::PlanId& root : roots_) {
    const Row& row = all[gather(root, 0, all)];
    view.tokens += row.tokens;
    view.cost += row.cost;
    view.roots_done += status_of(*row.entry) == WorkStatus::kDone ? 1U : 0U;
  }
  const std::vector<bool> visible = chosen(all, rows);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (visible[i]) {
      view.entries.push_back(shown(all[i], now));
    } else {
      ++view.more;
      view.more_done += status_of(*all[i].entry) == WorkStatus::kDone ? 1U : 0U;
    }
  }
  return view;
}

}  // namespace clever::cli
