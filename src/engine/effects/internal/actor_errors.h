#pragma once
#include "base/error.h"
#include "engine/effects/internal/effect_job.h"

namespace clever::engine::internal {

/// A tool actor that failed is a tool that did.
[[nodiscard]] plan::Command actor_failure(const EffectOrder& order, const base::Error& error);

}  // namespace clever::engine::internal
