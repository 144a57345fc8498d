#include "cli/tui/tui_actions.h"

#include <utility>

#include "base/text.h"
#include "cli/session/file_completion.h"
#include "cli/words.h"
#include "plan/command.h"
#include "service/commands/plan_act.h"
#include "service/plan/session_plans.h"

namespace clever::cli {
namespace {

using WishKind = TuiWish::Kind;

struct Order {
  std::string key;
  plan::Command command;
  /// The message once the plan has taken it.
  std::string done;
};

base::Result<Order> order_of(const TuiWish& wish, Context& context) {
  std::string key = service::new_key(context);
  switch (wish.kind) {
    case WishKind::kApprove:
      if (wish.number == 0) return Order{std::move(key), plan::Resume{}, "approved"};
      return Order{std::move(key), plan::Approve{.number = wish.number}, "approved"};
    case WishKind::kReject:
      if (wish.number == 0) {
        return base::invalid_argument(
            "this cannot be rejected: press p to say what is wrong, or c to cancel the plan");
      }
      return Order{std::move(key),
                   plan::Reject{.number = wish.number, .reason = "a person said no"}, "rejected"};
    case WishKind::kApply: {
      CLEVER_ASSIGN(const auto digest, base::Sha256Digest::from_hex(wish.text));
      plan::Apply apply;
      apply.request.digest = digest;
      return Order{std::move(key), std::move(apply), "it is being applied"};
    }
    case WishKind::kCancel:
      return Order{"cancel", plan::Cancel{"a person cancelled it"}, "cancelled"};
    case WishKind::kUndo:
      return Order{std::move(key), plan::Undo{}, "it is being undone"};
    case WishKind::kPrompt: {
      plan::Prompt prompt;
      prompt.message = {model::Role::kUser, {model::Text{wish.text}}};
      return Order{std::move(key), std::move(prompt), "the plan got the prompt"};
    }
    default:
      return Order{std::move(key), plan::Resume{}, "it continues"};
  }
}

}  // namespace

TuiActions::TuiActions(const service::PlanDatabase& database, service::WorkplaceOptions answers,
                       std::optional<git::Project> here, Context& context,
                       std::function<void(TuiEvent)> tell)
    : database_(database),
      answers_(std::move(answers)),
      here_(std::move(here)),
      context_(context),
      tell_(std::move(tell)),
      thread_(std::make_unique<base::Thread>("tui-actions",
                                             [this](const base::StopToken& stop) { run(stop); })) {}

void TuiActions::order(TuiWish wish) {
  const bool taken = wishes_.update([&](std::deque<TuiWish>& wishes) {
    if (wishes.size() >= kMost) return false;
    wishes.push_back(std::move(wish));
    return true;
  });
  if (!taken)
    tell_(
        TuiSaid{"too many actions are still running: wait a moment, then try again", Tone::kWarn});
}

void TuiActions::run(const base::StopToken& stop) {
  const auto has_some = [](const std::deque<TuiWish>& wishes) { return !wishes.empty(); };
  const auto first = [](std::deque<TuiWish>& wishes) {
    TuiWish wish = std::move(wishes.front());
    wishes.pop_front();
    return wish;
  };
  while (!stop.stop_requested()) {
    const auto wish = wishes_.update_when(stop, has_some, first);
    if (!wish.ok()) return;
    if (wish->kind == WishKind::kComplete) {
      static_cast<void>(complete(*wish, stop).ok());
      continue;
    }
    const auto said = wish->kind == WishKind::kNew ? begin(wish->text, stop) : fulfil(*wish, stop);
    if (stop.stop_requested()) return;
    tell_(said.ok() ? TuiSaid{*said, Tone::kGood} : TuiSaid{said.error().sentence(), Tone::kBad});
  }
}

// The one of all projects, which says at once if this one cannot be worked on.
base::Result<service::Workplace*> TuiActions::workplace_for(const std::string& project,
                                                            const base::StopToken& stop) {
  if (!workplace_) {
    service::WorkplaceOptions options = answers_;
    options.project = project;
    CLEVER_ASSIGN(workplace_, service::Workplace::open(database_, options, context_));
  }
  CLEVER_TRY(workplace_->runtime().project(project, stop));
  return workplace_.get();
}

base::Result<std::string> TuiActions::begin(const std::string& task, const base::StopToken& stop) {
  if (!here_)
    return base::invalid_argument(
        "this folder is not a project, and a new plan needs one: start the view in a project, or "
        "with -C DIR");
  CLEVER_ASSIGN(service::Workplace* const workplace, workplace_for(here_->root.string(), stop));
  CLEVER_ASSIGN(const auto project, workplace->runtime().project(here_->root.string(), stop));
  CLEVER_ASSIGN(auto made,
                service::new_session_plan(
                    service::plan_parts(workplace->runtime(), *project), database_,
                    {.words = task, .project = here_->root, .with_strategy = true}, context_));
  CLEVER_ASSIGN(const model::PlanId plan,
                workplace->runtime().plans().create(std::move(made.create), made.caps, stop));
  commanded_.insert(plan);
  tell_(TuiStarted{plan});
  return made.remarks.empty() ? "a new plan is working on it" : base::joined(made.remarks, " ");
}

base::Result<void> TuiActions::complete(const TuiWish& wish, const base::StopToken& stop) {
  if (!here_) return {};
  CLEVER_ASSIGN(const auto files, project_files(*here_, stop));
  Completion completion = complete_file(wish.text, static_cast<std::size_t>(wish.number), files);
  tell_(TuiCompleted{wish.text, std::move(completion.text), completion.cursor,
                     std::move(completion.choices)});
  return {};
}

base::Result<std::string> TuiActions::fulfil(const TuiWish& wish, const base::StopToken& stop) {
  CLEVER_ASSIGN(const plan::State state, database_.state(wish.plan));
  CLEVER_ASSIGN(Order order, order_of(wish, context_));
  CLEVER_ASSIGN(service::Workplace* const workplace, workplace_for(state.project, stop));
  commanded_.insert(wish.plan);
  const model::PlanId& meant = wish.asking ? wish.asking : wish.plan;
  CLEVER_TRY(service::send_command(*workplace, meant, std::move(order.key),
                                   service::signed_by_person(order.command, context_), stop));
  return order.done;
}

std::vector<model::PlanId> TuiActions::close() {
  thread_.reset();
  workplace_.reset();
  std::vector<model::PlanId> left;
  for (const model::PlanId& plan : commanded_) {
    const auto state = database_.state(plan);
    if (state.ok() && !state->is_at_rest()) left.push_back(plan);
  }
  return left;
}

}  // namespace clever::cli
