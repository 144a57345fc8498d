#pragma once
#include <memory>
#include <vector>

#include "base/result.h"
#include "base/secrets.h"
#include "base/sha256.h"
#include "engine/actor/context_source.h"
#include "engine/actor/decision_notes.h"
#include "engine/actor/turn_request.h"
#include "engine/effects/internal/bounded_cache.h"
#include "engine/effects/workspaces.h"
#include "storage/engine.h"

namespace clever::engine::internal {

/// What a model sees of the project with a turn.
struct TurnContext {
  AssembledContext context{};
  std::vector<ContextFragment> instructions{};
  /// ContextSnapshot::to_json() of both.
  std::string snapshot{};
};

/// Assembles it, and keeps the last ones: as long as the files and the step stay the same, so does
/// what the model sees of them. Thread-safe; blocks.
class TurnContexts {
 public:
  /// `secrets` are withheld; may be null.
  TurnContexts(Workspaces& workspaces, storage::Engine& database, const base::Secrets* secrets)
      : workspaces_(workspaces), secrets_(secrets), notes_(database), kept_(kKept) {}

  /// `source`: of the plan's project. `task`: the words of all prompts.
  [[nodiscard]] base::Result<std::shared_ptr<const TurnContext>> of(ContextSource& source,
                                                                    const plan::State& plan,
                                                                    const std::string& task,
                                                                    const base::StopToken& stop);

 private:
  static constexpr std::size_t kKept = 64;

  base::Result<std::shared_ptr<const TurnContext>> make(ContextSource& source,
                                                        const plan::State& plan,
                                                        ContextRequest request,
                                                        const base::StopToken& stop);
  base::Result<void> fill_in(ContextRequest& request, const plan::State& plan,
                             const base::StopToken& stop);

  Workspaces& workspaces_;
  const base::Secrets* const secrets_;
  DecisionNotes notes_;
  BoundedCache<base::Sha256Digest, const TurnContext> kept_;
};

/// The tree that the conversation began with: what the model is shown stays the same until the next
/// step, as prompt caches need it; what it changes meanwhile it knows.
[[nodiscard]] const std::string& tree_of_step(const plan::State& plan);

/// A request about the plan's files at a tree, without words: enough for ContextSource::prepare().
[[nodiscard]] base::Result<ContextRequest> files_request(Workspaces& workspaces,
                                                         const plan::State& plan,
                                                         const std::string& tree);

}  // namespace clever::engine::internal
