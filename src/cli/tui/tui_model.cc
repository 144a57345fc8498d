#include "cli/tui/tui_model.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/text.h"

namespace clever::cli {
namespace {

using KeyKind = Key::Kind;

constexpr int kNeedsPerson = 0;
constexpr int kWorks = 1;
constexpr int kReady = 2;
constexpr int kStands = 3;
constexpr int kOver = 4;

constexpr std::size_t kDigestShown = 12;

// What can be typed behind a slash, and the key that does the same.
struct SlashCommand {
  std::string_view name;
  char32_t key;
};
constexpr std::array<SlashCommand, 14> kSlashCommands{{{"apply", 'a'},
                                                       {"approve", 'y'},
                                                       {"cancel", 'c'},
                                                       {"diff", 'd'},
                                                       {"edit", 'e'},
                                                       {"help", '?'},
                                                       {"log", 'l'},
                                                       {"new", '+'},
                                                       {"quit", 'q'},
                                                       {"reject", 'n'},
                                                       {"resume", 'r'},
                                                       {"stream", 's'},
                                                       {"tree", 't'},
                                                       {"undo", 'u'}}};

TuiPane pane_after(TuiPane pane, std::size_t steps) {
  return static_cast<TuiPane>((static_cast<std::size_t>(pane) + steps) % kTuiPanes);
}

}  // namespace

int urgency_of(const TuiPlan& plan) {
  const bool asks = plan.approval || plan.in_conflict;
  if (plan.state == "waiting" || plan.state == "constrained" || asks) return kNeedsPerson;
  if (plan.stopped) return kStands;
  if (plan.state == "processing" || plan.state == "cancelling") return kWorks;
  if (plan.state == "complete") return kReady;
  return plan.state == "errored" || plan.state == "queued" ? kStands : kOver;
}

WorkStatus status_of(const TuiPlan& plan) {
  if (plan.state == "errored" || plan.state == "cancelled") return WorkStatus::kFailed;
  if (plan.in_conflict) return WorkStatus::kWaiting;
  if (plan.state == "complete" || plan.state == "applied") return WorkStatus::kDone;
  if (plan.state == "queued" || plan.stopped) return WorkStatus::kQueued;
  return urgency_of(plan) == kNeedsPerson ? WorkStatus::kWaiting : WorkStatus::kWorking;
}

const TuiPlan* TuiModel::selected() const {
  return selected_ < plans_.size() ? &plans_[selected_] : nullptr;
}

std::vector<TuiWish> TuiModel::update(const TuiEvent& event) {
  return std::visit([this](const auto& each) { return on(each); }, event);
}

TuiModel::Wishes TuiModel::on(const TuiResized& resized) {
  size_ = resized.size;
  return {};
}

TuiModel::Wishes TuiModel::on(const TuiSaid& said) {
  said_ = said;
  return {};
}

// The selected plan stays selected, wherever the others move.
TuiModel::Wishes TuiModel::on(const TuiPlans& plans) {
  const model::PlanId before = selected() != nullptr ? selected()->id : model::PlanId();
  plans_ = plans.plans;
  std::ranges::sort(plans_, [](const TuiPlan& left, const TuiPlan& right) {
    const int one = urgency_of(left);
    const int other = urgency_of(right);
    return one != other ? one < other : left.id > right.id;
  });
  listed_ = true;
  const std::size_t found = index_of(before);
  if (found < plans_.size()) selected_ = found;
  if (started_ && index_of(started_) < plans_.size()) return on(TuiStarted{started_});
  return found < plans_.size() ? Wishes() : select(selected_);
}

TuiModel::Wishes TuiModel::on(const TuiStarted& started) {
  const std::size_t found = index_of(started.plan);
  started_ = found < plans_.size() ? model::PlanId() : started.plan;
  return started_ ? Wishes() : select(found);
}

std::size_t TuiModel::index_of(const model::PlanId& plan) const {
  const auto found = std::ranges::find(plans_, plan, &TuiPlan::id);
  return static_cast<std::size_t>(found - plans_.begin());
}

TuiModel::Wishes TuiModel::on(const TuiDetail& detail) {
  // What was asked for before another plan was chosen.
  if (selected() == nullptr || selected()->id != detail.plan) return {};
  detail_ = detail;
  return {};
}

TuiModel::Wishes TuiModel::on(const Key& key) {
  said_.reset();
  if (key.is_ctrl('c')) return {{.kind = TuiWish::Kind::kQuit}};
  if (prompt_) return write(key);
  if (!question_.empty()) return answer(key);
  if (std::exchange(help_, false)) return {};
  switch (key.kind) {
    case KeyKind::kUp:
      return select(selected_ > 0 ? selected_ - 1 : 0);
    case KeyKind::kDown:
      return select(selected_ + 1);
    case KeyKind::kHome:
      return select(0);
    case KeyKind::kEnd:
      return select(SIZE_MAX);
    case KeyKind::kTab:
    case KeyKind::kRight:
      return show(pane_after(pane_, 1));
    case KeyKind::kBackTab:
    case KeyKind::kLeft:
      return show(pane_after(pane_, kTuiPanes - 1));
    case KeyKind::kEnter:
      zoomed_ = !zoomed_;
      return {};
    case KeyKind::kEscape:
      zoomed_ = false;
      return {};
    case KeyKind::kPageUp:
      scroll_by(true);
      return {};
    case KeyKind::kPageDown:
      scroll_by(false);
      return {};
    case KeyKind::kCharacter:
      return key.ctrl || key.alt ? Wishes() : on_character(key.code);
    default:
      return {};
  }
}

TuiModel::Wishes TuiModel::on_character(char32_t character) {
  using enum TuiWish::Kind;
  switch (character) {
    case 'q':
      return {{.kind = kQuit}};
    case 'k':
      return select(selected_ > 0 ? selected_ - 1 : 0);
    case 'j':
      return select(selected_ + 1);
    case '1':
    case 't':
      return show(TuiPane::kTree);
    case '2':
    case 's':
      return show(TuiPane::kStream);
    case '3':
    case 'd':
      return show(TuiPane::kDiff);
    case '4':
    case 'l':
      return show(TuiPane::kLog);
    case ' ':
      scroll_by(false);
      return {};
    case 'b':
      scroll_by(true);
      return {};
    case '?':
    case 'h':
      help_ = true;
      return {};
    default:
      break;
  }
  if (character == '+') {
    prompt_.emplace();
    new_task_ = true;
    return {};
  }
  if (selected() == nullptr) return {};
  switch (character) {
    case 'y':
      return approve(true);
    case 'n':
      return approve(false);
    case 'a':
      if (selected()->digest.empty()) {
        return on(TuiSaid{"there is nothing to apply yet", Tone::kWarn});
      }
      return ask(
          {.kind = kApply, .plan = selected()->id, .text = selected()->digest},
          "Apply what it changed (digest " + selected()->digest.substr(0, kDigestShown) + ")?");
    case 'c':
      return ask({.kind = kCancel, .plan = selected()->id}, "Cancel it for good?");
    case 'u':
      return ask({.kind = kUndo, .plan = selected()->id}, "Undo what it applied?");
    case 'r':
      // Going on would be a yes.
      if (selected()->approval) return on(TuiSaid{"it asks: y approves, n rejects", Tone::kWarn});
      return wish(kResume);
    case 'e':
      return wish(kEdit);
    case 'p':
      prompt_.emplace();
      new_task_ = false;
      return {};
    default:
      return {};
  }
}

TuiModel::Wishes TuiModel::wish(TuiWish::Kind kind) const {
  return {{.kind = kind, .plan = selected()->id}};
}

TuiModel::Wishes TuiModel::approve(bool yes) {
  const auto& approval = selected()->approval;
  if (!approval) return on(TuiSaid{"it asks for nothing", Tone::kDim});
  return {{.kind = yes ? TuiWish::Kind::kApprove : TuiWish::Kind::kReject,
           .plan = selected()->id,
           .asking = approval->plan,
           .number = approval->number}};
}

TuiModel::Wishes TuiModel::ask(TuiWish wish, std::string question) {
  asked_ = std::move(wish);
  question_ = std::move(question);
  return {};
}

TuiModel::Wishes TuiModel::answer(const Key& key) {
  question_.clear();
  if (!key.is('y') && !key.is('Y')) return {};
  return {asked_};
}

TuiModel::Wishes TuiModel::write(const Key& key) {
  const LineEditor::Outcome outcome = prompt_->handle(key);
  if (outcome == LineEditor::Outcome::kComplete) return complete();
  const bool given_up = key.kind == KeyKind::kEscape || outcome == LineEditor::Outcome::kEnd;
  if (given_up) prompt_.reset();
  if (given_up || outcome != LineEditor::Outcome::kSubmit) return {};
  std::string words = prompt_->text();
  prompt_.reset();
  return submit(std::move(words));
}

// Files are looked up by others.
TuiModel::Wishes TuiModel::complete() {
  const std::string& text = prompt_->text();
  if (!text.starts_with('/') || text.find(' ') != std::string::npos) {
    return {{.kind = TuiWish::Kind::kComplete,
             .number = static_cast<std::int64_t>(prompt_->cursor()),
             .text = text}};
  }
  std::vector<std::string> names;
  for (const SlashCommand& each : kSlashCommands) {
    if (each.name.starts_with(text.substr(1))) names.emplace_back(each.name);
  }
  if (names.size() == 1) {
    const std::string whole = "/" + names.front() + (names.front() == "new" ? " " : "");
    prompt_->set(whole, whole.size());
  } else if (!names.empty()) {
    on(TuiSaid{base::joined(names), Tone::kDim});
  }
  return {};
}

TuiModel::Wishes TuiModel::on(const TuiCompleted& completed) {
  if (!prompt_ || prompt_->text() != completed.before) return {};
  prompt_->set(completed.text, completed.cursor);
  if (!completed.choices.empty()) on(TuiSaid{base::joined(completed.choices), Tone::kDim});
  return {};
}

TuiModel::Wishes TuiModel::submit(std::string words) {
  if (base::is_blank(words)) return {};
  if (words.starts_with('/')) return slash(words);
  if (new_task_ || selected() == nullptr) {
    return {{.kind = TuiWish::Kind::kNew, .text = std::move(words)}};
  }
  return {{.kind = TuiWish::Kind::kPrompt, .plan = selected()->id, .text = std::move(words)}};
}

// "/apply" is what its key is; "/new TASK" begins a plan.
TuiModel::Wishes TuiModel::slash(const std::string& words) {
  const std::size_t end = std::min(words.find(' '), words.size());
  const std::string name = words.substr(1, end - 1);
  const std::string rest(base::trimmed(std::string_view(words).substr(end)));
  if (name == "new" && !rest.empty()) return {{.kind = TuiWish::Kind::kNew, .text = rest}};
  const auto command = std::ranges::find(kSlashCommands, name, &SlashCommand::name);
  if (command != std::end(kSlashCommands)) return on_character(command->key);
  return on(TuiSaid{"unknown command /" + name + "; Tab behind / lists them", Tone::kWarn});
}

TuiModel::Wishes TuiModel::select(std::size_t index) {
  if (plans_.empty()) return {};
  const std::size_t last = plans_.size() - 1;
  selected_ = std::min(index, last);
  if (detail_.plan == plans_[selected_].id) return {};
  detail_ = {.plan = plans_[selected_].id};
  scroll_ = 0;
  return wish(TuiWish::Kind::kLook);
}

TuiModel::Wishes TuiModel::show(TuiPane pane) {
  if (std::exchange(pane_, pane) == pane) return {};
  scroll_ = 0;
  return selected() == nullptr ? Wishes() : wish(TuiWish::Kind::kLook);
}

// Of the stream and the log the end is shown, so that they are scrolled from there.
void TuiModel::scroll_by(bool up) {
  const std::size_t lines = pane_ == TuiPane::kTree     ? detail_.tree.size()
                            : pane_ == TuiPane::kStream ? detail_.stream.size()
                            : pane_ == TuiPane::kDiff   ? detail_.diff.size()
                                                        : detail_.log.size();
  const std::size_t page = size_.rows > 8 ? size_.rows / 2 : 3;
  const bool more = up == (pane_ == TuiPane::kStream || pane_ == TuiPane::kLog);
  if (more) {
    scroll_ = std::min(scroll_ + page, lines > page ? lines - page : 0);
  } else {
    scroll_ -= std::min(scroll_, page);
  }
}

}  // namespace clever::cli
