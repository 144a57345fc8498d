#include "cli/tui/tui_source.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "cli/words.h"
#include "diff/tree_diff.h"
#include "model/message.h"
#include "model/work_events.h"
#include "service/plan/kept_message.h"
#include "service/plan/plan_document.h"
#include "service/plan/sensitive_words.h"

namespace clever::cli {
namespace {

constexpr std::size_t kMostShownPlans = 1000;
constexpr std::size_t kMostStreamLines = 2000;
constexpr std::size_t kMostDiffLines = 20'000;
// Busy plans are read so often at most.
constexpr std::chrono::milliseconds kBetweenReads{50};
constexpr std::chrono::seconds kBetweenLooksAtDrivers{2};

std::optional<TuiApproval> approval_of(const plan::State& state) {
  if (state.approval) {
    TuiApproval approval{
        .plan = state.id, .number = state.approval->number, .subject = state.approval->subject};
    for (const model::ApprovalItem& item : state.approval->items) {
      approval.items.push_back(item.why.empty() ? item.what : item.what + "  (" + item.why + ")");
    }
    return approval;
  }
  if (state.waiting != plan::Waiting::kApproval) return std::nullopt;
  return TuiApproval{.plan = state.id};
}

// The one that nothing in the list is above.
model::PlanId top_of(const service::PlanSummary& plan,
                     const std::map<model::PlanId, model::PlanId>& parents) {
  model::PlanId top = plan.id;
  for (auto found = parents.find(top); found != parents.end() && found->second;
       found = parents.find(top)) {
    top = found->second;
  }
  return top;
}

Tone tone_of_diff(std::string_view line) {
  if (line.starts_with("diff ") || line.starts_with("--- ") || line.starts_with("+++ ")) {
    return Tone::kStrong;
  }
  if (line.starts_with("@@")) return Tone::kAccent;
  if (line.starts_with('+')) return Tone::kGood;
  return line.starts_with('-') ? Tone::kBad : Tone::kPlain;
}

std::vector<TuiText> toned_lines(std::string_view text, std::size_t most,
                                 Tone (*tone)(std::string_view)) {
  std::vector<TuiText> lines;
  while (!text.empty() && lines.size() < most) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back({std::string(text.substr(0, end)), tone(text.substr(0, end))});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Tone plain(std::string_view /*line*/) { return Tone::kPlain; }

// The first piece of a line is its time, or all of it.
std::vector<TuiText> log_lines(const View& view) {
  std::vector<TuiText> lines;
  for (const Block& block : view) {
    if (const auto* prose = std::get_if<Prose>(&block)) {
      for (const Line& line : prose->lines) {
        TuiText all{"", line.size() > 1 ? line[1].tone : line.front().tone};
        for (const Span& span : line) all.text += span.text;
        lines.push_back(std::move(all));
      }
    } else if (const auto* words = std::get_if<Markdown>(&block)) {
      const std::string indent(words->indent, ' ');
      for (TuiText& line : toned_lines(words->text, kMostStreamLines, plain)) {
        lines.push_back({indent + line.text, line.tone});
      }
    }
  }
  const std::size_t more = lines.size() - std::min(lines.size(), kMostStreamLines);
  lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(more));
  return lines;
}

WorkStatus status_of_step(model::StepState state) {
  switch (state) {
    case model::StepState::kRunning:
      return WorkStatus::kWorking;
    case model::StepState::kDone:
      return WorkStatus::kDone;
    case model::StepState::kFailed:
      return WorkStatus::kFailed;
    default:
      return WorkStatus::kQueued;
  }
}

}  // namespace

std::vector<TuiTreeRow> tui_tree(
    const plan::State& plan,
    const std::function<const plan::State*(const model::PlanId&)>& state_of) {
  std::vector<TuiTreeRow> rows;
  for (const plan::Step& step : plan.steps) {
    TuiTreeRow row{.status = status_of_step(step.state), .text = step.definition.title};
    if (!step.waits.empty()) row.status = WorkStatus::kWaiting;
    row.note = !step.waits.empty() ? step.waits : service::one_line(step.summary, 200);
    rows.push_back(std::move(row));
    const plan::State* child = step.child ? state_of(step.child) : nullptr;
    if (child == nullptr) continue;
    if (rows.back().note.empty()) rows.back().note = service::place_of(*child);
    // The one step of direct work says nothing that the plan's line does not.
    if (child->steps.size() < 2) continue;
    for (TuiTreeRow& below : tui_tree(*child, state_of)) {
      ++below.depth;
      rows.push_back(std::move(below));
    }
  }
  return rows;
}

TuiSource::TuiSource(const service::PlanDatabase& database, std::string project, Context& context,
                     std::function<void(TuiEvent)> tell)
    : database_(database),
      project_(std::move(project)),
      context_(context),
      tell_(std::move(tell)),
      new_plans_(database.on_new_plan([this] { note(); })),
      thread_("tui-source", [this](const base::StopToken& stop) { run(stop); }) {}

void TuiSource::note() {
  wanted_.update([](Wanted& wanted) { ++wanted.changes; });
}

void TuiSource::look(const model::PlanId& plan, TuiPane pane) {
  wanted_.update([&](Wanted& wanted) {
    wanted.plan = plan;
    wanted.pane = pane;
    ++wanted.changes;
  });
}

void TuiSource::run(const base::StopToken& stop) {
  while (!stop.stop_requested()) {
    const Wanted wanted = wanted_.read([](const Wanted& now) { return now; });
    const auto done = read(wanted, stop);
    if (!done.ok() && !stop.stop_requested()) tell_(TuiSaid{done.error().sentence(), Tone::kBad});
    const auto is_other = [&](const Wanted& now) {
      return now.plan != wanted.plan || now.pane != wanted.pane;
    };
    // A person who chose another plan does not wait.
    static_cast<void>(
        wanted_.wait(stop, base::Deadline::after(context_.clock(), kBetweenReads), is_other).ok());
    const auto is_new = [&](const Wanted& now) { return now.changes != wanted.changes; };
    const auto until = any_works_ ? base::Deadline::after(context_.clock(), kBetweenLooksAtDrivers)
                                  : base::Deadline::never();
    static_cast<void>(wanted_.wait(stop, until, is_new).ok());
  }
}

base::Result<void> TuiSource::read(const Wanted& wanted, const base::StopToken& stop) {
  // Before the list: the chosen plan's row is made of what its journal says.
  CLEVER_TRY(follow(wanted, stop));
  CLEVER_ASSIGN(const auto plans, list(stop));
  CLEVER_ASSIGN(const Asked below, asked_below(plans));
  TuiPlans report;
  any_works_ = false;
  for (const service::PlanSummary& plan : plans) {
    if (plan.parent) continue;
    CLEVER_ASSIGN(TuiPlan each, row(plan));
    const auto asked = below.find(plan.id);
    if (!each.approval && asked != below.end()) each.approval = asked->second;
    report.plans.push_back(std::move(each));
  }
  tell_(std::move(report));
  return wanted.plan ? tell_detail(wanted, stop) : base::Result<void>();
}

base::Result<std::vector<service::PlanSummary>> TuiSource::list(const base::StopToken& stop) {
  CLEVER_ASSIGN(auto page, database_.list(project_, kMostShownPlans, stop));
  for (const service::PlanSummary& plan : page) {
    // What is below tells the plan above it when it waits.
    if (plan.parent) continue;
    auto& subscription = subscriptions_[plan.id];
    if (subscription) continue;
    subscription = database_.on_change(plan.id, [this] { note(); });
  }
  return page;
}

base::Result<TuiPlan> TuiSource::row(const service::PlanSummary& plan) {
  TuiPlan row{.id = plan.id,
              .title = plan.title,
              .phase = plan.phase,
              .state = plan.state,
              .cost = plan.spent,
              .created = plan.created,
              .updated = plan.updated};
  if (urgency_of(row) == 1) {
    any_works_ = true;
    if (!driving_) {
      CLEVER_ASSIGN(driving_, service::PlanDriving::open(database_, context_));
    }
    CLEVER_ASSIGN(const bool driven, driving_->is_driven(plan.id));
    row.stopped = !driven;
  }
  // Of the others the state says it all.
  const bool tells_more = urgency_of(row) == 0 || plan.state == "errored" ||
                          plan.state == "complete" || plan.id == followed_;
  if (!tells_more) return row;
  CLEVER_ASSIGN(const Known more, known(plan));
  row.reason = more.reason;
  row.approval = more.approval;
  row.digest = more.digest;
  row.in_conflict = more.in_conflict;
  return row;
}

base::Result<TuiSource::Known> TuiSource::known(const service::PlanSummary& plan) {
  Known& known = known_[plan.id];
  if (known.sequence != plan.sequence) {
    CLEVER_ASSIGN(const plan::State state, database_.state(plan.id));
    known = {.sequence = plan.sequence,
             .reason = service::reason_of(state),
             .approval = approval_of(state),
             .digest = state.is_ready_to_apply() ? state.changeset.digest->to_hex() : "",
             .in_conflict = state.state == model::PlanState::kComplete && !state.conflicts.empty()};
  }
  return known;
}

base::Result<TuiSource::Asked> TuiSource::asked_below(
    const std::vector<service::PlanSummary>& plans) {
  std::map<model::PlanId, model::PlanId> parents;
  for (const service::PlanSummary& plan : plans) parents.emplace(plan.id, plan.parent);
  Asked asked;
  for (const service::PlanSummary& plan : plans) {
    if (!plan.parent || plan.state != "waiting") continue;
    CLEVER_ASSIGN(const Known more, known(plan));
    // The list begins with the newest.
    if (more.approval) asked.insert_or_assign(top_of(plan, parents), *more.approval);
  }
  return asked;
}

base::Result<void> TuiSource::follow(const Wanted& wanted, const base::StopToken& stop) {
  if (wanted.plan != followed_) {
    follower_.reset();
    followed_ = wanted.plan;
    progress_ = ProgressModel(1, false);
    stream_.clear();
    diff_.clear();
    diff_tree_.clear();
    if (followed_) {
      follower_ = std::make_unique<service::PlanFollower>(database_.engine(), context_.clock(),
                                                          followed_, [this] { note(); });
    }
  }
  if (!follower_) return {};
  return follower_->advance(
      [&](const plan::State& state,
          const std::vector<model::StoredEvent>& events) -> base::Result<void> {
        for (const model::StoredEvent& event : events) CLEVER_TRY(add_words(state, event, stop));
        return {};
      },
      stop);
}

// What the model said, and what happened, in their order.
base::Result<void> TuiSource::add_words(const plan::State& state, const model::StoredEvent& event,
                                        const base::StopToken& stop) {
  CLEVER_TRY(add_answer(event, stop));
  progress_.on_events(state, {event}, context_.clock().now());
  for (ProgressWords& words : progress_.take_words()) {
    if (words.kind == ProgressWords::Kind::kTool) continue;
    stream_.push_back({std::move(words.text), words.tone});
  }
  if (stream_.size() > kMostStreamLines) {
    stream_.erase(stream_.begin(), stream_.end() - static_cast<std::ptrdiff_t>(kMostStreamLines));
  }
  return {};
}

base::Result<void> TuiSource::add_answer(const model::StoredEvent& event,
                                         const base::StopToken& stop) {
  if (event.kind != model::MessageAdded::kKind) return {};
  CLEVER_ASSIGN(const auto added, model::MessageAdded::parse(event.data));
  if (added.role != model::Role::kAssistant) return {};
  const auto message = service::kept_message(database_.engine(), added.body, stop);
  if (!message.ok()) return {};
  for (const model::Part& part : message->parts) {
    if (const auto* text = std::get_if<model::Text>(&part)) {
      for (TuiText& line : toned_lines(text->text, kMostStreamLines, plain)) {
        stream_.push_back(std::move(line));
      }
    } else if (const auto* call = std::get_if<model::ToolCall>(&part)) {
      progress_.on_tool(event.plan, service::call_words(*call), /*begins=*/true);
    }
  }
  return {};
}

base::Result<std::vector<TuiText>> TuiSource::diff_of(const plan::State& plan,
                                                      const base::StopToken& stop) {
  if (!plan.base || plan.tree == plan.base->tree) return std::vector<TuiText>();
  if (plan.tree == diff_tree_) return diff_;
  CLEVER_ASSIGN(service::PlanChanges changes, service::changes_of(database_, plan, context_, stop));
  diff_.clear();
  for (std::string& line : changes.warnings) {
    diff_.push_back({std::move(line), Tone::kWarn});
  }
  std::ranges::move(toned_lines(diff::unified(changes.files), kMostDiffLines, tone_of_diff),
                    std::back_inserter(diff_));
  diff_tree_ = plan.tree;
  return diff_;
}

base::Result<void> TuiSource::tell_detail(const Wanted& wanted, const base::StopToken& stop) {
  const plan::State& state = follower_->state();
  TuiDetail detail{.plan = wanted.plan};
  detail.tree =
      tui_tree(state, [this](const model::PlanId& plan) { return follower_->state_of(plan); });
  CLEVER_ASSIGN(const auto decisions, database_.decisions(wanted.plan, stop));
  if (!decisions.empty()) detail.tree.push_back({.text = "decisions", .tone = Tone::kStrong});
  for (const service::DecisionNode& decision : decisions) {
    if (decision.superseded != 0) continue;
    detail.tree.push_back({.depth = 1,
                           .text = decision.kind,
                           .note = service::one_line(decision.chosen, 200),
                           .tone = Tone::kAccent});
  }
  detail.stream = stream_;
  if (wanted.pane == TuiPane::kDiff) {
    CLEVER_ASSIGN(detail.diff, diff_of(state, stop));
  }
  if (wanted.pane == TuiPane::kLog) {
    CLEVER_ASSIGN(const auto entries, service::log_of_tree(database_, wanted.plan, context_));
    detail.log = log_lines(service::view_of_log(entries, wanted.plan, /*full=*/false));
  }
  tell_(std::move(detail));
  return {};
}

}  // namespace clever::cli
