#include "model/effect_events.h"
#include "plan/internal/folds.h"

namespace clever::plan::folds {

base::Result<void> effect_requested(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(model::EffectRequested requested, read<model::EffectRequested>(state, event));
  const auto kind = effect_kind_from_string(requested.kind);
  if (!kind) return {};  // an effect of another kind: this machine does not drive it
  if (state.effects.contains(requested.id)) {
    return cannot_follow(state, event, "the effect is open already");
  }
  OpenEffect effect;
  if (auto reserved = state.reserved.extract(requested.id)) effect = std::move(reserved.mapped());
  effect.kind = *kind;
  effect.data = std::move(requested.data);
  if (*kind == EffectKind::kTools) {
    state.unknown.reset();
    state.held.reset();
  }
  state.effects.emplace(requested.id, std::move(effect));
  return {};
}

base::Result<void> effect_settled(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(const auto settled, read<model::EffectSettled>(state, event));
  const auto open = state.effects.find(settled.id);
  if (open == state.effects.end()) return {};
  if (settled.outcome == "unknown") state.unknown = open->second;
  if (settled.outcome == "held") state.held = open->second;
  if (settled.outcome == "done") state.consecutive_errors = 0;
  state.effects.erase(open);
  return {};
}

}  // namespace clever::plan::folds
