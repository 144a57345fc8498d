#include "service/plan/approval_inbox.h"

#include <algorithm>
#include <utility>

#include "base/number.h"
#include "base/sha256.h"
#include "service/commands/plan.h"
#include "service/text.h"

namespace clever::service {
namespace {

constexpr std::size_t kPlansPerLook = 500;

std::string digest_of_request(const plan::State& plan) {
  // An apply has a digest of its own, which the diff shows.
  if (plan.approval->subject == "apply" && plan.changeset.digest) {
    return plan.changeset.digest->to_hex();
  }
  return base::sha256(plan.id.to_string() + "\n" + plan.approval->to_event().data).to_hex();
}

}  // namespace

std::string ApprovalId::text() const { return plan.to_string() + "." + std::to_string(number); }

base::Result<ApprovalId> ApprovalId::parse(std::string_view text) {
  const std::size_t dot = std::min(text.find('.'), text.size());
  const auto plan = model::PlanId::parse(text.substr(0, dot));
  const auto number =
      base::to_number<std::int64_t>(dot == text.size() ? text.substr(dot) : text.substr(dot + 1));
  if (plan.ok() && number && *number > 0) return ApprovalId{*plan, *number};
  return base::not_found("there is no approval " + in_quotes(text) +
                         "; `agents inbox list` lists the open ones");
}

std::optional<WaitingApproval> waiting_approval(const plan::State& plan,
                                                storage::PlanSummary summary) {
  const bool waits = plan.state == model::PlanState::kWaiting &&
                     plan.waiting == plan::Waiting::kApproval && plan.approval;
  if (!waits) return std::nullopt;
  return WaitingApproval{.id = {plan.id, plan.approval->number},
                         .request = *plan.approval,
                         .digest = digest_of_request(plan),
                         .plan = std::move(summary)};
}

base::Result<std::vector<WaitingApproval>> waiting_approvals(const PlanDatabase& database,
                                                             std::size_t limit, model::PlanId after,
                                                             Context& context) {
  std::vector<WaitingApproval> all;
  storage::Plans plans(database.engine());
  while (true) {
    CLEVER_ASSIGN(const auto page,
                  plans.list({.state = "waiting"}, kPlansPerLook, after, context.stop()));
    for (const storage::PlanSummary& plan : page) {
      if (!context.sees_project(plan.project)) continue;
      CLEVER_ASSIGN(const plan::State state, database.state(plan.id));
      if (auto waiting = waiting_approval(state, plan)) all.push_back(*std::move(waiting));
      if (all.size() == limit) return all;
    }
    if (page.size() < kPlansPerLook) return all;
    after = page.back().id;
  }
}

base::Result<std::optional<ApprovalReceipt>> approval_receipt(const PlanDatabase& database,
                                                              const ApprovalId& id,
                                                              Context& context) {
  CLEVER_ASSIGN(const auto events, all_events(database, id.plan, context));
  std::size_t asked = 0;
  for (const model::StoredEvent& event : events) {
    if (event.kind == model::ApprovalRequested::kKind) {
      const auto request = model::ApprovalRequested::parse(event.data);
      if (request.ok() && request->number == id.number) asked = request->items.size();
    }
    if (event.kind != model::ApprovalGiven::kKind) continue;
    CLEVER_ASSIGN(auto given, model::ApprovalGiven::parse(event.data));
    if (given.number != id.number) continue;
    const bool approved = given.rejected.empty() || given.rejected.size() < asked;
    return std::optional(ApprovalReceipt{.approved = approved,
                                         .rejected = std::move(given.rejected),
                                         .reason = std::move(given.reason),
                                         .sequence = event.sequence,
                                         .time = event.time});
  }
  return std::optional<ApprovalReceipt>();
}

}  // namespace clever::service
