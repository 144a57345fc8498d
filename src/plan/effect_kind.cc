#include <algorithm>
#include <array>
#include <utility>

#include "plan/state.h"

namespace clever::plan {
namespace {

constexpr std::array kNames{
    std::pair{EffectKind::kBase, std::string_view("base.take")},
    std::pair{EffectKind::kModel, std::string_view("model.call")},
    std::pair{EffectKind::kTools, std::string_view("tools.run")},
    std::pair{EffectKind::kActorStrategize, std::string_view("actor.strategize")},
    std::pair{EffectKind::kActorWork, std::string_view("actor.work")},
    std::pair{EffectKind::kSubplan, std::string_view("subplan.run")},
    std::pair{EffectKind::kMerge, std::string_view("children.merge")},
    std::pair{EffectKind::kSeal, std::string_view("changes.seal")},
    std::pair{EffectKind::kApply, std::string_view("apply.run")},
    std::pair{EffectKind::kUndo, std::string_view("apply.undo")},
    std::pair{EffectKind::kTimer, std::string_view("timer")},
    std::pair{EffectKind::kValidate, std::string_view("validations.run")},
    std::pair{EffectKind::kChoose, std::string_view("changes.choose")},
};

}  // namespace

std::string_view to_string(EffectKind kind) noexcept {
  return std::ranges::find(kNames, kind, &std::pair<EffectKind, std::string_view>::first)->second;
}

std::optional<EffectKind> effect_kind_from_string(std::string_view name) noexcept {
  const auto* found =
      std::ranges::find(kNames, name, &std::pair<EffectKind, std::string_view>::second);
  if (found == kNames.end()) return std::nullopt;
  return found->first;
}

}  // namespace clever::plan
