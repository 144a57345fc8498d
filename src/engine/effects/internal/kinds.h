#pragma once
// The kinds of effects, one file each. Private to the module.
#include <memory>

#include "engine/effects/effects.h"
#include "engine/effects/internal/effect_job.h"
#include "engine/effects/internal/messages.h"

namespace clever::engine::internal {

[[nodiscard]] std::unique_ptr<Effect> make_base_take(const EffectParts& parts);
[[nodiscard]] std::unique_ptr<Effect> make_model_call(const EffectParts& parts,
                                                      std::shared_ptr<Messages> messages);
[[nodiscard]] std::unique_ptr<Effect> make_tools_run(const EffectParts& parts,
                                                     std::shared_ptr<Messages> messages);
[[nodiscard]] std::unique_ptr<Effect> make_actor_strategize(const EffectParts& parts);
[[nodiscard]] std::unique_ptr<Effect> make_actor_work(const EffectParts& parts);
[[nodiscard]] std::unique_ptr<Effect> make_children_merge(const EffectParts& parts);
[[nodiscard]] std::unique_ptr<Effect> make_validations_run(const EffectParts& parts);
[[nodiscard]] std::unique_ptr<Effect> make_changes_choose(const EffectParts& parts);
[[nodiscard]] std::unique_ptr<Effect> make_changes_seal(const EffectParts& parts);
[[nodiscard]] std::unique_ptr<Effect> make_apply_run(const EffectParts& parts,
                                                     std::shared_ptr<Messages> messages);
[[nodiscard]] std::unique_ptr<Effect> make_apply_undo(const EffectParts& parts,
                                                      std::shared_ptr<Messages> messages);

/// As the journal keeps it.
[[nodiscard]] model::BaseTaken base_taken(const git::Project& project,
                                          const git::BaseSnapshot& snapshot);

}  // namespace clever::engine::internal
