#include "engine/internal/append_draft.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "model/budget_events.h"
#include "model/work_events.h"
#include "plan/past.h"
#include "storage/keys.h"

namespace clever::engine::internal {
namespace {

// An unreadable inbox entry decodes to a default Create.
std::string_view name_of(const Submission& submission) {
  const bool readable = !std::holds_alternative<plan::Create>(submission.command);
  return readable ? plan::name_of(submission.command) : "unreadable";
}

}  // namespace

std::string refusal_receipt(const base::Error& refusal, const plan::State& state) {
  const nlohmann::json receipt{{"refused", base::to_string(refusal.code())},
                               {"reason", refusal.sentence()},
                               {"phase", model::to_string(state.phase)},
                               {"state", model::to_string(state.state)}};
  return receipt.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

AppendDraft::AppendDraft(PlanStore& store, std::shared_ptr<const plan::State> state,
                         const storage::Head& head, std::int64_t epoch,
                         const plan::Circumstances& circumstances)
    : store_(store),
      state_(std::move(state)),
      circumstances_(circumstances),
      append_{.plan = state_->id, .expected = head, .epoch = epoch} {}

base::Result<Settled> AppendDraft::add(const Submission& submission, const Allowance& allowance) {
  if (submission.refusal) return refuse(submission, *submission.refusal);
  circumstances_.may_spend = allowance.may_spend;
  circumstances_.room_may_come = allowance.room_may_come;
  circumstances_.left = allowance.left;
  CLEVER_ASSIGN(circumstances_.past, past_of(submission.command));
  auto decided = plan::decide(*state_, submission.command, circumstances_);
  if (!decided.ok()) return refuse(submission, decided.error());
  put(std::move(decided->events));
  state_ = std::make_shared<const plan::State>(std::move(decided->state));
  for (plan::Body& body : decided->bodies) {
    append_.bodies.push_back({body.hash, std::move(body.content)});
  }
  for (const plan::Outgoing& outgoing : decided->outgoing) send(outgoing);
  std::ranges::copy(submission.before, std::back_inserter(append_.before));
  std::ranges::copy(submission.with.statements(), std::back_inserter(append_.also));
  std::ranges::copy(submission.with.topics(), std::back_inserter(append_.topics));
  consume(submission, decided->receipt);
  return Settled{state_->sequence, std::move(decided->receipt)};
}

base::Result<std::shared_ptr<const plan::State>> AppendDraft::past_of(
    const plan::Command& command) const {
  const auto* rollback = std::get_if<plan::Rollback>(&command);
  const auto is_target = [&](const auto& point) { return point.sequence == rollback->to_sequence; };
  if (rollback == nullptr || std::ranges::none_of(state_->checkpoints, is_target)) return nullptr;
  CLEVER_ASSIGN(storage::LoadedPlan loaded, store_.load(append_.plan));
  loaded.events.insert(loaded.events.end(), events_.begin(), events_.end());
  CLEVER_ASSIGN(plan::State past, plan::state_at(loaded.events, rollback->to_sequence));
  return std::make_shared<const plan::State>(std::move(past));
}

base::Error AppendDraft::refuse(const Submission& submission, const base::Error& refusal) {
  if (submission.inbox == 0 || !state_->exists()) return refusal;
  const std::string receipt = refusal_receipt(refusal, *state_);
  const model::CommandRefused refused{std::string(name_of(submission)),
                                      std::string(base::to_string(refusal.code())),
                                      refusal.sentence()};
  put({refused.to_event()});
  // The event changes nothing but the journal's length.
  plan::State after = *state_;
  ++after.sequence;
  state_ = std::make_shared<const plan::State>(std::move(after));
  consume(submission, receipt);
  return refusal;
}

void AppendDraft::put(std::vector<model::Event> events) {
  std::int64_t sequence = state_->sequence;
  for (model::Event& event : events) {
    note_reservation(event);
    events_.push_back({.plan = append_.plan,
                       .sequence = ++sequence,
                       .epoch = append_.epoch,
                       .time = circumstances_.now,
                       .kind = event.kind,
                       .version = event.version,
                       .data = event.data});
    append_.events.push_back(std::move(event));
  }
}

void AppendDraft::note_reservation(const model::Event& event) {
  if (reservation_ || event.kind != model::BudgetReserved::kKind) return;
  auto reserved = model::BudgetReserved::parse(event.data);
  if (reserved.ok()) reservation_ = std::move(reserved).value();
}

void AppendDraft::send(const plan::Outgoing& outgoing) {
  for (auto& statement : store_.send_statements(outgoing.plan, outgoing.key, outgoing.body)) {
    append_.also.push_back(std::move(statement));
  }
  append_.topics.push_back(storage::plan_name(outgoing.plan));
  append_.topics.push_back(storage::inbox_name(outgoing.plan));
}

void AppendDraft::consume(const Submission& submission, const std::string& receipt) {
  if (submission.inbox != 0) append_.consumed.push_back({submission.inbox, receipt});
}

}  // namespace clever::engine::internal
