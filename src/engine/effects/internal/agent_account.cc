#include "engine/effects/internal/agent_account.h"

#include <algorithm>

#include "provider/catalog.h"

namespace clever::engine::internal {
namespace {

// Charges half of a reservation (plan: kAgentSlice) at a time, so that the next one exists before
// the first is used up.
constexpr model::Microdollars kChargedMoney = 25'000;
constexpr std::int64_t kChargedTokens = 25'000;

plan::AgentCharged difference(const plan::AgentCharged& all, const plan::AgentCharged& part) {
  const auto left = [](std::int64_t whole, std::int64_t less) {
    return std::max<std::int64_t>(whole - less, 0);
  };
  return {.effect = all.effect,
          .model = all.model,
          .input_tokens = left(all.input_tokens, part.input_tokens),
          .output_tokens = left(all.output_tokens, part.output_tokens),
          .spent = {.money = left(all.spent.money, part.spent.money),
                    .tokens = left(all.spent.tokens, part.spent.tokens)}};
}

}  // namespace

AgentAccount::AgentAccount(const EffectOrder& order, const AgentProgram& program, bool subscription)
    : order_(order),
      program_(program),
      subscription_(subscription),
      state_(std::make_shared<base::Monitor<State>>()) {
  used_.effect = order.id;
}

model::Cost AgentAccount::cost_of(const AgentUsage& usage, const std::string& model) const {
  model::Cost cost{.money = 0, .tokens = usage.input_tokens + usage.output_tokens};
  if (subscription_) return cost;
  cost.money = usage.cost;
  if (usage.priced || program_.provider.empty() || model.empty()) return cost;
  const auto facts = provider::Catalog::built_in().find(program_.provider, model);
  if (!facts.price) return cost;
  const provider::Usage used{.input = usage.input_tokens,
                             .output = usage.output_tokens,
                             .cache_read = usage.cache_read,
                             .cache_write = usage.cache_write,
                             .known = true};
  cost.money = provider::cost(*facts.price, used);
  return cost;
}

void AgentAccount::take(const AgentUsage& usage, const std::string& model) {
  used_.model = model.empty() ? order_.plan->settings.terms.model : model;
  used_.input_tokens = std::max(used_.input_tokens, usage.input_tokens);
  used_.output_tokens = std::max(used_.output_tokens, usage.output_tokens);
  used_.spent = cost_of(usage, used_.model);
  if (!order_.charge) return;
  const plan::AgentCharged open = this->open();
  const bool is_much = open.spent.money >= kChargedMoney || open.spent.tokens >= kChargedTokens;
  if (!is_much) return;
  const bool asks = state_->update([&](State& state) {
    if (state.is_asking || state.is_refused) return false;
    state.is_asking = true;
    state.asked = used_;
    return true;
  });
  if (!asks) return;
  order_.charge(open, [state = state_](bool may_go_on) {
    state->update([&](State& now) {
      now.is_asking = false;
      if (may_go_on) now.charged = now.asked;
      now.is_refused = !may_go_on;
    });
  });
}

// Has a deadline, because a stopped driver does not answer.
void AgentAccount::settle(const base::StopToken& stop, base::Deadline deadline) {
  (void)state_->wait(stop, deadline, [](const State& state) { return !state.is_asking; });
}

bool AgentAccount::may_go_on() const {
  return state_->read([](const State& state) { return !state.is_refused; });
}

plan::AgentCharged AgentAccount::open() const {
  const plan::AgentCharged charged = state_->read([](const State& state) { return state.charged; });
  return difference(used_, charged);
}

}  // namespace clever::engine::internal
