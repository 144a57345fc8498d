#pragma once
#include <memory>
#include <vector>

#include "base/result.h"
#include "base/sha256.h"
#include "engine/actor/context_source.h"
#include "engine/actor/turn_request.h"
#include "engine/effects/internal/bounded_cache.h"
#include "engine/effects/workspaces.h"

namespace clever::engine::internal {

/// What a model sees of the project with a turn.
struct TurnContext {
  AssembledContext context{};
  std::vector<ContextFragment> instructions{};
};

/// Assembles it, and keeps the last ones: as long as the files and the step stay the same, so does
/// what the model sees of them. Thread-safe; blocks.
class TurnContexts {
 public:
  TurnContexts(ContextSource& source, Workspaces& workspaces)
      : source_(source), workspaces_(workspaces), kept_(kKept) {}

  /// `task`: the words of all prompts.
  [[nodiscard]] base::Result<std::shared_ptr<const TurnContext>> of(const plan::State& plan,
                                                                    const std::string& task,
                                                                    const base::StopToken& stop);

 private:
  static constexpr std::size_t kKept = 64;

  ContextSource& source_;
  Workspaces& workspaces_;
  BoundedCache<base::Sha256Digest, const TurnContext> kept_;
};

}  // namespace clever::engine::internal
